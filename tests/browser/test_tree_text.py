"""The text of a search tree as a person sees it: its size in pixels, at fit and while following, and what lies over it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from kgcore.bootstrap import Task, build
from kgcore.runs import Ended
from kgcore.steps import AnswerProposed, NodeAdded, NodeExpanded, NodeScored
from tests.browser.test_ask_page import WAIT_MS, graph, wait_for_nodes, wait_until_still
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
QUESTION = "Which cast member of The Prestige released the album Blackstar?"  # takes eight columns
DEEP = 14
LEAST = 10.0  # pixels
TEXTS = """(() => {
    const texts = [];
    const canvas = g.host.querySelector('canvas');
    const own = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (this.canvas === canvas) {
            const {a, d, e, f} = this.getTransform();
            const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]) * a / devicePixelRatio;
            texts.push({text, size, x: (a * x + e) / devicePixelRatio, y: (d * y + f) / devicePixelRatio});
        }
        return own.apply(this, arguments);
    };
    try { g.net.redraw(); } finally {
        CanvasRenderingContext2D.prototype.fillText = own;
    }
    return texts;
})()"""
OVERLAPS = """(() => {
    const bars = [...g.frame.querySelectorAll('.kg-bar, .kg-tools')].map((bar) => bar.getBoundingClientRect());
    const host = g.host.getBoundingClientRect();
    return [...g.goals.keys()].filter((id) => {
        const box = g.net.getBoundingBox(id);
        const from = g.net.canvasToDOM({x: box.left, y: box.top});
        const to = g.net.canvasToDOM({x: box.right, y: box.bottom});
        return bars.some((bar) => from.x + host.left < bar.right && to.x + host.left > bar.left &&
            from.y + host.top < bar.bottom && to.y + host.top > bar.top);
    });
})()"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tree-home")


@pytest.fixture(scope="module")
def run_id(home: Path) -> str:
    """A run on the demo graphs, done."""
    studio = build(home, environ={})
    run = studio.ask(Task(QUESTION))
    run.start()
    assert run.join(120)
    studio.store.close()
    return run.id


@pytest.fixture(scope="module")
def deep_run_id(home: Path) -> str:
    """A finished run whose answer is far from the question, with side branches all along."""
    started, linked, start, *_ = made.story()
    bodies: list[Any] = [started, linked, start, NodeExpanded(0, 1)]
    above = 0
    for depth in range(1, DEEP + 1):
        number = 2 * depth - 1
        bodies.append(NodeAdded(number, above, depth, "select_relation", "cast member"))
        bodies.append(NodeAdded(number + 1, above, depth, "think", "about the director instead"))
        bodies += [NodeScored(number, 0.7), NodeScored(number + 1, 0.3)]
        above = number
    answer = made.ANSWER.__class__(made.ANSWER.text, made.ANSWER.parts, 0.9, (), node=above)
    bodies += [AnswerProposed(answer), Ended("answered", "", answer, 1.0)]
    first, *rest = made.entries(bodies)
    studio = build(home, environ={})
    studio.store.create(first.body, entries=rest)
    studio.store.close()
    return str(first.body.run_id)


def opened(open_page: OpenPage, home: Path, run: str, width: int = 1440) -> Page:
    page = open_page(
        "app.py",
        query=f"?run={run}",
        KGCORE_HOME=str(home),
        width=width,
        height={1440: 900, 1024: 768}[width],
        reduced_motion=True,
    )
    page.set_default_timeout(WAIT_MS)
    wait_for_nodes(page, "tree", 4)
    wait_until_still(page)
    return page


def texts_of(page: Page) -> list[dict[str, Any]]:
    page.wait_for_timeout(300)
    found = graph(page, "tree", TEXTS)
    assert found, "nothing was drawn"
    return list(found)


@pytest.mark.parametrize("width", [1440, 1024])
def test_all_text_of_a_finished_tree_of_eight_columns_can_be_read_at_fit(
    open_page: OpenPage, home: Path, run_id: str, width: int
) -> None:
    page = opened(open_page, home, run_id, width)
    page.get_by_role("button", name="Fit to view").last.click()
    wait_until_still(page)
    texts = texts_of(page)
    assert min(text["size"] for text in texts) >= LEAST
    told = " ".join(text["text"] for text in texts)
    nodes = graph(page, "tree", "g.nodes.get().map(n => n.id)")
    if width == 1440:
        assert all(f"#{node}" in told for node in nodes)
    assert len(re.findall(r"\d\.\d\d", told)) == len(nodes) - 1  # the start has no value
    assert "David" in told
    assert graph(page, "tree", OVERLAPS) == []


def test_a_deeper_tree_shows_the_end_of_the_answer_s_path_in_words(
    open_page: OpenPage, home: Path, deep_run_id: str
) -> None:
    page = opened(open_page, home, deep_run_id)
    texts = texts_of(page)
    assert min(text["size"] for text in texts) >= LEAST
    width = graph(page, "tree", "g.host.clientWidth")
    seen = [text for text in texts if 0 < text["x"] < width]
    assert len([text for text in seen if text["text"] == "cast member"]) >= 4
    assert any(text["text"].startswith(f"#{2 * DEEP - 1}") for text in seen)


def test_however_small_a_tree_is_drawn_no_text_is_too_small_and_values_stay(
    open_page: OpenPage, home: Path, deep_run_id: str
) -> None:
    page = opened(open_page, home, deep_run_id)
    page.get_by_role("button", name="Fit to view").last.click()
    wait_until_still(page)
    texts = texts_of(page)
    assert graph(page, "tree", "g.net.getScale()") < 0.35
    assert min(text["size"] for text in texts) >= LEAST
    assert sum("0.70" in text["text"] for text in texts) >= DEEP - 1
    for _ in range(12):
        page.get_by_role("button", name="Zoom out").last.click()
    wait_until_still(page)
    sizes = [text["size"] for text in graph(page, "tree", TEXTS)]
    assert all(size >= LEAST for size in sizes)


def test_text_of_a_card_stays_in_the_card(
    open_page: OpenPage, home: Path, deep_run_id: str
) -> None:
    page = opened(open_page, home, deep_run_id)
    for button in ("Fit to view", "Zoom in", "Zoom in", "Zoom in", "Zoom in", "Zoom in"):
        page.get_by_role("button", name=button).last.click()
        wait_until_still(page)
        outside = graph(
            page,
            "tree",
            """(() => {
                const context = g.host.querySelector('canvas').getContext('2d');
                const scale = g.net.getScale();
                return [...g.labels.nodes.values()].filter((item) => {
                    const {lines, size, width, height} = g.labels.cards.text(item, context, scale);
                    const box = g.net.getBoundingBox(item.id);
                    context.font = `${size}px ${g.labels.theme.face}`;
                    const widest = Math.max(0, ...lines.map((line) => context.measureText(line).width));
                    return widest > box.right - box.left || lines.length * size > box.bottom - box.top ||
                        width > item.card[0] + 0.01 || height > item.card[1] + 0.01;
                }).map((item) => item.label);
            })()""",
        )
        assert outside == []


def test_the_finished_tree_does_not_lie_below_its_tools_when_it_is_opened(
    open_page: OpenPage, home: Path, run_id: str
) -> None:
    for width in (1440, 1024):
        page = opened(open_page, home, run_id, width)
        assert graph(page, "tree", OVERLAPS) == []
        page.close()
