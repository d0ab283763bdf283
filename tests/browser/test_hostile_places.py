"""Hostile text where a person looks back, finds, chooses, changes, and reads rationales and sources. Rows S1, S2.

The places of a run itself are walked in test_hostile_labels.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Breakpoint, Ended, SqlRunStore
from kgcore.runs.breakpoint_file import save_points
from kgcore.sources.spec import SourceSpec
from kgcore.steps import (
    DomainsChosen,
    Evidence,
    KnowledgeFound,
    NodeAdded,
    QueryWritten,
    RationaleCorrected,
    RationaleDrafted,
    RationalesSampled,
    SourcesDisagree,
)
from kgcore.steps.rationales import Knowledge, Sample
from tests.browser.hostile_world import watcher
from tests.browser.test_ask_page import ask, click_node, graph, wait_for_nodes
from tests.browser.test_correcting import idle
from tests.browser.test_debugging import choose
from tests.browser.test_hostile_labels import HOSTILE, Watched, keep, run_of_all_texts
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
TOWNS = "Who is the mayor of Elmton?"
POINTS = ("entity", "relation", "graph")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile-places")


@pytest.fixture(scope="module")
def studio(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The demo graphs, and a graph in which every label is hostile."""
    opened = build(home, environ={})
    opened.ensure_demo()
    file = tmp_path_factory.mktemp("towns") / "towns.ttl"
    file.write_text(towns(), "utf-8")
    opened.import_graph([file], "towns")
    yield opened
    opened.store.close()


@pytest.fixture
def store(studio: Studio) -> Iterator[SqlRunStore]:
    before = {record.id for record in studio.store.list()}
    yield studio.store
    for record in studio.store.list():
        if record.id not in before:
            studio.store.delete(record.id)


@pytest.fixture
def watch(open_page: OpenPage, studio: Studio, home: Path) -> Callable[[str], Watched]:
    return watcher(open_page, home)


def towns() -> str:
    """Return a graph whose every name, kind, relation and description is hostile, and all towns are called alike."""
    said = [json.dumps(text.replace("\x00", "")) for text in HOSTILE]
    each = range(len(HOSTILE))
    lines = [
        "@prefix t: <http://towns.example/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix schema: <http://schema.org/> .",
        't:mayor rdfs:label "mayor" .',
    ]
    for i in each:
        kind, all_ = (i + 12) % len(HOSTILE), ", ".join(f"t:e{j}" for j in each)
        lines += [
            f"t:k{i} rdfs:label {said[i]} . t:r{i} rdfs:label {said[i]} .",
            f"t:e{i} rdfs:label {said[i]} ; schema:description {said[i]} ; a t:k{i} .",
            f't:town{i} rdfs:label "Elmton" ; schema:description {said[i]} ; a t:k{kind} ;',
            f"  t:mayor {all_} ; {' ; '.join(f't:r{j} t:e{j}' for j in each)} .",
        ]
    return "\n".join(lines)


