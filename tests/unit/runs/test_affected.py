"""Which runs a correction affects, and an old and a new run side by side."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kgcore.corrections import Correction, Proposal
from kgcore.model import Entity
from kgcore.runs import Entry, Run, RunView, Started, lineage
from kgcore.runs.affected import affected
from kgcore.runs.comparison import compare
from kgcore.runs.entries import Ended
from kgcore.steps import Answer, AnswerPart, Edges
from tests.unit.runs.toys import BORN, DIRECTOR, TRIPLES, Bench, ToyConfig, entity

FILM, BIRTH = TRIPLES[0], TRIPLES[1]
KENOSHA = entity("t:kenosha")
MOVED = Correction("m", "replace", BIRTH.subject, BORN, BIRTH.object, KENOSHA, kg="toy")


def birthplace(question: str, config: ToyConfig) -> Any:
    """Two hops, with their triples as the proof."""
    directors = yield Edges(("t:film",), DIRECTOR.id)
    places = yield Edges((directors.triples[0].object.id,), BORN.id)
    if not places.triples:
        return Answer("", is_answer=False)
    (place,) = places.triples
    proof = (directors.triples[0], place)
    return Answer(place.object.name, (AnswerPart(place.object),), 1.0, proof)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def driven(run: Run) -> Run:
    run.drive()
    return run


def asked(bench: Bench, *corrections: Correction) -> Run:
    launch = bench.launch(birthplace)
    return driven(lineage.ask(launch, "where", ToyConfig(), corrections=corrections))


def rerun(bench: Bench, run: Run, *corrections: Correction) -> Run:
    return driven(lineage.rerun(bench.launch(birthplace), run.id, corrections=corrections))


def proposal(status: str) -> Proposal:
    return Proposal(MOVED, status)


def ids(found: list[Any]) -> list[tuple[str, str]]:
    return [(one.record.id, one.rerun) for one in found]


def test_a_run_whose_proof_holds_the_triple_is_affected(bench: Bench) -> None:
    run = asked(bench)
    (one,) = affected(bench.store, proposal("approved"))
    assert (one.record.id, one.triples, one.rerun) == (run.id, (BIRTH,), "")
    assert ids(affected(bench.store, proposal("proposed"))) == [(run.id, "")]
    other = replace(MOVED, subject=entity("t:welles"))
    assert affected(bench.store, Proposal(other, "approved")) == []


def test_what_was_decided_against_affects_nothing(bench: Bench) -> None:
    asked(bench)
    for status in ("rejected", "withdrawn"):
        assert affected(bench.store, proposal(status)) == []


def test_a_run_that_was_run_again_names_the_new_one(bench: Bench) -> None:
    old = asked(bench)
    new = rerun(bench, old, MOVED)
    assert ids(affected(bench.store, proposal("approved"))) == [(old.id, new.id)]
    undone = affected(bench.store, proposal("withdrawn"))
    assert ids(undone) == [(new.id, "")], "it rests on what the correction had put in"
    back = rerun(bench, new)
    assert ids(affected(bench.store, proposal("withdrawn"))) == [(new.id, back.id)]


def test_deciding_to_and_fro_asks_for_no_further_reruns(bench: Bench) -> None:
    old = asked(bench)
    new = rerun(bench, old, MOVED)
    back = rerun(bench, new)
    assert ids(affected(bench.store, proposal("approved"))) == [(back.id, new.id), (old.id, new.id)]
    assert ids(affected(bench.store, proposal("withdrawn"))) == [(new.id, back.id)]


def test_runs_without_an_answer_or_that_are_gone_are_not_listed(bench: Bench) -> None:
    gone = Correction("g", "retract", BIRTH.subject, BORN, BIRTH.object, kg="toy")
    asked(bench, gone)
    lineage.ask(bench.launch(birthplace), "never driven", ToyConfig())
    bench.store.annotate(asked(bench).id, deleted_at="2026-01-01")
    bench.store.annotate(asked(bench).id, owner="else")
    assert affected(bench.store, proposal("approved")) == []


def test_hundreds_of_runs_are_looked_through_in_a_moment(bench: Bench) -> None:
    run = asked(bench)
    entries = bench.store.load(run.id)
    for number in range(400):
        started = replace(run.journal.started, run_id=f"{number:032x}", parent="", lineage=())
        bench.store.create(started, entries=entries[1:])
    begun = time.perf_counter()
    assert len(affected(bench.store, proposal("approved"))) == 401
    assert time.perf_counter() - begun < 20


def test_a_resumed_run_counts_by_its_last_end(bench: Bench) -> None:
    run = asked(bench)
    started = replace(run.journal.started, run_id="a" * 32)
    (end,) = (e for e in bench.store.load(run.id) if isinstance(e.body, Ended))
    other = replace(end.body, answer=Answer("elsewhere", proof=(FILM,)))
    bench.store.create(started, entries=(Entry(1, "", end.body), Entry(2, "", other)))
    assert [one.record.id for one in affected(bench.store, proposal("approved"))] == [run.id]


def test_two_runs_are_compared_in_answer_proof_and_cost(bench: Bench) -> None:
    old = asked(bench)
    new = rerun(bench, old, MOVED)
    views = [RunView.of(run.journal.entries) for run in (old, new)]
    compared = compare(*views)
    assert (compared.old.text, compared.new.text) == ("london", "kenosha")
    assert compared.is_changed
    assert compared.new_corrections == (MOVED,)
    assert compared.gone_corrections == ()
    assert compared.dropped == (BIRTH,)
    assert [t.object for t in compared.gained] == [KENOSHA]
    assert (compared.old.n_asked, compared.old.usage.kg_requests) == (2, 2)
    assert (compared.new.n_asked, compared.new.n_remembered) == (0, 2)
    assert compared.new.usage.kg_requests == 0
    back = compare(views[1], views[0])
    assert (back.new_corrections, back.gone_corrections) == ((), (MOVED,))


def test_the_same_things_in_other_words_are_no_change(bench: Bench) -> None:
    run = asked(bench)
    view, other = (RunView.of(run.journal.entries) for _ in range(2))
    assert view.ended is not None
    assert view.ended.answer is not None
    other.ended = replace(view.ended, answer=replace(view.ended.answer, text="In London."))
    assert not compare(view, other).is_changed
    assert isinstance(other.started, Started)
    moved = replace(view.ended.answer, parts=(AnswerPart(Entity(KENOSHA.id)),))
    other.ended = replace(view.ended, answer=moved)
    assert compare(view, other).is_changed
