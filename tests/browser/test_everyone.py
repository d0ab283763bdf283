"""All people and all pages of one server: impatient people, no other machine, and a file that plays alone. Row A6.

The other browser tests look at one page or component each; this one at what must hold for all.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from kgcore.bootstrap import Studio, Task, build
from kgcore.bootstrap.demo_runs import DEMO_RUNS
from tests.browser.conftest import ROOT, Servers
from tests.browser.test_ask_page import QUESTION
from tests.browser.test_correcting import idle
from tests.browser.test_player import PLAYER, READY

pytestmark = pytest.mark.browser

WAIT_MS = 60_000
Visit = Callable[..., Page]


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
def visit(browser: Browser, servers: Servers, studio: Studio) -> Iterator[Visit]:
    """Open the app as another person: a browser profile of its own for each call."""
    profiles = []
    address = servers.address(ROOT / "app.py", KGCORE_HOME=str(studio.home))

    def open_(path: str = "", *, requests: list[str] | None = None, height: int = 1000) -> Page:
        size = {"width": 1280, "height": height}
        profiles.append(browser.new_context(viewport=size, reduced_motion="reduce"))  # type: ignore[arg-type]
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


# impatient people


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


def test_no_page_asks_another_machine(visit: Visit, studio: Studio, finished: str) -> None:
    other = studio.rerun(finished, method="think-on-graph")
    other.drive()
    requests: list[str] = []
    page = visit(requests=requests)
    base = page.url.rstrip("/")
    for address in ADDRESSES:
        page.goto(f"{base}/{address.replace('RUN', finished).replace('OTHER', other.id)}")
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        idle(page)
        for tab in page.get_by_role("tab").all():
            tab.click()
        for menu in page.locator("[data-testid=stPopoverButton]").all():
            menu.click()
            page.wait_for_timeout(150)
            page.keyboard.press("Escape")
        away = {urlsplit(url).netloc for url in requests if not url.startswith(("data:", "blob:"))}
        assert away == {urlsplit(base).netloc}, address


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
