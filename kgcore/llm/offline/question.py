"""What a question asks for, found by its words alone.

A question is read as *clues* around its *mentions*. A clue is a word or phrase that some relation should
explain ("directed"), or that the answer's type should ("actor"). For every mention the clues are put in the
order in which relations would be followed from it: what stands next to the mention first, the main verb last.
The question's `kind` says what to do with what is found: name it, count it, compare it, confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.clues import find_clues
from kgcore.llm.offline.intent import OPEN_KINDS, aspect_of, both_of, kind_of
from kgcore.llm.offline.lexicon import Lexicon, Pick, language_of, lexicon
from kgcore.llm.offline.operands import own_clues, qualifiers
from kgcore.llm.offline.order import order_of
from kgcore.llm.offline.pieces import Piece, cut
from kgcore.llm.offline.roles import chained_direction, wanted_direction
from kgcore.llm.offline.two_parts import STAND_IN, two_parts

_FAR = 1000  # beyond the pieces of a question
_WANTED = {"time": "time", "place": "place", "person": "person", "reason": "other"}


@dataclass(frozen=True, slots=True)
class Analysis:
    """A question, read."""

    question: str
    language: str
    lex: Lexicon
    mentions: tuple[str, ...]
    kind: str  # find, count, claim, same, compare, pick, common
    aspect: str  # person, time, place, count, amount, reason, any
    clues: tuple[Clue, ...]
    orders: tuple[tuple[int, ...], ...]  # for every mention, its clues from the nearest to the last
    # Which way each clue is followed, "out", "in" or "" (either): from a mention, and after another clue.
    directions: tuple[tuple[str, ...], ...]
    chained: tuple[str, ...]
    # The clues of each mention's own phrase, where such are compared.
    owned: tuple[frozenset[int], ...] = ()
    pick: Pick | None = None
    numbers: tuple[str, ...] = ()
    is_yes_no: bool = False
    missing: tuple[int, ...] = ()  # mentions that no graph has
    excludes_mention: bool = False  # "the same … as M" asks for others than M
    needs_all: bool = False  # "both M and N": what holds of one of them is no answer
    qualifiers: frozenset[int] = frozenset()  # mentions that only say more of another
    both: str = ""  # objects: "did M direct both N and O"; subjects: "are M and N both in O"
    is_year: bool = False  # a year is asked for, not a whole date
    n_first: int = (
        0  # of two questions, the second about what the first one finds: the clues of the first
    )
    is_beyond: bool = False  # of two questions, the second not about what the first one finds

    def say(self, name: str, **values: object) -> str:
        """Return a fixed text in the question's language."""
        return self.lex.says[name].format(**values)


@lru_cache(maxsize=512)
def analyse(
    question: str,
    mentions: tuple[str, ...],
    language: str = "en",
    missing: tuple[int, ...] = (),
) -> Analysis:
    """Read a question whose mentions are known; those `missing` are in no graph."""
    lex = lexicon(language_of(question, language))
    parts = two_parts(question, mentions, lex)
    if parts is None:
        return _analyse(question, mentions, lex, missing)
    first = replace(_analyse(parts.first, mentions, lex, missing), question=question)
    second = _analyse(parts.second, (STAND_IN,), lex, ())
    kinds = (first.kind, second.kind)
    if not parts.is_chained or kinds != ("find", "find") or not (first.clues and second.clues):
        return replace(first, is_beyond=True)
    return _chain(first, second)


def _chain(first: Analysis, second: Analysis) -> Analysis:
    """Join two questions, the second about what the first one finds: its clues are followed after those of the first."""
    n = len(first.clues)
    own = tuple(replace(c, is_asked=False) for c in first.clues)
    later = tuple(
        replace(
            clue,
            at=clue.at + _FAR,
            twin=clue.twin + n if clue.twin >= 0 else -1,
            group=clue.group + _FAR if clue.group >= 0 else -1,
        )
        for clue in second.clues
    )
    order = second.orders[0]
    ways = second.directions[0]
    chained = tuple(ways[i] if i == order[0] else second.chained[i] for i in range(len(later)))
    return replace(
        first,
        aspect=second.aspect,
        clues=own + later,
        orders=tuple((*known, *(n + i for i in order)) for known in first.orders),
        directions=tuple((*known, *chained) for known in first.directions),
        chained=(*first.chained, *chained),
        numbers=(*first.numbers, *second.numbers),
        is_year=second.is_year,
        n_first=n,
    )


