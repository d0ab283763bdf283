"""Reading the scores that a reply gives to things on offer: `R3: 0.4 – why`, one a line, or JSON.

What is not named counts 0. A thing that was not offered, a value outside 0…1 and two values for one thing make
the reply unreadable; what a model writes around a line (brackets, the word "score", a number in front) does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from kgcore.errors import UnreadableReplyError
from kgcore.prompts.matching import Offer, key, quote
from kgcore.prompts.ratings import find_json, leading_value
from kgcore.prompts.replies import as_text, bare, clean
from kgcore.prompts.values import Rating
from kgcore.prompts.wording import fold, wording

Scored = tuple[str, Rating]
_BULLET = re.compile(r"^\s*(?:[-*•·+>]|\d{1,3}[.)、](?!\d))\s*")
_CUT = re.compile(r"\s*(?:[:：=→|\t,，]|[(\[{（【]|[-–—](?=\s))\s*")
MAX_LINES, MAX_CUTS, LINE_LIMIT = 400, 12, 600  # what is longer is no line of a score
_OPENING = "{[<"  # copied from the form of the reply


def read_scores(reply: str, offer: Offer) -> dict[int, Rating]:
    """Return the score of each thing a reply names, by its position; {} for "none"."""
    text = clean(reply)
    data = find_json(text)
    pairs = _from_lines(text, offer) if data is None else _from_data(data)
    found: dict[int, Rating] = {}
    for what, rating in pairs:
        position = offer.find_one(what)
        if position in found and found[position].value != rating.value:
            raise UnreadableReplyError(f"{quote(what)} was scored twice")
        found.setdefault(position, rating)
    if not found and key(text) not in wording().none:
        raise UnreadableReplyError("no scores were given")
    return found


def _from_lines(text: str, offer: Offer) -> Iterator[Scored]:
    for line in re.split(r"\n|[;；]", text)[:MAX_LINES]:
        line = bare(_BULLET.sub("", line[:LINE_LIMIT])).lstrip(_OPENING).strip()
        scored = _in_line(line, offer)
        if scored is not None:
            yield scored


def _in_line(line: str, offer: Offer) -> Scored | None:
    """Return what a line names and its score; None for a line that gives none.

    A name may hold brackets, commas and colons itself. Of the places where the line can be cut before a value, the
    first counts whose left side was offered, else the first.
    """
    first: Scored | None = None
    for cut in islice(_CUT.finditer(line), MAX_CUTS):
        what = line[: cut.start()]
        is_offered = _is_offered(what, offer)
        try:
            rating = leading_value(line[cut.end() :])
        except UnreadableReplyError:
            if is_offered:
                raise
            continue
        if rating is None:
            continue
        if is_offered:
            return what, rating
        first = first or (what, rating)
    return first


def _is_offered(what: str, offer: Offer) -> bool:
    try:
        return bool(what) and offer.exact(what) is not None
    except UnreadableReplyError:
        return False


def _from_data(data: Any) -> Iterator[Scored]:
    """Read `{"R1": 0.4}`, `[{"relation": "R1", "score": 0.4}]` and either of them inside one more object."""
    if isinstance(data, dict):
        inner = [item for item in data.values() if isinstance(item, list)]
        if len(inner) == 1:
            yield from _from_data(inner[0])
            return
        for name, item in data.items():
            yield str(name), _rating_of(item)
        return
    for item in data:
        if not isinstance(item, dict):
            raise UnreadableReplyError("a list without names was given")
        named = {fold(str(name)): value for name, value in item.items()}
        of_score = {*wording().keywords["value"], *wording().keywords["reason"]}
        what = next((value for name, value in named.items() if name not in of_score), "")
        yield as_text(what), _rating_of(item)


def _rating_of(item: Any) -> Rating:
    reason = ""
    if isinstance(item, dict):
        named = {fold(str(name)): value for name, value in item.items()}
        words = wording().keywords
        reason = next((as_text(named[w]) for w in words["reason"] if w in named), "")
        item = next((named[w] for w in words["value"] if w in named), "")
    rating = leading_value(as_text(item))
    if rating is None:
        raise UnreadableReplyError(f"{quote(as_text(item))} is no score")
    return Rating(rating.value, rating.reason or reason)
