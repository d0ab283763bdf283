"""The stage as a script: which run it plays, what it offers, and how it answers a wrong address."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import build
from kgcore.bootstrap.demo_runs import DEMO_RUNS, demo_entries, find_demo, keep_demo_run
from kgcore.views.deck import colors_of
from kgcore.views.palettes import LIGHT
from tests.unit.views import hand_made as made

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KGCORE_HOME", str(tmp_path))
    return tmp_path


def opened(**query: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def played(page: AppTest) -> dict[str, Any] | None:
    """Return what the player was sent."""
    for element in page.get("bidi_component"):
        data = json.loads(element.proto.json or "null")
        if isinstance(data, dict) and "deck" in data:
            return data
    return None


@pytest.mark.parametrize("demo", DEMO_RUNS, ids=lambda demo: demo.name)
def test_a_demo_run_is_played_from_its_address(home: Path, demo: Any) -> None:
    data = played(opened(present="1", run=demo.id))
    assert data is not None
    assert data["deck"]["slides"][-1]["kind"] == "end"
    assert data["palettes"] == {"light": colors_of(LIGHT)}


def question_of(page: AppTest) -> str:
    data = played(page)
    assert data is not None
    return str(data["deck"]["question"])


def test_a_demo_run_is_played_in_the_language_of_the_page_or_as_the_address_names_it(
    home: Path,
) -> None:
    asked = {demo.id: demo_entries(demo.id)[0].body.question for demo in DEMO_RUNS}
    for run, lang, recorded in (
        ("demo:across-graphs", "en", "demo:across-graphs"),
        ("demo:across-graphs", "zh", "demo:across-graphs-zh"),
        ("demo:across-graphs-zh", "en", "demo:across-graphs-zh"),
    ):
        assert question_of(opened(present="1", run=run, lang=lang)) == asked[recorded]


def test_a_run_made_again_is_played_with_the_run_before_its_correction(home: Path) -> None:
    studio = build(home)
    run_id = keep_demo_run(studio, "demo:think-on-graph-corrected")
    data = played(opened(present="1", run=run_id))
    assert data is not None
    kinds = [slide["kind"] for slide in data["deck"]["slides"]]
    assert kinds.count("end") == 2


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_demo_run_opens_in_the_workbench_too_and_stays_as_it_is_shipped(
    home: Path, lang: str
) -> None:
    shipped = find_demo("demo:tree-of-traversals", lang).file.read_bytes()
    page = opened(run="demo:tree-of-traversals", lang=lang)
    assert not page.error
    run_id = demo_entries("demo:tree-of-traversals", lang)[0].body.run_id
    assert page.query_params["run"] == run_id
    assert [record.id for record in build(home).store.list()] == [run_id]
    assert find_demo("demo:tree-of-traversals", lang).file.read_bytes() == shipped


def test_in_the_workbench_an_answer_by_a_correction_that_holds_only_there_says_so(
    home: Path,
) -> None:
    page = opened(run="demo:think-on-graph-corrected")
    text = "\n".join(str(block.proto.body) for block in page.get("html"))
    assert "The answer changed" in text
    assert re.search("the correction behind .*India.* is not in force", text)


def test_a_demo_run_that_is_none_is_one_line_in_the_workbench(home: Path) -> None:
    page = opened(run="demo:none")
    assert [error.value for error in page.error] == ["there is no demo run none"]


def test_a_run_of_the_store_is_played_in_the_language_asked_for(home: Path) -> None:
    first, *rest = made.entries()
    build(home).store.create(first.body, entries=rest)
    data = played(opened(present="1", run=first.body.run_id, lang="zh"))
    assert data is not None
    assert data["deck"]["language"] == "zh"
    assert data["deck"]["question"] == made.QUESTION


def test_the_captions_speak_the_language_of_the_switch_above_them(home: Path) -> None:
    first, *rest = made.entries()
    asked = replace(first.body, question="谁执导了《盗梦空间》？")
    build(home).store.create(asked, entries=rest)
    page = opened(present="1", run=asked.run_id)
    data = played(page)
    assert data is not None
    assert data["deck"]["language"] == page.button_group(key="language-switch").value == "en"


def test_the_top_bar_gives_way_to_the_stage(home: Path) -> None:
    texts = [str(html.proto.body) for html in opened(present="1", run=DEMO_RUNS[0].id).get("html")]
    assert not any('ts-brand"' in text for text in texts)


@pytest.mark.parametrize("run", ["demo:none", "no-such-run", "<b>"])
def test_a_wrong_address_is_one_line_and_the_recorded_runs(home: Path, run: str) -> None:
    page = opened(present="1", run=run)
    assert played(page) is None
    assert len(page.error) == 1
    assert "Traceback" not in page.error[0].value
    assert {b.label for b in page.button} >= {demo.title for demo in DEMO_RUNS}


def test_without_a_run_the_recorded_ones_are_offered(home: Path) -> None:
    page = opened(present="1")
    assert not page.error
    assert {b.label for b in page.button} >= {demo.title for demo in DEMO_RUNS}


def test_the_first_page_offers_the_recorded_runs(home: Path) -> None:
    page = opened()
    assert {b.label for b in page.button} >= {demo.title for demo in DEMO_RUNS}


def test_an_address_of_no_run_has_ways_back(home: Path) -> None:
    page = opened(present="1", run="nope")
    assert [error.value for error in page.error] == ["no run nope"]
    assert [link.proto.label for link in page.get("page_link")] == ["Workbench", "All runs"]
    assert len([b for b in page.button if str(b.key).startswith("watch-")]) == len(
        {demo.address for demo in DEMO_RUNS}
    )
