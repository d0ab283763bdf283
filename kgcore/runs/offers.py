"""What a question to the model offered, and the replies that choose from it.

A person's choice is given to the method as a reply, so it is read like any reply of a model. Whatever is made here is
read once before it is returned: a reply that would not say what was chosen raises InputError.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgcore.errors import InputError
from kgcore.i18n import mark
from kgcore.model import Entity
from kgcore.model.text import one_line
from kgcore.prompts import (
    AnswerFromMemory,
    AnswerFromPaths,
    ChooseAction,
    ChooseEachEntity,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    GiveAnswer,
    JudgePaths,
    Move,
    ScoreEntities,
    ScoreRelations,
    Search,
    TakeStep,
    Think,
    TypedRequest,
)
from kgcore.prompts.linking import Pick
from kgcore.prompts.linking_together import render_picks
from kgcore.runs.link_choice import fitting
from kgcore.runs.perform import clean, read_reply
from kgcore.steps import Candidate, Reply

_THINK, _EXPAND, _ANSWER = (
    mark("think:"),
    mark("expand: look further into the graph"),
    mark("answer:"),
)
_DEEPER, _NONE = mark("not enough: look deeper"), mark("none of these")
_SEARCH = mark("look up:")
WORDS = (_THINK, _EXPAND, _ANSWER, _SEARCH, _DEEPER, _NONE)  # labels that are ours, not a graph's


@dataclass(frozen=True, slots=True)
class Option:
    """One thing on offer: its label, what is known of it, and the reply that chooses it.

    Where `needs_text` is set, a text of the person goes behind the reply.
    """

    label: str
    reply: str
    about: str = ""
    needs_text: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the question and the candidates among which it was linked."""

    name: str
    candidates: tuple[Candidate, ...]
    chosen: Pick = None


def options_of(request: TypedRequest) -> tuple[Option, ...]:
    """Return what a request offers; nothing for one that offers no choice."""
    if isinstance(request, ChooseAction):
        return tuple(_ACTIONS[name] for name in request.allowed if name in _ACTIONS)
    if isinstance(request, ChooseEntities):
        subgraph = request.subgraph
        return tuple(
            Option(e.name, f"Entities: {subgraph.handle(e.id)}", e.description)
            for e in subgraph.entities
        )
    if isinstance(request, ChooseRelation):
        return _relations(request)
    if isinstance(request, ChooseEntity):
        return _candidates(request)
    if isinstance(request, ScoreRelations | ScoreEntities):
        return _scored(request)
    if isinstance(request, JudgePaths):
        return (Option(_DEEPER, "Enough: no"), Option(_ANSWER, "Enough: yes\nAnswer: ", "", True))
    if isinstance(request, TakeStep):
        return _steps(request)
    if isinstance(request, AnswerFromPaths | AnswerFromMemory):
        return (Option(_ANSWER, "Answer: ", "", True),)
    return ()


_ACTIONS = {
    "think": Option(_THINK, "Action: think\nThought: ", "", True),
    "expand": Option(_EXPAND, "Action: expand"),
    "answer": Option(_ANSWER, "Action: answer\nAnswer: ", "", True),
}


def takes_several(request: TypedRequest) -> bool:
    """Whether more than one of its options can be chosen together."""
    return isinstance(request, ChooseEntities | ScoreRelations | ScoreEntities)


def _scored(request: ScoreRelations | ScoreEntities) -> tuple[Option, ...]:
    """Return what a beam may follow: it goes on with what is chosen, and with nothing else."""
    if isinstance(request, ScoreRelations):
        things = [(o.phrase, g.path) for g in request.groups for o in g.options]
    else:
        things = [(t.name, f"{g.path} → {g.phrase}") for g in request.groups for t in g.things]
    return tuple(
        Option(name, f"{request.letter}{n}: 1.0", path) for n, (name, path) in enumerate(things, 1)
    )


def _relations(request: ChooseRelation) -> tuple[Option, ...]:
    letters = string.ascii_uppercase[:25] if request.shortlist > 0 else ""
    shown = request.options[: min(request.shortlist, len(letters))] if letters else request.options
    options = []
    for n, option in enumerate(shown):
        handle = letters[n] if letters else f"R{n + 1}"
        count = f"{'≥ ' if option.is_at_least else ''}{option.count:,}"
        examples = ", ".join(one_line(name, 40) for name in option.targets)
        about = f"{count} · {examples}" if examples else count
        options.append(Option(option.phrase, f"Relation: {handle}", about))
    return tuple(options)


