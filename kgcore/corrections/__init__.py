"""Corrections of triples: what a person says, and the pure overlay that applies it."""

from kgcore.corrections.correction import Correction
from kgcore.corrections.overlay import added, corrected, removed

__all__ = ["Correction", "added", "corrected", "removed"]
