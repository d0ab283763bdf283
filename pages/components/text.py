"""Text of graphs and models as text: safe in markdown, safe in HTML, short enough to show.

Whatever comes from a graph, a model or a person passes through here (or through ``st.text`` and ``st.code``)
before it is drawn. Nothing here ever returns markup that was in the text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from urllib.parse import urlsplit

from pages.components.graph import short
from pages.components.language import tn

__all__ = ["LINE", "cell", "distinct", "is_web_address", "plain", "rows", "safe_link"]

LINE = 160
MAX_ROWS = 200
DENSE = 4  # columns from which on words, not letters, keep a column wide enough
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@=^])")
_SCHEME = re.compile(r"(https?|ftp)(?=\\:)", re.IGNORECASE)
_WORD_JOINER = "\u2060"  # invisible; keeps text from being taken for an address or an emoji


def plain(text: str, n: int = LINE) -> str:
    """Return one line of at most ``n`` characters that markdown shows as it is written."""
    line = _MARKS.sub(r"\\\1", short(text, n))
    line = _SCHEME.sub(rf"\1{_WORD_JOINER}", line)
    line = line.replace("\\:", f"\\:{_WORD_JOINER}").replace("\\@", f"{_WORD_JOINER}\\@")
    return re.sub(r"\bwww(?=\\\.)", f"www{_WORD_JOINER}", line, flags=re.IGNORECASE)


def cell(text: str, n: int = LINE) -> str:
    """Return HTML that shows the text as it is written, cut to ``n`` characters, in its own direction."""
    return f"<bdi>{escape(short(text, n))}</bdi>"


def distinct(names: Iterable[str]) -> list[str]:
    """Return the names, those that were there before with a number.

    Streamlit goes by what an option is called: of two that are called the same it takes the last, whichever was chosen.
    """
    told: dict[str, None] = {}
    for name in names:
        n, new = 1, name
        while new in told:
            n += 1
            new = f"{name} ({n})"
        told[new] = None
    return list(told)


def is_web_address(url: str) -> bool:
    """Whether a link may lead there: only http and https, with a host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def safe_link(text: str, url: str) -> str:
    """Return HTML of a link that opens elsewhere; the text alone where the address is no web address."""
    if not is_web_address(url):
        return cell(text)
    target = escape(url, quote=True)
    return f'<a href="{target}" target="_blank" rel="noopener noreferrer">{cell(text)}</a>'


def rows(columns: Sequence[str], items: Iterable[Mapping[str, str]], *, empty: str = "") -> str:
    """Return an HTML table; values are HTML made by ``cell``, ``safe_link`` or ``theme.chip``."""
    items = list(items)
    if not items:
        return f'<p class="ts-muted">{escape(empty)}</p>' if empty else ""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{item.get(name, '')}</td>" for name in columns) + "</tr>"
        for item in items[:MAX_ROWS]
    )
    more = len(items) - MAX_ROWS
    told = tn("and {n} more", "and {n} more", more)
    note = f'<p class="ts-muted">{told}</p>' if more > 0 else ""
    kind = "ts-table is-dense" if len(columns) >= DENSE else "ts-table"
    return (
        f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}'
    )
