"""The Ask page in a real browser: live growth, several tabs, clicks, reload, safety, and its place on screen."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from kgcore.model import Entity, EntityId, Relation, RelationId
from kgcore.runs import Ended, SqlRunStore
from kgcore.steps import Answer, AnswerPart, NodeAdded, QuestionLinked, Seed
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
QUESTION = "Which actor starred in both Inception and Interstellar?"
HOSTILE = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>"
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ask-home")


@pytest.fixture
def store(home: Path) -> Iterator[SqlRunStore]:
    opened = SqlRunStore.open(home)
    yield opened
    opened.close()


@pytest.fixture
def open_ask(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        page.get_by_role("button", name="Run", exact=True).wait_for()
        return page

    return open_


def ask(page: Page, question: str) -> str:
    """Put a question and return the run's id."""
    box = page.get_by_placeholder("Ask a question")
    box.fill(question)
    box.press("Enter")
    page.wait_for_url("**run=*")
    return page.url.partition("run=")[2]


def start_paused(page: Page) -> str:
    page.get_by_role("button", name="Options").click()
    page.get_by_text("Pause before the first step").click()
    page.keyboard.press("Escape")
    run_id = ask(page, QUESTION)
    expect(page.get_by_role("button", name="Continue")).to_be_visible(timeout=WAIT_MS)
    return run_id


def graph(page: Page, kind: str, expression: str) -> Any:
    """Evaluate an expression over the drawing `g` of this kind (kg, tree)."""
    return page.evaluate(
        f"""kind => {{
            const name = Object.keys(globalThis.__kg ?? {{}}).find((k) => k.startsWith(kind + '-'));
            const g = globalThis.__kg?.[name];
            return g ? {expression} : null;
        }}""",
        kind,
    )


def count(page: Page, kind: str) -> int:
    return graph(page, kind, "g.nodes.length") or 0


def wait_for_nodes(page: Page, kind: str, at_least: int) -> None:
    deadline = time.monotonic() + WAIT_MS / 1000
    while count(page, kind) < at_least:
        assert time.monotonic() < deadline, f"{kind} has only {count(page, kind)} nodes"
        page.wait_for_timeout(50)


def wait_until_still(page: Page) -> None:
    for kind in ("kg", "tree"):
        while graph(page, kind, "g.glides.size"):
            page.wait_for_timeout(50)
    page.wait_for_timeout(600)  # the camera's own glide


def click_node(page: Page, kind: str, node: str) -> None:
    wait_until_still(page)
    x, y = graph(
        page,
        kind,
        f"""(() => {{
            const frame = g.host.getBoundingClientRect();
            const at = g.net.canvasToDOM(g.net.getPosition({node!r}));
            return [frame.left + at.x, frame.top + at.y];
        }})()""",
    )
    page.mouse.click(x, y)


def answered(page: Page) -> None:
    expect(page.locator(".ts-answer", has_text="Michael Caine")).to_be_visible(timeout=WAIT_MS)


def keep(store: SqlRunStore, bodies: list[Any], run_id: str) -> str:
    first, *rest = made.entries([replace(bodies[0], run_id=run_id), *bodies[1:]])
    store.create(first.body, entries=rest)  # type: ignore[arg-type]
    return run_id


def test_a_question_is_answered_without_any_other_machine(open_ask: OpenPage) -> None:
    requests: list[str] = []
    page = open_ask(requests=requests)
    ask(page, QUESTION)
    answered(page)
    wait_for_nodes(page, "kg", 5)
    wait_for_nodes(page, "tree", 4)
    assert graph(page, "kg", "g.nodes.get().filter((n) => n.shape === 'star').length") == 1
    away = [url for url in requests if urlsplit(url).hostname not in ("127.0.0.1", None)]
    assert away == []


def test_a_reload_and_a_second_tab_show_the_same_run(open_ask: OpenPage) -> None:
    page = open_ask()
    run_id = ask(page, QUESTION)
    answered(page)
    page.reload()
    answered(page)
    assert run_id in page.url
    other = open_ask(f"?run={run_id}")
    answered(other)
    wait_for_nodes(other, "kg", 5)


def test_a_paused_run_grows_step_by_step_in_every_tab(open_ask: OpenPage) -> None:
    one = open_ask()
    run_id = start_paused(one)
    other = open_ask(f"?run={run_id}")
    expect(other.get_by_role("button", name="Continue")).to_be_visible(timeout=WAIT_MS)
    while count(one, "tree") < 2:
        one.locator(".st-key-run-step").get_by_role("button").click()
        one.wait_for_timeout(700)
    wait_for_nodes(other, "tree", 2)
    assert not one.locator(".ts-answer", has_text="Michael Caine").is_visible()
    other.get_by_role("button", name="Continue").click()
    answered(other)
    answered(one)


