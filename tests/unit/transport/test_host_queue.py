"""Before a host is asked: waiting in order, seen by the person, no longer than makes sense; and who asks."""

from __future__ import annotations

import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kgcore.errors import InputError, RateLimitedError, TimedOutError
from kgcore.transport import Allowance, HttpRequest, spending
from kgcore.transport.agents import check_agent
from kgcore.transport.limits import HostLimit, Limits
from kgcore.transport.transport import Transport
from tests.servers.asking import transport, wait_for
from tests.servers.faulty_server import Cut, Drip, FaultyServer, Hang, Reply, Reset


def under(allowance: Allowance, sender: Transport, address: str) -> int:
    with spending(allowance):
        return sender.fetch(HttpRequest(address)).status


def test_no_more_requests_than_allowed_are_under_way_at_once() -> None:
    with FaultyServer([Reply(delay_s=0.05)]) as server, ThreadPoolExecutor(12) as pool:
        sender = transport(limits=Limits({server.host: HostLimit(3)}))
        jobs = [pool.submit(sender.fetch, HttpRequest(server.url(f"/{n}"))) for n in range(12)]
        assert [job.result().status for job in jobs] == [200] * 12
        assert server.most_at_once == 3


def test_threads_are_served_in_the_order_they_came_and_see_how_long_they_wait() -> None:
    said: list[tuple[int, str]] = []
    with FaultyServer() as server, ThreadPoolExecutor(5) as pool:
        sender = transport(limits=Limits({server.host: HostLimit(per_second=4)}), timeout_s=0.5)

        def allowance(n: int) -> Allowance:
            def wait(seconds: float, why: str) -> None:
                said.append((n, why))
                time.sleep(seconds)

            return Allowance(wait=wait)

        jobs = []
        for n in range(5):
            jobs.append(pool.submit(under, allowance(n), sender, server.url(f"/{n}")))
            time.sleep(0.02)
        # The last one waits for a second although its request may take half of one: the queue is ours.
        assert [job.result() for job in jobs] == [200] * 5
        assert [r.path for r in server.received] == [f"/{n}" for n in range(5)]
        assert {why for _, why in said} == {f"waiting 1 s for {server.host}"}
        assert server.rate() <= 4


def test_a_queue_longer_than_the_run_may_last_is_not_waited_for() -> None:
    with FaultyServer() as server:
        sender = transport(limits=Limits({server.host: HostLimit(per_second=0.1)}))
        sender.fetch(HttpRequest(server.url("/1")))
        started = time.monotonic()
        with pytest.raises(RateLimitedError, match=r"takes no more requests for 1\d s"):
            under(Allowance(deadline=started + 5), sender, server.url("/2"))
        assert time.monotonic() - started < 4


def test_a_stop_while_waiting_leaves_the_line_to_the_others() -> None:
    gone = threading.Event()

    def wait(seconds: float, why: str) -> None:
        gone.set()
        raise KeyboardInterrupt

    with FaultyServer() as server:
        sender = transport(limits=Limits({server.host: HostLimit(per_second=2)}))
        sender.fetch(HttpRequest(server.url("/1")))
        with pytest.raises(KeyboardInterrupt):
            under(Allowance(wait=wait), sender, server.url("/2"))
        assert gone.is_set()
        assert sender.fetch(HttpRequest(server.url("/3"))).status == 200


def test_a_host_without_room_for_a_connection_is_given_up_after_the_connect_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        time.sleep(0.05)
        started = time.monotonic()
        with pytest.raises(TimedOutError, match="did not answer"):
            transport(connect_timeout_s=0.2, timeout_s=20).fetch(
                HttpRequest(f"http://127.0.0.1:{full.getsockname()[1]}/")
            )
        assert 0.5 < time.monotonic() - started < 15  # three attempts
        for filler in fillers:
            filler.close()


@pytest.mark.parametrize(
    "host", ["query.wikidata.org", "www.wikidata.org", "commons.wikimedia.org", "musicbrainz.org"]
)
def test_services_that_want_a_contact_are_not_asked_without_one(host: str) -> None:
    with pytest.raises(
        InputError, match=rf"^{host} wants to know .* Settings page.*settings.yaml$"
    ):
        Transport(user_agent="TraversalStudio/0.1").fetch(HttpRequest(f"https://{host}/"))
    check_agent(host, "TraversalStudio/0.1 (me@example.org)")
    check_agent(host, "TraversalStudio/0.1 (https://example.org/me)")
    with pytest.raises(InputError):
        check_agent(host, "TraversalStudio/0.1 (me)")


def test_other_services_are_asked_without_a_contact() -> None:
    for host in ("dbpedia.org", "notwikidata.org", "wikidata.org.example"):
        check_agent(host, "TraversalStudio/0.1")
    with FaultyServer() as server:
        request = HttpRequest(server.url(), headers=(("User-Agent", "sparqlwrapper 2.0.0"),))
        transport(user_agent="TraversalStudio/0.1 (me@example.org)").fetch(request)
        assert server.received[0].headers["user-agent"] == "TraversalStudio/0.1 (me@example.org)"


def test_no_socket_is_left_behind_by_requests_that_failed() -> None:
    sender = transport(timeout_s=0.1)
    n_before = len(os.listdir("/proc/self/fd"))
    with FaultyServer([Hang(), Cut(), Drip(), Reset(), Drip(is_header=True)]) as server:
        for n in range(15):
            with pytest.raises(Exception, match=server.host):
                sender.fetch(HttpRequest(server.url(f"/{n}")))
    wait_for(lambda: len(os.listdir("/proc/self/fd")) <= n_before + 2)
