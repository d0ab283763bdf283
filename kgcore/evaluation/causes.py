"""Why is an answer wrong? Decided by what the run saw, in this order; the first that holds is the cause.

failed           the run broke off
mention          the graph holds what the question is about, and the run neither started from it nor met it
reading          what was answered reads like a gold answer and is another thing, or no thing of the graph
plan             the run saw what gives the answer, and answered something else; or followed every relation that
                 leads to it, but not so as to get there (order, from which entity)
no answer        the run saw what gives the answer, and said that it cannot tell
retrieval limit  edges along a relation that leads to the answer were left out
relation         a relation that leads to the answer was never followed in its direction; of a data set without
                 paths: the answer was never met

What gives the answer is the gold entity itself, unless the question names it (a comparison). For those, for values
and for yes or no it is every edge of the gold path; of a data set without paths, the value.

Of an answer that begins right and is not complete: `cut short` (by a retrieval limit), `too few`, `too many`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.evaluation.calibration import Rated
from kgcore.evaluation.metrics import Score
from kgcore.evaluation.seen import Seen
from kgcore.model import EntityId
from kgcore.model.subgraph import Group

WRONG = ("failed", "mention", "reading", "plan", "no answer", "retrieval limit", "relation")
INCOMPLETE = ("cut short", "too few", "too many")


@dataclass(frozen=True, slots=True)
class Cause:
    """What kind of fault it was, and what shows it: in words that recur, and of this case alone."""

    kind: str
    detail: str = ""
    note: str = ""


def find_cause(
    seen: Seen, score: Score, *, topics: Sequence[EntityId], rated: Sequence[Rated] = ()
) -> Cause | None:
    """Return the cause of a wrong or incomplete answer; None for a right one.

    `topics` are those of the case that the graph holds, `rated` the answers that were weighed.
    """
    view, answer = seen.view, seen.view.answer
    if score.is_complete:
        return None
    if score.hit:
        return _incomplete(score, seen)
    if view.status not in ("answered", "no_answer"):
        return Cause("failed", note=view.ended.reason if view.ended else view.status)
    if seen.case.answer_kind == "none":
        return Cause("plan", "an answer that the graph does not hold")
    lost = _lost(seen, topics)
    if lost:
        return Cause("mention", note=", ".join(lost))
    if seen.reads_right:
        return Cause("reading", note=answer.text if answer else "")
    return _on_the_way(seen, rated)


def _incomplete(score: Score, seen: Seen) -> Cause:
    if score.recall < 1:
        cut = seen.cut
        return Cause("cut short", note=_show(cut)) if cut else Cause("too few")
    return Cause("too many")


def _lost(seen: Seen, topics: Sequence[EntityId]) -> tuple[EntityId, ...]:
    """Return what the run should have started from and never met.

    What only narrows the answers down (it is the object of edges that start from the unknown, as a class is) can
    be missed as long as something else is found.
    """
    lost = tuple(t for t in topics if not seen.has(t))
    if not any(seen.starts_from(t) for t in topics):
        return lost or tuple(topics)
    return tuple(t for t in lost if not _only_narrows(t, seen))


def _only_narrows(topic: EntityId, seen: Seen) -> bool:
    touching = [
        edge
        for edge in seen.case.path
        for end in edge.ends
        if end and seen.names.are_same(topic, end)
    ]
    return bool(touching) and all(edge.subject is None for edge in touching)


def _on_the_way(seen: Seen, rated: Sequence[Rated]) -> Cause:
    """Return the cause where the run started right."""
    if seen.reaches_answer:
        return _not_taken("plan" if seen.has_answer else "no answer", seen, rated)
    if seen.cut:
        return Cause("retrieval limit", note=_show(seen.cut))
    never = [edge.relation for edge in seen.case.path if not seen.is_followed(edge)]
    if never or not seen.case.path:
        return Cause("relation", ", ".join(dict.fromkeys(never)))
    return Cause("plan", "relations followed otherwise")


def _not_taken(kind: str, seen: Seen, rated: Sequence[Rated]) -> Cause:
    """Say how near an answer was that the run saw and did not give."""
    if seen.has_answer and seen.names_gold:
        return Cause(kind, "right one named, not first")
    values = [one.value for one in rated if one.is_right]
    if values:
        return Cause(kind, "right one proposed, not taken", f"rated {max(values):.2f}")
    return Cause(kind, "right one never proposed")


def _show(group: Group) -> str:
    entity, relation, direction = group
    return f"{entity} {relation} ({direction})"
