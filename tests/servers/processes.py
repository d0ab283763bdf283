"""What servers started as processes share: free ports, waiting until one answers, ending it."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path


def free_port() -> int:
    """A port on loopback that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_it_answers(
    address: str, process: subprocess.Popen[bytes], log: Path, *, seconds: float = 60.0
) -> None:
    """Return when an address answers anything over HTTP; RuntimeError, with the log's end, when it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    stop(process)
    tail = log.read_text("utf-8", "replace")[-2000:] if log.is_file() else ""
    raise RuntimeError(f"{address} does not answer\n{tail}")


def stop(process: subprocess.Popen[bytes], *, seconds: float = 15.0) -> None:
    """End a process we started: asked first, then made to."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
