"""A report as one HTML page without any script, ready to print: no address is asked for anything, all text is escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape

from kgcore.views.palettes import LIGHT
from kgcore.views.run_document import CELL, TEXT, RunDocument, Section
from kgcore.views.safe_text import short

_CSS = f"""
body {{ font: 11pt/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans SC", sans-serif; color: {LIGHT.text};
  background: {LIGHT.background}; max-width: 46rem; margin: 2.5rem auto; padding: 0 1.5rem; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 1.2rem; }}
h2 {{ font-size: 1.05rem; margin: 1.7rem 0 .5rem; break-after: avoid; }}
p {{ margin: .2rem 0; color: {LIGHT.muted}; }}
section:first-of-type p:first-of-type {{ font-size: 1.35rem; font-weight: 600; color: {LIGHT.text}; border-left: 4px solid {LIGHT.answer};
  padding-left: .8rem; }}
li {{ margin: .15rem 0; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92em; }}
th {{ text-align: left; font-weight: 600; color: {LIGHT.muted}; }}
th, td {{ padding: .28rem .8rem .28rem 0; border-bottom: 1px solid {LIGHT.dimmed}; vertical-align: top;
  overflow-wrap: anywhere; }}
tr, section:last-of-type {{ break-inside: avoid; }}
svg {{ max-width: 100%; height: auto; }}
h1, p, li, td {{ unicode-bidi: plaintext; overflow-wrap: anywhere; }}
@page {{ margin: 18mm; }}
@media print {{ body {{ margin: 0; max-width: none; padding: 0; }} }}
"""


def as_html(document: RunDocument) -> str:
    """Return the report as one page without any script, ready to print."""
    digest = base64.b64encode(hashlib.sha256(_CSS.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = "".join(_html(section) for section in document.sections)
    title = escape(short(document.title, TEXT))
    page = (
        f'<!doctype html>\n<html lang="{escape(document.language)}">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_CSS}</style></head>\n<body><h1>{title}</h1>{body}</body></html>\n"
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def _html(section: Section) -> str:
    lines = [escape(short(line, TEXT)) for line in section.lines]
    if section.is_list and lines:
        text = "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    else:
        text = "".join(f"<p>{line}</p>" for line in lines)
    return f"<section><h2>{escape(section.title)}</h2>{text}{section.picture}{_rows(section)}</section>"


def _rows(section: Section) -> str:
    if not section.rows:
        return ""

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(short(c, CELL))}</{tag}>" for c in cells) + "</tr>"

    body = "".join(line(row, "td") for row in section.rows)
    return f"<table><thead>{line(section.head, 'th')}</thead><tbody>{body}</tbody></table>"
