"""One HTTP client for all of litellm's requests, watched and bounded.

litellm cannot say whether anything was sent and what came back, reads a reply of any size, and its timeout
counts from byte to byte. The client's hooks fill in the `Wire` of the request under way (found by a context
variable, as each request has a thread of its own) and end its reply at a size and at a moment.

This module is imported together with litellm, never before: httpx takes its time too.
"""

from __future__ import annotations

import atexit
import time
from collections.abc import Iterator
from typing import Any

import httpx

from kgcore.llm.wire import Wire, current
from kgcore.transport.retry import parse_retry_after


def install(litellm: Any) -> None:
    """Make litellm send everything through a client of ours.

    Providers that it reaches with the OpenAI library use `client_session`, the others `sync_transport`.
    """
    client = httpx.Client(
        event_hooks={"request": [_sending], "response": [_receiving]}, follow_redirects=False
    )
    atexit.register(client.close)
    litellm.client_session = client
    litellm.sync_transport = _ThroughOurClient(client)


def _sending(request: httpx.Request) -> None:
    wire = current.get()
    if wire is not None:
        wire.n_sent += 1
        wire.ends = time.monotonic() + wire.timeout_s
        wire.started.set()


def _receiving(response: httpx.Response) -> None:
    wire = current.get()
    if wire is not None:
        wire.status = response.status_code
        wire.content_type = response.headers.get("content-type", "")
        wire.retry_after = parse_retry_after(response.headers.get("retry-after"))
        response.stream = _Bounded(response.stream, wire)


class _Bounded(httpx.SyncByteStream):
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


class _ThroughOurClient(httpx.BaseTransport):
    """Lets the clients that litellm builds for itself send through ours."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self._client.send(request, stream=True, follow_redirects=False)
