"""Reading settings that a person wrote (`k=3`) into a reasoner's config."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from kgcore.errors import InputError

T = TypeVar("T")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def read_settings(config_class: type[T], values: Mapping[str, Any]) -> T:
    """Return the config with these values; InputError names an unknown setting or a bad value."""
    known = {f.name: f.default for f in dataclasses.fields(config_class)}  # type: ignore[arg-type]
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise InputError(f"there is no setting {name}; there are {', '.join(sorted(known))}")
        read[name] = _read(name, value, known[name])
    return config_class(**read)


def check_bounds(config: Any, bounds: Mapping[str, tuple[float, float]]) -> None:
    """Refuse a config in which a number is below its least or above its most value."""
    for name, (least, most) in bounds.items():
        value = getattr(config, name)
        if not least <= value <= most:
            raise InputError(f"{name} must be between {least} and {most}, not {value}")


def _read(name: str, value: Any, default: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if isinstance(default, bool):
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise InputError(f"{name} must be true or false, not {value!r}")
    try:
        if isinstance(default, int):
            return int(text)
        if isinstance(default, float):
            return float(text)
    except ValueError:
        raise InputError(f"{name} must be a number, not {value!r}") from None
    if isinstance(default, str):
        return text
    raise InputError(f"{name} cannot be set in this way")
