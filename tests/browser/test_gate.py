"""The approval gate in a real browser: what waits is drawn, and chosen in the panel or the menus of the drawing."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import build
from tests.browser.test_ask_page import graph, wait_for_nodes, wait_until_still
from tests.browser.test_correcting import idle
from tests.browser.test_run_drawings import node_named, places, spot
from tests.integration.test_cli_gate import QUESTION, TOY

pytestmark = pytest.mark.browser

WAIT_MS = 60_000


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("gate-home")
    file = home / "toy.ttl"
    file.write_text(TOY)
    studio = build(home, environ={})
    studio.import_graph([file], "toy")
    studio.store.close()
    return home


def ask(page: Page) -> None:
    page.get_by_role("button", name="Options").click()
    graphs = page.get_by_role("combobox", name="Graphs")
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill("toy")
    graphs.press("Enter")
    idle(page)
    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Approve fetched triples").click()
    page.get_by_role("option", name="All", exact=True).click()
    idle(page)
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill(QUESTION)
    box.press("Enter")
    page.wait_for_url("**run=*")


def test_a_triple_is_edited_at_the_gate_and_the_run_goes_on_with_what_was_written(
    open_page: Callable[..., Page], home: Path
) -> None:
    page = open_page("app.py", KGCORE_HOME=str(home), height=1000)
    page.set_default_timeout(WAIT_MS)
    ask(page)
    gate = page.locator(".st-key-ts-gate")
    rows = gate.locator(".ts-diff")
    expect(rows).to_have_count(2, timeout=WAIT_MS)
    expect(page.locator(".st-key-ts-moment")).to_contain_text("waits for you", timeout=WAIT_MS)
    place = next(n for n, text in enumerate(rows.all_inner_texts()) if "Ann Lee" in text)
    gate.get_by_role("radio", name="Edit").nth(place).check(force=True)
    idle(page)
    send = gate.get_by_role("button", name="Approve 1, edit 1")
    expect(send).to_be_disabled(timeout=WAIT_MS)
    box = gate.get_by_role("textbox", name="should end in")
    box.fill("Cy Orr")
    box.press("Enter")
    expect(rows.nth(place)).to_contain_text("Cy Orr", timeout=WAIT_MS)
    send.click()
    answer = page.locator(".ts-answer.is-open")
    expect(answer).to_contain_text("Cy Orr", timeout=WAIT_MS)
    expect(answer).to_contain_text("Bea Kim")
    expect(answer).not_to_contain_text("Ann Lee")
    expect(page.get_by_text("1 change by a person")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".lg .is-human").first).to_be_visible(timeout=WAIT_MS)
    page.reload()
    expect(answer).to_contain_text("Cy Orr", timeout=WAIT_MS)
    expect(page.get_by_text("1 change by a person")).to_be_visible(timeout=WAIT_MS)


def line_to(page: Page, name: str) -> str:
    """Return the id of the line to a node of this name."""
    found = graph(
        page,
        "kg",
        "g.data.edges.find(e => e.to === g.data.nodes.find(n => n.label.startsWith("
        f"{name!r}))?.id)?.id ?? null",
    )
    assert found is not None, name
    return str(found)


def line(page: Page, name: str) -> dict[str, Any]:
    wanted = line_to(page, name)
    found: dict[str, Any] = graph(page, "kg", f"g.data.edges.find(e => e.id === {wanted!r})")
    return found


def menu_of_line(page: Page, name: str) -> Locator:
    idle(page)
    wait_until_still(page)
    wanted = line_to(page, name)
    x, y = graph(
        page,
        "kg",
        f"""(() => {{
            const edge = g.data.edges.find((e) => e.id === {wanted!r});
            const [a, b] = [edge.from, edge.to].map((id) => g.net.getPosition(id));
            const frame = g.host.getBoundingClientRect();
            const at = g.net.canvasToDOM({{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }});
            return [frame.left + at.x, frame.top + at.y];
        }})()""",
    )
    page.mouse.click(x, y, button="right")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    return menu


def choose(page: Page, name: str) -> None:
    page.get_by_role("menuitem", name=name, exact=True).click()
    idle(page)


def test_what_waits_is_drawn_and_its_menu_chooses_in_the_panel(
    open_page: Callable[..., Page], home: Path
) -> None:
    page = open_page("app.py", KGCORE_HOME=str(home), width=1440, height=900, reduced_motion=True)
    page.set_default_timeout(WAIT_MS)
    ask(page)
    gate = page.locator(".st-key-ts-gate")
    rows = gate.locator(".ts-diff")
    expect(rows).to_have_count(2)
    expect(page.locator(".st-key-ts-drawings .ts-item", has_text="waiting")).to_be_visible()
    wait_for_nodes(page, "kg", 3)
    assert all(graph(page, "kg", "g.data.edges.map(e => !!e.dashes && e.label.endsWith('?'))"))
    assert "waiting for your decision" in line(page, "Bea Kim")["title"]

    ann = rows.filter(has_text="Ann Lee")
    assert {"Approve", "Reject", "Edit below"} <= set(
        menu_of_line(page, "Ann Lee").get_by_role("menuitem").all_inner_texts()
    )
    choose(page, "Reject")
    expect(ann).to_have_class(re.compile("is-rejected"))
    expect(gate.get_by_role("button", name="Approve 1, reject 1")).to_be_visible()
    assert line(page, "Ann Lee")["label"].endswith("✗")
    menu_of_line(page, "Ann Lee")
    choose(page, "Edit below")
    expect(gate.get_by_role("textbox", name="should end in")).to_be_focused()
    assert line(page, "Ann Lee")["label"].endswith("✎")
    menu_of_line(page, "Ann Lee")
    choose(page, "Approve")
    expect(ann).not_to_have_class(re.compile("is-"))

    wait_until_still(page)
    page.mouse.click(*spot(page, "kg", node_named(page, "kg", "Night Train")), button="right")
    choose(page, "Reject all of it")
    expect(gate.locator(".ts-diff.is-rejected")).to_have_count(2)
    wait_until_still(page)
    page.mouse.click(*spot(page, "kg", node_named(page, "kg", "Bea Kim")), button="right")
    choose(page, "Approve all of it")
    expect(gate.locator(".ts-diff.is-rejected")).to_have_count(1)


def test_what_is_approved_becomes_ordinary_where_it_was(
    open_page: Callable[..., Page], home: Path
) -> None:
    page = open_page("app.py", KGCORE_HOME=str(home), width=1440, height=900, reduced_motion=True)
    page.set_default_timeout(WAIT_MS)
    ask(page)
    gate = page.locator(".st-key-ts-gate")
    wait_for_nodes(page, "kg", 3)
    idle(page)
    wait_until_still(page)
    before = places(page)
    camera = "[g.net.getViewPosition().x, g.net.getViewPosition().y, 100 * g.net.getScale()]"
    seen_from = graph(page, "kg", camera)
    graph(page, "kg", "g.host.querySelector('.vis-network').focus()")
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("m")
    page.get_by_role("menuitem", name="Approve", exact=True).press("Enter")
    idle(page)
    gate.get_by_role("button", name="Approve all 2").click()
    expect(page.locator(".ts-answer.is-open")).to_contain_text("Bea Kim")
    idle(page)
    wait_until_still(page)
    assert places(page) == before
    seen_now = graph(page, "kg", camera)  # the whole is fitted, and a star is larger than a dot
    assert seen_now == pytest.approx(seen_from, abs=5)
    assert not any(graph(page, "kg", "g.data.edges.map(e => !!e.dashes)"))
    assert not any(graph(page, "kg", "g.data.nodes.map(n => n.label.endsWith('?'))"))
    expect(page.locator(".st-key-ts-drawings .ts-item", has_text="waiting")).to_have_count(0)
