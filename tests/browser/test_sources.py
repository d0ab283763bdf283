"""Knowledge sources and Chain-of-Knowledge in a real browser: a question, its cards, another query, a table, hostile cells."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import build
from kgcore.sources.spec import SourceSpec
from tests.browser.test_hostile_labels import HOSTILE, JS

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
QUESTION = "Who discovered Uranus?"
FILMS = b"title,director\nInception,Christopher Nolan\nHeat,Michael Mann\n"
WAIT_MS = 90_000


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a table in which every cell is hostile."""
    folder = tmp_path_factory.mktemp("sources-home")
    table = folder / "odd.csv"
    cells = [text.replace('"', '""').replace("\x00", "") for text in HOSTILE]
    table.write_text("name,text\n" + "".join(f'"Oddity","{cell}"\n' for cell in cells), "utf-8")
    studio = build(folder, environ={})
    studio.graphs()
    about = " ".join(HOSTILE[:6])[:900]
    studio.add_source(SourceSpec("odd", "table", (str(table),), description=about))
    studio.store.close()
    return folder


@pytest.fixture
def open_at(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        return page

    return open_


def ask(page: Page, question: str, source: str) -> str:
    """Choose Chain-of-Knowledge and a source in the set-up, put a question, and return the run's id."""
    page.get_by_role("button", name="Options").click()
    choose(page, "Method", "Chain-of-Knowledge")
    choose(page, "Knowledge sources", source)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill(question)
    box.press("Enter")
    page.wait_for_url("**run=*")
    page.locator(".ts-votes").wait_for()
    return run_of(page)


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of a box."""
    box = page.get_by_role("combobox", name=label)
    box.click()
    page.get_by_role("option", name=option, exact=True).click()


def run_of(page: Page) -> str:
    return page.url.partition("run=")[2].partition("&")[0]


def ended(page: Page) -> None:
    """Wait until the run is over: its queries can be written otherwise."""
    page.locator(".st-key-ts-rationales").get_by_text("Write this query otherwise").first.wait_for(
        state="attached"
    )


def open_queries(page: Page) -> None:
    ended(page)
    page.locator(".st-key-ts-rationales summary").first.click()
    page.get_by_text("Write this query otherwise").first.wait_for()


def query_by_hand(page: Page, query: str) -> None:
    page.get_by_placeholder("SELECT").fill(query)
    page.get_by_role("button", name="Ask", exact=True).click()


def test_a_question_is_answered_and_another_query_makes_a_fork(open_at: OpenPage) -> None:
    page = open_at()
    first = ask(page, QUESTION, "demo-tables")
    cards = page.locator(".st-key-ts-rationales")
    expect(cards).to_contain_text("0 of 5 samples agree")
    ended(page)
    expect(page.locator(".ts-answer.is-open")).to_contain_text("William Herschel")
    expect(cards.locator("del")).to_have_text(QUESTION)
    expect(cards.locator("ins")).to_contain_text("discovered_by: William Herschel")

    open_queries(page)
    expect(cards).to_contain_text("ILIKE 'Uranus'")
    expect(cards).to_contain_text('"discovered_by": "William Herschel"')
    cards.get_by_text("Write this query otherwise").first.click()
    page.get_by_role("textbox", name="Query").fill(
        "SELECT planet, discovered_by FROM planets WHERE planet = 'Neptune'"
    )
    page.get_by_role("button", name="Start the fork").click()
    page.wait_for_url(lambda url: first not in url)
    expect(page.locator(".st-key-ts-rationales ins")).to_contain_text(
        "discovered_by: Johann Galle", timeout=WAIT_MS
    )
    assert run_of(page) not in ("", first)


def test_the_samples_are_those_of_the_sources_when_they_are_asked(open_at: OpenPage) -> None:
    page = open_at()
    page.get_by_role("button", name="Who directed Casablanca?").first.wait_for()
    page.get_by_role("button", name="Options").click()
    choose(page, "Method", "Chain-of-Knowledge")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    sample = page.get_by_role("button", name="What is the symbol of tungsten?").first
    sample.click()
    expect(page.get_by_placeholder("Ask a question")).to_have_value(
        "What is the symbol of tungsten?"
    )


def test_a_table_is_added_and_asked_by_hand(open_at: OpenPage) -> None:
    page = open_at("/sources?add=1")
    page.get_by_role("textbox", name="Name").first.fill("films")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "films.csv", "mimeType": "text/csv", "buffer": FILMS}  # type: ignore[arg-type]
    )
    page.get_by_text("films.csv").first.wait_for()
    page.locator("[data-testid=stFormSubmitButton] button").first.click()
    page.wait_for_url("**source=films*")
    query_by_hand(page, "SELECT director FROM films WHERE title = 'Heat'")
    expect(page.locator("table")).to_contain_text("director: Michael Mann")
    query_by_hand(page, "COPY films TO '/tmp/out.csv'")
    expect(page.locator("[data-testid=stAlert]")).to_contain_text("only SELECT is run here")


def test_hostile_cells_are_text_on_the_page_and_in_the_cards(open_at: OpenPage) -> None:
    requests: list[str] = []
    page = open_at("/sources?source=odd", requests=requests)
    query_by_hand(page, "SELECT text FROM odd")
    expect(page.locator("table")).to_contain_text("<script>")
    page.get_by_text("The query as it was run").click()
    assert_nothing_happened(page, requests)
    query_by_hand(page, f'SELECT "{JS}" FROM odd')
    page.locator("[data-testid=stAlert]").wait_for()
    assert_nothing_happened(page, requests)

    page = open_at(requests=requests)
    ask(page, "What is the text of Oddity?", "odd")
    open_queries(page)
    expect(page.locator(".st-key-ts-rationales")).to_contain_text("<script>")
    assert_nothing_happened(page, requests)


def assert_nothing_happened(page: Page, requests: list[str]) -> None:
    """Assert that no script ran, nothing was loaded from elsewhere, and no link leads out."""
    page.wait_for_timeout(500)
    assert page.evaluate("window.__xss") is None
    assert page.title() != "hacked"
    assert {urlsplit(url).hostname for url in requests} <= {"127.0.0.1", None}
    assert page.locator("a[href*='evil'], a[href^='javascript'], img[src*='xss']").count() == 0
