"""Reading a value in 0…1 out of a reply.

A value is taken from the field that names it. Only where there is none does a number in the text count, and then
the last one that can be a value: models reason first ("grossed 3.5 million … so 0.7").
"""

from __future__ import annotations

import json
import math
import re
from itertools import zip_longest
from typing import Any

from kgcore.errors import UnreadableReplyError
from kgcore.prompts.replies import Fields, as_text, bare, clean
from kgcore.prompts.values import Rating
from kgcore.prompts.wording import fold, wording

REASON_LIMIT = 500
TEXT_LIMIT = 2000  # of a text without a field only the end is searched
_NUMBER = r"[+\-−]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e-?\d{1,3})?"
_SCORE = re.compile(
    rf"(?P<number>{_NUMBER})"
    rf"(?:\s*+(?:(?P<percent>%|percent\b)|(?:/|out\s+of|of)\s*+(?P<whole>{_NUMBER})))?",
    re.IGNORECASE,
)
_ALONE_BEFORE = re.compile(r"(?:[\w.,/:%€$£-]|\d\s)$")
_ALONE_AFTER = re.compile(r"[\w/:%-]|[.,]\d")
_AROUND = " \t\n*_`\"')]}>.,;:–—-|"
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<", "”": "“"}
_HEADER = re.compile(
    r"^[ \t>*_#\-•|(\[【`\"']*+(?:(?:item|state|number|no\.?|option|candidate|node|sibling|answer|rating|"
    r"第|编号|项|状态|候选)\s*+#?\s*+)?[#*(\[]*+(?P<index>\d{1,3})[*_`\"')\]】]*[ \t]*"
    r"(?:[:：、)|=\]）→]|\.(?!\d)|[-–—](?=\s)|[项个号]\s*[:：]?)[*_]*",
    re.IGNORECASE | re.MULTILINE,
)


def read_rating(reply: str) -> Rating:
    """Return the value of a reply and the reason for it; UnreadableReplyError when there is none in 0…1."""
    fields = Fields.of(reply, "value", "reason", "thought", key="value")
    if isinstance(fields.data, list):
        raise UnreadableReplyError("a list was given; one value was asked for")
    reason = fields.get("reason", "thought")
    if fields.has("value"):
        value, rest = _tagged(fields.values["value"])
        return Rating(value, _short(reason or rest))
    return Rating(_last_value(fields.text), _short(reason or fields.text))


def read_ratings(reply: str, n: int) -> tuple[Rating, ...]:
    """Return n ratings by the numbers of their items, in any order; UnreadableReplyError unless all are there."""
    text = clean(reply)
    found = _from_data(find_json(text))
    if found is None:
        text = re.sub(r"[;；]\s*(?=\W*\d{1,3}\s*[:：])", "\n", text)
        found = _from_chunks(text) or _in_a_row(text)
    if set(found) != set(range(1, n + 1)):
        raise UnreadableReplyError(f"{len(found)} ratings for {n} items")
    return tuple(found[i] for i in range(1, n + 1))


def leading_value(text: str) -> Rating | None:
    """Return the value a text begins with, be it after a word such as "score"; what follows is the reason.

    None when the text begins with no number; UnreadableReplyError for a number outside 0…1.
    """
    written = text[:TEXT_LIMIT]
    text = fold_digits(written)
    words = "|".join(re.escape(way) for way in wording().keywords["value"])
    lead = re.match(rf"[\s*_`\"'(\[{{<≈~=:]*(?:(?:{words})[\s*_`\"')\]:=]*)?", text, re.IGNORECASE)
    match = _SCORE.match(text, lead.end() if lead else 0)
    if match is None or _ALONE_AFTER.match(text, match.end()):
        return None
    return Rating(_value(match), _short(_unwrapped(written[match.end() :])))


def _tagged(text: str) -> tuple[float, str]:
    """Read the value of a field: the number it begins with, else the last that can be a value."""
    written = text[:TEXT_LIMIT].strip()
    text = fold_digits(written)
    start = re.match(r"[\s*_`\"'(\[<≈~=:]*", text)
    match = _SCORE.match(text, start.end() if start else 0)
    if match and not _ALONE_AFTER.match(text, match.end()):
        return _value(match), _unwrapped(written[match.end() :])
    return _last_value(text), written


def _unwrapped(text: str) -> str:
    """Return a reason without what stands around it; a bracket or a quote that it opens itself is closed."""
    text = text.lstrip(_AROUND)
    bare = text.rstrip(_AROUND)
    for closing in text[len(bare) :]:
        opening = _OPENING.get(closing)
        if opening is None or bare.count(opening) <= bare.count(closing):
            break
        bare += closing
    return bare