def _steps(request: TakeStep) -> tuple[Option, ...]:
    """Return the steps of a walk: to follow what is listed, to open what is known, to look a name up, or to answer."""
    follow = tuple(
        Option(o.phrase, f"Follow: R{n}", ", ".join(one_line(name, 40) for name in o.targets))
        for n, o in enumerate(request.options, 1)
    )
    graph = request.subgraph
    opened = tuple(
        Option(e.name, f"Search: {graph.handle(e.id)}", e.description)
        for e in graph.entities
        if e.id not in request.opened
    )
    return (
        *follow,
        *opened,
        Option(_SEARCH, "Search: ", "", True),
        Option(_ANSWER, "Answer: ", "", True),
    )


def _candidates(request: ChooseEntity) -> tuple[Option, ...]:
    found = [
        Option(c.entity.name, f"Candidate: C{n}", c.entity.description)
        for n, c in enumerate(request.candidates, 1)
    ]
    return (*found, Option(_NONE, "Candidate: none"))


def reply_choosing(request: TypedRequest, chosen: Sequence[Option], text: str = "") -> str:
    """Return the reply that chooses these options; InputError where the request would read something else."""
    if not chosen:
        raise InputError("nothing was chosen")
    first, text = chosen[0], clean(" ".join(text.split()))
    if first.needs_text and not text:
        raise InputError("a text is needed for this choice")
    reply = first.reply + (text if first.needs_text else "")
    if len(chosen) > 1:
        if not takes_several(request):
            raise InputError("only one of these can be chosen")
        reply = _joined(request, chosen)
    value = read_or_raise(request, reply)
    said = value.answer if hasattr(value, "is_enough") else value
    said = said.action if isinstance(said, Move) else said
    kinds = {_THINK: Think, _ANSWER: GiveAnswer, _SEARCH: Search}
    if first.label in kinds and not isinstance(said, kinds[first.label]):
        raise InputError("the text would be read as something else")
    return reply


def _joined(request: TypedRequest, chosen: Sequence[Option]) -> str:
    if isinstance(request, ChooseEntities):
        return "Entities: " + ", ".join(o.reply.partition(": ")[2] for o in chosen)
    return "\n".join(option.reply for option in chosen)


def read_or_raise(request: TypedRequest, reply: str) -> Any:
    """Return what a reply is read as; InputError says why it cannot be read."""
    read: Reply = read_reply(request, reply)
    if read.problem:
        raise InputError(f"this reply cannot be read: {read.problem}")
    return read.value


def thought_option(request: TypedRequest) -> Option | None:
    """Return the option to think, where the request has it."""
    return next((o for o in options_of(request) if o.label == _THINK), None)


# names


def mentions_of(request: TypedRequest, value: Any) -> tuple[Mention, ...]:
    """Return the names that a request links, with what was chosen (its value as read)."""
    if isinstance(request, ChooseEntity):
        return (Mention(request.mention, request.candidates, value),)
    if isinstance(request, ChooseEachEntity):
        chosen = value if isinstance(value, tuple) else (None,) * len(request.items)
        return tuple(
            Mention(item.mention, item.candidates, one)
            for item, one in zip(request.items, chosen, strict=True)
        )
    return ()


def reply_linking(request: TypedRequest, value: Any, number: int, pick: Pick) -> Reply:
    """Return the reply that takes the name of this number for a candidate, another entity, or None for none of them.

    `value` is what the request's reply was read as: other names keep what was chosen for them.
    """
    mentions = mentions_of(request, value)
    if not isinstance(request, ChooseEntity | ChooseEachEntity) or not 0 <= number < len(mentions):
        raise InputError("no such name was linked here")
    pick = fitting(pick, mentions[number].candidates)
    picks = tuple(pick if n == number else m.chosen for n, m in enumerate(mentions))
    text = render_picks(request, picks)
    wanted = picks[0] if isinstance(request, ChooseEntity) else picks
    if not is_by_hand(wanted) and read_or_raise(request, text) != wanted:
        raise InputError("this choice would be read as another one")
    return Reply(text, wanted)


def is_by_hand(value: Any) -> bool:
    """Whether a value holds an entity that a person named: no text is read as it."""
    return any(isinstance(one, Entity) for one in (value if isinstance(value, tuple) else (value,)))
