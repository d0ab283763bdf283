"""The next step of a walk through the graphs: search for what the question names, then follow what explains it."""

from __future__ import annotations

from kgcore.llm.offline import choose, mentions, relations
from kgcore.llm.offline.question import Analysis
from kgcore.model import EntityId
from kgcore.prompts import (
    ChooseAction,
    ChooseEntities,
    ChooseRelation,
    GiveAnswer,
    Move,
    Search,
    TakeStep,
)


def take_step(request: TakeStep, analysis: Analysis) -> choose.Choices[Move]:
    """Search for the names one after another; then open what is worth it, follow a relation, or answer."""
    names = mentions.find_mentions(request.question, request.spotted, request.language)
    searched = {taken.name for taken in request.trajectory if taken.kind == "search"}
    open_names = [name for name in names if name not in searched]
    if open_names and request.left > 1:
        return [(Move(Search(open_names[0])), 1.0)]
    allowed = ("expand", "answer") if request.left > 1 and names else ("answer",)
    situation = (request.question, request.subgraph, request.seeds, request.trajectory)
    language = request.language
    action = choose.choose_action(ChooseAction(*situation, allowed, language=language), analysis)
    if isinstance(action[0][0], GiveAnswer):
        return [(Move(action[0][0]), 1.0)]
    wanted = choose.choose_entities(ChooseEntities(*situation, language=language), analysis)
    group = wanted[0][0].entities if wanted else request.opened
    if not request.options or _known(request, group) != _known(request, request.opened):
        return [(Move(Search("", group)), 1.0)]
    follow = ChooseRelation(*situation, request.opened, request.options, language=language)
    return [(Move(relations.choose_relation(follow, analysis)[0][0]), 1.0)]


def _known(request: TakeStep, entities: tuple[EntityId, ...]) -> frozenset[EntityId]:
    return frozenset(request.subgraph.canonical(e) for e in entities)
