"""FLARe (arXiv 2305.06983): look a sentence ahead, and retrieve where the model is not sure of it.

The next sentence is written from memory. Where all its words are sure it stands; where not, the sources are asked for
it without the words that are least sure, and the sentence is written again from what they know. How sure a word is:
see confidence.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.model import SourceCard
from kgcore.prompts import Corrected, NextSentence, Sentence
from kgcore.reasoners.baselines.confidence import Ahead, ahead_of
from kgcore.reasoners.baselines.config import FlareConfig
from kgcore.reasoners.baselines.retrieval import begin, retrieve
from kgcore.reasoners.rationales.answers import consolidate
from kgcore.reasoners.rationales.chain import Chain, Checked, Draft
from kgcore.reasoners.rationales.settling import disagreements, settle
from kgcore.steps import Ask, Knowledge, NodeScored, Reasoning, Warned


def flare(question: str, config: FlareConfig) -> Reasoning:
    """Write sentence by sentence and return an Answer."""
    chain = Chain(question, config)
    sources = yield from begin(config, chain.node())
    is_cut = True
    while len(chain.checked) < config.max_sentences:
        ahead: Ahead | None = yield from look_ahead(chain)
        if ahead is None:
            is_cut = False
            break
        last = chain.last
        parent = (last.node, last.depth) if last else (0, 0)
        draft: Draft = yield from chain.draft(ahead.text, "ahead", parent)
        reason = f"not sure of: {', '.join(ahead.doubts)}" if ahead.doubts else ""
        yield NodeScored(draft.node, round(ahead.confidence, 3), reason)
        if ahead.doubts and sources:
            yield from write_again(chain, draft, sources, ahead.query)
        else:
            chain.keep(Checked(draft, draft.node, draft.text))
    limit = f"limit: {config.max_sentences} sentences" if is_cut else ""
    return (yield from consolidate(chain, limit))


def look_ahead(chain: Chain[FlareConfig]) -> Reasoning:
    """Sample the next sentence; return it as Ahead, None when nothing follows."""
    config = chain.config
    request = NextSentence(chain.question, chain.texts, language=config.language)
    temperature = config.temperature if config.samples > 1 else 0.0
    about = (chain.last.node if chain.last else 0,)
    replies = yield Ask(request, config.samples, temperature, about=about)
    if not replies.values:
        yield Warned("the next sentence could not be read from the model's reply")
        return None
    return ahead_of(replies.values, config.threshold, config.mask)


def write_again(
    chain: Chain[FlareConfig], draft: Draft, sources: Sequence[SourceCard], query: str
) -> Reasoning:
    """Ask the sources and settle the sentence as it is written from what they know."""
    found: tuple[Knowledge, ...] = yield from retrieve(chain, draft, sources, query)
    disputed = yield from disagreements(draft, found)
    corrected = Corrected(draft.text)
    if found:
        request = NextSentence(chain.question, chain.texts, found, language=chain.config.language)
        replies = yield Ask(request, about=(draft.node,))
        sentence: Sentence | None = replies.value
        if sentence is None:
            yield Warned("the next sentence could not be read from the model's reply")
        elif sentence.text:
            corrected = Corrected(sentence.text, sentence.used)
    yield from settle(chain, draft, corrected, found, disputed=disputed)
