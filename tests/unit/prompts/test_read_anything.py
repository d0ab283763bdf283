"""Whatever a model says, a reader answers with a value of its kind or with UnreadableReplyError, and soon."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgcore.errors import UnreadableReplyError
from kgcore.model import Entity, EntityId, Subgraph
from kgcore.prompts import (
    AnswerFromMemory,
    AnswerFromPaths,
    ChooseAction,
    ChooseEachEntity,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    ExpandKG,
    FindMentions,
    GiveAnswer,
    JudgePaths,
    RateAnswer,
    RateSiblings,
    RateState,
    Rating,
    ScoreEntities,
    ScoreRelations,
    SelectEntities,
    SelectRelation,
    Think,
    TypedRequest,
    Verdict,
)
from kgcore.prompts.wording import wording
from tests.unit.prompts.films import CANDIDATES, FILMS, OPTIONS, all_requests

WORDS = sorted({w for ways in wording().keywords.values() for w in ways} | set(wording().actions))
PIECES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(
        ["E1", "E12", "E99", "R1", "R2", "C1", "f:1", "1", "0", ".9", "90%", "8/10", "NaN"]
    ),
    st.sampled_from(
        ["\n", ": ", "：", "**", "```", "{", "}", "[", "]", '"', ",", "- ", "|", "<think>"]
    ),
    st.sampled_from(
        ["Christopher Nolan", "Paris", "none", "yes", "无法确定", "16 July 2010", "\u202e"]
    ),
    st.text(max_size=8),
)
SOUP = st.lists(PIECES, max_size=25).map("".join)
KEYS = st.one_of(st.sampled_from(WORDS), st.text(max_size=4))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
).map(lambda value: json.dumps(value))


def check(request: TypedRequest, value: Any) -> None:
    """Fail unless the value is one that the request may read to."""
    entities = {e.id for e in FILMS.entities}
    if isinstance(request, FindMentions):
        assert all(isinstance(m, str) and m.strip() for m in value)
    elif isinstance(request, ChooseEntity):
        assert value is None or value in range(len(CANDIDATES))
    elif isinstance(request, ChooseEachEntity):
        assert len(value) == len(request.items)
        assert all(chosen is None or chosen in range(len(CANDIDATES)) for chosen in value)
    elif isinstance(request, ChooseAction):
        assert isinstance(value, Think | ExpandKG | GiveAnswer)
        assert not isinstance(value, GiveAnswer) or entities.issuperset(value.entities)
        assert isinstance(value, ExpandKG) or value.text.strip()
    elif isinstance(request, ChooseEntities):
        assert isinstance(value, SelectEntities)
        assert value.entities
        assert entities.issuperset(value.entities)
    elif isinstance(request, ChooseRelation):
        assert isinstance(value, SelectRelation)
        assert value.option in range(request.shortlist or len(OPTIONS))
    elif isinstance(request, RateState | RateAnswer):
        assert isinstance(value, Rating)
        assert 0.0 <= value.value <= 1.0
    elif isinstance(request, RateSiblings):
        assert len(value) == len(request.items)
        assert all(0.0 <= r.value <= 1.0 for r in value)
    elif isinstance(request, ScoreRelations | ScoreEntities):
        things = [getattr(g, "options", None) or g.things for g in request.groups]
        assert [len(group) for group in value] == [len(group) for group in things]
        assert all(0.0 <= r.value <= 1.0 for group in value for r in group)
    elif isinstance(request, JudgePaths):
        assert isinstance(value, Verdict)
        assert value.is_enough == (value.answer is not None)
    elif isinstance(request, AnswerFromPaths):
        assert value.text.strip()
        assert entities.issuperset(value.entities)
    else:
        assert isinstance(request, AnswerFromMemory)
        assert value.entities == ()


def read(request: TypedRequest, reply: str) -> None:
    try:
        value = request.read(reply)
    except UnreadableReplyError as unreadable:
        problem = str(unreadable)
    else:
        check(request, value)
        return
    assert problem.strip()
    assert "\n" not in problem


REQUESTS = {f"{i}-{request.template}": request for i, request in enumerate(all_requests())}


@pytest.mark.parametrize("name", REQUESTS)
@settings(max_examples=60, deadline=None)
@given(reply=st.one_of(st.text(), SOUP, JSON))
def test_any_text_is_a_value_or_unreadable(name: str, reply: str) -> None:
    read(REQUESTS[name], reply)


LONG = {
    "stars": "*" * 200_000,
    "spaces": " " * 200_000 + "x",
    "line ends": "\n" * 200_000 + "x",
    "commas": "Entities: " + "a," * 50_000,
    "ands": "Entities: " + "a and " * 50_000,
    "digits": "Value: " + "1" * 100_000,
    "numbers": "0.5 " * 50_000,
    "brackets": "[" * 100_000,
    "braces": "{" * 100_000,
    "objects": '{"a":' * 50_000,
    "quotes": '"' * 100_000,
    "titles": "《" * 100_000,
    "fences": "```\n" * 50_000,
    "reasoning": "<think>" * 30_000,
    "keywords": "Action: " * 30_000,
    "keyword lines": "Action:\n" * 30_000,
    "items": "".join(f"{i}: 0.5\n" for i in range(30_000)),
    "handles": "Entities: " + "E1, " * 30_000,
    "dates": "Answer: " + "16 July 2010, " * 10_000,
    "answer of commas": "Action: answer\nAnswer: " + "a, " * 50_000,
    "answer of spaces": "Action: answer\nAnswer: a" + " " * 50_000 + "b",
    "underscores": "_" * 100_000,
    "percent": "Value: 0.5" + " " * 100_000 + "%",
}


@pytest.mark.parametrize("name", LONG)
def test_long_reply_is_read_soon(name: str) -> None:
    start = time.perf_counter()
    for request in REQUESTS.values():
        read(request, LONG[name])
    assert time.perf_counter() - start < 10


@given(
    labels=st.lists(st.text(max_size=12), min_size=1, max_size=15),
    data=st.data(),
)
@settings(max_examples=60, deadline=None)
def test_every_handle_and_id_reads_back_to_itself(labels: list[str], data: st.DataObject) -> None:
    graph = Subgraph().add(
        entities=[Entity(EntityId(f"g:{i}-x"), label) for i, label in enumerate(labels)]
    )
    request = ChooseEntities("?", graph, (), ())
    for entity in graph.entities:
        assert request.read(f"Entities: {graph.handle(entity.id)}").entities == (entity.id,)
        assert request.read(f"Entities: {entity.id}").entities == (entity.id,)
    some = data.draw(st.lists(st.sampled_from(graph.entities), min_size=1, unique=True))
    listed = ", ".join(graph.handle(e.id) for e in some)
    assert set(request.read(f"Entities: {listed}").entities) == {e.id for e in some}
    assert request.read(f"Entities: {listed}") == request.read(
        f"Entities: {', '.join(graph.handle(e.id) for e in reversed(some))}"
    )


@given(number=st.integers(min_value=0, max_value=10**9))
def test_handle_beyond_the_offer_is_always_rejected(number: int) -> None:
    request = ChooseEntities("?", FILMS, (), ())
    known = {FILMS.handle(e.id) for e in FILMS.entities}
    if f"E{number}" in known:
        assert FILMS.handle(request.read(f"Entities: E{number}").entities[0]) == f"E{number}"
    else:
        with pytest.raises(UnreadableReplyError):
            request.read(f"Entities: E{number}")


def test_every_option_reads_back_to_itself() -> None:
    relations = [r for r in all_requests() if isinstance(r, ChooseRelation)]
    assert len(relations) == 2
    for request in relations:
        for position, option in enumerate(request.options[: request.shortlist or None]):
            letter = "ABCDEFGHIJ"[position] if request.shortlist else f"R{position + 1}"
            assert request.read(f"Relation: {letter}").option == position
            assert request.read(f"Relation: {option.phrase}").option == position
