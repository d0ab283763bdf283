"""What a journal says of a step: the hash of what it asks, the key of its result, and a summary."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

from kgcore.model import to_dict
from kgcore.steps import Ask, LeafStep


def step_hash(step: LeafStep) -> str:
    """Hash what a step asks; who answers and for which node it is asked do not count."""
    return _hash([type(step).__name__, _content(step)])


def key_of(hashed: str, who: str) -> str:
    """Hash a step together with who answers it: the key under which its result is remembered."""
    return _hash([hashed, who])


def _content(step: LeafStep) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for item in dataclasses.fields(step):
        if item.name in ("about", "role"):
            continue
        value = getattr(step, item.name)
        data[item.name] = value.key() if item.name == "request" else to_dict(value)
    return data


def summary(step: LeafStep) -> dict[str, Any]:
    """Return what the journal says of a step: its kind, its small arguments, the nodes it is about."""
    if isinstance(step, Ask):
        request = step.request
        source = getattr(request, "source", "")  # the knowledge source that a query is written for
        return {
            "kind": "Ask",
            "template": request.template,
            "n": step.n,
            "temperature": step.temperature,
            "role": step.role,
            "about": step.about,
            **({"source": source} if source else {}),
        }
    data = {"kind": type(step).__name__}
    for item in dataclasses.fields(step):
        data[item.name] = getattr(step, item.name)
    return data


def _hash(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
