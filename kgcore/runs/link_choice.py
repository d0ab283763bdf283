"""Linking that asks: where two things of one name are close, a person may say which one is meant.

What is asked is what the model would be asked, so the person's choice is a reply like any other, by a human: it is
journaled at the step's address, remembered by reruns, and a fork can change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.errors import InputError
from kgcore.prompts import ChooseEachEntity, ChooseEntity
from kgcore.prompts.linking_together import render_picks
from kgcore.reasoners.linking import are_close
from kgcore.steps import Ask, Candidate, LeafStep, Replies, Reply


@dataclass(frozen=True, slots=True)
class LinkQuestion:
    """What a person is asked: for each mention the candidates, as scored by the graphs."""

    question: str
    mentions: tuple[str, ...]
    candidates: tuple[tuple[Candidate, ...], ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a person said: the index of a candidate for each mention, None for none of these.

    `is_left` leaves the choice to the model.
    """

    picks: tuple[int | None, ...] = ()
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


def settle(asked: LinkQuestion, picks: Sequence[int | None]) -> Settled:
    """Return the decision on a question; InputError when the picks do not fit it."""
    if len(picks) != len(asked.mentions):
        raise InputError(f"{len(asked.mentions)} names wait for a choice, not {len(picks)}")
    for pick, among in zip(picks, asked.candidates, strict=True):
        if pick is not None and not 0 <= pick < len(among):
            raise InputError(f"there is no candidate {pick + 1}")
    return Settled(tuple(picks))


def replies_of(settled: Settled, leaf: Ask) -> Replies:
    """Return the person's choice as the reply to the step."""
    request = leaf.request
    assert isinstance(request, ChooseEntity | ChooseEachEntity)
    value = settled.picks[0] if isinstance(request, ChooseEntity) else settled.picks
    return Replies((Reply(render_picks(request, settled.picks), value),))
