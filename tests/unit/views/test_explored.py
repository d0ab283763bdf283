"""What a person opened by hand: it grows, nothing moves, values stand apart."""

from __future__ import annotations

from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Triple
from kgcore.steps import EdgeSet
from kgcore.views.explored import Explored
from pages.components.theme import LIGHT

FILM = Entity(EntityId("t:film"), "Night Train", kg="toy")
ANN = Entity(EntityId("t:ann"), "Ann Lee", kg="toy")
DIRECTOR = Relation(RelationId("t:director"), "director", kg="toy")
LENGTH = Relation(RelationId("t:length"), "length", kg="toy")


def people(n: int) -> list[Entity]:
    return [Entity(EntityId(f"t:p{i}"), f"Person {i}", kg="toy") for i in range(n)]


def test_what_is_opened_and_followed_is_drawn_and_stays_where_it_is() -> None:
    explored = Explored(("toy",))
    explored.open(FILM)
    before = {node["id"]: (node["x"], node["y"]) for node in explored.network(LIGHT).nodes}
    explored.expand(EdgeSet((Triple(FILM, DIRECTOR, ANN),)))
    after = {node["id"]: (node["x"], node["y"]) for node in explored.network(LIGHT).nodes}
    assert set(after) == {"t:film", "t:ann"}
    assert after["t:film"] == before["t:film"]
    assert [edge["label"] for edge in explored.network(LIGHT).edges] == ["director"]


def test_values_are_kept_for_the_table_and_not_drawn() -> None:
    explored = Explored(("toy",))
    explored.open(FILM)
    value = Triple(FILM, LENGTH, Literal("90", "xsd:integer"))
    explored.expand(EdgeSet((value, Triple(FILM, DIRECTOR, ANN))))
    explored.keep_values((value,))
    assert explored.values_of(FILM.id) == [value]
    assert explored.values_of(EntityId("t:nobody")) == []
    assert len(explored.network(LIGHT).nodes) == 2


def test_what_is_opened_twice_is_there_once() -> None:
    explored = Explored(("toy",))
    explored.open(FILM)
    explored.expand(EdgeSet((Triple(FILM, DIRECTOR, ANN),)))
    explored.open(ANN)
    explored.open(FILM)
    assert explored.seeds == [FILM.id]
    assert len(explored.network(LIGHT).nodes) == 2


def test_of_many_leaves_the_rest_waits_behind_one_node() -> None:
    explored = Explored(("toy",))
    explored.open(FILM)
    explored.expand(EdgeSet(tuple(Triple(FILM, DIRECTOR, person) for person in people(30))))
    labels = [node["label"] for node in explored.network(LIGHT).nodes]
    assert "+22" in labels and len(labels) == 10


def test_another_language_renames_and_moves_nothing() -> None:
    explored = Explored(("toy",))
    explored.open(FILM)
    value = Triple(FILM, LENGTH, Literal("90", "xsd:integer"))
    explored.expand(EdgeSet((value, Triple(FILM, DIRECTOR, ANN))))
    places = {node["id"]: (node["x"], node["y"]) for node in explored.network(LIGHT).nodes}
    film = Entity(FILM.id, "夜车", kg="toy")
    explored.relabel([film], [Relation(DIRECTOR.id, "导演", kg="toy")])
    nodes = {node["id"]: node for node in explored.network(LIGHT).nodes}
    assert {name: (node["x"], node["y"]) for name, node in nodes.items()} == places
    assert [t.text for t in explored.subgraph.triples] == ["夜车 – 导演 – Ann Lee"]
    assert [t.subject.name for t in explored.values_of(FILM.id)] == ["夜车"]
    explored.undo()
    assert [entity.name for entity in explored.subgraph.entities] == ["夜车"]
