"""Does an answer still rest on what it cites, with some triples corrected or rows gone? Pure: nothing is asked.

An answer's proof joins the things the question speaks of with the things the answer names. A part of the answer is
still supported when every thing of the question that its proof joined it with is joined with it by what is left,
what corrections put in included. Where the proof joins it with nothing (a comparison, a count, a yes or no), all
that was cited counts, and losing any of it leaves the part unsupported. Where sources do not say any more what was
cited of them, a part needs what is left to name it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from kgcore.corrections.correction import Correction, added, is_same_edge, removed
from kgcore.model import Entity, EntityId, Literal, Triple, wired
from kgcore.ranking.stems import fold
from kgcore.steps import Answer, AnswerPart, Knowledge

Node = EntityId | Literal


@wired
@dataclass(frozen=True, slots=True)
class Rechecked:
    """The parts of an answer with whether they are still supported, and what was cited and does not hold.

    `is_undone` when all that is gone came from corrections that are not in force (any more, or here).
    """

    text: str
    parts: tuple[AnswerPart, ...]
    gone: tuple[Triple, ...]
    is_supported: bool
    lost: tuple[Knowledge, ...] = ()
    is_undone: bool = False

    @property
    def unsupported(self) -> tuple[AnswerPart, ...]:
        """The parts that rest on nothing any more, or never did."""
        return tuple(part for part in self.parts if not part.is_supported)


def recheck(
    answer: Answer,
    corrections: Iterable[Correction],
    seeds: Sequence[Entity] = (),
    *,
    lost: tuple[Knowledge, ...] = (),
) -> Rechecked:
    """Return what of an answer is still supported; `seeds` are the things of the question.

    `lost` are the rows and passages it cites that their sources do not say any more.
    """
    corrections = tuple(corrections)
    wrong = [old for c in corrections if (old := removed(c)) is not None]
    right = [new for c in corrections if (new := added(c)) is not None]
    in_force = {c.id for c in corrections}
    gone = tuple(
        t
        for t in answer.proof
        if t not in right
        and (any(is_same_edge(t, one) for one in wrong) or _is_undone(t, in_force))
    )
    kept = [t for t in answer.proof if t not in gone]
    before, after = _Joined(answer.proof), _Joined([*kept, *right])
    starts = [seed.id for seed in seeds]
    left = [k for k in answer.knowledge if k not in lost and not set(k.triples) & set(gone)]
    parts = tuple(
        AnswerPart(
            p.value,
            p.is_supported
            and _holds(p, starts, before, after, is_hit=bool(gone))
            and (not lost or _is_said(p, left)),
        )
        for p in answer.parts
    )
    has_other = any(not piece.triples for piece in left)  # rows of tables, passages
    is_whole = (bool(answer.proof) or has_other) and not gone and not lost
    is_left = bool(kept) or has_other
    is_supported = all(p.is_supported for p in parts) and is_left if parts else is_whole
    is_undone = bool(gone) and all(_is_undone(triple, in_force) for triple in gone)
    return Rechecked(answer.text, parts, gone, is_supported, lost, is_undone)


def _is_said(part: AnswerPart, left: Iterable[Knowledge]) -> bool:
    name = fold(part.value.name)
    return any(name in fold(f"{piece.text} {piece.evidence.raw}") for piece in left)


def _is_undone(triple: Triple, in_force: Collection[str]) -> bool:
    """Tell whether a correction had put the triple in that is not in force any more."""
    origin = triple.provenance
    return origin is not None and bool(origin.correction) and origin.correction not in in_force


def _holds(
    part: AnswerPart, starts: Sequence[EntityId], before: _Joined, after: _Joined, *, is_hit: bool
) -> bool:
    node = _node(part.value)
    joined = [start for start in starts if start != node and before.joins(start, node)]
    if not joined:
        return not is_hit
    return all(after.joins(start, node) for start in joined)


class _Joined:
    """Which things some triples join, in any number of steps."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._group: dict[Node, Node] = {}
        for triple in triples:
            one, other = self._top(triple.subject.id), self._top(_node(triple.object))
            self._group[other] = one

    def _top(self, node: Node) -> Node:
        while (above := self._group.setdefault(node, node)) != node:
            node = above
        return node

    def joins(self, one: Node, other: Node) -> bool:
        """Tell whether two things are joined; what no triple speaks of is joined with nothing."""
        is_known = one in self._group and other in self._group
        return is_known and self._top(one) == self._top(other)


def _node(end: Entity | Literal) -> Node:
    return end.id if isinstance(end, Entity) else end