def _last_value(text: str) -> float:
    """Return the last number of a text that can be a value.

    A whole number counts only where the text is or ends with it: "1 film" is no value.
    """
    text = fold_digits(text)
    if len(text) > TEXT_LIMIT:
        text = re.sub(r"^\S*", "", text[-TEXT_LIMIT:])
    values: list[float] = []
    for match in _SCORE.finditer(text):
        before, after = text[max(0, match.start() - 2) : match.start()], text[match.end() :]
        if _ALONE_BEFORE.search(before) or _ALONE_AFTER.match(after):
            continue
        is_whole = match["number"].isdecimal() and not (match["percent"] or match["whole"])
        if is_whole and after.strip(" \t\n*_`\"')]>.!。"):
            continue
        try:
            values.append(_value(match))
        except UnreadableReplyError:
            continue
    if not values:
        raise UnreadableReplyError("no value between 0 and 1 was given")
    return values[-1]


def _value(match: re.Match[str]) -> float:
    number = _number(match["number"])
    if match["percent"]:
        number /= 100
    elif match["whole"]:
        whole = _number(match["whole"])
        number = number / whole if whole > 0 else math.nan
    if not 0.0 <= number <= 1.0:
        raise UnreadableReplyError(f"{match[0].strip()} is not between 0 and 1")
    return number + 0.0


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("−", "-"))


def fold_digits(text: str) -> str:
    """Return the text with full-width digits and signs made ordinary, lines kept."""
    if text.isascii():
        return text
    wide = {0xFF01 + i: 0x21 + i for i in range(94)}
    return text.translate(wide)


def _from_chunks(text: str) -> dict[int, Rating]:
    found: dict[int, Rating] = {}
    for number, chunk in numbered(text):
        _add(found, number, _chunk_rating(chunk))
    return found


def numbered(text: str) -> list[tuple[int, str]]:
    """Return the blocks of a text that each begin with the number of their item, with that number."""
    headers = list(_HEADER.finditer(fold_digits(text)))  # the blocks stay as they were written
    return [
        (int(header["index"]), text[header.end() : after.start() if after else len(text)])
        for header, after in zip_longest(headers, headers[1:])
    ]


def _chunk_rating(chunk: str) -> Rating:
    fields = Fields.of(chunk, "value", "reason", key="value")
    if fields.has("value"):
        return read_rating(chunk)
    value, rest = _tagged(chunk)
    return Rating(value, _short(fields.get("reason") or rest))


def _in_a_row(text: str) -> dict[int, Rating]:
    """Read a reply that is nothing but values in order."""
    pieces = [p for p in re.split(r"[\s,;，；]+", fold_digits(bare(text))) if p]
    found: dict[int, Rating] = {}
    for number, piece in enumerate(pieces, 1):
        match = _SCORE.fullmatch(piece)
        if match is None:
            raise UnreadableReplyError("the values are not numbered")
        found[number] = Rating(_value(match))
    return found


def find_json(text: str) -> Any:
    """Return the first JSON object or list that a text holds, if it holds any."""
    start = re.search(r"[{\[]", text)
    if start is None:
        return None
    try:
        return json.JSONDecoder().raw_decode(text, start.start())[0]
    except (ValueError, RecursionError):
        return None


def _from_data(data: Any) -> dict[int, Rating] | None:
    """Read `[…]`, `{"1": …}` and either of them inside one more object."""
    if isinstance(data, list):
        found: dict[int, Rating] = {}
        for number, item in enumerate(data, 1):
            _add(found, _index_of(item, number), _json_rating(item))
        return found
    if not isinstance(data, dict):
        return None
    numbered = {m[0]: item for k, item in data.items() if (m := re.search(r"\d{1,3}", str(k)))}
    if numbered:
        found = {}
        for name, item in numbered.items():
            _add(found, int(name), _json_rating(item))
        return found
    inner = [item for item in data.values() if isinstance(item, (list, dict))]
    return _from_data(inner[0]) if len(inner) == 1 else None


def _index_of(item: Any, number: int) -> int:
    if isinstance(item, dict):
        for name in ("item", "id", "number", "index", "state", "no", "编号"):
            match = re.fullmatch(r"\D{0,12}(\d{1,3})", str(item.get(name, "")).strip())
            if match:
                return int(match[1])
    return number


def _json_rating(item: Any) -> Rating:
    if isinstance(item, dict):
        named = {fold(str(k)): v for k, v in item.items()}
        for way in wording().keywords["value"]:
            if way in named:
                reason = next((named[w] for w in wording().keywords["reason"] if w in named), "")
                return Rating(_tagged(as_text(named[way]))[0], _short(as_text(reason)))
    return Rating(_tagged(as_text(item))[0])


def _add(found: dict[int, Rating], number: int, rating: Rating) -> None:
    if number in found and found[number].value != rating.value:
        raise UnreadableReplyError(f"item {number} was rated twice")
    found.setdefault(number, rating)


def _short(text: str) -> str:
    return " ".join(text.split())[:REASON_LIMIT]
