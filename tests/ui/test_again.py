"""Reasoning again: the old and the new run side by side, and an answer that lost what it rests on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.bootstrap.correcting import affected_runs, compare_runs
from kgcore.cli.comparing import comparison_lines
from kgcore.corrections.proposing import Wish, understand
from kgcore.runs import Run
from kgcore.runs.breakpoints import Breakpoint
from pages.components.rerunning import Rerunning, rerunning
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


def test_a_rerun_by_another_method_names_both_methods(studio: Studio) -> None:
    run = asked(studio)
    again = studio.rerun(run.id, method="think-on-graph")
    again.drive()
    text = html(shown(again.id))
    assert "<del><bdi>Tree-of-Traversals</bdi></del> → <ins><bdi>Think-on-Graph</bdi></ins>" in text
    assert "No correction was made in between." in text


def test_a_run_held_after_its_answer_took_what_its_head_says(studio: Studio) -> None:
    task = Task(QUESTION, ("clubs",), model="offline", breakpoints=(Breakpoint("answer"),))
    held, done = studio.ask(task), asked(studio)
    held.start()
    until(lambda: held.status == "paused")
    side = compare_runs(studio, held.id, done.id).old
    assert side.seconds == held.meter.seconds > 0
    held.stop()
    held.join()


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


def test_affected_runs_are_run_again_although_the_page_is_left(studio: Studio) -> None:
    runs = [asked(studio), asked(studio)]
    name = correct(studio)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.run()
    page.switch_page("pages/corrections.py")
    page.session_state["fix-open"] = name
    page.session_state["fix-status"] = "all"
    page.run()
    button = next(b for b in page.button if "Reason again in all 2" in b.label)
    button.click().run()
    assert not page.exception
    page.switch_page("pages/graphs.py").run()
    until(lambda: not is_rerunning(name))
    assert [a.record.id for a in affected_runs(studio, name) if not a.rerun] == []
    page.switch_page("pages/corrections.py").run()
    captions = [caption.value for caption in page.caption]
    assert "2 run again, 2 with another answer" in captions
    assert not [b for b in page.button if "Reason again in" in b.label]
    assert len(studio.store.list()) == 2 * len(runs)


def is_rerunning(name: str) -> bool:
    job = rerunning().of(name)
    return job is None or job.is_running


def test_a_job_is_begun_once_and_what_ends_it_is_told(studio: Studio) -> None:
    asked(studio)
    name = correct(studio)
    jobs = Rerunning()
    first = jobs.begin(studio, name, 1)
    assert jobs.begin(studio, name, 1) is first or not first.is_running
    until(lambda: not first.is_running)
    assert (len(first.done), first.n_changed, first.problem) == (1, 1, "")
    gone = jobs.begin(studio, "nothing", 1)
    until(lambda: not gone.is_running)
    assert "no correction nothing" in gone.problem


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_run_that_is_held_is_not_compared_as_if_it_had_ended(studio: Studio) -> None:
    point = Breakpoint("depth", number=1)
    held = studio.ask(Task(QUESTION, ("clubs",), model="offline", breakpoints=(point,)))
    held.start()
    until(lambda: held.status == "paused")
    again = studio.rerun(held.id)
    again.pauses.remove(point)
    again.drive()
    compared = compare_runs(studio, held.id, again.id)
    assert not compared.is_settled
    assert not compared.is_changed
    assert "not ended" in "\n".join(comparison_lines(compared))
    text = html(shown(again.id))
    assert "The run before has not ended" in text
    assert "The answer is the same" not in text
    assert "The answer changed" not in text
    assert '<div class="ts-answer"><bdi>not ended</bdi>' in text
    held.stop()
    held.join()
    assert compare_runs(studio, held.id, again.id).is_settled
