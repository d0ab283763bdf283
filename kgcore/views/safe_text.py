"""Text of a graph or a model made safe to draw beside other text, or to name a file by."""

from __future__ import annotations

import re
import unicodedata

FILE_NAME_LENGTH = 60
ISOLATE, POP = "\u2068", "\u2069"
JOINED_TO_PREVIOUS = frozenset({"Mn", "Me", "Mc"})
JOINERS = "\u200d\ufe0e\ufe0f"
BIDI_CLASSES = frozenset({"R", "AL", "AN"})


def short(text: str, n: int) -> str:
    """Return one line of at most ``n`` characters that is safe to draw beside other text.

    Control characters and bidi overrides go, white space is folded, a cut is marked with "…" and
    never splits a letter from its accents, and right-to-left text is isolated from what follows.
    """
    is_simple = text.isascii() and text.isprintable()  # most are, and need no look at each letter
    line = " ".join((text if is_simple else "".join(map(_visible, text))).split())
    if len(line) > n:
        end = max(1, n - 1)
        while end > 1 and _joins_previous(line[end]):
            end -= 1
        line = line[:end].rstrip() + "…"
    return f"{ISOLATE}{line}{POP}" if not is_simple and _is_right_to_left(line) else line


def file_name(text: str) -> str:
    """Return a name for a file made of a text: letters and digits of any language, and dashes."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text))
    return "-".join(words)[:FILE_NAME_LENGTH].strip("-") or "graph"


def _visible(char: str) -> str:
    """Return a character as it may be shown: nothing for controls, a blank for line ends."""
    if char in JOINERS:
        return char
    category = unicodedata.category(char)
    if category in {"Zl", "Zp"} or char in "\t\n\r":
        return " "
    return "" if category in {"Cc", "Cf", "Cs", "Cn"} else char


def _joins_previous(char: str) -> bool:
    return char in JOINERS or unicodedata.category(char) in JOINED_TO_PREVIOUS


def _is_right_to_left(line: str) -> bool:
    return any(unicodedata.bidirectional(char) in BIDI_CLASSES for char in line)
