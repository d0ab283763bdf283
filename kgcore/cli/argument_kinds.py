"""Reads arguments of commands from text; what is wrong with one is told in a few words."""

from __future__ import annotations

import argparse
import math

NO_LIMIT = "none"


def text(value: str) -> str:
    """An argument that is text: bytes that are no text in the system's encoding are refused."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("it is no text in the system's encoding") from None
    return value


def words(value: str) -> str:
    """An argument that is text and not empty."""
    if not text(value).strip():
        raise argparse.ArgumentTypeError("it is empty")
    return value


def assignment(value: str) -> tuple[str, str]:
    """Read `key=value`."""
    name, equals, rest = text(value).partition("=")
    if not equals or not name.strip():
        raise argparse.ArgumentTypeError(f"{value!r} is not of the form key=value")
    return name.strip(), rest


def names(value: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    found = tuple(dict.fromkeys(name.strip() for name in words(value).split(",")))
    if not all(found):
        raise argparse.ArgumentTypeError("a name between the commas is empty")
    return found


def count(value: str) -> int:
    """Read a number of things, at least 1."""
    number = _number(value, int)
    if number < 1:
        raise argparse.ArgumentTypeError(f"it must be 1 or more, not {value}")
    return int(number)


def whole(value: str) -> int:
    """Read a whole number, at least 0."""
    number = _number(value, int)
    if number < 0:
        raise argparse.ArgumentTypeError(f"it must be 0 or more, not {value}")
    return int(number)


def share(value: str) -> float:
    """Read a number between 0 and 1."""
    number = _number(value, float)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"it must be between 0 and 1, not {value}")
    return number


def whole_limit(value: str) -> int | None:
    """Read a whole number that is 0 or more; 0 and `none` are no limit, as everywhere."""
    return None if value == NO_LIMIT else int(_limit(value, int)) or None


def limit(value: str) -> float | None:
    """Read a number that is 0 or more; 0 and `none` are no limit, as everywhere."""
    return None if value == NO_LIMIT else _limit(value, float) or None


def _limit(value: str, kind: type[int] | type[float]) -> float:
    number = _number(value, kind)
    if not (number >= 0 and math.isfinite(number)):
        raise argparse.ArgumentTypeError(f"it must be 0 or more, or {NO_LIMIT}, not {value}")
    return number


def _number(value: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{value!r} is no number") from None


def address(value: str) -> tuple[int, int]:
    """Read the address of a step, `P` or `P.I`."""
    position, _, index = value.partition(".")
    try:
        found = int(position), int(index or "0")
    except ValueError:
        found = -1, -1
    if min(found) < 0:
        raise argparse.ArgumentTypeError(f"{value!r} is no address; write P or P.I, as in 3.1")
    return found
