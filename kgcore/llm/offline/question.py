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
from itertools import pairwise

from kgcore.llm.offline.clues import Clue, find_clues
from kgcore.llm.offline.lexicon import Label, Lexicon, Pick, label_stems, language_of, lexicon
from kgcore.llm.offline.order import order_of
from kgcore.llm.offline.pieces import Piece, cut
from kgcore.llm.offline.roles import chained_direction, wanted_direction
from kgcore.llm.offline.sentence import asking

# What dates are called that may answer "when" where the words say nothing else.
_DATES = tuple(
    Label(label_stems(text), weight=0.5 - 0.001 * place)
    for place, text in enumerate(
        ("point in time", "inception", "start time", "date", "publication date", "end time")
    )
)


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
    pick: Pick | None = None
    numbers: tuple[str, ...] = ()
    is_yes_no: bool = False
    missing: tuple[int, ...] = ()  # mentions that no graph has
    excludes_mention: bool = False  # "the same … as M" asks for others than M

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
    pieces = cut(question, mentions, lex)
    aspect = _aspect(pieces, lex)
    pick = next((p.pick for p in pieces if p.pick), None)
    kind, is_yes_no = _kind(pieces, aspect, pick)
    if kind not in ("compare", "pick"):
        pick = None
    clues = find_clues(pieces, lex, pick)
    orders = tuple(order_of(clues, pieces, m, lex) for m in range(len(mentions)))
    clues = _with_labels(clues, pieces, orders, aspect, pick)
    return Analysis(
        question=question,
        language=lex.language,
        lex=lex,
        mentions=mentions,
        kind=kind,
        aspect=aspect,
        clues=clues,
        orders=orders,
        directions=tuple(_directions(clues, pieces, m, lex) for m in range(len(mentions))),
        chained=tuple(
            "" if c.is_back else chained_direction(pieces, c.at, c.cue, lex) for c in clues
        ),
        pick=pick,
        numbers=tuple(p.text for p in pieces if p.kind == "number"),
        is_yes_no=is_yes_no,
        missing=missing,
        excludes_mention=any(c.is_back or "besides" in p.also for c in clues for p in pieces),
    )


def _directions(
    clues: tuple[Clue, ...], pieces: Sequence[Piece], mention: int, lex: Lexicon
) -> tuple[str, ...]:
    return tuple(
        "" if c.is_back else wanted_direction(pieces, c.at, c.cue, mention, lex) for c in clues
    )


def _aspect(pieces: Sequence[Piece], lex: Lexicon) -> str:
    """Return what the first question word asks for; "any" for which and what, and for yes or no."""
    asked = [pieces[at] for at in asking(pieces, lex)]
    if not asked or (asked[0].kind == "which" and len(asked) == 1):
        return "any"
    if pieces[0].kind == "openers" and not _is_polite(pieces):
        return "any"
    return next((p.aspect for p in asked if p.kind == "ask"), "any")


def _kind(pieces: Sequence[Piece], aspect: str, pick: Pick | None) -> tuple[str, bool]:
    meaningful = [p for p in pieces if p.kind not in ("stop", "mark")]
    first = meaningful[0].kind if meaningful else ""
    is_yes_no = first == "openers" and not _is_polite(pieces)
    if any(p.kind == "questions" for p in pieces):
        is_yes_no = not any(p.kind in ("ask", "which") for p in pieces)
    n_mentions = sum(p.kind == "mention" for p in pieces)
    has_or = any(p.kind == "or" for p in pieces)
    if is_yes_no and n_mentions > 1 and any(p.kind == "same" for p in pieces):
        return "same", True
    if pick and n_mentions > 1 and (has_or or _are_opposed(pieces)):
        return "compare", is_yes_no and not has_or
    if is_yes_no:
        if n_mentions > 1 and any(p.kind == "common" for p in pieces) and not has_or:
            return "same", True
        return "claim", True
    if aspect == "count":
        return "count", False
    if pick and n_mentions == 1 and aspect != "time":
        return "pick", False
    if n_mentions > 1:
        return "common", False
    return "find", False


def _are_opposed(pieces: Sequence[Piece]) -> bool:
    """Tell whether mentions stand side by side, or on both sides of the word that compares."""
    places = [i for i, p in enumerate(pieces) if p.kind == "mention"]
    between = [pieces[a + 1 : b] for a, b in pairwise(places)]
    return any(
        all(p.kind in ("stop", "mark", "common") for p in gap) or any(p.pick for p in gap)
        for gap in between
    )


def _is_polite(pieces: Sequence[Piece]) -> bool:
    """Tell whether the question only begins like one for yes or no: "can you tell me who …"."""
    return len(pieces) > 1 and pieces[1].text.casefold() in ("you", "i", "we")


def _with_labels(
    clues: tuple[Clue, ...],
    pieces: Sequence[Piece],
    orders: Sequence[tuple[int, ...]],
    aspect: str,
    pick: Pick | None,
) -> tuple[Clue, ...]:
    """Give every cue the labels that fit what is asked of it: the last one answers the question word."""
    last = {order[-1] for order in _without_types(orders, clues)} if clues else set()
    result: list[Clue] = []
    for number, clue in enumerate(clues):
        if clue.cue is None:
            is_dated = aspect == "time" and number in last and not clue.labels
            result.append(replace(clue, labels=_DATES) if is_dated else clue)
            continue
        asked = "any"
        if pick is not None and not any(c.is_key for c in clues):
            asked = pick.aspect
        elif number in last or not orders:
            asked = aspect
        local = _local_aspect(pieces, clue.at)
        labels = clue.cue.labels_for(local or asked)
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
