"""Linking that asks: where two things of one name are close, a person may say which one is meant.

What is asked is what the model would be asked, so the person's choice is a reply like any other, by a human: it is
journaled at the step's address, remembered by reruns, and a fork can change it. A person to whom no candidate fits may
look for another thing of the same graph (`look_up`): then the reply's value holds the entity itself, not the position of
a candidate, and nothing has to be looked up again to go on from the journal.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.model import EntityId
from kgcore.model.text import one_line
from kgcore.prompts import ChooseEachEntity, ChooseEntity
from kgcore.prompts.linking import Pick
from kgcore.prompts.linking_together import render_picks
from kgcore.reasoners.linking import are_close
from kgcore.steps import Ask, Candidate, LeafStep, Replies, Reply
from kgcore.transport import Allowance, spending

SECONDS = 12.0  # a look-up takes at most
MAX_NAME = 200  # characters of a name that a person looks for


@dataclass(frozen=True, slots=True)
class LinkQuestion:
    """What a person is asked: for each mention the candidates, as scored by the graphs."""

    question: str
    mentions: tuple[str, ...]
    candidates: tuple[tuple[Candidate, ...], ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a person said for each mention: the index of a candidate, another entity, or None for none of these.

    `is_left` leaves the choice to the model.
    """

    picks: tuple[Pick, ...] = ()
    is_left: bool = False


def link_question_of(leaf: LeafStep) -> LinkQuestion | None:
    """Return what a person can be asked instead of the model, where candidates are close; None elsewhere."""
    request = leaf.request if isinstance(leaf, Ask) else None
    if isinstance(request, ChooseEntity):
        items: tuple[ChooseEntity, ...] = (request,)
    elif isinstance(request, ChooseEachEntity):
        items = request.items
    else:
        return None
    if not any(are_close(item.candidates) for item in items):
        return None
    return LinkQuestion(
        items[0].question,
        tuple(item.mention for item in items),
        tuple(item.candidates for item in items),
    )


def settle(asked: LinkQuestion, picks: Sequence[Pick]) -> Settled:
    """Return the decision on a question; InputError when the picks do not fit it."""
    if len(picks) != len(asked.mentions):
        raise InputError(f"{len(asked.mentions)} names wait for a choice, not {len(picks)}")
    pairs = zip(picks, asked.candidates, strict=True)
    return Settled(tuple(fitting(pick, among) for pick, among in pairs))


def fitting(pick: Pick, candidates: Sequence[Candidate]) -> Pick:
    """Return a pick as a run takes it: a candidate by its position, whoever named it. InputError where it cannot be meant."""
    if pick is None:
        return None
    if isinstance(pick, int):
        if not 0 <= pick < len(candidates):
            raise InputError("there is no such candidate")
        return pick
    graphs = graphs_of(candidates)
    if pick.kg not in graphs:
        name, where = one_line(pick.name, 80), ", ".join(graphs)
        raise InputError(f"{name} is of the graph {one_line(pick.kg, 40)!r}, not of {where}")
    places = (at for at, c in enumerate(candidates) if c.entity.id == pick.id)
    return next(places, pick)


def graphs_of(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the graphs in which a mention was linked."""
    return tuple(dict.fromkeys(c.entity.kg for c in candidates))


def look_up(
    graph: KnowledgeGraph, text: str, *, context: str = "", limit: int = 12
) -> tuple[Candidate, ...]:
    """Return what one graph has for a name, or for an id, best first; InputError where it has nothing.

    Things that only corrections know are left out. ServiceError where the graph cannot answer, or not in time.
    """
    name = " ".join(text.split())
    if len(name) > MAX_NAME:
        raise InputError(f"this name is longer than {MAX_NAME} characters")
    with spending(Allowance(deadline=time.monotonic() + SECONDS)):
        known = _of_id(graph, name) or graph.link(name, context=context, limit=limit).items
    found = tuple(c for c in known if c.entity.kg == graph.id)
    if not found:
        raise InputError(f"nothing is found for “{name}” in {graph.id}")
    return found[:limit]


def _of_id(graph: KnowledgeGraph, text: str) -> tuple[Candidate, ...]:
    """Return the thing of this id; nothing for a text that is none, or none of this graph."""
    if ":" not in text or " " in text:
        return ()
    with contextlib.suppress(InputError):  # it is no id, but may be a name
        described = graph.describe((EntityId(text),))
        return tuple(Candidate(entity, 1.0, text) for entity in described.entities)
    return ()


def replies_of(settled: Settled, leaf: Ask) -> Replies:
    """Return the person's choice as the reply to the step."""
    request = leaf.request
    assert isinstance(request, ChooseEntity | ChooseEachEntity)
    value = settled.picks[0] if isinstance(request, ChooseEntity) else settled.picks
    return Replies((Reply(render_picks(request, settled.picks), value),))
