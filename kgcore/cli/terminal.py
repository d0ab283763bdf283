"""Asking the person at the terminal, where there is one."""

from __future__ import annotations

import sys


def is_terminal() -> bool:
    """Whether somebody is there who reads questions and can type answers."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def is_stop(line: str) -> bool:
    """Whether a line, or the end of the input, says to stop the run."""
    return not line or line.strip().lower() in ("s", "stop", "q", "quit")
