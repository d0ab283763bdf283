"""From the text of a reply to its fields.

Models wrap what was asked for in markdown, code fences, JSON or talk. `Fields.of` takes all of that off and
returns the value of each wanted field; what a value means is for the readers to say. Nothing here raises, and
nothing takes longer than the text is long: a reply may be anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from kgcore.prompts.wording import fold, wording

MAX_LENGTH = 50_000
_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*+(?:```|~~~)[\w-]*+[ \t]*+$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"<[^<>]*>|\.{2,}|…+|\[\s*\]|\(\s*\)|\{\s*\}|_+|-+")
_PAIRS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "*": "*",
    "_": "_",
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
}
_PAIRS |= {
    "(": ")",
    "[": "]",
    "{": "}",
    "<": ">",
    "《": "》",
    "〈": "〉",
    "【": "】",
    "（": "）",
    "«": "»",
}
_MAX_JSON_STARTS = 40


@dataclass(frozen=True, slots=True)
class Fields:
    """The wanted fields of a reply, and its whole text without wrapping."""

    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    data: Any = None  # what a JSON reply held

    @classmethod
    def of(cls, reply: str, *wanted: str, key: str = "") -> Fields:
        """Read a reply; `key` is the field that says what the reply is about (found inside a line if need be)."""
        text = clean(reply)
        data, around = _find_json(text, wanted)
        values = _from_lines(around, wanted, is_inline=False)
        if data is not None and (not key or key not in values):
            return cls(text, _from_json(data, wanted), data)
        if data is not None:  # JSON inside a thought
            whole = _from_lines(text, wanted, is_inline=False)
            values = whole if whole.get(key) == values[key] else values
        if key and key not in values:
            inline = _from_lines(text, wanted, is_inline=True)
            values = inline if key in inline else values
        return cls(text, values)

    def get(self, *names: str) -> str:
        """Return the first of these fields that says something, bare; "" when none does."""
        for name in names:
            value = bare(self.values.get(name, ""))
            if value and not _PLACEHOLDER.fullmatch(self.values[name].strip()):
                return value
        return ""

    def has(self, name: str) -> bool:
        """Tell whether the reply wrote this field, be it empty."""
        return name in self.values


def clean(reply: str) -> str:
    """Return the reply without reasoning blocks, code fences and runs of space, cut to a sane length."""
    if len(reply) > MAX_LENGTH:
        reply = reply[: MAX_LENGTH // 2] + "\n" + reply[-MAX_LENGTH // 2 :]
    text = reply.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    text = _FENCE.sub("", _REASONING.sub("\n", text))
    text = re.sub(r"[^\S\n]+", " ", text)
    text = re.sub(r" ?\n ?", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def bare(value: str) -> str:
    """Return a value without markdown, quotes and brackets around it."""
    value = value.strip()
    for _ in range(6):
        if len(value) >= 2 and _PAIRS.get(value[0]) == value[-1] and _is_one_pair(value):
            value = value[1:-1].strip()
        else:
            break
    return value.strip("*`").strip() if value[:1] in "*`" or value[-1:] in "*`" else value


def _is_one_pair(value: str) -> bool:
    """Tell whether the first and the last character belong together: not so in `(a) and (b)`."""
    opening, closing = value[0], value[-1]
    inner = value[1:-1]
    if opening == closing:
        return opening not in inner or opening in "*_`"
    depth = 0
    for character in inner:
        depth += (character == opening) - (character == closing)
        if depth < 0:
            return False
    return depth == 0


@lru_cache(maxsize=64)
def _keyword_pattern(wanted: tuple[str, ...], is_inline: bool) -> re.Pattern[str]:
    ways = sorted(
        {w for name in wanted for w in wording().keywords[name]}, key=lambda w: (-len(w), w)
    )
    words = "|".join(re.escape(way).replace(r"\ ", r"[ _]") for way in ways)
    if is_inline:
        return re.compile(rf"(?<![\w<*`\"])[*_`\"]*+({words})[*_`\"]*+\s*+[:：]", re.IGNORECASE)
    lead = r"^[ \t>*_#\-•·+|`\"'（(\[]*+(?:\d{1,2}[.)、]\s*+)?[*_`\"]*+"
    return re.compile(rf"{lead}({words})[ \t*_`\"']*+[:：=][*_`\"]*+", re.IGNORECASE | re.MULTILINE)


def _from_lines(text: str, wanted: tuple[str, ...], *, is_inline: bool) -> dict[str, str]:
    """Return the first value of each field; it reaches to the next field."""
    matches = list(_keyword_pattern(wanted, is_inline).finditer(text))
    values: dict[str, str] = {}
    for match, after in zip_longest(matches, matches[1:]):
        name = _field_name(match[1], wanted)
        value = text[match.end() : after.start() if after else len(text)].strip()
        if name and not values.get(name):
            values[name] = value
    return values


def _field_name(way: str, wanted: tuple[str, ...]) -> str:
    folded = fold(way).replace("_", " ")
    keywords = wording().keywords
    return next((name for name in wanted if folded in keywords[name]), "")


def _find_json(text: str, wanted: tuple[str, ...]) -> tuple[Any, str]:
    """Return the first JSON object that holds a wanted field, or a list that is all, and the text around it."""
    decoder = json.JSONDecoder()
    starts = [m.start() for m in re.finditer(r"[{\[]", text)]
    for start in starts[:_MAX_JSON_STARTS]:
        try:
            data, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        around = f"{text[:start]}\n{text[end:]}"
        if isinstance(data, dict) and _from_json(data, wanted):
            return data, around
        if isinstance(data, list) and not around.strip():
            return data, around
    return None, text


def _from_json(data: Any, wanted: tuple[str, ...], depth: int = 0) -> dict[str, str]:
    if not isinstance(data, dict) or depth > 3:
        return {}
    values: dict[str, str] = {}
    for key, item in data.items():
        name = _field_name(str(key), wanted)
        if isinstance(item, dict):
            inner = _from_json(item, wanted, depth + 1)
            values = {**inner, **values}
        if name and name not in values:
            values[name] = as_text(item)
    return values


def as_text(item: Any) -> str:
    """Return a JSON value as the text a person would have written: list items on lines of their own."""
    if item is None:
        return ""
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, list):
        return "\n".join(as_text(part) for part in item)
    if isinstance(item, dict):
        named = {fold(str(key)): value for key, value in item.items()}
        for key in ("handle", "id", "name", "label", "value"):
            if isinstance(named.get(key), (str, int, float)):
                return str(named[key])
        return ""
    try:
        return str(item)
    except ValueError:  # an integer of more digits than Python will print
        return ""
