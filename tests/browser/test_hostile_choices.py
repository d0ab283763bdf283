"""Hostile text where a run waits for a person: breakpoints, what a name means, triples to approve. Rows S1, S2."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Studio
from kgcore.runs import Breakpoint
from kgcore.runs.breakpoint_file import save_points
from tests.browser.hostile_world import SAID, TOWNS, bring_in, open_studio, shared_out, watcher
from tests.browser.test_ask_page import ask
from tests.browser.test_correcting import idle
from tests.browser.test_debugging import choose
from tests.browser.test_hostile_labels import HOSTILE, Watched

pytestmark = pytest.mark.browser

Watch = Callable[[str], Watched]
POINTS = ("entity", "relation", "graph")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The demo graphs, and graphs with hostile names in which all towns have the same alias."""
    opened = open_studio(tmp_path_factory.mktemp("hostile-choices"))
    for name, text in shared_out().items():
        bring_in(opened, name, text)
    yield opened
    opened.store.close()


@pytest.fixture
def watch(open_page: Callable[..., Page], studio: Studio) -> Iterator[Watch]:
    yield watcher(open_page, studio.home)
    save_points(studio.home, ())


def choose_graphs(watched: Watched, names: Sequence[str]) -> None:
    """Choose these graphs in the open options."""
    page = watched.page
    graphs = page.get_by_role("combobox", name="Graphs", exact=True)
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    for name in names:
        graphs.fill(name[:20])
        expect(page.get_by_role("option").first).to_be_visible()
        watched.check("the graphs that are offered")
        graphs.press("Enter")
        idle(page)
    page.keyboard.press("Escape")  # the list
    watched.check("the graphs that are chosen")


def test_S1_S2_hostile_breakpoints_of_the_next_run_are_text(watch: Watch, studio: Studio) -> None:
    save_points(studio.home, [Breakpoint(on, text[:300]) for text in HOSTILE for on in POINTS])
    watched = watch("")
    page = watched.page
    page.get_by_role("button", name="Options").click()
    choose_graphs(watched, list(shared_out()))
    page.locator(".st-key-ask-breakpoints-open summary").click()
    place = page.locator(".st-key-ts-points-setup")
    expect(place.get_by_test_id("stCheckbox")).to_have_count(len(POINTS) * len(HOSTILE))
    assert "<img src=" in place.inner_text()
    watched.check("the list")
    choose(place.get_by_role("combobox", name="Pause at"), "A graph")
    idle(page)
    place.get_by_role("combobox", name="Label or id").click()
    expect(page.get_by_role("option").filter(has_text="<img src=")).to_be_visible()
    watched.check("the graphs to pause at")
    box = place.get_by_role("combobox", name="Label or id")
    box.fill(HOSTILE[0])
    box.press("Enter")
    idle(page)
    place.get_by_role("button", name="Add").click()
    idle(page)
    watched.check("one that was typed")


def test_S1_S2_hostile_candidates_and_triples_that_wait_are_text(
    watch: Watch, studio: Studio
) -> None:
    """A choice among all that is called alike, then the approval of what was fetched."""
    watched = watch("")
    page = watched.page
    page.get_by_role("button", name="Options").click()
    choose_graphs(watched, list(shared_out()))
    page.get_by_text("Ask me when a name may mean several things").click()
    idle(page)
    page.get_by_role("combobox", name="Approve fetched triples").click()
    page.get_by_role("option", name="All", exact=True).click()
    idle(page)
    page.keyboard.press("Escape")
    ask(page, TOWNS)
    asked = page.locator(".st-key-ts-link-choice")
    expect(asked.get_by_role("radio", name="none of these")).to_have_count(len(shared_out()))
    shown = asked.inner_text()
    for text in SAID[:20]:
        assert " ".join(text.split())[:30] in shown.replace("\u2060", "")
    watched.check("the choice of a name")
    asked.get_by_role("button", name="Go on with this choice").click()
    gate = page.locator(".st-key-ts-gate")
    gate.wait_for()
    idle(page)
    watched.check("the triples that wait")
    assert "<img src=" in gate.inner_text()
    for leaf in gate.get_by_test_id("stButtonGroup").get_by_role("radio", name="–").all():
        leaf.click()
        idle(page)
        watched.check("another leaf")
    gate.get_by_role("radio", name="Edit").first.click()
    idle(page)
    watched.check("a triple that is edited")
