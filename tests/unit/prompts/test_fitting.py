"""A prompt that is too long shrinks by the rule, says what is gone, and fits."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgcore.errors import ContextWindowError
from kgcore.model import Entity, EntityId, Relation, RelationId, Subgraph, Triple
from kgcore.prompts import (
    ChooseEntity,
    ChooseRelation,
    FilePromptSet,
    GiveAnswer,
    Prompt,
    RateAnswer,
    RateSiblings,
    RateState,
    Repair,
    Taken,
    TypedRequest,
)
from kgcore.steps import Candidate, RelationOption

PROMPTS = FilePromptSet()
QUESTION = "Which actor of Film 7 was born in Town 3?"


def film(number: int) -> Entity:
    return Entity(EntityId(f"f:{number}"), f"Film {number}")


def big_graph(n: int = 60) -> Subgraph:
    cast, born = (
        Relation(RelationId("r:c"), "cast member"),
        Relation(RelationId("r:b"), "birth place"),
    )
    people = [Entity(EntityId(f"p:{i}"), f"Person Number {i}") for i in range(n)]
    towns = [Entity(EntityId(f"t:{i}"), f"Town {i}") for i in range(n)]
    return Subgraph().add(
        [Triple(film(i % 9), cast, people[i]) for i in range(n)]
        + [Triple(people[i], born, towns[i]) for i in range(n)]
    )


GRAPH = big_graph()
STEPS = tuple(Taken("think", f"Thought number {i} about the films and towns.") for i in range(12))
OPTIONS = tuple(
    RelationOption(Relation(RelationId(f"r:{i}"), f"kind of relation {i}"), "out", i, (film(1).id,))
    for i in range(1, 60)
)
STATE = RateState(QUESTION, GRAPH, (), STEPS)
CHOICE = ChooseRelation(QUESTION, GRAPH, (), STEPS, (film(1).id,), OPTIONS)
LISTED = replace(CHOICE, shortlist=20)
CANDIDATES = ChooseEntity(
    QUESTION,
    "Film 7",
    tuple(Candidate(Entity(EntityId(f"c:{i}"), f"Film {i}"), 1.0) for i in range(90)),
)
SIBLINGS = RateSiblings(
    QUESTION,
    (
        replace(
            STATE,
            subgraph=GRAPH.add(
                [
                    Triple(film(1), Relation(RelationId(f"n:{i}"), "made by"), film(100 + i))
                    for i in range(30)
                ]
            ),
        ),
        replace(STATE, trajectory=(*STEPS, Taken("think", "One more."))),
        RateAnswer(QUESTION, GRAPH, (), STEPS, GiveAnswer("Film 7")),
    ),
)
REQUESTS: dict[str, TypedRequest] = {
    "state": STATE,
    "relation": CHOICE,
    "shortlist": LISTED,
    "candidates": CANDIDATES,
    "siblings": SIBLINGS,
    "repair": Repair(QUESTION, STATE, "hm", "no value"),
}


def shrunk(request: TypedRequest, max_tokens: int) -> Prompt:
    prompt = request.render(PROMPTS, max_tokens=max_tokens)
    assert prompt.n_tokens <= max_tokens
    return prompt


@pytest.mark.parametrize("name", REQUESTS)
@settings(max_examples=25, deadline=None)
@given(share=st.floats(min_value=0.0, max_value=1.0))
def test_prompt_fits_or_says_that_it_cannot(name: str, share: float) -> None:
    request = REQUESTS[name]
    whole = request.render(PROMPTS).n_tokens
    max_tokens = int(whole * share)
    try:
        prompt = request.render(PROMPTS, max_tokens=max_tokens)
    except ContextWindowError:
        assert share < 0.9
    else:
        assert prompt.n_tokens <= max_tokens
        assert bool(prompt.left_out) == (max_tokens < whole)
        assert QUESTION in prompt.user


@pytest.mark.parametrize("name", REQUESTS)
def test_prompt_that_fits_is_whole(name: str) -> None:
    request = REQUESTS[name]
    whole = request.render(PROMPTS)
    assert request.render(PROMPTS, max_tokens=whole.n_tokens) == whole
    assert whole.left_out == ()


def test_subgraph_shrinks_first() -> None:
    whole = CHOICE.render(PROMPTS).n_tokens
    prompt = shrunk(CHOICE, whole - 300)
    assert [line.split(" ", 1)[1] for line in prompt.left_out] == ["facts of the subgraph"]
    assert "R59 kind of relation 59" in prompt.user
    assert "1. Thought: Thought number 0 " in prompt.user


def test_options_shrink_next_from_their_end() -> None:
    least_facts = replace(CHOICE, subgraph=Subgraph()).render(PROMPTS).n_tokens
    prompt = shrunk(CHOICE, least_facts - 200)
    assert prompt.left_out[0] == "120 facts of the subgraph"
    assert prompt.left_out[1].endswith(" options")
    n_gone = int(prompt.left_out[1].split()[0])
    assert f"R{59 - n_gone} kind" in prompt.user
    assert f"R{59 - n_gone + 1} kind" not in prompt.user
    assert f"({n_gone} more are not shown)" in prompt.user
    assert "Thought number 0 " in prompt.user


def test_oldest_steps_go_last() -> None:
    one_option = replace(CHOICE, subgraph=Subgraph(), options=OPTIONS[:1]).render(PROMPTS).n_tokens
    prompt = shrunk(CHOICE, one_option - 60)
    assert prompt.left_out[:2] == ("120 facts of the subgraph", "58 options")
    assert prompt.left_out[2].endswith(" earlier steps")
    assert "Thought number 0 " not in prompt.user
    assert "Thought number 11 " in prompt.user
    assert "earlier steps are not shown" in prompt.user


def test_too_small_a_window_is_an_error_that_says_by_how_much() -> None:
    with pytest.raises(
        ContextWindowError, match=r"choose_relation needs about \d+ tokens .* takes 200"
    ):
        CHOICE.render(PROMPTS, max_tokens=200)


def test_none_of_these_stays_to_the_last() -> None:
    shortest = replace(LISTED, subgraph=Subgraph()).render(PROMPTS).n_tokens - 150
    prompt = shrunk(LISTED, shortest)
    assert "U none of these" in prompt.user
    assert "T kind" not in prompt.user
    small = shrunk(CANDIDATES, CANDIDATES.render(PROMPTS).n_tokens - 200)
    assert "\nnone: none of these" in small.user


def test_facts_that_share_words_with_the_question_stay_longest() -> None:
    prompt = shrunk(STATE, STATE.render(PROMPTS).n_tokens - 800)
    assert "Town 3" in prompt.user
    assert "Person Number 7" in prompt.user  # of Film 7
    assert "Town 40" not in prompt.user


def test_siblings_shrink_what_they_share_before_what_is_new() -> None:
    whole = SIBLINGS.render(PROMPTS).n_tokens
    prompt = shrunk(SIBLINGS, whole - 400)
    assert prompt.left_out[0].endswith("facts of the subgraph")
    assert "Film 129" in prompt.user
    least = replace(
        SIBLINGS, items=tuple(replace(i, subgraph=Subgraph()) for i in SIBLINGS.items)
    ).render(PROMPTS)
    tight = shrunk(SIBLINGS, least.n_tokens + 120)
    assert int(tight.left_out[0].split()[0]) > 110
    assert tight.left_out[1].endswith("new facts of the items")
    assert all(f"\n{n}: " in tight.user for n in (1, 2, 3))


def test_repair_leaves_room_for_itself() -> None:
    repair = Repair(QUESTION, STATE, "r" * 400, "no value")
    whole = repair.render(PROMPTS).n_tokens
    prompt = shrunk(repair, whole - 300)
    assert "r" * 400 in prompt.user
    assert prompt.left_out
