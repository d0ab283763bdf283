"""Files that commands read: what is no file, too large, too deep or packed is refused at once, in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.kg.files.regular_files import open_regular
from kgcore.runs.breakpoint_file import load_points
from tests.integration.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
READERS = {
    "runs import FILE": ".json",
    "corrections import FILE": ".csv",
    "kg import FILE --name lab": ".ttl",
    "kg import FILE --name tab": ".csv",
    "kg import FILE --name packed": ".json.gz",
    "kg columns FILE": ".csv",
    "sources add lab --table FILE": ".csv",
    "sources add lab2 --text FILE": ".txt",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("command", READERS)
def test_a_pipe_nobody_writes_to_is_refused_at_once(run: Run, tmp_path: Path, command: str) -> None:
    pipe = tmp_path / f"pipe{READERS[command]}"
    os.mkfifo(pipe)
    assert str(pipe) in run(*command.replace("FILE", str(pipe)).split()).refused()


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Is a directory"):
        open_regular(tmp_path)
    with pytest.raises(OSError, match="it is no file"):
        open_regular(Path(os.devnull))
    link = tmp_path / "link"
    (tmp_path / "file").write_bytes(b"held")
    link.symlink_to(tmp_path / "file")
    with open_regular(link) as file:
        assert file.read() == b"held"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
def test_breakpoints_that_are_a_pipe_hold_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "breakpoints.json")
    with pytest.raises(InputError, match="it is a pipe"):
        load_points(tmp_path)


def test_a_file_of_a_gigabyte_is_not_read_to_its_end(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    with file.open("wb") as out:
        out.truncate(2**30)
    assert "larger than 64 MB" in run("runs", "import", str(file)).refused()
    assert run("corrections", "import", str(file)).refused()


RUN = '{"format": "traversal-studio-run", "version": %s, "entries": [%s]}'


@pytest.mark.parametrize(
    "text, reason",
    [
        (RUN % (1, "[" * 100_000 + "]" * 100_000), "does not hold a run"),
        (RUN % (1, '{"a":' * 100_000 + "1" + "}" * 100_000), "does not hold a run"),
        (RUN % (1, "9" * 100_000), "does not hold a run"),
        (RUN % (1, "NaN"), "does not hold a run"),
        (RUN % (2, "{}"), "version 2, this program reads 1"),
        (RUN % ('"1"', "{}"), "this program reads 1"),
        (RUN % (1, ""), "holds no entries"),
        ("[]", "no exported run"),
        ("", "no JSON"),
    ],
    ids=["deep", "deep objects", "number", "nan", "later", "text", "none", "list", "empty"],
)
def test_a_hostile_run_is_refused_with_its_reason(
    run: Run, tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "run.json"
    file.write_text(text)
    assert reason in run("runs", "import", str(file)).refused()


def test_a_packed_run_is_not_unpacked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("run.json", b"0" * 2**26)
    assert "no UTF-8 text" in run("runs", "import", str(file)).refused()


def test_no_standard_input_is_one_line(tmp_path: Path) -> None:
    env = {**os.environ, "KGCORE_HOME": str(tmp_path)}
    done = subprocess.run(
        f"exec '{sys.executable}' -m kgcore runs import - <&-",
        shell=True,
        cwd=ROOT,
        env=env,
        capture_output=True,
        timeout=100,
    )
    assert done.returncode == 1
    assert done.stderr == b"kgcore: there is no standard input to read from\n"
