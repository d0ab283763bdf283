"""The page Runs: filters, families, names, tags and stars, delete with undo, comparison, reruns, files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Edit, Ended, Run
from kgcore.runs.exchange import export_run
from pages.components.runs_live import has_moved
from pages.components.studio import shared
from tests.integration.test_correction_story import CLUBS, OLD, QUESTION
from tests.unit.runs.toys import wait_until
from tests.unit.views import hand_made

ROOT = Path(__file__).parents[2]
HOSTILE = "<img src=x onerror=alert(1)> ![x](http://evil.example/x) :red[x]"


@pytest.fixture
def studio(tmp_home: Path, tmp_path: Path) -> Iterator[Studio]:
    (tmp_path / "clubs.ttl").write_text(CLUBS)
    made = build(tmp_home)
    made.import_graph([tmp_path / "clubs.ttl"], "clubs")
    yield made
    made.store.close()


def asked(studio: Studio, question: str = QUESTION) -> Run:
    run = studio.ask(Task(question, ("clubs",), model="offline"))
    run.drive()
    return run


def recorded(studio: Studio, name: str, question: str = "Who?", **changes: object) -> str:
    """Store a run without driving one."""
    started = hand_made.story()[0]
    run_id = name.ljust(32, "0")
    entries = [e for e in hand_made.entries()[1:] if isinstance(e.body, Ended)]
    studio.store.create(
        replace(started, run_id=run_id, question=question, **changes),
        entries=[replace(entries[0], seq=1)],
    )
    return run_id


def opened(**query: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.run()
    for name, value in query.items():
        page.query_params[name] = value
    page.switch_page("pages/runs.py")
    page.run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def titles(page: AppTest) -> list[str]:
    """Return what the rows are called."""
    return [b.label for b in page.button if str(b.key).startswith("runs-go-")]


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception
    return page


def test_without_runs_the_page_leads_to_the_first_question(studio: Studio) -> None:
    assert "No runs here" in html(opened())


def test_a_run_is_searched_by_question_and_by_filters(studio: Studio) -> None:
    recorded(studio, "a", "Who built the tower?")
    recorded(studio, "b", "Who built the bridge?", method="think-on-graph")
    page = opened()
    assert len(titles(page)) == 2
    page.text_input(key="runs-search").set_value("TOWER").run()
    assert titles(page) == ["Who built the tower?"]
    page.multiselect(key="runs-methods").set_value(["think-on-graph"]).run()
    assert titles(page) == [] and "No run fits" in html(page)
    press(page, "runs-clear")
    assert len(titles(page)) == 2


def test_name_tags_and_star_are_kept(studio: Studio) -> None:
    run_id = recorded(studio, "a")
    page = press(opened(), f"runs-open-{run_id}")
    page.text_input(key=f"runs-name-{run_id}").set_value("  My   run ").run()
    page.text_input(key=f"runs-tagged-{run_id}").set_value("demo, talk, demo").run()
    press(page, f"runs-star-{run_id}")
    record = studio.store.record(run_id)
    assert (record.name, record.tags, record.is_starred) == ("My run", ("demo", "talk"), True)
    assert titles(page) == ["My run"]
    page.segmented_control(key="runs-shelf").set_value("starred").run()
    assert titles(page) == ["My run"]
    press(page, f"runs-star-{run_id}")
    assert titles(page) == []


def test_a_deleted_run_comes_back_by_undo_and_from_the_bin(studio: Studio) -> None:
    run_id = recorded(studio, "a")
    page = opened()
    page.checkbox(key=f"runs-box-{run_id}").check().run()
    press(page, "runs-delete")
    assert titles(page) == [] and "1 run deleted" in html(page)
    press(page, "runs-undelete")
    assert len(titles(page)) == 1 and studio.store.record(run_id).deleted_at is None
    press(press(page, f"runs-open-{run_id}"), "runs-delete-one")
    page.segmented_control(key="runs-shelf").set_value("deleted").run()
    press(press(page, f"runs-open-{run_id}"), "runs-restore")
    assert studio.store.record(run_id).deleted_at is None


def test_a_run_deleted_for_good_is_gone(studio: Studio) -> None:
    run_id = recorded(studio, "a")
    page = press(press(opened(), f"runs-open-{run_id}"), "runs-delete-one")
    page.segmented_control(key="runs-shelf").set_value("deleted").run()
    press(press(page, f"runs-open-{run_id}"), "runs-for-good")
    assert not studio.store.list() and not studio.store.list(is_deleted=True)


@pytest.fixture
def held(studio: Studio, tmp_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """A run that this program drives, paused before its first step."""
    monkeypatch.setenv("KGCORE_HOME", str(tmp_home))
    run = shared().studio.ask(Task(QUESTION, ("clubs",), model="offline", is_paused=True))
    run.start()
    wait_until(lambda: run.status == "paused")
    yield run
    run.stop()
    run.join(20)


def test_a_paused_run_reads_paused_is_filtered_so_and_can_be_stopped(
    studio: Studio, held: Run
) -> None:
    recorded(studio, "a", "Who built the tower?")
    page = opened()
    assert "paused" in html(page) and "running" not in html(page)
    page.multiselect(key="runs-statuses").set_value(["paused"]).run()
    assert titles(page) == [QUESTION]
    press(page, f"runs-open-{held.id}")
    assert "runs-delete-one" not in {str(b.key) for b in page.button}
    press(page, "runs-stop")
    assert held.join(20)
    page.multiselect(key="runs-statuses").set_value(["stopped"]).run()
    assert titles(page) == [QUESTION]
    press(page, "runs-delete-one")
    assert studio.store.record(held.id).deleted_at is not None


def test_rows_are_told_apart_and_details_show_what_the_answer_rests_on(studio: Studio) -> None:
    first, second = asked(studio), asked(studio)
    page = opened()
    for run in (first, second):
        assert run.id[:8] in html(page)
        assert QUESTION.rstrip("?") in page.checkbox(key=f"runs-box-{run.id}").label
        assert QUESTION.rstrip("?") in page.button(key=f"runs-open-{run.id}").label
    assert f"{first.journal.usage.llm_requests} calls" in html(page)
    answer = first.journal.ended.answer if first.journal.ended is not None else None
    assert answer is not None and answer.proof
    press(page, f"runs-open-{first.id}")
    assert "Proof" in html(page) and answer.proof[0].relation.name in html(page)
    names = {str(item.proto.label) for item in page.get("download_button")}
    assert {"The run as one page that plays it", "Report, ready to print"} <= names


def test_a_run_under_way_is_not_deleted(studio: Studio) -> None:
    run_id = recorded(studio, "a")
    studio.store.take_lease(run_id, "another program")
    page = opened()
    page.checkbox(key=f"runs-box-{run_id}").check().run()
    press(page, "runs-delete")
    assert "under way" in page.error[0].value
    assert studio.store.record(run_id).deleted_at is None


def test_a_fork_stands_below_its_run_and_is_compared(studio: Studio) -> None:
    run = asked(studio)
    asking = next(
        address
        for address, done in run.journal.results_in_yield_order()
        if done.step["kind"] == "Ask" and done.step["about"]
    )
    forked = studio.fork(run.id, [Edit(*asking, replies=("nonsense",))])
    forked.drive()
    page = opened()
    assert [b.key for b in page.button if str(b.key).startswith("runs-go-")] == [
        f"runs-go-{run.id}",
        f"runs-go-{forked.id}",
    ]
    assert "↳ fork" in html(page)
    for one in (forked.id, run.id):
        page.checkbox(key=f"runs-box-{one}").check().run()
    press(page, "runs-compare")
    text = html(page)
    assert "The first difference" in text and f"step {asking[0]}.{asking[1]}" not in text
    assert "the replies are read differently" in text
    assert OLD in text
    assert "nonsense" in text
    assert "<b>≠ first difference</b>" in text, "the text tree says it too"
    press(page, "compare-back")
    assert len(titles(page)) == 2


def test_what_is_checked_and_searched_outlives_other_leaves_and_a_comparison(
    studio: Studio,
) -> None:
    for number in range(20):
        recorded(studio, f"{number:02}", f"Question {number}")
    page = opened()
    page.text_input(key="runs-search").set_value("question").run()
    page.checkbox(key=f"runs-box-{'19'.ljust(32, '0')}").check().run()
    page.session_state["runs-leaf"] = 2
    page.run()
    page.checkbox(key=f"runs-box-{'00'.ljust(32, '0')}").check().run()
    press(press(page, "runs-compare"), "compare-back")
    assert page.text_input(key="runs-search").value == "question"
    assert "Delete 2" in [b.label for b in page.button]


def test_a_comparison_with_a_run_that_is_not_there_is_one_line(studio: Studio) -> None:
    page = opened(compare=f"{recorded(studio, 'a')},nothing")
    assert "no run" in page.error[0].value
    assert len(titles(page)) == 1


def test_a_run_is_run_again_with_another_method(studio: Studio) -> None:
    run = asked(studio)
    page = press(opened(), f"runs-open-{run.id}")
    page.selectbox(key=f"runs-method-{run.id}").set_value("think-on-graph").run()
    press(page, f"runs-again-{run.id}")
    new = next(r for r in studio.store.list() if r.id != run.id)
    assert (new.parent, new.method, new.kind) == (run.id, "think-on-graph", "rerun")


def test_a_rerun_by_another_method_takes_the_usual_settings(studio: Studio) -> None:
    run = asked(studio)
    again = studio.rerun(run.id, method="chain-of-traversals")
    assert again.journal.started.method == "chain-of-traversals"
    assert again.journal.started.config.language == run.journal.started.config.language
    again.drive()
    assert again.journal.ended is not None
    assert again.journal.usage.kg_requests == 0, "the same questions to the graph are remembered"


def test_an_exported_run_is_imported_and_a_broken_file_refused(studio: Studio) -> None:
    run_id = recorded(studio, "a", "Who came back?")
    data = export_run(studio.store, run_id).encode()
    studio.store.delete(run_id)
    page = opened()
    page.file_uploader(key="runs-file").set_value(("run.json", data, "application/json")).run()
    press(page, "runs-import")
    assert titles(page) == ["Who came back?"]
    broken = ("run.json", data[:-40], "application/json")
    page.file_uploader(key="runs-file").set_value(broken).run()
    press(page, "runs-import")
    assert "no JSON" in page.error[0].value
    assert len(titles(page)) == 1


def test_hostile_names_tags_and_questions_stay_text_S1(studio: Studio) -> None:
    run_id = recorded(studio, "a", HOSTILE, kgs=((HOSTILE, "1"),), models=(("reason", HOSTILE),))
    studio.store.annotate(run_id, name=HOSTILE, tags=[HOSTILE], answer=HOSTILE)
    other = recorded(studio, "b", HOSTILE, method=HOSTILE)
    for page in (press(opened(), f"runs-open-{run_id}"), opened(compare=f"{run_id},{other}")):
        assert "<img" not in html(page)
        texts = [b.label for b in page.button] + [m.value for m in (*page.markdown, *page.caption)]
        for told in texts:
            assert "![x](" not in told and ":red[" not in told


def test_a_thousand_runs_are_listed_at_once(studio: Studio) -> None:
    for number in range(1000):
        recorded(studio, f"{number:04x}", f"Question number {number}")
    page = opened()
    began = time.monotonic()
    page.run()
    took = time.monotonic() - began
    assert "of 1,000" in html(page)
    assert len(titles(page)) == 15
    assert took < 30, f"drawing the page took {took:.1f} s"
    page.text_input(key="runs-search").set_value("number 777").run()
    assert titles(page) == ["Question number 777"]


def test_a_run_that_moves_on_is_noticed(studio: Studio) -> None:
    run_id = recorded(studio, "a")
    studio.store.take_lease(run_id, "another program")
    known = {run_id: studio.store.record(run_id).status}
    assert known == {run_id: "running"}
    assert not has_moved(studio, known)
    studio.store.annotate(run_id, status="answered")
    assert has_moved(studio, known)
    assert has_moved(studio, {"gone": "running"})


def test_checked_runs_are_brought_back_together(studio: Studio) -> None:
    runs = [asked(studio).id, asked(studio, QUESTION + " ").id]
    for run_id in runs:
        studio.store.annotate(run_id, deleted_at="2026-01-01T00:00:00Z")
    page = opened()
    page.segmented_control(key="runs-shelf").set_value("deleted").run()
    for run_id in runs:
        page.checkbox(key=f"runs-box-{run_id}").check().run()
    page.button(key="runs-restore-checked").click().run()
    assert not page.exception
    assert {run.id for run in studio.store.list()} == set(runs)


def test_a_deleted_run_that_is_opened_says_so_and_is_brought_back(studio: Studio) -> None:
    run_id = asked(studio).id
    studio.store.annotate(run_id, deleted_at="2026-01-01T00:00:00Z")
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.query_params["run"] = run_id
    page.run()
    assert "This run is among the deleted ones." in html(page)
    page.button(key="run-restore").click().run()
    assert not page.exception
    assert "among the deleted" not in html(page)
    assert studio.store.record(run_id).deleted_at is None
