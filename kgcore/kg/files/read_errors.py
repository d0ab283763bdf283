"""Words what the RDF parser complains of, for a person who looks at the file."""

from __future__ import annotations

import re

TOO_LONG = "a statement longer than 16 MiB"
_PARSER_LIMIT = "buffer maximal size"  # how the parser words that a term fills its buffer
_REASON_LENGTH = 240
_TURTLE_HINT = "; this looks like Turtle: if it is, name the file .ttl"
_DIRECTIVE = re.compile(r"\s*(?:@prefix|@base|prefix|base)\s", re.IGNORECASE)
_NOT_NAMES = re.compile(r'<[^>]*>?|"(?:\\.|[^"\\])*(?:"|\\?$)|#.*')
_PREFIXED_NAME = re.compile(r"(?:^|[\s^])(?:[^\W\d_][\w.-]*)?:\w")


def reason(error: SyntaxError) -> str:
    """Return what a parser's error says, without the place."""
    text = error.msg or str(error)
    if "LoadDocumentCallback" in text:
        return "it refers to a @context elsewhere; nothing is fetched during an import, so put the context in the file"
    _, separator, rest = text.partition(": ")
    return one_line(rest if separator and text.startswith("Parser error") else text)


def one_line(text: str) -> str:
    """Escape what a file may smuggle into a message, and keep it short."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return shown if len(shown) <= _REASON_LENGTH else f"{shown[: _REASON_LENGTH - 1]}…"


def is_too_long(error: MemoryError) -> bool:
    """Tell a statement too long for the parser from a machine that is out of memory."""
    return _PARSER_LIMIT in str(error)


def turtle_hint(line: str) -> str:
    """Return what to add to the reason when a line of N-Triples or N-Quads is more likely Turtle."""
    if _DIRECTIVE.match(line) or _PREFIXED_NAME.search(_NOT_NAMES.sub(" ", line.rstrip())):
        return _TURTLE_HINT
    return ""
