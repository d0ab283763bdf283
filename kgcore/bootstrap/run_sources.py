"""The knowledge sources of one run: those it is to ask, those it began with, and these as they are now."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgcore.bootstrap.sources import Sources
from kgcore.errors import InputError, KGCoreError
from kgcore.model import SourceCard
from kgcore.reasoners.base import asks_sources
from kgcore.sources import KnowledgeSource
from kgcore.steps import Knowledge, Passages

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class InUse:
    """The sources of one run: as its port, and as the setting that pins their cards."""

    ports: Mapping[str, KnowledgeSource]
    setting: Mapping[str, Any]

    def with_graphs(self, kgs: Sequence[str]) -> tuple[str, ...]:
        """Return names of graphs and those behind the sources, in which the run finds the things it asks of."""
        cards: tuple[SourceCard, ...] = self.setting.get("sources", ())
        return tuple(dict.fromkeys((*kgs, *(card.kg for card in cards if card.kg))))


def asked_by(
    config_class: type[Any],
    sources: Sources,
    names: Sequence[str],
    *,
    language: str,
    kgs: Sequence[str] = (),
) -> InUse:
    """Return the sources that a run by a method asks: those named or all; none where the method asks none."""
    if not _may_name(config_class, names):
        return InUse({}, {})
    left_out: list[str] = []
    ports = sources.chosen(names, language, kgs=kgs, tell=left_out.append)
    cards = tuple(source.card() for source in ports.values())
    return InUse(ports, {"sources": cards, "left_out": tuple(left_out)})


def pinned(config: Any, sources: Sources, language: str) -> InUse:
    """Return the sources that a run began with, as they are now; what is gone by now is left out."""
    cards: tuple[SourceCard, ...] = getattr(config, "sources", ())
    ports: dict[str, KnowledgeSource] = {}
    for card in cards:
        try:
            ports[card.id] = sources.open(card.id, language)
        except KGCoreError as error:
            log.warning("the source %s cannot be opened: %s", card.id, error)
    return InUse(ports, {"sources": cards} if cards else {})


def refreshed(config: Any, sources: Sources, names: Sequence[str] = ()) -> Any:
    """Return a method's config with the cards of its sources, or of those named, as they are now.

    Sources that were removed are left out. Others do not stand in for them: InputError where none is left.
    """
    if not _may_name(type(config), names):
        return config
    language = getattr(config, "language", "en")
    kept = [card.id for card in config.sources if sources.has(card.id)]
    removed = ", ".join(card.id for card in config.sources if card.id not in kept)
    if removed and not kept and not names:
        raise InputError(f"the run asked {removed}, which is gone; add it again, or ask anew")
    if removed and not names:
        log.warning("without the source %s, which is gone", removed)
    cards = tuple(s.card() for s in sources.chosen(names or kept, language).values())
    return config if cards == config.sources else replace(config, sources=cards)


def lost(config: Any, sources: Sources, knowledge: Sequence[Knowledge]) -> tuple[Knowledge, ...]:
    """Return the rows and passages that their sources do not say any more, or whose sources are gone.

    Triples are for corrections to tell of. A source that has not changed since is not asked.
    """
    began = {card.id: card for card in getattr(config, "sources", ())}
    cited = [piece for piece in knowledge if not piece.triples and piece.source in began]
    gone: list[Knowledge] = []
    for name in dict.fromkeys(piece.source for piece in cited):
        pieces = [piece for piece in cited if piece.source == name]
        try:
            source = sources.open(name, config.language)
        except InputError as error:
            log.warning("the source %s cannot be opened: %s", name, error)
            gone += pieces
            continue
        if source.version == began[name].version or began[name].language == "sparql":
            continue  # what a graph's rows say as triples is for corrections, and the rest names things
        for query in dict.fromkeys(piece.query for piece in pieces):
            found = source.run(query)
            said = {item.text for item in found.items} if isinstance(found, Passages) else set()
            gone += [p for p in pieces if p.query == query and p.text not in said]
    return tuple(gone)


def _may_name(config_class: type[Any], names: Sequence[str]) -> bool:
    """Whether a method asks sources; InputError where some are named for one that asks none."""
    is_asking = asks_sources(config_class)
    if names and not is_asking:
        raise InputError("this method asks no knowledge sources")
    return is_asking
