"""Chain-of-Knowledge (arXiv 2305.13269, section 3).

Reasoning preparation: lines of thought are sampled, and where enough of them agree their answer stands. Dynamic
knowledge adapting: otherwise rationales are checked one by one against the sources of the chosen domains, and
each next one is drafted from the corrected ones, so that an early mistake is not carried on. Answer
consolidation: the answer is given from the corrected rationales.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.model import SourceCard
from kgcore.prompts import ChooseDomains
from kgcore.reasoners.chain_of_knowledge.adapting import check, next_draft
from kgcore.reasoners.chain_of_knowledge.config import ChainOfKnowledgeConfig
from kgcore.reasoners.rationales.answers import consolidate, remembered, unverified
from kgcore.reasoners.rationales.chain import Chain
from kgcore.reasoners.rationales.sampling import sample_rationales
from kgcore.reasoners.rationales.votes import favourite
from kgcore.steps import Ask, DomainsChosen, NodeAdded, Reasoning, Sample, Warned, together


def chain_of_knowledge(question: str, config: ChainOfKnowledgeConfig) -> Reasoning:
    """Reason and return an Answer."""
    chain = Chain(question, config)
    yield NodeAdded(chain.node(), None, 0, "start", entities=config.seeds)
    for note in config.left_out:
        yield Warned(note)
    sampled = yield from sample_rationales(question, config)
    memory = yield from remembered(sampled, chain.node)
    if sampled.is_agreed:
        return memory
    sample = favourite(sampled)
    sources = yield from choose_sources(chain, sample)
    if not sources:
        return memory
    if config.mode == "parallel":
        yield from check_all(chain, sample, sources)
    else:
        while len(chain.checked) < config.max_rationales:
            draft = yield from next_draft(chain, sample)
            if draft is None:
                break
            yield from check(chain, draft, sources)
    if not chain.checked:
        return (yield from unverified(memory))
    is_cut = len(chain.checked) >= config.max_rationales
    limit = f"limit: {config.max_rationales} rationales" if is_cut else ""
    return (yield from consolidate(chain, limit))


def check_all(
    chain: Chain[ChainOfKnowledgeConfig], sample: Sample, sources: Sequence[SourceCard]
) -> Reasoning:
    """Check all rationales of the sample at the same time, none in the light of another."""
    drafts = []
    for text in sample.rationales[: chain.config.max_rationales]:
        drafts.append((yield from chain.draft(text, "sample")))
    if not drafts:
        draft = yield from next_draft(chain, sample)
        drafts = [draft] if draft is not None else []
    yield from together(*(check(chain, draft, sources) for draft in drafts))


def choose_sources(chain: Chain[ChainOfKnowledgeConfig], sample: Sample) -> Reasoning:
    """Return the sources of the domains that a person or the model chose."""
    config, cards = chain.config, chain.config.sources
    language = config.language
    request = ChooseDomains(chain.question, sample.rationales, cards, language=language)
    offered, reason, is_asked = request.domains, "", False
    wanted = tuple(name.strip() for name in config.domains.split(",") if name.strip())
    if not cards:
        yield Warned("no knowledge source is at hand, so nothing can be checked")
    elif not wanted and len(offered) > 1:
        replies = yield Ask(request, about=(0,))
        is_asked = True
        if replies.values:
            wanted, reason = replies.value.domains, replies.value.reason
        else:
            yield Warned("the domains could not be read from the model's reply; all are asked")
            wanted = offered
    else:
        wanted = wanted or offered
    sources = tuple(c for c in cards if not c.domains or set(c.domains) & set(wanted))
    chosen = tuple(name for name in offered if name in wanted)
    yield DomainsChosen(chosen, offered, tuple(c.id for c in sources), reason, is_asked)
    if cards and not sources:
        yield Warned("no knowledge source serves the chosen domains, so nothing was checked")
    return sources
