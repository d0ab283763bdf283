"""What goes over the wire: one HTTP client for all of litellm's requests, watched and bounded.

litellm cannot say whether anything was sent and what came back, reads a reply of any size, and its timeout
counts from byte to byte. The client's hooks fill in the `Wire` of the request under way (found by a context
variable, as each request has a thread of its own) and end its reply at a size and at a moment.
"""

from __future__ import annotations

import contextvars
import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kgcore.transport.retry import parse_retry_after

MAX_BYTES = 4_000_000  # of one reply; several times what many long samples need


@dataclass(slots=True)
class Wire:
    """What is known of one request on the wire."""

    timeout_s: float
    max_bytes: int = MAX_BYTES
    ends: float = math.inf  # on time.monotonic(); known once the request is sent
    started: threading.Event = field(default_factory=threading.Event)  # sent, or given up
    n_sent: int = 0
    status: int | None = None
    content_type: str = ""
    retry_after: float | None = None
    problem: str = ""  # "late" or "large": the reply was ended here


current: contextvars.ContextVar[Wire | None] = contextvars.ContextVar("current", default=None)


def install(litellm: Any) -> None:
    """Make litellm send everything through a client of ours.

    Providers that it reaches with the OpenAI library use `client_session`, the others `sync_transport`.
    """
    import httpx

    def sending(request: httpx.Request) -> None:
        wire = current.get()
        if wire is not None:
            wire.n_sent += 1
            wire.ends = time.monotonic() + wire.timeout_s
            wire.started.set()

    def receiving(response: httpx.Response) -> None:
        wire = current.get()
        if wire is not None:
            wire.status = response.status_code
            wire.content_type = response.headers.get("content-type", "")
            wire.retry_after = parse_retry_after(response.headers.get("retry-after"))
            response.stream = Bounded(response.stream, wire)

    class Bounded(httpx.SyncByteStream):
        """The body of a reply, up to a size and a moment."""

        def __init__(self, stream: Any, wire: Wire) -> None:
            self._stream, self._wire = stream, wire

        def __iter__(self) -> Iterator[bytes]:
            n_bytes = 0
            for chunk in self._stream:
                n_bytes += len(chunk)
                if n_bytes > self._wire.max_bytes:
                    self._wire.problem = "large"
                elif time.monotonic() > self._wire.ends:
                    self._wire.problem = "late"
                if self._wire.problem:
                    raise httpx.ReadError(f"cut off: {self._wire.problem}")
                yield chunk

        def close(self) -> None:
            self._stream.close()

    class ThroughOurClient(httpx.BaseTransport):
        """Lets the clients that litellm builds for itself send through ours."""

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            return client.send(request, stream=True, follow_redirects=False)

    client = httpx.Client(
        event_hooks={"request": [sending], "response": [receiving]}, follow_redirects=False
    )
    litellm.client_session = client
    litellm.sync_transport = ThroughOurClient()
