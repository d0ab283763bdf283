"""A proxy on loopback that passes requests on to a real server and keeps the text of each.

with CountingProxy(server.address) as proxy:
    …  # ask proxy.address
    assert len(proxy.requests) == 3
"""

from __future__ import annotations

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import unquote_plus, urlsplit

_PASSED_ON = ("accept", "content-type", "user-agent")
_TIMEOUT_S = 30.0


class CountingProxy:
    """Passes everything on to the server at `address`."""

    def __init__(self, address: str) -> None:
        self._target = urlsplit(address)
        self._lock = threading.Lock()
        self._requests: list[str] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                proxy._pass_on(self, b"")

            def do_POST(self) -> None:
                proxy._pass_on(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_port}{self._target.path}"

    @property
    def requests(self) -> list[str]:
        """What was asked so far, address and body decoded."""
        with self._lock:
            return list(self._requests)

    def _pass_on(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        with self._lock:
            self._requests.append(unquote_plus(f"{handler.path}\n{body.decode('utf-8')}"))
        host, port = self._target.hostname or "", self._target.port
        connection = http.client.HTTPConnection(host, port, timeout=_TIMEOUT_S)
        headers = {n: v for n, v in handler.headers.items() if n.lower() in _PASSED_ON}
        connection.request(handler.command, handler.path, body or None, headers)
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        handler.send_response(reply.status)
        handler.send_header("Content-Type", reply.headers.get("Content-Type", ""))
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def __enter__(self) -> CountingProxy:
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
