"""Both drawings of a run saved as pictures, by mouse and by keyboard: the files open, are whole, and do nothing. S1."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from defusedxml import ElementTree
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from kgcore.bootstrap import Studio
from kgcore.model.text import one_line
from tests.browser.hostile_world import open_studio, watcher
from tests.browser.test_ask_page import count, wait_for_nodes, wait_until_still
from tests.browser.test_hostile_labels import HOSTILE, Watched, keep, run_of_all_texts

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "rect", "g", "polyline", "polygon", "circle", "ellipse", "text"}
SCALE, MOST = 2, 8000  # points of a PNG for one of an SVG; points along a side
TABS = 30
KINDS = ["kg", "tree"]
WAYS = ["mouse", "keys"]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    opened = open_studio(tmp_path_factory.mktemp("pictures-home"))
    keep(opened.store, 71, run_of_all_texts(HOSTILE[1]))
    yield opened
    opened.store.close()


@pytest.fixture
def watched(open_page: Callable[..., Page], studio: Studio) -> Watched:
    """A run whose every name is hostile, with both drawings."""
    opened = watcher(open_page, studio.home)(f"?run={71:032x}")
    for kind in KINDS:
        wait_for_nodes(opened.page, kind, len(HOSTILE))
    wait_until_still(opened.page)
    return opened


def drawing(page: Page, kind: str) -> Locator:
    """Return the frame of a drawing, with its buttons."""
    page.evaluate(
        """kind => {
            const name = Object.keys(globalThis.__kg).find((key) => key.startsWith(kind + '-'));
            globalThis.__kg[name].frame.setAttribute('data-drawing', kind);
        }""",
        kind,
    )
    return page.locator(f"[data-drawing={kind}]")


def save(page: Page, kind: str, form: str, way: str, folder: Path) -> Path:
    """Save a drawing as a person does, and return the file."""
    place, name = drawing(page, kind), f"Save as {form}"
    with page.expect_download() as download:
        if way == "mouse":
            place.get_by_role("button", name="Menu", exact=True).click()
            place.get_by_role("menuitem", name=name).click()
        else:
            save_by_keys(page, place, name)
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def save_by_keys(page: Page, place: Locator, name: str) -> None:
    """Go from the drawing to its menu with Tab, and down to the entry with arrow keys."""
    place.locator(".vis-network").focus()
    menu = place.get_by_role("button", name="Menu", exact=True)
    for _ in range(TABS):
        if menu.evaluate("button => button.getRootNode().activeElement === button"):
            break
        page.keyboard.press("Tab")
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    entry = place.get_by_role("menuitem", name=name)
    expect(place.get_by_role("menuitem").first).to_be_focused()
    for _ in range(place.get_by_role("menuitem").count()):
        if entry.evaluate("item => item.getRootNode().activeElement === item"):
            break
        page.keyboard.press("ArrowDown")
    expect(entry).to_be_focused()
    page.keyboard.press("Enter")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_S1_a_drawing_is_saved_as_svg_and_png(
    watched: Watched, browser: Browser, tmp_path: Path, kind: str, way: str
) -> None:
    page = watched.page
    svg, png = (save(page, kind, form, way, tmp_path) for form in ("SVG", "PNG"))
    assert (svg.suffix, png.suffix) == (".svg", ".png")
    width, height = check_svg(svg, n_nodes=count(page, kind))
    check_png(png, width, height)
    watched.check("after saving")
    look_at(browser, svg)


def check_svg(file: Path, *, n_nodes: int) -> tuple[float, float]:
    """Check what a drawing is made of, and return its size."""
    assert file.stat().st_size < 1_000_000
    root = ElementTree.parse(file).getroot()
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= DRAWN
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    shapes = [e for tag in ("circle", "ellipse", "rect", "polygon") for e in root.iter(SVG + tag)]
    assert len(shapes) >= n_nodes, "every node has a shape"
    written = " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert "<img src=" in written
    assert sum(one_line(text, 12)[:8] in written for text in HOSTILE) > len(HOSTILE) // 2
    return float(root.attrib["width"]), float(root.attrib["height"])


def check_png(file: Path, width: float, height: float) -> None:
    """Check that a picture opens, is as large as the drawing is, and not empty."""
    with Image.open(file) as picture:
        picture.load()
        scale = min(SCALE, MOST / max(width, height))
        assert picture.format == "PNG"
        assert picture.size == pytest.approx((width * scale, height * scale), abs=2)
        assert min(picture.size) > 300 and max(picture.size) <= MOST
        colors = picture.convert("RGB").getcolors(1 << 24)
    assert colors is not None and len(colors) > 50
    most = max(n for n, _ in colors)
    assert most < 0.999 * picture.width * picture.height, "something is drawn"


def look_at(browser: Browser, file: Path) -> None:
    """Open an SVG on its own: it runs nothing and asks for nothing."""
    requests: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    assert page.evaluate("window.__xss") is None
    assert requests == [file.as_uri()]
    page.close()
