"""What changed between two texts, word by word; Chinese is compared sign by sign."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal as OneOf

LEAST_ALIKE = 0.6  # share of words in common from which marks at several places can be read
_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of both texts (same), of the first alone (gone) or of the second alone (new)."""

    kind: OneOf["same", "gone", "new"]
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """Return the pieces in reading order; what is gone stands before what is new in its place.

    Texts that have little in common are told one after the other: a mark at every second word could not be read.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    if _is_scattered(old, new, changes):
        return (Piece("gone", before), Piece("new", after))
    pieces: list[Piece] = []
    for tag, i, j, k, m in changes:
        if tag == "equal":
            pieces.append(Piece("same", "".join(old[i:j])))
            continue
        if i < j:
            pieces.append(Piece("gone", "".join(old[i:j])))
        if k < m:
            pieces.append(Piece("new", "".join(new[k:m])))
    return tuple(pieces)


def _is_scattered(
    old: list[str], new: list[str], changes: Sequence[tuple[str, int, int, int, int]]
) -> bool:
    """Whether the texts differ in several places and have few words in common."""
    n_places = sum(tag != "equal" for tag, *_ in changes)
    common = sum(_n_words(old[i:j]) for tag, i, j, *_ in changes if tag == "equal")
    return n_places > 1 and 2 * common < LEAST_ALIKE * (_n_words(old) + _n_words(new))


def _n_words(tokens: list[str]) -> int:
    return sum(token[0].isalnum() for token in tokens)
