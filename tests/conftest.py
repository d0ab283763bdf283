"""Keeps every test on this machine and out of the user's own data, and finds what some tests need."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from tests.offline import sitecustomize as offline
from tests.servers.virtuoso_server import VirtuosoServer

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
KEYS = ("_API_KEY", "_API_BASE", "_API_TOKEN", "_BASE_URL")

offline.install()


def pytest_configure(config: pytest.Config) -> None:
    """Forget the user's settings and keys before any module is imported."""
    for name in list(os.environ):
        is_ours = name.startswith("KGCORE_") and not name.startswith("KGCORE_TEST_")
        if is_ours or name.endswith(KEYS):
            del os.environ[name]
    # A shell starts background jobs with SIGINT ignored, and so would be every process of a test.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1,::1"


class ByFile(LoadFileScheduling):
    """Keeps the tests of a file in one worker, and all that drive a browser: two at a time starve each other."""

    def _split_scope(self, nodeid: str) -> str:
        return (
            "browser" if nodeid.startswith("tests/browser/") else str(super()._split_scope(nodeid))
        )


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    """Return what deals the tests out to the workers."""
    return ByFile(config, log)


@pytest.fixture(scope="session", autouse=True)
def outside_log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where refused connections are written, by this process and by those the tests start."""
    log = tmp_path_factory.mktemp("offline") / "refused.txt"
    log.touch()
    folders = [str(ROOT / "tests" / "offline"), os.environ.get("PYTHONPATH", "")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(offline.LOG_VARIABLE, str(log))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, folders)))
        patch.setenv("KGCORE_HOME", str(tmp_path_factory.mktemp("home")))
        yield log


@pytest.fixture(autouse=True)
def stays_on_this_machine(
    request: pytest.FixtureRequest, outside_log: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Fail a test during which anything tried to reach another machine, even if the error was swallowed."""
    if request.node.get_closest_marker("network"):
        monkeypatch.setenv(offline.ALLOW_VARIABLE, "1")
    before = outside_log.stat().st_size
    yield
    refused = outside_log.read_bytes()[before:].decode("utf-8")
    if refused:
        pytest.fail(refused.strip(), pytrace=False)


@pytest.fixture(autouse=True)
def tmp_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own; it does not exist until something is stored in it."""
    home = tmp_path / "kgcore-home"
    monkeypatch.setenv("KGCORE_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data sets too large for the repository; without it the test is skipped."""
    path = Path(os.environ.get("KGCORE_TEST_DATA", ROOT.parent / "shared" / "data"))
    if not path.is_dir():
        pytest.skip(f"no data sets at {path}; name their folder in KGCORE_TEST_DATA")
    return path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of an installed Chromium; without it a test is skipped, or fails in CI."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    reason = f"no browser on PATH (looked for {', '.join(BROWSERS)})"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtuosoServer]:
    """A Virtuoso without data; tests load graphs of their own into it. Skipped where it is not installed."""
    with VirtuosoServer(folder=tmp_path_factory.mktemp("virtuoso")) as server:
        yield server
