"""Does a value hold what its class says? For values that were read from somebody else's file."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any


def misfit(value: Any) -> str:
    """Return in words where a wired value does not have the types of its fields; empty when it has."""
    if isinstance(value, Mapping):
        return next(filter(None, (misfit(v) for pair in value.items() for v in pair)), "")
    if isinstance(value, tuple):
        return next(filter(None, map(misfit, value)), "")
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return ""
    for name, hint in _hints(type(value)).items():
        field = getattr(value, name)
        if not _fits(field, hint):
            return f"{type(value).__name__} has an unusable {name}"
        inner = misfit(field)
        if inner:
            return inner
    return ""


@functools.cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    known = typing.get_type_hints(cls)
    return {field.name: known[field.name] for field in dataclasses.fields(cls)}


def _fits(value: Any, hint: Any) -> bool:
    """Say whether a value is of a type; the fields of a class are not looked at here."""
    if hint is Any:
        return True
    if isinstance(hint, typing.NewType):
        return _fits(value, hint.__supertype__)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is typing.Literal:
        return value in inner
    if origin is tuple:
        return isinstance(value, tuple) and _fits_tuple(value, inner)
    if origin is not None:  # the only other generic type of a wired field is Mapping
        return isinstance(value, Mapping) and all(
            _fits(k, inner[0]) and _fits(v, inner[1]) for k, v in value.items()
        )
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _fits_tuple(value: tuple[Any, ...], inner: tuple[Any, ...]) -> bool:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return all(_fits(item, inner[0]) for item in value)
    return len(value) == len(inner) and all(map(_fits, value, inner))
