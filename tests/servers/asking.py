"""A transport for tests: it may ask this machine and does not wait long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kgcore.transport import HttpRequest, HttpResponse
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.transport import Transport
from tests.servers.faulty_server import FaultyServer

QUICK = RetryPolicy(max_retries=2, base_s=0.02, cap_s=0.05)


def transport(**settings: Any) -> Transport:
    """Return a transport with these settings."""
    known = {"user_agent": "test", "allow_private": True, "timeout_s": 2.0, "retry": QUICK}
    return Transport(**{**known, **settings})


def ask(server: FaultyServer, path: str = "/sparql", **settings: Any) -> HttpResponse:
    """Ask the server for JSON."""
    request = HttpRequest(server.url(path), headers=(("Accept", "application/json"),))
    return transport(**settings).fetch(request)


def wait_for(is_so: Callable[[], bool], *, seconds: float = 3.0) -> None:
    """Wait until something is so, and fail when it never is."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
