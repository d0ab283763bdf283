"""A web server on loopback that misbehaves in scripted ways, over real sockets.

    with FaultyServer([Reply(503, {"Retry-After": "1"}), Reply(body=b"{}")]) as server:
        …  # talk to server.url("/sparql")
        assert server.n_requests == 2

The n-th request gets the n-th entry of `script`, the last entry serves all further ones. An entry is one of this
module's values or a function from the request to one; `by_path` gives a path a script of its own. Every request is
recorded with the moment it came in. `tls=self_signed(folder)` makes it an https server.
"""

from __future__ import annotations

import gzip
import json
import shutil
import socket
import ssl
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from types import TracebackType

JSON = "application/json"


@dataclass(frozen=True)
class Reply:
    """Any status, headers and body; the length is told unless a header does."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"{}"
    content_type: str = JSON
    delay_s: float = 0.0


@dataclass(frozen=True)
class Hang:
    """Read the request and say nothing."""

    seconds: float = 30.0


@dataclass(frozen=True)
class Drip:
    """Send one byte of the body (or of the headers) every `every_s`, for ever."""

    every_s: float = 0.05
    is_header: bool = False


@dataclass(frozen=True)
class Cut:
    """Promise a whole body, send the first `n_bytes` of it and close the connection."""

    body: bytes = b'{"head": {"vars": ["s"]}, "results": {"bindings": ['
    n_bytes: int = 20
    is_chunked: bool = False
    content_type: str = JSON


@dataclass(frozen=True)
class Endless:
    """Send rows as fast as they are taken, for ever."""

    row: bytes = b'{"s": {"type": "uri", "value": "http://x.invalid/1"}},\n'
    is_packed: bool = False
    content_type: str = JSON


@dataclass(frozen=True)
class Reset:
    """Reset the connection (RST) instead of answering."""


@dataclass(frozen=True)
class Raw:
    """Send exactly these bytes and close."""

    data: bytes


Entry = Reply | Hang | Drip | Cut | Endless | Reset | Raw
Scripted = Entry | Callable[["Received"], Entry]


@dataclass(frozen=True)
class Received:
    """One request as it came in; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float  # on time.monotonic(), which all processes of a machine share


def redirect(where: str, status: int = 302) -> Reply:
    """Return a reply that sends on to another address."""
    return Reply(status, {"Location": where}, b"")


def row_set(*rows: Mapping[str, str], variables: Sequence[str] = ("s",)) -> Reply:
    """Return a proper SPARQL result of plain literals."""
    bindings = [{k: {"type": "literal", "value": v} for k, v in row.items()} for row in rows]
    data = {"head": {"vars": list(variables)}, "results": {"bindings": bindings}}
    return Reply(body=json.dumps(data).encode(), content_type="application/sparql-results+json")


def self_signed(folder: Path) -> tuple[Path, Path] | None:
    """Return a certificate for localhost and its key, made now; None where openssl is not installed."""
    if shutil.which("openssl") is None:
        return None
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
    ]
    command += ["-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", str(key)]
    command += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", str(certificate)]
    command += [
        "-addext",
        "keyUsage=critical,digitalSignature,keyCertSign",
    ]  # strict since Python 3.13
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


