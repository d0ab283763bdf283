"""Answers: at once where the samples agree, from the corrected rationales (consolidation), or from memory alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kgcore.model import Entity, Literal, Triple
from kgcore.model.conflicts import touching
from kgcore.prompts import AnswerFromRationales, GiveAnswer
from kgcore.prompts.answers import is_yes_or_no
from kgcore.prompts.wording import fold
from kgcore.reasoners.rationales.chain import C, Chain, triples_of
from kgcore.reasoners.rationales.votes import favourite
from kgcore.steps import (
    Answer,
    AnswerPart,
    AnswerProposed,
    Ask,
    NodeAdded,
    NodeScored,
    ProvenRationale,
    RationalesSampled,
    Reasoning,
    Warned,
)

NO_MEMORY = "the model cannot tell from memory, and nothing was looked up"
NO_RATIONALES = "the model states nothing from memory, so there is nothing to verify"
UNREAD = "the model's answer could not be read"
UNSETTLED = "the model cannot tell from its statements and what was found about them"


def remembered(sampled: RationalesSampled, number: Callable[[], int]) -> Reasoning:
    """Propose what most samples answer, and return it; it is model memory. No answer, with why, where none can tell.

    `number` gives the next node of the tree its number.
    """
    sample = favourite(sampled)
    if not sample.vote:
        return Answer("", is_answer=False, limit=NO_MEMORY)
    node = number()
    yield NodeAdded(
        node, 0, 1, "answer", sample.answer, "done",
        votes=sampled.counts[0][1], samples=len(sampled.samples),
    )  # fmt: skip
    yield NodeScored(node, round(sampled.agreement, 3))
    rationales = tuple(ProvenRationale(n, r, r) for n, r in enumerate(sample.rationales, 1))
    part = AnswerPart(Literal(sample.answer), is_supported=False)
    answer = Answer(
        sample.answer,
        (part,),
        sampled.agreement,
        is_fallback=True,
        node=node,
        rationales=rationales,
    )
    yield AnswerProposed(answer)
    return answer


def unverified(memory: Answer) -> Reasoning:
    """Return what was remembered where the model states nothing that could be verified, and say so."""
    if memory.is_answer:
        yield Warned(NO_RATIONALES)
        return memory
    return replace(memory, limit=NO_RATIONALES)


def consolidate(chain: Chain[C], limit: str = "") -> Reasoning:
    """Answer from the corrected rationales, each with what supports it (section 3.3).

    `limit` says what cut the chain short, for the case that it does not suffice.
    """
    rationales = tuple(item.proven for item in chain.checked)
    subgraph, last = chain.subgraph, chain.last
    request = AnswerFromRationales(
        chain.question, rationales, subgraph, chain.disputed, language=chain.config.language
    )
    parent = last.node if last else 0
    replies = yield Ask(request, about=(parent,))
    given: GiveAnswer | None = replies.value
    if given is None:
        yield Warned(UNREAD)
        return Answer("", is_answer=False, rationales=rationales, limit=UNREAD)
    node, depth = chain.node(), last.depth + 1 if last else 1
    answer = _proven(chain, given, rationales, node)
    if not answer.is_answer:
        answer = replace(answer, limit=limit or UNSETTLED)
    yield NodeAdded(
        node, parent, depth, "answer", given.text, "done", triples=_others(chain, parent)
    )
    yield NodeScored(node, round(answer.value, 3))
    yield AnswerProposed(answer)
    return answer


def _others(chain: Chain[C], parent: int) -> tuple[Triple, ...]:
    """Return what was found for other rationales than those above, as in parallel mode."""
    return triples_of(k for item in chain.checked if item.node != parent for k in item.found)


def _proven(
    chain: Chain[C], given: GiveAnswer, rationales: Sequence[ProvenRationale], node: int
) -> Answer:
    """Return the answer with its proof. Its value is the share of rationales that rest on knowledge."""
    rationales = tuple(rationales)
    n_proven = sum(bool(r.knowledge) for r in rationales)
    value = n_proven / len(rationales) if rationales else 0.0
    if given.is_unknown:
        return Answer(given.text, is_answer=False, node=node, rationales=rationales)
    things: list[Entity | Literal] = [chain.subgraph.entity(e) for e in given.entities]
    things += given.literals
    parts = tuple(
        AnswerPart(thing, _is_supported(thing.name, rationales))
        for thing in things or [Literal(given.text)]
    )
    proof = triples_of(k for r in rationales for k in r.knowledge)
    return Answer(
        given.text,
        parts,
        value,
        proof,
        is_fallback=not n_proven,
        node=node,
        conflicts=touching(chain.conflicts, proof),
        rationales=rationales,
    )


def _is_supported(name: str, rationales: Sequence[ProvenRationale]) -> bool:
    """Tell whether knowledge names a part of the answer; what follows from statements needs all of them proven."""
    texts = [fold(f"{k.text} {k.evidence.raw}") for r in rationales for k in r.knowledge]
    if any(fold(name) in text for text in texts):
        return True
    if is_yes_or_no(name):
        return bool(texts)
    return bool(rationales) and all(r.knowledge for r in rationales)
