"""Runs a command: one line on standard error for what goes wrong, never a traceback.

Exit codes: 0 done; 1 an error, or a run that failed; 2 wrong usage; 130 and 143 interrupted (Ctrl-C, SIGTERM).
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from types import FrameType

from kgcore.cli.parser import build_parser
from kgcore.errors import KGCoreError

BROKEN_PIPE = 141  # as if the signal had ended the program


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived; it is handled as Ctrl-C is."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _speak_utf8()
    try:
        arguments = build_parser().parse_args(argv)
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def _run(arguments: argparse.Namespace) -> int:
    from kgcore.cli import faults

    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    signal.signal(signal.SIGTERM, _terminate)
    try:
        faults.log_to_file()
        return _command(arguments.run)(arguments)
    except KGCoreError as error:
        return _fail(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        return _fail(": ".join(filter(None, (str(error.filename or ""), error.strerror))))
    except KeyboardInterrupt as error:
        _fail("interrupted")
        return code_of(error)
    except Exception as error:  # noqa: BLE001  the last resort: a person gets a line, the log the rest
        return _fail(faults.record(error))


def code_of(interruption: KeyboardInterrupt) -> int:
    """Return the exit code for Ctrl-C or SIGTERM."""
    signum = signal.SIGTERM if isinstance(interruption, Terminated) else signal.SIGINT
    return 128 + signum


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    module, _, function = name.partition(":")
    command: Callable[[argparse.Namespace], int] = getattr(
        importlib.import_module(f"kgcore.cli.{module}"), function
    )
    return command


def _fail(message: str) -> int:
    from kgcore.cli.output import complain

    complain(message or "it did not work")
    return 1


def _terminate(_signum: int, _frame: FrameType | None) -> None:
    raise Terminated


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says; what is no text is written as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
