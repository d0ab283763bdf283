"""What a reasoner knows of a knowledge source: enough to choose it and to write a query for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from kgcore.model.wire import wired

QueryLanguage = OneOf["sparql", "sql", "sentence"]


@wired
@dataclass(frozen=True, slots=True)
class SourceCard:
    """A source as the run pins it. `domains` are those it serves; `schema` goes into the prompt of a query writer.

    `kg` names the graph behind a SPARQL source, so that names can be linked in it; empty for other kinds.
    """

    id: str
    language: QueryLanguage
    domains: tuple[str, ...] = ()
    description: str = ""
    schema: str = ""
    version: str = ""
    kg: str = ""
