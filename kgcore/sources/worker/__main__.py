"""The process that runs queries for `pool.py`: one line of JSON in, one line out, until nobody asks any more."""

from __future__ import annotations

import faulthandler
import importlib
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from kgcore.errors import InputError, KGCoreError

_IDLE_S = 300.0  # without a query
_LEEWAY_S = 5.0  # beyond its time limit; the other side kills earlier, if it still lives


class Engine(Protocol):
    """What answers: a class of this shape is named in the first line, with what it is made from."""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request; InputError for one that is not run."""


def main() -> None:
    """Make the engine, say so, and serve until the other side closes the pipe."""
    replies = os.fdopen(os.dup(1), "wb")

    def send(reply: dict[str, Any]) -> None:
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()

    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)  # what a library prints is no reply
        setup = json.loads(sys.stdin.buffer.readline())
        _limit_memory(int(setup["memory_mb"]) * 1_000_000)
        engine: list[Engine] = []

        def make() -> dict[str, Any]:
            engine.append(_engine(setup))
            return {"ready": True}

        send(_told(make))
        while engine:
            # A watchdog of the interpreter's own: it ends the process even where a library holds its lock.
            faulthandler.dump_traceback_later(_IDLE_S, exit=True, file=nowhere)
            line = sys.stdin.buffer.readline()
            if not line:
                return
            limit = float(setup["time_limit_s"]) + _LEEWAY_S
            faulthandler.dump_traceback_later(limit, exit=True, file=nowhere)
            send(_told(partial(engine[0].answer, json.loads(line))))


def _told(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what some work comes to, or why it came to nothing."""
    try:
        return work()
    except InputError as error:
        return {"refused": str(error)}
    except KGCoreError as error:
        return {"failed": str(error)}
    except MemoryError:
        return {"refused": "the query needs too much memory"}
    except RecursionError:
        return {"refused": "the query is nested too deeply"}


def _engine(setup: dict[str, Any]) -> Engine:
    engine: Engine = getattr(importlib.import_module(setup["module"]), setup["engine"])(
        **setup["options"]
    )
    return engine


def _limit_memory(n_bytes: int) -> None:
    """Take no more memory than this, where the system can see to it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = n_bytes if most == resource.RLIM_INFINITY else min(n_bytes, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


if __name__ == "__main__":
    main()
