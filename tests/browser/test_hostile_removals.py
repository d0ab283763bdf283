"""Hostile names in what asks before something is removed, and in what a look at a graph or a source says. S1, S2."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Studio
from kgcore.kg.connections import Connection
from kgcore.sources.spec import SourceSpec
from tests.browser.hostile_world import SAID, open_studio, shared_out, watcher
from tests.browser.test_correcting import idle
from tests.browser.test_hostile_labels import Watched, keep, run_of_all_texts
from tests.servers.faulty_server import FaultyServer, Reply

pytestmark = pytest.mark.browser

Watch = Callable[[str], Watched]
MARKUP, PICTURE, LINK = SAID[1], SAID[15], SAID[17]


@pytest.fixture(scope="module")
def refusing() -> Iterator[FaultyServer]:
    """A service that says no, with hostile words."""
    with FaultyServer([Reply(400, body=" ".join(SAID[:24]).encode())]) as server:
        yield server


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, refusing: FaultyServer) -> Iterator[Studio]:
    """Graphs, connections, sources and a run with hostile names."""
    opened = open_studio(tmp_path_factory.mktemp("removals"), **shared_out())
    for name in (MARKUP, PICTURE, LINK):
        opened.add_connection(
            Connection(f"far {name}", "sparql", refusing.url("/sparql")), anyway=True
        )
    wiki = SourceSpec("wiki", "wiki", (refusing.url("/w/api.php"),), description=MARKUP)
    opened.add_source(wiki, anyway=True)
    listed = opened.home / "sources.yaml"  # a person may write into it
    by_hand = {"kind": MARKUP, "where": LINK, "description": PICTURE}
    lines = [f"- {json.dumps({'name': n, **by_hand})}\n" for n in (MARKUP, PICTURE, LINK)]
    listed.write_text(listed.read_text("utf-8") + "".join(lines), "utf-8")
    for number, text in enumerate((MARKUP, PICTURE, LINK), 1):
        keep(opened.store, number, run_of_all_texts(text))
    yield opened
    opened.store.close()


@pytest.fixture
def watch(open_page: Callable[..., Page], studio: Studio) -> Watch:
    return watcher(open_page, studio.home, KGCORE_ALLOW_PRIVATE_ENDPOINTS="1")


def remove(watched: Watched, name: str, confirm: str) -> None:
    """Open what asks first, and remove it; the name is text in the question and in what is said of it."""
    page = watched.page
    page.get_by_role("button", name="Remove", exact=True).click()
    asked = page.get_by_test_id("stPopoverBody")
    expect(asked).to_contain_text("Remove")
    assert name in asked.inner_text().replace("\u2060", "")  # which takes an address its link
    watched.check(f"asked before {name} is removed")
    asked.get_by_role("button", name=confirm).click()
    expect(asked).to_have_count(0)
    idle(page)
    watched.check(f"{name} was removed")


@pytest.mark.parametrize("name", [MARKUP, PICTURE, LINK])
def test_S1_S2_a_hostile_connection_is_looked_at_and_removed(watch: Watch, name: str) -> None:
    watched = watch(f"graphs?graph={quote('far ' + name)}")
    page = watched.page
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".ts-pairs")).to_contain_text("does not answer")
    watched.check("the verdict")
    remove(watched, f"far {name}"[:40], "Remove it")
    expect(page.get_by_test_id("stToast")).to_contain_text("was removed")


def test_S1_S2_a_hostile_graph_of_a_file_is_removed(watch: Watch, studio: Studio) -> None:
    name = next(name for name in shared_out() if "<img src=" in name)
    watched = watch(f"graphs?graph={quote(name)}")
    remove(watched, name[:40], "Remove it")
    expect(watched.page.get_by_test_id("stToast")).to_contain_text("<img src=")
    assert name not in [graph.name for graph in studio.graphs()]


def test_S1_S2_what_a_hostile_source_says_when_it_is_looked_at_is_text(watch: Watch) -> None:
    watched = watch("sources?source=wiki")
    page = watched.page
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_text("cannot be asked")).to_be_visible()
    watched.check("the verdict")


@pytest.mark.parametrize("name", [MARKUP, PICTURE, LINK])
def test_S1_S2_a_hostile_source_written_by_hand_is_removed(
    watch: Watch, studio: Studio, name: str
) -> None:
    watched = watch("sources")
    page = watched.page
    page.locator("[class*='st-key-sources-open-'] button").filter(has_text=name[:3]).first.click()
    idle(page)
    remove(watched, name[:40], "Remove")
    assert name not in [info.name for info in studio.source_infos()]


def test_S1_S2_hostile_runs_are_deleted_and_brought_back(watch: Watch) -> None:
    watched = watch("runs")
    page = watched.page
    rows = page.locator("[class*='st-key-ts-run-d']")
    expect(rows).to_have_count(3)
    rows.first.locator("[data-testid=stCheckbox] label").click()
    page.get_by_role("button", name="Delete 1").click()
    expect(page.get_by_text("1 run deleted.")).to_be_visible()
    watched.check("what undoes it")
    page.get_by_role("button", name="Undo").click()
    expect(rows).to_have_count(3)
    watched.check("brought back")
    assert "<img src=" in page.get_by_test_id("stMain").inner_text()
