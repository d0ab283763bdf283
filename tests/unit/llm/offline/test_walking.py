"""The matcher's steps of a walk: what was searched for is known by its name, not by how a prompt tells it."""

from __future__ import annotations

from typing import Any

from kgcore.llm.offline.model import OfflineModel
from kgcore.model import Subgraph
from kgcore.prompts import GiveAnswer, Search, SelectRelation, Taken, TakeStep
from kgcore.prompts.sets import FilePromptSet
from tests.unit.llm.offline.conftest import World, entity

MODEL = OfflineModel(FilePromptSet())
QUESTION = "Which film came out first, Dunes or Tides?"


def step(trajectory: tuple[Taken, ...], **more: Any) -> Any:
    values = {"subgraph": Subgraph(), "seeds": (), "opened": (), "options": (), "left": 7, **more}
    request = TakeStep(QUESTION, trajectory=trajectory, **values)
    return request.read(MODEL.answer(request).texts[0]).action


def test_each_name_is_searched_for_once_however_a_step_is_worded() -> None:
    assert step(()) == Search("Dunes")
    first = Taken("search", "looked it up", name="Dunes")
    assert step((first,)) == Search("Tides")
    worded = Taken("think", "I might search for “Tides”")
    assert step((first, worded)) == Search("Tides")
    both = (first, Taken("search", "looked it up too", name="Tides"))
    assert step(both) != Search("Tides")


def test_what_a_relation_led_to_is_followed_further_at_once(world: World) -> None:
    question = "Where was the director of Dunes born?"
    situation = world.situation(question, ["Dunes"], [(("Dunes",), "director", "out")])
    told = (Taken("search", "", name="Dunes"), *situation.pop("trajectory"))
    options = world.options(["Ada Reed"])
    opened = (entity("Ada Reed").id,)
    request = TakeStep(**situation, trajectory=told, opened=opened, options=options, left=5)
    action = request.read(MODEL.answer(request).texts[0]).action
    assert isinstance(action, SelectRelation)
    assert options[action.option].phrase == "place of birth"


def test_the_last_step_is_an_answer() -> None:
    assert isinstance(step((), left=1), GiveAnswer)
