"""The graph in a real browser: drawing, clicks, live changes, camera, safety."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
HANDLE = "globalThis.__kg.kg"


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    page = open_page("graph_app.py")
    wait_for_nodes(page, 3)
    return page


def wait_for_nodes(page: Page, count: int) -> None:
    page.wait_for_function(f"globalThis.__kg?.kg?.nodes.length === {count}")
    page.wait_for_function(f"{HANDLE}.glides.size === 0")
    page.wait_for_timeout(300)  # the camera's own glide


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


def events(page: Page, count: int) -> list[dict[str, Any]]:
    """Return the events Python has seen, once there are ``count`` of them."""
    page.wait_for_function(
        "n => JSON.parse(document.querySelector('[data-testid=stCode] code').innerText).length >= n",
        arg=count,
    )
    return json.loads(page.locator("[data-testid=stCode] code").inner_text())


def camera(page: Page) -> dict[str, Any]:
    return page.evaluate(
        f"({{scale: {HANDLE}.net.getScale(), at: {HANDLE}.net.getViewPosition()}})"
    )


def painted_colors(page: Page) -> int:
    return page.evaluate(
        f"""() => {{
            const canvas = {HANDLE}.host.querySelector('canvas');
            const {{data}} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size;
        }}"""
    )


def test_the_graph_is_painted(page: Page) -> None:
    assert painted_colors(page) > 20


def test_a_click_on_a_node_arrives_in_python(page: Page) -> None:
    page.mouse.click(*node_spot(page, "b"))
    (event,) = events(page, 1)
    assert (event["type"], event["id"]) == ("node", "b")


def test_a_click_on_an_edge_arrives_in_python(page: Page) -> None:
    page.mouse.click(*spot(page, 50, 91))
    (event,) = events(page, 1)
    assert event["type"] == "edge"
    assert event["id"].startswith("x|")


def test_a_click_beside_everything_arrives_in_python(page: Page) -> None:
    page.mouse.click(*spot(page, -150, -80))
    (event,) = events(page, 1)
    assert (event["type"], event["id"]) == ("none", None)


def test_two_clicks_on_one_node_are_two_events(page: Page) -> None:
    page.mouse.click(*node_spot(page, "b"))
    events(page, 1)
    page.wait_for_timeout(700)  # more than a double click
    page.mouse.click(*node_spot(page, "b"))
    first, second = events(page, 2)
    assert first["id"] == second["id"]
    assert first["k"] != second["k"]


def test_a_rerun_keeps_network_and_camera(page: Page) -> None:
    page.evaluate(f"globalThis.before = {HANDLE}.net")
    page.mouse.move(*node_spot(page, "a"))
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(200)
    zoomed = camera(page)
    press(page, "Rerun")
    page.mouse.click(*node_spot(page, "b"))
    events(page, 1)
    assert zoomed["scale"] > 1
    assert camera(page) == zoomed
    assert page.evaluate(f"globalThis.before === {HANDLE}.net")


def test_an_added_node_arrives_as_a_difference(page: Page) -> None:
    page.evaluate(
        f"""() => {{
            globalThis.changes = [];
            {HANDLE}.nodes.on('*', (kind, change) => changes.push([kind, change.items]));
        }}"""
    )
    press(page, "Add")
    wait_for_nodes(page, 4)
    added = [items for kind, items in page.evaluate("changes") if kind == "add"]
    removed = [items for kind, items in page.evaluate("changes") if kind == "remove"]
    assert added == [["n0"]]
    assert removed == []


def test_the_camera_fits_new_nodes_until_the_person_moves_it(page: Page) -> None:
    for count in range(4, 14):
        press(page, "Add")
        wait_for_nodes(page, count)
    fitted = camera(page)
    x, _ = node_spot(page, "n9")
    frame = page.evaluate(f"{HANDLE}.host.getBoundingClientRect().toJSON()")
    assert frame["left"] < x < frame["right"]
    press(page, "Zoom in")
    page.wait_for_timeout(300)
    moved = camera(page)
    press(page, "Add")
    wait_for_nodes(page, 14)
    assert moved["scale"] > fitted["scale"]
    assert camera(page) == moved
    press(page, "Fit to view")
    page.wait_for_timeout(300)
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


def test_a_node_moved_by_python_glides_to_its_place(page: Page) -> None:
    switch(page, "Moved")
    page.wait_for_function(f"{HANDLE}.net.getPosition('x').y === 140")


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


def test_the_tooltip_is_plain_text_and_leaves_with_the_pointer(page: Page) -> None:
    page.mouse.move(*node_spot(page, "x"))
    tooltip = page.locator(".vis-tooltip")
    tooltip.wait_for(state="visible")
    assert "<img src=x" in tooltip.inner_text()
    assert tooltip.locator("img, script").count() == 0
    page.mouse.move(5, 5)
    tooltip.wait_for(state="hidden")


def test_markup_in_labels_and_titles_does_not_run(page: Page) -> None:
    for node in ("x", "a"):
        page.mouse.move(*node_spot(page, node))
        page.wait_for_timeout(400)
    page.mouse.move(*spot(page, 50, 91))
    page.wait_for_timeout(400)
    assert page.title() == "Graph test"


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


def test_the_keyboard_zooms_and_moves_the_view(page: Page) -> None:
    page.evaluate(f"{HANDLE}.host.querySelector('.vis-network').focus()")
    before = camera(page)
    page.keyboard.press("+")
    page.wait_for_timeout(300)
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(100)
    after = camera(page)
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
