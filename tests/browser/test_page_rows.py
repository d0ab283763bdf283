"""The Ask page under disturbance: lost tabs and sockets, several people, impatient clicks, keys, two programs.

Rows A3, A5, A6, A18, S9. Real servers and tabs; the socket is cut by a relay between browser and server.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from kgcore.bootstrap import build
from kgcore.runs import SqlRunStore
from tests.browser.conftest import ROOT, Servers
from tests.browser.test_ask_page import QUESTION, ask, wait_for_nodes
from tests.servers.openai_server import OpenAIServer, Say, Status

pytestmark = pytest.mark.browser

WAIT_MS = 60_000
CANARY = "sk-canary-0a1b2c3d4e5f60718293"
Open = Callable[..., Page]


class Relay:
    """Passes bytes between a browser and a server until it is cut; then it refuses until it is mended."""

    def __init__(self, port: int) -> None:
        self._to, self._is_cut, self._pairs = port, threading.Event(), list[socket.socket]()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._is_cut.set()
        for end in self._pairs:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._is_cut.clear()

    def close(self) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._is_cut.is_set():
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._to))
            self._pairs += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError), one:
            while data := one.recv(65536):
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs."""
    home = tmp_path_factory.mktemp("rows-home")
    studio = build(home, environ={})
    studio.ensure_demo()
    studio.store.close()
    return home


@pytest.fixture
def store(home: Path) -> Iterator[SqlRunStore]:
    opened = SqlRunStore.open(home)
    yield opened
    opened.close()


def serve(folder: Path) -> Iterator[Servers]:
    started = Servers(folder)
    yield started
    started.stop()


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A server of this module's own."""
    yield from serve(tmp_path_factory.mktemp("servers"))


@pytest.fixture(scope="module")
def address(servers: Servers, home: Path) -> str:
    return servers.address(ROOT / "app.py", KGCORE_HOME=str(home))


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Open]:
    """Open the app as another person: a browser profile of its own for each call."""
    profiles = []

    def open_(query: str = "", *, at: str = address, path: str = "/") -> Page:
        profiles.append(browser.new_context(viewport={"width": 1280, "height": 1000}))
        page = profiles[-1].new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(at + path + query)
        ready = "Save settings" if path == "/settings" else "Run"
        page.get_by_role("button", name=ready, exact=True).wait_for()
        return page

    yield open_
    for profile in profiles:
        profile.close()


def start_paused(page: Page) -> str:
    page.get_by_role("button", name="Options").click()
    page.get_by_text("Pause before the first step").click()
    page.keyboard.press("Escape")
    run_id = ask(page, QUESTION)
    expect(page.get_by_role("button", name="Continue")).to_be_visible(timeout=WAIT_MS)
    return run_id


def wait_for_status(store: SqlRunStore, run_id: str, status: str = "answered") -> None:
    end = time.monotonic() + 60
    while store.record(run_id).status != status:
        assert time.monotonic() < end, store.record(run_id)
        time.sleep(0.05)


def answered(page: Page) -> None:
    expect(page.locator(".ts-answer", has_text="Michael Caine")).to_be_visible(timeout=WAIT_MS)


# A3


def test_A3_a_run_goes_on_while_the_page_is_cut_off_and_is_shown_whole_afterwards(
    visit: Open, address: str, store: SqlRunStore
) -> None:
    relay = Relay(int(address.rpartition(":")[2]))
    try:
        page = visit(at=f"http://127.0.0.1:{relay.port}")
        run_id = start_paused(page)
        n_before = len(store.load(run_id))
        page.get_by_role("button", name="Continue").click()
        end = time.monotonic() + 30
        while len(store.load(run_id)) == n_before:
            assert time.monotonic() < end, "the run does not go on"
            time.sleep(0.01)
        relay.cut()
        wait_for_status(store, run_id)
        page.wait_for_timeout(1500)
        relay.mend()
        answered(page)  # without anybody's doing
        wait_for_nodes(page, "kg", 5)
        assert run_id in page.url
    finally:
        relay.close()


def test_A3_a_page_that_is_reloaded_in_the_middle_shows_every_step(
    visit: Open, store: SqlRunStore
) -> None:
    page = visit()
    run_id = start_paused(page)
    for _ in range(2):
        page.locator(".st-key-run-step").get_by_role("button").click()
        page.wait_for_timeout(300)
        page.reload()
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)  # it has been heard
    page.close()
    wait_for_status(store, run_id)
    again = visit(f"?run={run_id}")
    answered(again)
    wait_for_nodes(again, "tree", 4)
    entries = store.load(run_id)
    assert [e.seq for e in entries] == list(range(len(entries)))


# A5


def test_A5_what_one_person_types_and_picks_is_not_seen_by_another(visit: Open) -> None:
    one, other = visit(), visit()
    one.get_by_placeholder("Ask a question").fill("a question of my own")
    one.keyboard.press("Tab")
    run_id = ask(one, "Who directed Casablanca?")
    other.wait_for_timeout(1500)
    assert "run=" not in other.url
    assert other.get_by_placeholder("Ask a question").input_value() == ""
    assert run_id not in other.content()