def test_nodes_stay_where_they_are_while_the_run_grows(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    while count(page, "kg") < 2:
        page.locator(".st-key-run-step").get_by_role("button").click()
        page.wait_for_timeout(500)
    wait_until_still(page)
    places = "Object.fromEntries(g.nodes.getIds().map((id) => [id, g.net.getPosition(id)]))"
    before = graph(page, "kg", places)
    page.evaluate("globalThis.kept = Object.values(globalThis.__kg).map((g) => g.net)")
    page.get_by_role("button", name="Continue").click()
    answered(page)
    wait_for_nodes(page, "kg", 10)
    wait_until_still(page)
    after = graph(page, "kg", places)
    assert {node: after[node] for node in before} == before
    nets = "Object.values(globalThis.__kg).every((g) => globalThis.kept.includes(g.net))"
    assert page.evaluate(nets)


def test_what_is_typed_while_a_run_is_live_stays(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    entries = page.locator(".ts-log [role=listitem]")
    expect(entries.first).to_be_visible(timeout=WAIT_MS)
    n_entries = entries.count()
    box = page.get_by_placeholder("Ask a question")
    box.click()
    box.press("ControlOrMeta+a")
    page.keyboard.type("Who directed Casablanca?", delay=80)
    page.wait_for_timeout(1500)
    assert box.input_value() == "Who directed Casablanca?"
    assert entries.count() == n_entries  # no letter was a shortcut
    assert box.evaluate("box => box === document.activeElement")


def test_stop_ends_a_run_and_resume_goes_on(open_ask: OpenPage) -> None:
    page = open_ask()
    start_paused(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("button", name="Resume").click()
    answered(page)


def test_a_click_on_a_step_shows_its_prompt(open_ask: OpenPage) -> None:
    page = open_ask()
    ask(page, QUESTION)
    answered(page)
    click_node(page, "tree", "1")
    title = page.locator(".ts-panel-title", has_text="#1 ")
    expect(title).to_be_visible(timeout=WAIT_MS)
    page.get_by_text("The choice that led here").click()
    expect(page.locator("[data-testid=stCode]", has_text=QUESTION).first).to_be_visible()


def test_a_click_on_an_entity_shows_its_triples(open_ask: OpenPage) -> None:
    page = open_ask()
    ask(page, QUESTION)
    answered(page)
    star = graph(page, "kg", "g.nodes.get().find((n) => n.shape === 'star').id")
    click_node(page, "kg", star)
    expect(page.get_by_text("Brought by step #")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".ts-panel-title", has_text="Michael Caine")).to_be_visible()


def test_a_follow_up_starts_from_the_answer(open_ask: OpenPage) -> None:
    page = open_ask()
    ask(page, QUESTION)
    answered(page)
    page.get_by_role("button", name="Ask a follow-up").click()
    expect(page.get_by_role("button", name="Remove Michael Caine")).to_be_visible()
    expect(page.get_by_placeholder("Ask a question")).to_have_value("")


def test_a_double_click_starts_one_run(open_ask: OpenPage, store: SqlRunStore) -> None:
    page = open_ask()
    before = len(store.list())
    page.get_by_placeholder("Ask a question").fill("Who directed Casablanca?")
    page.get_by_role("button", name="Run", exact=True).dblclick()
    page.wait_for_url("**run=*")
    expect(page.locator(".ts-answer", has_text="Curtiz")).to_be_visible(timeout=WAIT_MS)
    page.wait_for_timeout(500)
    assert len(store.list()) == before + 1


def test_a_closed_tab_does_not_end_its_run(open_ask: OpenPage, store: SqlRunStore) -> None:
    page = open_ask()
    run_id = start_paused(page)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Continue")).to_be_hidden(timeout=WAIT_MS)
    page.close()
    deadline = time.monotonic() + 60
    while store.record(run_id).status != "answered":
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_hostile_text_does_nothing(open_ask: OpenPage, store: SqlRunStore) -> None:
    bad = Entity(EntityId("x:bad"), HOSTILE, HOSTILE, kg=HOSTILE, url=f"javascript:{HOSTILE}")
    triple = made.fact(bad, Relation(RelationId("x:rel"), HOSTILE), made.NOLAN, kg=HOSTILE)
    answer = Answer(HOSTILE, (AnswerPart(bad),), 0.9, (triple,), node=1)
    bodies = [
        replace(made.story()[0], question=HOSTILE, kgs=((HOSTILE, "1"),)),
        QuestionLinked((Seed(HOSTILE, bad),)),
        NodeAdded(0, None, 0, "start", entities=(bad,)),
        made.asked(0, "choose_action", HOSTILE, HOSTILE),
        NodeAdded(1, 0, 1, "answer", HOSTILE, triples=(triple,)),
        Ended("answered", "", answer, 1.0),
    ]
    page = open_ask(f"?run={keep(store, bodies, 'e' * 32)}")
    wait_for_nodes(page, "kg", 2)
    for kind, node in (("kg", "x:bad"), ("tree", "1"), ("tree", "0")):
        click_node(page, kind, node)
        page.wait_for_timeout(700)
    assert "hacked" not in page.title()
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^=javascript]").count() == 0


@pytest.mark.parametrize("dark", [False, True])
def test_the_main_view_fits_the_window(open_ask: OpenPage, store: SqlRunStore, dark: bool) -> None:
    run_id = "d" * 31 + str(int(dark))
    keep(store, made.story(), run_id)
    page = open_ask(f"?run={run_id}", width=1440, height=900, dark=dark)
    wait_for_nodes(page, "tree", 6)
    box = page.locator("[data-testid=stMain]")
    assert box.evaluate("box => box.scrollHeight") <= 900
    assert box.evaluate("box => box.scrollWidth") <= 1440


def test_nothing_is_cut_off_sideways_on_a_small_screen(
    open_ask: OpenPage, store: SqlRunStore
) -> None:
    page = open_ask(f"?run={keep(store, made.story(), 'c' * 32)}", width=1024, height=768)
    wait_for_nodes(page, "tree", 6)
    assert page.locator("[data-testid=stMain]").evaluate("box => box.scrollWidth") <= 1024
