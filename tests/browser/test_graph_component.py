"""The graph in a real browser: drawing, clicks, live changes, camera, safety."""

import json
from collections.abc import Callable
from itertools import combinations
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
HANDLE = "globalThis.__kg.kg"
EVIL = "<img src=x onerror=\"document.title='hacked'\">"  # an id of the test page


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page that the test may change."""
    page = open_page("graph_app.py", reduced_motion=True)
    wait_for_nodes(page, 3)
    return page


@pytest.fixture(scope="module")
def shared_page(open_shared_page: OpenPage) -> Page:
    page = open_shared_page("graph_app.py", reduced_motion=True)
    wait_for_nodes(page, 3)
    return page


@pytest.fixture
def seen_page(shared_page: Page) -> Page:
    """A page that the test only looks at and clicks on."""
    shared_page.bring_to_front()
    shared_page.mouse.move(5, 5)
    return shared_page


@pytest.fixture(scope="module")
def two_graphs_page(open_shared_page: OpenPage) -> Page:
    page = open_shared_page("two_graphs_app.py", width=1440, reduced_motion=True)
    page.wait_for_function("globalThis.__kg?.tree?.nodes.length > 0")
    page.wait_for_function("globalThis.__kg?.kg?.labels.shown.size > 0")
    return page


@pytest.fixture
def two_graphs(two_graphs_page: Page) -> Page:
    """The page of two graphs with both cameras where they start."""
    page = two_graphs_page
    page.bring_to_front()
    page.mouse.move(5, 5)
    page.get_by_role("button", name="Fit to view").first.click()
    page.get_by_role("button", name="Follow the current node").click()
    return page


def wait_for_nodes(page: Page, count: int) -> None:
    page.wait_for_function(f"globalThis.__kg?.kg?.nodes.length === {count}")
    page.wait_for_function(f"{HANDLE}.glides.size === 0")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def switch(page: Page, name: str) -> None:
    page.get_by_text(name, exact=True).click()


def spot(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return where a point of the graph is in the window."""
    at = page.evaluate(
        f"""([x, y]) => {{
            const graph = {HANDLE}, frame = graph.host.getBoundingClientRect();
            const dom = graph.net.canvasToDOM({{x, y}});
            return [frame.left + dom.x, frame.top + dom.y];
        }}""",
        [x, y],
    )
    return at[0], at[1]


def node_spot(page: Page, node: str) -> tuple[float, float]:
    at = page.evaluate(f"id => {HANDLE}.net.getPosition(id)", node)
    return spot(page, at["x"], at["y"])


def heard(page: Page) -> list[dict[str, Any]]:
    """Return all events Python has seen so far."""
    return json.loads(page.locator("[data-testid=stCode] code").inner_text())


def next_event(page: Page, x: float, y: float) -> dict[str, Any]:
    """Click on a point of the window and return the event that Python sees."""
    before = len(heard(page))
    page.mouse.click(x, y)
    page.wait_for_function(
        "n => JSON.parse(document.querySelector('[data-testid=stCode] code').innerText).length > n",
        arg=before,
    )
    page.wait_for_timeout(500)  # two clicks must not become a double click
    return heard(page)[before]


def camera(page: Page) -> dict[str, Any]:
    return page.evaluate(
        f"({{scale: {HANDLE}.net.getScale(), at: {HANDLE}.net.getViewPosition()}})"
    )


