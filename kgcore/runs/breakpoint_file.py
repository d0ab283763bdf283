"""The breakpoints of a person's set-up, kept in the data folder between visits."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from kgcore.errors import InputError
from kgcore.kg.files.regular_files import open_regular
from kgcore.model import from_dict, to_dict
from kgcore.runs.breakpoints import Breakpoint, checked

_NAME = "breakpoints.json"
_MAX_BYTES = 100_000


def load_points(home: Path) -> tuple[Breakpoint, ...]:
    """Return what was kept; InputError when the file holds something else."""
    file = home / _NAME
    if not file.exists():
        return ()
    try:
        with open_regular(file) as opened:
            text = opened.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise InputError("it is too large")
        data = json.loads(text.decode("utf-8"))
        return checked(from_dict(data) if isinstance(data, list) else [data])
    except (OSError, ValueError, RecursionError, InputError) as error:
        raise InputError(f"{_NAME} in the data folder cannot be used: {error}") from error


def save_points(home: Path, points: Iterable[Breakpoint]) -> None:
    """Keep these; an earlier file is replaced whole or not at all."""
    home.mkdir(parents=True, exist_ok=True)
    part = home / f"{_NAME}.part"
    part.write_text(json.dumps(to_dict(checked(points)), ensure_ascii=False), "utf-8")
    part.replace(home / _NAME)
