"""Knowledge correction in a real browser: the wrong stadium, a triple rejected at the gate, hostile corrections.

The story is Figure 4 of Think-on-Graph: one wrong triple gives a wrong answer; challenged, replaced and reasoned again
the answer is another one, and undoing the correction brings the first one back.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import build
from kgcore.corrections import Correction
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from tests.browser.conftest import Servers
from tests.browser.test_hostile_labels import HOSTILE, Watched
from tests.integration.test_correction_story import CLUBS, LEAGUE, NEW, OLD, QUESTION

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
GRAPHS = {"clubs": CLUBS, "league": LEAGUE}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A server of this module's own: what is approved here counts in every run of its data folder."""
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two graphs of sports clubs; in one of them a stadium is wrong."""
    home = tmp_path_factory.mktemp("correcting-home")
    studio = build(home, environ={})
    for name, text in GRAPHS.items():
        file = home / f"{name}.ttl"
        file.write_text(text, "utf-8")
        studio.import_graph([file], name)
    studio.store.close()
    return home


@pytest.fixture
def open_app(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        return page

    return open_


def idle(page: Page) -> None:
    """Wait until the page has been drawn with what was done last."""
    page.wait_for_timeout(150)
    page.wait_for_function(
        "!document.querySelector('[data-testid=stStatusWidget]')"
        " && document.querySelector('[data-testid=stApp]').dataset.testScriptState !== 'running'"
    )


def ask(page: Page, *, gate: bool = False) -> None:
    """Put the question to the graph with the wrong stadium."""
    page.get_by_role("button", name="Options").click()
    graphs = page.get_by_role("combobox", name="Graphs")
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill("clubs")
    graphs.press("Enter")
    idle(page)
    page.keyboard.press("Escape")
    if gate:
        page.get_by_role("combobox", name="Approve fetched triples").click()
        page.get_by_role("option", name="All", exact=True).click()
        idle(page)
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill(QUESTION)
    box.press("Enter")
    page.wait_for_url("**run=*")


def answered(page: Page, text: str) -> None:
    expect(page.locator(".ts-answer.is-open", has_text=text)).to_be_visible(timeout=WAIT_MS)


def test_a_triple_rejected_at_the_gate_leaves_another_answer(open_app: OpenPage) -> None:
    page = open_app()
    ask(page, gate=True)
    gate = page.locator(".st-key-ts-gate")
    for _ in range(2):  # who has the mascot, then where they play
        gate.wait_for()
        is_venue = gate.get_by_text(OLD).count() > 0
        if is_venue:
            gate.get_by_role("radio", name="Reject").first.click()
            gate.get_by_role("button", name="Reject 1").dblclick()
            break
        gate.get_by_role("button", name="Approve").last.click()
        expect(gate.get_by_text("Rollo Bear")).to_have_count(0)
    expect(page.get_by_text("waiting for you")).to_have_count(0, timeout=WAIT_MS)
    expect(page.get_by_text("No answer", exact=True)).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("Rejected 1 triple").last).to_be_visible()


def test_a_wrong_stadium_is_challenged_replaced_and_reasoned_again(open_app: OpenPage) -> None:
    page = open_app()
    ask(page)
    answered(page, OLD)
    page.get_by_role("button", name="This is wrong").click()
    page.get_by_role("combobox", name="Also ask").fill("league")
    page.get_by_role("combobox", name="Also ask").press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Find the suspect").click()
    first = page.locator(".ts-suspect").first
    expect(first).to_contain_text(OLD)

    page.get_by_role("button", name="Replace").first.click()
    page.get_by_label("What it should be").fill(NEW)
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name=NEW).first).to_be_checked()
    page.get_by_role("button", name="Save the correction").click()
    page.get_by_role("button", name="Undo").wait_for()
    page.get_by_role("button", name="Reason again").first.click()
    answered(page, NEW)
    sides = page.locator(".ts-sides")
    expect(sides).to_contain_text(OLD)
    expect(sides).to_contain_text("0 graph calls")
    expect(page.get_by_text("The answer changed")).to_be_visible()

    rerun = page.url
    page.get_by_role("link", name="Corrections").click()
    page.get_by_role("button", name="Details").first.click()
    page.locator(".st-key-ts-tight-details").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("made a proposal again").first).to_be_visible()
    page.goto(rerun)
    expect(page.get_by_text("a correction takes away")).to_be_visible()
    page.get_by_role("button", name="Reason again").click()
    answered(page, OLD)


def test_hostile_corrections_do_nothing_S1(open_app: OpenPage, home: Path) -> None:
    store = build(home, environ={}).corrections
    for number, text in enumerate(HOSTILE):
        store.propose(
            Correction(
                "",
                "replace",
                Entity(EntityId(f"t:{number}"), text),
                Relation(RelationId("t:r"), text),
                Literal(text),
                Literal(f"new {text}"),
                author=text[:200],
                reason=text[:4000],
                kg=text[:200],
            )
        )
    requests: list[str] = []
    page = open_app("/corrections", requests=requests)
    watched = Watched(page, requests)
    page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
    details = page.get_by_role("button", name="Details")
    details.first.wait_for()
    watched.check("the queue")
    for place in (0, 7):
        details.nth(place).click()
        expect(page.get_by_text("History", exact=True)).to_be_visible()
        page.wait_for_timeout(500)
        watched.check("the details")
    page.get_by_role("button", name="Check all").click()
    page.get_by_role("button", name="Reject", exact=False).last.click()
    page.wait_for_timeout(500)
    watched.check("after a decision")
