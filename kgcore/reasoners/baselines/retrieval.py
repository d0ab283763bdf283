"""Which sources the retrieving baselines ask, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.model import SourceCard
from kgcore.reasoners.baselines.config import RetrievalConfig
from kgcore.reasoners.rationales.chain import C, Chain, Draft
from kgcore.reasoners.rationales.lookups import look_up, look_up_directly
from kgcore.steps import NodeAdded, Reasoning, Warned, together

NO_TEXT = "no source of passages is at hand, and only those are asked, so nothing can be checked"


def begin(config: RetrievalConfig, number: int) -> Reasoning:
    """Plant the tree and return the sources to ask."""
    yield NodeAdded(number, None, 0, "start", entities=config.seeds)
    for note in config.left_out:
        yield Warned(note)
    texts = tuple(card for card in config.sources if card.language == "sentence")
    if not config.sources:
        yield Warned("no knowledge source is at hand, so nothing can be checked")
    elif config.only_text and not texts:
        yield Warned(NO_TEXT)
    return texts if config.only_text else config.sources


def retrieve(chain: Chain[C], draft: Draft, sources: Sequence[SourceCard], words: str) -> Reasoning:
    """Return what the sources know, each piece once: passages are searched with the words, others by queries for them."""
    worded = replace(draft, text=words)
    branches = [
        look_up_directly(chain, draft, card, words)
        if card.language == "sentence"
        else look_up(chain, worded, card)
        for card in sources
    ]
    answers = yield from together(*branches)
    return tuple(dict.fromkeys(piece for pieces in answers for piece in pieces))
