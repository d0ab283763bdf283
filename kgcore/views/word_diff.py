"""What changed between two texts, word by word; Chinese is compared sign by sign."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal as OneOf

_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of both texts (same), of the first alone (gone) or of the second alone (new)."""

    kind: OneOf["same", "gone", "new"]
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces in reading order; what is gone stands before what is new in its place."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    pieces: list[Piece] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", "".join(old[i:j])))
            continue
        if i < j:
            pieces.append(Piece("gone", "".join(old[i:j])))
        if k < m:
            pieces.append(Piece("new", "".join(new[k:m])))
    return tuple(pieces)
