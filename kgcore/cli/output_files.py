"""What `export` commands write: a file that is whole or not there, or standard output."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import IO

from kgcore.errors import InputError


def write_output(
    arguments: Namespace, write: Callable[[IO[bytes]], object], *, is_json: bool = False
) -> Path | None:
    """Write to the file that `--output` names and return it; None for standard output.

    What goes to standard output must be JSON when `--json` asks for that; InputError otherwise.
    """
    if not arguments.output or arguments.output == "-":
        if arguments.json and not is_json:
            raise InputError("--json tells of a file; name it with --output")
        sys.stdout.flush()
        write(sys.stdout.buffer)
        return None
    return _write_whole(Path(arguments.output), write)


def output_name(arguments: Namespace) -> str:
    """Return the name of the file that `--output` names; empty for standard output."""
    return "" if arguments.output in (None, "", "-") else Path(arguments.output).name


def write_text(arguments: Namespace, text: str, *, is_json: bool = False) -> Path | None:
    """Write a text as `write_output` does."""
    return write_output(arguments, lambda out: out.write(text.encode()), is_json=is_json)


def write_beside(file: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write further texts by name into the folder of a file; return where."""
    return [
        _write_whole(file.with_name(name), partial(_put, text.encode()))
        for name, text in texts.items()
    ]


def _put(data: bytes, out: IO[bytes]) -> None:
    out.write(data)


def _write_whole(file: Path, write: Callable[[IO[bytes]], object]) -> Path:
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as out:
            write(out)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    return file
