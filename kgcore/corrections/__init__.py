"""Corrections of triples: what a person says, where it is kept, and the pure overlay that applies it."""

from kgcore.corrections.correction import LOCAL, Correction, added, mint, removed
from kgcore.corrections.graph import CorrectedGraph
from kgcore.corrections.overlay import corrected
from kgcore.corrections.proposal import Change, Proposal
from kgcore.corrections.store import CorrectionStore

__all__ = [
    "LOCAL",
    "Change",
    "CorrectedGraph",
    "Correction",
    "CorrectionStore",
    "Proposal",
    "added",
    "corrected",
    "mint",
    "removed",
]
