"""Reads `--break`: where a run pauses by itself, in a few words.

answer  error  backtrack  value<0.3  value>0.8  depth=2  action=answer  step=Ask
entity=Inception  relation=director  graph=demo-music  budget=80%  budget-calls=80%
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

from kgcore.cli.argument_kinds import words
from kgcore.errors import InputError
from kgcore.runs.breakpoints import ACTIONS, RESOURCES, STEPS, Breakpoint, Kind
from kgcore.runs.words import ASKED

_FORM = re.compile(r"\s*(?P<name>[A-Za-z-]+)\s*(?P<sign>[<>=])?\s*(?P<rest>.*?)\s*", re.DOTALL)
_ALONE = ("answer", "error", "backtrack")
_NAMED = ("entity", "relation", "graph")
_TABLES = {"action": tuple(ACTIONS), "step": (*STEPS, *ASKED)}


def breakpoint_of(text: str) -> Breakpoint:
    """Read one breakpoint; ArgumentTypeError says in a line what is wrong with it."""
    found = _FORM.fullmatch(words(text))
    if found is None:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} names no place to pause at; {_known()}")
    name, sign, rest = found["name"].lower(), found["sign"] or "", found["rest"]
    try:
        return _read(name, sign, rest)
    except (InputError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{text[:60]!r}: {error}") from None


def _read(name: str, sign: str, rest: str) -> Breakpoint:
    if name in _ALONE:
        if sign or rest:
            raise ValueError(f"{name} takes nothing more")
        return Breakpoint(name)  # type: ignore[arg-type]
    if name == "value":
        if sign not in ("<", ">"):
            raise ValueError("write value<0.3 or value>0.3")
        return Breakpoint(_side(sign), number=_number(rest))
    if name not in (*_NAMED, *_TABLES, "depth") and not name.startswith("budget"):
        raise ValueError(_known())
    if sign != "=" or not rest:
        raise ValueError(f"write {name}=NAME")
    if name == "depth":
        return Breakpoint("depth", number=_whole(rest))
    if name in _TABLES:
        return Breakpoint(name, _one_of(rest, _TABLES[name]))  # type: ignore[arg-type]
    if name in _NAMED:
        return Breakpoint(name, rest)  # type: ignore[arg-type]
    return Breakpoint("budget", _resource(name), _share(rest))


def _known() -> str:
    return f"known are {', '.join((*_ALONE, 'value', 'depth', *_TABLES, *_NAMED))} and budget"


def _side(sign: str) -> Kind:
    return "value_below" if sign == "<" else "value_above"


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text[:20]!r} is no number") from None
    if not 0 <= number <= 1:
        raise ValueError(f"a value lies between 0 and 1, not {text[:20]}")
    return number


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 6:
        raise ValueError(f"{text[:20]!r} is no depth")
    return int(text)


def _one_of(text: str, known: Iterable[str]) -> str:
    wanted = text.casefold().replace("-", "_").replace(" ", "_")
    for name in known:
        if name.casefold() == wanted:
            return name
    raise ValueError(f"there is {', '.join(known)}")


def _resource(name: str) -> str:
    resource = name.removeprefix("budget").removeprefix("-")
    if resource not in RESOURCES or name == "budget-":
        known = ", ".join(f"budget-{resource}" for resource in RESOURCES if resource)
        raise ValueError(f"there is budget, {known}")
    return resource


def _share(text: str) -> float:
    """Read `80%` or 0.8."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise ValueError(f"{text[:20]!r} is no share; write 80%") from None
    return share


def unmet(points: Iterable[Breakpoint], graphs: Iterable[str]) -> list[str]:
    """Return the names of breakpoints on graphs that are not among those asked."""
    asked = {name.casefold() for name in graphs}
    return [p.text for p in points if p.on == "graph" and p.text.casefold() not in asked]
