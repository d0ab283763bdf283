"""What a comparison compares: "Who is older, *the director of M* or *the wife of N*?"

Where both sides are more than a bare name, each name has clues of its own; the other name's are not followed from
it. And what is compared, and then named, is what these clues lead to.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.pieces import Piece

Range = tuple[int, int]  # the first piece, and the one after the last
_SMALL = ("stop", "of", "possessive", "cue", "word", "by", "relative", "besides")


def own_clues(clues: Sequence[Clue], pieces: Sequence[Piece], n: int) -> tuple[frozenset[int], ...]:
    """Return for each of n mentions the clues of its own phrase; none at all unless two mentions have some."""
    ranges = [_range(pieces, mention) for mention in range(n)]
    owned = tuple(
        frozenset(
            i
            for i, clue in enumerate(clues)
            if where and where[0] <= clue.at < where[1] and not clue.is_type and not clue.is_soft
        )
        for where in ranges
    )
    nothing = tuple(frozenset[int]() for _ in range(n))
    return owned if n > 1 and all(owned) and _are_joined(pieces, ranges) else nothing


def qualifiers(pieces: Sequence[Piece], n: int) -> frozenset[int]:
    """Return the mentions that only say which thing another one is: "the song Vogue *by Madonna*"."""
    found: set[int] = set()
    places = [i for i, p in enumerate(pieces) if p.kind == "mention"]
    for first, second in pairwise(places):
        gap = [p for p in pieces[first + 1 : second] if p.kind != "stop"]
        rest = [p for p in gap if not (p.cue and p.cue.classes)]
        if (not rest and gap) or (len(gap) > 1 and [p.kind for p in rest] == ["possessive"]):
            found.add(pieces[first].mention)
        elif len(rest) == 1 and rest[0].kind in ("by", "of"):
            found.add(pieces[second].mention)
    return frozenset(found) if len(found) < n else frozenset()


def _range(pieces: Sequence[Piece], mention: int) -> Range | None:
    """Return the phrase around a mention, as far as the next word that joins, compares or ends a clause."""
    place = next((i for i, p in enumerate(pieces) if p.mention == mention), None)
    if place is None:
        return None
    start, end = place, place + 1
    while start > 0 and _is_inside(pieces[start - 1]):
        start -= 1
    while end < len(pieces) and _is_inside(pieces[end]):
        end += 1
    return start, end


def _is_inside(piece: Piece) -> bool:
    return piece.kind in _SMALL and "joining" not in piece.also and piece.pick is None


def _are_joined(pieces: Sequence[Piece], ranges: Sequence[Range | None]) -> bool:
    """Tell whether a word that joins or compares lies between the phrases."""
    known = sorted(r for r in ranges if r is not None)
    for first, second in pairwise(known):
        gap = pieces[first[1] : second[0]]
        if not any("joining" in p.also or p.kind in ("or", "common") for p in gap):
            return False
    return True
