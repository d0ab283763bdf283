"""Entries of the log as buttons: by mouse and keyboard they move the timeline and pick in all three places."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import build
from tests.browser.test_ask_page import WAIT_MS, graph, wait_for_nodes
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one finished run."""
    home = tmp_path_factory.mktemp("log-home")
    first, *rest = made.entries()
    studio = build(home, environ={})
    studio.store.create(first.body, entries=rest)
    studio.store.close()
    return home


@pytest.fixture
def page(open_page: OpenPage, home: Path) -> Page:
    page = open_page(
        "app.py",
        query="?run=0123456789abcdef",
        KGCORE_HOME=str(home),
        width=1440,
        height=900,
        reduced_motion=True,
    )
    page.set_default_timeout(WAIT_MS)
    wait_for_nodes(page, "tree", 6)
    return page


def wait_for(page: Page, expression: str, wanted: object) -> None:
    for _ in range(300):
        if graph(page, "tree", expression) == wanted:
            return
        page.wait_for_timeout(100)
    assert graph(page, "tree", expression) == wanted


def test_a_click_on_an_entry_picks_it_everywhere_and_goes_to_its_moment(page: Page) -> None:
    log = page.locator(".ts-log")
    log.get_by_role("button", name="#4 follows cast member").click()
    expect(page.locator(".ts-panel-title", has_text="#4 follows cast member")).to_be_visible()
    expect(page.get_by_role("slider", name="Timeline of the run")).to_have_attribute(
        "aria-valuenow", "12"
    )
    wait_for(page, "g.net.getSelection().nodes", ["4"])
    expect(log.locator("[aria-current=true]")).to_contain_text("#4 follows cast member")
    expect(log.locator("[role=listitem]")).to_have_count(len(made.entries()))
    picked = page.evaluate(
        "Object.entries(globalThis.__kg).find(([k]) => k.startsWith('kg-'))[1].net.getSelection()"
    )
    assert picked is not None
    # a later entry can still be reached from there
    log.get_by_role("button", name="Answer: Michael Caine").click()
    wait_for(page, "g.net.getSelection().nodes", ["6"])


def test_the_keyboard_reaches_the_log_moves_in_it_and_picks(page: Page) -> None:
    log = page.locator(".ts-log")
    stops = log.locator("button[tabindex='0']")
    expect(stops).to_have_count(1)
    stops.focus()
    page.keyboard.press("End")
    expect(log.get_by_role("button", name="Question:")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(log.get_by_role("button", name="Starts from")).to_be_focused()
    page.keyboard.press("Enter")
    expect(log.locator("[aria-current=true]")).to_contain_text("Starts from")
    expect(page.locator(".ts-panel-title", has_text="Starts from")).to_be_visible()
    expect(log.get_by_role("button", name="Starts from")).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(log.locator("[aria-current=true]")).to_contain_text("Answer")


def test_moving_the_timeline_lets_go_of_the_entry_and_marks_the_moment(page: Page) -> None:
    log = page.locator(".ts-log")
    log.get_by_role("button", name="#4 follows cast member").click()
    slider = page.get_by_role("slider", name="Timeline of the run")
    expect(slider).to_have_attribute("aria-valuenow", "12")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(log.locator("[aria-current=true]")).to_contain_text("#3 is rated")
