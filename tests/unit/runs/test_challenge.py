"""Challenging an answer: what is asked, how suspects are ordered, and what goes wrong on the way."""

from __future__ import annotations

from typing import Any

import pytest

from kgcore.corrections import Correction
from kgcore.corrections.evidence import gather
from kgcore.errors import InputError, RateLimitedError, ServiceError, UnreachableError
from kgcore.llm import LanguageModel
from kgcore.llm.offline import OfflineModel
from kgcore.model import Literal, Provenance, Triple
from kgcore.prompts import RankSuspects
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import default_ranker
from kgcore.runs import Ended, Entry, Ports, RunView, Started
from kgcore.runs.challenge import challenge
from kgcore.steps import Answer, AnswerPart
from kgcore.testing import MemoryGraph, ScriptedModel
from tests.unit.corrections.toys import ANN, HOME, LABELS, NEW, OLD, PLAYS, REDS, moves_home, toy
from tests.unit.runs.toys import ToyConfig

PROOF = tuple(
    Triple(s, r, o, Provenance("toy")) for s, r, o in ((ANN, PLAYS, REDS), (REDS, HOME, OLD))
)
ANSWER = Answer("old", (AnswerPart(OLD),), 1.0, PROOF)


def view(answer: Answer | None = ANSWER, *corrections: Correction) -> RunView:
    started = Started("r", "Where does ann play?", "toy", "1", ToyConfig(), corrections=corrections)
    ended = Ended("answered" if answer else "no_answer", "", answer)
    return RunView.of([Entry(0, "", started), Entry(1, "", ended)])


def ports(graph: Any, *replies: str, model: LanguageModel | None = None) -> Ports:
    if model is None:
        script = {"rank_suspects": replies[:1], "repair": replies[1:]}
        model = ScriptedModel(script, prompts=FilePromptSet())
    return Ports(graph, {"reason": model}, default_ranker())


def test_the_most_suspect_edge_comes_first_with_its_reason() -> None:
    found = challenge(view(), ports(toy(), "T1: 0.7 – she left\nT2: 0.1"))
    assert [(s.triple, s.score, s.reason) for s in found.suspects] == [
        (PROOF[0], 0.7, "she left"),
        (PROOF[1], 0.1, ""),
    ]
    assert (found.question, found.answer, found.problem) == ("Where does ann play?", "old", "")
    assert found.usage.llm_requests == 1
    assert "T2 reds – home venue – old [toy]" in found.prompt


def test_of_equals_the_edge_nearest_to_the_answer_comes_first() -> None:
    found = challenge(view(), ports(toy(), "none"))
    assert [s.triple for s in found.suspects] == [PROOF[1], PROOF[0]]


@pytest.mark.parametrize(
    "reply,standing_out",
    [
        ("none", 0),
        ("T1: 0.2\nT2: 0.2", 0),
        ("T1: 0.4 – she left\nT2: 0.1", 0),
        ("T1: 0.8\nT2: 0.8", 0),
        ("T1: 0.8 – she left\nT2: 0.8", 2),
        ("T1: 0.8\nT2: 0.2", 1),
        ("T1: 0.9 – she left\nT2: 0.6", 2),
    ],
)
def test_an_edge_stands_out_by_its_score_and_not_on_a_tie_without_reason(
    reply: str, standing_out: int
) -> None:
    found = challenge(view(), ports(toy(), reply))
    assert found.standing_out == found.suspects[:standing_out]
    assert len(found.suspects) == len(PROOF)


def test_an_unreadable_reply_is_asked_for_again_then_told() -> None:
    mended = challenge(view(), ports(toy(), "the second", "T2: 0.9"))
    assert (mended.suspects[0].score, mended.usage.llm_requests) == (0.9, 2)
    lost = challenge(view(), ports(toy(), "the second", "delete T2!"))
    assert "could not be read" in lost.problem
    assert [s.score for s in lost.suspects] == [0.0, 0.0]


def test_an_answer_without_proof_or_a_run_without_answer_cannot_be_challenged() -> None:
    for answer in (None, Answer("?", is_answer=False)):
        with pytest.raises(InputError, match="no answer"):
            challenge(view(answer), ports(toy()))
    with pytest.raises(InputError, match="model memory"):
        challenge(view(Answer("Mars")), ports(toy()))
    with pytest.raises(InputError, match="longer"):
        challenge(view(), ports(toy()), right="x" * 1001)


