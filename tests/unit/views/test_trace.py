"""Paths of an answer's proof, and the response each edge is from."""

from __future__ import annotations

from dataclasses import replace

from kgcore.corrections import Correction
from kgcore.model import Literal, Provenance, Triple
from kgcore.runs import Ended, RunView, StepDone
from kgcore.steps import Answer, AnswerPart, EdgeSet
from kgcore.views.trace import source_of, trace_of
from tests.unit.views import hand_made as made

STEP = {
    "kind": "Edges",
    "entities": ("x:1",),
    "relation": "x:cast",
    "direction": "out",
    "limit": 50,
}


def view_with(
    answer: Answer, *results: EdgeSet, corrections: tuple[Correction, ...] = ()
) -> RunView:
    first, *rest = made.story()[:-2]
    steps = [StepDone("h", "k", STEP, result) for result in results]
    first = replace(first, corrections=corrections)
    return RunView.of(made.entries([first, *steps, *rest, Ended("answered", "", answer, 1.0)]))


def paths(view: RunView, answer: Answer) -> list[list[str]]:
    return [[" ".join(h.text for h in p) for p in c.paths] for c in trace_of(view, answer).claims]


def test_a_path_leads_from_each_thing_of_the_question_to_the_part() -> None:
    assert paths(made.view(), made.ANSWER) == [
        [
            "Inception – cast member → Michael Caine",
            "Interstellar – cast member → Michael Caine",
        ]
    ]


def test_a_path_runs_against_an_edge_where_it_has_to() -> None:
    proof = (made.fact(made.INCEPTION, made.DIRECTOR, made.NOLAN), made.CAST_OF_ONE[0])
    back = Triple(made.FOY, made.CAST, made.CAINE, Provenance("films"))
    answer = replace(made.ANSWER, parts=(AnswerPart(made.FOY),), proof=(*proof, back))
    view = view_with(answer)
    assert paths(view, answer) == [
        ["Inception – cast member → Michael Caine Michael Caine – is cast member of → Foy"]
    ]
    assert trace_of(view, answer).rest == (proof[0],)


def test_what_is_compared_lies_on_no_path_and_is_cited_all_the_same() -> None:
    dates = made.fact(made.INCEPTION, made.RELEASED, made.DATE)
    answer = Answer("Inception", (AnswerPart(made.INCEPTION),), 0.9, (dates,))
    view = view_with(answer)
    assert paths(view, answer) == [[]]
    assert trace_of(view, answer).rest == (dates,)


def test_model_memory_has_no_path() -> None:
    answer = replace(made.ANSWER, parts=(AnswerPart(made.CAINE, is_supported=False),))
    assert paths(view_with(answer), answer) == [[]]


def test_an_edge_leads_to_the_first_response_that_held_it() -> None:
    whole = EdgeSet(made.CAST_OF_ONE)
    view = view_with(made.ANSWER, EdgeSet((made.OTHERS[1],)), whole, EdgeSet(made.CAST_OF_ONE[:1]))
    source = source_of(view, made.PROOF[0])
    assert source is not None
    assert source.triples == whole.triples
    assert view.entry(source.seq).body.result is whole  # type: ignore[union-attr]
    assert source_of(view, made.PROOF[1]) is None


def test_a_corrected_edge_leads_to_what_the_graph_said_and_to_the_correction() -> None:
    wrong = made.CAST_OF_ONE[1]
    correction = Correction(
        "c1", "replace", wrong.subject, wrong.relation, wrong.object, made.FOY, "ann", kg="films"
    )
    put_in = Triple(wrong.subject, wrong.relation, made.FOY, Provenance("films", correction="c1"))
    view = view_with(made.ANSWER, EdgeSet(made.CAST_OF_ONE), corrections=(correction,))
    source = source_of(view, put_in)
    assert source is not None
    assert (source.correction, source.triples) == (correction, made.CAST_OF_ONE)
    added = replace(correction, action="add", object=Literal("2011"), new_object=None)
    view = view_with(made.ANSWER, corrections=(added,))
    source = source_of(view, put_in)
    assert source is not None
    assert (source.seq, source.correction) == (-1, added)
