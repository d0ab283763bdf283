"""Hostile text where a person looks back, finds a name, opens a menu, saves a picture or reads rationales. Rows S1, S2.

The places of a run itself are walked in test_hostile_labels.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import Studio, build
from kgcore.runs import Ended, SqlRunStore
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
from tests.browser.test_ask_page import graph, wait_for_nodes
from tests.browser.test_correcting import idle
from tests.browser.test_hostile_labels import HOSTILE, Watched, keep, run_of_all_texts
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile-places")


@pytest.fixture(scope="module")
def studio(home: Path) -> Iterator[Studio]:
    """The demo graphs."""
    opened = build(home, environ={})
    opened.ensure_demo()
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
    def open_(path: str) -> Watched:
        requests: list[str] = []
        page = open_page(
            "app.py",
            query=f"/{path}",
            requests=requests,
            height=2000,
            reduced_motion=True,
            KGCORE_HOME=str(home),
        )
        watched = Watched(page, requests)
        page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
        page.set_default_timeout(WAIT_MS)
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        idle(page)
        return watched

    return open_


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
