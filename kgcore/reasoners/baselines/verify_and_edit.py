"""Verify-and-Edit (arXiv 2305.03268): where lines of thought disagree, verify each rationale and edit it.

As long as enough samples agree, their answer stands. Otherwise each rationale of the most frequent answer is turned
into a question that would verify it, the sources are asked that question, and the rationale is written again from what
they know, none in the light of another. The answer is then given from the edited rationales.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.model import SourceCard
from kgcore.prompts import Corrected, EditRationale, VerifyingQuestion
from kgcore.reasoners.baselines.config import VerifyAndEditConfig
from kgcore.reasoners.baselines.retrieval import begin, retrieve
from kgcore.reasoners.rationales.answers import consolidate, remembered, unverified
from kgcore.reasoners.rationales.chain import Chain, Draft
from kgcore.reasoners.rationales.sampling import sample_rationales
from kgcore.reasoners.rationales.settling import disagreements, settle
from kgcore.reasoners.rationales.votes import favourite
from kgcore.steps import Ask, Knowledge, Reasoning, Warned, together


def verify_and_edit(question: str, config: VerifyAndEditConfig) -> Reasoning:
    """Sample, verify, edit, and return an Answer."""
    chain = Chain(question, config)
    sources = yield from begin(config, chain.node())
    sampled = yield from sample_rationales(question, config)
    memory = yield from remembered(sampled, chain.node)
    if sampled.is_agreed or not sources:
        return memory
    drafts: list[Draft] = []
    for text in favourite(sampled).rationales[: config.max_rationales]:
        drafts.append((yield from chain.draft(text, "sample")))
    if not drafts:
        return (yield from unverified(memory))
    yield from together(*(verify(chain, draft, sources) for draft in drafts))
    return (yield from consolidate(chain))


def verify(
    chain: Chain[VerifyAndEditConfig], draft: Draft, sources: Sequence[SourceCard]
) -> Reasoning:
    """Ask the sources what would verify one rationale, and settle it as it reads then."""
    request = VerifyingQuestion(chain.question, draft.text, language=chain.config.language)
    replies = yield Ask(request, role="query", about=(draft.node,))
    if not replies.values:
        yield Warned(
            "what would verify a rationale could not be read; its own words are searched for"
        )
    asked: str = replies.value or draft.text
    found = yield from retrieve(chain, draft, sources, asked)
    disputed = yield from disagreements(draft, found)
    corrected = yield from _edited(chain, draft, asked, found)
    yield from settle(chain, draft, corrected, found, disputed=disputed)


def _edited(
    chain: Chain[VerifyAndEditConfig], draft: Draft, asked: str, found: tuple[Knowledge, ...]
) -> Reasoning:
    """Return the rationale as Corrected; it stays as it is where nothing was found."""
    if not found:
        return Corrected(draft.text)
    request = EditRationale(
        chain.question, (), draft.text, found, (), asked, language=chain.config.language
    )
    replies = yield Ask(request, about=(draft.node,))
    if not replies.values:
        yield Warned("how a rationale reads after correction could not be read; it stays as it was")
    return replies.value or Corrected(draft.text)
