"""A server on loopback that speaks the OpenAI chat completions protocol, one scripted reply a request.

    with OpenAIServer() as server:
        server.script = [Say("hello"), Status(429, {"Retry-After": "2"}), Hang(60)]
        …  # talk to server.address
        assert server.n_requests == 3

The n-th request gets the n-th entry of `script`, the last entry serves all further ones. An entry is a reply
object of this module or a function from the request's JSON to one. Every request is recorded.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

JSON = {"Content-Type": "application/json"}
DEFAULT_USAGE: Any = object()


@dataclass(frozen=True)
class Say:
    """A proper completion: these texts, as many as `n` asks for (`honours_n`), else the first only."""

    text: str | None = "yes"
    texts: Sequence[str | None] = ()
    honours_n: bool = True
    finish: str = "stop"
    refusal: str | None = None
    usage: Any = DEFAULT_USAGE
    delay_s: float = 0.0
    n_choices: int | None = None  # exactly so many, whatever was asked

    def body(self, request: Mapping[str, Any]) -> bytes:
        n = int(request.get("n") or 1) if self.honours_n else 1
        n = self.n_choices if self.n_choices is not None else n
        said = list(self.texts or [self.text])
        texts = [said[i % len(said)] for i in range(n)]
        choices = [
            {
                "index": i,
                "finish_reason": self.finish,
                "message": {"role": "assistant", "content": text, "refusal": self.refusal},
            }
            for i, text in enumerate(texts)
        ]
        usage = self.usage
        if usage is DEFAULT_USAGE:
            n_prompt = sum(len(m["content"].split()) for m in request.get("messages", ()))
            n_reply = sum(len((text or "").split()) for text in texts)
            usage = {
                "prompt_tokens": n_prompt,
                "completion_tokens": n_reply,
                "total_tokens": n_prompt + n_reply,
            }
        reply = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": str(request.get("model", "")),
            "choices": choices,
        }
        if usage is not None:
            reply["usage"] = usage
        return json.dumps(reply).encode()


@dataclass(frozen=True)
class Status:
    """Any status, headers and body."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | str | Mapping[str, Any] = b""
    delay_s: float = 0.0


@dataclass(frozen=True)
class Hang:
    """Read the request and say nothing."""

    seconds: float = 60.0


@dataclass(frozen=True)
class Drip:
    """Send one byte of the body (or of the headers) every `every_s`, for ever."""

    every_s: float = 0.2
    is_header: bool = False


@dataclass(frozen=True)
class Cut:
    """Promise a whole body, send a part of it and close the connection."""

    n_bytes: int = 60


@dataclass(frozen=True)
class Reset:
    """Reset the connection (RST) instead of answering."""


Entry = Say | Status | Hang | Drip | Cut | Reset
Scripted = Entry | Callable[[Mapping[str, Any]], Entry]


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float  # on time.monotonic()

    @property
    def prompt(self) -> str:
        """All message texts."""
        return "\n\n".join(str(m["content"]) for m in self.body["messages"])


class OpenAIServer:
    """The server; a context manager. `address` is what a client takes as its base."""

    def __init__(self, script: Sequence[Scripted] = (Say(),)) -> None:
        self.script: list[Scripted] = list(script)
        self.received: list[Received] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        """Base address for a client."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def n_requests(self) -> int:
        """How many requests came in."""
        with self._lock:
            return len(self.received)

    def take(self, received: Received) -> Entry:
        """Record a request and return what it gets."""
        with self._lock:
            entry = self.script[min(len(self.received), len(self.script) - 1)]
            self.received.append(received)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        return entry(received.body) if callable(entry) else entry

    def done(self) -> None:
        """Note that a request has been answered."""
        with self._lock:
            self._at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    owner: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body leave together, as from a real server
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the tests' output clean."""

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        received = Received(self.path, dict(self.headers), json.loads(data), time.monotonic())
        owner = self.server.owner
        entry = owner.take(received)
        try:
            self._answer(entry, received.body)
        finally:
            owner.done()

    def _answer(self, entry: Entry, request: Mapping[str, Any]) -> None:
        closing = self.server.owner.closing
        if isinstance(entry, Say):
            closing.wait(entry.delay_s)
            self._send(200, JSON, entry.body(request))
        elif isinstance(entry, Status):
            closing.wait(entry.delay_s)
            body = entry.body
            if isinstance(body, Mapping):
                body = json.dumps(body)
            data = body.encode() if isinstance(body, str) else body
            self._send(entry.status, {**JSON, **entry.headers}, data)
        elif isinstance(entry, Hang):
            closing.wait(entry.seconds)
            self.close_connection = True
        elif isinstance(entry, Drip):
            self._drip(entry, closing)
        elif isinstance(entry, Cut):
            data = Say("a reply that nobody will see whole").body(request)
            self._head(200, JSON, len(data))
            self.wfile.write(data[: entry.n_bytes])
            self.wfile.flush()
            self.close_connection = True
        else:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True

    def _head(self, status: int, headers: Mapping[str, str], length: int) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._head(status, headers, len(body))
        self.wfile.write(body)
        self.wfile.flush()

    def _drip(self, entry: Drip, closing: threading.Event) -> None:
        if entry.is_header:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        else:
            self._head(200, JSON, 1_000_000)
        while not closing.wait(entry.every_s):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.close_connection = True
