"""Runs the command line in processes that need not import anything any more.

Importing litellm takes seconds, so a test that starts the command line dozens of times would take minutes. Here
one process imports it and then forks for every command: the fork is a process of its own, with its own
environment, standard streams and exit code, and it can be interrupted and killed like any other.

    with WarmCli() as cli:
        process = cli.start(["ask", "Who?", "--model", "openai/test"], environ)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Done:
    """A command that ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, read as JSON; it must have gone well and complained of nothing."""
        assert (self.code, self.err) == (0, ""), self
        return json.loads(self.out)

    def refused(self, code: int = 1) -> str:
        """The one line of a command that did not work."""
        assert self.code == code, self
        assert self.out == "", self
        assert self.err.count("\n") == 1, self
        assert "Traceback" not in self.err
        return self.err


@dataclass(frozen=True)
class Process:
    """A command under way."""

    pid: int
    files: Path  # where its streams and its code go, without the ending

    def wait(self, timeout: float = 100.0) -> int:
        """Wait for its end and return its exit code, or minus the number of the signal that ended it."""
        end = time.monotonic() + timeout
        while not self.has_ended:
            assert time.monotonic() < end, f"it did not end within {timeout:g} s; {self.err}"
            time.sleep(0.002)
        return int(self.files.with_suffix(".code").read_text())

    @property
    def has_ended(self) -> bool:
        """Whether it is over."""
        return self.files.with_suffix(".code").exists()

    @property
    def out(self) -> str:
        """What it has printed."""
        return self.files.with_suffix(".out").read_text("utf-8")

    @property
    def err(self) -> str:
        """What it has complained of."""
        return self.files.with_suffix(".err").read_text("utf-8")


class WarmCli:
    """Starts commands; a context manager."""

    def __enter__(self) -> WarmCli:
        self._folder = tempfile.TemporaryDirectory()
        self._numbers = itertools.count()
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.servers.warm_cli"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.kill()
        self._server.communicate()
        self._folder.cleanup()

    def start(self, argv: Sequence[str], environ: Mapping[str, str]) -> Process:
        """Start a command in an environment."""
        files = Path(self._folder.name) / f"{next(self._numbers):03}"
        job = {"argv": list(argv), "environ": dict(environ), "files": str(files)}
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        return Process(int(self._server.stdout.readline()), files)


def serve() -> None:
    """Fork for every job on standard input, print the process's number, and note its exit code at its end."""
    running: dict[int, Path] = {}

    def reap(_signum: int, _frame: FrameType | None) -> None:
        for pid in list(running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                part = running[pid].with_suffix(".part")
                part.write_text(str(os.waitstatus_to_exitcode(status)))
                part.rename(running.pop(pid).with_suffix(".code"))

    warm()
    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        job = json.loads(line)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if pid == 0:
            become(job)
        running[pid] = Path(job["files"])
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def warm() -> None:
    """Import everything, and send one request nowhere, since the first one is slow too."""
    from kgcore.cli import asking, runs  # noqa: F401  they import what they need
    from kgcore.llm import vendor

    nowhere = "http://127.0.0.1:1/v1"
    call = vendor.Call("openai/test", (("user", "?"),), 1, 0.0, 5, 5.0, 5.0, api_base=nowhere)
    vendor.send(call, service="nobody")
    assert threading.active_count() == 1, "a process with threads cannot fork"


def become(job: Mapping[str, Any]) -> NoReturn:
    """Be the command line from here on."""
    from kgcore.cli.main import main

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    files = Path(job["files"])
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(files.with_suffix(".out"), flags), 1)
    os.dup2(os.open(files.with_suffix(".err"), flags), 2)
    os.environ.clear()
    os.environ.update(job["environ"])
    try:
        code = main(job["argv"])
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    threading._shutdown()  # type: ignore[attr-defined]  an interpreter waits for its threads at the end
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve()
