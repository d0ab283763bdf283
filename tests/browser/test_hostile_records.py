"""Hostile text in records of runs: entries looked into, forks in the list, the stage, files of a run. Rows S1, S2."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, expect

from kgcore.bootstrap import Studio
from kgcore.bootstrap.exporting import page_of
from kgcore.model import Literal, Provenance, Relation, RelationId, Triple
from kgcore.runs import Breakpoint, Decided, Ended, SqlRunStore, StepDone, StepFailed
from kgcore.runs.entries import Act, BreakpointsSet, Edit
from kgcore.runs.keys import summary
from kgcore.steps import (
    BadQuery,
    Candidate,
    Candidates,
    Describe,
    Descriptions,
    Edges,
    EdgeSet,
    Evidence,
    Link,
    Lookup,
    NodeAdded,
    NodeExpanded,
    Passages,
    QuestionLinked,
    Rank,
    Ranking,
    RelationOption,
    RelationOptions,
    Relations,
    Replies,
    Reply,
    Seed,
    Usage,
)
from tests.browser.hostile_world import open_studio, watcher
from tests.browser.test_ask_page import click_node, wait_for_nodes
from tests.browser.test_correcting import idle
from tests.browser.test_hostile_labels import (
    HOSTILE,
    WALK,
    Watched,
    hostile,
    keep,
    run_of_all_texts,
)
from tests.browser.test_player import PLAYER, READY
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

Watch = Callable[[str], Watched]
FEW = (1, 16)  # of the texts, where each takes a page of its own: markup and markdown
ENTITIES = [hostile(text, number) for number, text in enumerate(HOSTILE)]
RELATIONS = [Relation(RelationId(text[:300]), text) for text in HOSTILE]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    opened = open_studio(tmp_path_factory.mktemp("hostile-records"))
    yield opened
    opened.store.close()


@pytest.fixture
def store(studio: Studio) -> Iterator[SqlRunStore]:
    yield studio.store
    for record in studio.store.list():
        studio.store.delete(record.id)


@pytest.fixture
def watch(open_page: Callable[..., Page], studio: Studio) -> Watch:
    return watcher(open_page, studio.home)


# entries of a run


def done(step: Any, result: Any) -> StepDone:
    return StepDone("hash", "key", summary(step), result, usage=Usage(kg_requests=1), seconds=0.1)


def run_of_all_calls() -> Iterator[Any]:
    """A run in which each text stands in each kind of answer a graph, a source, a model or a person can give."""
    ids, notes = tuple(entity.id for entity in ENTITIES), tuple(HOSTILE)
    triples = tuple(
        Triple(entity, relation, end, Provenance(entity.kg, query=entity.label))
        for entity, relation in zip(ENTITIES, RELATIONS, strict=True)
        for end in (ENTITIES[0], Literal(entity.label, entity.label[:60], lang=entity.label[:20]))
    )
    options = tuple(
        RelationOption(relation, "out", 3, ids[:2], targets=(relation.label,) * 2)
        for relation in RELATIONS
    )
    replies = [Reply(text, text) for text in HOSTILE]
    replies += [Reply(text, None, text) for text in HOSTILE]
    yield replace(made.story()[0], question=HOSTILE[1], kgs=((HOSTILE[1][:90], "1"),))
    candidates = tuple(Candidate(entity, 0.5, entity.label) for entity in ENTITIES)
    yield done(Link(HOSTILE[1]), Candidates(candidates, notes=notes))
    yield QuestionLinked(tuple(Seed(entity.label, entity) for entity in ENTITIES[:3]))
    yield NodeAdded(0, None, 0, "start", entities=tuple(ENTITIES[:3]))
    yield NodeExpanded(0, 1)
    yield done(Relations(ids, (0,)), RelationOptions(options, notes=notes))
    yield done(Describe(ids), Descriptions(tuple(ENTITIES), notes=notes))
    yield done(Edges(ids, RELATIONS[1].id, about=(0,)), EdgeSet(triples, notes=notes))
    scores = tuple(0.5 for _ in HOSTILE)
    yield done(Rank(HOSTILE[1], notes, (0,)), Ranking(tuple(range(len(HOSTILE))), scores))
    for text in HOSTILE:
        found = (Evidence(text, text, text, 0.5),)
        yield done(Lookup(text, text, (0,)), Passages(found, text, 2, notes=(text,)))
        yield done(Lookup(text, text, (0,)), BadQuery(text))
        yield StepFailed(summary(Relations(ids[:2], (0,))), text[:40], text)
    said = Replies(tuple(replies), "\n".join(HOSTILE), left_out=notes)
    yield StepDone("hash", "key", {"kind": "Ask", "template": HOSTILE[1], "about": (0,)}, said)
    yield Decided("key", triples[:40])
    yield BreakpointsSet(tuple(Breakpoint("entity", text[:300]) for text in HOSTILE))
    yield NodeAdded(1, 0, 1, "think", HOSTILE[1], triples=triples)
    yield Ended("failed", HOSTILE[1], None, 1.0)


def test_S1_S2_hostile_answers_of_graphs_sources_and_models_are_text_in_the_inspector(
    watch: Watch, store: SqlRunStore
) -> None:
    run_id = keep(store, 61, list(run_of_all_calls()))
    watched = watch(f"?run={run_id}")
    page = watched.page
    wait_for_nodes(page, "tree", 2)
    click_node(page, "tree", "0")
    expect(page.locator(".ts-panel-title", has_text="#0 ")).to_be_visible()
    idle(page)
    calls = page.locator("[class*='st-key-call-node-0-'] summary")
    expect(calls).to_have_count(5 + 2 * len(HOSTILE))  # what failed is told in the log
    watched.check("the calls of a node")
    for call in calls.all():
        call.click()
    idle(page)
    opened = page.locator("[class*='st-key-call-node-0-'] [data-testid=stExpanderDetails]")
    expect(opened.last.locator("code")).to_contain_text("<script>")
    watched.check("all calls of a node")


@pytest.mark.parametrize("number", [0, 1, 4, 20])
def test_S1_S2_a_hostile_call_is_text_in_the_large_window(
    watch: Watch, store: SqlRunStore, number: int
) -> None:
    run_id = keep(store, 70 + number, list(run_of_all_calls()))
    watched = watch(f"?run={run_id}")
    page = watched.page
    wait_for_nodes(page, "tree", 2)
    click_node(page, "tree", "0")
    expect(page.locator(".ts-panel-title", has_text="#0 ")).to_be_visible()
    idle(page)
    page.locator("[class*='st-key-call-node-0-'] summary").nth(number).click()
    page.get_by_role("button", name="Open large").locator("visible=true").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Entry")
    idle(page)
    watched.check("a call, large")
    assert any(word in dialog.inner_text() for word in ("<script>", "<img", "evil", "__xss"))


def test_S1_S2_hostile_entries_are_text_one_by_one(watch: Watch, store: SqlRunStore) -> None:
    run_id = keep(store, 62, list(run_of_all_calls()))
    watched = watch(f"?run={run_id}")
    page = watched.page
    line = page.get_by_role("slider", name="Timeline of the run")
    line.focus()
    page.keyboard.press("Home")
    told = ""
    n = int(line.get_attribute("aria-valuemax") or 0)
    for moment in range(2, n):
        page.keyboard.press("ArrowRight")
        if 11 <= moment < n - 6 and moment % 12 > 2:
            continue  # of those that are many and alike, some
        expect(page).to_have_url(re.compile(rf"[?&]at={moment}\b"))
        idle(page)
        told += page.locator(".ts-panel-title").first.inner_text()
        watched.check(f"moment {moment}")
    assert "<img src=" in told


# the list of runs, two of them beside each other


def test_S1_S2_hostile_changes_are_text_in_the_list_of_runs_and_on_the_fork(
    watch: Watch, store: SqlRunStore
) -> None:
    parent = keep(store, 43, [replace(made.story()[0], question=HOSTILE[1]), *made.story()[1:]])
    store.annotate(parent, name=HOSTILE[1], tags=[HOSTILE[1][:300]])
    started = replace(made.story()[0], kind="fork", parent=parent, lineage=(parent,))
    forks = []
    for number, text in enumerate(HOSTILE):
        act = Act("link", author=text, node=1, what=text, to=text)
        edit = Edit(1, 0, replies=(text,), act=act)
        first = replace(started, edits=(edit,), question=text)
        forks.append(keep(store, 100 + number, [first, *made.story()[1:]]))
        store.annotate(forks[-1], name=text, tags=[text[:300]])
    watched = watch("runs")
    page, told = watched.page, ""
    for leaf in range(-(-len(store.list()) // 15)):
        if leaf:
            turn(page)
        told += page.locator(".st-key-ts-runs").inner_text()
        watched.check("the list")
    assert told.count("↳ fork") == len(HOSTILE)
    assert "<img src=" in told
    base = page.url.partition("/runs")[0]
    for number in FEW:
        page.goto(f"{base}/runs")
        row = page.locator(f".st-key-runs-open-{forks[number]} button")
        search = page.locator(".st-key-runs-search input")
        search.fill(forks[number])
        search.press("Enter")
        expect(page.locator("[class*='st-key-runs-open-']")).to_have_count(1)
        row.click()
        expect(page.locator(".ts-byhand")).to_be_visible()
        watched.check("the details of a fork")
        page.goto(f"{base}/?run={forks[number]}")
        expect(page.locator(".st-key-ts-origin")).to_contain_text(HOSTILE[number][:20])
        idle(page)
        watched.check("a fork")


def turn(page: Page) -> None:
    """Go to the next leaf of the list of runs."""
    page.get_by_role("button", name="Next page").click()
    idle(page)


def test_S1_S2_two_hostile_runs_beside_each_other_are_text(
    watch: Watch, store: SqlRunStore
) -> None:
    first = keep(store, 44, run_of_all_texts(HOSTILE[1]))
    bodies = run_of_all_texts(HOSTILE[16])
    bodies[0] = replace(bodies[0], kgs=((HOSTILE[16], "2"),), models=(("reason", HOSTILE[16]),))
    second = keep(store, 45, bodies)
    watched = watch(f"runs?compare={first},{second}")
    page = watched.page
    page.wait_for_function(
        "Object.values(globalThis.__kg ?? {}).filter((g) => g.nodes.length).length > 3"
    )
    watched.check("the comparison")
    expect(page.locator(".ts-parting")).to_be_visible()
    page.locator(".st-key-compare-text summary").click()
    text = page.locator(".st-key-compare-text [data-testid=stExpanderDetails]")
    expect(text).to_contain_text("<img src=")
    watched.check("both as text")
    page.locator(".st-key-compare-swap button").click()
    idle(page)
    watched.check("both, swapped")


# the stage, and files


def test_S1_S2_a_hostile_run_is_text_on_the_stage(watch: Watch, store: SqlRunStore) -> None:
    watched = watch(f"?present=1&run={keep(store, 46, run_of_all_texts(HOSTILE[1]))}")
    page = watched.page
    page.wait_for_function(READY)
    page.keyboard.press("t")
    told = ""
    for slide in range(page.evaluate(f"{PLAYER}.deck.slides.length")):
        told += page.locator(".pl-root, .pl").first.inner_text()
        if slide % 5 == 0:
            watched.check(f"slide {slide}")
        page.keyboard.press("ArrowRight")
    watched.check("the end")
    assert "<img src=" in told and "[x](javascript:" in told
    page.get_by_role("button", name="Recorded runs").click()
    watched.check("what is above the stage")


@pytest.mark.parametrize("form", ["html", "report-html", "report-md"])
def test_S1_S2_the_files_of_a_hostile_run_hold_text(
    browser: Browser, tmp_path: Path, form: str
) -> None:
    """A page that plays, a report, and a report in Markdown as a reader that lets HTML pass would show it."""
    runs = (run_of_all_texts(HOSTILE[1]), run_of_all_texts(HOSTILE[16]), list(run_of_all_calls()))
    for number, bodies in enumerate(runs):
        text = page_of(made.entries(bodies), form, language="en")
        if form == "report-md":
            shown = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
            text = f'<meta charset="utf-8"><body>{shown}'
        file = tmp_path / f"{number}.html"
        file.write_text(text, "utf-8")
        page, requests = browser.new_page(), []
        page.on("request", lambda request, into=requests: into.append(request.url))
        page.goto(file.as_uri())
        assert bodies[0].question[:12] in page.evaluate("document.body.innerText")
        page.mouse.move(300, 300)
        assert page.evaluate(WALK) == [], form
        assert page.title() != "hacked"
        assert requests == [file.as_uri()]
        page.close()
