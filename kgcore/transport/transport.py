"""Sending requests to graphs and sources over HTTP. Adapters shape requests and read replies; all else is here.

How a request goes:

    fetch     looks at the address, then has the request sent: once, and again after failures that may pass
    attempt   follows redirects; each is looked at as the first address was
    hop       one request to one host, in a thread of its own, so that the person's stop is seen at once

`timeout_s` is how long a service may take in all, attempts and the waits between them included. Time spent in the
queue of our own limits does not count, but nothing goes on after the deadline of the run's allowance.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kgcore.errors import BadReplyError
from kgcore.transport.addresses import Guard, check_address, host_of, origin
from kgcore.transport.agents import check_agent
from kgcore.transport.allowance import Allowance, current_allowance
from kgcore.transport.connections import Wire
from kgcore.transport.exchange import Exchanger
from kgcore.transport.failures import FAILURES, failed, timed_out
from kgcore.transport.http import Check, HttpRequest, HttpResponse, check_status
from kgcore.transport.outcomes import Outcome, judge
from kgcore.transport.redirects import MAX_REDIRECTS, next_request
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.watching import watched

MAX_BYTES = 8_000_000


@dataclass(slots=True)
class _Time:
    """How long a fetch may go on; moments are on time.monotonic()."""

    seconds: float
    allowance: Allowance
    end: float = field(init=False)

    def __post_init__(self) -> None:
        self.end = time.monotonic() + self.allowance.seconds_left(self.seconds)

    def left(self) -> float:
        return self.end - time.monotonic()

    def wait(self, seconds: float, host: str) -> None:
        """Wait where the person sees it."""
        self.allowance.wait(seconds, f"waiting {max(1, math.ceil(seconds)):.0f} s for {host}")


class Transport:
    """Sends requests. Safe to share between threads."""

    def __init__(
        self,
        *,
        user_agent: str,
        timeout_s: float = 30.0,
        connect_timeout_s: float = 6.0,
        max_bytes: int = MAX_BYTES,
        allow_private: bool = False,
        guard: Guard | None = None,
        retry: RetryPolicy | None = None,
    ) -> None:
        self._user_agent, self._timeout_s = user_agent, timeout_s
        self._guard = guard or Guard(allow_private=allow_private)
        self._retry = retry or RetryPolicy(base_s=0.5)
        self._exchanger = Exchanger(
            self._guard,
            user_agent=user_agent,
            connect_timeout_s=connect_timeout_s,
            max_bytes=max_bytes,
        )

    def fetch(
        self,
        request: HttpRequest,
        *,
        scope: str = "",
        check: Check = check_status,
        timeout_s: float | None = None,
    ) -> HttpResponse:
        """Return the reply to a request; a kind of ServiceError when there is none.

        `scope` names the graph and the version of its data: replies are kept under it, and none without one.
        `check` looks at each reply: it raises a ServiceError for one that is not what was asked for, and returns
        False for one that can be used but must not be kept (cut short).
        """
        check_address(request.url, self._guard.allow_private)
        self._exchanger.headers(request)  # raises for a header that cannot be sent
        return self._answered(
            request, check, _Time(timeout_s or self._timeout_s, current_allowance())
        )

    def _answered(self, request: HttpRequest, check: Check, time_: _Time) -> HttpResponse:
        """Send the request until it is answered or there is no hope."""
        n_failed = 0
        while True:
            time_.allowance.check()
            outcome = self._attempt(request, check, time_)
            if outcome.response is not None:
                return outcome.response
            n_failed += 1
            self._wait(n_failed, outcome, request, time_)

    def _wait(self, n_failed: int, outcome: Outcome, request: HttpRequest, time_: _Time) -> None:
        """Wait before the next attempt, or raise what the last one came to."""
        assert outcome.error is not None
        seconds = self._retry.wait_s(n_failed, retry_after=outcome.retry_after)
        if n_failed > outcome.tries or seconds is None or seconds >= time_.left():
            raise outcome.error
        time_.wait(seconds, origin(request.url))

    def _attempt(self, request: HttpRequest, check: Check, time_: _Time) -> Outcome:
        accept = {name.lower(): value for name, value in request.headers}.get("accept", "")
        for _ in range(MAX_REDIRECTS + 1):
            outcome = self._hop(request, time_)
            if outcome.response is None:
                return outcome
            try:
                onward = next_request(
                    request, outcome.response, allow_private=self._guard.allow_private
                )
            except BadReplyError as error:
                return Outcome(error=error)
            if onward is None:
                return judge(outcome.response, check, accept)
            request = onward
        host = origin(request.url)
        return Outcome(error=BadReplyError(f"{host} sends requests on without end"))

    def _hop(self, request: HttpRequest, time_: _Time) -> Outcome:
        host = origin(request.url)
        check_agent(host_of(urlsplit(request.url)), self._user_agent)
        wire, end, started = self._exchanger.wire(request), time_.end, time.monotonic()
        try:
            return watched(
                lambda: self._exchanged(request, wire, end),
                end=end,
                check=time_.allowance.check,
                give_up=wire.cut,
            )
        except TimeoutError:
            return timed_out(host, time.monotonic() - started)

    def _exchanged(self, request: HttpRequest, wire: Wire, end: float) -> Outcome:
        started = time.monotonic()
        try:
            return Outcome(self._exchanger.exchange(request, wire, end))
        except FAILURES as error:
            return failed(error, origin(request.url), time.monotonic() - started)