def next_frame(page: Page) -> None:
    """Wait until what was asked for is drawn."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 30)))")


def painted_colors(page: Page) -> int:
    return page.evaluate(
        f"""() => {{
            const canvas = {HANDLE}.host.querySelector('canvas');
            const {{data}} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size;
        }}"""
    )


def test_the_graph_is_painted(seen_page: Page) -> None:
    assert painted_colors(seen_page) > 20


def test_a_click_on_a_node_arrives_in_python(seen_page: Page) -> None:
    event = next_event(seen_page, *node_spot(seen_page, "b"))
    assert (event["type"], event["id"]) == ("node", "b")


def test_a_click_on_an_edge_arrives_in_python(seen_page: Page) -> None:
    event = next_event(seen_page, *spot(seen_page, 50, 91))
    assert event["type"] == "edge"
    assert event["id"].startswith(f"{EVIL}|")


def test_a_click_beside_everything_arrives_in_python(seen_page: Page) -> None:
    event = next_event(seen_page, *spot(seen_page, -150, -80))
    assert (event["type"], event["id"]) == ("none", None)


def test_two_clicks_on_one_node_are_two_events(seen_page: Page) -> None:
    first = next_event(seen_page, *node_spot(seen_page, "b"))
    second = next_event(seen_page, *node_spot(seen_page, "b"))
    assert first["id"] == second["id"]
    assert first["k"] != second["k"]


def test_a_rerun_keeps_network_and_camera(page: Page) -> None:
    page.evaluate(f"globalThis.before = {HANDLE}.net")
    page.mouse.move(*node_spot(page, "a"))
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"{HANDLE}.net.getScale() > 1")
    zoomed = camera(page)
    press(page, "Rerun")
    next_event(page, *node_spot(page, "b"))
    assert camera(page) == zoomed
    assert page.evaluate(f"globalThis.before === {HANDLE}.net")


def test_an_added_node_arrives_as_a_difference(page: Page) -> None:
    page.evaluate(
        f"""() => {{
            globalThis.changes = [];
            for (const set of [{HANDLE}.nodes, {HANDLE}.edges])
                set.on('*', (kind, change) => changes.push([kind, change.items]));
        }}"""
    )
    press(page, "Add")
    wait_for_nodes(page, 4)
    changes = page.evaluate("changes")
    assert changes[:2] == [["add", ["n0"]], ["add", ["b|next|n0"]]]
    assert [change for change in changes[2:] if change != ["update", ["n0"]]] == []


def test_the_camera_fits_new_nodes_until_the_person_moves_it(page: Page) -> None:
    press(page, "Add ten")
    wait_for_nodes(page, 13)
    fitted = camera(page)
    x, _ = node_spot(page, "n9")
    frame = page.evaluate(f"{HANDLE}.host.getBoundingClientRect().toJSON()")
    assert frame["left"] < x < frame["right"]
    press(page, "Zoom in")
    moved = camera(page)
    press(page, "Add")
    wait_for_nodes(page, 14)
    assert moved["scale"] > fitted["scale"]
    assert camera(page) == moved
    press(page, "Fit to view")
    assert camera(page)["scale"] < moved["scale"]


def test_a_recoloured_node_is_an_update(page: Page) -> None:
    page.evaluate(f"globalThis.before = {HANDLE}.net")
    switch(page, "Red")
    page.wait_for_function(f"{HANDLE}.nodes.get('b').color === '#ff0000'")
    assert page.evaluate(f"globalThis.before === {HANDLE}.net")


def test_a_style_that_python_no_longer_sends_is_gone(page: Page) -> None:
    assert page.evaluate(f"{HANDLE}.net.body.nodes.a.options.shadow.enabled") is True
    switch(page, "Plain")
    page.wait_for_function(f"{HANDLE}.net.body.nodes.a.options.shadow.enabled === false")
    ends = page.evaluate(f"{HANDLE}.net.getConnectedNodes('a')")
    assert set(ends) == {"b"}


def test_a_node_moved_by_python_glides_to_its_place(open_page: OpenPage) -> None:
    page = open_page("graph_app.py")
    wait_for_nodes(page, 3)
    page.evaluate(
        f"""id => {{
            globalThis.places = [];
            const note = () => places.push({HANDLE}.net.getPosition(id).y);
            {HANDLE}.net.on('afterDrawing', note);
        }}""",
        EVIL,
    )
    switch(page, "Moved")
    page.wait_for_function(f"id => {HANDLE}.net.getPosition(id).y === 140", arg=EVIL)
    assert page.evaluate("places.every((y, i) => !i || y >= places[i - 1])")


def test_a_dragged_node_stays_where_the_person_put_it(page: Page) -> None:
    x, y = node_spot(page, "a")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=6)
    page.mouse.up()
    dragged = page.evaluate(f"{HANDLE}.net.getPosition('a')")
    switch(page, "Plain")  # renews the node
    page.wait_for_function(f"{HANDLE}.net.body.nodes.a.options.shadow.enabled === false")
    page.wait_for_timeout(400)
    assert dragged["x"] < -40
    assert page.evaluate(f"{HANDLE}.net.getPosition('a')") == dragged


def test_an_empty_graph_says_so(page: Page) -> None:
    switch(page, "Empty")
    wait_for_nodes(page, 0)
    assert page.get_by_text("Nothing to draw yet.").is_visible()


def test_the_tooltip_is_plain_text_and_leaves_with_the_pointer(seen_page: Page) -> None:
    seen_page.mouse.move(*node_spot(seen_page, EVIL))
    tooltip = seen_page.locator(".vis-tooltip")
    tooltip.wait_for(state="visible")
    assert "<img src=x" in tooltip.inner_text()
    assert tooltip.locator("img, script").count() == 0
    seen_page.mouse.move(5, 5)
    tooltip.wait_for(state="hidden")


def test_markup_in_labels_and_titles_does_not_run(seen_page: Page) -> None:
    for node in (EVIL, "a"):
        seen_page.mouse.move(*node_spot(seen_page, node))
        seen_page.wait_for_timeout(400)
    seen_page.mouse.move(*spot(seen_page, 50, 91))
    seen_page.wait_for_timeout(400)
    assert seen_page.title() == "Graph test"


def test_nothing_is_asked_of_another_host(open_page: OpenPage) -> None:
    requests: list[str] = []
    page = open_page("graph_app.py", requests=requests)
    wait_for_nodes(page, 3)
    home = urlsplit(page.url).netloc
    fetched = [address for address in requests if urlsplit(address).scheme not in ("data", "blob")]
    assert fetched
    assert {urlsplit(address).netloc for address in fetched} == {home}


def test_text_follows_the_dark_theme(open_page: OpenPage) -> None:
    page = open_page("graph_app.py", dark=True)
    wait_for_nodes(page, 3)
    color = page.evaluate(f"{HANDLE}.net.body.nodes.a.labelModule.fontOptions.color")
    theme = page.evaluate(
        f"getComputedStyle({HANDLE}.frame).getPropertyValue('--st-text-color').trim()"
    )
    assert color == theme
    assert int(theme.lstrip("#")[:2], 16) > 0xA0


def test_the_keyboard_zooms_and_moves_the_view(seen_page: Page) -> None:
    seen_page.evaluate(f"{HANDLE}.host.querySelector('.vis-network').focus()")
    before = camera(seen_page)
    seen_page.keyboard.press("+")
    seen_page.keyboard.press("Shift+ArrowRight")
    after = camera(seen_page)
    assert after["scale"] > before["scale"]
    assert after["at"]["x"] > before["at"]["x"]


def test_reduced_motion_puts_nodes_in_place_at_once(open_page: OpenPage) -> None:
    page = open_page("graph_app.py", reduced_motion=True)
    wait_for_nodes(page, 3)
    page.evaluate(
        f"""() => {{
            globalThis.places = [];
            {HANDLE}.nodes.on('add', (_, {{items}}) => places.push({HANDLE}.nodes.get(items[0])));
        }}"""
    )
    press(page, "Add")
    wait_for_nodes(page, 4)
    (place,) = page.evaluate("places")
    assert (place["x"], place["y"]) == (400, 60)


def test_the_view_is_kept_when_the_person_leaves_the_page_and_returns(open_page: OpenPage) -> None:
    page = open_page("two_pages_app.py", reduced_motion=True)
    wait_for_nodes(page, 6)
    press(page, "Zoom out")
    page.evaluate(f"{HANDLE}.host.querySelector('.vis-network').focus()")
    page.keyboard.press("Shift+ArrowDown")
    left = camera(page)
    page.get_by_role("link", name="Text").click()
    page.get_by_text("No graph here.").wait_for()
    page.wait_for_function("globalThis.__kg.kg === undefined")
    page.get_by_role("link", name="Drawing").click()
    wait_for_nodes(page, 6)
    assert camera(page)["scale"] == pytest.approx(left["scale"])
    assert camera(page)["at"] == pytest.approx(left["at"])


def test_a_live_graph_keeps_its_network_while_it_grows(open_page: OpenPage) -> None:
    page = open_page("live_app.py")
    page.wait_for_function("globalThis.__kg?.kg?.nodes.length > 1")
    page.evaluate(f"globalThis.before = {HANDLE}.net")
    note = page.get_by_label("Note")
    note.press_sequentially("typed while it grows", delay=60)
    page.wait_for_function(f"{HANDLE}.nodes.length === 20")
    page.wait_for_timeout(1500)  # reruns that change nothing
    assert page.evaluate(f"globalThis.before === {HANDLE}.net")
    assert note.input_value() == "typed while it grows"
    assert camera(page)["scale"] >= 0.79


def test_a_wheel_turn_that_scrolls_the_page_does_not_zoom(seen_page: Page) -> None:
    before = camera(seen_page)
    seen_page.mouse.move(*node_spot(seen_page, "a"))
    seen_page.evaluate(
        """() => {
            globalThis.heard = 0;
            addEventListener('wheel', event => { heard += event.isTrusted }, {capture: true});
            const turn = () => dispatchEvent(new WheelEvent('wheel', {deltaY: 100}));
            globalThis.scrolling = setInterval(turn, 20);
        }"""
    )
    seen_page.wait_for_timeout(100)
    seen_page.mouse.wheel(0, 100)
    seen_page.wait_for_function("heard === 1")
    assert camera(seen_page) == before
    seen_page.evaluate("clearInterval(scrolling)")
    seen_page.wait_for_timeout(400)
    seen_page.mouse.wheel(0, 100)
    seen_page.wait_for_function(f"scale => {HANDLE}.net.getScale() < scale", arg=before["scale"])


def test_two_graphs_of_a_page_have_cameras_of_their_own(two_graphs: Page) -> None:
    before = two_graphs.evaluate("__kg.kg.net.getScale()")
    two_graphs.get_by_role("button", name="Zoom in").last.click()
    assert two_graphs.evaluate("__kg.tree.net.getScale()") == pytest.approx(1.0, rel=1e-3)
    assert two_graphs.evaluate("__kg.kg.net.getScale()") == before


def test_a_large_graph_follows_its_focus_at_a_readable_size(two_graphs: Page) -> None:
    assert two_graphs.evaluate("__kg.tree.net.getScale()") == pytest.approx(0.8, rel=1e-3)
    assert is_in_sight(two_graphs, 18)
    two_graphs.evaluate("__kg.tree.send('event', {type: 'node', id: 17, k: 1})")
    two_graphs.wait_for_function("__kg.tree.data.focus === 17")
    assert two_graphs.evaluate("__kg.tree.net.getScale()") == pytest.approx(0.8, rel=1e-3)
    assert is_in_sight(two_graphs, 17)


def is_in_sight(page: Page, node: int) -> bool:
    return page.evaluate(
        """node => {
            const {net, host} = __kg.tree, {x, y} = net.canvasToDOM(net.getPosition(node));
            return x > 0 && x < host.clientWidth && y > 0 && y < host.clientHeight;
        }""",
        node,
    )


def test_labels_do_not_lie_on_each_other(two_graphs: Page) -> None:
    boxes = two_graphs.evaluate("[...__kg.kg.labels.shown.values()]")
    assert len(boxes) >= 20
    for one, other in combinations(boxes, 2):
        is_beside = one["left"] >= other["right"] or other["left"] >= one["right"]
        is_above = one["top"] >= other["bottom"] or other["top"] >= one["bottom"]
        assert is_beside or is_above


def test_seeds_and_answer_are_always_named(two_graphs: Page) -> None:
    for _ in range(3):
        two_graphs.get_by_role("button", name="Zoom out").first.click()
        next_frame(two_graphs)
        shown = two_graphs.evaluate("[...__kg.kg.labels.shown.keys()]")
        assert {"Inception", "Interstellar", "Michael Caine"} <= set(shown)


def test_a_name_that_found_no_place_appears_on_hover(two_graphs: Page) -> None:
    for _ in range(4):
        two_graphs.get_by_role("button", name="Zoom out").first.click()
        next_frame(two_graphs)
    hidden = two_graphs.evaluate(
        "__kg.kg.nodes.get().find(node => !__kg.kg.labels.shown.has(node.id)).id"
    )
    at = two_graphs.evaluate(
        """id => {
            const {net, host} = __kg.kg, frame = host.getBoundingClientRect();
            const {x, y} = net.canvasToDOM(net.getPosition(id));
            return [frame.left + x, frame.top + y];
        }""",
        hidden,
    )
    two_graphs.mouse.move(at[0], at[1])
    two_graphs.wait_for_function("id => __kg.kg.labels.shown.has(id)", arg=hidden)
