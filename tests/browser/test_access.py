"""What keyboards, screen readers and small windows need of the frame and of the head of a run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Studio, Task, build

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
OUTLINE = (
    "at => { const s = getComputedStyle(at); return [s.outlineStyle, parseFloat(s.outlineWidth)]; }"
)
COUNT = """() => {
    globalThis.said = [];
    const find = (at) => at.matches("[role=status]")
        ? at : [...(at.shadowRoot?.children ?? []), ...at.children].map(find).find(Boolean);
    const live = find(document.querySelector(".st-key-ts-status"));
    new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true, characterData: true });
    return [live.textContent, live.getAttribute("aria-live")];
}"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("access-home")


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
def open_at(open_page: OpenPage, home: Path, studio: Studio) -> OpenPage:
    del studio  # the demo graphs are there

    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        page.get_by_role("button", name="Run", exact=True).wait_for()
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        return page

    return open_


def test_a_link_of_the_bar_that_has_the_focus_is_outlined_and_the_page_is_not(
    open_at: OpenPage,
) -> None:
    page = open_at()
    page.mouse.click(700, 780)
    page.keyboard.press("Shift")
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate(OUTLINE)[0] == "none"
    link = page.locator(".st-key-ts-bar a").nth(2)
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    style, width = link.evaluate(OUTLINE)
    assert style == "solid"
    assert width >= 2


def test_the_state_of_a_run_is_said_once_when_it_changes(open_at: OpenPage) -> None:
    page = open_at()
    page.get_by_role("button", name="Options").click()
    page.get_by_text("Pause before the first step").click()
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill("Who directed Casablanca?")
    box.press("Enter")
    going = page.get_by_role("button", name="Continue")
    going.wait_for()
    assert page.evaluate(COUNT) == ["paused", "polite"]
    going.click()
    expect(page.locator(".ts-answer.is-open")).to_contain_text("Curtiz", timeout=WAIT_MS)
    page.wait_for_function("said.at(-1)?.startsWith('answered')")
    said = page.evaluate("said")
    assert len(said) == len(set(said)), "something was said twice"
    assert said[-1] == "answered: Michael Curtiz"


def test_in_a_small_window_the_marks_are_explained_on_demand(
    open_at: OpenPage, run_id: str
) -> None:
    page = open_at(f"/?run={run_id}", width=1024, height=768)
    button = page.locator(".st-key-ts-kinds-more button")
    button.click()
    legend = page.locator("[data-testid=stPopoverBody] .ts-kinds")
    expect(legend).to_contain_text("graph call")
    expect(legend).to_contain_text("backtrack")


def test_in_a_large_window_the_marks_are_explained_in_the_line(
    open_at: OpenPage, run_id: str
) -> None:
    page = open_at(f"/?run={run_id}", width=1440, height=900)
    expect(page.locator(".st-key-ts-moment .ts-kinds").first).to_be_visible()
    expect(page.locator(".st-key-ts-kinds-more button")).to_be_hidden()


def test_the_answer_in_the_head_leads_down_to_the_panel(open_at: OpenPage, run_id: str) -> None:
    page = open_at(f"/?run={run_id}", width=1024, height=480)
    answer = page.locator("#the-answer")
    expect(answer).not_to_be_in_viewport()
    page.get_by_role("link", name="6 answers").click()
    expect(answer).to_be_in_viewport()
    assert run_id in page.url
