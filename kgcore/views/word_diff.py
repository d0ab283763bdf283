"""What changed between two texts, word by word; Chinese is compared sign by sign."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal as OneOf

LEAST_ALIKE = 0.4  # share of the words two texts must have in common for a mark at each word to help
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
    if _words(old) and _words(new) and not _are_alike(_words(old), _words(new)):
        return (Piece("gone", before), Piece("new", after))
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


def _words(tokens: list[str]) -> list[str]:
    return [token for token in tokens if token[0].isalnum()]


def _are_alike(old: list[str], new: list[str]) -> bool:
    """Whether enough words of the shorter text stand in the other one in the same order."""
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) >= LEAST_ALIKE * min(len(old), len(new))
