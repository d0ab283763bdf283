"""What sources have in common whose shape is known once they are opened."""

from __future__ import annotations

from kgcore.model import SourceCard
from kgcore.sources.spec import SourceSpec


class SpecSource:
    """A source as a person added it, with one card for as long as it is open."""

    def __init__(self, spec: SourceSpec, version: str, *, description: str, schema: str) -> None:
        self.spec = spec
        self._card = SourceCard(
            spec.name,
            spec.language,
            domains=spec.domains,
            description=spec.description or description,
            schema=schema,
            version=version,
        )

    @property
    def id(self) -> str:
        """The name the person gave it."""
        return self._card.id

    @property
    def version(self) -> str:
        """Changes whenever what is found may change."""
        return self._card.version

    def card(self) -> SourceCard:
        """Return what a reasoner has to know."""
        return self._card
