"""`ask --break`: a run pauses in a terminal and a person goes on from there; without a terminal nothing starts."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kgcore.bootstrap import build
from kgcore.cli.break_arguments import breakpoint_of
from kgcore.runs import Breakpoint
from kgcore.runs.breakpoints import KINDS
from tests.integration.test_cli_gate import ROOT, TOY

QUESTION = "Who directed Night Train?"
HELP = "x stops"
WAIT_S = 100


class Terminal:
    """A command in a terminal of its own, to be read and typed into."""

    def __init__(self, home: Path, *argv: str, **environ: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kgcore", *argv],
            cwd=ROOT,
            env={**os.environ, "KGCORE_HOME": str(home), **environ},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self.seen = ""

    def until(self, words: str) -> str:
        """Read on to these words and return what came before them."""
        end = time.monotonic() + WAIT_S
        while words not in self.seen:
            assert time.monotonic() < end and self._read(), f"no {words!r} in: {self.seen}"
        before, _, self.seen = self.seen.partition(words)
        return before

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def end(self) -> tuple[int, str]:
        """Read to the end and return the exit code and the rest."""
        while self._read():
            pass
        return self.process.wait(timeout=WAIT_S), self.seen

    def _read(self) -> bool:
        try:
            part = os.read(self._ours, 65_536)
        except OSError:  # the other side is closed
            return False
        self.seen += part.decode("utf-8", "replace")
        return bool(part)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("break")
    (folder / "toy.ttl").write_text(TOY)
    studio = build(folder / "home", environ={})
    studio.import_graph([folder / "toy.ttl"], "toy")
    studio.store.close()
    return folder / "home"


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_(home: Path, *argv: str, **environ: str) -> Terminal:
        opened.append(Terminal(home, *argv, **environ))
        return opened[-1]

    yield open_
    for one in opened:
        one.close()


def test_a_run_is_inspected_stepped_and_let_go_on(
    home: Path, terminal: Callable[..., Terminal]
) -> None:
    shown = terminal(home, "ask", QUESTION, "--kg", "toy", "--break", "step=Edges")
    before = shown.until(HELP)
    assert "paused: before fetching edges – at #" in before
    assert "model requests" in before
    shown.type("i")
    assert "read as" in shown.until(HELP), "what was asked of the node and how it was read"
    shown.type("p")
    assert QUESTION in shown.until(HELP), "the prompt as it was sent"
    shown.type("t")
    assert "#0 " in shown.until(HELP)
    shown.type("dance")
    assert "'dance' is none of these" in shown.until(HELP)
    shown.type("i 99")
    assert "there is no node 99" in shown.until(HELP)
    shown.type("s")
    assert "paused: one step done" in shown.until(HELP)
    shown.type("")
    code, rest = shown.end()
    assert code == 0
    assert "Ann Lee" in rest and "Status: answered" in rest


def test_a_stopped_run_says_how_to_go_on_and_pauses_again_when_taken_up(
    home: Path, terminal: Callable[..., Terminal]
) -> None:
    shown = terminal(home, "ask", QUESTION, "--kg", "toy", "--break", "relation=director")
    assert "paused: relation director" in shown.until(HELP)
    shown.type("x")
    shown.until("go on with: python -m kgcore runs resume ")
    run_id = shown.until("\r\n").strip()
    assert "Status: stopped" in shown.end()[1]

    again = terminal(home, "runs", "resume", run_id)
    assert "paused: relation director" in again.until(HELP)
    again.type("r")
    code, rest = again.end()
    assert code == 0
    assert "Ann Lee" in rest


def test_a_run_with_breakpoints_is_taken_up_without_a_terminal_and_does_not_hang(
    home: Path, terminal: Callable[..., Terminal]
) -> None:
    shown = terminal(home, "ask", QUESTION, "--kg", "toy", "--break", "step=Relations")
    shown.until(HELP)
    shown.type("x")
    shown.until("runs resume ")
    run_id = shown.until("\r\n").strip()
    shown.end()
    done = kgcore(home, "runs", "resume", run_id)
    assert done.returncode == 0
    assert b"Ann Lee" in done.stdout
    assert b"pauses at before listing relations" in kgcore(home, "runs", "show", run_id).stdout
    studio = build(home, environ={})
    assert studio.view(run_id).breakpoints == (Breakpoint("step", "Relations"),), "they are kept"
    studio.store.close()


def kgcore(home: Path, *argv: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "kgcore", *argv],
        cwd=ROOT,
        env={**os.environ, "KGCORE_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=WAIT_S,
    )


def test_without_a_terminal_it_is_refused_in_one_line_and_nothing_starts(home: Path) -> None:
    done = kgcore(home, "ask", QUESTION, "--kg", "toy", "--break", "answer")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"no terminal" in done.stderr


def test_a_slow_model_library_is_told_and_a_stop_is_heard_at_once(
    home: Path, terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    (tmp_path / "litellm.py").write_text("import time\ntime.sleep(600)\n")
    shown = terminal(
        home,
        *("ask", QUESTION, "--kg", "toy", "--model", "openai/any"),
        *("--api-base", "http://127.0.0.1:1/v1"),
        PYTHONPATH=str(tmp_path),
    )
    shown.until("loading the model library")
    shown.process.send_signal(signal.SIGINT)
    code, rest = shown.end()
    assert code == 130
    assert "Status: stopped" in rest


ALL = {
    "answer": Breakpoint("answer"),
    "error": Breakpoint("error"),
    " Backtrack ": Breakpoint("backtrack"),
    "value<0.3": Breakpoint("value_below", number=0.3),
    "value > 0.8": Breakpoint("value_above", number=0.8),
    "depth=2": Breakpoint("depth", number=2),
    "action=select-relation": Breakpoint("action", "select_relation"),
    "step=edges": Breakpoint("step", "Edges"),
    "step=choose_action": Breakpoint("step", "choose_action"),
    "entity=The Matrix: a=b": Breakpoint("entity", "The Matrix: a=b"),
    "relation=director": Breakpoint("relation", "director"),
    "graph=wikidata": Breakpoint("graph", "wikidata"),
    "budget=80%": Breakpoint("budget", "", 0.8),
    "budget-calls=0.5": Breakpoint("budget", "calls", 0.5),
}


@pytest.mark.parametrize("text", ALL)
def test_a_breakpoint_is_read(text: str) -> None:
    assert breakpoint_of(text) == ALL[text]


def test_every_kind_can_be_written() -> None:
    assert {point.on for point in ALL.values()} == set(KINDS)
