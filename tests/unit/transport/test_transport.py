"""What is asked again and what is not, where redirects lead, and how failures are said."""

from __future__ import annotations

import time
import traceback
from pathlib import Path

import pytest

from kgcore.errors import (
    BadReplyError,
    RefusedKeyError,
    TooHeavyError,
    UnreachableError,
)
from kgcore.transport import HttpRequest, HttpResponse
from kgcore.transport.addresses import Guard
from kgcore.transport.retry import RetryPolicy
from tests.servers.asking import ask, transport
from tests.servers.faulty_server import FaultyServer, Reply, Reset, redirect, self_signed

# --- what may pass is asked again, what will not is not -------------------------------------------------------


def test_a_refused_connection_is_tried_again_and_said_plainly() -> None:
    with FaultyServer() as server:
        address, host = server.url(), server.host
    started = time.monotonic()
    with pytest.raises(UnreachableError) as caught:
        transport().fetch(HttpRequest(address))
    assert str(caught.value) == f"{host} cannot be reached: it refuses connections at this port"
    assert time.monotonic() - started < 10


def test_an_unknown_name_is_said_plainly_and_not_tried_again() -> None:
    words = "^graph.invalid cannot be reached: no machine has this name$"
    with pytest.raises(UnreachableError, match=words):
        transport(retry=RetryPolicy(base_s=60)).fetch(HttpRequest("http://graph.invalid/sparql"))


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_sick_service_is_asked_again(status: int) -> None:
    page = Reply(status, body=b"<html>stack trace</html>", content_type="text/html")
    with FaultyServer([page, page, Reply(body=b"[]")]) as server:
        assert ask(server).body == b"[]"
    with FaultyServer([page]) as server:
        with pytest.raises(BadReplyError, match=rf"^{server.host} answered with status {status}$"):
            ask(server)
        assert server.n_requests == 3


@pytest.mark.parametrize("status", [400, 404, 405, 410, 501])
def test_a_request_that_is_wrong_is_not_sent_again(status: int) -> None:
    with FaultyServer([Reply(status)]) as server:
        with pytest.raises(BadReplyError, match=f"status {status}"):
            ask(server)
        assert server.n_requests == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_not_sent_again(status: int) -> None:
    with FaultyServer([Reply(status)]) as server:
        with pytest.raises(RefusedKeyError, match=server.host):
            ask(server)
        assert server.n_requests == 1


def test_a_reset_connection_is_tried_again() -> None:
    with FaultyServer([Reset(), Reply(body=b"[1]")]) as server:
        assert ask(server).body == b"[1]"
    with FaultyServer([Reset()]) as server:
        with pytest.raises(UnreachableError, match="the connection broke off"):
            ask(server)
        assert server.n_requests == 3


def test_what_an_adapter_calls_too_heavy_is_not_sent_again() -> None:
    def check(response: HttpResponse) -> bool:
        raise TooHeavyError("the query takes too long")

    with FaultyServer([Reply(500)]) as server:
        with pytest.raises(TooHeavyError):
            transport().fetch(HttpRequest(server.url()), check=check)
        assert server.n_requests == 1


def test_a_server_without_tls_is_said_plainly() -> None:
    with FaultyServer() as server:
        address = server.url().replace("http:", "https:")
        with pytest.raises(
            UnreachableError, match=r"does not speak https at this port \(is it http\?\)$"
        ):
            transport().fetch(HttpRequest(address))


def test_a_certificate_nobody_vouches_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = self_signed(tmp_path)
    if tls is None:
        pytest.skip("openssl is not installed")
    with FaultyServer(tls=tls) as server:
        with pytest.raises(UnreachableError, match=r"nobody vouches for it$"):
            ask(server)
        assert server.n_requests == 0
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tls[0]))
        assert ask(server).status == 200  # the same server, once the operator vouches for it
        name = HttpRequest(server.url().replace("127.0.0.1", "graph.invalid"))
        with pytest.raises(UnreachableError, match=r"its certificate is for another name$"):
            transport(guard=Guard(True, lambda host, port: ["127.0.0.1"])).fetch(name)


# --- redirects -----------------------------------------------------------------------------------------------


def test_a_redirect_is_followed_with_the_query_it_came_with() -> None:
    by_path = {
        "/a": [redirect("/b", 308)],
        "/b": [redirect("/c", 301)],
        "/d": [redirect("/c", 303)],
    }
    with FaultyServer(by_path=by_path) as server:
        for start, method in (("/a", "POST"), ("/d", "GET")):
            transport().fetch(HttpRequest(server.url(start), "POST", body=b"query=1"))
            last = server.received[-1]
            assert (last.path, last.method) == ("/c", method)
            assert last.body == (b"query=1" if method == "POST" else b"")


def test_a_redirect_loop_is_an_error() -> None:
    with FaultyServer([redirect("/again")]) as server:
        with pytest.raises(BadReplyError, match=f"^{server.host} sends requests on without end$"):
            ask(server)
        assert server.n_requests == 6


def test_secrets_stay_with_the_host_they_are_for() -> None:
    secret = (("Authorization", "Basic c2VjcmV0"),)
    with (
        FaultyServer() as other,
        FaultyServer(
            by_path={"/near": [redirect("/x")], "/far": [redirect(other.url("/y"))]}
        ) as server,
    ):
        for path in ("/near", "/far"):
            transport().fetch(HttpRequest(server.url(path), secret=secret))
        assert all("authorization" in r.headers for r in server.received)
        assert [r.headers.get("authorization") for r in other.received] == [None]


# --- proxies -------------------------------------------------------------------------------------------------


def test_a_proxy_of_the_environment_is_asked_with_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FaultyServer() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url().replace("//", "//someone:pass%40word@"))
        assert transport().fetch(HttpRequest("http://graph.invalid/é")).status == 200
        received = proxy.received[0]
        assert received.path == "http://graph.invalid/%C3%A9"
        assert received.headers["proxy-authorization"] == "Basic c29tZW9uZTpwYXNzQHdvcmQ="
        transport().fetch(HttpRequest(proxy.url("/near")))  # this machine needs no proxy
        assert proxy.received[1].path == "/near"


@pytest.mark.parametrize(
    "proxy, words",
    [
        ("http://someone:password@127.0.0.1:1", "does not answer"),
        ("socks5://someone:password@127.0.0.1:1", "is of a kind that cannot be used here"),
    ],
)
def test_trouble_with_a_proxy_is_said_plainly(
    proxy: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(
        UnreachableError, match=f"the proxy named in the environment {words}$"
    ) as caught:
        transport().fetch(HttpRequest("https://graph.invalid/"))
    assert "password" not in "".join(traceback.format_exception(caught.value))


def test_a_proxy_that_refuses_a_host_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultyServer([Reply(403)]) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url())
        with pytest.raises(UnreachableError, match="does not let requests to it through"):
            transport().fetch(HttpRequest("https://graph.invalid/"))
        assert proxy.n_requests == 1
