"""The run bar, looking back and the breakpoints as a script: what is drawn and sent, and what buttons do."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.errors import InputError
from kgcore.runs import Breakpoint, Run, StepDone
from kgcore.runs.breakpoint_file import load_points, save_points
from kgcore.steps import Replies
from pages.components.selection import Selection
from pages.components.studio import shared
from tests.ui.test_ask_page import ROOT, address, ask, html, keep, open_page
from tests.unit.views import hand_made as made

N = len(made.story())


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("debugging-home")
    build(home).graphs()
    return home


@pytest.fixture
def studio(demo_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("KGCORE_HOME", str(demo_home))
    opened = build(demo_home)
    yield opened
    for record in opened.store.list():
        opened.store.delete(record.id)
    opened.store.close()
    save_points(demo_home, ())


@pytest.fixture
def paused(studio: Studio) -> Iterator[Callable[..., Run]]:
    """Runs of the studio that the pages share, paused before the first step."""
    runs: list[Run] = []

    def start(*points: Breakpoint) -> Run:
        task = Task("Who directed Casablanca?", is_paused=True, breakpoints=points)
        run = shared().studio.ask(task)
        run.start()
        runs.append(run)
        wait(lambda: run.status == "paused")
        return run

    yield start
    for run in runs:
        run.stop()
        assert run.join(10)


def wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def at(page: AppTest) -> str:
    given = page.query_params.get("at", "")
    return given if isinstance(given, str) else given[0]


def timeline(page: AppTest) -> dict[str, Any]:
    sent = [json.loads(item.proto.json or "{}") for item in page.get("bidi_component")]
    return next(data for data in sent if "kinds" in data)


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception
    return page


def keys(page: AppTest) -> set[str]:
    return {str(button.key) for button in page.button}


def test_a_finished_run_sends_one_letter_an_entry(studio: Studio) -> None:
    page = open_page(keep(studio, made.story()))
    sent = timeline(page)
    assert (len(sent["kinds"]), sent["at"]) == (N, None)
    assert set(sent["kinds"]) <= set(sent["looks"])
    assert {"run-stop", "run-pause", "run-continue"}.isdisjoint(keys(page))
    assert page.button(key="run-step").disabled


def test_back_and_steps_move_what_is_looked_at(studio: Studio) -> None:
    page = press(open_page(keep(studio, made.story())), "run-back")
    expansions = [i + 1 for i, kind in enumerate(timeline(page)["kinds"]) if kind == "n"]
    assert at(page) == str(N - 1)
    assert f"Moment {N - 1} of {N}" in html(page)
    press(page, "run-back")
    assert at(page) == str(N - 2), "each time one entry"
    press(page, "run-step")
    assert at(page) == str(N - 1)
    page.query_params["at"] = str(expansions[-1] - 1)
    page.run()
    press(page, "run-over")
    assert at(page) == str(expansions[-1])
    press(page, "run-over")
    assert at(page) == "", "after the last expansion comes the end"


def test_a_moment_shows_what_was_known_by_then(studio: Studio) -> None:
    run_id = keep(studio, made.story())
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.query_params["run"], page.query_params["at"] = run_id, "4"
    page.run()
    assert not page.exception
    assert "No answer yet" in html(page)
    assert "★</span><bdi>Michael Caine" not in html(page)
    assert timeline(page)["at"] == 4
    assert timeline(page)["said"] == "Expands #0"
    press(page, "moment-now")
    assert at(page) == ""
    assert "Michael Caine" in html(page)


@pytest.mark.parametrize("given", ["soon", "-3", "0", "1e3", "9" * 40, "٣"])
def test_an_address_that_names_no_moment_says_so_and_shows_now(studio: Studio, given: str) -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.query_params["run"] = keep(studio, made.story())
    page.query_params["at"] = given
    page.run()
    assert not page.exception
    assert [error.value.count("\n") for error in page.error] == [0]
    assert (at(page), timeline(page)["at"]) == ("", None)


def test_a_moment_belongs_to_its_run(studio: Studio) -> None:
    first, second = keep(studio, made.story()), keep(studio, made.story())
    page = press(open_page(first), "run-back")
    assert at(page)
    page.query_params["run"] = second
    page.run()
    assert (at(page), timeline(page)["at"]) == ("", None)


def test_a_paused_run_says_why_and_its_breakpoints_change_at_once(
    studio: Studio, paused: Callable[..., Run]
) -> None:
    run = paused(Breakpoint("step", "Link"), Breakpoint("answer"))
    page = open_page(run.id)
    assert "Paused: before looking for names. Next: looks up names" in html(page)
    switches = [t for t in page.toggle if str(t.key).startswith("point-on-live")]
    assert [switch.value for switch in switches] == [True, True]
    switches[1].set_value(False).run()
    assert [point.is_on for point in run.pauses.points] == [True, False]
    press(page, next(k for k in keys(page) if k.startswith("point-off-live-step")))
    assert [point.on for point in run.pauses.points] == ["answer"]
    page.selectbox(key="point-kind-live").set_value("value_below").run()
    page.number_input(key="point-number-value_below-live").set_value(0.25).run()
    press(page, "point-add-live")
    assert run.pauses.points[-1] == Breakpoint("value_below", number=0.25)


def test_the_buttons_drive_the_run(studio: Studio, paused: Callable[..., Run]) -> None:
    run = paused()
    page = press(open_page(run.id), "run-step")
    wait(lambda: run.status == "paused" and len(run.journal.results) == 1)
    press(page, "run-over")
    wait(lambda: run.status == "paused" and run.control.reason == "the next expansion")
    press(page, "run-back")
    assert at(page)
    press(page, "run-continue")
    assert run.join(30)
    assert at(page) == "", "who lets the run go on follows it again"
    assert run.status == "answered"


def test_the_breakpoints_of_the_set_up_are_kept_and_go_with_the_run(
    studio: Studio, demo_home: Path
) -> None:
    page = open_page()
    page.selectbox(key="point-kind-setup").set_value("budget").run()
    press(page, "point-add-setup")
    assert load_points(demo_home) == (Breakpoint("budget", "", 0.8),)
    page = ask(open_page(), "Who directed Casablanca?")
    started = studio.journal(address(page)).started
    assert started.breakpoints == (Breakpoint("budget", "", 0.8),)
    press(page, next(k for k in keys(page) if k.startswith("point-off-setup")))
    assert load_points(demo_home) == ()


def test_a_breakpoint_without_a_name_is_refused_in_one_line(studio: Studio) -> None:
    page = open_page()
    page.selectbox(key="point-kind-setup").set_value("entity").run()
    press(page, "point-add-setup")
    assert [error.value for error in page.error] == ["a breakpoint on entity needs a name"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "7", "[7]", '["answer"]', '[{"@": "Breakpoint", "on": "nothing"}]', "[" * 5000],
)
def test_a_broken_file_of_breakpoints_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "breakpoints.json").write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        load_points(tmp_path)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_page_with_a_broken_file_of_breakpoints_still_works(
    studio: Studio, demo_home: Path
) -> None:
    (demo_home / "breakpoints.json").write_text("{", "utf-8")
    page = open_page()
    assert len(page.error) == 1
    assert ask(page, "Who directed Casablanca?").query_params["run"]


def test_a_prompt_is_read_whole_in_a_large_window(studio: Studio) -> None:
    run_id = keep(studio, made.story())
    asked = next(
        entry
        for entry in made.view().entries
        if isinstance(entry.body, StepDone) and isinstance(entry.body.result, Replies)
    )
    page = open_page(run_id)
    page.session_state["selections"] = {run_id: Selection("entry", str(asked.seq))}
    page.run()
    prompts = [code.value for code in page.code]
    press(page, next(k for k in keys(page) if k.startswith("large-")))
    shown = [code.value for code in page.code]
    assert isinstance(asked.body, StepDone)
    replies = [reply.text for reply in asked.body.result.items]
    once = list(dict.fromkeys(replies))
    assert shown == [*prompts, *prompts, *once], "beside what the inspector shows"
