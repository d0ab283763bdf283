"""All people and all pages of one server: two people at once, impatient ones, and no other machine.

Rows A5, A6, A17. The other browser tests look at one page or component each; this one at what must hold for all.
"""

import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.bootstrap.demo_runs import DEMO_RUNS
from kgcore.corrections.proposing import Wish, understand
from tests.browser.conftest import ROOT, Servers
from tests.browser.test_ask_page import QUESTION, graph
from tests.browser.test_correcting import idle
from tests.browser.test_player import PLAYER, READY
from tests.servers.openai_server import OpenAIServer, Say

pytestmark = pytest.mark.browser

LOG = logging.getLogger(__name__)
WAIT_MS = 60_000
TOLD_MS = 5_000
FIRST_MS = 200_000  # the first call of a model loads litellm, which a busy machine takes long for
Visit = Callable[..., Page]


@dataclass
class Models:
    """Scripted models: each thinks of itself; the slow one when it is let go, two at first only together."""

    server: OpenAIServer = field(default_factory=OpenAIServer)
    let_go: threading.Event = field(default_factory=threading.Event)
    both: threading.Barrier = field(default_factory=lambda: threading.Barrier(2))

    def __post_init__(self) -> None:
        self.server.script = [self._reply]

    def _reply(self, body: Mapping[str, Any]) -> Say:
        name = str(body["model"])
        if name == "slow":
            self.let_go.wait(WAIT_MS / 1000)
        elif len(self.heard(name)) == 1:
            self.both.wait(WAIT_MS / 1000)
        return Say(f"Thought: the {name} mind\nAction: think\nValue: 0.5", delay_s=0.05)

    def heard(self, name: str) -> list[tuple[str, str]]:
        """Return key and prompt of each request to a model."""
        return [
            ({k.lower(): v for k, v in r.headers.items()}["authorization"], r.prompt)
            for r in self.server.received
            if r.body["model"] == name
        ]


@pytest.fixture(scope="module")
def models() -> Iterator[Models]:
    with OpenAIServer() as server:
        yield Models(server)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("everyone-home")


@pytest.fixture(scope="module")
def studio(home: Path) -> Iterator[Studio]:
    """The demo graphs."""
    opened = build(home, environ={})
    opened.ensure_demo()
    yield opened
    opened.store.close()


@pytest.fixture(scope="module")
def finished(studio: Studio) -> str:
    run = studio.ask(Task(QUESTION, model="offline"))
    run.drive()
    return run.id


@pytest.fixture
def visit(browser: Browser, servers: Servers, studio: Studio, models: Models) -> Iterator[Visit]:
    """Open the app as another person: a browser profile of its own for each call."""
    profiles = []
    proxy = {"OPENAI_API_BASE": models.server.address}
    address = servers.address(ROOT / "app.py", KGCORE_HOME=str(studio.home), **proxy)

    def open_(path: str = "", *, requests: list[str] | None = None, is_dark: bool = False) -> Page:
        profiles.append(
            browser.new_context(
                viewport={"width": 1280, "height": 1000},
                reduced_motion="reduce",
                color_scheme="dark" if is_dark else "light",
            )
        )
        page = profiles[-1].new_page()
        page.set_default_timeout(WAIT_MS)
        if requests is not None:
            page.on("request", lambda request: requests.append(request.url))
            page.on("websocket", lambda socket: requests.append(socket.url))
        page.goto(f"{address}/{path}")
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        return page

    yield open_
    for profile in profiles:
        profile.close()


# two people, impatient people


def sit_down(page: Page, name: str, key: str) -> None:
    """Give a key for this session and choose a model, as a person does."""
    page.locator(".st-key-set-model input").fill(f"openai/{name}")
    page.keyboard.press("Tab")
    box = page.locator(".st-key-set-key input")
    box.fill(key)
    page.locator(".st-key-set-use-key button").click()
    expect(page.get_by_text(f"…{key[-4:]}")).to_be_visible()
    expect(box).to_have_value("")
    page.locator(".st-key-ts-bar a").first.click()
    choose_model(page, f"openai/{name}")


