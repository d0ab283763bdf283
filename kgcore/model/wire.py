"""The wire form of domain values: tagged plain data, never pickle.

A value class is registered with `@wired`; `to_dict` writes `{"@": "ClassName", field: …}` and leaves out
fields that hold their default. Tuples become lists and lists come back as tuples: domain values hold no lists.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from kgcore.errors import InputError

T = TypeVar("T")
_CLASSES: dict[str, type[Any]] = {}
_FIELDS: dict[type[Any], tuple[tuple[str, Any], ...]] = {}
_PLAIN = (str, int, float, bool, type(None))


def wired(cls: type[T]) -> type[T]:
    """Register a frozen dataclass so that it has a wire form."""
    if cls.__name__ in _CLASSES:
        raise TypeError(f"two wired classes are called {cls.__name__}")
    _CLASSES[cls.__name__] = cls
    return cls


def _fields(cls: type[Any]) -> tuple[tuple[str, Any], ...]:
    known = _FIELDS.get(cls)
    if known is None:
        known = tuple((f.name, f.default) for f in dataclasses.fields(cls))
        _FIELDS[cls] = known
    return known


def to_dict(value: Any) -> Any:
    """Return plain data (dict, list, str, int, float, bool, None) for a registered value."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, (tuple, list)):
        return [to_dict(item) for item in value]
    if isinstance(value, dict):
        return {"@": "dict", "items": [[to_dict(k), to_dict(v)] for k, v in value.items()]}
    cls = type(value)
    if _CLASSES.get(cls.__name__) is not cls:
        raise TypeError(f"{cls.__name__} has no wire form")
    data: dict[str, Any] = {"@": cls.__name__}
    for name, default in _fields(cls):
        item = getattr(value, name)
        if item is default or (isinstance(item, (*_PLAIN, tuple)) and item == default):
            continue
        data[name] = to_dict(item)
    return data


def from_dict(data: Any) -> Any:
    """Return the value that `to_dict` wrote; InputError when the data is not of that form."""
    try:
        return _from_plain(data)
    except RecursionError as error:
        raise InputError("the data is nested too deeply") from error


def _from_plain(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_from_plain(item) for item in data)
    if not isinstance(data, dict):
        return data
    tag = data.get("@")
    if tag == "dict":
        return _from_items(data.get("items"))
    cls = _CLASSES.get(str(tag))
    if cls is None:
        raise InputError(f"unknown kind of value: {tag!r}")
    known = {name for name, _ in _fields(cls)}
    try:
        return cls(**{k: _from_plain(v) for k, v in data.items() if k in known})
    except TypeError as error:
        raise InputError(f"a {tag} is incomplete: {error}") from error


def _from_items(items: Any) -> dict[Any, Any]:
    try:
        return {_from_plain(key): _from_plain(value) for key, value in items}
    except (TypeError, ValueError) as error:
        raise InputError(f"a dict is not a list of pairs: {error}") from error
