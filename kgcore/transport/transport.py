"""Sending requests to graphs and sources over HTTP. Adapters shape requests and read replies; all else is here.

How a request goes:

    fetch     looks at the address, then at the replies that are kept, and shares what is already under way
    ask       sends the request, and again after failures that may pass
    attempt   follows redirects; each is looked at as the first address was
    hop       waits in the queue of a host (limits, pauses, left alone), then sends one request, in a thread of its
              own, so that the person's stop is seen at once

`timeout_s` is how long a service may take in all, attempts and the waits between them included. Time spent in the
queue of our own limits does not count, but nothing goes on after the deadline of the run's allowance.
"""

from __future__ import annotations

import time
from dataclasses import replace
from urllib.parse import urlsplit

from kgcore.errors import (
    BadReplyError,
    RateLimitedError,
    ServiceError,
    TimedOutError,
    UnreachableError,
)
from kgcore.transport.addresses import Guard, check_address, host_of, origin
from kgcore.transport.agents import check_agent
from kgcore.transport.allowance import current_allowance
from kgcore.transport.breaker import Breaker
from kgcore.transport.cache import ResponseCache
from kgcore.transport.exchange import Exchanger
from kgcore.transport.failures import FAILURES, failed
from kgcore.transport.flights import Flights
from kgcore.transport.host_queue import HostQueue
from kgcore.transport.http import Check, HttpRequest, HttpResponse, check_status
from kgcore.transport.limits import Limits
from kgcore.transport.outcomes import Outcome, judge
from kgcore.transport.redirects import MAX_REDIRECTS, next_request
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.timing import TimeLeft
from kgcore.transport.watching import watched

MAX_BYTES = 8_000_000


def _check_allowance(time_left: TimeLeft, host: str) -> None:
    """See, while another has the request sent, whether this caller may still wait."""
    time_left.allowance.check()
    if not time_left.allows(0):
        raise TimedOutError(f"{host} did not answer before the time of this run was over")


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
        limits: Limits | None = None,
        breaker: Breaker | None = None,
        cache: ResponseCache | None = None,
    ) -> None:
        self._user_agent, self._timeout_s, self._cache = user_agent, timeout_s, cache
        self._guard = guard or Guard(allow_private=allow_private)
        self._retry = retry or RetryPolicy(base_s=0.5)
        self._queue = HostQueue(
            limits or Limits(),
            breaker or Breaker(),
            longest_pause_s=self._retry.retry_after_cap_s,
        )
        self._flights = Flights[HttpResponse]()
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
        False for one that can be used but must not be kept (cut short). Equal requests are taken to have equal
        checks.
        """
        request = replace(request, url=check_address(request.url, self._guard.allow_private))
        self._exchanger.headers(request)  # raises for a header that cannot be sent
        time_left = TimeLeft(timeout_s or self._timeout_s, current_allowance())
        return self._flights.share(
            (scope, request),
            lambda: self._kept_or_asked(request, scope, check, time_left),
            check=lambda: _check_allowance(time_left, origin(request.url)),
            is_own=lambda error: (
                time_left.is_cut and isinstance(error, TimedOutError | RateLimitedError)
            ),
        )

    def _kept_or_asked(
        self, request: HttpRequest, scope: str, check: Check, time_left: TimeLeft
    ) -> HttpResponse:
        kept = self._cache.get(request, scope) if self._cache and scope else None
        if kept is not None:
            return kept
        outcome = self._ask(request, check, time_left)
        assert outcome.response is not None
        if self._cache and scope and outcome.may_keep:
            self._cache.put(request, scope, outcome.response)
        return outcome.response

    def _ask(self, request: HttpRequest, check: Check, time_left: TimeLeft) -> Outcome:
        """Send the request until it is answered or there is no hope."""
        n_failed = 0
        while True:
            time_left.allowance.check()
            outcome = self._attempt(request, check, time_left)
            if outcome.error is None:
                return outcome
            n_failed += 1
            self._wait(n_failed, outcome, outcome.error, time_left)

    def _wait(
        self, n_failed: int, outcome: Outcome, error: ServiceError, time_left: TimeLeft
    ) -> None:
        """Wait before the next attempt, or raise what the last one came to."""
        seconds = self._retry.wait_s(n_failed, retry_after=outcome.retry_after)
        if outcome.is_limited and (pause_s := seconds or outcome.retry_after):
            self._queue.pause(outcome.host, pause_s)
        if n_failed > outcome.tries or seconds is None or seconds >= time_left.left:
            raise error
        time_left.wait(seconds, outcome.host)

    def _attempt(self, request: HttpRequest, check: Check, time_left: TimeLeft) -> Outcome:
        for _ in range(MAX_REDIRECTS + 1):
            outcome = self._hop(request, check, time_left)
            if outcome.onward is None:
                return outcome
            request = outcome.onward
        host = origin(request.url)
        return Outcome(host, error=BadReplyError(f"{host} sends requests on without end"))

    def _hop(self, request: HttpRequest, check: Check, time_left: TimeLeft) -> Outcome:
        host = origin(request.url)
        check_agent(host_of(urlsplit(request.url)), self._user_agent)
        try:
            place = self._queue.enter(host, time_left)
        except (UnreachableError, RateLimitedError) as error:
            return Outcome(host, error=error)
        started, outcome = time.monotonic(), None
        try:
            outcome = self._watched(request, check, time_left)
        finally:
            seconds = time.monotonic() - started
            self._queue.leave(place, host, seconds=seconds, outcome=outcome)
        return outcome

    def _watched(self, request: HttpRequest, check: Check, time_left: TimeLeft) -> Outcome:
        """Send the request and judge the reply; what the person wishes meanwhile is seen."""
        host, started = origin(request.url), time.monotonic()
        wire, end = self._exchanger.wire(request), time_left.end
        try:
            response = watched(
                lambda: self._exchanger.exchange(request, wire, end),
                end=end,
                check=time_left.allowance.check,
                give_up=wire.cut,
            )
        except FAILURES as error:
            outcome = failed(error, host, time.monotonic() - started)
            # Short of time for reasons of our own: that is no mark against the host.
            is_ours = time_left.is_cut and isinstance(outcome.error, TimedOutError)
            return replace(outcome, is_down=outcome.is_down and not is_ours)
        try:
            onward = next_request(request, response, allow_private=self._guard.allow_private)
        except BadReplyError as error:
            return Outcome(host, error=error)
        if onward is not None:
            return Outcome(host, response, onward=onward)
        accept = {name.lower(): value for name, value in request.headers}.get("accept", "")
        return judge(response, check, accept)
