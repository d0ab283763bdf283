"""Breakpoints in a real browser: of the set-up, and set while a run waits."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_ask_page import answered
from tests.browser.test_debugging import (
    WAIT_MS,
    OpenPage,
    add_breakpoint,
    breakpoints,
    button,
    line,
    start_paused,
)

pytestmark = pytest.mark.browser


@pytest.fixture
def open_ask(open_page: OpenPage, tmp_path_factory: pytest.TempPathFactory) -> OpenPage:
    folder = tmp_path_factory.getbasetemp() / "breakpoints-home"

    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(folder), **options)
        page.set_default_timeout(WAIT_MS)
        page.get_by_role("button", name="Run", exact=True).wait_for()
        return page

    return open_


def test_a_breakpoint_of_the_set_up_pauses_the_run_and_says_why(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page, "An answer")
    button(page, "continue").click()
    expect(line(page)).to_contain_text(re.compile(r"Paused: an answer – at #\d+"), timeout=WAIT_MS)
    page.reload()
    page.get_by_role("button", name="Options").click()
    page.locator(".st-key-ask-breakpoints-open summary").click()
    place = page.locator(".st-key-ask-breakpoints-open")
    expect(place.get_by_role("button", name="Remove")).to_have_count(1, timeout=WAIT_MS)
    place.get_by_role("button", name="Remove").click()
    expect(place.get_by_role("button", name="Remove")).to_have_count(0, timeout=WAIT_MS)
    page.keyboard.press("Escape")
    button(page, "continue").click()
    answered(page)


def test_a_breakpoint_set_while_the_run_waits_takes_effect(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    breakpoints(page).click()
    place = page.locator(".st-key-ts-points-live")
    add_breakpoint(place, "A relation", "cast member")
    page.keyboard.press("Escape")
    button(page, "continue").click()
    expect(line(page)).to_contain_text("Paused: relation cast member", timeout=WAIT_MS)
    breakpoints(page).click()
    place.locator("label", has_text="relation cast member").click()
    expect(place.get_by_role("switch")).not_to_be_checked(timeout=WAIT_MS)
    page.keyboard.press("Escape")
    button(page, "continue").click()
    answered(page)
    expect(button(page, "stop")).to_have_count(0, timeout=WAIT_MS)
    page.reload()
    answered(page)
    breakpoints(page).click()
    kept = page.locator(".ts-points")
    expect(kept).to_contain_text("relation cast member (switched off)", timeout=WAIT_MS)
