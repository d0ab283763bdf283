"""What a command's end looks like from outside: codes, one line, a log without keys."""

from __future__ import annotations

import logging
import signal
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgcore.cli import main as cli
from kgcore.cli import models
from kgcore.errors import InputError


@pytest.fixture(autouse=True)
def leaves_the_process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(logging, "raiseExceptions", True)
    handlers, on_term = list(logging.getLogger().handlers), signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, on_term)
    for handler in set(logging.getLogger().handlers) - set(handlers):
        logging.getLogger().removeHandler(handler)
        handler.close()


def fails_with(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    def check(_arguments: Namespace) -> int:
        raise error

    monkeypatch.setattr(models, "check", check)
    return cli.main(["model", "check"])


@pytest.mark.parametrize(
    "error, code, line",
    [
        (InputError("it is\nwrong"), 1, "kgcore: it is wrong\n"),
        (PermissionError(13, "Permission denied", "/x/y"), 1, "kgcore: /x/y: Permission denied\n"),
        (KeyboardInterrupt(), 130, "kgcore: interrupted\n"),
        (cli.Terminated(), 143, "kgcore: interrupted\n"),
    ],
)
def test_an_error_is_one_line_and_a_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    line: str,
) -> None:
    assert fails_with(error, monkeypatch) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", line)


def test_a_fault_is_one_line_and_its_details_are_logged_without_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_home: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-of-the-key")
    error = ZeroDivisionError("with canary-of-the-key and sk-abcdefgh12345678")
    assert fails_with(error, monkeypatch) == 1
    captured = capsys.readouterr()
    log = tmp_home / "log" / "kgcore.log"
    assert captured.out == ""
    assert captured.err == (
        f"kgcore: a fault in the program: ZeroDivisionError; details in {log}\n"
    )
    written = log.read_text("utf-8")
    assert "Traceback" in written
    assert "in check" in written
    assert "canary" not in written
    assert "sk-abc" not in written


def test_a_fault_is_told_even_where_no_log_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("KGCORE_HOME", str(tmp_path / "file"))
    assert fails_with(ZeroDivisionError(), monkeypatch) == 1
    assert capsys.readouterr().err == (
        "kgcore: a fault in the program: ZeroDivisionError; the log could not be written\n"
    )
