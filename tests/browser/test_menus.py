"""The menus of a run's drawings in a real browser: each act does what it says, and the run stays as it was."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Breakpoint
from kgcore.runs.breakpoint_file import load_points
from tests.browser.test_ask_page import WAIT_MS, graph, wait_for_nodes, wait_until_still
from tests.browser.test_correcting import idle
from tests.browser.test_debugging import OpenPage, button, start_paused
from tests.browser.test_run_drawings import QUESTION, node_named, spot

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("menus-home")


@pytest.fixture(scope="module")
def studio(home: Path) -> Iterator[Studio]:
    made = build(home, environ={})
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def run_id(studio: Studio) -> str:
    """A run on the demo graphs, done."""
    run = studio.ask(Task(QUESTION))
    run.drive()
    return run.id


@pytest.fixture
def page(open_page: OpenPage, home: Path, studio: Studio, run_id: str) -> Iterator[Page]:
    before = studio.store.load(run_id)
    page = open_run(open_page, home, run_id)
    yield page
    assert studio.store.load(run_id) == before, "the run stays as it is"


def open_run(open_page: OpenPage, home: Path, run_id: str, **options: Any) -> Page:
    where: dict[str, Any] = {"query": f"?run={run_id}", "KGCORE_HOME": str(home)}
    page = open_page("app.py", **where, width=1440, height=900, reduced_motion=True, **options)
    page.set_default_timeout(WAIT_MS)
    wait_for_nodes(page, "kg", 10)
    wait_for_nodes(page, "tree", 4)
    return page


def menu_of(page: Page, kind: str, node: str) -> Locator:
    page.mouse.click(*spot(page, kind, node), button="right")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    return menu


def menu_of_line(page: Page) -> Locator:
    """Open the menu of a line of the proof by the keyboard alone, from the film it leaves."""
    page.mouse.click(*spot(page, "kg", node_named(page, "kg", "Inception")))
    idle(page)
    wait_until_still(page)
    graph(page, "kg", "g.host.querySelector('.vis-network').focus()")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("m")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    return menu


def names(menu: Locator) -> set[str]:
    return set(menu.get_by_role("menuitem").all_inner_texts())


def entry(page: Page, name: str) -> Locator:
    return page.get_by_role("menuitem", name=name, exact=True)


def forked(page: Page, parent: str, studio: Studio) -> str:
    page.wait_for_url(lambda url: parent not in url and "run=" in url, timeout=WAIT_MS)
    found = re.search("run=([0-9a-f]{32})", page.url)
    assert found is not None
    record = studio.store.record(found[1])
    assert (record.parent, record.kind) == (parent, "fork")
    return found[1]


def test_what_does_not_apply_is_not_offered(page: Page) -> None:
    root = names(menu_of(page, "tree", "0"))
    assert "Change…" in root
    assert root.isdisjoint({"Prune…", "Pause the next run at this depth"})
    page.keyboard.press("Escape")
    step = names(menu_of(page, "tree", "1"))
    assert {"Change…", "Prune…", "Pause the next run at this depth"} <= step
    page.keyboard.press("Escape")
    line = names(menu_of_line(page))
    assert {"Correct…", "Retract…", "Pause the next run at this relation"} <= line
    assert "Prune…" not in line


def test_a_step_is_changed_and_pruned_from_the_tree(
    page: Page, studio: Studio, run_id: str
) -> None:
    menu_of(page, "tree", "1")
    entry(page, "Change…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Instead of this step", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    idle(page)
    menu_of(page, "tree", "1")
    entry(page, "Prune…").click()
    expect(dialog.get_by_text("is left out of the search")).to_be_visible()
    page.get_by_role("button", name="Start the fork").click()
    fork = forked(page, run_id, studio)
    expect(page.get_by_text("1 change by a person")).to_be_visible()
    assert [act.kind for act in studio.view(fork).acts] == ["prune"]


def test_a_triple_is_retracted_by_keyboard(page: Page, studio: Studio, run_id: str) -> None:
    menu_of_line(page)
    entry(page, "Correct…").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("What it should be")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    idle(page)
    menu_of_line(page)
    entry(page, "Retract…").press("Enter")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("What it should be")).to_have_count(0)
    dialog.get_by_text("Only here", exact=True).click()
    idle(page)
    page.get_by_role("button", name="Save the correction").click()
    forked(page, run_id, studio)


def test_a_relation_is_banned_at_the_entity_it_was_offered_for(
    page: Page, studio: Studio, run_id: str
) -> None:
    menu_of(page, "kg", node_named(page, "kg", "Inception"))
    entry(page, "Ban a relation…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("this relation is not offered any more")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    idle(page)
    menu_of_line(page)
    entry(page, "Ban this relation…").click()
    expect(dialog.get_by_role("combobox", name="Relation")).to_have_value("cast member")
    page.get_by_role("button", name="Start the fork").click()
    fork = forked(page, run_id, studio)
    expect(page.get_by_text("1 change by a person")).to_be_visible()
    assert [(act.kind, act.what) for act in studio.view(fork).acts] == [("ban", "cast member")]


def test_breakpoints_of_the_next_run_are_set_where_a_run_is_over(page: Page, home: Path) -> None:
    depth = int(graph(page, "tree", "g.data.nodes.find(n => n.id === '1') ? 1 : 0"))
    for kind, item, name in (
        ("tree", "1", "Pause the next run at this depth"),
        ("tree", "1", "Pause the next run at such an action"),
        ("kg", node_named(page, "kg", "Inception"), "Pause the next run at this entity"),
    ):
        menu_of(page, kind, item)
        entry(page, name).click()
        expect(page.get_by_text("The next run pauses at").first).to_be_visible()
        idle(page)
    menu_of_line(page)
    entry(page, "Pause the next run at this relation").click()
    idle(page)
    points = load_points(home)
    assert {p.on for p in points} == {"depth", "action", "entity", "relation"}
    assert Breakpoint("depth", number=depth) in points
    assert Breakpoint("entity", "Inception") in points
    assert Breakpoint("relation", "cast member") in points


def test_a_breakpoint_from_the_menu_pauses_the_run_under_way(
    open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page("app.py", KGCORE_HOME=str(tmp_path), width=1440, height=900)
    page.set_default_timeout(WAIT_MS)
    page.get_by_role("button", name="Run", exact=True).wait_for()
    start_paused(page, "An answer")
    button(page, "continue").click()
    line = page.locator(".st-key-ts-run")
    expect(line).to_contain_text(re.compile("Paused: an answer"))
    idle(page)
    menu_of(page, "kg", str(graph(page, "kg", "g.data.nodes[0].id")))
    entry(page, "Pause at this entity").click()
    expect(page.get_by_text("This run pauses at").first).to_be_visible()
    expect(page.get_by_role("button", name="Breakpoints (2)")).to_be_visible()


def test_no_tip_lies_over_what_a_menu_is_about(page: Page) -> None:
    at = spot(page, "kg", node_named(page, "kg", "Inception"))
    page.mouse.move(at[0] - 3, at[1])
    page.mouse.move(*at)
    tip = page.locator(".vis-tooltip").first
    expect(tip).to_be_visible()
    page.mouse.click(*at, button="right")
    expect(page.get_by_role("menu")).to_be_visible()
    expect(tip).to_be_hidden()
    page.mouse.move(at[0] + 1, at[1])
    page.wait_for_timeout(600)  # longer than a tip takes
    expect(tip).to_be_hidden()


def test_the_page_keeps_its_style_when_it_says_what_a_menu_did(page: Page) -> None:
    brand = page.locator(".ts-brand")
    expect(brand).to_have_css("font-size", "17px")
    menu_of(page, "kg", node_named(page, "kg", "Inception"))
    entry(page, "Pause the next run at this entity").press("Enter")
    expect(page.get_by_text("The next run pauses at").first).to_be_visible()
    idle(page)
    expect(brand).to_have_css("font-size", "17px")
    expect(page.locator('[data-testid="stHeader"]')).to_be_hidden()
