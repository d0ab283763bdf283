"""The port to a knowledge source: one query in its own language, passages or rows out."""

from __future__ import annotations

from typing import Protocol

from kgcore.model import SourceCard
from kgcore.sources.spec import SourceHealth
from kgcore.steps import BadQuery, Passages


class KnowledgeSource(Protocol):
    """A source that can be asked from several threads at once."""

    @property
    def id(self) -> str:
        """Short name, as the person gave it."""

    @property
    def version(self) -> str:
        """Changes whenever the data may have changed."""

    def card(self) -> SourceCard:
        """Return what a reasoner has to know of it: language, domains, description, schema with sample rows."""

    def run(self, query: str) -> Passages | BadQuery:
        """Answer one query; a query it cannot or must not run is a BadQuery that says why.

        In SPARQL, things and relations stand as `<id>` with the ids the graph gives, which the source makes into
        IRIs. A source that does not answer raises a ServiceError.
        """


class HealthySource(KnowledgeSource, Protocol):
    """A source that this package ships: it can be looked at, too."""

    def health(self) -> SourceHealth:
        """Look whether it can be asked, and how much it holds; ServiceError when it does not answer."""
