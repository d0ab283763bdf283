"""Domain values to plain data and back."""

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgcore.errors import InputError
from kgcore.model import (
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
    Triple,
    from_dict,
    to_dict,
    wired,
)
from kgcore.prompts import GiveAnswer, Rating, SelectEntities, SelectRelation, Think

TEXT = st.text(max_size=10)
ENTITIES = st.builds(
    Entity, TEXT.map(EntityId), TEXT, TEXT, TEXT, st.lists(TEXT, max_size=2).map(tuple), TEXT
)
LITERALS = st.builds(Literal, TEXT, TEXT, TEXT, TEXT)
RELATIONS = st.builds(Relation, TEXT.map(RelationId), TEXT, TEXT, TEXT)
PROVENANCES = st.builds(Provenance, TEXT, TEXT, TEXT, TEXT, TEXT)
TRIPLES = st.builds(Triple, ENTITIES, RELATIONS, ENTITIES | LITERALS, st.none() | PROVENANCES)
VALUES = st.one_of(
    ENTITIES,
    LITERALS,
    RELATIONS,
    TRIPLES,
    st.builds(Think, TEXT),
    st.builds(SelectEntities, st.lists(TEXT.map(EntityId), max_size=3).map(tuple)),
    st.builds(SelectRelation, st.integers()),
    st.builds(
        GiveAnswer, TEXT, st.just(()), st.lists(LITERALS, max_size=2).map(tuple), st.booleans()
    ),
    st.builds(Rating, st.floats(allow_nan=False), TEXT),
    st.dictionaries(TEXT, LITERALS, max_size=3),
    st.lists(TRIPLES, max_size=3).map(tuple),
)


def whole(value: Any) -> Any:
    """Return every field of a value, also those that equality leaves out."""
    if dataclasses.is_dataclass(value):
        return [type(value), *(whole(getattr(value, f.name)) for f in dataclasses.fields(value))]
    return [whole(item) for item in value] if isinstance(value, tuple) else value


@given(value=VALUES)
def test_value_comes_back_whole(value: Any) -> None:
    data = json.loads(json.dumps(to_dict(value)))
    assert whole(from_dict(data)) == whole(value)


def test_wire_form_is_tagged_and_leaves_out_defaults() -> None:
    entity = Entity(EntityId("wd:Q1"), "universe")
    assert to_dict(entity) == {"@": "Entity", "id": "wd:Q1", "label": "universe"}
    assert to_dict(("a", entity)) == ["a", to_dict(entity)]


def test_lists_come_back_as_tuples() -> None:
    assert from_dict([[1, 2], "a"]) == ((1, 2), "a")


def test_unknown_field_of_a_later_version_is_passed_over() -> None:
    assert from_dict({"@": "Entity", "id": "a", "colour": "red"}) == Entity(EntityId("a"))


@pytest.mark.parametrize(
    "data",
    [
        {"@": "Nothing"},
        {"@": None},
        {"@": ["Entity"]},
        {},
        {"id": "a"},
        {"@": "Entity"},
        {"@": "Triple", "subject": {"@": "Entity", "id": "a"}},
        {"@": "Entity", "id": {"@": "os.system"}},
        {"@": "dict"},
        {"@": "dict", "items": 3},
        {"@": "dict", "items": [1, 2]},
        {"@": "dict", "items": [["a", "b", "c"]]},
        {"@": "dict", "items": [[{"@": "dict", "items": []}, 1]]},
    ],
)
def test_data_of_another_form_is_an_input_error(data: Any) -> None:
    with pytest.raises(InputError):
        from_dict(data)


def test_deep_data_is_an_input_error() -> None:
    data: Any = "x"
    for _ in range(100_000):
        data = [data]
    with pytest.raises(InputError, match="too deeply"):
        from_dict(data)


def test_value_of_an_unknown_class_has_no_wire_form() -> None:
    with pytest.raises(TypeError, match="object has no wire form"):
        to_dict(object())


def test_class_of_a_known_name_is_refused() -> None:
    with pytest.raises(TypeError, match="two wired classes"):
        wired(type("Entity", (), {}))


def test_namesake_of_a_wired_class_has_no_wire_form() -> None:
    with pytest.raises(TypeError, match="no wire form"):
        to_dict(type("Entity", (), {})())
