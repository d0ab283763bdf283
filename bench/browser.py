"""A real Streamlit server and a headless Chromium for the measurements that need both."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
]
ARGS += ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"]
PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs: where it answers, and its process."""

    address: str
    pid: int


@contextmanager
def served(script: Path, environ: Mapping[str, str]) -> Iterator[Server]:
    """Run a Streamlit script on a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.port", str(port), "--server.headless", "true"]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, **environ},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(f"{address}/_stcore/health")
        yield Server(address, process.pid)
    finally:
        process.terminate()
        process.wait(10)


def _wait_until_healthy(address: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with suppress(OSError), urllib.request.urlopen(address, timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def launched(playwright: Playwright) -> Browser:
    """Start the installed Chromium; nothing it does leaves this machine."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit("this needs an installed Chromium")
    return playwright.chromium.launch(executable_path=path, args=ARGS)


def resident_mb(pid: int) -> float:
    """Return the memory a process holds, in megabytes; it is read from /proc."""
    pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
