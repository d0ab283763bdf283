"""Linking that asks, in a real browser: the person says which of two towns the question means."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import build
from tests.browser.test_correcting import idle

pytestmark = pytest.mark.browser

WAIT_MS = 20_000
QUESTION = "Who is the mayor of Elmton?"
TOWNS = """\
@prefix t: <http://towns.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
t:mayor rdfs:label "mayor" .
t:ann rdfs:label "Ann Lee" . t:bea rdfs:label "Bea Kim" .
t:north rdfs:label "Elmton" ; schema:description "town in the north <b>hills</b>" ; t:mayor t:ann .
t:south rdfs:label "Elmton" ; schema:description "town by the southern sea" ; t:mayor t:bea .
t:cat rdfs:label "Cat Roe" .
t:bay rdfs:label "Port Oak" ; schema:description "town on the <i>bay</i>" ; t:mayor t:cat .
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("links-home")
    file = home / "towns.ttl"
    file.write_text(TOWNS)
    studio = build(home, environ={})
    studio.import_graph([file], "towns")
    studio.store.close()
    return home


@pytest.fixture
def page(open_page: Callable[..., Page], home: Path) -> Page:
    opened = open_page("app.py", KGCORE_HOME=str(home))
    opened.set_default_timeout(WAIT_MS)
    return opened


def ask(page: Page) -> None:
    page.get_by_role("button", name="Options").click()
    graphs = page.get_by_role("combobox", name="Graphs")
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill("towns")
    graphs.press("Enter")
    idle(page)
    page.get_by_text("Ask me when a name may mean several things").click()
    idle(page)
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill(QUESTION)
    box.press("Enter")
    page.wait_for_url("**run=*")


def answer(page: Page) -> Any:
    return page.locator(".ts-answer.is-open")


@pytest.mark.parametrize(
    "words, mayor, other",
    [("southern sea", "Bea Kim", "Ann Lee"), ("hills", "Ann Lee", "Bea Kim")],
)
def test_the_town_the_person_means_is_the_one_that_answers(
    page: Page, words: str, mayor: str, other: str
) -> None:
    ask(page)
    asked = page.locator(".st-key-ts-link-choice")
    expect(asked.get_by_text("“Elmton” in towns stands for")).to_be_visible()
    expect(asked.get_by_text("by the southern sea")).to_be_visible()
    expect(asked.get_by_text("<b>hills</b>")).to_be_visible()  # text, not markup
    expect(page.locator(".ts-chip", has_text="waiting for you")).to_be_visible()
    asked.get_by_role("radio").nth(_place(asked, words)).check(force=True)
    idle(page)
    asked.get_by_role("button", name="Go on with this choice").click()
    expect(answer(page)).to_contain_text(mayor)
    expect(answer(page)).not_to_contain_text(other)


def test_none_of_these_finds_nothing(page: Page) -> None:
    ask(page)
    asked = page.locator(".st-key-ts-link-choice")
    asked.get_by_role("radio", name="none of these").check(force=True)
    idle(page)
    asked.get_by_role("button", name="Go on with this choice").click()
    expect(page.get_by_text("No answer", exact=True)).to_be_visible()


def look_for(page: Page, text: str) -> Locator:
    """Take none of these, type another name, and return what the name waits with."""
    ask(page)
    asked = page.locator(".st-key-ts-link-choice")
    asked.get_by_role("radio", name="none of these").check(force=True)
    idle(page)
    box = asked.get_by_label("Another name, or an id")
    box.fill(text)
    box.press("Enter")
    idle(page)
    return asked


@pytest.mark.parametrize("text", ["Port Oak", "http://towns.example/bay"])
def test_another_name_is_looked_for_and_what_it_brings_answers(page: Page, text: str) -> None:
    asked = look_for(page, text)
    expect(asked.get_by_text("town on the <i>bay</i>")).to_be_visible()  # text, not markup
    expect(asked.get_by_role("radio", name="Port Oak")).to_be_checked()
    asked.get_by_role("button", name="Go on with this choice").click()
    expect(answer(page)).to_contain_text("Cat Roe")
    expect(page.get_by_text("Port Oak, looked up by hand").first).to_be_visible()


def test_a_name_that_the_graph_does_not_have_is_told_and_the_run_waits(page: Page) -> None:
    asked = look_for(page, "<b>Atlantis</b>")
    told = "nothing is found for “<b>Atlantis</b>” in towns"
    expect(asked.get_by_text(told)).to_be_visible()
    asked.get_by_role("button", name="Go on with this choice").click()
    expect(page.get_by_text("nothing is chosen for “Elmton” yet")).to_be_visible()
    expect(page.locator(".ts-chip", has_text="waiting for you")).to_be_visible()
    box = asked.get_by_label("Another name, or an id")
    box.fill("")
    box.press("Enter")
    idle(page)
    expect(asked.get_by_text(told)).to_have_count(0)
    asked.get_by_role("button", name="Go on with this choice").click()
    expect(page.get_by_text("No answer", exact=True)).to_be_visible()


def test_what_was_typed_is_seen_before_the_run_goes_on_with_it(page: Page) -> None:
    ask(page)
    asked = page.locator(".st-key-ts-link-choice")
    asked.get_by_role("radio", name="none of these").check(force=True)
    idle(page)
    asked.get_by_label("Another name, or an id").fill("Port Oak")
    asked.get_by_role("button", name="Go on with this choice").click()  # without Enter
    expect(asked.get_by_role("radio", name="Port Oak")).to_be_visible()
    idle(page)
    asked.get_by_role("button", name="Go on with this choice").click()
    expect(answer(page)).to_contain_text("Cat Roe")


def _place(asked: Any, words: str) -> int:
    texts = asked.get_by_role("radiogroup").get_by_test_id("stRadioCaption").all_inner_texts()
    return next(place for place, text in enumerate(texts) if words in text)
