"""The port to a knowledge source: one query in its own language, passages or rows out."""

from __future__ import annotations

from typing import Protocol

from kgcore.steps import BadQuery, Passages


class KnowledgeSource(Protocol):
    """A source that can be asked from several threads at once."""

    @property
    def id(self) -> str:
        """Short name, as the person gave it."""

    @property
    def version(self) -> str:
        """Changes whenever the data may have changed."""

    @property
    def query_language(self) -> str:
        """sparql, sql or sentence."""

    @property
    def schema_hint(self) -> str:
        """What a query writer must know of the source's shape."""

    def run(self, query: str) -> Passages | BadQuery:
        """Answer one query; a query it cannot read is a BadQuery."""
