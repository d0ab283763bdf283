"""The first page after a start: something is said while the rest is read, and it is gone when the page is there."""

import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.components import loading

ROOT = Path(__file__).parents[2]
LOADING = """
from pages.components import loading
loading.show()
"""


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a process that has drawn no page yet."""
    monkeypatch.setenv("KGCORE_HOME", str(tmp_path))
    monkeypatch.setattr(loading, "_is_over", [False])


def shown(page: AppTest) -> str:
    return "".join(str(element.proto.body) for element in page.get("html"))


def test_it_is_drawn_by_what_imports_nothing_else() -> None:
    assert "Starting Traversal Studio" in shown(AppTest.from_string(LOADING).run())


def test_it_is_gone_when_the_page_is_there_and_does_not_come_back() -> None:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assert not page.exception
    assert "Starting Traversal Studio" not in shown(page)
    assert shown(page).count("<h1") == 1
    assert "Starting Traversal Studio" not in shown(AppTest.from_string(LOADING).run())


def test_what_follows_keeps_its_place_once_it_is_gone() -> None:
    """What moves in Streamlit's order is drawn anew: an open menu would close."""
    page = AppTest.from_string(f"{LOADING}\nimport streamlit as st\nst.text('after')").run()
    before = [place for place, element in page.main.children.items() if element.type == "text"]
    loading.done()
    page.run()
    assert "Starting Traversal Studio" not in shown(page)
    after = [place for place, element in page.main.children.items() if element.type == "text"]
    assert before == after


FIRST_PAGE = """
import sys
from streamlit.testing.v1 import AppTest
from pages.components import graph
graph.warm_up = lambda: None
page = AppTest.from_file("app.py", default_timeout=60).run()
assert not page.exception and page.button
print(sorted({"pandas", "pyarrow", "litellm", "networkx", "pyvis"} & sys.modules.keys()))
"""


def test_the_first_page_waits_for_no_large_library() -> None:
    """What they are needed for is not on it: they are imported in the background, or when they are used."""
    command = [sys.executable, "-W", "ignore", "-c", FIRST_PAGE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
