"""Processes that run the queries of one source: started when needed, killed when a query does not end."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kgcore.errors import InputError, ServiceError, TimedOutError
from kgcore.transport import current_allowance
from kgcore.transport.watching import watched

_ROOT = Path(__file__).resolve().parents[3]  # where kgcore lies
_STARTING_S = 60.0
_KEPT = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "PYTHONPATH")


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """Which engine a process runs: a class, by module and name, and what it is made from."""

    module: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


class _Process:
    """One process and the pipes to it; used by one thread at a time."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        environ = {name: os.environ[name] for name in _KEPT if name in os.environ}
        places = (str(_ROOT), environ.get("PYTHONPATH", ""))
        environ["PYTHONPATH"] = os.pathsep.join(filter(None, places))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kgcore.sources.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environ,  # no key of the person gets near a query
                start_new_session=True,  # Ctrl-C is for the program, which ends this
            )
        except OSError as error:
            raise ServiceError(f"no process can be started: {error.strerror}") from error
        self._end = weakref.finalize(self, _end, self._process)
        with contextlib.suppress(OSError):
            self._send(setup)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the reply; None when the process ended instead of giving one."""
        with contextlib.suppress(OSError):
            self._send(request)
            return self.read()
        return None

    def read(self) -> dict[str, Any] | None:
        """Return the next reply; the first, which nobody asked for, says that the engine is ready."""
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            line = self._process.stdout.readline()
            return dict(json.loads(line)) if line.endswith(b"\n") else None
        return None

    def kill(self) -> None:
        self._end()

    def _send(self, data: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(data).encode() + b"\n")
        self._process.stdin.flush()


class Workers:
    """Runs requests in at most `most` processes at once; safe to share between threads."""

    def __init__(
        self, engine: EngineSpec, *, time_limit_s: float, memory_mb: int, most: int = 2
    ) -> None:
        self._time_limit_s = time_limit_s
        self._setup = {
            "module": engine.module,
            "engine": engine.name,
            "options": dict(engine.options),
            "memory_mb": memory_mb,
            "time_limit_s": time_limit_s,
        }
        self._idle: list[_Process] = []
        self._places = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a request.

        InputError for one that is refused, takes too long or too much memory; ServiceError when the data cannot
        be read; StoppedError when the person stops the run meanwhile.
        """
        allowance = current_allowance()
        while not self._places.acquire(timeout=0.1):
            allowance.check()
            if allowance.seconds_left(1.0) <= 0.0:
                raise TimedOutError("the query did not begin within the time of this run")
        try:
            reply = self._ask(request)
        finally:
            self._places.release()
        if "refused" in reply:
            raise InputError(str(reply["refused"]))
        if "failed" in reply:
            raise ServiceError(str(reply["failed"]))
        return reply

    def close(self) -> None:
        """End the processes that wait for requests; the next request starts one again."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.kill()

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        for _ in range(2):  # a process that waited may have ended just now
            process = self._take()
            if process is None:
                process = _Process(self._setup)
                made = self._started(process)
                if "ready" not in made:
                    process.kill()
                    return made
            reply = self._answered(process, request)
            if reply is not None:
                with self._lock:
                    self._idle.append(process)
                return reply
            process.kill()
        raise InputError("the query ended the process it ran in: it needs too much memory")

    def _started(self, process: _Process) -> dict[str, Any]:
        """Return what a new process says first; starting takes its time, which is none of the query's."""
        try:
            made = _watched(process, process.read, _STARTING_S)
        except TimeoutError:
            raise TimedOutError("the process that runs queries did not start in time") from None
        return made or {"failed": "the process that runs queries does not start"}

    def _answered(self, process: _Process, request: Mapping[str, Any]) -> dict[str, Any] | None:
        is_cut = current_allowance().seconds_left(self._time_limit_s) < self._time_limit_s
        try:
            return _watched(process, partial(process.ask, request), self._time_limit_s)
        except TimeoutError:
            if is_cut:
                raise TimedOutError("the query did not end within the time of this run") from None
            raise InputError(
                f"the query was ended after {self._time_limit_s:g} s; ask for less"
            ) from None

    def _take(self) -> _Process | None:
        """Return a process that waits for a query, if there is one."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.is_alive:
                    return process
                process.kill()
        return None


def _watched(
    process: _Process, work: Callable[[], dict[str, Any] | None], seconds: float
) -> dict[str, Any] | None:
    """Wait for a process; it is killed at the end of the time, the run's included, or when a person stops the run."""
    allowance = current_allowance()
    end = time.monotonic() + allowance.seconds_left(seconds)
    return watched(work, end=end, check=allowance.check, give_up=process.kill)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and let go of its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if pipe is not None:
                pipe.close()
