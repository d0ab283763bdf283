"""`runs export --as html` and its kin, as real processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kgcore.bootstrap.demo_runs import demo_entries, find_demo
from kgcore.runs import Journal
from tests.servers.warm_cli import WarmCli

Run = Callable[..., tuple[int, str, str]]
DEMO = find_demo("demo:across-graphs")


@pytest.fixture
def run(tmp_path: Path, warm: WarmCli) -> Run:
    """Run a command on a data folder that holds one recorded run; code, output, errors."""

    def run(*argv: str | Path) -> tuple[int, str, str]:
        environ = {**os.environ, "KGCORE_HOME": str(tmp_path / "home")}
        process = warm.start([*map(str, argv)], environ)
        return process.wait(), process.out, process.err

    assert run("runs", "import", DEMO.file)[0] == 0
    return run


@pytest.fixture
def run_id() -> str:
    return Journal(demo_entries(DEMO.id)).started.run_id


def test_a_run_is_written_as_a_page_that_plays_it(run: Run, run_id: str, tmp_path: Path) -> None:
    file = tmp_path / "run.html"
    code, out, _ = run("runs", "export", run_id[:8], "--as", "html", "-o", file, "--json")
    assert code == 0
    assert json.loads(out) == {"run_id": run_id, "file": str(file)}
    page = file.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "The answer: Nirvana" in page
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    "form, language, text",
    [
        ("report-md", "en", "# Which band was"),
        ("report-md", "zh", "## 答案"),
        ("report-html", "en", "<h2>Proof</h2>"),
    ],
)
def test_a_report_goes_to_standard_output_in_the_language_asked_for(
    run: Run, run_id: str, form: str, language: str, text: str
) -> None:
    code, out, err = run("runs", "export", run_id, "--as", form, "--lang", language)
    assert (code, err) == (0, "")
    assert text in out


def test_a_report_in_markdown_is_written_with_its_picture_beside_it(
    run: Run, run_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "my report (1).md"
    code, out, _ = run("runs", "export", run_id, "--as", "report-md", "-o", file, "--json")
    picture = tmp_path / "my report (1).svg"
    assert code == 0
    assert json.loads(out) == {"run_id": run_id, "file": str(file), "pictures": [str(picture)]}
    assert "](my%20report%20%281%29.svg)" in file.read_text("utf-8")
    assert picture.read_text("utf-8").startswith("<svg ")
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_that_is_not_there_is_one_clear_line(run: Run, run_id: str) -> None:
    code, out, err = run("runs", "export", run_id, "--as", "html", "-o", "/no/such/folder/x.html")
    assert (code, out) == (1, "")
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err
