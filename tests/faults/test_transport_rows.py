"""Rows of the fault table that the transport answers for, against a server that misbehaves on real sockets."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from kgcore.errors import (
    BadReplyError,
    StoppedError,
    TimedOutError,
    TooHeavyError,
)
from kgcore.transport import Allowance, HttpRequest, HttpResponse, spending
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.transport import Transport
from tests.servers.faulty_server import (
    Cut,
    Drip,
    Endless,
    FaultyServer,
    Hang,
    Raw,
    Reply,
    Scripted,
)

QUICK = RetryPolicy(max_retries=2, base_s=0.02, cap_s=0.05)
CANARY = "s3cr3t-canary-8f1d"


def transport(**settings: object) -> Transport:
    """A transport that may ask this machine and does not wait long."""
    known = {"user_agent": "test", "allow_private": True, "timeout_s": 2.0, "retry": QUICK}
    return Transport(**{**known, **settings})  # type: ignore[arg-type]


def ask(server: FaultyServer, path: str = "/sparql", **settings: object) -> HttpResponse:
    """Ask the server for JSON."""
    request = HttpRequest(server.url(path), headers=(("Accept", "application/json"),))
    return transport(**settings).fetch(request)


# --- K1: hangs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry", [Hang(), Drip(), Drip(is_header=True)], ids=["hang", "slow body", "slow headers"]
)
def test_K1_total_deadline_holds(entry: Scripted) -> None:
    with FaultyServer([entry]) as server:
        started = time.monotonic()
        with pytest.raises(TimedOutError, match=rf"^{server.host} did not answer within 0\.\d+ s$"):
            ask(server, timeout_s=0.4)
        assert 0.35 < time.monotonic() - started < 1.2


def test_K1_a_server_that_never_finishes_the_handshake_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        request = HttpRequest(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        started = time.monotonic()
        with pytest.raises(TimedOutError):
            transport(timeout_s=0.4).fetch(request)
        assert time.monotonic() - started < 1.2


@pytest.mark.parametrize("entry", [Hang(), Drip(), Drip(is_header=True)])
def test_K1_a_stop_is_seen_within_a_second_and_the_thread_ends(entry: Scripted) -> None:
    stop = threading.Event()

    def check() -> None:
        if stop.is_set():
            raise StoppedError("stopped")

    with FaultyServer([entry]) as server, spending(Allowance(check=check)):
        before = threading.active_count()
        threading.Timer(0.3, stop.set).start()
        started = time.monotonic()
        with pytest.raises(StoppedError):
            ask(server, timeout_s=30)
        assert time.monotonic() - started < 1.0
        assert server.n_requests == 1
        wait_for(lambda: not [t for t in threading.enumerate() if t.name == "transport"])
    assert threading.active_count() <= before + 1


def test_K1_the_deadline_of_the_run_holds_for_its_requests() -> None:
    allowance = Allowance(deadline=time.monotonic() + 0.3)
    with FaultyServer([Hang()]) as server, spending(allowance):
        started = time.monotonic()
        with pytest.raises(TimedOutError):
            ask(server, timeout_s=30)
        assert time.monotonic() - started < 1.0


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 3
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


# --- K5: not what was asked for ------------------------------------------------------------------------------

HTML = Reply(
    body=b"<!DOCTYPE html><html>Service\x00 <b>notice</b></html>", content_type="text/html"
)
DISGUISED = Reply(
    body=b"\xef\xbb\xbf\n<html><body>Log in</body></html>", content_type="application/json"
)
GARBAGE = Reply(headers={"Content-Encoding": "gzip"}, body=b"\x1f\x8bgarbage" * 9)
PACKED = gzip.compress(b'{"rows": ["' + b"x" * 5000 + b'"]}')
HALF_PACKED = Reply(headers={"Content-Encoding": "gzip"}, body=PACKED[:-12])
OTHERWISE_PACKED = Reply(headers={"Content-Encoding": "br"}, body=b"\x0b\x02\x80{}\x03")

BAD = {
    "no content": (Reply(204, body=b""), "without content"),
    "a page": (HTML, "a web page instead of data"),
    "a page that says it is JSON": (DISGUISED, "a web page instead of data"),
    "packed garbage": (GARBAGE, "cannot be unpacked"),
    "half of a packed body": (HALF_PACKED, "ended early"),
    "packed unasked": (OTHERWISE_PACKED, "was not asked for"),
    "cut body": (Cut(), "ended early"),
    "cut chunk": (Cut(is_chunked=True), "ended early"),
    "no HTTP": (Raw(b"220 smtp.example ESMTP\r\n"), "not the answer of a web server"),
}


@pytest.mark.parametrize("entry, words", BAD.values(), ids=BAD.keys())
def test_K5_what_is_not_data_is_an_error_that_names_the_host(entry: Scripted, words: str) -> None:
    with FaultyServer([entry]) as server:
        with pytest.raises(BadReplyError, match=words) as caught:
            ask(server)
        assert server.host in str(caught.value)
        assert "<" not in str(caught.value)
        assert server.n_requests == 2  # once more, and no more


@pytest.mark.parametrize(
    "body, kind",
    [
        (b'\xef\xbb\xbf{"a": 1}', "application/json"),
        ('{"a": "é"}'.encode("latin-1"), "application/json; charset=utf-8"),
        ('{"a": "é"}'.encode(), "application/json; charset=klingon"),
    ],
)
def test_K5_bytes_are_left_alone_whatever_the_charset_says(body: bytes, kind: str) -> None:
    with FaultyServer([Reply(body=body, content_type=kind)]) as server:
        assert ask(server).body == body


def test_K5_a_reply_that_is_well_the_second_time_is_taken() -> None:
    with FaultyServer([Cut(), Reply(body=b"[1]")]) as server:
        assert ask(server).body == b"[1]"


# --- K6: too much --------------------------------------------------------------------------------------------


@contextmanager
def memory_stays_below(n_bytes: int) -> Iterator[None]:
    """Fail when more than so much memory was in use at any moment of the block."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < n_bytes
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "packed"])
def test_K6_an_endless_answer_stops_at_the_cap_and_memory_stays(is_packed: bool) -> None:
    with FaultyServer([Endless(is_packed=is_packed)]) as server, memory_stays_below(60_000_000):
        with pytest.raises(TooHeavyError, match="more than 8 MB"):
            ask(server, timeout_s=10)
        assert server.n_requests == 1


def test_K6_a_small_body_that_unpacks_to_a_giant_is_not_unpacked() -> None:
    member = gzip.compress(b"\0" * 20_000_000)
    for giant in (member * 10, gzip.compress(b"\0" * 100_000_000, 1)):
        assert len(giant) < 500_000
        with FaultyServer([Reply(headers={"Content-Encoding": "gzip"}, body=giant)]) as server:
            with memory_stays_below(40_000_000), pytest.raises(TooHeavyError):
                ask(server)
