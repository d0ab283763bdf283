"""How long a person waits: for `python -m kgcore --help`, and for the first page after the start of the app.

    python bench/startup.py [--repeat 5]

The page counts as there when the script of the Ask page has run to its end for a first visitor, its last element
sent over the socket that a browser opens. A start with a new data folder imports the demo graphs as well.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_S = 120.0


def help_seconds() -> float:
    """Time `python -m kgcore --help`."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "kgcore", "--help"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def page_seconds(home: Path) -> tuple[float, float, float]:
    """Start the app; return the seconds until it serves, until something is seen, and until the page is whole."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "KGCORE_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            wait_until_served(f"http://127.0.0.1:{port}/")
            served = time.perf_counter() - start
            seen = visit(f"ws://127.0.0.1:{port}/_stcore/stream")
            return served, seen - start, time.perf_counter() - start
        finally:
            server.terminate()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_served(address: str) -> None:
    """Ask for the page until it is sent."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.02)
    raise SystemExit("the app did not start")


def visit(address: str) -> float:
    """Open a session as a browser does, wait until the page's script has ended; return when its first element came."""
    seen = 0.0
    hello = BackMsg()
    hello.rerun_script.query_string = ""
    with connect(address, max_size=None) as channel:
        channel.send(hello.SerializeToString())
        while True:
            data = channel.recv(timeout=PATIENCE_S)
            if isinstance(data, bytes):
                message = ForwardMsg.FromString(data)
                kind = message.WhichOneof("type")
                if kind == "delta" and not seen:
                    seen = time.perf_counter()
                if kind == "script_finished":
                    return seen


def told(name: str, seconds: list[float], goal: float) -> str:
    """Return a line of the result."""
    middle = statistics.median(seconds)
    return f"{name:<42} median {middle:5.2f} s   worst {max(seconds):5.2f} s   goal < {goal} s"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    print(told("python -m kgcore --help", [help_seconds() for _ in range(repeat)], 0.7))
    with tempfile.TemporaryDirectory() as folder:
        _, _, first = page_seconds(Path(folder))
        again = [page_seconds(Path(folder)) for _ in range(repeat)]
    print(f"{'first page, new data folder (with its import)':<42} {first:12.2f} s")
    print(told("server answers", [served for served, _, _ in again], 3.0))
    print(told("something is seen", [seen for _, seen, _ in again], 3.0))
    print(told("first page is whole", [whole for _, _, whole in again], 3.0))


if __name__ == "__main__":
    main()
