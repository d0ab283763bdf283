"""The stage as a script: which run it plays, what it offers, and how it answers a wrong address."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import build
from kgcore.bootstrap.demo_runs import DEMO_RUNS
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
