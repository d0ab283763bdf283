"""Hostile text in what goes out of the queue and comes in, in the form, and where an answer is challenged. S1, S2."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import Studio, Task
from kgcore.corrections import Correction
from kgcore.corrections.exchange import export_corrections
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from tests.browser.hostile_world import (
    SAID,
    TOWNS,
    bring_in,
    open_studio,
    shared_out,
    towns,
    watcher,
)
from tests.browser.test_correcting import hostile_corrections, idle
from tests.browser.test_hostile_labels import HOSTILE, Watched

pytestmark = pytest.mark.browser

Watch = Callable[[str], Watched]
MARKUP = HOSTILE[1]
TOWNS_GRAPH = SAID[2][:80]
FORMS = ("CSV", "QuickStatements", "SPARQL", "Turtle")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Graphs with hostile names, and hostile corrections: half of them approved."""
    opened = open_studio(tmp_path_factory.mktemp("hostile-corrections"))
    for name, text in shared_out().items():
        bring_in(opened, name, text)
    bring_in(opened, TOWNS_GRAPH, towns())
    for correction in (*hostile_corrections(), *of_things_that_are_known(opened)):
        kept = opened.corrections.propose(correction)
        if not str(correction.new_object and correction.new_object.name).startswith("other"):
            opened.corrections.approve(kept.id, who=correction.author, revision=kept.revision)
    yield opened
    opened.store.close()


def of_things_that_are_known(studio: Studio) -> Iterator[Correction]:
    """Corrections that each form of export can say: of entities that have an address."""
    relation = Relation(RelationId("http://towns.example/mayor"), "mayor")
    for text in SAID:
        film, title = Entity(EntityId("wd:Q25188"), text), Relation(RelationId("wdt:P1476"), text)
        yield Correction(
            "", "add", film, title, Literal(text), author=text[:200], kg="demo-wikidata"
        )
    for number, text in enumerate(SAID):
        (entity,) = studio.graph((TOWNS_GRAPH,)).describe((town(number),)).entities
        yield Correction(
            "", "add", entity, relation, Literal(text), author=text[:200], kg=TOWNS_GRAPH
        )


def town(number: int) -> EntityId:
    return EntityId(f"http://towns.example/town{number}")


@pytest.fixture
def watch(open_page: Callable[..., Page], studio: Studio) -> Watch:
    return watcher(open_page, studio.home)


def popover(page: Page, name: str) -> Locator:
    """Open what a button of the bar opens, and nothing else."""
    page.keyboard.press("Escape")
    shown = page.get_by_test_id("stPopoverBody")
    expect(shown).to_have_count(0)
    page.get_by_role("button", name=name, exact=True).click()
    expect(shown).to_be_visible()
    return shown


def test_S1_S2_hostile_corrections_are_text_going_out_coming_in_and_in_the_form(
    watch: Watch,
) -> None:
    watched = watch("corrections")
    look_at_exports(watched)
    bring_a_file_in(watched)
    fill_the_form(watched)


def look_at_exports(watched: Watched) -> None:
    page = watched.page
    for form in FORMS:
        shown = popover(page, "Export")
        shown.get_by_text(form).first.click()
        idle(page)
        page.wait_for_timeout(300)
        if not shown.count():
            shown = popover(page, "Export")
        shown.locator("summary").click()
        expect(shown.locator("code")).to_contain_text("__xss")
        watched.check(f"the preview of {form}")
    shown = popover(page, "Export")
    shown.get_by_role("combobox").click()
    expect(page.get_by_role("option").first).to_be_visible()
    watched.check("graphs to export")
    page.keyboard.press("Escape")


def bring_a_file_in(watched: Watched) -> None:
    page = watched.page
    shown = popover(page, "Import")
    table = export_corrections(list(hostile_corrections()), "csv").text
    for name, text in ((MARKUP, table), ("![x](javascript:0)", f"{MARKUP},{HOSTILE[16]}\n1,2\n")):
        choose_file(shown, f"{name.replace('/', '')}.csv", text)
        told = shown.get_by_role("button", name=re.compile("^Propose all"))
        expect(told.or_(shown.get_by_test_id("stAlert"))).to_be_visible()
        idle(page)
        watched.check(f"a file called {name}")
        assert "xss.png" in shown.inner_text() or "javascript" in shown.inner_text()


def choose_file(place: Any, name: str, text: str) -> None:
    file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    place.locator("input[type=file]").first.set_input_files(file)


def fill_the_form(watched: Watched) -> None:
    page = watched.page
    shown = popover(page, "New")
    box = shown.get_by_role("combobox", name="Graph")
    box.click()
    expect(page.get_by_role("option").filter(has_text="<svg").first).to_be_visible()
    watched.check("the graphs of the form")
    page.get_by_role("option").filter(has_text="<svg onload").first.click()
    for label in ("Subject", "Relation", "Object"):
        shown.get_by_role("textbox", name=label).fill(MARKUP)
    shown.get_by_role("button", name="Propose", exact=True).click()
    expect(shown.get_by_test_id("stAlert")).to_contain_text("<img src=")
    watched.check("a name that is not found")


def test_S1_S2_hostile_suspects_are_text_and_what_becomes_of_them(
    watch: Watch, studio: Studio
) -> None:
    run = studio.ask(Task(TOWNS, kgs=(TOWNS_GRAPH,), model="offline"))
    run.drive()
    watched = watch(f"?run={run.id}")
    find_the_suspect(watched)
    correct_the_first(watched)
    page = watched.page
    page.get_by_role("button", name="Reason again").first.click()
    page.wait_for_url(lambda url: run.id not in url)
    page.locator(".st-key-ts-comparison").wait_for()
    idle(page)
    watched.check("the answer of the run made again")
    page.get_by_role("button", name="Before and now").click()
    expect(page.locator(".ts-sides")).to_contain_text("Elmton")
    watched.check("both sides")


def find_the_suspect(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("button", name="This is wrong").click()
    page.get_by_label("The right answer").fill(MARKUP)
    box = page.get_by_role("combobox", name="Also ask")
    box.click()
    expect(page.get_by_role("option").filter(has_text="<img").first).to_be_visible()
    watched.check("graphs to ask")
    box.press("Enter")
    idle(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Find the suspect").click()
    expect(page.locator(".ts-suspect").first).to_be_visible()
    idle(page)
    found = page.locator(".st-key-ts-challenge")
    for summary in found.locator("summary").all():
        summary.click()
    assert "<img src=" in found.inner_text()
    watched.check("the suspects")
    page.get_by_role("button", name="Look", exact=True).first.click()
    idle(page)
    watched.check("a suspect that is looked at")


def correct_the_first(watched: Watched) -> None:
    page = watched.page
    page.get_by_role("button", name="Replace", exact=True).first.click()
    dialog = page.get_by_role("dialog")
    for text in ("script", MARKUP):
        dialog.get_by_label("What it should be").fill(text)
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("radio", name=text).last).to_be_visible()
        idle(page)
        watched.check(f"what {text} may mean")
    for label in ("Reason", "Evidence", "Your name"):
        dialog.get_by_role("textbox", name=label).fill(
            "https://x.example" if label == "Evidence" else MARKUP
        )
    page.keyboard.press("Tab")
    idle(page)
    dialog.get_by_role("button", name="Save the correction").click()
    dialog.wait_for(state="detached")
    expect(page.locator(".st-key-ts-challenge .ts-diff", has_text="<img").first).to_be_visible()
    watched.check("what was decided")
