"""What an import leaves beside the data: a manifest tells what is known of a graph without opening it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from kgcore.errors import InputError

INDEX_FORMAT = 4  # raise it when the manifest, ids, or order or contents of the index change


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of an imported graph without opening it."""

    name: str
    version: str  # changes with the data
    folder: str
    files: tuple[str, ...]
    created: str  # ISO 8601, UTC
    n_triples: int
    n_entities: int
    n_relations: int
    n_edges: int
    n_blank: int  # edges with a blank node at an end, which are not shown
    n_skipped: int  # statements that could not be read and were skipped
    languages: tuple[str, ...]  # of labels, commonest first
    prefixes: tuple[tuple[str, str], ...]
    format: int = INDEX_FORMAT

    def to_json(self) -> str:
        """Return the text of the manifest file."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=2)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read a manifest file; InputError when it is none, or of another format."""
        try:
            data = json.loads(text)
            if data["format"] != INDEX_FORMAT:
                raise InputError(
                    "another version of this program imported it, so its files must be imported again"
                )
            values: dict[str, Any] = {f.name: _tuples(data[f.name]) for f in fields(cls)}
            return cls(**values)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"it cannot be read ({type(error).__name__})") from error


def _tuples(value: object) -> object:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
