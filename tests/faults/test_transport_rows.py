"""Rows of the fault table that the transport answers for, against a server that misbehaves on real sockets."""

from __future__ import annotations

import gzip
import logging
import socket
import subprocess
import sys
import threading
import time
import traceback
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from kgcore.errors import (
    BadReplyError,
    InputError,
    KGCoreError,
    RateLimitedError,
    StoppedError,
    TimedOutError,
    TooHeavyError,
    UnreachableError,
)
from kgcore.transport import Allowance, HttpRequest, spending
from kgcore.transport.addresses import Guard
from kgcore.transport.breaker import Breaker
from kgcore.transport.cache import ResponseCache
from kgcore.transport.limits import Limits
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.transport import Transport
from tests.servers.asking import QUICK, ask, transport, wait_for
from tests.servers.faulty_server import (
    Cut,
    Drip,
    Endless,
    FaultyServer,
    Hang,
    Raw,
    Reply,
    Reset,
    Scripted,
    redirect,
)

CANARY = "s3cr3t-canary-8f1d"


# --- K1: hangs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry", [Hang(), Drip(), Drip(is_header=True)], ids=["hang", "slow body", "slow headers"]
)
def test_K1_total_deadline_holds(entry: Scripted) -> None:
    with FaultyServer([entry]) as server:
        started = time.monotonic()
        with pytest.raises(TimedOutError, match=rf"^{server.host} did not answer within 0\.\d+ s$"):
            ask(server, timeout_s=0.4)
        assert 0.35 < time.monotonic() - started < 15


def test_K1_a_server_that_never_finishes_the_handshake_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        request = HttpRequest(f"https://127.0.0.1:{listener.getsockname()[1]}/")
        started = time.monotonic()
        with pytest.raises(TimedOutError):
            transport(timeout_s=0.4).fetch(request)
        assert time.monotonic() - started < 15


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
        assert time.monotonic() - started < 15
        assert server.n_requests == 1
        wait_for(lambda: not [t for t in threading.enumerate() if t.name == "transport"])
    assert threading.active_count() <= before + 1


def test_K1_the_deadline_of_the_run_holds_for_its_requests() -> None:
    allowance = Allowance(deadline=time.monotonic() + 0.3)
    with FaultyServer([Hang()]) as server, spending(allowance):
        started = time.monotonic()
        with pytest.raises(TimedOutError):
            ask(server, timeout_s=30)
        assert time.monotonic() - started < 15


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


def test_K5_data_in_a_wrong_wrapping_is_for_the_adapter_to_read() -> None:
    with FaultyServer([Reply(body=b'{"a": 1}', content_type="text/html")]) as server:
        assert ask(server).body == b'{"a": 1}'


def test_K5_a_reply_that_is_well_the_second_time_is_taken() -> None:
    with FaultyServer([Cut(), Reply(body=b"[1]")]) as server:
        assert ask(server).body == b"[1]"


# --- K6: too much --------------------------------------------------------------------------------------------


MB40 = 40_000_000


@contextmanager
def memory_stays_below(n_bytes: int) -> Iterator[None]:
    """Fail when more than so much memory was in use at any moment of the block."""
    tracemalloc.start()
    try:
        yield
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < n_bytes


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
        entry = Reply(headers={"Content-Encoding": "gzip"}, body=giant)
        with (
            FaultyServer([entry]) as server,
            pytest.raises(TooHeavyError),
            memory_stays_below(MB40),
        ):
            ask(server)


# --- K2: too many requests -----------------------------------------------------------------------------------


def in_two_seconds() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)


@pytest.mark.parametrize("status", [429, 503, 405])
def test_K2_retry_after_is_obeyed_and_seen(status: int) -> None:
    waits: list[str] = []

    def wait(seconds: float, why: str) -> None:
        waits.append(why)
        time.sleep(seconds)

    script = [Reply(status, {"Retry-After": "1"}), Reply(body=b"[2]")]
    with FaultyServer(script) as server, spending(Allowance(wait=wait)):
        assert ask(server, timeout_s=5).body == b"[2]"
        first, second = server.received
        assert 1.0 <= second.at - first.at < 2.0
        assert waits[0] == f"waiting 1 s for {server.host}"


def test_K2_retry_after_may_be_a_date() -> None:
    script = [lambda _: Reply(429, {"Retry-After": in_two_seconds()}), Reply()]
    with FaultyServer(script) as server:
        ask(server, timeout_s=5)
        first, second = server.received
        assert 0.9 <= second.at - first.at < 2.4  # a date has whole seconds


@pytest.mark.parametrize("asked", ["9999", "Fri, 31 Dec 2100 23:59:59 GMT"])
def test_K2_a_wait_beyond_reason_fails_at_once_and_for_all(asked: str) -> None:
    with FaultyServer([Reply(503, {"Retry-After": asked})]) as server:
        shared, started = transport(), time.monotonic()
        with pytest.raises(RateLimitedError, match=r"too many requests and asks to wait \d+ s"):
            shared.fetch(HttpRequest(server.url("/one")))
        with pytest.raises(RateLimitedError, match=r"takes no more requests for \d+ s"):
            shared.fetch(HttpRequest(server.url("/other")))
        assert server.n_requests == 1
        assert time.monotonic() - started < 15