def choose_model(page: Page, name: str) -> None:
    page.locator("[data-testid=stPopoverButton]").first.click()
    box = page.locator(".st-key-ask-model").get_by_role("combobox")
    box.fill(name)
    box.press("Enter")
    idle(page)
    page.keyboard.press("Escape")


def put(page: Page, question: str) -> str:
    box = page.locator(".st-key-ask-question input")
    box.fill(question)
    box.press("Enter")
    page.wait_for_url("**run=*")
    return re.findall("run=([0-9a-f]{32})", page.url)[0]


@pytest.mark.timeout(400)
def test_A5_two_people_at_once_keep_question_model_key_and_language_apart(
    visit: Visit, studio: Studio, models: Models
) -> None:
    people = {
        "first": (visit("settings?lang=en"), "sk-first-0123456789abcdef", "Who directed Casablanca?"),
        "second": (visit("settings?lang=zh"), "sk-second-fedcba9876543210", "谁导演了《盗梦空间》？"),
    }  # fmt: skip
    for name, (page, key, _) in people.items():
        sit_down(page, name, key)
    runs = {name: put(page, question) for name, (page, _, question) in people.items()}
    for name, (page, key, question) in people.items():
        other = "second" if name == "first" else "first"
        ended = "没有答案" if name == "second" else "no answer"
        expect(page.locator(".st-key-ts-run .ts-head")).to_contain_text(ended, timeout=FIRST_MS)
        shown = page.locator(".stApp").inner_text()
        assert question in shown and people[other][2] not in shown
        labels = " ".join(graph(page, "tree", "g.data.nodes.map((n) => n.label)"))
        assert f"the {name} mind" in labels and f"the {other} mind" not in labels
        for secret in (key, people[other][1], runs[other], f"openai/{other}"):
            assert secret not in page.content()
        heard = models.heard(name)
        assert {given for given, _ in heard} == {f"Bearer {key}"}
        assert all(question in prompt for _, prompt in heard)
        assert studio.store.record(runs[name]).question == question


def test_A6_ten_double_clicks_start_one_run(visit: Visit, studio: Studio) -> None:
    page, before = visit(), len(studio.store.list())
    page.get_by_placeholder("Ask a question").fill("Who directed Casablanca?")
    page.get_by_role("button", name="Run", exact=True).evaluate(
        """async (button) => {
            for (let i = 0; i < 10; i++) {
                button.click();
                button.click();
                await new Promise((done) => setTimeout(done, 30));
            }
        }"""
    )
    page.wait_for_url("**run=*")
    expect(page.locator(".ts-answer", has_text="Curtiz")).to_be_visible()
    idle(page)
    assert len(studio.store.list()) == before + 1


STOP = """() => new Promise((done) => {
    const began = performance.now();
    const look = () => /stopping|stopped/.test(document.querySelector('.st-key-ts-run .ts-head').innerText)
        ? done(performance.now() - began) : requestAnimationFrame(look);
    document.querySelector('.st-key-run-stop button').click();
    look();
})"""


@pytest.mark.timeout(400)
def test_A17_stop_is_told_at_once_while_a_model_is_slow(visit: Visit, models: Models) -> None:
    """Within a second on a machine that does nothing else; here it must not wait for the model."""
    page = visit("settings")
    sit_down(page, "slow", "sk-slow-0123456789abcdef")
    put(page, QUESTION)
    page.locator(".st-key-run-stop button:enabled").wait_for()
    while not models.heard("slow"):
        page.wait_for_timeout(50)
    waited = page.evaluate(STOP)
    assert not models.let_go.is_set()
    models.let_go.set()
    LOG.info("%.0f ms from the click until it is told", waited)
    assert waited < TOLD_MS, waited
    expect(page.locator(".st-key-ts-run .ts-head")).to_contain_text("stopped")