def _analyse(
    question: str, mentions: tuple[str, ...], lex: Lexicon, missing: tuple[int, ...]
) -> Analysis:
    """Read a question of one part."""
    pieces = cut(question, mentions, lex)
    aspect = aspect_of(pieces, lex)
    kind, is_yes_no, pick = kind_of(pieces, aspect)
    clues = find_clues(pieces, lex, pick)
    n = len(mentions)
    owned = own_clues(clues, pieces, n)
    if clues and all(c.cue is None and c.labels for c in clues) and aspect == "person":
        aspect = "any"  # "who is M" asks what M is, not for a person
    orders = tuple(_own_order(clues, pieces, m, owned, lex) for m in range(n))
    clues = _with_labels(clues, pieces, orders, aspect=aspect, pick=pick, lex=lex)
    sought = pick.aspect if pick is not None else aspect
    return Analysis(
        question=question,
        language=lex.language,
        lex=lex,
        mentions=mentions,
        kind=kind,
        aspect=aspect,
        clues=clues,
        orders=orders,
        owned=owned,
        directions=tuple(_directions(clues, pieces, m, lex, sought) for m in range(n)),
        chained=tuple(_chained(c, pieces, lex, sought) for c in clues),
        pick=pick,
        numbers=tuple(p.text for p in pieces if p.kind == "number"),
        is_yes_no=is_yes_no,
        missing=missing,
        qualifiers=qualifiers(pieces, n) if kind in OPEN_KINDS else frozenset(),
        both=both_of(pieces) if n > 2 else "",
        is_year=aspect == "time" and any(p.kind == "ask" and p.stems in lex.years for p in pieces),
        needs_all=n == 2 and kind in OPEN_KINDS and any(p.kind == "common" for p in pieces),
        excludes_mention=any(c.is_back or "besides" in p.also for c in clues for p in pieces),
    )


def _own_order(
    clues: tuple[Clue, ...],
    pieces: Sequence[Piece],
    mention: int,
    owned: Sequence[frozenset[int]],
    lex: Lexicon,
) -> tuple[int, ...]:
    """Return the order of clues from a mention: its own phrase's first, without those of other mentions."""
    order = order_of(clues, pieces, mention, lex)
    own = owned[mention]
    others = frozenset[int]().union(*owned) - own
    return tuple(
        sorted((i for i in order if i not in others), key=lambda i: (i not in own, order.index(i)))
    )


def _directions(
    clues: tuple[Clue, ...], pieces: Sequence[Piece], mention: int, lex: Lexicon, aspect: str
) -> tuple[str, ...]:
    return tuple(
        _fixed(c, aspect) or wanted_direction(pieces, c.at, c.cue, mention, lex)
        if not c.is_back
        else ""
        for c in clues
    )


def _chained(clue: Clue, pieces: Sequence[Piece], lex: Lexicon, aspect: str) -> str:
    if clue.is_back:
        return ""
    return _fixed(clue, aspect) or chained_direction(pieces, clue.at, clue.cue, lex)


def _fixed(clue: Clue, aspect: str) -> str:
    """Return "out" where a time or a place is asked for, which is what the relation names: "when did M form"."""
    return "out" if clue.wants == aspect and aspect in ("time", "place") else ""


def _with_labels(
    clues: tuple[Clue, ...],
    pieces: Sequence[Piece],
    orders: Sequence[tuple[int, ...]],
    *,
    aspect: str,
    pick: Pick | None,
    lex: Lexicon,
) -> tuple[Clue, ...]:
    """Give every cue the labels that fit what is asked of it: the last one answers the question word."""
    last = {order[-1] for order in _without_types(orders, clues)} if clues else set()
    result: list[Clue] = []
    for number, clue in enumerate(clues):
        if clue.cue is None:
            is_dated = aspect == "time" and number in last and not clue.labels
            guess = tuple(replace(label, weight=0.5 * label.weight + 0.01) for label in lex.dates)
            result.append(replace(clue, labels=guess) if is_dated else clue)
            continue
        asked = "any"
        if pick is not None and not any(c.is_key for c in clues):
            asked = pick.aspect
        elif number in last or not orders:
            asked = aspect
        asked = _local_aspect(pieces, clue.at) or asked
        labels = clue.cue.labels_for(asked)
        if asked in dict(clue.cue.by):
            clue = replace(clue, wants=_WANTED.get(asked, ""))
        if clue.is_back:
            labels = tuple(replace(label, is_inverse=not label.is_inverse) for label in labels)
        result.append(replace(clue, labels=labels))
    return tuple(result)


def _without_types(
    orders: Sequence[tuple[int, ...]], clues: tuple[Clue, ...]
) -> list[tuple[int, ...]]:
    trimmed = [tuple(i for i in order if not clues[i].is_soft) for order in orders]
    return [short or order for short, order in zip(trimmed, orders, strict=True) if order]


def _local_aspect(pieces: Sequence[Piece], at: int) -> str:
    """Return what a relative "where" close before the clue, or a number behind it, says of it."""
    after = [p.kind for p in pieces[at + 1 : at + 3] if p.kind != "stop"]
    if after[:1] == ["number"]:
        return "time"
    for piece in reversed(pieces[max(0, at - 4) : at]):
        if piece.kind == "ask" and piece.aspect in ("place", "time"):
            return piece.aspect
        if piece.kind == "cue":
            break
    return ""