def test_K2_a_wait_beyond_the_deadline_fails_at_once() -> None:
    with FaultyServer([Reply(429, {"Retry-After": "25"})]) as server:
        started = time.monotonic()
        with pytest.raises(RateLimitedError, match="wait 25 s"):
            ask(server, timeout_s=20)
        assert time.monotonic() - started < 10


def test_K2_a_pause_holds_for_other_threads_and_processes(tmp_path: Path) -> None:
    file = tmp_path / "limits.sqlite"
    one, other = transport(limits=Limits(file=file)), transport(limits=Limits(file=file))
    by_path = {"/one": [Reply(429, {"Retry-After": "1"}), Reply()]}
    with FaultyServer(by_path=by_path) as server:
        thread = threading.Thread(target=one.fetch, args=(HttpRequest(server.url("/one")),))
        thread.start()
        wait_for(lambda: server.n_requests == 1)
        time.sleep(0.1)  # until the answer is read
        other.fetch(HttpRequest(server.url("/other")))
        thread.join()
        first, second, third = (r.at for r in server.received)
        assert second - first >= 1.0
        assert third - first >= 1.0


def test_K2_without_a_time_the_waits_grow_and_end() -> None:
    with FaultyServer([Reply(429)]) as server:
        with pytest.raises(RateLimitedError, match=r"too many requests$"):
            ask(server)
        assert server.n_requests == 3


def test_K2_a_stop_ends_the_wait() -> None:
    def wait(seconds: float, why: str) -> None:
        raise StoppedError("stopped")

    with FaultyServer([Reply(429, {"Retry-After": "1"})]) as server:
        with spending(Allowance(wait=wait)), pytest.raises(StoppedError):
            ask(server)
        assert server.n_requests == 1


# --- S5: addresses nobody meant ------------------------------------------------------------------------------

METADATA = "http://169.254.169.254/latest/meta-data"
NEVER = [METADATA, "http://[fe80::1%25eth0]/", "http://[::ffff:a9fe:a9fe]/", "http://2852039166/"]
PRIVATE = ["http://127.0.0.1:1/", "http://localhost/", "http://[::1]/", "http://10.1.2.3/"]
PRIVATE += ["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://100.64.0.9/"]
PRIVATE += ["http://[::ffff:127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://192.168.0.1:8890/"]
NO_WEB = [
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "ftp://x.invalid/",
    "//x.invalid/",
    "x.invalid",
]


@pytest.mark.parametrize("address", NEVER + PRIVATE + NO_WEB)
def test_S5_a_typed_address_that_may_not_be_asked_is_refused_before_any_connection(
    address: str,
) -> None:
    with pytest.raises(InputError) as caught:
        Transport(user_agent="test").fetch(HttpRequest(address))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", NEVER + NO_WEB)
def test_S5_no_setting_opens_metadata_or_other_schemes(address: str) -> None:
    with pytest.raises(InputError):
        transport().fetch(HttpRequest(address))


@pytest.mark.parametrize(
    "where", [*NEVER, "file:///etc/passwd", "gopher://127.0.0.1:70/x", "http://a@b/"]
)
def test_S5_a_redirect_to_such_an_address_is_not_followed(where: str) -> None:
    with FaultyServer([redirect(where)]) as server:
        with pytest.raises(
            BadReplyError, match="sends requests on to an address that is not asked"
        ):
            ask(server)
        assert server.n_requests == 1


def test_S5_a_name_that_leads_to_a_private_address_is_refused_before_a_connection() -> None:
    with FaultyServer() as server:
        guard = Guard(resolve=lambda host, port: ["127.0.0.1"])
        request = HttpRequest(f"http://graph.invalid:{server.port}/")
        with pytest.raises(UnreachableError, match=r"graph.invalid \(127.0.0.1\) is this machine"):
            transport(guard=guard).fetch(request)
        assert server.n_connections == 0


def test_S5_a_name_that_changes_its_address_is_looked_up_once_and_checked_each_time() -> None:
    answers = [["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1"]]

    def resolve(host: str, port: int) -> list[str]:
        return answers.pop(0)

    with FaultyServer([Reply(headers={"Connection": "close"})]) as server:
        shared = transport(guard=Guard(allow_private=True, resolve=resolve))
        request = HttpRequest(f"http://graph.invalid:{server.port}/")
        assert shared.fetch(request).status == 200
        assert len(answers) == 2  # what was checked is what was connected to
        with pytest.raises(UnreachableError, match="never asked"):
            shared.fetch(request)
        assert server.n_connections == 1


def test_S5_a_proxy_is_used_for_public_names_and_cannot_be_used_to_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with FaultyServer() as inner, FaultyServer([Reply(), redirect(inner.url("/"))]) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url())
        shared = Transport(user_agent="test", retry=QUICK)
        assert shared.fetch(HttpRequest("http://graph.invalid/a")).status == 200
        assert proxy.received[0].path == "http://graph.invalid/a"
        with pytest.raises(BadReplyError, match="an address that is not asked"):
            shared.fetch(HttpRequest("http://graph.invalid/b"))
        assert inner.n_connections == 0