class FaultyServer:
    """The server; a context manager."""

    def __init__(
        self,
        script: Sequence[Scripted] = (Reply(),),
        *,
        by_path: Mapping[str, Sequence[Scripted]] | None = None,
        tls: tuple[Path, Path] | None = None,
    ) -> None:
        self.script, self.by_path = list(script), dict(by_path or {})
        self.received: list[Received] = []
        self.n_connections = 0
        self.most_at_once = 0
        self.closing = threading.Event()
        self._at_once, self._tls = 0, tls
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> FaultyServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    @property
    def port(self) -> int:
        """The port it listens at."""
        return int(self._listener.getsockname()[1])

    @property
    def host(self) -> str:
        """Host and port, as they stand in an address."""
        return f"127.0.0.1:{self.port}"

    @property
    def n_requests(self) -> int:
        """How many requests came in."""
        with self._lock:
            return len(self.received)

    def url(self, path: str = "/") -> str:
        """Return an address at this server."""
        return f"{'https' if self._tls else 'http'}://{self.host}{path}"

    def rate(self) -> float:
        """Return the requests a second between the first and the last that came in."""
        times = sorted(r.at for r in self.received)
        return (len(times) - 1) / (times[-1] - times[0])

    def _accept(self) -> None:
        while not self.closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.n_connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._tls is not None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(*self._tls)
                connection = context.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as stream:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    while (request := _read(stream)) is not None:
                        if not self._answer(connection, request):
                            return
                except ValueError:  # not HTTP, perhaps the first bytes of TLS
                    connection.sendall(b"HTTP/1.1 400 X\r\nContent-Length: 0\r\n\r\n")
        except OSError:
            connection.close()  # the other side went away, which is what many tests are about

    def _answer(self, connection: socket.socket, request: Received) -> bool:
        """Do as the script says; True when the connection can take another request."""
        with self._lock:
            path = _path(request)
            script = self.by_path.get(path, self.script)
            is_named = path in self.by_path
            seen = [
                p
                for p in map(_path, self.received)
                if (p == path if is_named else p not in self.by_path)
            ]
            entry = script[min(len(seen), len(script) - 1)]
            self.received.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return self._send(connection, entry(request) if callable(entry) else entry)
        finally:
            with self._lock:
                self._at_once -= 1

    def _send(self, connection: socket.socket, entry: Entry) -> bool:
        if isinstance(entry, Reply):
            self.closing.wait(entry.delay_s)
            connection.sendall(_head(entry, len(entry.body)) + entry.body)
            return True
        if isinstance(entry, Hang):
            _until_gone(connection, self.closing, entry.seconds)
        elif isinstance(entry, Reset):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            for part in _parts(entry):
                connection.sendall(part)
                if self.closing.wait(entry.every_s if isinstance(entry, Drip) else 0):
                    break
        return False


def _path(request: Received) -> str:
    return request.path.partition("?")[0]


def _until_gone(connection: socket.socket, closing: threading.Event, seconds: float) -> None:
    """Wait until the client hangs up."""
    end = time.monotonic() + seconds
    connection.settimeout(0.05)
    while time.monotonic() < end and not closing.is_set():
        try:
            if not connection.recv(1):
                return
        except TimeoutError:
            continue


def _head(entry: Reply, length: int) -> bytes:
    headers = {"Content-Type": entry.content_type, "Content-Length": str(length), **entry.headers}
    lines = [f"HTTP/1.1 {entry.status} X", *(f"{k}: {v}" for k, v in headers.items() if v)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _parts(entry: Drip | Cut | Endless | Raw) -> Iterator[bytes]:
    chunked = {"Transfer-Encoding": "chunked", "Content-Length": ""}
    if isinstance(entry, Raw):
        yield entry.data
    elif isinstance(entry, Drip):
        yield b"HTTP/1.1 200 OK\r\nX-Slow: " if entry.is_header else _head(Reply(), 1_000_000)
        while True:
            yield b" "
    elif isinstance(entry, Cut):
        sent = entry.body[: entry.n_bytes]
        shape = Reply(headers=chunked if entry.is_chunked else {}, content_type=entry.content_type)
        yield _head(shape, len(entry.body))
        # A length that promises more than comes, in both ways to tell a length.
        yield f"{len(entry.body):x}\r\n".encode() + sent if entry.is_chunked else sent
    else:
        packed = {"Content-Encoding": "gzip"} if entry.is_packed else {}
        yield _head(Reply(headers={**chunked, **packed}, content_type=entry.content_type), 0)
        rows = entry.row * 2000
        part = _chunk(gzip.compress(rows * 50)) if entry.is_packed else _chunk(rows)
        while True:
            yield part


def _read(stream: BufferedReader) -> Received | None:
    """Read one request; None at the end of the connection, ValueError for what is not HTTP."""
    if stream.peek(1).startswith(b"\x16"):
        raise ValueError("this is TLS")
    line = stream.readline()
    if not line.strip():
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers = {}
    while line := stream.readline().strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0)))
    return Received(method, path, headers, body, time.monotonic())
