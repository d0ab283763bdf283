"""The page Runs in a real browser: delete and undo, two runs side by side, files, hostile text. Rows S1, S2."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Edit
from tests.browser.conftest import Servers
from tests.browser.test_hostile_labels import HOSTILE, Watched, keep, run_of_all_texts
from tests.integration.test_correction_story import CLUBS, OLD, QUESTION

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
PLACES = """() => Object.fromEntries(Object.entries(globalThis.__kg)
  .filter(([name]) => name.startsWith('compare-tree-'))
  .map(([name, g]) => [name.split('-')[2], g.net.getPositions()]))"""


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A server of this module's own, over its own runs."""
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs-home")


@pytest.fixture(scope="module")
def studio(home: Path) -> Iterator[Studio]:
    made = build(home, environ={})
    file = home / "clubs.ttl"
    file.write_text(CLUBS, "utf-8")
    made.import_graph([file], "clubs")
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def family(studio: Studio) -> tuple[str, str]:
    """A run, and a fork of it in which the model said something else."""
    run = studio.ask(Task(QUESTION, ("clubs",), model="offline"))
    run.drive()
    asked = next(
        address
        for address, done in run.journal.results_in_yield_order()
        if done.step["kind"] == "Ask"
    )
    fork = studio.fork(run.id, [Edit(*asked, replies=("nonsense",))])
    fork.drive()
    return run.id, fork.id


@pytest.fixture
def open_runs(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query="/runs" + query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        return page

    return open_


def rows(page: Page) -> Any:
    return page.locator("[class*='st-key-ts-run-d']")


def has_rows(page: Page, n: int) -> None:
    expect(rows(page)).to_have_count(n, timeout=WAIT_MS)


def check(page: Page, row: int) -> None:
    rows(page).nth(row).locator("[data-testid=stCheckbox] label").click()


def test_a_deleted_run_is_gone_after_a_reload_and_undo_brings_it_back(
    open_runs: OpenPage, family: tuple[str, str]
) -> None:
    page = open_runs()
    has_rows(page, 2)
    check(page, 1)
    page.get_by_role("button", name="Delete 1").click()
    expect(page.get_by_text("1 run deleted.")).to_be_visible()
    has_rows(page, 1)
    other = open_runs()
    has_rows(other, 1)
    page.get_by_role("button", name="Undo").click()
    has_rows(page, 2)
    expect(page.get_by_text("1 run deleted.")).to_have_count(0)
    other.reload()
    has_rows(other, 2)


def test_two_runs_are_compared_with_both_trees_in_the_same_places(
    open_runs: OpenPage, family: tuple[str, str]
) -> None:
    page = open_runs()
    check(page, 0)
    expect(page.get_by_role("button", name="Delete 1")).to_be_visible()
    check(page, 1)
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**compare=*")
    parting = page.locator(".ts-parting")
    expect(parting).to_contain_text("both ask the same and the replies are read differently")
    expect(parting).to_contain_text("nonsense")
    expect(page.locator(".ts-sides").first).to_contain_text(OLD)
    page.wait_for_function(
        "Object.values(globalThis.__kg ?? {}).filter((g) => g.nodes.length).length > 3"
    )
    page.wait_for_timeout(1500)
    places = page.evaluate(PLACES)
    first, second = places["First"], places["Second"]
    assert first["0"] == second["0"], "the roots are the same"
    assert len(first) == len(second), "what one lacks is outlined"
    page.reload()
    expect(page.locator(".ts-parting")).to_contain_text("nonsense")
    page.get_by_role("button", name="All runs").click()
    has_rows(page, 2)


def test_a_run_is_named_tagged_starred_found_again_and_presented(
    open_runs: OpenPage, studio: Studio, family: tuple[str, str]
) -> None:
    page = open_runs()
    has_rows(page, 2)
    rows(page).first.get_by_role("button", name="Details").click()
    name, tags = (page.get_by_role("textbox", name=label) for label in ("Name", "Tags"))
    name.fill("the home of the Reds")
    name.press("Enter")
    expect(rows(page).first).to_contain_text("the home of the Reds")
    tags.fill("to check, clubs，football")
    tags.press("Enter")
    expect(rows(page).first).to_contain_text("football")
    rows(page).first.get_by_role("button", name="☆").click()
    page.get_by_text("starred 1").click()
    has_rows(page, 1)
    page.get_by_text("all 2").click()
    has_rows(page, 2)
    search = page.get_by_placeholder("Question, name, answer or tag")
    search.fill("FOOTBALL")
    search.press("Enter")
    has_rows(page, 1)
    record = studio.store.record(family[0])
    assert (record.name, record.is_starred) == ("the home of the Reds", True)
    assert record.tags == ("to check", "clubs", "football")
    expect(page.locator(".ts-pairs")).to_contain_text("matcher call")
    page.get_by_role("button", name="Present").click()
    page.wait_for_url("**present=1*")
    assert family[0] in page.url
    studio.store.annotate(family[0], name="", tags=[], is_starred=False)


def test_a_run_is_run_again_with_another_method(
    open_runs: OpenPage, studio: Studio, family: tuple[str, str]
) -> None:
    page = open_runs()
    has_rows(page, 2)
    rows(page).first.get_by_role("button", name="Details").click()
    page.get_by_role("button", name="Run again").click()
    method = page.get_by_role("combobox", name="Method")
    method.fill("Chain-of-Traversals")
    method.press("Enter")
    page.locator("[class*='st-key-runs-again-']").get_by_role("button").click()
    page.wait_for_url("**run=*")
    expect(page.locator(".ts-answer.is-open")).to_contain_text(OLD)
    run_id = page.url.partition("run=")[2][:32]
    record = studio.store.record(run_id)
    assert (record.parent, record.kind) == (family[0], "rerun")
    assert record.method == "chain-of-traversals"
    studio.store.annotate(run_id, deleted_at="2026-01-01T00:00:00Z")


def test_an_export_comes_back_by_import_and_a_broken_file_is_refused(
    open_runs: OpenPage, family: tuple[str, str], tmp_path: Path
) -> None:
    page = open_runs()
    rows(page).first.get_by_role("button", name="Details").click()
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="The run as JSON, to import it again").click()
    page.keyboard.press("Escape")
    file = tmp_path / "run.json"
    download.value.save_as(file)
    data = json.loads(file.read_text("utf-8"))
    assert data["format"] == "traversal-studio-run" and data["version"] == 1
    page.get_by_role("button", name="Import").click()
    data["version"] = 99
    bad = {"name": "bad.json", "mimeType": "application/json", "buffer": json.dumps(data).encode()}
    page.locator("input[type=file]").set_input_files(bad)  # type: ignore[arg-type]
    page.get_by_role("button", name="Import", exact=True).last.click()
    expect(page.get_by_text("the file has version 99, this program reads 1")).to_be_visible()
    has_rows(page, 2)


