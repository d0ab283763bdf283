"""The proof of an answer, part by part: connected paths from the question to what is claimed, and where each edge is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from kgcore.corrections import Correction, removed
from kgcore.model import Entity, EntityId, Literal, Triple
from kgcore.runs import RunView, StepDone, Via
from kgcore.steps import Answer, AnswerPart, EdgeSet
from kgcore.views.tables import triple_key

Node = EntityId | Literal


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge of a path; `is_forward` when the path runs along it from subject to object."""

    triple: Triple
    is_forward: bool

    @property
    def text(self) -> str:
        """The edge in words, in the direction of the path."""
        one, other = self.triple.subject.name, self.triple.object.name
        if self.is_forward:
            return f"{one} – {self.triple.relation.phrase('out')} → {other}"
        return f"{other} – {self.triple.relation.phrase('in')} → {one}"


@dataclass(frozen=True, slots=True)
class Claim:
    """A part of an answer with a path from each thing of the question that its proof joins it with."""

    part: AnswerPart
    paths: tuple[tuple[Hop, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """All parts of an answer; `rest` are the edges that were cited and lie on no path (compared, counted, ruled out)."""

    claims: tuple[Claim, ...]
    rest: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """The response that brought an edge, as the graph gave it; `correction` is what put the edge in its place."""

    seq: int
    when: str
    via: Via | OneOf[""]
    text: str
    triples: tuple[Triple, ...]
    notes: tuple[str, ...] = ()
    correction: Correction | None = None


def trace_of(view: RunView, answer: Answer) -> Trace:
    """Return the paths of each part of a run's answer."""
    canonical = view.subgraph.canonical
    seeds = dict.fromkeys(canonical(s.entity.id) for s in view.seeds if s.entity is not None)
    joined = _Joined(view, answer.proof)
    claims = []
    for part in answer.parts:
        end = _node(view, part.value)
        paths = [joined.path(seed, end) for seed in seeds if part.is_supported]
        claims.append(Claim(part, tuple(path for path in paths if path)))
    used = {hop.triple for claim in claims for path in claim.paths for hop in path}
    return Trace(tuple(claims), tuple(t for t in answer.proof if t not in used))


def source_of(view: RunView, triple: Triple) -> Source | None:
    """Return the response that first brought an edge; None where the journal holds none."""
    correction = _correction_of(view, triple)
    brought = removed(correction) if correction is not None else triple
    key = triple_key(view, brought) if brought is not None else None
    for entry in view.entries:
        body = entry.body
        if not isinstance(body, StepDone) or not isinstance(body.result, EdgeSet):
            continue
        if any(triple_key(view, raw) == key for raw in body.result.triples):
            text, notes = view.log[entry.seq].text, body.result.notes
            raw = body.result.triples
            return Source(entry.seq, entry.when, body.via, text, raw, notes, correction)
    return Source(-1, "", "", "", (), (), correction) if correction is not None else None


def _correction_of(view: RunView, triple: Triple) -> Correction | None:
    name = triple.provenance.correction if triple.provenance is not None else ""
    if not name or view.started is None:
        return None
    edited = [e.correction for e in view.started.edits if e.correction is not None]
    decided = [c for decision in view.decisions for c in decision.corrections]
    known: Iterable[Correction] = (*view.started.corrections, *edited, *decided)
    return next((c for c in known if c.id == name), None)


class _Joined:
    """The triples of a proof as an undirected graph."""

    def __init__(self, view: RunView, proof: Sequence[Triple]) -> None:
        self._hops: dict[Node, list[tuple[Node, Hop]]] = {}
        for triple in proof:
            one, other = _node(view, triple.subject), _node(view, triple.object)
            self._hops.setdefault(one, []).append((other, Hop(triple, True)))
            self._hops.setdefault(other, []).append((one, Hop(triple, False)))

    def path(self, start: Node, end: Node) -> tuple[Hop, ...]:
        """Return the shortest path, of equals the one cited first; empty where there is none or no step is needed."""
        came: dict[Node, tuple[Node, Hop] | None] = {start: None}
        queue = [start]
        for node in queue:  # grows while it is walked
            for other, hop in self._hops.get(node, ()):
                if other not in came:
                    came[other] = (node, hop)
                    queue.append(other)
        return tuple(reversed(list(_back(came, end)))) if end in came else ()


def _back(came: Mapping[Node, tuple[Node, Hop] | None], end: Node) -> Iterable[Hop]:
    step = came[end]
    while step is not None:
        node, hop = step
        yield hop
        step = came[node]


def _node(view: RunView, value: Entity | Literal) -> Node:
    return view.subgraph.canonical(value.id) if isinstance(value, Entity) else value
