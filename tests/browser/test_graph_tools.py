"""What a person does with a graph in a real browser: menus, keyboard, search, several nodes, pictures, safety."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from defusedxml import ElementTree as SafeElementTree
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_graph_component import HANDLE, camera, heard, node_spot
from tests.browser.test_hostile_labels import WALK

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
SVG = "{http://www.w3.org/2000/svg}"
EVIL_IMAGE = '<img src="xss.png" onerror='


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    page = open_page("graph_tools_app.py", reduced_motion=True)
    page.wait_for_function("globalThis.__kg?.kg?.labels.shown.size > 8")
    page.get_by_role("button", name="Menu", exact=True).wait_for()
    return page


def tool(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def focus(page: Page) -> None:
    page.evaluate(f"{HANDLE}.host.querySelector('.vis-network').focus()")


def told(page: Page) -> str:
    return page.evaluate(f"{HANDLE}.tools.live.textContent")


def last(page: Page, n: int) -> dict[str, Any]:
    """Wait for the n-th event and return it without its counter."""
    page.wait_for_function(
        "n => JSON.parse(document.querySelector('[data-testid=stCode] code').innerText).length >= n",
        arg=n,
    )
    event = heard(page)[n - 1]
    event.pop("k")
    return event


def edge_spot(page: Page, edge: str) -> tuple[float, float]:
    at = page.evaluate(
        f"""id => {{
            const graph = {HANDLE}, frame = graph.host.getBoundingClientRect();
            const at = graph.net.canvasToDOM(graph.net.body.edges[id].edgeType.getPoint(0.5));
            return [frame.left + at.x, frame.top + at.y];
        }}""",
        edge,
    )
    return at[0], at[1]


# menus


def test_a_right_click_opens_the_menu_of_a_node_and_an_entry_reaches_python(page: Page) -> None:
    page.mouse.click(*node_spot(page, "y:zimmer"), button="right")
    menu = page.get_by_role("menu")
    expect(menu).to_contain_text("Hans Zimmer")
    page.get_by_role("menuitem", name="Show one hop").click()
    assert last(page, 1) == {"type": "menu", "action": "grow", "id": "y:zimmer"}
    expect(menu).to_be_hidden()


def test_each_kind_of_item_has_its_own_menu(page: Page) -> None:
    page.mouse.click(*node_spot(page, "+\tmore"), button="right")
    expect(page.get_by_role("menuitem", name="Show them")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Show one hop")).to_have_count(0)
    page.keyboard.press("Escape")
    page.mouse.click(*edge_spot(page, "e8"), button="right")
    page.get_by_role("menuitem", name="Look at it").click()
    assert last(page, 1) == {"type": "menu", "action": "look", "id": "e8"}


def test_the_menu_is_reached_and_left_by_keyboard_alone(page: Page) -> None:
    focus(page)
    page.keyboard.press("Home")
    assert told(page).startswith("Inception")
    page.keyboard.press("m")
    entries = page.get_by_role("menuitem")
    expect(entries.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(entries.last).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_be_hidden()
    page.keyboard.press("ArrowLeft")  # the drawing has the focus again
    assert told(page).startswith("Hans Zimmer")
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    assert last(page, 1) == {"type": "menu", "action": "grow", "id": "y:zimmer"}


def test_the_menu_button_offers_what_the_right_click_does(page: Page) -> None:
    page.mouse.click(*node_spot(page, "y:zimmer"))
    last(page, 1)
    tool(page, "Menu").click()
    names = page.get_by_role("menuitem").all_inner_texts()
    assert {"Show one hop", "Centre on it", "Save as PNG", "Show all"} <= set(names)
    page.keyboard.press("Escape")
    expect(tool(page, "Menu")).to_be_focused()


def test_only_web_addresses_become_links(page: Page) -> None:
    page.mouse.click(*node_spot(page, "x:film"), button="right")
    link = page.get_by_role("menuitem", name="Open its page")
    assert link.get_attribute("href") == "https://e.example/film"
    assert link.get_attribute("rel") == "noopener noreferrer"
    for node in (
        "x:caine",
        page.evaluate(f"{HANDLE}.nodes.getIds().find(i => i.startsWith('<img'))"),
    ):
        page.keyboard.press("Escape")
        page.mouse.click(*node_spot(page, node), button="right")
        expect(page.get_by_role("menuitem", name="Centre on it")).to_be_visible()
        expect(page.get_by_role("menuitem", name="Open its page")).to_have_count(0)


def test_an_id_is_copied(page: Page) -> None:
    page.mouse.click(*node_spot(page, "x:film"), button="right")
    page.get_by_role("menuitem", name="Copy its id").click()
    page.wait_for_function(f"{HANDLE}.tools.live.textContent === 'Copied'")


def test_an_undo_reaches_python_by_button_and_by_keyboard(page: Page) -> None:
    tool(page, "Undo").click()
    assert last(page, 1) == {"type": "undo", "id": None}
    focus(page)
    page.keyboard.press("Control+z")
    assert last(page, 2) == {"type": "undo", "id": None}


# clicks and the keyboard's cursor


def test_a_double_click_opens_and_is_one_click_beside(page: Page) -> None:
    page.mouse.dblclick(*node_spot(page, "y:zimmer"))
    page.wait_for_timeout(1200)
    types = [(event["type"], event["id"]) for event in heard(page)]
    assert ("open", "y:zimmer") in types
    assert len(types) <= 2
    assert types.count(("open", "y:zimmer")) == 1


def test_arrow_keys_walk_over_nodes_and_enter_picks(page: Page) -> None:
    before = camera(page)
    focus(page)
    seen = set()
    for key in (
        "Home",
        "ArrowRight",
        "ArrowRight",
        "ArrowDown",
        "ArrowLeft",
        "ArrowLeft",
        "ArrowUp",
    ):
        page.keyboard.press(key)
        seen.add(page.evaluate(f"{HANDLE}.tools.cursor.id"))
    assert len(seen) >= 5
    assert camera(page) == before  # all of it was in sight
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert last(page, 1) == {"type": "node", "id": "x:film"}
    page.keyboard.press("Escape")
    assert last(page, 2) == {"type": "none", "id": None}


def test_lines_are_reached_by_keyboard_too(page: Page) -> None:
    focus(page)
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("Enter")
    event = last(page, 1)
    assert event["type"] == "edge"
    ends = page.evaluate(f"id => {HANDLE}.net.getConnectedNodes(id)", event["id"])
    assert "x:film" in ends


def test_the_cursor_is_seen_only_while_the_graph_has_the_focus(page: Page) -> None:
    ringed = f"""(() => {{
        const {{host, labels, net, place}} = {HANDLE};
        const box = labels.nodeBox('x:film'), at = net.canvasToDOM({{x: box.left - 5 / net.getScale(), y: 0}});
        const ratio = host.querySelector('canvas').width / host.clientWidth;
        const context = host.querySelector('canvas').getContext('2d');
        const {{data}} = context.getImageData((at.x - 4) * ratio, (at.y - 20) * ratio, 8 * ratio, 40 * ratio);
        const [r, g, b] = getComputedStyle({HANDLE}.frame).getPropertyValue('--st-primary-color').trim()
            .match(/[0-9a-f]{{2}}/gi).map(part => parseInt(part, 16));
        let n = 0;
        for (let i = 0; i < data.length; i += 4)
            n += Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 40;
        return n;
    }})()"""
    assert page.evaluate(ringed) == 0
    focus(page)
    page.keyboard.press("Home")
    page.wait_for_function(f"{ringed} > 10")
    page.keyboard.press("Tab")
    page.wait_for_function(f"{ringed} === 0")


def test_the_graph_says_what_it_is_and_which_keys_it_takes(page: Page) -> None:
    label = page.locator(".vis-network").get_attribute("aria-label") or ""
    assert label.startswith("Graph with 11 nodes and 13 edges.")
    assert "Arrow keys" in label
    assert page.locator(".kg-live").get_attribute("aria-live") == "polite"


# finding


def test_a_name_is_found_without_its_accents_and_enter_picks_it(page: Page) -> None:
    tool(page, "Find a name").click()
    page.keyboard.type("lea")
    options = page.get_by_role("option")
    expect(options).to_have_text(["Léa Seydoux", "Lea Thompson"])
    for n, name in enumerate(("x:caine", "x:lea", "x:caine", "x:lea"), 1):
        page.keyboard.press("Enter")
        assert last(page, n) == {"type": "node", "id": name}
        expect(options).to_have_count(0)
        page.wait_for_function(
            f"""id => {{
                const at = {HANDLE}.net.getPosition(id), view = {HANDLE}.net.getViewPosition();
                return Math.hypot(at.x - view.x, at.y - view.y) < 2;
            }}""",
            arg=name,
        )
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()
    page.keyboard.press("Enter")
    assert last(page, 5) == {"type": "node", "id": "x:lea"}


def test_arrows_go_from_hit_to_hit_and_pick_nothing(page: Page) -> None:
    tool(page, "Find a name").click()
    page.keyboard.type("lea")
    for name in ("x:caine", "x:lea", "x:caine"):
        page.keyboard.press("ArrowDown")
        page.wait_for_function(f"id => {HANDLE}.tools.cursor.id === id", arg=name)
    assert heard(page) == []
    page.get_by_role("option").nth(1).click()
    assert last(page, 1) == {"type": "node", "id": "x:lea"}
    expect(page.get_by_role("option")).to_have_count(0)


def test_the_list_of_hits_closes_when_the_person_turns_to_something_else(page: Page) -> None:
    tool(page, "Find a name").click()
    page.keyboard.type("lea")
    expect(page.get_by_role("option")).to_have_count(2)
    page.locator("[data-testid=stCode]").click()
    expect(page.get_by_role("option")).to_have_count(0)


def test_what_is_not_there_is_not_found(page: Page) -> None:
    focus(page)
    page.keyboard.press("/")
    page.keyboard.type("nobody of this name")
    expect(page.locator(".kg-find output")).to_have_text("nothing found")
    page.keyboard.press("Enter")
    assert heard(page) == []


# several


def test_clicks_with_ctrl_and_shift_select_several(page: Page) -> None:
    page.mouse.click(*node_spot(page, "x:film"))
    last(page, 1)
    page.wait_for_timeout(500)
    page.keyboard.down("Control")
    page.mouse.click(*node_spot(page, "y:zimmer"))
    page.keyboard.up("Control")
    event = last(page, 2)
    assert (event["type"], set(event["ids"])) == ("several", {"x:film", "y:zimmer"})
    expect(page.locator(".kg-many")).to_contain_text("2 selected")
    page.wait_for_timeout(500)
    page.keyboard.down("Shift")
    page.mouse.click(*node_spot(page, "x:film"))
    page.keyboard.up("Shift")
    assert last(page, 3) == {"type": "node", "id": "y:zimmer"}


@pytest.mark.parametrize("way", ["button", "shift"])
def test_a_frame_selects_what_is_in_it(page: Page, way: str) -> None:
    before = camera(page)
    left, right = node_spot(page, "y:zimmer"), node_spot(page, "x:film")
    if way == "button":
        tool(page, "Select several in a frame").click()
    else:
        page.keyboard.down("Shift")
    page.mouse.move(left[0] - 30, left[1] - 30)
    page.mouse.down()
    page.mouse.move(right[0] + 20, right[1] + 20, steps=5)
    page.mouse.up()
    page.keyboard.up("Shift")
    assert set(last(page, 1)["ids"]) == {"y:zimmer", "x:film"}
    assert camera(page) == before
    page.get_by_role("button", name="Clear").click()
    assert last(page, 2) == {"type": "none", "id": None}
    expect(page.locator(".kg-many")).to_be_hidden()


def test_the_keyboard_selects_several(page: Page) -> None:
    focus(page)
    for key in ("Home", " ", "ArrowLeft", " "):
        page.keyboard.press(key)
    page.wait_for_function(f"{HANDLE}.tools.picking.ids.size === 2")
    page.wait_for_function(
        "document.querySelector('[data-testid=stCode] code').innerText.includes('several')"
    )


# growing


def test_a_camera_that_was_moved_stands_still_while_the_graph_grows(page: Page) -> None:
    tool(page, "Zoom in").click()
    before = camera(page)
    places = page.evaluate(f"{HANDLE}.net.getPositions()")
    for n in (5, 10):
        page.get_by_role("button", name="Grow").click()
        page.wait_for_function(f"n => {HANDLE}.nodes.length === 11 + n", arg=n)
    page.wait_for_timeout(400)
    assert camera(page) == before
    after = page.evaluate(f"{HANDLE}.net.getPositions()")
    assert places.items() <= after.items()


def test_new_nodes_glide_in_from_their_neighbour(open_page: OpenPage) -> None:
    page = open_page("graph_tools_app.py")
    page.wait_for_function("globalThis.__kg?.kg?.labels.shown.size > 8")
    page.evaluate(
        f"{HANDLE}.nodes.on('add', (_, {{items}}) => globalThis.first ??= {HANDLE}.nodes.get(items[0]))"
    )
    page.get_by_role("button", name="Grow").click()
    page.wait_for_function(f"{HANDLE}.nodes.length === 16")
    page.wait_for_function(f"{HANDLE}.net.getPosition('n0').x === 700")
    assert page.evaluate("globalThis.first.x") == pytest.approx(260)


# pictures


def save(page: Page, kind: str, folder: Path) -> Path:
    tool(page, "Menu").click()
    with page.expect_download() as waiting:
        page.get_by_role("menuitem", name=f"Save as {kind}").click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def test_the_svg_holds_every_node_line_and_name_and_no_markup_of_others(
    page: Page, tmp_path: Path
) -> None:
    file = save(page, "SVG", tmp_path)
    assert file.name == "ab12-b-graph-b-x.svg"
    root = SafeElementTree.parse(file).getroot()
    assert root is not None
    assert root.tag == f"{SVG}svg"
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    known = {"svg", "title", "rect", "g", "polyline", "polygon", "circle", "ellipse", "text"}
    assert tags <= known
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    assert len(list(root.iter(f"{SVG}polyline"))) == 13
    shapes = [
        e for e in root.iter() if e.tag in {f"{SVG}{n}" for n in ("circle", "rect", "polygon")}
    ]
    assert len(shapes) >= 11
    text = shown(root)
    assert {"Inception", "Léa Seydoux", "2010-07-16", "composer ≠"} <= text
    assert any(EVIL_IMAGE in line for line in text)


def shown(root: ElementTree.Element) -> set[str]:
    return {element.text or "" for element in root.iter(f"{SVG}text")}


def test_the_png_is_a_picture_of_the_whole_graph(page: Page, tmp_path: Path) -> None:
    tool(page, "Zoom in").click()
    tool(page, "Zoom in").click()
    file = save(page, "PNG", tmp_path)
    data = file.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    assert width > 1200
    assert height > 800
    assert len(data) > 20_000
    colors = page.evaluate(
        """async bytes => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
            const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
            context.drawImage(image, 0, 0);
            const {data} = context.getImageData(0, 0, image.width, image.height);
            return new Set(new Uint32Array(data.buffer)).size;
        }""",
        list(data),
    )
    assert colors > 50


# safety


def test_hostile_text_stays_text_in_every_place_of_the_component(
    open_page: OpenPage, tmp_path: Path
) -> None:
    requests: list[str] = []
    page = open_page("graph_tools_app.py", requests=requests, reduced_motion=True)
    page.wait_for_function("globalThis.__kg?.kg?.labels.shown.size > 8")
    tool(page, "Find a name").click()
    page.keyboard.type("<")
    expect(page.get_by_role("option").first).to_be_visible()
    assert page.evaluate(WALK) == []
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    for node in page.evaluate(f"{HANDLE}.nodes.getIds().filter(id => !/^[xy+=]/.test(id))"):
        tool(page, "Fit to view").click()
        page.wait_for_timeout(50)
        page.mouse.move(*node_spot(page, node))
        page.wait_for_timeout(200)
        page.mouse.click(*node_spot(page, node), button="right")
        expect(page.get_by_role("menu")).to_be_visible()
        assert page.evaluate(WALK) == []
        page.keyboard.press("Escape")
    file = save(page, "SVG", tmp_path)
    picture = page.context.new_page()
    picture.goto(file.as_uri())
    assert picture.evaluate("window.__xss") is None
    assert (
        picture.evaluate("document.querySelectorAll('script, image, a, foreignObject').length") == 0
    )
    picture.close()
    save(page, "PNG", tmp_path)
    assert page.title() == "Graph tools"
    home = urlsplit(page.url).netloc
    fetched = {urlsplit(a).netloc for a in requests if urlsplit(a).scheme not in ("data", "blob")}
    assert fetched == {home}


def test_every_word_of_the_component_is_in_the_language_of_the_session(open_page: OpenPage) -> None:
    page = open_page("graph_tools_app.py", query="?lang=zh", reduced_motion=True)
    page.wait_for_function("globalThis.__kg?.kg?.labels.shown.size > 8")
    tool(page, "菜单").click()
    assert "保存为 PNG" in page.get_by_role("menuitem").all_inner_texts()
    names = page.evaluate(
        f"[...{HANDLE}.frame.querySelectorAll('[data-word]')].map(e => e.getAttribute('aria-label'))"
    )
    assert names
    assert all(name and not name.isascii() for name in names), json.dumps(names)
