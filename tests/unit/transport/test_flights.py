"""Equal requests at the same time share one; what befalls one caller is not the others' misfortune."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from kgcore.errors import BadReplyError, StoppedError, TimedOutError
from kgcore.transport import Allowance, HttpRequest, HttpResponse, spending
from kgcore.transport.transport import Transport
from tests.servers.asking import transport, wait_for
from tests.servers.faulty_server import FaultyServer, Hang, Reply


def under(allowance: Allowance, sender: Transport, request: HttpRequest) -> HttpResponse:
    with spending(allowance):
        return sender.fetch(request)


def stopped_by(stop: threading.Event) -> Callable[[], None]:
    def check() -> None:
        if stop.is_set():
            raise StoppedError("stopped")

    return check


def test_equal_requests_at_the_same_time_are_one() -> None:
    with FaultyServer([Reply(body=b"[7]", delay_s=0.3)]) as server, ThreadPoolExecutor(8) as pool:
        sender, request = transport(), HttpRequest(server.url())
        replies = list(pool.map(lambda _: sender.fetch(request), range(8)))
        assert {reply.body for reply in replies} == {b"[7]"}
        assert server.n_requests == 1
        sender.fetch(request)
        assert server.n_requests == 2  # afterwards it is a request like any other


def test_requests_that_differ_in_a_secret_are_not_shared() -> None:
    with FaultyServer([Reply(delay_s=0.2)]) as server, ThreadPoolExecutor(2) as pool:
        sender = transport()
        requests = [HttpRequest(server.url(), secret=(("X-Key", key),)) for key in "ab"]
        list(pool.map(sender.fetch, requests))
        assert server.n_requests == 2


def test_a_failure_is_everybodys() -> None:
    def fails(_: int) -> str:
        with pytest.raises(BadReplyError) as caught:
            sender.fetch(request)
        return str(caught.value)

    with FaultyServer([Reply(404, delay_s=0.3)]) as server, ThreadPoolExecutor(4) as pool:
        sender, request = transport(), HttpRequest(server.url())
        assert set(pool.map(fails, range(4))) == {f"{server.host} answered with status 404"}
        assert server.n_requests == 1


def test_others_do_not_fail_when_the_first_caller_is_stopped() -> None:
    stop = threading.Event()
    with FaultyServer([Hang(), Reply(body=b"[1]")]) as server, ThreadPoolExecutor(4) as pool:
        sender, request = transport(), HttpRequest(server.url())
        first = pool.submit(under, Allowance(check=stopped_by(stop)), sender, request)
        wait_for(lambda: server.n_requests == 1)
        others = [pool.submit(sender.fetch, request) for _ in range(3)]
        time.sleep(0.2)
        stop.set()
        assert [other.result(5).body for other in others] == [b"[1]"] * 3
        with pytest.raises(StoppedError):
            first.result(5)
        assert server.n_requests == 2


def test_others_do_not_fail_when_the_first_callers_time_is_over() -> None:
    with FaultyServer([Hang(), Reply(body=b"[1]")]) as server, ThreadPoolExecutor(2) as pool:
        sender, request = transport(), HttpRequest(server.url())
        short = Allowance(deadline=time.monotonic() + 0.4)
        first = pool.submit(under, short, sender, request)
        wait_for(lambda: server.n_requests == 1)
        assert sender.fetch(request).body == b"[1]"
        with pytest.raises(TimedOutError):
            first.result(5)


def test_one_who_waits_for_another_can_be_stopped() -> None:
    stop = threading.Event()
    with FaultyServer([Reply(delay_s=4)]) as server, ThreadPoolExecutor(2) as pool:
        sender, request = transport(timeout_s=60), HttpRequest(server.url())
        first = pool.submit(sender.fetch, request)
        wait_for(lambda: server.n_requests == 1)
        threading.Timer(0.1, stop.set).start()
        with pytest.raises(StoppedError):
            under(Allowance(check=stopped_by(stop)), sender, request)
        assert not first.done(), "the one that was waited for goes on"
        assert first.result(30).status == 200
