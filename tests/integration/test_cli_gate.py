"""`ask --gate`: a person in a terminal approves what was fetched; without a terminal nothing hangs."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kgcore.cli.approving import read_numbers, read_rejected
from kgcore.errors import InputError
from kgcore.model import Entity, EntityId, Relation, RelationId, Triple

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Who directed Night Train?"
TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
t:film rdfs:label "Night Train" ; t:director t:ann , t:bea .
t:ann rdfs:label "Ann Lee" . t:bea rdfs:label "Bea Kim" .
t:director rdfs:label "director" . t:author rdfs:label "author" .
t:book rdfs:label "Blue Door" ; schema:description "a book of that name" ; t:author t:cal .
t:song rdfs:label "Blue Door" ; schema:description "a song of that name" ; t:author t:dee .
t:cal rdfs:label "Cal Ros" . t:dee rdfs:label "Dee Ott" .
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "toy.ttl").write_text(TOY)
    command = [sys.executable, "-m", "kgcore", "kg", "import", str(tmp_path / "toy.ttl")]
    env = {**os.environ, "KGCORE_HOME": str(tmp_path / "home")}
    subprocess.run([*command, "--name", "toy"], cwd=ROOT, env=env, check=True, capture_output=True)
    return tmp_path / "home"


def in_a_terminal(
    home: Path, lines: str, *more: str, question: str = QUESTION, at: str = "Enter approves all"
) -> tuple[int, str]:
    """Ask in a terminal, type lines as soon as something waits, and return exit code and what was shown."""
    command = [sys.executable, "-m", "kgcore", "ask", question, "--kg", "toy", *more]
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
        if not is_typed and at.encode() in seen:
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


@pytest.mark.parametrize(
    "lines, said, answer",
    [
        ("7\n1\n", "'7' is not a number from 0 to 2", "Cal Ros"),
        ("2\n", "may stand for", "Dee Ott"),
        ("0\n", "may stand for", ""),
        ("s\n", "may stand for", ""),
    ],
)
def test_what_a_name_stands_for_is_asked_and_the_answer_follows(
    home: Path, lines: str, said: str, answer: str
) -> None:
    code, shown = in_a_terminal(
        home, lines, "--ask-links", question="Who wrote Blue Door?", at="a number chooses"
    )
    assert code == 0
    assert said in shown
    told = shown.rpartition("s stops the run")[2]
    assert [name for name in ("Cal Ros", "Dee Ott") if name in told] == ([answer] if answer else [])


@pytest.mark.parametrize("option", ["--gate", "--ask-links"])
def test_without_a_terminal_it_says_so_and_starts_nothing(home: Path, option: str) -> None:
    command = [sys.executable, "-m", "kgcore", "ask", QUESTION, "--kg", "toy", option]
    env = {**os.environ, "KGCORE_HOME": str(home)}
    done = subprocess.run(
        command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"no terminal" in done.stderr


def test_a_triple_is_edited_and_all_of_a_relation_rejected(home: Path) -> None:
    code, shown = in_a_terminal(home, "e1 Cy Orr\n2\n", "--gate")
    assert code == 0
    assert "→ Cy Orr" in shown
    answer = shown.rpartition("Enter approves all")[2]
    assert "Cy Orr" in answer and "Bea Kim" not in answer.partition("Answer")[2]

    code, shown = in_a_terminal(home, "r1\n", "--gate")
    assert code == 0
    assert "Proof" not in shown


def test_a_gated_run_is_not_taken_up_again_without_a_terminal(home: Path) -> None:
    assert in_a_terminal(home, "\n", "--gate")[0] == 0
    env = {**os.environ, "KGCORE_HOME": str(home)}

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "kgcore", *words],
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    before = command("runs", "list").stdout
    name = before.split()[0]
    for words in (
        ("rerun", name),
        ("resume", name),
        ("fork", name, "--at", "1.0", "--reply", "Mentions: none"),
    ):
        done = command("runs", *words)
        assert (done.returncode, done.stdout) == (1, ""), words
        assert "no terminal" in done.stderr
    assert command("runs", "list").stdout == before


def test_a_gate_for_a_graph_that_is_not_asked_is_refused(home: Path) -> None:
    code, shown = in_a_terminal(home, "", "--gate-kg", "tpy")
    assert code == 1
    assert "--gate-kg tpy: this question is asked of toy" in shown


def test_which_triples_are_rejected_is_read() -> None:
    film, actor, place = (Entity(EntityId(f"t:{n}"), n, kg="toy") for n in ("film", "ann", "quay"))
    cast, shot = (Relation(RelationId(f"t:{n}"), n) for n in ("cast", "shot at"))
    batch = [Triple(film, cast, actor), Triple(film, shot, place), Triple(actor, cast, film)]
    assert read_rejected("", batch) == []
    assert read_rejected("r1", batch) == [batch[0], batch[2]]
    assert read_rejected("2, R2 1-2", batch) == [batch[1], batch[0]]
    for text in ("r4", "r", "rr1", "x"):
        with pytest.raises(InputError):
            read_rejected(text, batch)


def test_a_gate_that_lets_a_relation_through_does_not_ask(home: Path) -> None:
    code, shown = in_a_terminal(home, "", "--gate-relation", "born in")
    assert code == 0
    assert "approve" not in shown
    assert "no graph has a relation 'born in'" in shown


@pytest.mark.parametrize(
    "text, numbers", [("", []), ("2", [2]), ("1, 3-4 3", [1, 3, 4]), ("4-4", [4])]
)
def test_numbers_are_read(text: str, numbers: list[int]) -> None:
    assert read_numbers(text, 4) == numbers


@pytest.mark.parametrize("text", ["0", "5", "3-2", "a", "-1", "1-", "²", "1-9"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_numbers(text, 4)
