"""Write values in the form in which a request asks a model to reply, so that `request.read` gives them back."""

from __future__ import annotations

import re
import string
from functools import singledispatch
from typing import Any

from kgcore.prompts import (
    ChooseDomains,
    ChooseEachEntity,
    ChooseRelation,
    ChosenDomains,
    Corrected,
    ExpandKG,
    FindMentions,
    GiveAnswer,
    Move,
    NamedQuery,
    RankSuspects,
    Rating,
    Repair,
    ScoreEntities,
    ScoreRelations,
    Search,
    SelectEntities,
    SelectRelation,
    Sentence,
    Situation,
    Think,
    Thoughts,
    TypedRequest,
    Verdict,
    VerifyingQuestion,
    WriteQuery,
)
from kgcore.prompts.linking_together import render_picks

_SPLITS = re.compile(r"[;；\n\r]+")  # what would end the line of a score


def write(value: Any, request: TypedRequest) -> str:
    """Return the reply that reads as the value."""
    while isinstance(request, Repair):
        request = request.original
    return _write(value, request)


@singledispatch
def _write(value: Any, request: TypedRequest) -> str:
    raise TypeError(f"no reply form for a {type(value).__name__}")


@_write.register
def _(value: tuple, request: TypedRequest) -> str:  # type: ignore[type-arg]
    if isinstance(request, FindMentions):
        return "Mentions: " + ("; ".join(value) if value else "none")
    if isinstance(request, (ScoreRelations, ScoreEntities)):
        ratings = [rating for group in value for rating in group]
        lines = [f"{request.letter}{n}: {r.value:g}" for n, r in enumerate(ratings, 1) if r.value]
        return "\n".join(lines) or "none"
    if isinstance(request, ChooseEachEntity):
        return render_picks(request, value)
    if isinstance(request, RankSuspects):
        return "\n".join(_suspect(n, rating) for n, rating in enumerate(value, 1))
    return "\n".join(f"{n}: {_rating(rating)}" for n, rating in enumerate(value, 1))


@_write.register(type(None))
def _(value: None, request: TypedRequest) -> str:
    return "Candidate: none"


@_write.register
def _(value: int, request: TypedRequest) -> str:
    return f"Candidate: C{value + 1}"


@_write.register
def _(value: Think, request: TypedRequest) -> str:
    return f"Thought: {value.text}\nAction: think"


@_write.register
def _(value: ExpandKG, request: TypedRequest) -> str:
    return "Action: expand"


@_write.register
def _(value: GiveAnswer, request: TypedRequest) -> str:
    lines = ["Action: answer", f"Answer: {value.text}"]
    names: list[str] = []
    if isinstance(request, Situation):
        names = [request.subgraph.handle(e) for e in value.entities]
        names += [v.name for v in value.literals]
    if names:
        lines.append(f"Entities: {', '.join(names)}")
    return "\n".join(lines)


@_write.register
def _(value: Verdict, request: TypedRequest) -> str:
    if value.answer is None:
        return "Enough: no"
    return "Enough: yes\n" + _write(value.answer, request).removeprefix("Action: answer\n")


@_write.register
def _(value: SelectEntities, request: TypedRequest) -> str:
    assert isinstance(request, Situation)
    return f"Entities: {', '.join(request.subgraph.handle(e) for e in value.entities)}"


@_write.register
def _(value: SelectRelation, request: TypedRequest) -> str:
    if isinstance(request, ChooseRelation) and request.shortlist > 0:
        return f"Relation: {string.ascii_uppercase[value.option]}"
    return f"Relation: R{value.option + 1}"


@_write.register
def _(value: Move, request: TypedRequest) -> str:
    action = value.action
    if isinstance(action, SelectRelation):
        return f"Follow: R{action.option + 1}"
    if isinstance(action, GiveAnswer):
        return _write(action, request).removeprefix("Action: answer\n")
    return f"Search: {action.name}" if action.name else _opened(action, request)


def _opened(value: Search, request: TypedRequest) -> str:
    assert isinstance(request, Situation)
    return f"Search: {', '.join(request.subgraph.handle(e) for e in value.entities)}"


@_write.register
def _(value: Sentence, request: TypedRequest) -> str:
    handles = ", ".join(f"K{n + 1}" for n in value.used) or "none"
    unsure = ", ".join(value.unsure) or "none"
    return f"Statement: {value.text or 'enough'}\nUnsure: {unsure}\nKnowledge: {handles}"


@_write.register
def _(value: Rating, request: TypedRequest) -> str:
    return f"Reason: {value.reason}\nValue: {value.value:g}"


@_write.register
def _(value: Thoughts, request: TypedRequest) -> str:
    lines = [f"{n}: {text}" for n, text in enumerate(value.rationales, 1)]
    return "\n".join([*lines, f"Answer: {value.answer.text}"])


@_write.register
def _(value: ChosenDomains, request: TypedRequest) -> str:
    assert isinstance(request, ChooseDomains)
    handles = [f"D{n}" for n, name in enumerate(request.domains, 1) if name in value.domains]
    return f"Domains: {', '.join(handles) or 'none'}"


@_write.register
def _(value: NamedQuery, request: TypedRequest) -> str:
    return f"Query: {value.text}"


@_write.register
def _(value: str, request: TypedRequest) -> str:
    if isinstance(request, VerifyingQuestion):
        return f"Question: {value}"
    field = "Query" if isinstance(request, WriteQuery) else "Statement"
    return f"{field}: {value or 'none'}"


@_write.register
def _(value: Corrected, request: TypedRequest) -> str:
    handles = ", ".join(f"K{n + 1}" for n in value.used) or "none"
    is_same = value.text == getattr(request, "rationale", "")
    return f"Knowledge: {handles}\nStatement: {'unchanged' if is_same else value.text}"


def _rating(rating: Rating) -> str:
    reason = " ".join(rating.reason.split())
    return f"Value: {rating.value:g}\nReason: {reason}"


def _suspect(number: int, rating: Rating) -> str:
    return f"T{number}: {rating.value:g} – {_SPLITS.sub(',', rating.reason)}"
