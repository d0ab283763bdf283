"""The guard that keeps tests on this machine does what it says."""

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from pytest_httpserver import HTTPServer

from tests.offline.sitecustomize import OutsideConnectionError, is_local

OUTSIDE = "192.0.2.1"  # kept for documentation, belongs to nobody


@pytest.fixture
def refused(outside_log: Path, stays_on_this_machine: None) -> Callable[[], str]:
    """Takes what was refused so far off the log, so that this test does not fail for it."""
    start = outside_log.stat().st_size

    def take() -> str:
        text = outside_log.read_bytes()[start:].decode()
        os.truncate(outside_log, start)
        return text

    return take


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "localhost"])
def test_this_machine_is_local(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize(
    "host",
    [OUTSIDE, "10.0.0.1", "169.254.169.254", "::ffff:192.0.2.1", "example.org", b"example.org"],
)
def test_any_other_machine_is_not_local(host: object) -> None:
    assert not is_local(host)


def test_a_socket_cannot_leave(refused: Callable[[], str]) -> None:
    with socket.socket() as sock, pytest.raises(OutsideConnectionError):
        sock.connect((OUTSIDE, 80))
    assert OUTSIDE in refused()


def test_a_name_is_not_looked_up(refused: Callable[[], str]) -> None:
    with pytest.raises(OutsideConnectionError):
        socket.getaddrinfo("example.org", 443)
    assert "example.org" in refused()


def test_an_error_that_a_library_swallows_is_still_on_record(refused: Callable[[], str]) -> None:
    with pytest.raises((urllib.error.URLError, OutsideConnectionError)):
        urllib.request.urlopen(f"http://{OUTSIDE}/", timeout=5)
    assert OUTSIDE in refused()


def test_a_child_process_cannot_leave(refused: Callable[[], str]) -> None:
    code = f"import socket; socket.create_connection(({OUTSIDE!r}, 80), timeout=5)"
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert child.returncode == 1
    assert "OutsideConnectionError" in child.stderr
    assert OUTSIDE in refused()


def test_an_impossible_name_fails_as_an_unknown_host() -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("graph.invalid", 443)


def test_a_server_on_this_machine_is_reached(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("here")
    assert requests.get(httpserver.url_for("/"), timeout=5).text == "here"


def test_no_test_sees_the_data_folder_of_the_user(tmp_home: Path, tmp_path: Path) -> None:
    assert Path(os.environ["KGCORE_HOME"]) == tmp_home
    assert tmp_home.is_relative_to(tmp_path)
