"""A report as Markdown. Only what Markdown would read as a sign is escaped, so that the text itself can be read, too."""

from __future__ import annotations

import re
from urllib.parse import quote

from kgcore.views.run_document import CELL, TEXT, RunDocument, Section
from kgcore.views.safe_text import short

_SIGNS = re.compile(r"[`*\[\]<|~]|\\(?=[!-/:-@\[-`{-~])|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(
    r"^([-+](?=\s|$)|-(?=[-\s]+$)|#(?=#{0,5}(?:\s|$))|>|=(?==*$))|^(\d+)([.)])(?=\s|$)"
)
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LINK = re.compile(r":(?=//)|:(?=[\w+-]+:)|(?<=www)\.|@(?=\w)|#(?=\d)", re.IGNORECASE)
_MATH = re.compile(r"\$")


def as_markdown(document: RunDocument, *, picture: str = "") -> str:
    """Return the report; `picture` is the file beside it that holds the picture of the paths, where there is one."""
    parts = [f"# {text_of(document.title)}"]
    for section in document.sections:
        shown = _section(section, picture)
        parts += [f"## {text_of(section.title)}", *shown] if shown else []
    return "\n\n".join(parts) + "\n"


def _section(section: Section, picture: str) -> list[str]:
    lines = [text_of(line, TEXT) for line in section.lines]
    parts = ["\n".join(f"- {line}" for line in lines)] if section.is_list and lines else lines
    if section.picture and picture:
        parts.append(f"![{text_of(section.title)}]({quote(picture)})")
    elif section.picture:  # told in words: a picture inside the text would be shown nowhere
        parts.append("\n".join(f"- {text_of(path, TEXT)}" for path in section.told))
    if section.rows:
        rows = [
            "| " + " | ".join(map(text_of, row)) + " |" for row in (section.head, *section.rows)
        ]
        parts.append("\n".join([rows[0], "|" + " --- |" * len(section.head), *rows[1:]]))
    return parts


def text_of(text: str, n: int = CELL) -> str:
    """Return one line that Markdown shows as it is written: no link, no picture, no HTML."""
    line = _SIGNS.sub(r"\\\g<0>", short(text, n))
    line = _LINK.sub(r"\\\g<0>", _ENTITY.sub(r"\\&", line))
    if line.count("$") > 1:  # one alone is no formula
        line = _MATH.sub(r"\\$", line)
    return _AT_START.sub(_escaped, line)


def _escaped(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"
