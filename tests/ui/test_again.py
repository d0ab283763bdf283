"""Reasoning again: the old and the new run side by side, and an answer that lost what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.corrections.proposing import Wish, understand
from kgcore.runs import Run
from tests.integration.test_correction_story import CLUBS, NEW, OLD, QUESTION

ROOT = Path(__file__).parents[2]


@pytest.fixture
def studio(tmp_home: Path, tmp_path: Path) -> Iterator[Studio]:
    (tmp_path / "clubs.ttl").write_text(CLUBS)
    made = build(tmp_home)
    made.import_graph([tmp_path / "clubs.ttl"], "clubs")
    yield made
    made.store.close()


def asked(studio: Studio) -> Run:
    run = studio.ask(Task(QUESTION, ("clubs",), model="offline"))
    run.drive()
    return run


def correct(studio: Studio) -> str:
    wish = Wish("clubs", "Ashford Reds", "home venue", OLD, "replace", NEW, author="ann")
    kept = studio.corrections.propose(understand(wish, studio.graph(("clubs",))))
    studio.corrections.approve(kept.id)
    return kept.id


def shown(run_id: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.query_params["run"] = run_id
    page.run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def test_an_answer_whose_edge_was_corrected_says_so_and_is_reasoned_again(studio: Studio) -> None:
    run = asked(studio)
    assert "a correction takes away" not in html(shown(run.id))
    correct(studio)
    page = shown(run.id)
    assert f"No edge supports <bdi>{OLD}</bdi> any more" in html(page)
    page.button(key="again-answer").click().run()
    assert not page.exception
    assert page.query_params["run"] != [run.id]


def test_a_rerun_stands_beside_the_run_before(studio: Studio) -> None:
    run = asked(studio)
    correct(studio)
    again = studio.rerun(run.id)
    again.drive()
    text = html(shown(again.id))
    assert "The answer changed" in text
    before, _, now = text.partition("<h3>Now</h3>")
    assert f'<div class="ts-answer"><bdi>{OLD}</bdi>' in before
    assert f'<div class="ts-answer"><bdi>{NEW}</bdi>' in now
    assert "0 graph calls" in now
    assert "steps from memory" in text


def test_undoing_brings_the_first_answer_back(studio: Studio) -> None:
    run = asked(studio)
    name = correct(studio)
    again = studio.rerun(run.id)
    again.drive()
    studio.corrections.undo(name)
    assert "No edge supports" in html(shown(again.id))
    back = studio.rerun(again.id)
    back.drive()
    text = html(shown(back.id))
    assert '<span class="ts-muted">without</span>' in text
    assert f'<div class="ts-answer"><bdi>{OLD}</bdi>' in text.partition("<h3>Now</h3>")[2]
