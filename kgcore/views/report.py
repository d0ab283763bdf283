"""A run as one plain dict: what `ask --json` prints, and what a replay must print again."""

from __future__ import annotations

from typing import Any
from typing import Literal as OneOf

from kgcore.model import Entity, Literal, Relation, Triple
from kgcore.runs import RunStatus, RunView
from kgcore.runs.acts import act_words
from kgcore.runs.entries import Act
from kgcore.steps import Answer, AnswerPart, Knowledge, ProvenRationale, Usage


def run_report(view: RunView, *, status: RunStatus | OneOf[""] = "") -> dict[str, Any]:
    """Return the report of a run; `status` stands instead of the journal's own (interrupted, say)."""
    started, answer = view.started, view.answer
    if answer is not None and not answer.is_answer:
        answer = None
    return {
        "run_id": started.run_id if started else "",
        "question": started.question if started else "",
        "status": status or view.status,
        "answer": answer.text if answer else None,
        "answers": [_part(part) for part in answer.parts] if answer else [],
        "value": answer.value if answer else None,
        **_doubt(view, answer),
        "proof": [triple_dict(triple) for triple in answer.proof] if answer else [],
        **_rationales(answer),
        "model_memory": bool(answer and answer.is_model_memory),
        "fallback": bool(answer and answer.is_fallback),
        "method": started.method if started else "",
        "model": dict(started.models).get("reason", "") if started else "",
        "kgs": [name for name, _ in started.kgs] if started else [],
        **_sources(view),
        "usage": usage_dict(view.usage, view.seconds),
        **({"human_acts": [act_dict(act) for act in view.acts]} if view.acts else {}),
        "warnings": _warnings(view, answer),
    }


def _doubt(view: RunView, answer: Answer | None) -> dict[str, Any]:
    """Return the threshold of a search that the answer does not reach, and why it is rated so low."""
    config = view.started.config if view.started else None
    threshold = getattr(config, "threshold", 0.0) if hasattr(config, "max_expansions") else 0.0
    if answer is None or answer.is_fallback or answer.value >= threshold:
        return {}
    node = view.nodes.get(answer.node)
    return {"below_threshold": threshold, "reason": node.reason if node else ""}


def _sources(view: RunView) -> dict[str, Any]:
    """Return the names of the knowledge sources that a run was to ask, where its method asks some."""
    cards = getattr(view.started.config, "sources", ()) if view.started else ()
    return {"sources": [card.id for card in cards]} if cards else {}


def act_dict(act: Act) -> dict[str, Any]:
    """Return what a person did, and the sentence that says it."""
    node = {"node": act.node} if act.node >= 0 else {}
    return {"kind": act.kind, "author": act.author, **node, "text": act_words(act)}


def _part(part: AnswerPart) -> dict[str, Any]:
    """Return an entity as id and label, a literal as its value; say when no triple supports it."""
    return {**term_dict(part.value), "model_memory": not part.is_supported}


def _rationales(answer: Answer | None) -> dict[str, Any]:
    """Return the rationales of an answer that follows from some, each with what supports it."""
    if answer is None or not answer.rationales:
        return {}
    return {"rationales": [_rationale(item) for item in answer.rationales]}


def _rationale(rationale: ProvenRationale) -> dict[str, Any]:
    return {
        "before": rationale.before,
        "after": rationale.after,
        "knowledge": [knowledge_dict(piece) for piece in rationale.knowledge],
    }


def knowledge_dict(piece: Knowledge) -> dict[str, Any]:
    """Return one piece of knowledge: who was asked what, and what came back from where."""
    return {
        "source": piece.source,
        "query": piece.query,
        "text": piece.text,
        "origin": piece.evidence.origin,
    }


def term_dict(value: Entity | Literal | Relation) -> dict[str, Any]:
    if not isinstance(value, Literal):
        return {"id": value.id, "label": value.name}
    extra = {"datatype": value.datatype, "lang": value.lang, "unit": value.unit}
    return {"value": value.value, **{name: text for name, text in extra.items() if text}}


def term_name(term: dict[str, Any]) -> str:
    """Return what the dict of a term says for people: a label, or a value with its unit."""
    if "label" in term:
        return str(term["label"])
    return f"{term['value']} {term['unit']}" if term.get("unit") else str(term["value"])


def triple_dict(triple: Triple) -> dict[str, Any]:
    return {
        "subject": term_dict(triple.subject),
        "relation": term_dict(triple.relation),
        "object": term_dict(triple.object),
        "kg": triple.kg,
    }


def usage_dict(usage: Usage, seconds: float) -> dict[str, Any]:
    return {
        "llm_requests": usage.llm_requests,
        "completions": usage.completions,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": round(usage.cost_usd, 6),
        "kg_requests": usage.kg_requests,
        "wall_s": round(seconds, 3),
    }


def _warnings(view: RunView, answer: Answer | None) -> list[str]:
    """Return what a person should know about the result, each thing once."""
    found = [conflict.sentence for conflict in answer.conflicts] if answer is not None else []
    found += view.warnings
    if view.ended is not None and view.ended.status in ("failed", "budget", "no_answer"):
        found.append(view.ended.reason)
    if answer is not None and answer.is_fallback:
        found.append("the answer comes from the model's memory, not from a graph")
    elif answer is not None and answer.is_model_memory:
        found.append("a part of the answer rests on no triple (model memory)")
    if view.usage.is_estimated and view.usage.tokens:
        found.append("token counts or costs are estimates")
    return list(dict.fromkeys(text for text in found if text))
