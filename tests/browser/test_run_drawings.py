"""Both drawings of a run in a real browser: hops beside the run, folds, several nodes, undo."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Task, build
from tests.browser.test_ask_page import (
    WAIT_MS,
    click_node,
    count,
    graph,
    wait_for_nodes,
    wait_until_still,
)
from tests.browser.test_debugging import timeline
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
QUESTION = "Which actor starred in both Inception and Interstellar?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drawings-home")


@pytest.fixture(scope="module")
def run_id(home: Path) -> str:
    """A run on the demo graphs, done."""
    studio = build(home, environ={})
    run = studio.ask(Task(QUESTION))
    run.start()
    assert run.join(120)
    studio.store.close()
    return run.id


@pytest.fixture
def page(open_page: OpenPage, home: Path, run_id: str) -> Page:
    page = open_page(
        "app.py",
        query=f"?run={run_id}",
        KGCORE_HOME=str(home),
        width=1440,
        height=900,
        reduced_motion=True,
    )
    page.set_default_timeout(WAIT_MS)
    wait_for_nodes(page, "kg", 10)
    wait_for_nodes(page, "tree", 4)
    return page


def node_named(page: Page, kind: str, start: str) -> str:
    found = graph(page, kind, f"g.data.nodes.find(n => n.label.startsWith({start!r}))?.id ?? null")
    assert found is not None, start
    return str(found)


def places(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = graph(page, "kg", "g.net.getPositions()")
    return found


def spot(page: Page, kind: str, node: str) -> tuple[float, float]:
    wait_until_still(page)
    x, y = graph(
        page,
        kind,
        f"""(() => {{
            const frame = g.host.getBoundingClientRect();
            const at = g.net.canvasToDOM(g.net.getPosition({node!r}));
            return [frame.left + at.x, frame.top + at.y];
        }})()""",
    )
    return x, y


def wait_for_count(page: Page, kind: str, is_right: Callable[[int], bool]) -> None:
    for _ in range(300):
        if is_right(count(page, kind)):
            return
        page.wait_for_timeout(100)
    raise AssertionError(count(page, kind))


def test_a_double_click_shows_one_hop_beside_the_run_and_undo_takes_it_back(page: Page) -> None:
    before = places(page)
    page.mouse.dblclick(*spot(page, "kg", node_named(page, "kg", "Inception")))
    wait_for_count(page, "kg", lambda n: n > len(before))
    after = places(page)
    assert before.items() <= after.items()
    new = after.keys() - before.keys()
    titles = [graph(page, "kg", f"g.nodes.get({name!r}).title") for name in new]
    assert titles
    assert all("not part of the run" in title for title in titles)
    said = page.get_by_text("is no part of the run")
    expect(said).to_be_visible()
    extra = next(name for name in sorted(new) if "\t" not in name)
    click_node(page, "kg", extra)
    expect(page.get_by_text("read from the graphs just now")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    wait_for_count(page, "kg", lambda n: n == len(before))
    assert places(page) == before
    expect(said).to_have_count(0)


def test_leaves_are_folded_and_opened_again_by_the_menu(page: Page) -> None:
    before = places(page)
    film = node_named(page, "kg", "Interstellar")
    page.mouse.click(*spot(page, "kg", film), button="right")
    page.get_by_role("menuitem", name="Fold what hangs on it").click()
    wait_for_count(page, "kg", lambda n: n < len(before))
    folded = places(page)
    fold = node_named(page, "kg", "+")
    assert {n: at for n, at in folded.items() if n != fold}.items() <= before.items()
    click_node(page, "kg", fold)
    wait_for_count(page, "kg", lambda n: n == len(before))
    assert places(page) == before


def test_several_nodes_show_the_triples_among_them(page: Page) -> None:
    click_node(page, "kg", node_named(page, "kg", "Inception"))
    expect(page.locator(".ts-panel-title", has_text="Inception")).to_be_visible()
    page.keyboard.down("Control")
    page.mouse.click(*spot(page, "kg", answer(page)))
    page.keyboard.up("Control")
    expect(page.get_by_text("2 nodes selected")).to_be_visible()
    expect(page.get_by_text("1 triple among them")).to_be_visible()


def answer(page: Page) -> str:
    found: str = graph(page, "kg", "g.nodes.get().find(n => n.shape === 'star').id")
    return found


def test_a_branch_of_the_search_tree_folds_and_unfolds(page: Page) -> None:
    before = count(page, "tree")
    page.mouse.dblclick(*spot(page, "tree", "1"))
    wait_for_count(page, "tree", lambda n: n < before)
    assert graph(page, "tree", "g.data.nodes.find((n) => n.id === '+1').label").startswith("+")
    click_node(page, "tree", "+1")
    wait_for_count(page, "tree", lambda n: n == before)


def test_the_subgraph_of_a_node_of_the_tree_is_shown_alone(page: Page) -> None:
    before = places(page)
    page.mouse.click(*spot(page, "tree", "0"), button="right")
    page.get_by_role("menuitem", name="Show its subgraph alone").click()
    wait_for_count(page, "kg", lambda n: 0 < n < len(before))
    assert places(page).items() <= before.items()
    page.get_by_role("button", name="Undo").first.click()
    wait_for_count(page, "kg", lambda n: n == len(before))


def test_graphs_that_cannot_be_asked_are_told_in_one_line(open_page: OpenPage, home: Path) -> None:
    first, *rest = made.entries()  # a run on graphs that are not here
    studio = build(home, environ={})
    studio.store.create(first.body, entries=rest)
    studio.store.close()
    query = f"?run={first.body.run_id}"
    page = open_page("app.py", query=query, KGCORE_HOME=str(home), reduced_motion=True)
    page.set_default_timeout(WAIT_MS)
    wait_for_nodes(page, "kg", 3)
    page.mouse.dblclick(*spot(page, "kg", made.INCEPTION.id))
    line = page.get_by_test_id("stCaptionContainer").filter(has_text=made.KG)
    expect(line).to_be_visible()
    assert "\n" not in line.inner_text().strip()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_what_is_shown_takes_the_colours_of_a_theme_that_changes(page: Page) -> None:
    chip = page.locator(".ts-chip").first
    for scheme, color in (("dark", "rgb(230, 235, 242)"), ("light", "rgb(27, 36, 48)")):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect(chip).to_have_css("color", color, timeout=WAIT_MS)


def put_down(page: Page, kind: str, node: str, by: tuple[int, int]) -> dict[str, int]:
    x, y = spot(page, kind, node)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=6)
    page.mouse.up()
    found: dict[str, int] = graph(page, kind, f"g.net.getPosition({node!r})")
    return found


def test_a_node_that_was_moved_is_there_after_a_reload_until_it_is_put_back(page: Page) -> None:
    before = places(page)
    film = node_named(page, "kg", "Interstellar")
    moved = put_down(page, "kg", film, (20, -35))
    assert moved != before[film]
    page.reload()
    wait_for_nodes(page, "kg", 10)
    wait_until_still(page)
    assert places(page) == before | {film: moved}
    page.locator("[class*=st-key-kg-]").get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("menuitem", name="Put moved nodes back").click()
    wait_until_still(page)
    assert places(page) == before
    page.reload()
    wait_for_nodes(page, "kg", 10)
    assert places(page) == before


def test_the_fit_button_is_pressed_only_where_all_that_is_drawn_is_fitted(page: Page) -> None:
    place = page.locator("[class*=st-key-kg-]")
    fit = place.get_by_role("button", name="Fit to view")
    expect(fit).to_have_attribute("aria-pressed", "true")
    timeline(page).focus()
    whole = count(page, "kg")
    for _ in range(60):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(120)
        if 0 < count(page, "kg") < whole:
            break
    wait_for_count(page, "kg", lambda n: 0 < n < whole)
    expect(fit).to_have_attribute("aria-pressed", "false")
    before = graph(page, "kg", "g.net.getScale()")
    fit.click()
    expect(fit).to_have_attribute("aria-pressed", "true")
    wait_until_still(page)
    assert graph(page, "kg", "g.net.getScale()") >= before


def test_a_hop_names_its_lines_and_no_name_lies_under_the_buttons(page: Page) -> None:
    page.mouse.dblclick(*spot(page, "kg", node_named(page, "kg", "Anne Hathaway")))
    page.get_by_text("is no part of the run").wait_for()
    wait_until_still(page)
    shown = set(graph(page, "kg", "[...g.labels.shown.keys()]"))
    new = graph(page, "kg", "g.data.edges.filter(e => e.isNew).map(e => e.id)")
    assert len(shown.intersection(new)) * 2 >= len(new), "most of what was just opened is named"
    boxed = graph(page, "kg", "g.data.nodes.filter(n => n.kind === 'extra value').map(n => n.id)")
    assert boxed
    for name in boxed:  # one text, at its node
        off = graph(
            page,
            "kg",
            f"""(() => {{
                const box = g.labels.shown.get({name!r}), at = g.net.getPosition({name!r});
                if (!box) return 0;
                return Math.hypot((box.left + box.right) / 2 - at.x, (box.top + box.bottom) / 2 - at.y);
            }})()""",
        )
        assert off < 1
    under = graph(
        page,
        "kg",
        """(() => {
            const [corner] = g.labels.corners();
            const isUnder = (b) => b.left < corner.right && b.right > corner.left &&
                b.top < corner.bottom && b.bottom > corner.top;
            return [...g.labels.shown].filter(([, box]) => isUnder(box)).map(([id]) => id);
        })()""",
    )
    assert under == []
