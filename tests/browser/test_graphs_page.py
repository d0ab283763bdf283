"""The page Knowledge graphs in a real browser: imports that outlive a refresh, clicks in the drawing, hostile text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import build
from tests.browser.test_ask_page import wait_for_nodes
from tests.browser.test_hostile_labels import HOSTILE

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
BIG = "".join(
    f'<http://x.org/{n}> <http://www.w3.org/2000/01/rdf-schema#label> "Thing {n}" .\n'
    f"<http://x.org/{n}> <http://x.org/next> <http://x.org/{n + 1}> .\n"
    for n in range(20_000)
)
TABLE = "who,what,whom\nAnn Lee,directed,Night Train\nBob Ray,acted in,Night Train\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs and one whose every text is hostile."""
    home = tmp_path_factory.mktemp("graphs-home")
    studio = build(home, environ={})
    studio.graphs()
    file = home / "hostile.nt"
    file.write_text("".join(hostile_lines()), "utf-8")
    studio.import_graph([file], HOSTILE[1])
    file.unlink()
    return home


def hostile_lines() -> list[str]:
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    lines = []
    for n, text in enumerate(HOSTILE):
        quoted = (
            text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
        )
        for thing in (f"http://x.org/{n}", f"http://x.org/p{n}"):
            lines.append(f'<{thing}> <{label}> "{quoted}" .\n')
        lines.append(f"<http://x.org/hub> <http://x.org/p{n}> <http://x.org/{n}> .\n")
        lines.append(f'<http://x.org/hub> <http://x.org/value{n}> "{quoted}" .\n')
    return [*lines, f'<http://x.org/hub> <{label}> "hub" .\n']


@pytest.fixture
def open_graphs(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query="/graphs" + query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        page.get_by_role("button", name="Add", exact=True).wait_for()
        return page

    return open_


def choose_file(page: Page, name: str, content: str) -> None:
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    )
    page.get_by_role("button", name="Import", exact=True).wait_for()


def test_an_import_begins_once_and_outlives_a_refresh(open_graphs: OpenPage, home: Path) -> None:
    page = open_graphs("?add=1")
    choose_file(page, "big.nt", BIG)
    page.get_by_role("button", name="Import", exact=True).dblclick()
    expect(page.get_by_text(re.compile("big: |was imported"))).to_be_visible(timeout=WAIT_MS)
    page.reload()
    done = page.get_by_text("was imported")
    expect(done).to_be_visible(timeout=WAIT_MS)
    expect(done).to_have_count(1)
    assert "40,000 triples" in done.inner_text()
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url("**graph=big*")
    expect(page.get_by_role("button", name="Remove")).to_be_visible(timeout=WAIT_MS)


def test_a_table_shows_what_its_columns_mean_before_it_is_imported(open_graphs: OpenPage) -> None:
    page = open_graphs("?add=1")
    choose_file(page, "roles.csv", TABLE)
    page.get_by_text("The first row names the columns").click()
    expect(page.get_by_text("whom").first).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("triples they make")).to_be_visible(timeout=WAIT_MS)


def click_first_neighbour(page: Page) -> None:
    """Click the first node of the drawing that is not the one opened."""
    at = page.evaluate(
        """() => {
            const g = Object.entries(globalThis.__kg).find(([k]) => k.startsWith('browse-'))[1];
            const id = g.nodes.getIds().find((i) => i !== 'wd:Q25188');
            const p = g.net.canvasToDOM(g.net.getPosition(id));
            const r = g.host.getBoundingClientRect();
            return [r.left + p.x, r.top + p.y];
        }"""
    )
    page.mouse.click(*at)


def test_a_click_in_the_drawing_opens_an_entity_and_a_reload_leads_back(
    open_graphs: OpenPage,
) -> None:
    page = open_graphs("?graph=demo-wikidata&entity=wd%3AQ25188")
    page.get_by_role("button", name="director").click()
    wait_for_nodes(page, "browse", 2)
    page.wait_for_timeout(1500)  # until the drawing stands still
    click_first_neighbour(page)
    page.wait_for_url(re.compile(r"entity=wd(%3A|:)Q25191"))
    expect(page.locator(".ts-panel-title", has_text="Christopher Nolan")).to_be_visible()
    page.reload()
    expect(page.locator(".ts-panel-title", has_text="Christopher Nolan")).to_be_visible(
        timeout=WAIT_MS
    )
    link = page.locator(".ts-link a").first
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert str(link.get_attribute("href")).startswith("http")


def test_hostile_text_does_nothing(open_graphs: OpenPage) -> None:
    requests: list[str] = []
    page = open_graphs(requests=requests)
    page.get_by_role("button", name=re.compile("xss.png")).first.click()
    page.get_by_placeholder("Search for a name").fill("hub")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("button", name="hub", exact=True).click()
    page.get_by_text("relation", exact=True).first.wait_for()
    follow = page.locator(".st-key-ts-compact button").filter(visible=True)
    for n in (0, 1, 2):
        follow.nth(n).click()
        page.wait_for_timeout(700)
    page.wait_for_timeout(1000)
    assert page.evaluate("window.__xss") is None
    assert "hacked" not in page.title()
    here = urlsplit(page.url).netloc
    assert {urlsplit(url).netloc for url in requests if not url.startswith(("data:", "blob:"))} == {
        here
    }
    for link in page.locator(".ts-pairs a, .ts-link a, .ts-table a").all():
        assert str(link.get_attribute("href")).startswith("http")