def test_S1_S2_hostile_runs_are_text_in_list_details_and_comparison(
    open_runs: OpenPage, studio: Studio, family: tuple[str, str]
) -> None:
    names = []
    for number, text in enumerate(HOSTILE):
        bodies = run_of_all_texts(text)
        bodies[0] = replace(bodies[0], models=(("reason", text),), kgs=((text[:200], "1"),))
        run_id = keep(studio.store, 500 + number, bodies)
        studio.store.annotate(run_id, name=text, tags=[text[:300]])
        names.append(run_id)
    requests: list[str] = []
    page = open_runs(requests=requests)
    watched = Watched(page, requests)
    page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
    page.set_viewport_size({"width": 1280, "height": 2000})
    rows(page).first.wait_for()
    watched.check("the list")
    for row in (0, 5, 11):
        rows(page).nth(row).get_by_role("button", name="Details").click()
        page.wait_for_timeout(700)
        watched.check("the details")
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("combobox", name="Tag").click()
    page.wait_for_timeout(500)
    watched.check("the filters")
    page.goto(f"{page.url.partition('?')[0]}?compare={names[1]},{names[16]}")
    page.wait_for_function(
        "Object.values(globalThis.__kg ?? {}).filter((g) => g.nodes.length).length > 3"
    )
    page.wait_for_timeout(1000)
    watched.check("the comparison")
    width = page.locator("[data-testid=stMain]").evaluate("box => box.scrollWidth")
    assert width <= 1280, "a long name pushes the page apart"
