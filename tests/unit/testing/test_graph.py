"""The graph for tests does what its documentation says; that it is a graph the contract tests show."""

import pytest

from kgcore.errors import ServiceError
from kgcore.model import EntityId, Literal, RelationId
from kgcore.testing import MemoryGraph

INCEPTION, DIRECTOR = EntityId("wd:Q25188"), RelationId("wdt:P57")


def films() -> MemoryGraph:
    return MemoryGraph(
        "films",
        [
            ("wd:Q25188", "wdt:P57", "wd:Q25191"),
            ("wd:Q25188", "wdt:P577", Literal("2010-07-08", "xsd:date")),
        ],
        labels={"wd:Q25188": "Inception", "wd:Q25191": "Christopher Nolan", "wdt:P57": "director"},
        types={"wd:Q25188": ["film"]},
    )


def test_the_example_of_its_documentation() -> None:
    (triple,) = films().edges([INCEPTION], DIRECTOR).triples
    assert triple.text == "Inception – director – Christopher Nolan"
    assert triple.subject.types == ("film",)


def test_calls_are_listed_in_order() -> None:
    graph = films()
    graph.relations([INCEPTION])
    graph.edges([INCEPTION], DIRECTOR, limit=3)
    graph.link("Nolan")
    assert graph.requests == [
        ("relations", (INCEPTION,)),
        ("edges", ((INCEPTION,), DIRECTOR, "out", 3)),
        ("link", ("Nolan", "", 10, False)),
    ]


def test_an_error_is_raised_by_every_call_until_it_is_taken_away() -> None:
    graph = films()
    graph.error = ServiceError("down")
    for _ in range(2):
        with pytest.raises(ServiceError, match="down"):
            graph.describe([INCEPTION])
    graph.error = None
    assert graph.describe([INCEPTION]).entities


def test_a_relation_is_no_entity() -> None:
    graph = films()
    assert graph.link("director").items == ()
    assert graph.describe([EntityId("wdt:P57")]).entities == ()


def test_a_triple_written_twice_counts_once() -> None:
    fact = ("x:a", "x:p", "x:b")
    graph = MemoryGraph("twice", [fact, fact])
    assert graph.relations([EntityId("x:a")]).items[0].count == 1