# --- S9: secrets ---------------------------------------------------------------------------------------------


def test_S9_no_error_log_or_file_holds_a_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    cache = ResponseCache(tmp_path / "replies.sqlite")
    secret = (("Authorization", f"Bearer {CANARY}"), ("X-Key", CANARY))
    echo = Reply(403, body=CANARY.encode())
    faults: list[Scripted] = [Reply(), echo, Reply(500), HTML, GARBAGE, Cut(), Raw(b"no"), Reset()]
    faults += [Reply(429), redirect("file:///x"), redirect("/loop"), Hang(), Drip(is_header=True)]
    texts = []
    for fault in faults:
        with FaultyServer([fault]) as server:
            sender = transport(timeout_s=0.3, cache=cache, limits=Limits(file=tmp_path / "limits"))
            request = HttpRequest(server.url("/q"), secret=secret)
            texts += said(lambda: sender.fetch(request, scope="graph"))  # noqa: B023  called at once
            texts.append(repr(request))
            wrong = f"http://someone:{CANARY}@{server.host}/"
            texts += said(lambda: sender.fetch(HttpRequest(wrong)))  # noqa: B023  called at once
            assert all(dict(r.headers)["x-key"] == CANARY for r in server.received)
    bad = HttpRequest("http://127.0.0.1:9/", secret=(("X-Key", f"{CANARY}\r\n"),))
    texts += said(lambda: transport().fetch(bad))
    assert len([text for text in texts if "Error" in text]) >= 2 * len(faults) - 1
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert CANARY not in "\n".join(texts) + caplog.text
    assert CANARY.encode() not in kept
    assert cache.size()[0] == 1  # the one good reply, so that the file was put to the test


def said(call: Callable[[], object]) -> list[str]:
    """Return all that a failure says: message, representation, traceback with its causes."""
    try:
        call()
    except KGCoreError as error:
        return [str(error), repr(error), "".join(traceback.format_exception(error))]
    return []


# --- K18 and K20: many processes, dead hosts -----------------------------------------------------------------

WORKER = """
import sys
from pathlib import Path
from kgcore.transport import HttpRequest
from kgcore.transport.limits import HostLimit, Limits
from kgcore.transport.transport import Transport
address, host, file = sys.argv[1:]
limits = Limits({host: HostLimit(per_second=4)}, file=Path(file))
transport = Transport(user_agent="test", allow_private=True, limits=limits)
for n in range(4):
    transport.fetch(HttpRequest(f"{address}?n={n}"))
"""


def test_K18_two_processes_together_keep_to_the_rate(tmp_path: Path) -> None:
    storm = [Reply(503, {"Retry-After": "0"}), Reply(), Reply(503), Reply()]
    with FaultyServer(storm) as server:
        command = [sys.executable, "-c", WORKER, server.url("/ws"), server.host]
        workers = [subprocess.Popen([*command, str(tmp_path / "limits")]) for _ in range(2)]
        assert [worker.wait(timeout=30) for worker in workers] == [0, 0]
        assert server.n_requests == 2 * 4 + 2
        assert server.rate() <= 4.0


def test_K18_musicbrainz_is_asked_once_a_second() -> None:
    assert Limits().of("musicbrainz.org").per_second == 1


def test_K20_a_dead_host_is_left_alone_then_tried_once() -> None:
    breaker = Breaker(after=3, seconds=3)
    sender = transport(breaker=breaker, retry=RetryPolicy(max_retries=0))
    with (
        FaultyServer([Reset(), Reset(), Reset(), Reply(delay_s=0.3)]) as dead,
        FaultyServer() as alive,
    ):
        for _ in range(3):
            with pytest.raises(UnreachableError, match="broke off"):
                sender.fetch(HttpRequest(dead.url()))
        for _ in range(3):
            with pytest.raises(UnreachableError, match=r"left alone for 3 s after 3 failures$"):
                sender.fetch(HttpRequest(dead.url()))
        assert sender.fetch(HttpRequest(alive.url())).status == 200
        assert dead.n_requests == 3
        time.sleep(3.1)
        trial = threading.Thread(target=sender.fetch, args=(HttpRequest(dead.url("/trial")),))
        trial.start()
        wait_for(lambda: dead.n_requests == 4)
        with pytest.raises(UnreachableError, match="left alone"):
            sender.fetch(HttpRequest(dead.url("/meanwhile")))
        trial.join()
        assert sender.fetch(HttpRequest(dead.url("/after"))).status == 200


def test_K20_a_run_that_is_short_of_time_does_not_count_against_the_host() -> None:
    sender = transport(breaker=Breaker(after=1))
    with FaultyServer([Hang(), Reply()]) as server:
        with spending(Allowance(deadline=time.monotonic() + 0.1)), pytest.raises(TimedOutError):
            sender.fetch(HttpRequest(server.url("/1")))
        assert sender.fetch(HttpRequest(server.url("/2"))).status == 200