def test_A5_a_key_for_one_session_is_not_the_key_of_another(visit: Open) -> None:
    def settings() -> Page:
        page = visit(path="/settings")
        page.get_by_label("Model", exact=True).fill("openai/test")
        page.keyboard.press("Tab")
        page.get_by_label("Key", exact=True).wait_for()
        return page

    one, other = settings(), settings()
    one.get_by_label("Key", exact=True).fill(CANARY)
    one.get_by_role("button", name="Use this key").click()
    expect(one.get_by_text(f"ends in …{CANARY[-4:]}")).to_be_visible()
    expect(one.get_by_label("Key", exact=True)).to_have_value("")
    other.reload()
    other.get_by_role("button", name="Save settings", exact=True).wait_for()
    other.get_by_label("Model", exact=True).fill("openai/test")
    other.keyboard.press("Tab")
    expect(other.get_by_text("No key for OPENAI_API_KEY yet")).to_be_visible(timeout=4_000)


# A6


def test_A6_ten_clicks_and_enter_start_one_run(visit: Open, store: SqlRunStore) -> None:
    page = visit()
    before = len(store.list())
    page.get_by_placeholder("Ask a question").fill("Who directed Casablanca?")
    button = page.get_by_role("button", name="Run", exact=True)
    button.evaluate("b => { for (let i = 0; i < 5; i++) b.click(); }")
    for _ in range(5):
        button.click(no_wait_after=True)
    page.get_by_placeholder("Ask a question").press("Enter")
    page.wait_for_url("**run=*")
    expect(page.locator(".ts-answer", has_text="Curtiz")).to_be_visible()
    page.wait_for_timeout(1000)
    assert len(store.list()) == before + 1


# A18


def test_A18_a_second_program_on_the_folder_shows_the_run_and_leaves_it_alone(
    visit: Open, store: SqlRunStore, home: Path, tmp_path: Path
) -> None:
    one = visit()
    run_id = start_paused(one)
    for second in serve(tmp_path):
        at = second.address(ROOT / "app.py", KGCORE_HOME=str(home))
        other = visit(f"?run={run_id}", at=at)
        expect(other.get_by_text("driven by another program")).to_be_visible()
        assert other.get_by_role("button", name="Continue").count() == 0
        assert other.get_by_role("button", name="Resume").count() == 0
        one.get_by_role("button", name="Continue").click()
        answered(other)
        asked = visit(at=at)
        mine = ask(asked, "Who directed Casablanca?")
        wait_for_status(store, mine)
    wait_for_status(store, run_id)


# S9

ECHOES: dict[str, Any] = {
    "400": Status(400, {}, {"error": {"message": f"bad header Bearer {CANARY}"}}),
    "401": Status(401, {}, {"error": {"message": f"no such key {CANARY}"}}),
    "404": Status(404, {}, {"error": {"message": f"no model for {CANARY}"}}),
    "page": Status(200, {"Content-Type": "text/html"}, f"<p>{CANARY}</p>"),
}


def test_S9_a_key_given_to_the_page_shows_nowhere(
    visit: Open, servers: Servers, home: Path
) -> None:
    with OpenAIServer() as model:
        page = visit(path="/settings")
        page.get_by_label("Model", exact=True).fill("openai/test")
        page.get_by_role("textbox", name="Address of the server").fill(model.address)
        page.keyboard.press("Tab")
        page.get_by_label("Key", exact=True).fill(CANARY)
        page.get_by_role("button", name="Use this key").click()
        expect(page.get_by_text(f"ends in …{CANARY[-4:]}")).to_be_visible()
        for entry in ECHOES.values():
            model.script, before = [entry], model.n_requests
            page.get_by_role("button", name="Check").click()
            while model.n_requests == before:
                page.wait_for_timeout(50)
            page.wait_for_timeout(700)
            assert "canary" not in page.content()
        sent = {k.lower(): v for k, v in model.received[-1].headers.items()}
        assert sent["authorization"] == f"Bearer {CANARY}"
        page.get_by_role("button", name="Save settings", exact=True).click()
        expect(page.get_by_text("Settings saved")).to_be_visible()
        page.get_by_role("link", name="Ask").click()
        model.script = [Say("?"), ECHOES["401"]]
        page.get_by_role("button", name="Run", exact=True).wait_for()
        ask(page, "Who directed Casablanca?")
        expect(page.locator(".ts-verdict")).to_be_visible()
        assert "canary" not in page.content()
    (home / "settings.yaml").unlink()
    kept = b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())
    assert b"canary" not in kept
    logs = "".join(p.read_text("utf-8", "replace") for p in servers.logs.glob("*.log"))
    assert "canary" not in logs
    assert "Traceback" not in logs


# Not a row: the first visit of a process to a page of its own address


def test_a_page_opened_by_its_own_address_is_that_page_even_at_first(visit: Open) -> None:
    page = visit(path="/settings")
    for _ in range(2):
        expect(page.get_by_role("button", name="Save settings", exact=True)).to_be_visible()
        assert page.url.endswith("/settings")
        page.reload()