def test_the_graph_is_seen_as_the_run_saw_it() -> None:
    moved = Answer("new", (AnswerPart(NEW),), 1.0, (PROOF[0], Triple(REDS, HOME, NEW)))
    model = ScriptedModel(lambda request: "none", prompts=FilePromptSet())
    challenge(view(moved, moves_home()), ports(toy(), model=model))
    (asked,) = model.requests
    assert isinstance(asked.request, RankSuspects)
    assert OLD not in [t.object for t in asked.request.others]
    challenge(view(moved), ports(toy(), model=model))
    assert isinstance(model.requests[1].request, RankSuspects)
    assert OLD in [t.object for t in model.requests[1].request.others]


def test_a_graph_that_fails_is_told_and_the_edges_are_ranked_all_the_same() -> None:
    graph = toy()
    graph.error = UnreachableError("no connection")
    found = challenge(view(), ports(graph, "T2: 0.9"))
    assert found.notes == ("toy did not answer: no connection",)
    assert found.suspects[0].triple == PROOF[1]


def test_a_model_that_fails_fails_the_challenge() -> None:
    def fail(request: Any) -> str:
        raise RateLimitedError("too many requests")

    with pytest.raises(ServiceError, match="too many"):
        challenge(view(), ports(toy(), model=ScriptedModel(fail, prompts=FilePromptSet())))


def test_what_is_asked_of_the_graph_is_bounded() -> None:
    fans = [(f"t:fan{n}", PLAYS.id, REDS.id) for n in range(3_000)]
    graph = toy([*fans, (REDS.id, HOME.id, OLD.id), (REDS.id, HOME.id, NEW.id)])
    evidence = gather(PROOF * 10, graph, right="new")
    assert len(evidence.triples) <= 200
    assert evidence.usage.kg_requests == len(graph.requests) < 40


def test_dates_of_both_ends_and_ends_of_others_of_the_kind_are_looked_up() -> None:
    facts: list[tuple[str, str, str | Literal]] = [
        (REDS.id, HOME.id, OLD.id),
        (REDS.id, "t:founded", Literal("1901", "xsd:date")),
        (REDS.id, "t:is", "t:club"),
        *((f"t:c{n}", "t:is", "t:club") for n in range(3)),
        *((f"t:c{n}", HOME.id, f"t:home{n}") for n in range(3)),
    ]
    labels = {**LABELS, "t:club": "club", "t:is": "is a"}
    graph = MemoryGraph("toy", facts, labels=labels, types={REDS.id: ["club"]})
    (team,) = graph.describe((REDS.id,)).entities
    proof = (Triple(team, HOME, OLD, Provenance("toy")),)
    found = gather(proof, graph).triples
    assert "reds – founded – 1901" in [t.text for t in found]
    assert {t.object.name for t in found if t.relation == HOME} == {f"t:home{n}" for n in range(3)}


def test_the_right_answer_is_found_where_the_proofs_relations_lead() -> None:
    graph = toy([(REDS.id, HOME.id, OLD.id), ("t:blues", HOME.id, NEW.id)])
    found = gather(PROOF, graph, right="old and new").triples
    assert ("t:blues", "t:new") in [(t.subject.id, getattr(t.object, "id", "")) for t in found]


def test_the_offline_matcher_says_the_edge_that_another_graph_contradicts() -> None:
    witness = MemoryGraph("other", [(REDS.id, HOME.id, NEW.id)], labels=LABELS)
    model = OfflineModel(FilePromptSet())
    alone = challenge(view(), ports(toy(), model=model))
    assert alone.suspects[0].score == alone.suspects[1].score
    found = challenge(view(), ports(toy(), model=model), graph=witness)
    assert found.suspects[0].triple == PROOF[1]
    assert "other says: new" in found.suspects[0].reason


def test_where_nothing_speaks_against_any_edge_the_offline_matcher_lets_none_stand_out() -> None:
    found = challenge(view(), ports(toy(), model=OfflineModel(FilePromptSet())))
    assert found.suspects and not found.standing_out
