"""Changing a run in a real browser: every change goes to a fork of its own, and the run itself stays as it was."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Budget, RunView
from tests.browser.conftest import Servers
from tests.browser.test_ask_page import WAIT_MS, click_node, count, wait_for_nodes
from tests.browser.test_correcting import idle
from tests.browser.test_hostile_labels import Watched
from tests.servers.openai_server import OpenAIServer, Say
from tests.unit.runs.films_of_one_name import FILMS, FIRST, QUESTION, SECOND

pytestmark = pytest.mark.browser

ASIDE, REMARK = "Mention the weather.", "it rains in space"
FIRST_MS = 200_000  # the first call of a model loads litellm, which a busy machine takes long for
OpenPage = Callable[..., Page]
HOSTILE = "<img src=x onerror=\"document.title='taken'\">[x](javascript:alert(1)) **b** $x$ :red[r]"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a graph in which a name stands for two films."""
    home = tmp_path_factory.mktemp("forks-home")
    studio = build(home, environ={})
    file = home / "films.ttl"
    file.write_text(FILMS, "utf-8")
    studio.import_graph([file], "films")
    studio.store.close()
    return home


@pytest.fixture(scope="module")
def studio(home: Path) -> Iterator[Studio]:
    made = build(home, environ={})
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def parent(studio: Studio) -> str:
    """A run that has ended: start, expand, pick, follow director, answer."""
    run = studio.ask(Task(QUESTION, ("films",), model="offline"))
    run.drive()
    return run.id


@pytest.fixture
def opened(
    open_page: OpenPage, home: Path, studio: Studio, parent: str
) -> Iterator[Callable[..., Page]]:
    before = studio.store.load(parent)

    def open_(**options: Any) -> Page:
        query = f"/?run={parent}"
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), height=1000, **options)
        page.set_default_timeout(WAIT_MS)
        wait_for_nodes(page, "tree", 4)
        return page

    yield open_
    assert studio.store.load(parent) == before, "the parent stays as it is"


@pytest.fixture(scope="module")
def model() -> Iterator[OpenAIServer]:
    """A model that thinks aloud, and remarks on an aside in its prompt."""
    with OpenAIServer() as server:

        def reply(body: Mapping[str, Any]) -> Say:
            is_remarked = ASIDE in json.dumps(body)
            thought = REMARK if is_remarked else "the films of that name"
            return Say(f"Thought: {thought}\nAction: think\nReason: so\nValue: 0.5")

        server.script = [reply]
        yield server


def change(page: Page, node: int, what: str) -> Locator:
    """Open the dialog for a node and take one of what can be changed."""
    click_node(page, "tree", str(node))
    expect(page.locator(".ts-panel-title", has_text=f"#{node} ")).to_be_visible(timeout=WAIT_MS)
    idle(page)
    page.get_by_role("button", name="Change…").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(what, exact=True).click()
    idle(page)
    return dialog


def start(page: Page, parent: str, studio: Studio) -> RunView:
    """Start the fork and wait for its end."""
    page.get_by_role("button", name="Start the fork").click()
    page.wait_for_url(lambda url: parent not in url, timeout=WAIT_MS)
    expect(page.locator(".st-key-ts-origin")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("1 change by a person")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text(re.compile("The answer (changed|is the same)"))).to_be_visible(
        timeout=WAIT_MS
    )
    found = re.search("run=([0-9a-f]{32})", page.url)
    assert found is not None
    return studio.view(found[1])


def said(page: Page) -> str:
    return page.locator(".st-key-ts-origin").inner_text()


def is_a_branch(page: Page, studio: Studio, fork: RunView, parent: str, words: str) -> None:
    """The fork is told as one: in its log, counted, and in the list of runs below the run it came from."""
    assert fork.started is not None
    record = studio.store.record(fork.started.run_id)
    assert (record.parent, record.kind) == (parent, "fork")
    assert words in said(page)
    assert len(fork.acts) == 1
    page.get_by_role("link", name="Runs").click()
    row = page.locator(f"[class*='st-key-ts-run-d1-'][class*='{record.id}']")
    expect(row).to_contain_text(words, timeout=WAIT_MS)


def is_marked(page: Page, fork: RunView, words: str) -> None:
    """What a person did is marked in the log, the tree as text, and at a node."""
    expect(page.locator(".lg .is-human", has_text=words).first).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("by a person", exact=True)).to_be_visible(timeout=WAIT_MS)
    marked = [node.id for node in fork.nodes.values() if node.acts]
    assert marked
    page.get_by_role("tab", name="All as text").click()
    expect(page.get_by_text(re.compile(rf"#{marked[0]} .*✎")).first).to_be_visible(timeout=WAIT_MS)


def answer_of(view: RunView) -> str:
    return view.answer.text if view.answer is not None and view.answer.is_answer else ""


