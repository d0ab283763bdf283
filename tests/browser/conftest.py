"""A real Chromium in front of a real Streamlit server, both on loopback."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
APPS = Path(__file__).parent / "apps"
WAIT_MS = 30_000  # for what is expected on a page: a busy machine takes its time
LAUNCH_ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(slots=True)
class Servers:
    """Streamlit servers of one module of tests, one for a script and its environment."""

    logs: Path
    running: dict[object, tuple[subprocess.Popen[bytes], str]] = field(default_factory=dict)

    def address(self, script: Path, **environment: str) -> str:
        """Return the address at which the script runs in this environment, started when first asked for."""
        key = (script, *sorted(environment.items()))
        if key not in self.running:
            self.running[key] = self._start(script, environment)
        return self.running[key][1]

    def _start(
        self, script: Path, environment: dict[str, str]
    ) -> tuple[subprocess.Popen[bytes], str]:
        port = _free_port()
        log = self.logs / f"{script.stem}-{port}.log"
        command = [sys.executable, "-m", "streamlit", "run", str(script)]
        command += ["--server.port", str(port), "--server.address", "127.0.0.1"]
        command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
        command += ["--browser.gatherUsageStats", "false"]
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        with log.open("wb") as out:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": paths, **environment},
            )
        _wait_until_healthy(process, port, log)
        return process, f"http://127.0.0.1:{port}"

    def stop(self) -> None:
        """End every server that was started here."""
        for process, _ in self.running.values():
            process.terminate()
        for process, _ in self.running.values():
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    process.kill()
    pytest.fail(f"the server did not start:\n{log.read_text('utf-8', 'replace')[-3000:]}")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """Streamlit servers, started on demand and stopped at the end of the module: each takes 300 MB."""
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One quiet Chromium for a module of tests: nothing it does by itself leaves the machine."""
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=LAUNCH_ARGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One browser profile for a module: what is loaded once is cached for its other tests."""
    context = browser.new_context()
    yield context
    context.close()


@dataclass(slots=True)
class Tabs:
    """Opens scripts in new tabs; each tab is a Streamlit session of its own."""

    context: BrowserContext
    servers: Servers
    opened: list[Page] = field(default_factory=list)

    def __call__(
        self,
        script: str,
        *,
        requests: list[str] | None = None,
        query: str = "",
        dark: bool = False,
        width: int = 1280,
        height: int = 800,
        reduced_motion: bool = False,
        **environment: str,
    ) -> Page:
        """Open a script of ``apps``, or a path of the repository such as "app.py".

        Every address the page asks for is added to ``requests``. Further keywords are
        environment variables of the server.
        """
        path = APPS / script if (APPS / script).exists() else ROOT / script
        page = self.context.new_page()
        self.opened.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced_motion else "no-preference",
        )
        if requests is not None:
            page.on("request", lambda request: requests.append(request.url))
            page.on("websocket", lambda socket: requests.append(socket.url))
        page.goto(self.servers.address(path, **environment) + query)
        return page

    def close(self) -> None:
        """Close what was opened."""
        for page in self.opened:
            page.close()


@pytest.fixture
def open_page(context: BrowserContext, servers: Servers) -> Iterator[Tabs]:
    """Open a page for one test: ``open_page("graph_app.py", dark=True)``."""
    tabs = Tabs(context, servers)
    yield tabs
    tabs.close()


@pytest.fixture(scope="module")
def open_shared_page(context: BrowserContext, servers: Servers) -> Iterator[Tabs]:
    """Open a page that the tests of a module share, since opening takes seconds."""
    tabs = Tabs(context, servers)
    yield tabs
    tabs.close()
