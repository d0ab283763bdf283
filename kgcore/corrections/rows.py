"""Corrections as rows of their store, and back."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from kgcore.corrections.correction import Correction, added, removed
from kgcore.errors import InputError, StoreError
from kgcore.model import Triple, from_dict, to_dict


def content_of(correction: Correction) -> dict[str, Any]:
    """Return the columns that say what a correction does."""
    return {
        "kg": correction.kg,
        "gone": key_of(removed(correction)),
        "new": key_of(added(correction)),
        "body": json.dumps(to_dict(correction)),
    }


def key_of(triple: Triple | None) -> str:
    """Hash a triple by what makes it equal to another; empty for none."""
    if triple is None:
        return ""
    end = triple.object
    content = [triple.subject.id, triple.relation.id, getattr(end, "id", "") or to_dict(end)]
    return hashlib.blake2b(json.dumps(content).encode(), digest_size=16).hexdigest()


def correction_of(row: Any) -> Correction:
    """Return the correction of a row; StoreError where it cannot be read."""
    try:
        value = from_dict(json.loads(row.body))
    except (ValueError, TypeError, InputError) as error:
        name = getattr(row, "id", "") or getattr(row, "correction_id", "")
        raise StoreError(f"correction {name} cannot be read") from error
    assert isinstance(value, Correction)
    return value
