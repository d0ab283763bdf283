"""Tests of how terms are told to people."""

from __future__ import annotations

import pytest

from kgcore.model import Relation, RelationId


@pytest.mark.parametrize(
    "label, inverse, wanted",
    [
        ("director", "", "is director of"),
        ("director", "directed", "directed"),
        ("导演", "", "以其为 导演"),
        ("导演", "执导", "执导"),
        ("", "", "is r of"),
    ],
)
def test_a_relation_read_backwards_speaks_the_language_of_its_label(
    label: str, inverse: str, wanted: str
) -> None:
    assert Relation(RelationId("r"), label, inverse).phrase("in") == wanted
