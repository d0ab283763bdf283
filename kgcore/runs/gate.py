"""The approval gate: fetched triples wait for a person before the reasoner sees them.

A round's triples are one batch: it is shown once, and an All waits as a whole. What was shown before in this run is
not shown again. The decision is an entry of the journal; from its position on it applies like any correction, so a
rejected triple is gone for good and undoing is a fork. A batch that a run of the lineage decided is decided.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgcore.corrections import Correction
from kgcore.errors import InputError
from kgcore.model import Entity, Literal, Triple, to_dict, wired
from kgcore.model.conflicts import find_conflicts
from kgcore.runs.standing import Via
from kgcore.steps import EdgeSet


@wired
@dataclass(frozen=True, slots=True)
class Gate:
    """What waits for a person: fetched triples (`triples`), and the choice between things of one name (`links`).

    Of the triples those from these graphs and of these relations wait; none named means all. Relations are named by
    id or label. With `only_conflicts` only triples wait with which another graph disagrees.
    """

    kgs: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    only_conflicts: bool = False
    triples: bool = True
    links: bool = False

    def batch(self, results: Iterable[Any], settled: Iterable[Triple]) -> tuple[Triple, ...]:
        """Return the triples of a round's results that have to wait, each once."""
        if not self.triples:
            return ()
        triples = [t for r in results if isinstance(r, EdgeSet) for t in r.triples]
        known = set(settled)
        if self.only_conflicts:
            disputed = {t for c in find_conflicts([*known, *triples]) for t in c.triples}
            triples = [t for t in triples if t in disputed]
        return tuple(dict.fromkeys(t for t in triples if t not in known and self._is_held(t)))

    def _is_held(self, triple: Triple) -> bool:
        is_from = not self.kgs or triple.kg in self.kgs
        names = {triple.relation.id, triple.relation.label}
        return is_from and (not self.relations or not names.isdisjoint(self.relations))


@wired
@dataclass(frozen=True, slots=True)
class Decided:
    """What a person decided on a batch: corrections of some of its triples, approval of the others.

    `via` is live, or memory when an earlier run of the lineage decided the same batch.
    """

    key: str
    shown: tuple[Triple, ...] = ()
    corrections: tuple[Correction, ...] = ()
    via: Via = "live"


def batch_at(
    gate: Gate, decisions: Mapping[int, Decided], position: int, results: Iterable[Any]
) -> tuple[Triple, ...]:
    """Return the triples of the round at this position that have to wait, given the decisions by position."""
    earlier = (decided for at, decided in decisions.items() if at < position)
    return gate.batch(results, [t for decided in earlier for t in decided.shown])


def batch_key(batch: Sequence[Triple]) -> str:
    """Hash a batch; where its triples came from does not count."""
    data = [to_dict(replace(triple, provenance=None)) for triple in batch]
    text = json.dumps(data, ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def decide(
    batch: Sequence[Triple],
    *,
    rejected: Iterable[Triple] = (),
    replaced: Mapping[Triple, Entity | Literal] | None = None,
    author: str = "local",
    reason: str = "",
) -> Decided:
    """Return the decision on a batch: what is neither rejected nor replaced is approved.

    InputError for a triple that is not in the batch.
    """
    replaced = dict(replaced or {})
    rejected = tuple(dict.fromkeys(rejected))
    unknown = [t for t in (*rejected, *replaced) if t not in batch]
    if unknown:
        raise InputError(f"this triple does not wait for a decision: {unknown[0].text}")
    made = [_correction(t, None, author, reason) for t in rejected if t not in replaced]
    made += [_correction(t, end, author, reason) for t, end in replaced.items()]
    return Decided(batch_key(batch), tuple(batch), tuple(made))


def _correction(
    triple: Triple, new: Entity | Literal | None, author: str, reason: str
) -> Correction:
    return Correction(
        f"gate-{uuid.uuid4().hex[:12]}",
        "retract" if new is None else "replace",
        triple.subject,
        triple.relation,
        triple.object,
        new,
        author,
        reason,
    )
