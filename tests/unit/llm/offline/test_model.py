"""The offline matcher answers every request in the form that the request reads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from kgcore.errors import StoppedError
from kgcore.i18n import told
from kgcore.llm.offline import OfflineModel
from kgcore.llm.offline.choose import spread
from kgcore.llm.offline.write import write
from kgcore.model import Entity, EntityId
from kgcore.prompts import (
    AnswerFromMemory,
    ChooseAction,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    ExpandKG,
    FindMentions,
    GiveAnswer,
    RateAnswer,
    RateSiblings,
    RateState,
    Rating,
    Repair,
    SelectEntities,
    SelectRelation,
    Think,
)
from kgcore.prompts.sets import FilePromptSet
from kgcore.steps import Candidate
from kgcore.transport import Allowance

FIRST = [(("Dunes",), "director", "out")]
WHERE = "Where was the director of Dunes born?"


@pytest.fixture
def model() -> OfflineModel:
    """The matcher with the built-in prompts."""
    return OfflineModel(FilePromptSet())


def value(model: OfflineModel, request: Any, n: int = 1) -> Any:
    """Return the values of all samples, read by the request itself."""
    values = [request.read(text) for text in model.answer(request, n=n).texts]
    return values if n > 1 else values[0]


def test_it_says_what_it_is(model: OfflineModel) -> None:
    assert model.name == "offline-matcher"
    assert model.display_name == "offline matcher – no language model"


def test_mentions_and_candidates(model: OfflineModel) -> None:
    assert value(model, FindMentions("Who directed Dunes?")) == ("Dunes",)
    assert value(model, FindMentions("who is it?")) == ()
    dunes = Candidate(Entity(EntityId("x:1"), "Dunes"), 1.0, "Dunes")
    other = Candidate(Entity(EntityId("x:2"), "Dune"), 0.2, "Dunes")
    assert value(model, ChooseEntity("Who directed Dunes?", "Dunes", (other, dunes))) == 1
    assert value(model, ChooseEntity("Who directed Dunes?", "Dunes", (other,))) is None


def test_it_expands_until_the_question_is_explained(model: OfflineModel, world: Any) -> None:
    start = world.situation(WHERE, ["Dunes"])
    assert value(model, ChooseAction(**start)) == ExpandKG()
    assert value(model, ChooseEntities(**start)) == SelectEntities((EntityId("x:Dunes"),))
    half = world.situation(WHERE, ["Dunes"], FIRST)
    assert value(model, ChooseAction(**half)) == ExpandKG()
    assert value(model, ChooseEntities(**half)) == SelectEntities((EntityId("x:Ada_Reed"),))
    whole = world.situation(WHERE, ["Dunes"], [*FIRST, (("Ada Reed",), "place of birth", "out")])
    assert value(model, ChooseAction(**whole)) == GiveAnswer("Norville", (EntityId("x:Norville"),))


def test_it_follows_the_nearest_relation_first(model: OfflineModel, world: Any) -> None:
    asked = "Where was the father of Ada Reed born?"
    options = world.options(["Ada Reed"])
    request = ChooseRelation(
        **world.situation(asked, ["Ada Reed"]), entities=(EntityId("x:Ada_Reed"),), options=options
    )
    chosen = options[value(model, request).option]
    assert chosen.relation.label == "father"


def test_samples_are_its_best_choices_and_then_the_best_again(
    model: OfflineModel, world: Any
) -> None:
    options = world.options(["Dunes", "Tides"])
    request = ChooseRelation(
        **world.situation("Who starred in or directed Dunes?", ["Dunes"]),
        entities=(EntityId("x:Dunes"),),
        options=options,
    )
    samples = value(model, request, n=6)
    labels = [options[s.option].relation.label for s in samples]
    assert set(labels) == {"cast member", "director"}
    assert labels[2:] == [labels[0]] * 4


def test_spread_repeats_the_best() -> None:
    assert spread([("a", 1.0), ("b", 0.9), ("c", 0.1)], 4) == ("a", "b", "a", "a")
    assert spread([("a", 1.0), ("b", 0.9)], 1) == ("a",)
    assert spread([], 3) == ()


def test_without_a_seed_it_cannot_tell(model: OfflineModel, world: Any) -> None:
    request = ChooseAction(**world.situation("Who directed Nothing?", ["Nothing"]))
    assert value(model, request).is_unknown


def test_a_relation_that_explains_nothing_is_rated_low_and_ends_there(
    model: OfflineModel, world: Any
) -> None:
    astray = world.situation(
        "What is the shoe size of Ada Reed?", ["Ada Reed"], [(("Ada Reed",), "father", "out")]
    )
    assert value(model, RateState(**astray)).value <= 0.1
    assert value(model, ChooseAction(**astray)).is_unknown


def test_the_forced_answer_is_an_answer(model: OfflineModel, world: Any) -> None:
    half = world.situation(WHERE, ["Dunes"], FIRST)
    assert isinstance(value(model, ChooseAction(**half, allowed=("answer",))), GiveAnswer)


def test_right_answers_are_rated_above_the_threshold_and_wrong_ones_below(
    model: OfflineModel, world: Any
) -> None:
    known = world.situation(
        "Who directed Dunes?", ["Dunes"], [*FIRST, (("Dunes",), "cast member", "out")]
    )
    right = RateAnswer(**known, answer=GiveAnswer("Ada Reed", (EntityId("x:Ada_Reed"),)))
    wrong = RateAnswer(**known, answer=GiveAnswer("Bo Lind", (EntityId("x:Bo_Lind"),)))
    unknown = RateAnswer(**known, answer=GiveAnswer("I cannot tell.", is_unknown=True))
    assert value(model, right).value >= 0.8
    assert "“director” fits “directed” in the question" in value(model, right).reason
    assert value(model, wrong).value < 0.5
    assert "Ada Reed" in value(model, wrong).reason
    assert value(model, unknown).value == 0


def test_siblings_are_rated_as_one_by_one(model: OfflineModel, world: Any) -> None:
    items = (
        RateState(**world.situation(WHERE, ["Dunes"], FIRST)),
        RateState(**world.situation(WHERE, ["Dunes"], [(("Dunes",), "cast member", "out")])),
        RateAnswer(
            **world.situation(WHERE, ["Dunes"], FIRST),
            answer=GiveAnswer("Ada Reed", (EntityId("x:Ada_Reed"),)),
        ),
    )
    together = value(model, RateSiblings(WHERE, items))
    assert [r.value for r in together] == [value(model, item).value for item in items]
    assert together[0].value > together[1].value


def test_a_repair_turn_gets_the_original_answered(model: OfflineModel) -> None:
    original = FindMentions("Who directed Dunes?")
    assert value(model, Repair("", original, "?", "unreadable")) == ("Dunes",)


def test_memory_holds_nothing(model: OfflineModel) -> None:
    assert value(model, AnswerFromMemory("Who directed Dunes?")).is_unknown
    assert value(model, AnswerFromMemory("谁导演了沙丘？", language="zh")).is_unknown


def test_usage_counts_one_request_and_no_tokens(model: OfflineModel) -> None:
    reply = model.answer(FindMentions("Who directed Dunes?"), n=3)
    assert (reply.usage.llm_requests, reply.usage.completions) == (1, 3)
    assert (reply.usage.tokens, reply.usage.cost_usd) == (0, 0.0)
    assert "Who directed Dunes?" in reply.prompt


def test_it_takes_a_permit_before_it_answers(model: OfflineModel) -> None:
    def refuse() -> None:
        raise StoppedError("stopped")

    with pytest.raises(StoppedError):
        model.answer(FindMentions("Who directed Dunes?"), allowance=Allowance(take=refuse))


@pytest.mark.parametrize(
    "written",
    [
        Think("look at the cast"),
        ExpandKG(),
        GiveAnswer("I cannot tell.", is_unknown=True),
        GiveAnswer("Ada Reed", (EntityId("x:Ada_Reed"),)),
        GiveAnswer("Yes"),
    ],
)
def test_actions_read_as_they_were_written(world: Any, written: Any) -> None:
    request = ChooseAction(**world.situation(WHERE, ["Dunes"], FIRST))
    assert request.read(write(written, request)) == written


def test_choices_read_as_they_were_written(world: Any) -> None:
    half = world.situation(WHERE, ["Dunes"], [(("Dunes",), "cast member", "out")])
    request = ChooseEntities(**half)
    chosen = SelectEntities((EntityId("x:Bo_Lind"), EntityId("x:Cy_Moor")))
    assert request.read(write(chosen, request)) == chosen
    options = world.options(["Dunes"])
    relations = ChooseRelation(**half, entities=(EntityId("x:Dunes"),), options=options)
    for number in range(len(options)):
        assert relations.read(write(SelectRelation(number), relations)) == SelectRelation(number)
    short = replace(relations, shortlist=2)
    assert short.read(write(SelectRelation(1), short)) == SelectRelation(1)


def test_ratings_read_as_they_were_written(world: Any) -> None:
    request = RateState(**world.situation(WHERE, ["Dunes"], FIRST))
    rating = Rating(
        0.35, "“director” fits “directed” in the question; still to be found: “born”, “1960”"
    )
    assert request.read(write(rating, request)) == rating


@pytest.mark.parametrize(
    "reason",
    [
        "“director” fits “directed” in the question; still to be found: “born”",
        "“director” fits “film” in the question; “x” fits “for a living” in the question; nothing fetched yet",
        "nothing found so far fits “born”, “film”",
    ],
)
def test_reasons_are_told_in_chinese_too(reason: str) -> None:
    said = told(reason, "zh")
    assert not re.search(r"fits|still|found|fetched", said)


SCRIPT = """
from kgcore.llm.offline.mentions import find_mentions
from kgcore.llm.offline.question import analyse
a = analyse("Which film has the older director, Dunes or Ember?", ("Dunes", "Ember"))
print([(c.text, c.labels, c.weight) for c in a.clues], a.orders, a.directions)
print(find_mentions("Did Ada Reed or Cy Moor direct Dunes in Norville?", (), "en"))
"""


def test_the_hash_seed_changes_nothing() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
