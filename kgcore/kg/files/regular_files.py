"""Opens a file that a person named: one that is no file, such as a pipe nobody writes to, must not hold the program."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_KINDS = (
    (stat.S_ISDIR, os.strerror(errno.EISDIR)),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
)
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # never waits


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading bytes; OSError at once where it is none."""
    number = os.open(path, _FLAGS | getattr(os, "O_CLOEXEC", 0))
    try:
        mode = os.fstat(number).st_mode
        if not stat.S_ISREG(mode):
            what = next((words for is_kind, words in _KINDS if is_kind(mode)), "it is no file")
            raise OSError(errno.EINVAL, what, str(path))
        return os.fdopen(number, "rb", buffering=2**20)
    except BaseException:
        os.close(number)
        raise