def test_a_fork_goes_on_with_an_edited_reply(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    page = opened()
    click_node(page, "tree", "4")
    page.get_by_text("The choice that led here").click()
    inside = page.locator("[data-testid=stExpanderDetails]").first
    inside.get_by_role("button", name="Change…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Edit a reply", exact=True).click()
    box = dialog.get_by_role("textbox", name="The reply")
    box.fill("Action: dance")
    box.press("Control+Enter")
    expect(dialog.get_by_role("status")).to_contain_text("It cannot be read", timeout=WAIT_MS)
    dialog.get_by_role("button", name="Start the fork").click()
    expect(dialog.get_by_text("this reply cannot be read")).to_be_visible(timeout=WAIT_MS)
    assert parent in page.url, "nothing was started"

    dialog.get_by_text("Only this one counts").click()
    box.fill("Action: think\nThought: who made the music?")
    box.press("Control+Enter")
    expect(dialog.get_by_role("status")).to_contain_text(
        "read as: think: who made the music?", timeout=WAIT_MS
    )
    fork = start(page, parent, studio)
    assert "local edited a reply" in said(page)
    assert [n.argument for n in fork.nodes.values() if n.action == "think"] == [
        "who made the music?"
    ]


def test_a_hostile_reply_is_shown_as_text_S1(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    requests: list[str] = []
    page = opened(requests=requests)
    watched = Watched(page, requests)
    page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
    dialog = change(page, 3, "Add a thought")
    dialog.get_by_role("textbox", name="The thought").fill(HOSTILE)
    fork = start(page, parent, studio)
    assert HOSTILE in {n.argument for n in fork.nodes.values()}
    assert "<img src=x" in said(page)
    node = next(n for n in fork.nodes.values() if n.action == "think")
    click_node(page, "tree", str(node.id))
    expect(page.locator(".ts-byhand").first).to_contain_text("<img src=x", timeout=WAIT_MS)
    watched.check("the fork")
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_text("local added a thought at #3").first).to_be_visible(timeout=WAIT_MS)
    watched.check("the list of runs")


def test_a_value_is_set_and_marked_in_the_tree(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    page = opened()
    dialog = change(page, 3, "Set its value")
    value = dialog.get_by_role("spinbutton")
    value.fill("0.15")
    value.press("Enter")
    idle(page)
    fork = start(page, parent, studio)
    assert "local set the value of #3 to 0.15" in said(page)
    assert fork.nodes[3].value == 0.15
    expect(page.get_by_text("by a person", exact=True)).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("tab", name="All as text").click()
    expect(page.get_by_text("#3 follow ✎").first).to_be_visible(timeout=WAIT_MS)


def test_an_action_is_forced(opened: Callable[..., Page], parent: str, studio: Studio) -> None:
    page = opened()
    dialog = change(page, 0, "Next step from here")
    dialog.get_by_role("button", name="Start the fork").click()
    expect(dialog.get_by_role("alert")).to_contain_text("nothing was chosen", timeout=WAIT_MS)
    dialog.get_by_role("radio", name="answer").check(force=True)
    idle(page)
    dialog.get_by_role("textbox", name="In your words").fill("somebody else")
    fork = start(page, parent, studio)
    words = "local chose what to do at #0: answer: somebody else"
    assert [n.argument for n in fork.nodes.values()] == ["", "somebody else"]
    is_marked(page, fork, words)
    is_a_branch(page, studio, fork, parent, words)


def test_another_choice_is_made_where_a_node_came_from(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    page = opened()
    dialog = change(page, 3, "Instead of this step")
    expect(dialog.get_by_text("The model chose: ")).to_contain_text("director")
    dialog.get_by_role("radio", name=re.compile("^composer")).check(force=True)
    idle(page)
    fork = start(page, parent, studio)
    words = "chose otherwise at #2: composer"
    assert "composer" in {n.argument for n in fork.nodes.values()}
    is_marked(page, fork, words)
    is_a_branch(page, studio, fork, parent, words)


def test_a_branch_is_pruned(opened: Callable[..., Page], parent: str, studio: Studio) -> None:
    page = opened()
    dialog = change(page, 3, "Prune it")
    expect(dialog.get_by_text("left out of the search")).to_be_visible()
    fork = start(page, parent, studio)
    words = "local took #3 “director”"
    assert answer_of(fork) != answer_of(studio.view(parent))
    assert "local took this out of the search" in {r.reason for r in fork.rejected}
    is_marked(page, fork, words)
    is_a_branch(page, studio, fork, parent, words)


def test_a_triple_is_corrected_in_a_fork_alone(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    page = opened()
    dialog = change(page, 3, "Correct a triple")
    triple = dialog.get_by_role("combobox", name="Triple")
    expect(triple).to_have_value(re.compile(answer_of(studio.view(parent))))
    dialog.get_by_role("button", name="Correct it").first.click()
    form = page.get_by_role("dialog")
    form.get_by_text("Retract", exact=True).click()
    form.get_by_text("Only here", exact=True).click()
    idle(page)
    form.get_by_role("button", name="Save the correction").click()
    page.wait_for_url(lambda url: parent not in url, timeout=WAIT_MS)
    expect(page.get_by_text(re.compile("The answer changed"))).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("1 change by a person")).to_be_visible(timeout=WAIT_MS)
    fork = studio.view(re.search("run=([0-9a-f]{32})", page.url)[1])  # type: ignore[index]
    assert answer_of(fork) != answer_of(studio.view(parent))
    is_a_branch(page, studio, fork, parent, "local corrected a triple")
    again = studio.ask(Task(QUESTION, ("films",), model="offline"))
    again.drive()
    assert answer_of(studio.view(again.id)) == answer_of(studio.view(parent)), (
        "it counts here alone"
    )


def test_an_edited_prompt_is_sent_and_its_reply_goes_on(
    open_page: OpenPage, home: Path, studio: Studio, model: OpenAIServer
) -> None:
    task = Task(QUESTION, ("films",), model="openai/any", api_base=model.address)
    run = studio.ask(replace(task, budget=Budget(calls=8)))
    run.drive()
    before = studio.store.load(run.id)
    page = open_page("app.py", query=f"/?run={run.id}", KGCORE_HOME=str(home), height=1000)
    page.set_default_timeout(WAIT_MS)
    wait_for_nodes(page, "tree", 2)
    dialog = change(page, 0, "Edit the prompt")
    box = dialog.get_by_role("textbox", name="The prompt")
    expect(box).to_have_value(re.compile("Solaris"))
    dialog.get_by_role("button", name="Start the fork").click()
    expect(dialog.get_by_role("alert")).to_contain_text("the prompt is as it was")
    box.fill(f"{box.input_value()}\n{ASIDE}")
    box.press("Control+Enter")
    idle(page)
    dialog.get_by_role("button", name="Start the fork").click()
    page.wait_for_url(lambda url: run.id not in url)
    expect(page.locator(".st-key-ts-origin")).to_contain_text("local edited a prompt")
    expect(page.locator(".lg .is-human", has_text="local edited a prompt")).to_be_visible(
        timeout=FIRST_MS
    )
    assert [r.prompt for r in model.received if ASIDE in r.prompt]
    expect(page.locator(".lg li", has_text=REMARK).first).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("1 change by a person")).to_be_visible()
    assert studio.store.load(run.id) == before


def test_a_banned_relation_leads_elsewhere(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    page = opened()
    dialog = change(page, 3, "Ban a relation")
    expect(dialog.get_by_role("combobox", name="Relation")).to_have_value(
        "director", timeout=WAIT_MS
    )
    fork = start(page, parent, studio)
    assert "local banned the relation “director”" in said(page)
    assert "director" not in {n.argument for n in fork.nodes.values()}
    assert answer_of(fork) != answer_of(studio.view(parent))


def test_a_name_is_settled_and_another_answer_found(
    opened: Callable[..., Page], parent: str, studio: Studio
) -> None:
    page = opened()
    dialog = change(page, 0, "Settle a name")
    dialog.get_by_role("button", name="Start the fork").click()
    expect(dialog.get_by_text("this is what the name stands for now")).to_be_visible(
        timeout=WAIT_MS
    )
    expect(dialog.get_by_text("film of")).to_have_count(2)
    now = answer_of(studio.view(parent))
    films = dialog.get_by_role("radiogroup", name="“Solaris” stands for").get_by_role("radio")
    films.nth(1 if now == FIRST else 0).check(force=True)
    idle(page)
    fork = start(page, parent, studio)
    assert {now, answer_of(fork)} == {FIRST, SECOND}
    expect(page.locator(".ts-answer.is-open", has_text=answer_of(fork))).to_be_visible(
        timeout=WAIT_MS
    )
    assert "took “Solaris” for" in said(page)


def test_a_paused_run_is_forked_and_the_fork_waits_too(
    open_page: OpenPage, home: Path, studio: Studio
) -> None:
    page = open_page("app.py", KGCORE_HOME=str(home), height=1000)
    page.set_default_timeout(WAIT_MS)
    page.get_by_role("button", name="Options").click()
    page.get_by_text("Pause before the first step").click()
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill("Who directed Inception?")
    box.press("Enter")
    page.wait_for_url("**run=*")
    while count(page, "tree") < 2:
        expect(page.get_by_role("button", name="Continue")).to_be_visible(timeout=WAIT_MS)
        page.get_by_role("button", name="Step over").click()
        page.wait_for_timeout(700)
    expect(page.get_by_role("button", name="Continue")).to_be_visible(timeout=WAIT_MS)
    parent = page.url
    dialog = change(page, 0, "Add a thought")
    box = dialog.get_by_role("textbox", name="The thought")
    box.fill("wait a moment")
    page.wait_for_timeout(2_500)  # the page looks again meanwhile
    expect(box).to_have_value("wait a moment")
    dialog.get_by_role("button", name="Start the fork").click()
    page.wait_for_url(lambda url: url != parent)
    expect(page.locator(".st-key-ts-origin")).to_contain_text(
        "added a thought at #0", timeout=WAIT_MS
    )
    expect(page.get_by_role("button", name="Continue")).to_be_visible(timeout=WAIT_MS)
    before = studio.store.record(parent.rpartition("run=")[2][:32])
    assert before.status == "running", "the run itself still waits"
