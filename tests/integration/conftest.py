"""What the tests of the command line share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.servers.warm_cli import WarmCli


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmCli]:
    """Starts commands quickly; see tests/servers/warm_cli.py."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    with WarmCli() as cli:
        yield cli
