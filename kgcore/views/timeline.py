"""The timeline of a run: one tick for each entry of its journal.

A tick has a kind, which gives it a colour and a height; what a person looks for (answers, turning back, errors, what
people changed) has a mark of its own shape above it. Kinds are single letters, so that a long run is a short text.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from kgcore.i18n import mark, translate
from kgcore.runs import StepDone, StepFailed
from kgcore.runs.entries import Ended, EntryBody, FactNoted, Resumed
from kgcore.runs.gate import Decided
from kgcore.runs.pauses import EXPANSIONS
from kgcore.steps import (
    ActionRejected,
    AnswerProposed,
    Backtracked,
    BadQuery,
    KnowledgeFound,
    QueryWritten,
    Warned,
)
from kgcore.views.palettes import Palette

EXPANSION = "n"


@dataclass(frozen=True, slots=True)
class Kind:
    """How a tick looks: its name, the role of its colour, its height in 0…1, and the shape of its mark, if any."""

    name: str
    role: str
    height: float
    shape: str = ""


KINDS: Mapping[str, Kind] = {
    "g": Kind(mark("graph call"), "source", 1.0),
    "m": Kind(mark("model call"), "model", 0.68),
    "n": Kind(mark("expansion"), "selected", 0.46),
    "f": Kind(mark("fact"), "dimmed_text", 0.3),
    "a": Kind(mark("answer found"), "answer", 1.0, "star"),
    "h": Kind(mark("decided by a person"), "corrected", 0.84, "diamond"),
    "x": Kind(mark("error"), "rejected", 0.84, "cross"),
    "q": Kind(mark("query mended"), "muted", 0.52),
    "b": Kind(mark("backtrack"), "backtrack", 0.46, "triangle"),
    "e": Kind(mark("end"), "muted", 1.0, "square"),
}


def kind_of(body: EntryBody, pruned: Set[str] = frozenset()) -> str:
    """Return the letter of an entry's kind; `pruned` is what a person took out of the search."""
    if isinstance(body, StepDone):
        return _kind_of_step(body)
    if isinstance(body, FactNoted):
        is_act = isinstance(body.fact, ActionRejected) and body.fact.text in pruned
        return "h" if is_act else _kind_of_fact(body.fact)
    if isinstance(body, StepFailed):
        return "f" if body.is_cut_short else "x"
    if isinstance(body, Decided | Resumed):
        return "h"
    return "e" if isinstance(body, Ended) else "f"


def _kind_of_step(done: StepDone) -> str:
    if done.is_human:
        return "h"
    if isinstance(done.result, BadQuery):
        return "q" if done.step.get("kind") == "Lookup" else "x"  # what came of it is a fact
    return {"Ask": "m", "Rank": "f"}.get(str(done.step.get("kind")), "g")


def _kind_of_fact(fact: Any) -> str:
    if isinstance(fact, EXPANSIONS):
        return EXPANSION
    if isinstance(fact, AnswerProposed):
        return "a" if fact.answer.is_answer else "f"
    if isinstance(fact, Backtracked):
        return "b"
    if isinstance(fact, Warned):
        return "f" if fact.is_doubt else "x"
    if isinstance(fact, QueryWritten | KnowledgeFound):
        return _kind_of_query(fact)
    is_bad = isinstance(fact, ActionRejected) or bool(getattr(fact, "problem", ""))
    return "x" if is_bad else "f"


def _kind_of_query(fact: QueryWritten | KnowledgeFound) -> str:
    """A query that is written once more is no error; one that could not be read, or was refused for good, is."""
    if isinstance(fact, KnowledgeFound):
        return ("q" if fact.is_mended else "x") if fact.problem else "f"
    if fact.status == "unread":
        return "x"
    if fact.status == "run":
        return "q" if fact.is_repaired else "f"
    return "q" if fact.status == "unlinked" and not fact.is_repaired else "f"


def looks(palette: Palette, language: str = "en") -> dict[str, dict[str, Any]]:
    """Return how each kind is drawn and what it is called."""
    own = {"source": palette.source(0), "model": palette.heat[4]}
    return {
        letter: {
            "name": translate(kind.name, language),
            "color": own.get(kind.role) or getattr(palette, kind.role),
            "height": kind.height,
            "shape": kind.shape,
        }
        for letter, kind in KINDS.items()
    }
