"""The approval gate in a real browser: one triple is edited, one approved, before the run goes on with both."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import build
from tests.browser.test_correcting import idle
from tests.integration.test_cli_gate import QUESTION, TOY

pytestmark = pytest.mark.browser

WAIT_MS = 60_000


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("gate-home")
    file = home / "toy.ttl"
    file.write_text(TOY)
    studio = build(home, environ={})
    studio.import_graph([file], "toy")
    studio.store.close()
    return home


def ask(page: Page) -> None:
    page.get_by_role("button", name="Options").click()
    graphs = page.get_by_role("combobox", name="Graphs")
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill("toy")
    graphs.press("Enter")
    idle(page)
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Approve fetched triples").click()
    page.get_by_role("option", name="All", exact=True).click()
    idle(page)
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill(QUESTION)
    box.press("Enter")
    page.wait_for_url("**run=*")


def test_a_triple_is_edited_at_the_gate_and_the_run_goes_on_with_what_was_written(
    open_page: Callable[..., Page], home: Path
) -> None:
    page = open_page("app.py", KGCORE_HOME=str(home), height=1000)
    page.set_default_timeout(WAIT_MS)
    ask(page)
    gate = page.locator(".st-key-ts-gate")
    rows = gate.locator(".ts-diff")
    expect(rows).to_have_count(2, timeout=WAIT_MS)
    expect(page.locator(".st-key-ts-moment")).to_contain_text("waits for you", timeout=WAIT_MS)
    place = next(n for n, text in enumerate(rows.all_inner_texts()) if "Ann Lee" in text)
    gate.get_by_role("radio", name="Edit").nth(place).check(force=True)
    idle(page)
    send = gate.get_by_role("button", name="Approve 1, edit 1")
    expect(send).to_be_disabled(timeout=WAIT_MS)
    box = gate.get_by_role("textbox", name="should end in")
    box.fill("Cy Orr")
    box.press("Enter")
    expect(rows.nth(place)).to_contain_text("Cy Orr", timeout=WAIT_MS)
    send.click()
    answer = page.locator(".ts-answer.is-open")
    expect(answer).to_contain_text("Cy Orr", timeout=WAIT_MS)
    expect(answer).to_contain_text("Bea Kim")
    expect(answer).not_to_contain_text("Ann Lee")
    expect(page.get_by_text("1 change by a person")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".lg .is-human").first).to_be_visible(timeout=WAIT_MS)
    page.reload()
    expect(answer).to_contain_text("Cy Orr", timeout=WAIT_MS)
    expect(page.get_by_text("1 change by a person")).to_be_visible(timeout=WAIT_MS)
