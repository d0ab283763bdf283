"""Sending requests to graphs and sources over HTTP. Adapters shape requests and read replies; all else is here."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import requests

from kgcore.errors import UnreachableError
from kgcore.transport.http import Check, HttpRequest, HttpResponse, check_status


class Transport:
    """Sends requests. Safe to share between threads."""

    def __init__(self, *, user_agent: str, timeout_s: float = 30.0) -> None:
        self._user_agent, self._timeout_s = user_agent, timeout_s

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
        started = time.monotonic()
        headers = {"User-Agent": self._user_agent, **dict(request.headers), **dict(request.secret)}
        try:
            got = requests.request(
                request.method,
                request.url,
                headers=headers,
                data=request.body or None,
                timeout=timeout_s or self._timeout_s,
            )
        except requests.RequestException as error:
            raise UnreachableError(f"{request.url} cannot be reached") from error
        response = HttpResponse(
            got.status_code,
            {name.lower(): value for name, value in got.headers.items()},
            got.content,
            got.url,
            datetime.now(UTC).isoformat(timespec="seconds"),
            time.monotonic() - started,
        )
        check(response)
        return response
