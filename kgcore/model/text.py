"""Text from a graph or a model, made safe to stand on one line of a prompt.

Labels are data. Ordinary text of any script passes unchanged; what could break a line, hide or reorder text is
written as a visible escape (`\\n`, `\\u202e`), so nothing is lost and nothing pretends to be structure.
"""

from __future__ import annotations

import math
import re
import unicodedata

_FLAG = "\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"  # flags of regions are made of tag characters
_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_HIDDEN = re.compile(f"{_FLAG}|({_UNSAFE})")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_JOINERS = "\u200d\ufe0e\ufe0f"
_WIDE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)
_NOT_PLAIN_START = re.compile(r"[\s?:,\[\]{}#&*!|>'\"%@`~=<]|-(?:\s|$)|---")
_NOT_PLAIN_FLOW = re.compile(r"[,?\[\]{}]|:(?:\s|$)|\s#|\s$")
_NOT_PLAIN_BLOCK = re.compile(r":(?:\s|$)|\s#|\s$")


def escape(character: str) -> str:
    """Return the visible escape of a character."""
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def one_line(text: str, limit: int | None = None) -> str:
    """Return the text on one line, hidden and control characters escaped, cut to about `limit`."""
    if limit is not None:
        text = cut(text, limit)
    return _HIDDEN.sub(lambda m: escape(m[1]) if m[1] else m[0], text)


def cut(text: str, limit: int) -> str:
    """Cut a text to `limit` characters as `one_line` would write it; "…" marks the cut."""
    if len(text) * 10 <= limit or (len(text) <= limit and not _HIDDEN.search(text)):
        return text
    size = 0
    for position, character in enumerate(text):
        size += len(escape(character)) if re.match(_UNSAFE, character) else 1
        if size > limit:
            return _whole_characters(text[: max(0, position - 1)]) + "…"
    return text


def _whole_characters(text: str) -> str:
    """Drop a joiner at the end, so that a cut does not leave half of an emoji."""
    return text.rstrip(_JOINERS)


def yaml_scalar(text: str, *, is_flow: bool = False) -> str:
    """Return the text as a YAML scalar on one line: plain where YAML allows it, else in double quotes."""
    unfit = _NOT_PLAIN_FLOW if is_flow else _NOT_PLAIN_BLOCK
    is_hidden = any(m[1] for m in _HIDDEN.finditer(text))
    if text and not (is_hidden or _NOT_PLAIN_START.match(text) or unfit.search(text)):
        return text
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{one_line(quoted)}"'


def token_weight(text: str) -> float:
    """Return the estimated tokens of a text before rounding, so that parts can be summed."""
    if text.isascii():
        return len(text) / 4
    weight = 0.0
    for character in text:
        if character < "\x80":
            weight += 0.25
        elif _WIDE.match(character):
            weight += 1.0
        elif character > "\uffff":
            weight += 2.0
        else:
            weight += 0.25 if unicodedata.combining(character) else 0.5
    return weight


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a model's tokenizer makes of a text.

    An own count, not a tokenizer: about four ASCII characters a token, one token for each Chinese, Japanese or
    Korean character, two characters of other alphabets a token, two tokens an emoji. Good to about a third.
    """
    return math.ceil(token_weight(text))