def test_S1_S2_moments_names_menus_and_pictures_of_a_hostile_run_are_text(
    watch: Callable[[str], Watched], store: SqlRunStore, tmp_path: Path
) -> None:
    watched = watch(f"?run={keep(store, 41, run_of_all_texts(HOSTILE[1]))}")
    page = watched.page
    wait_for_nodes(page, "kg", len(HOSTILE))
    wait_for_nodes(page, "tree", len(HOSTILE))
    line = page.get_by_role("slider", name="Timeline of the run")
    line.focus()
    told = set()
    for _ in range(int(line.get_attribute("aria-valuemax") or 0) // 10):
        page.keyboard.press("PageDown")
        idle(page)
        told.add(page.locator(".ts-said").inner_text())
        watched.check("a moment")
    assert any("__xss" in text for text in told)
    page.keyboard.press("End")
    idle(page)
    for kind in ("kg", "tree"):
        look_round(watched, kind, tmp_path)


def look_round(watched: Watched, kind: str, folder: Path) -> None:
    """Find a name in a drawing, open the menu of what was found, and save the picture."""
    page = watched.page
    place = drawing(page, kind)
    place.get_by_role("button", name="Find a name").click()
    for letter in ("<", "x"):
        page.keyboard.type(letter)
        expect(place.get_by_role("option").first).to_be_visible()
        watched.check(f"names of {kind}")
        page.keyboard.press("Backspace")
    page.keyboard.type("<")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    place.get_by_role("button", name="Menu", exact=True).click()
    expect(place.get_by_role("menuitem").first).to_be_visible()
    watched.check(f"the menu of {kind}")
    with page.expect_download() as download:
        place.get_by_role("menuitem", name=re.compile("SVG")).click()
    file = folder / f"{kind}.svg"
    download.value.save_as(file)
    picture = page.context.new_page()
    picture.goto(file.as_uri())
    assert "<script>" in picture.evaluate("document.documentElement.textContent")
    assert picture.evaluate("window.__xss") is None
    assert (
        picture.evaluate(
            "document.querySelectorAll('script, image, a, foreignObject, style').length"
        )
        == 0
    )
    picture.close()


def drawing(page: Page, kind: str) -> Locator:
    """Return the frame of a drawing, with its buttons."""
    graph(page, kind, "g.frame.setAttribute('data-drawing', kind)")
    return page.locator(f"[data-drawing={kind}]")


def test_S1_S2_hostile_rationales_are_text(
    watch: Callable[[str], Watched], store: SqlRunStore
) -> None:
    run_id = keep(store, 42, list(rationales()))
    watched = watch(f"?run={run_id}")
    page = watched.page
    cards = page.locator("[class*='st-key-ts-rationale-']")
    expect(cards).to_have_count(len(HOSTILE))
    for summary in cards.locator("summary").all():
        summary.click()
    page.wait_for_timeout(500)
    watched.check("the cards")
    assert page.locator(".ts-diff ins").count() >= len(HOSTILE) // 2


def rationales() -> Iterator[Any]:
    """A run of Chain-of-Knowledge in which each text stands wherever a model or a source can put one."""
    samples = tuple(Sample((text,), text, text) for text in HOSTILE)
    votes = tuple((text, 1) for text in HOSTILE)
    yield replace(made.story()[0], method="chain-of-knowledge", question=HOSTILE[0])
    yield NodeAdded(0, None, 0, "start")
    yield RationalesSampled(samples, votes, 0.1, 0.5)
    yield DomainsChosen(tuple(HOSTILE[:9]), tuple(HOSTILE), tuple(HOSTILE), HOSTILE[1])
    for number, text in enumerate(HOSTILE, 1):
        draft, found = 2 * number - 1, Evidence(text, text, text, 0.5)
        yield NodeAdded(draft, 0 if number == 1 else draft - 1, number, "draft", text)
        yield RationaleDrafted(draft, number, text)
        yield QueryWritten(draft, number, text, "sql", text, f"{text} ", text, is_repaired=True)
        yield KnowledgeFound(draft, number, text, f"{text} ", (found,), 3)
        yield KnowledgeFound(draft, number, text, f"{text} ", problem=text)
        known = (Knowledge(text, text, found),)
        yield SourcesDisagree(draft, number, text, known)
        yield RationaleCorrected(draft, number, text, f"now {text}", known, text)
        yield NodeAdded(draft + 1, draft, number, "correct", f"now {text}")
    yield Ended("no_answer", HOSTILE[1], None, 1.0)


def test_S1_S2_hostile_breakpoints_of_a_run_under_way_are_text(
    watch: Callable[[str], Watched], store: SqlRunStore, home: Path
) -> None:
    save_points(home, [Breakpoint(on, text[:300]) for text in HOSTILE for on in POINTS])
    watched = watch("")
    page = watched.page
    save_points(home, ())
    page.get_by_role("button", name="Options").click()
    graphs = page.get_by_role("combobox", name="Graphs", exact=True)
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill("towns")
    graphs.press("Enter")
    idle(page)
    for _ in range(2):  # the list, and the popover
        page.keyboard.press("Escape")
    expect(graphs).to_be_hidden()
    ask(page, TOWNS)
    page.locator(".st-key-run-continue button").wait_for()  # paused by one of them
    page.locator("[class*='st-key-breakpoints-'] [data-testid=stPopoverButton]").click()
    place = page.locator(".st-key-ts-points-live")
    expect(place.get_by_test_id("stCheckbox")).to_have_count(len(POINTS) * len(HOSTILE))
    watched.check("the list")
    for kind in ("An entity", "A relation"):
        choose(place.get_by_role("combobox", name="Pause at"), kind)
        idle(page)
        place.get_by_role("combobox", name="Label or id").click()
        expect(page.get_by_role("option").first).to_be_visible()
        watched.check(kind)
        page.keyboard.press("Escape")


def test_S1_S2_hostile_names_are_text_in_the_dialog_of_changes(
    watch: Callable[[str], Watched], studio: Studio, store: SqlRunStore
) -> None:
    run = studio.ask(Task(TOWNS, kgs=("towns",), model="offline"))
    run.drive()
    watched = watch(f"?run={run.id}")
    wait_for_nodes(watched.page, "tree", 2)
    offered = [look_into_changes(watched, node) for node in ("0", "1")]
    assert "__xss" in "".join(offered)


def look_into_changes(watched: Watched, node: str) -> str:
    """Open each form of the dialog and each list in it, and return what the dialog and the lists said."""
    page, told = watched.page, ""
    click_node(page, "tree", node)
    expect(page.locator(".ts-panel-title", has_text=f"#{node} ")).to_be_visible()
    idle(page)
    page.locator(".st-key-change-node button").first.click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    idle(page)
    for pill in dialog.get_by_test_id("stButtonGroup").get_by_role("radio").all():
        pill.click()
        idle(page)
        told, kind = told + dialog.inner_text(), pill.inner_text()
        watched.check(f"node {node}: {kind}")
        for box in dialog.get_by_role("combobox").all():
            box.click()
            expect(page.get_by_role("option").first).to_be_visible()
            told += " ".join(page.get_by_role("option").all_inner_texts())
            watched.check(f"node {node}: {kind}, what is offered")
            page.keyboard.press("Tab")
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")
    return told


def test_S1_S2_hostile_sources_are_text(
    watch: Callable[[str], Watched], studio: Studio, tmp_path: Path
) -> None:
    said = [text.replace("\x00", "") for text in HOSTILE]
    table, texts = tmp_path / "odd.csv", tmp_path / "odd.txt"
    quoted = ['"' + text.replace('"', '""') + '"' for text in said]
    table.write_text("\n".join(["name,note", *(f"{q},{q}" for q in quoted)]), "utf-8")
    texts.write_text("\n\n".join(said), "utf-8")
    studio.add_source(SourceSpec("odd", "table", (str(table),), description=said[1]))
    studio.add_source(SourceSpec("words", "text", (str(texts),), description=said[15]))
    listed = studio.home / "sources.yaml"
    each = ({"name": t[:80], "kind": t, "where": t, "description": t} for t in said[:20])
    lines = [f"- {json.dumps(entry)}\n" for entry in each]
    listed.write_text(listed.read_text("utf-8") + "".join(lines), "utf-8")
    try:
        ask_sources(watch("sources?source=odd"))
    finally:
        listed.unlink()


def ask_sources(watched: Watched) -> None:
    page = watched.page
    for name, query in (
        ("odd", "SELECT * FROM odd LIMIT 40"),
        ("words", "script label http img"),
        ("odd", HOSTILE[0]),
    ):
        page.locator(f".st-key-sources-open-{name} button").click()
        idle(page)
        page.get_by_role("textbox", name="Query").fill(query)
        page.locator("[data-testid=stFormSubmitButton] button").click()
        idle(page)
        page.wait_for_timeout(500)
        watched.check(f"{name}: {query}")
    for place in (0, -1):
        page.locator("[class*='st-key-sources-open-'] button").nth(place).click()
        idle(page)
        watched.check("a source")
