"""`ask --gate`: a person in a terminal approves what was fetched; without a terminal nothing hangs."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kgcore.cli.approving import read_numbers
from kgcore.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Who directed Night Train?"
TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:film rdfs:label "Night Train" ; t:director t:ann , t:bea .
t:ann rdfs:label "Ann Lee" . t:bea rdfs:label "Bea Kim" .
t:director rdfs:label "director" .
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "toy.ttl").write_text(TOY)
    command = [sys.executable, "-m", "kgcore", "kg", "import", str(tmp_path / "toy.ttl")]
    env = {**os.environ, "KGCORE_HOME": str(tmp_path / "home")}
    subprocess.run([*command, "--name", "toy"], cwd=ROOT, env=env, check=True, capture_output=True)
    return tmp_path / "home"


def in_a_terminal(home: Path, lines: str, *more: str) -> tuple[int, str]:
    """Ask in a terminal, type lines as soon as something waits, and return exit code and what was shown."""
    command = [sys.executable, "-m", "kgcore", "ask", QUESTION, "--kg", "toy", *more]
    ours, theirs = pty.openpty()
    env = {**os.environ, "KGCORE_HOME": str(home)}
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen, is_typed, end = b"", False, time.monotonic() + 60
    while time.monotonic() < end:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        seen += part
        if not is_typed and b"Enter approves all" in seen:
            os.write(ours, lines.encode())
            is_typed = True
    os.close(ours)
    return process.wait(timeout=20), seen.decode()


def test_approving_all_answers_with_both_and_rejecting_one_with_the_other(home: Path) -> None:
    code, shown = in_a_terminal(home, "\n", "--gate")
    assert code == 0
    assert "2 triples for you to approve" in shown
    answer = shown.rpartition("Enter approves all")[2]
    assert "Ann Lee" in answer and "Bea Kim" in answer

    code, shown = in_a_terminal(home, "9\n1\n", "--gate-relation", "director")
    assert code == 0
    assert "9 is not between 1 and 2" in shown
    answer = shown.rpartition("Enter approves all")[2]
    assert "Bea Kim" in answer and "Ann Lee" not in answer.partition("Answer")[2]


def test_without_a_terminal_it_says_so_and_starts_nothing(home: Path) -> None:
    command = [sys.executable, "-m", "kgcore", "ask", QUESTION, "--kg", "toy", "--gate"]
    env = {**os.environ, "KGCORE_HOME": str(home)}
    done = subprocess.run(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"no terminal" in done.stderr


def test_a_gate_that_lets_a_relation_through_does_not_ask(home: Path) -> None:
    code, shown = in_a_terminal(home, "", "--gate-relation", "born in")
    assert code == 0
    assert "approve" not in shown


@pytest.mark.parametrize(
    "text, numbers", [("", []), ("2", [2]), ("1, 3-4 3", [1, 3, 4]), ("4-4", [4])]
)
def test_numbers_are_read(text: str, numbers: list[int]) -> None:
    assert read_numbers(text, 4) == numbers


@pytest.mark.parametrize("text", ["0", "5", "3-2", "a", "-1", "1-", "²", "1-9"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_numbers(text, 4)
