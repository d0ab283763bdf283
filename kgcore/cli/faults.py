"""The log file: what the library logs, and the details of faults in the program. Keys never reach it."""

from __future__ import annotations

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from kgcore.config import default_home

_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_log = logging.getLogger(__name__)


def log_file() -> Path:
    """Return where the log is."""
    return default_home(os.environ) / "log" / "kgcore.log"


def log_to_file() -> None:
    """Send warnings and errors of all libraries to the log file, and nothing to the terminal."""
    handler = _LogFile(
        log_file(),
        maxBytes=1_000_000,
        backupCount=3,
        delay=True,
        encoding="utf-8",
        errors="backslashreplace",
    )
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_Scrubbed("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.raiseExceptions = False  # a log that cannot be written does not disturb the command


def record(error: Exception) -> str:
    """Write a fault with its traceback to the log file and return one line that says so."""
    _log.error("a fault in the program", exc_info=error)
    file = log_file()
    where = f"details in {file}" if file.is_file() else "the log could not be written"
    return f"a fault in the program: {type(error).__name__}; {where}"


class _LogFile(RotatingFileHandler):
    """Makes its folder when the first line is written."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        return super()._open()


class _Scrubbed(logging.Formatter):
    """Leaves out keys and what looks like one."""

    def format(self, record: logging.LogRecord) -> str:
        from kgcore.llm.failures import scrub

        held = (v for k, v in os.environ.items() if any(n in k.upper() for n in _SECRET_NAMES))
        return scrub(super().format(record), [v for v in held if len(v) >= 8])
