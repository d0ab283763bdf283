"""Methods of answering, each a pure generator; add one by writing a module, and naming it here and in `labels`."""

from kgcore.errors import InputError
from kgcore.reasoners.base import Reasoner
from kgcore.reasoners.baselines import (
    ChainOfThought,
    DirectAnswer,
    Flare,
    ReAct,
    ReActOrThoughts,
    SelfConsistency,
    VerifyAndEdit,
)
from kgcore.reasoners.chain_of_knowledge import ChainOfKnowledge
from kgcore.reasoners.labels import BASELINES, LABELS, USUAL_METHOD
from kgcore.reasoners.think_on_graph import ThinkOnGraph, ThinkOnGraphR
from kgcore.reasoners.traversals import ChainOfTraversals, TreeOfTraversals

REASONERS: dict[str, Reasoner] = {
    r.name: r
    for r in (
        TreeOfTraversals(),
        ChainOfTraversals(),
        ThinkOnGraph(),
        ThinkOnGraphR(),
        ChainOfKnowledge(),
        DirectAnswer(),
        ChainOfThought(),
        SelfConsistency(),
        ReAct(),
        ReActOrThoughts(),
        Flare(),
        VerifyAndEdit(),
    )
}


def reasoner(name: str) -> Reasoner:
    """Return the method of this name; InputError that lists the known ones."""
    try:
        return REASONERS[name]
    except KeyError:
        raise InputError(
            f"no method is called {name}; there are {', '.join(sorted(REASONERS))}"
        ) from None


__all__ = ["BASELINES", "LABELS", "REASONERS", "USUAL_METHOD", "Reasoner", "reasoner"]