# no other machine


ADDRESSES = [
    "",
    "?lang=zh",
    "?run=RUN",
    "?run=RUN&at=9",
    "runs",
    "runs?compare=RUN,OTHER",
    "corrections",
    "graphs",
    "graphs?graph=demo-wikidata&entity=wd:Q25188",
    "graphs?add=1",
    "sources",
    "sources?source=demo-medicine",
    "sources?add=1",
    "settings",
    "present?present=1",
    f"?present=1&run={DEMO_RUNS[0].id}",
]


@pytest.fixture(scope="module")
def proposal(studio: Studio) -> str:
    """A correction that waits for a decision."""
    wish = Wish(
        kg="demo-wikidata",
        action="retract",
        subject="Inception",
        relation="cast member",
        object="Michael Caine",
        evidence="https://evidence.example/page",
    )
    return studio.corrections.propose(understand(wish, studio.corrected((wish.kg,)))).id


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.timeout(400)
def test_no_page_asks_another_machine(
    visit: Visit, studio: Studio, finished: str, proposal: str, is_dark: bool
) -> None:
    """Every page, tab, menu and list of details, in a browser that can reach the server and nothing else."""
    other = studio.rerun(finished, method="think-on-graph")
    other.drive()
    requests: list[str] = []
    page = visit(requests=requests, is_dark=is_dark)
    base = page.url.rstrip("/")
    here, blocked = urlsplit(base).netloc, []
    page.context.route(
        lambda url: urlsplit(url).netloc != here and not url.startswith(("data:", "blob:")),
        lambda route: (blocked.append(route.request.url), route.abort()),
    )
    for address in ADDRESSES:
        page.goto(f"{base}/{address.replace('RUN', finished).replace('OTHER', other.id)}")
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        idle(page)
        look_at_everything(page)
        away = {urlsplit(url).netloc for url in requests if not url.startswith(("data:", "blob:"))}
        assert away == {here}, address
        assert not blocked, address
    scheme = "getComputedStyle(document.querySelector('.stApp')).colorScheme"
    assert page.evaluate(scheme) == ("dark" if is_dark else "light")


def test_a_request_to_another_machine_would_be_seen(visit: Visit) -> None:
    requests: list[str] = []
    page = visit(requests=requests)
    page.evaluate(
        "document.body.append(Object.assign(new Image(), {src: 'http://192.0.2.1/x.png'}))"
    )
    page.wait_for_function("document.body.lastElementChild.src.includes('192.0.2.1')")
    assert "192.0.2.1" in {urlsplit(url).netloc for url in requests}


def look_at_everything(page: Page) -> None:
    """Open what a page holds closed: details of the first thing listed, tabs, expanders and menus."""
    for details in page.get_by_role("button", name="Details").all()[:1]:
        details.click()
        idle(page)
    for tab in page.get_by_role("tab").all():
        tab.click()
    for summary in page.locator("[data-testid=stExpander] summary").filter(visible=True).all()[:6]:
        summary.click()
    for menu in page.locator("[data-testid=stPopoverButton]").filter(visible=True).all():
        menu.click()
        expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
        page.keyboard.press("Escape")


def test_a_file_from_the_stage_plays_without_the_server(
    visit: Visit, browser: Browser, tmp_path: Path, finished: str
) -> None:
    page = visit(f"?present=1&run={finished}")
    page.wait_for_function(READY)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.get_by_text("one page that plays it").click()
    file = tmp_path / "play.html"
    download.value.save_as(file)
    requests: list[str] = []
    alone = browser.new_page()
    alone.on("request", lambda request: requests.append(request.url))
    alone.goto(file.as_uri())
    alone.keyboard.press("End")
    expect(alone.locator(".pl-text")).to_contain_text("Michael Caine")
    assert alone.evaluate(f"{PLAYER}.graphs.kg.nodes.length") > 5
    assert requests == [file.as_uri()]
    alone.close()
