"""Dynamic knowledge adapting (section 3.2): one rationale, checked against the sources of the chosen domains."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.model import SourceCard
from kgcore.prompts import Corrected, CorrectRationale, NextRationale
from kgcore.reasoners.chain_of_knowledge.config import ChainOfKnowledgeConfig
from kgcore.reasoners.rationales.chain import Chain, Draft
from kgcore.reasoners.rationales.lookups import look_up
from kgcore.reasoners.rationales.settling import disagreements, settle
from kgcore.steps import (
    Ask,
    Knowledge,
    Reasoning,
    Sample,
    Warned,
    together,
)


def next_draft(chain: Chain[ChainOfKnowledgeConfig], sample: Sample) -> Reasoning:
    """Return the next draft; None when what was checked suffices.

    It is drafted from the corrected rationales. As long as none was changed, the sample's own next one follows
    from the same and may stand.
    """
    number, last = len(chain.checked), chain.last
    parent = (last.node, last.depth) if last else (0, 0)
    is_sampled = not number or (
        chain.config.reuse_drafts and not any(item.is_changed for item in chain.checked)
    )
    if is_sampled and sample.rationales:
        if number >= len(sample.rationales):
            return None
        return (yield from chain.draft(sample.rationales[number], "sample", parent))
    request = NextRationale(chain.question, chain.texts, language=chain.config.language)
    replies = yield Ask(request, about=(parent[0],))
    if not replies.values:
        yield Warned("the next rationale could not be read from the model's reply")
    return (yield from chain.draft(replies.value, "next", parent)) if replies.value else None


def check(
    chain: Chain[ChainOfKnowledgeConfig], draft: Draft, sources: Sequence[SourceCard]
) -> Reasoning:
    """Ask all sources together and rewrite the rationale in the light of what they know."""
    answers = yield from together(*(look_up(chain, draft, card) for card in sources))
    found = tuple(dict.fromkeys(piece for pieces in answers for piece in pieces))
    disputed = yield from disagreements(draft, found)
    corrected = yield from _correct(chain, draft, found, disputed)
    yield from settle(chain, draft, corrected, found, disputed=disputed)


def _correct(
    chain: Chain[ChainOfKnowledgeConfig],
    draft: Draft,
    found: tuple[Knowledge, ...],
    disputed: tuple[str, ...],
) -> Reasoning:
    """Return the rationale as Corrected; it stays as it is where nothing was found."""
    if not found:
        return Corrected(draft.text)
    checked = () if chain.config.mode == "parallel" else chain.texts
    request = CorrectRationale(
        chain.question,
        checked,
        draft.text,
        found,
        disputed,
        language=chain.config.language,
    )
    replies = yield Ask(request, about=(draft.node,))
    if not replies.values:
        yield Warned("how a rationale reads after correction could not be read; it stays as it was")
    return replies.value or Corrected(draft.text)
