"""The approval gate on the Ask page: what waits is shown, and decided once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Gate, Run

ROOT = Path(__file__).parents[2]
QUESTION = "Who directed Night Train?"
BAD = "<img src=x onerror=alert(1)> **b**"
TOY = f"""\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:film rdfs:label "Night Train" ; t:director t:ann , t:bea , t:bad .
t:ann rdfs:label "Ann Lee" . t:bea rdfs:label "Bea Kim" . t:bad rdfs:label "{BAD}" .
t:cy rdfs:label "Cy Fox" . t:director rdfs:label "director" .
"""


@pytest.fixture
def studio(tmp_home: Path, tmp_path: Path) -> Iterator[Studio]:
    from pages.components.studio import shared

    (tmp_path / "toy.ttl").write_text(TOY)
    build(tmp_home).import_graph([tmp_path / "toy.ttl"], "toy")
    made = shared().studio
    yield made
    made.store.close()


def waiting(studio: Studio) -> Run:
    run = studio.ask(Task(QUESTION, ("toy",), model="offline", gate=Gate()))
    run.start()
    end = time.monotonic() + 30
    while not run.waiting:
        assert time.monotonic() < end
        time.sleep(0.02)
    return run


def shown(run: Run) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.query_params["run"] = run.id
    page.run()
    assert not page.exception
    return page


def button(page: AppTest, label: str) -> object:
    return next(b for b in page.button if b.label == label)


def decisions(page: AppTest) -> list[object]:
    return [g for g in page.get("button_group") if g.label.startswith("Decision on triple")]


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def test_what_waits_is_shown_as_text_and_approved_as_a_whole(studio: Studio) -> None:
    run = waiting(studio)
    page = shown(run)
    assert "3 triples wait for you" in html(page)
    assert "the model has not seen them" in html(page)
    assert "run-pause" not in {str(b.key) for b in page.button}, "only a decision moves it"
    assert "waiting for you" in html(page)
    assert "&lt;img src=x onerror=alert(1)&gt;" in html(page)
    assert "<img" not in html(page)
    button(page, "Approve all 3").click().run()  # type: ignore[attr-defined]
    assert run.join(20)
    assert "Ann Lee" in run.journal.ended.answer.text  # type: ignore[union-attr]


def test_a_rejected_triple_is_gone_in_this_run_and_for_all_runs_it_is_proposed(
    studio: Studio,
) -> None:
    run = waiting(studio)
    place = next(i for i, t in enumerate(run.waiting) if t.object.name == "Ann Lee")
    page = shown(run)
    decisions(page)[place].set_value("reject").run()  # type: ignore[attr-defined]
    radio = next(r for r in page.radio if r.label.startswith("What is rejected"))
    radio.set_value("For all runs")
    button(page, "Approve 2, reject 1").click().run()  # type: ignore[attr-defined]
    assert not page.exception
    assert run.join(20)
    answer = run.journal.ended.answer  # type: ignore[union-attr]
    assert answer is not None
    assert "Bea Kim" in answer.text
    assert "Ann Lee" not in answer.text
    (proposal,) = studio.corrections.list()
    assert (proposal.status, proposal.correction.text) == (
        "proposed",
        "− Night Train – director – Ann Lee",
    )


def test_what_waits_stands_in_the_text_beside_the_drawing_but_not_in_the_past(
    studio: Studio,
) -> None:
    run = waiting(studio)
    place = next(i for i, t in enumerate(run.waiting) if t.object.name == "Ann Lee")
    page = shown(run)
    told = "? waiting for your decision"
    assert html(page).count(told) == 3
    decisions(page)[place].set_value("reject").run()  # type: ignore[attr-defined]
    assert html(page).count(told) == 2
    assert "✗ waiting; you are about to reject it" in html(page)
    page.query_params["at"] = "3"
    page.run()
    assert not page.exception
    assert "3 triples wait for you" in html(page), "it waits now, whatever is looked at"
    assert "waiting; you are" not in html(page)
    assert told not in html(page)
    run.stop()
    assert run.join(20)


@pytest.mark.parametrize("n", [1, 2])
def test_what_waits_is_counted_in_good_english(n: int) -> None:
    def head() -> None:
        import streamlit as st

        from kgcore.model import Entity, Relation, Triple
        from pages.components import gate
        from pages.components.gate_choices import Choices
        from pages.components.theme import current

        triples = tuple(
            Triple(Entity("t:film"), Relation("t:cast"), Entity(f"t:{k}"))
            for k in range(st.session_state["n"])
        )
        gate._show_head(None, Choices(triples), "k", current())

    app = AppTest.from_function(head, default_timeout=60)
    app.session_state["n"] = n
    app.run()
    assert not app.exception
    told = "has not seen it<" if n == 1 else "has not seen them<"
    assert told in html(app)


def test_an_edited_triple_needs_an_end_and_then_counts(studio: Studio) -> None:
    run = waiting(studio)
    place = next(i for i, t in enumerate(run.waiting) if t.object.name == "Ann Lee")
    page = shown(run)
    decisions(page)[place].set_value("edit").run()  # type: ignore[attr-defined]
    assert button(page, "Approve 2, edit 1").disabled  # type: ignore[attr-defined]
    field = next(f for f in page.text_input if f.label == f"What triple {place + 1} should end in")
    field.set_value("Cy Fox").run()
    button(page, "Approve 2, edit 1").click().run()  # type: ignore[attr-defined]
    assert run.join(20)
    assert "Cy Fox" in run.journal.ended.answer.text  # type: ignore[union-attr]
    assert studio.corrections.list() == ()


def test_two_tabs_decide_once(studio: Studio) -> None:
    run = waiting(studio)
    one, other = shown(run), shown(run)
    button(one, "Approve all 3").click().run()  # type: ignore[attr-defined]
    assert run.join(20)
    button(other, "Approve all 3").click().run()  # type: ignore[attr-defined]
    assert not other.exception
    assert len(run.journal.decisions) == 1


def test_the_relations_that_may_wait_are_offered(studio: Studio) -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.session_state["ask-kgs"] = ["toy"]
    page.session_state["ask-gate"] = "relations"
    page.run()
    assert not page.exception
    offered = next(m for m in page.multiselect if m.label == "Relations that wait")
    assert offered.options == ["director"]
