"""Every text and sign of every page stands out from what lies behind it, in both themes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from kgcore.bootstrap import Studio, Task, build
from kgcore.bootstrap.demo_runs import DEMO_RUNS

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
MEASURE = (Path(__file__).parent / "contrast.js").read_text("utf-8")
THEMES = pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contrast-home")


@pytest.fixture(scope="module")
def studio(home: Path) -> Studio:
    made = build(home, environ={})
    made.ensure_demo()
    return made


@pytest.fixture(scope="module")
def run_id(studio: Studio) -> str:
    run = studio.ask(Task("In which films did Michael Caine act?", model="offline"))
    run.drive()
    return run.id


@pytest.fixture
def open_at(open_page: OpenPage, home: Path, run_id: str) -> OpenPage:
    def open_(query: str, **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        page.wait_for_timeout(500)  # what fades in has done so
        return page

    return open_


@THEMES
@pytest.mark.parametrize(
    "query",
    [
        "/",
        "/?run={run}",
        "/?run={run}&at=9",
        "/?run=nope",
        "/runs",
        "/corrections",
        "/graphs",
        "/graphs?graph=demo-wikidata",
        "/sources",
        "/settings",
        "/present?present=1&run={demo}",
    ],
)
def test_all_that_is_seen_stands_out(
    open_at: OpenPage, run_id: str, query: str, is_dark: bool
) -> None:
    page = open_at(query.format(run=run_id, demo=DEMO_RUNS[0].id), dark=is_dark, width=1440)
    measured = page.evaluate(MEASURE)
    assert measured["n"] > 15, "hardly anything was measured"
    assert measured["found"] == []


def test_what_is_too_pale_is_found(open_at: OpenPage) -> None:
    page = open_at("/settings")
    page.evaluate(
        """() => {
            const pale = document.createElement("p");
            pale.textContent = "pale words";
            pale.style = "color: #1B2430; opacity: .5; background: #fff";
            document.querySelector(".stMain").append(pale);
        }"""
    )
    found = page.evaluate(MEASURE)["found"]
    assert [row[-1] for row in found] == ["pale words"]
