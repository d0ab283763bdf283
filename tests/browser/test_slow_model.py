"""A run whose model takes its time: pause, step and stop in the middle of a call, reload, tabs, another language.

The model is a server on loopback that says what the offline matcher said to the same prompts, each only when the
test lets it; so what is looked at is always a run in the middle of a call, however fast or slow the machine is.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import StepDone
from kgcore.steps import Replies
from tests.browser.conftest import ROOT, Servers
from tests.browser.test_ask_page import QUESTION, click_node, count, graph, wait_for_nodes
from tests.browser.test_correcting import idle
from tests.browser.test_debugging import button, line, n_entries, shows_now, timeline
from tests.browser.test_everyone import choose_model, put
from tests.servers.openai_server import OpenAIServer, Say

pytestmark = [pytest.mark.browser, pytest.mark.timeout(500)]

WAIT_MS = 60_000
FIRST_S = 200  # the first call of a model loads litellm, which a busy machine takes long for
MODEL = "openai/slow"
Visit = Callable[..., Page]


@dataclass
class SlowModel:
    """Replies to prompts it knows, each when it is allowed to."""

    server: OpenAIServer
    said: Mapping[str, list[str]]
    n_asked: int = 0
    n_allowed: float = 0
    n_answered: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.server.script = [self._reply]

    def _reply(self, body: Mapping[str, Any]) -> Say:
        prompt = "\n\n".join(message["content"] for message in body["messages"])
        with self.changed:
            self.n_asked += 1
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.n_answered < self.n_allowed, timeout=FIRST_S)
            self.n_answered += 1
            self.changed.notify_all()
        return Say(texts=self.said[prompt])

    def allow(self, n: float) -> None:
        """Let so many more calls be answered."""
        with self.changed:
            self.n_allowed += n
            self.changed.notify_all()

    def hold(self) -> int:
        """Let no more calls be answered; return how many were."""
        with self.changed:
            self.n_allowed = self.n_answered
        return self.n_answered

    def wait(self, n: int) -> None:
        """Wait until so many calls were answered and another one is under way."""
        with self.changed:
            is_there = self.changed.wait_for(
                lambda: self.n_answered == n and self.n_asked == n + 1, timeout=FIRST_S
            )
            assert is_there, (self.n_asked, self.n_answered)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """The demo graphs."""
    opened = build(tmp_path_factory.mktemp("slow-home"), environ={})
    opened.ensure_demo()
    yield opened
    opened.store.close()


@pytest.fixture(scope="module")
def said(studio: Studio) -> Mapping[str, list[str]]:
    """What the offline matcher says to each prompt of the question."""
    run = studio.ask(Task(QUESTION, model="offline"))
    run.drive()
    results = [e.body.result for e in studio.store.load(run.id) if isinstance(e.body, StepDone)]
    return {r.prompt: [reply.text for reply in r.items] for r in results if isinstance(r, Replies)}


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as started:
        yield started


@pytest.fixture
def model(server: OpenAIServer, said: Mapping[str, list[str]]) -> Iterator[SlowModel]:
    slow = SlowModel(server, said)
    yield slow
    slow.allow(float("inf"))  # nothing hangs on


@pytest.fixture
def visit(
    browser: Browser, servers: Servers, studio: Studio, server: OpenAIServer
) -> Iterator[Visit]:
    """Open the app in a browser profile of its own."""
    profiles = []
    environment = {"OPENAI_API_BASE": server.address, "OPENAI_API_KEY": "sk-slow-0123456789abcdef"}
    address = servers.address(ROOT / "app.py", KGCORE_HOME=str(studio.home), **environment)

    def open_(path: str = "") -> Page:
        size = {"width": 1280, "height": 1000}
        profiles.append(browser.new_context(viewport=size, reduced_motion="reduce"))  # type: ignore[arg-type]
        page = profiles[-1].new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(f"{address}/{path}")
        page.locator(".st-key-ts-bar a").first.wait_for()
        return page

    yield open_
    for profile in profiles:
        profile.close()


def begin(page: Page, model: SlowModel, n: int) -> str:
    """Put the question, and let the run come to the middle of the call after the n-th."""
    choose_model(page, MODEL)
    run_id = put(page, QUESTION)
    model.allow(n)
    model.wait(n)
    expect(head(page)).to_contain_text(f" {n} model call")  # the page has come as far
    return run_id


def head(page: Page) -> Locator:
    return page.locator(".st-key-ts-run .ts-head")


def answered(page: Page) -> None:
    expect(page.locator(".ts-answer.is-open", has_text="Michael Caine")).to_be_visible()
    expect(head(page)).to_contain_text("answered")


def test_a_pause_in_the_middle_of_a_call_is_told_waits_for_it_and_goes_on(
    visit: Visit, model: SlowModel, said: Mapping[str, list[str]]
) -> None:
    page = visit()
    begin(page, model, 3)
    expect(head(page)).to_contain_text("running")
    button(page, "pause").click()
    expect(head(page)).to_contain_text("pausing")
    assert model.n_answered == 3, "it is told before the call has ended"
    model.allow(float("inf"))
    expect(head(page)).to_contain_text("paused")
    assert model.n_asked == 4 < len(said), (
        "the reply that came was kept, and nothing asked after it"
    )
    button(page, "continue").click()
    answered(page)
    assert model.n_asked == len(said), "nothing was asked twice"


def test_a_run_is_stepped_looked_back_at_and_ended_while_the_model_takes_its_time(
    visit: Visit, model: SlowModel
) -> None:
    page = visit()
    begin(page, model, 5)
    button(page, "pause").click()
    expect(head(page)).to_contain_text("pausing")
    model.allow(1)
    expect(head(page)).to_contain_text("paused")
    expect(line(page)).to_contain_text("Next: lists the relations of")
    n = n_entries(page)
    button(page, "step").click()
    expect(timeline(page)).not_to_have_attribute("aria-valuemax", str(n))
    expect(head(page)).to_contain_text("paused")
    n = n_entries(page)
    button(page, "over").click()
    model.wait(6)
    expect(head(page)).to_contain_text("running")
    model.allow(float("inf"))
    expect(line(page)).to_contain_text("Paused: the next expansion")
    expect(timeline(page)).not_to_have_attribute("aria-valuemax", str(n))
    button(page, "back").click()
    expect(line(page)).to_contain_text("Moment")
    timeline(page).focus()
    page.keyboard.press("End")
    shows_now(page)
    n_answered = model.hold()
    button(page, "over").click()
    model.wait(n_answered)
    button(page, "stop").click()
    expect(head(page)).to_contain_text("stopping")
    assert model.n_answered == n_answered, "it is told before the call has ended"
    model.allow(float("inf"))
    expect(head(page)).to_contain_text("stopped")
    assert model.n_asked == n_answered + 1


def test_a_reload_and_a_second_tab_show_a_run_in_the_middle_of_a_call(
    visit: Visit, model: SlowModel, said: Mapping[str, list[str]]
) -> None:
    page = visit()
    run_id = begin(page, model, 4)
    wait_for_nodes(page, "tree", 2)
    n_nodes, n = count(page, "tree"), n_entries(page)
    page.reload()
    wait_for_nodes(page, "tree", n_nodes)
    expect(head(page)).to_contain_text("running")
    expect(timeline(page)).to_have_attribute("aria-valuemax", str(n))
    other = visit(f"?run={run_id}")
    wait_for_nodes(other, "tree", n_nodes)
    expect(head(other)).to_contain_text("running")
    expect(other.locator(".ts-question")).to_contain_text(QUESTION)
    button(other, "pause").click()
    expect(head(page)).to_contain_text("pausing")
    assert (model.n_answered, model.n_asked) == (4, 5), "nobody asked anything again"
    model.allow(float("inf"))
    for one in (page, other):
        expect(head(one)).to_contain_text("paused")
    button(page, "continue").click()
    for one in (page, other):
        answered(one)
    assert model.n_asked == len(said)


def test_a_tab_that_is_closed_in_the_middle_of_a_call_does_not_end_the_run(
    visit: Visit, model: SlowModel, said: Mapping[str, list[str]]
) -> None:
    page = visit()
    run_id = begin(page, model, 4)
    page.context.close()
    model.allow(1)
    model.wait(5)  # it went on with nobody there
    model.allow(float("inf"))
    answered(visit(f"?run={run_id}"))
    assert model.n_asked == len(said)


SPOT = "[g.net.getScale(), g.net.getViewPosition(), g.nodes.length]"


def test_another_language_in_the_middle_of_a_run_changes_the_words_and_nothing_else(
    visit: Visit, model: SlowModel, said: Mapping[str, list[str]], studio: Studio
) -> None:
    page = visit("?lang=en")
    run_id = begin(page, model, 6)
    wait_for_nodes(page, "kg", 2)
    click_node(page, "tree", "1")
    title = page.locator(".ts-panel-title", has_text="#1 ")
    expect(title).to_be_visible()
    page.locator("[class*='st-key-ts-drawings'] canvas").first.hover()
    page.mouse.wheel(0, -300)
    idle(page)
    before = {kind: graph(page, kind, SPOT) for kind in ("kg", "tree")}
    n = n_entries(page)
    for language, running in (("中文", "运行中"), ("EN", "running"), ("中文", "运行中")):
        page.locator(".st-key-ts-language").get_by_text(language, exact=True).click()
        expect(head(page)).to_contain_text(running)
        idle(page)
        assert run_id in page.url
        expect(title).to_be_visible()
        assert {kind: graph(page, kind, SPOT) for kind in ("kg", "tree")} == before
        assert (model.n_answered, model.n_asked) == (6, 7), "the run was left alone"
    expect(page.locator(".st-key-run-pause")).to_contain_text("暂停")
    model.allow(float("inf"))
    expect(head(page)).to_contain_text("已回答")
    expect(page.locator(".ts-answer.is-open", has_text="Michael Caine")).to_be_visible()
    expect(title).to_be_visible()
    assert model.n_asked == len(said)
    assert len(studio.store.load(run_id)) > n
