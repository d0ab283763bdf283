"""Finding a name that is folded behind a "+n" node: it is opened, centred and picked; by keyboard alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import build
from kgcore.model import Entity, EntityId, Provenance, Triple
from kgcore.steps import NodeAdded
from tests.browser.test_ask_page import WAIT_MS, graph, wait_for_nodes, wait_until_still
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
PEOPLE = tuple(Entity(EntityId(f"x:p{i}"), f"Actor {i}", kg=made.KG) for i in range(31))
FAR = PEOPLE[30]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a run that met more people than are drawn at once."""
    home = tmp_path_factory.mktemp("find-home")
    bodies: list[Any] = made.story()
    cast = tuple(Triple(made.INTERSTELLAR, made.CAST, p, Provenance(made.KG)) for p in PEOPLE)
    bodies.insert(-4, NodeAdded(7, 2, 2, "select_relation", "cast member", triples=cast))
    first, *rest = made.entries(bodies)
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
    wait_for_nodes(page, "kg", 10)
    wait_for_nodes(page, "tree", 6)
    wait_until_still(page)
    return page


def frame(page: Page, kind: str) -> Locator:
    return page.locator(f"[class*=st-key-{kind}-] .kg-frame")


def wait_for(page: Page, kind: str, expression: str) -> None:
    for _ in range(300):
        if graph(page, kind, expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(expression)


def look_for(page: Page, kind: str, text: str) -> None:
    frame(page, kind).get_by_role("button", name="Find a name").click()
    page.keyboard.type(text)


CENTRED = """(() => {
    if (!g.goals.has(%(id)r)) return false;
    const at = g.net.getPosition(%(id)r), view = g.net.getViewPosition();
    return Math.hypot(at.x - view.x, at.y - view.y) * g.net.getScale() < 3;
})()"""


def test_an_entity_behind_a_fold_is_found_opened_centred_and_picked(page: Page) -> None:
    assert not graph(page, "kg", f"g.goals.has({FAR.id!r})")
    look_for(page, "kg", "actor 30")
    option = frame(page, "kg").get_by_role("option")
    expect(option).to_have_text(["Actor 30folded"])
    page.keyboard.press("Enter")
    wait_for(page, "kg", CENTRED % {"id": FAR.id})
    expect(page.locator(".ts-panel-title", has_text="Actor 30")).to_be_visible()
    expect(frame(page, "kg").get_by_role("combobox")).to_be_focused()
    frame(page, "kg").get_by_role("button", name="Undo").click()
    wait_for(page, "kg", f"!g.goals.has({FAR.id!r})")


def test_a_name_that_the_run_has_not_seen_is_told_as_such(page: Page) -> None:
    look_for(page, "kg", "somebody else")
    expect(frame(page, "kg").get_by_text("not in what the run has seen").first).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    look_for(page, "tree", "no step of this kind")
    expect(frame(page, "tree").get_by_text("not in what the run has seen").first).to_be_visible()


def test_a_step_in_a_branch_that_was_folded_is_found_by_keyboard(page: Page) -> None:
    canvas = frame(page, "tree").locator(".vis-network")
    canvas.focus()
    page.keyboard.press("Home")
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    assert graph(page, "tree", "g.tools.cursor.id") == "0"
    page.keyboard.press("m")
    page.get_by_role("menuitem", name="Fold or unfold its branch").click()
    wait_for(page, "tree", "g.nodes.get().some((n) => n.kind === 'fold')")
    canvas.focus()
    page.keyboard.press("/")
    page.keyboard.type("#7 ")
    expect(frame(page, "tree").get_by_role("option").first).to_contain_text("cast member")
    page.keyboard.press("ArrowDown")
    wait_for(page, "tree", CENTRED % {"id": "7"})
    wait_for(page, "tree", "g.net.getSelection().nodes[0] === '7'")
