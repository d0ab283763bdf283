"""What the app as a server must refuse and withstand, without a browser. Rows S21, S24.

A real server, started as a person starts it, and requests written byte by byte.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class App:
    """The app at a port of loopback."""

    port: int
    log: Path

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> str:
        """Send a request and return the head of the answer; a header's underscores become hyphens."""
        lines = {"Host": self.host, **{k.replace("_", "-"): v for k, v in headers.items()}}
        if body or method != "GET":
            lines["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            return connection.recv(4000).decode("latin-1")

    def open_socket(self, **headers: str) -> int:
        """Ask for the websocket through which the page lives, and return the status."""
        answer = self.send(
            "GET",
            "/_stcore/stream",
            Upgrade="websocket",
            Connection="Upgrade",
            Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
            Sec_WebSocket_Version="13",
            **headers,
        )
        return int(answer.split()[1])


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("app")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    command += ["--server.port", str(port), "--server.headless", "true"]
    # Streamlit looks for the outer address of this machine when an origin is strange to it: it must not
    # reach anything here, and this is no fault of the test, so the guard refuses it without a word.
    environ = {**os.environ, "KGCORE_HOME": str(folder / "home"), "KGCORE_TEST_OUTSIDE_LOG": ""}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
    app = App(port, folder / "log")
    try:
        wait_for(app, process)
        yield app
    finally:
        process.terminate()
        process.wait(10)


def wait_for(app: App, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        try:
            if " 200 " in app.send("GET", "/_stcore/health"):
                return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"the app did not start: {app.log.read_text('utf-8', 'replace')[-2000:]}")


STRANGE = [
    "http://evil.example", "https://evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
    "null", "file://", "http://evil.example:{port}", "http://127.0.0.1@evil.example",
]  # fmt: skip


@pytest.mark.parametrize("origin", STRANGE)
def test_S21_a_websocket_from_another_origin_is_refused(app: App, origin: str) -> None:
    assert app.open_socket(Origin=origin.format(port=app.port)) == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_S21_a_websocket_of_the_page_itself_is_accepted(app: App, name: str) -> None:
    host = f"{name}:{app.port}"
    assert app.open_socket(Host=host, Origin=f"http://{host}") == 101


def test_S21_a_name_that_was_bound_to_this_machine_is_refused(app: App) -> None:
    """DNS rebinding: a page of evil.example whose name now leads here speaks to its own origin."""
    host = f"evil.example:{app.port}"
    assert app.open_socket(Host=host, Origin=f"http://{host}") == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_S21_an_upload_from_another_origin_is_refused(app: App, method: str) -> None:
    answer = app.send(
        method,
        "/_stcore/upload_file/session/file",
        b"x",
        Origin="http://evil.example",
        Content_Type="text/plain",
    )
    assert int(answer.split()[1]) in (403, 405)
    assert "access-control-allow-origin: *" not in answer.lower()


def test_S21_no_other_origin_may_read_what_the_app_says(app: App) -> None:
    for path in ("/", "/_stcore/health", "/_stcore/host-config"):
        answer = app.send("GET", path, Origin="http://evil.example").lower()
        assert "access-control-allow-origin: *" not in answer
        assert "access-control-allow-origin: http://evil.example" not in answer


def test_S24_it_listens_on_loopback_alone(app: App) -> None:
    if not Path("/proc/net/tcp").exists():
        pytest.skip("needs /proc to see who listens")
    listening = [
        line.split()[1]
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{app.port:04X}")
    ]
    assert listening == [f"0100007F:{app.port:04X}"]


def test_S24_the_app_asks_no_other_machine_by_itself(app: App) -> None:
    assert app.open_socket(Origin=f"http://{app.host}") == 101
    assert "refused" not in app.log.read_text("utf-8", "replace")
