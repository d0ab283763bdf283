"""A person says that an answer is wrong: which edge of its proof is it?

The graphs are asked what else they say of the things in the proof, then the model ranks the edges. Nothing is
changed: what to do about a suspect is for the person to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kgcore.corrections import CorrectedGraph
from kgcore.corrections.evidence import gather
from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.model import Triple
from kgcore.prompts import RankSuspects, Rating
from kgcore.runs.entries import Started
from kgcore.runs.perform import Ports, clean, perform
from kgcore.runs.view import RunView
from kgcore.steps import Answer, Ask, Replies, Usage
from kgcore.transport import Allowance

MAX_RIGHT = 1_000  # characters
STANDS_OUT = 0.5  # the least score of an edge against which something speaks


@dataclass(frozen=True, slots=True)
class Suspect:
    """An edge of a proof, how suspect it is (0…1), and why."""

    triple: Triple
    score: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Challenge:
    """The edges of a proof, the most suspect first; of equals the one nearest to the answer.

    `problem` says why the edges could not be told apart, where they could not.
    """

    run_id: str
    question: str
    answer: str
    suspects: tuple[Suspect, ...]
    others: tuple[Triple, ...] = ()  # what else the graphs said
    notes: tuple[str, ...] = ()  # which of them did not answer
    problem: str = ""
    prompt: str = ""
    usage: Usage = field(default=Usage())

    @property
    def standing_out(self) -> tuple[Suspect, ...]:
        """The suspects that something speaks against; none where equals lead and no reason tells them apart."""
        found = tuple(s for s in self.suspects if s.score >= STANDS_OUT)
        leading = [s for s in found if s.score == found[0].score]
        is_tie = len(leading) > 1 and not any(s.reason for s in leading)
        return () if is_tie else found


def challenge(
    view: RunView,
    ports: Ports,
    *,
    right: str = "",
    graph: KnowledgeGraph | None = None,
    allowance: Allowance | None = None,
) -> Challenge:
    """Rank the edges of a run's proof; InputError when it has none.

    `right` is the answer a person believes in. `graph` is asked instead of the run's own graphs: these and others
    as one, say.
    """
    started, answer = _checked(view)
    right = clean(" ".join(right.split()))
    if len(right) > MAX_RIGHT:
        raise InputError(f"the right answer is longer than {MAX_RIGHT:,} characters")
    pinned = started.corrections
    members = [CorrectedGraph(one, pinned) for one in getattr(ports.graph, "graphs", ())]
    graph = graph or CorrectedGraph(ports.graph, pinned)
    evidence = gather(answer.proof, graph, right=right, also=members)
    language = getattr(started.config, "language", "en")
    request = RankSuspects(
        started.question, answer.text, answer.proof, right, evidence.triples, language=language
    )
    result, usage = perform(Ask(request, role="evaluate"), ports, allowance or Allowance())
    assert isinstance(result, Replies)
    return Challenge(
        started.run_id,
        started.question,
        answer.text,
        _ranked(answer.proof, result.value or [Rating(0.0)] * len(answer.proof)),
        evidence.triples,
        evidence.notes,
        "" if result.value else "the model's reply could not be read: all edges are alike",
        result.prompt,
        usage + evidence.usage,
    )


def _checked(view: RunView) -> tuple[Started, Answer]:
    """Return the start of a run and its answer; InputError when there is nothing to challenge."""
    if view.started is None or view.answer is None or not view.answer.is_answer:
        raise InputError("the run has no answer that could be wrong")
    if not view.answer.proof:
        if view.answer.knowledge:
            raise InputError("the answer rests on no triple: there is no edge to suspect")
        raise InputError(
            "the answer rests on no triple (model memory): there is no edge to suspect"
        )
    return view.started, view.answer


def _ranked(proof: Sequence[Triple], ratings: Sequence[Rating]) -> tuple[Suspect, ...]:
    pairs = enumerate(zip(proof, ratings, strict=True))
    ranked = sorted(pairs, key=lambda pair: (-pair[1][1].value, -pair[0]))
    return tuple(Suspect(triple, rating.value, rating.reason) for _, (triple, rating) in ranked)
