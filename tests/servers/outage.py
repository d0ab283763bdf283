"""A server that stands in front of a real one and can be struck dead, or made to hang, at any moment.

with Outage(server.address) as outage:
    …  # ask outage.address
    outage.failing = Reset()
"""

from __future__ import annotations

import urllib.error
import urllib.request
from types import TracebackType
from urllib.parse import urlsplit

from tests.servers.faulty_server import Entry, FaultyServer, Received, Reply

_PASSED_ON = ("accept", "content-type", "user-agent")


class Outage:
    """Passes requests on while `failing` is None, and does what `failing` says otherwise.

    With `lives_for` that many requests are passed on first.
    """

    def __init__(self, address: str) -> None:
        self.failing: Entry | None = None
        self.lives_for = 0
        self._behind = urlsplit(address)
        self._server = FaultyServer([self._entry])

    @property
    def address(self) -> str:
        """Where to ask."""
        return self._server.url(self._behind.path)

    @property
    def n_requests(self) -> int:
        """How many requests came in, passed on or not."""
        return self._server.n_requests

    def _entry(self, request: Received) -> Entry:
        if self.failing is not None and self._server.n_requests > self.lives_for:
            return self.failing
        headers = {name: text for name, text in request.headers.items() if name in _PASSED_ON}
        passed = urllib.request.Request(
            f"{self._behind.scheme}://{self._behind.netloc}{request.path}",
            data=request.body or None,
            headers=headers,
            method=request.method,
        )
        try:
            with urllib.request.urlopen(passed, timeout=20) as reply:
                kind = reply.headers.get("Content-Type", "")
                return Reply(reply.status, {}, reply.read(), kind)
        except urllib.error.HTTPError as error:
            return Reply(error.code, {}, error.read(), error.headers.get("Content-Type", ""))

    def __enter__(self) -> Outage:
        self._server.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.__exit__(kind, error, trace)
