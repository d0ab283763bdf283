"""What the tests of the command line share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.warm_cli import Done, WarmCli

Run = Callable[..., Done]


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmCli]:
    """Starts commands quickly; see tests/servers/warm_cli.py."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    with WarmCli() as cli:
        yield cli


@pytest.fixture
def run(warm: WarmCli, tmp_home: Path) -> Run:
    """Run a command; keywords are environment variables."""

    def run(*argv: str, **environ: str) -> Done:
        process = warm.start([*argv], {**os.environ, "KGCORE_HOME": str(tmp_home), **environ})
        return Done(process.wait(), process.out, process.err)

    return run
