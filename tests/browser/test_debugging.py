"""Debugging in a real browser: the run bar, the timeline, looking back, and breakpoints."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_ask_page import QUESTION, answered, ask, graph
from tests.browser.test_correcting import idle

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("debug-home")


@pytest.fixture
def open_ask(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        page.get_by_role("button", name="Run", exact=True).wait_for()
        return page

    return open_


@pytest.fixture
def finished(open_ask: OpenPage) -> Page:
    """A run that has answered, as it is now."""
    page = open_ask()
    ask(page, QUESTION)
    answered(page)
    expect(timeline(page)).to_have_attribute("aria-valuetext", re.compile("^Now"), timeout=WAIT_MS)
    expect(button(page, "stop")).to_have_count(0, timeout=WAIT_MS)
    return page


def button(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-run-{name}").get_by_role("button")


def breakpoints(page: Page) -> Locator:
    """The button of the run bar; what was set is told in the log too."""
    return page.get_by_test_id("stPopoverButton").filter(has_text="Breakpoints")


def timeline(page: Page) -> Locator:
    return page.get_by_role("slider", name="Timeline of the run")


def moment(page: Page) -> int:
    return int(timeline(page).get_attribute("aria-valuenow") or 0)


def n_entries(page: Page) -> int:
    return int(timeline(page).get_attribute("aria-valuemax") or 0)


def line(page: Page) -> Locator:
    return page.locator(".st-key-ts-moment")


def shows_moment(page: Page, n: int) -> None:
    expect(line(page)).to_contain_text(f"Moment {n} of", timeout=WAIT_MS)
    expect(page).to_have_url(re.compile(rf"[?&]at={n}\b"), timeout=WAIT_MS)


def shows_now(page: Page) -> None:
    expect(line(page)).not_to_contain_text("Moment", timeout=WAIT_MS)
    expect(page).not_to_have_url(re.compile(r"[?&]at="), timeout=WAIT_MS)


def has_no_answer(page: Page) -> None:
    expect(page.locator(".ts-answer")).to_have_text("No answer yet", timeout=WAIT_MS)


def start_paused(page: Page, *points: str) -> str:
    """Ask a question, paused before the first step, with breakpoints of these kinds."""
    page.get_by_role("button", name="Options").click()
    page.get_by_text("Pause before the first step").click()
    for point in points:
        add_breakpoint(page.locator(".st-key-ask-breakpoints-open"), point, is_folded=True)
    page.keyboard.press("Escape")
    run_id = ask(page, QUESTION)
    expect(button(page, "continue")).to_be_visible(timeout=WAIT_MS)
    return run_id


def add_breakpoint(place: Locator, kind: str, name: str = "", *, is_folded: bool = False) -> None:
    if is_folded:
        place.locator("summary").click()
    if kind != "An answer":  # chosen already
        choose(place.get_by_role("combobox", name="Pause at"), kind)
    if name:
        choose(place.get_by_role("combobox", name="Label or id"), name)
    place.get_by_role("button", name="Add").click()
    expect(place.get_by_role("button", name="Remove")).to_have_count(1, timeout=WAIT_MS)


def choose(box: Locator, option: str) -> None:
    idle(box.page)  # a page that is drawn again closes a list that was just opened
    box.click()
    box.fill(option)
    box.page.get_by_role("option", name=re.compile(rf"^(Add: )?{option}$")).first.click()


def places(page: Page) -> dict[str, Any]:
    """Where the nodes of both drawings stand on screen, rounded to pixels."""
    where = """Object.fromEntries(g.nodes.getIds().map((id) => {
        const at = g.net.canvasToDOM(g.net.getPosition(id));
        return [id, [Math.round(at.x), Math.round(at.y)]];
    }))"""
    return {kind: graph(page, kind, where) for kind in ("kg", "tree")}


def still_places(page: Page) -> dict[str, Any]:
    """The places once nothing moves any more."""
    before = places(page)
    while True:
        page.wait_for_timeout(400)
        after = places(page)
        if after == before:
            return after
        before = after


# the run bar


def test_a_run_is_stepped_stepped_over_and_let_go_on(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    expect(line(page)).to_contain_text("Paused")
    before = n_entries(page)
    button(page, "step").click()
    expect(timeline(page)).not_to_have_attribute("aria-valuemax", str(before), timeout=WAIT_MS)
    expect(button(page, "continue")).to_be_visible(timeout=WAIT_MS)
    for n in (1, 2):
        button(page, "over").click()
        expect(page.locator(".ts-facts:not(.ts-meter)")).to_contain_text(
            re.compile(rf"^{n} expansion"), timeout=WAIT_MS
        )
        expect(line(page)).to_contain_text("Paused: the next expansion", timeout=WAIT_MS)
    button(page, "continue").click()
    answered(page)
    expect(button(page, "continue")).to_have_count(0, timeout=WAIT_MS)


def test_keys_drive_the_run_where_nobody_writes(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    timeline(page).focus()
    before = n_entries(page)
    page.keyboard.press("s")
    expect(timeline(page)).not_to_have_attribute("aria-valuemax", str(before), timeout=WAIT_MS)
    page.keyboard.press("o")
    expect(line(page)).to_contain_text("Paused: the next expansion", timeout=WAIT_MS)
    before = n_entries(page)
    page.keyboard.press("b")
    shows_moment(page, before - 1)
    page.keyboard.press("n")
    shows_now(page)
    page.keyboard.press("x")
    expect(page.locator(".st-key-ts-run .ts-head")).to_contain_text("stopped", timeout=WAIT_MS)


def test_back_looks_at_the_entry_before_and_takes_nothing_back(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    for n in (1, 2):
        button(page, "over").click()
        expect(page.locator(".ts-facts:not(.ts-meter)")).to_contain_text(
            re.compile(rf"^{n} expansion"), timeout=WAIT_MS
        )
    n_now = n_entries(page)
    for n in (1, 2):
        button(page, "back").click()
        shows_moment(page, n_now - n)
        page.wait_for_timeout(500)  # until the page is drawn to its end
    button(page, "step").click()
    shows_moment(page, n_now - 1)
    assert n_entries(page) == n_now, "only the view went back and forth"
    button(page, "over").click()
    shows_now(page)
    button(page, "continue").click()
    answered(page)


def test_every_control_is_reached_by_the_tab_key_and_shows_that_it_has_the_focus(
    open_ask: OpenPage,
) -> None:
    page = open_ask()
    start_paused(page)
    button(page, "over").click()
    expect(line(page)).to_contain_text("Paused: the next expansion", timeout=WAIT_MS)
    wanted = ["back", "continue", "step", "over", "stop", "breakpoints", "timeline"]
    button(page, "back").focus()
    page.keyboard.press("Shift+Tab")
    reached: list[str] = []
    for _ in range(12):
        page.keyboard.press("Tab")
        name, is_seen = page.evaluate(FOCUSED)
        if name in wanted and name not in reached:
            reached.append(name)
            assert is_seen, f"no focus is seen on {name}"
    assert reached == wanted
    button(page, "stop").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-ts-run .ts-head")).to_contain_text("stopped", timeout=WAIT_MS)


FOCUSED = """() => {
    let found = document.activeElement;
    while (found.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
    const host = found.getRootNode().host ?? found;
    const key = host.closest("[class*='st-key-run-'], [class*='st-key-breakpoints'], .st-key-ts-timeline");
    const names = [...(key?.classList ?? [])].join(" ");
    const name = names.match(/st-key-run-(\\w+)/)?.[1]
        ?? (names.includes("st-key-breakpoints") ? "breakpoints" : "")
        ?? "";
    const look = getComputedStyle(found);
    const is_outlined = look.outlineStyle !== "none" && look.outlineWidth !== "0px"
        && !/rgba\\(.*, 0\\)|transparent/.test(look.outlineColor);
    const is_lit = look.boxShadow !== "none";
    return [names.includes("ts-timeline") ? "timeline" : name, is_outlined || is_lit];
}"""


# the timeline


def test_the_timeline_is_moved_by_keys(finished: Page) -> None:
    page, n = finished, n_entries(finished)
    timeline(page).focus()
    page.keyboard.press("ArrowLeft")
    shows_moment(page, n - 1)
    page.keyboard.press("PageDown")
    shows_moment(page, n - 11)
    page.keyboard.press("PageUp")
    shows_moment(page, n - 1)
    page.keyboard.press("Home")
    shows_moment(page, 1)
    has_no_answer(page)
    page.keyboard.press("ArrowRight")
    shows_moment(page, 2)
    spoken = timeline(page).get_attribute("aria-valuetext") or ""
    assert spoken.startswith(f"Moment 2 of {n}")
    page.keyboard.press("End")
    shows_now(page)
    answered(page)


def test_the_timeline_is_moved_by_the_mouse(finished: Page) -> None:
    page, n = finished, n_entries(finished)
    box = timeline(page).bounding_box()
    assert box is not None
    slot = page.evaluate("Object.values(globalThis.__tl)[0].slot")
    x, y = box["x"] + 7, box["y"] + box["height"] / 2
    page.mouse.move(x + 4.5 * slot, y)
    expect(timeline(page).locator(".tl-tip")).to_contain_text(f"Moment 5 of {n}")
    page.mouse.down()
    shows_moment(page, 5)
    page.mouse.move(x + 9.5 * slot, y, steps=8)
    page.mouse.up()
    shows_moment(page, 10)
    page.mouse.click(x + 19.5 * slot, y)
    shows_moment(page, 20)
    page.mouse.click(box["x"] + box["width"] - 3, y)
    shows_now(page)


MARKED = """(kinds) => {
    const line = Object.values(globalThis.__tl)[0];
    globalThis.before ??= line.data;
    line.told = undefined;
    line.update(kinds ? { ...before, kinds, at: null } : before, (_, value) => (line.told = value));
    return line.marks.map(({ x, moment }) => [x, moment]);
}"""


def test_marks_of_a_long_run_are_reached_by_a_click_and_by_keys(finished: Page) -> None:
    """551 entries, less than two pixels each; what is drawn is what a run of that length sends."""
    page = finished
    page.set_viewport_size({"width": 1024, "height": 768})
    kinds = [*"fm" * 275, "e"]
    answer, turn, error, human = 101, 210, 333, 450
    for n, kind in ((answer, "a"), (turn, "b"), (error, "x"), (human, "h")):
        kinds[n - 1] = kind
    marks = {n: x for x, n in page.evaluate(MARKED, "".join(kinds))}
    assert set(marks) == {answer, turn, error, human, 551}
    box = timeline(page).bounding_box()
    assert box is not None and box["width"] < 700
    for n, name in (
        (answer, "answer found"),
        (turn, "backtrack"),
        (error, "error"),
        (human, "decided by a person"),
    ):
        page.mouse.move(box["x"] + marks[n] + 3, box["y"] + 6)
        expect(timeline(page).locator(".tl-tip")).to_have_text(f"Moment {n} of 551 – {name}")
        page.mouse.down()
        page.mouse.up()
        assert moment(page) == n
    timeline(page).focus()
    for n in (error, turn, answer, 1):
        page.keyboard.press("Shift+ArrowLeft")
        assert moment(page) == n
    page.keyboard.press("Shift+ArrowRight")
    assert moment(page) == answer
    page.evaluate(MARKED, "")


def test_the_marks_have_shapes_of_their_own_and_a_legend(finished: Page) -> None:
    finished.set_viewport_size({"width": 1440, "height": 900})
    legend = finished.locator(".ts-kinds")
    expect(legend).to_be_visible()
    told = legend.inner_text()
    for sign, name in ("★", "answer found"), ("◆", "decided by a person"), ("✕", "error"):
        assert re.search(rf"{sign}\s*{name}", told), told
    assert re.search(r"◀\s*backtrack", told), told


def test_focus_on_the_timeline_is_seen(finished: Page) -> None:
    timeline(finished).focus()
    finished.keyboard.press("ArrowLeft")
    outline = timeline(finished).evaluate("(e) => getComputedStyle(e).outlineColor")
    assert outline not in ("rgba(0, 0, 0, 0)", "transparent")


def test_a_live_run_goes_on_while_somebody_looks_back(open_ask: OpenPage) -> None:
    page = open_ask()
    run_id = start_paused(page)
    for _ in range(2):
        button(page, "over").click()
        expect(line(page)).to_contain_text("Paused: the next expansion", timeout=WAIT_MS)
    timeline(page).focus()
    page.keyboard.press("Home")
    shows_moment(page, 1)
    before = n_entries(page)
    other = open_ask(f"?run={run_id}")
    button(other, "continue").click()
    answered(other)
    expect(timeline(page)).not_to_have_attribute("aria-valuemax", str(before), timeout=WAIT_MS)
    expect(page.locator(".st-key-ts-run .ts-head")).to_contain_text("answered", timeout=WAIT_MS)
    shows_moment(page, 1)
    assert moment(page) == 1
    other.close()


def test_more_than_a_thousand_entries_are_drawn_within_the_width(finished: Page) -> None:
    drawn = finished.evaluate(
        """() => {
            const line = Object.values(globalThis.__tl)[0];
            const before = line.data;
            line.update({ ...before, kinds: "fmgnfxbah".repeat(250) }, line.send);
            const { width, height } = line.canvas;
            const pixels = line.canvas.getContext("2d").getImageData(0, 0, width, height).data;
            let last = 0;
            for (let i = 3; i < pixels.length; i += 4)
                if (pixels[i]) last = Math.max(last, ((i - 3) / 4) % width);
            const found = [line.n, last / width, line.root.scrollWidth <= line.root.clientWidth];
            line.update(before, line.send);
            return found;
        }"""
    )
    assert drawn[0] == 2250
    assert 0.9 < drawn[1] <= 1, "the ticks fill the width and no more"
    assert drawn[2]


# looking back


def test_nothing_moves_while_one_goes_through_the_moments(finished: Page) -> None:
    page, n = finished, n_entries(finished)
    timeline(page).focus()
    page.keyboard.press("ArrowLeft")
    shows_moment(page, n - 1)
    last = still_places(page)
    page.keyboard.press("PageDown")
    shows_moment(page, n - 11)
    middle = still_places(page)
    page.keyboard.press("PageDown")
    shows_moment(page, n - 21)
    early = still_places(page)
    for kind in ("kg", "tree"):
        assert early[kind]
        assert len(early[kind]) <= len(middle[kind]) <= len(last[kind])
        assert len(early[kind]) < len(last[kind])
        for name, at in early[kind].items():
            assert at == middle[kind][name] == last[kind][name], (kind, name)


def test_a_link_opens_the_moment_again(finished: Page, open_ask: OpenPage) -> None:
    page = finished
    timeline(page).focus()
    page.keyboard.press("Home")
    shows_moment(page, 1)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    shows_moment(page, 9)
    page.reload()
    shows_moment(page, 9)
    has_no_answer(page)
    page.get_by_role("button", name="Back to now").click()
    shows_now(page)
    answered(page)


def test_an_address_that_names_no_moment_says_so(finished: Page, open_ask: OpenPage) -> None:
    run = f"?{urlsplit(finished.url).query}"
    page = open_ask(f"{run}&at=soon")
    answered(page)
    expect(page.get_by_text("names no moment")).to_be_visible(timeout=WAIT_MS)
    late = open_ask(f"{run}&at=99999")
    answered(late)


def test_no_other_machine_is_asked(open_ask: OpenPage) -> None:
    requests: list[str] = []
    page = open_ask(requests=requests)
    ask(page, QUESTION)
    answered(page)
    timeline(page).focus()
    page.keyboard.press("Home")
    shows_moment(page, 1)
    assert [url for url in requests if urlsplit(url).hostname not in ("127.0.0.1", None)] == []


def test_a_call_opens_large_and_escape_closes_it(finished: Page) -> None:
    page = finished
    timeline(page).focus()
    page.keyboard.press("Home")
    opener = page.locator('[class*="st-key-large-"] button').first
    for _ in range(6):
        if opener.is_visible():
            break
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(1_500)
    opener.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("of the journal", timeout=WAIT_MS)
    box, view = dialog.bounding_box(), page.viewport_size
    assert box is not None and view is not None
    assert box["width"] > 0.6 * view["width"]
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0, timeout=WAIT_MS)
    page.wait_for_timeout(1_000)
    expect(dialog).to_have_count(0)
