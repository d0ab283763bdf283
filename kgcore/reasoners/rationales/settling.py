"""How a draft is settled: the rationale as it stands in the light of what was found."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.model.conflicts import find_conflicts
from kgcore.prompts import Corrected
from kgcore.reasoners.rationales.chain import C, Chain, Checked, Draft, triples_of
from kgcore.steps import Knowledge, NodeAdded, RationaleCorrected, Reasoning, SourcesDisagree


def disagreements(draft: Draft, found: Sequence[Knowledge]) -> Reasoning:
    """Tell where the graphs' own values differ; return it in words."""
    conflicts = find_conflicts(triples_of(found))
    for conflict in conflicts:
        sides = tuple(k for k in found if set(k.triples) & set(conflict.triples))
        yield SourcesDisagree(draft.node, draft.number, conflict.text, sides)
    return tuple(conflict.text for conflict in conflicts)


def settle(
    chain: Chain[C],
    draft: Draft,
    corrected: Corrected,
    found: tuple[Knowledge, ...],
    *,
    disputed: tuple[str, ...] = (),
) -> Reasoning:
    """Write down how a draft reads now, and keep it in the chain with what it rests on."""
    used = tuple(found[n] for n in corrected.used)
    if corrected.text != draft.text and not used:
        used = found  # the model does not say which piece made it change the statement
    against = tuple(found[n] for n in corrected.against)
    if against:
        text = " ≠ ".join(f"{k.source}: {k.text}" for k in against)
        disputed = (*disputed, text)
        yield SourcesDisagree(draft.node, draft.number, text, against)
    yield RationaleCorrected(
        draft.node, draft.number, draft.text, corrected.text, used, corrected.reason
    )
    node = chain.node()
    yield NodeAdded(
        node, draft.node, draft.depth + 1, "correct", corrected.text, triples=triples_of(found)
    )
    chain.keep(Checked(draft, node, corrected.text, found, used, disputed))
