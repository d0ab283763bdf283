"""Corrections, comparisons and challenges as plain dicts: what commands print as JSON, and pages may show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from kgcore.corrections import Change, Correction, Proposal, added, removed
from kgcore.corrections.claims import Rechecked
from kgcore.runs.affected import Affected
from kgcore.runs.challenge import Challenge
from kgcore.runs.comparison import Comparison, Side
from kgcore.views.report import knowledge_dict, term_dict, triple_dict, usage_dict


def correction_dict(correction: Correction) -> dict[str, Any]:
    """Return what a correction says."""
    gone, new = removed(correction), added(correction)
    return {
        "id": correction.id,
        "kg": correction.kg,
        "action": correction.action,
        "text": correction.text,
        "removed": triple_dict(gone) if gone else None,
        "added": triple_dict(new) if new else None,
        "minted": [term_dict(entity) for entity in correction.minted],
        "author": correction.author,
        "when": correction.when,
        "reason": correction.reason,
        "evidence": correction.evidence,
    }


def proposal_dict(proposal: Proposal, conflicts: Iterable[Proposal]) -> dict[str, Any]:
    """Return a correction with its status, its history and what contradicts it."""
    return {
        **correction_dict(proposal.correction),
        "status": proposal.status,
        "revision": proposal.revision,
        "history": [_change(change) for change in proposal.history],
        "conflicts": [
            {"id": c.id, "status": c.status, "author": c.correction.author} for c in conflicts
        ],
    }


def _change(change: Change) -> dict[str, Any]:
    return {**asdict(change), "correction": change.correction.text}


def affected_dict(one: Affected) -> dict[str, Any]:
    """Return a run that a correction affects."""
    return {
        "run_id": one.record.id,
        "question": one.record.question,
        "answer": one.record.answer,
        "created": one.record.created,
        "triples": [triple_dict(triple) for triple in one.triples],
        "rerun": one.rerun,
    }


def comparison_dict(comparison: Comparison) -> dict[str, Any]:
    """Return two runs side by side."""
    return {
        "is_changed": comparison.is_changed,
        "is_settled": comparison.is_settled,
        "old": _side(comparison.old),
        "new": _side(comparison.new),
        "set_up": [{"name": name, "old": old, "new": new} for name, old, new in comparison.set_up],
        "new_corrections": [correction_dict(c) for c in comparison.new_corrections],
        "gone_corrections": [correction_dict(c) for c in comparison.gone_corrections],
        "dropped": [triple_dict(t) for t in comparison.dropped],
        "gained": [triple_dict(t) for t in comparison.gained],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "run_id": side.run_id,
        "status": side.status,
        "answer": side.text or None,
        "proof": [triple_dict(t) for t in side.proof],
        "usage": usage_dict(side.usage, side.seconds),
        "steps_asked": side.n_asked,
        "steps_remembered": side.n_remembered,
    }


def challenge_dict(challenge: Challenge) -> dict[str, Any]:
    """Return the edges of a proof, the most suspect first."""
    return {
        "run_id": challenge.run_id,
        "question": challenge.question,
        "answer": challenge.answer,
        "suspects": [
            {**triple_dict(s.triple), "score": s.score, "reason": s.reason}
            for s in challenge.suspects
        ],
        "others": [triple_dict(t) for t in challenge.others],
        "notes": [*challenge.notes, *([challenge.problem] if challenge.problem else [])],
        "usage": usage_dict(challenge.usage, 0.0),
    }


def rechecked_dict(rechecked: Rechecked) -> dict[str, Any]:
    """Return whether an answer still rests on what it cites."""
    return {
        "answer": rechecked.text,
        "is_supported": rechecked.is_supported,
        "parts": [{**term_dict(p.value), "is_supported": p.is_supported} for p in rechecked.parts],
        "gone": [triple_dict(t) for t in rechecked.gone],
        "lost": [knowledge_dict(piece) for piece in rechecked.lost],
    }
