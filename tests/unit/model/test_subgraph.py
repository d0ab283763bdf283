"""Growth, numbering, joining and naming of subgraphs."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgcore.model import (
    Entity,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
    Subgraph,
    Triple,
)


def e(name: str, label: str = "", description: str = "") -> Entity:
    return Entity(EntityId(name), label, description)


R = Relation(RelationId("r"), "relates to")
S = Relation(RelationId("s"), "is said of")


def ids(graph: Subgraph) -> list[str]:
    return [entity.id for entity in graph.entities]


def test_entities_are_numbered_in_order_of_growth() -> None:
    graph = Subgraph().add([Triple(e("b"), R, e("a"))]).add([Triple(e("a"), R, e("c"))])
    assert ids(graph) == ["b", "a", "c"]
    assert [graph.handle(EntityId(i)) for i in ("b", "a", "c")] == ["E1", "E2", "E3"]


def test_child_keeps_its_parents_numbers_and_leaves_the_parent_alone() -> None:
    parent = Subgraph().add([Triple(e("a"), R, e("b"))])
    one, other = parent.add([Triple(e("a"), R, e("x"))]), parent.add([Triple(e("b"), R, e("y"))])
    assert ids(parent) == ["a", "b"]
    assert one.handle(EntityId("b")) == other.handle(EntityId("b")) == "E2"
    assert one.handle(EntityId("x")) == other.handle(EntityId("y")) == "E3"
    assert EntityId("y") not in one


def test_numbers_belong_to_a_subgraph_and_not_to_a_run() -> None:
    first = Subgraph().add([Triple(e("a"), R, e("b"))])
    second = Subgraph().add([Triple(e("b"), R, e("a"))])
    assert first.handle(EntityId("a")) == second.handle(EntityId("b")) == "E1"


def test_nothing_new_gives_the_same_subgraph() -> None:
    triples = [Triple(e("a", "A"), R, e("b")), Triple(e("a"), R, Literal("1"))]
    graph = Subgraph().add(triples, more={(EntityId("a"), R.id, "out"): 3})
    assert graph.add(triples) is graph
    assert graph.add(entities=[e("a", "A")]) is graph
    assert graph.add(more={(EntityId("a"), R.id, "out"): 3}) is graph
    assert graph.add(more={(EntityId("b"), R.id, "out"): 0}) is graph
    assert graph.add() is graph


def test_triple_is_kept_once_whatever_its_provenance() -> None:
    triple = Triple(e("a"), R, e("b"), Provenance("one"))
    again = Triple(e("a"), R, e("b"), Provenance("two"))
    graph = Subgraph().add([triple, again]).add([again])
    assert len(graph) == 1
    assert graph.triples[0].provenance == Provenance("one")
    assert graph.digest == Subgraph().add([triple]).digest


def test_parallel_edges_loops_and_literals_are_all_kept() -> None:
    graph = Subgraph().add(
        [
            Triple(e("a"), R, e("a")),
            Triple(e("a"), R, e("b")),
            Triple(e("a"), S, e("b")),
            Triple(e("b"), R, e("a")),
            Triple(e("a"), R, Literal("1")),
            Triple(e("a"), R, Literal("1", "xsd:integer")),
            Triple(e("a"), R, Literal("b")),
        ]
    )
    assert len(graph) == 7


def test_what_is_learnt_later_fills_gaps_and_never_overwrites() -> None:
    graph = Subgraph().add([Triple(e("a"), R, e("b", "old"))])
    told = graph.add(entities=[e("a", "label", "said of it"), e("b", "new", "said of it")])
    assert told is not graph
    assert told.entity(EntityId("a")).label == "label"
    assert told.entity(EntityId("b")).label == "old"
    assert told.entity(EntityId("b")).description == "said of it"
    assert told.triples[0].subject.label == "label"
    assert ids(told) == ["a", "b"]
    again = graph.add([Triple(e("a", "label"), R, e("b"))])
    assert again.entity(EntityId("a")).label == "label"
    assert len(again) == 1


def test_what_is_said_twice_of_a_new_entity_is_put_together() -> None:
    graph = Subgraph().add(entities=[e("a", "label"), e("a", "", "said of it")])
    assert graph.entity(EntityId("a")).description == "said of it"
    assert graph.entity(EntityId("a")).label == "label"


# Joining


def test_joined_ids_are_one_entity_under_the_first_number() -> None:
    graph = Subgraph().add([Triple(e("a"), R, e("b")), Triple(e("x"), R, e("c"))])
    joined = graph.add(same_as=[(EntityId("x"), EntityId("a"))])
    assert ids(joined) == ["a", "b", "c"]
    assert joined.handle(EntityId("x")) == "E1"
    assert joined.handle(EntityId("c")) == "E4"  # numbers are never given twice
    assert joined.canonical(EntityId("x")) == "a"
    assert [m.id for m in joined.members(EntityId("a"))] == ["a", "x"]
    assert {t.subject.id for t in joined.triples} == {"a"}
    assert ids(graph) == ["a", "b", "x", "c"]


def test_joining_merges_edges_that_become_equal() -> None:
    graph = Subgraph().add([Triple(e("a"), R, e("b")), Triple(e("x"), R, e("y"))])
    joined = graph.add(same_as=[(EntityId("a"), EntityId("x")), (EntityId("b"), EntityId("y"))])
    assert len(joined) == 1
    assert joined.add([Triple(e("x"), R, e("b"))]) is joined


def test_joining_keeps_the_order_of_edges() -> None:
    triples = [Triple(e("a"), R, e(f"n{i}")) for i in range(5)]
    graph = Subgraph().add([*triples, Triple(e("x"), R, e("n0"))])
    joined = graph.add(same_as=[(EntityId("a"), EntityId("x"))])
    assert [t.object.name for t in joined.triples] == ["n0", "n1", "n2", "n3", "n4"]


def test_id_not_seen_yet_joins_an_entity() -> None:
    graph = Subgraph().add(entities=[e("a", "A")]).add(same_as=[(EntityId("x"), EntityId("a"))])
    assert EntityId("x") in graph
    assert graph.handle(EntityId("x")) == "E1"
    told = graph.add(entities=[e("x", "other label", "said there")])
    assert told.entity(EntityId("a")).label == "A"
    assert told.entity(EntityId("a")).description == "said there"
    assert [m.label for m in told.members(EntityId("a"))] == ["A", "other label"]


def test_link_between_ids_nobody_knows_changes_nothing() -> None:
    graph = Subgraph().add(entities=[e("a")])
    assert graph.add(same_as=[(EntityId("x"), EntityId("y"))]) is graph
    assert graph.add(same_as=[(EntityId("a"), EntityId("a"))]) is graph


@pytest.mark.parametrize("seed", range(6))
def test_chain_of_links_joins_in_any_order(seed: int) -> None:
    pairs = [(EntityId(a), EntityId(b)) for a, b in ("ab", "bc", "dc", "de")]
    random.Random(seed).shuffle(pairs)
    graph = Subgraph().add(entities=[e("a")]).add(same_as=pairs)
    assert ids(graph) == ["a"]
    assert all(graph.canonical(EntityId(i)) == "a" for i in "abcde")
    assert graph.add(same_as=pairs) is graph
    assert graph.add(same_as=reversed(pairs)) is graph


def test_a_subgraph_tells_the_links_that_join_its_ids() -> None:
    graph = Subgraph().add([Triple(e("a"), R, e("b"))])
    assert graph.same_as == ()
    joined = graph.add(same_as=[(EntityId("x"), EntityId("a")), (EntityId("x"), EntityId("y"))])
    assert set(joined.same_as) == {("a", "x"), ("a", "y")}
    assert Subgraph().add(entities=[e("a")], same_as=joined.same_as).members(EntityId("y"))


def test_links_come_with_the_triples_they_speak_of() -> None:
    graph = Subgraph().add([Triple(e("a"), R, e("b"))], same_as=[(EntityId("b"), EntityId("m:b"))])
    assert graph.canonical(EntityId("m:b")) == "b"


# What is not fetched


def test_counts_of_what_was_not_fetched_are_kept_and_replaced() -> None:
    group = (EntityId("a"), R.id, "out")
    graph = Subgraph().add([Triple(e("a"), R, e("b"))], more={group: 12})  # type: ignore[dict-item]
    assert graph.more == {group: 12}
    assert graph.add(more={group: 2}).more == {group: 2}  # type: ignore[dict-item]
    assert graph.more == {group: 12}


# Names of content


def test_digest_names_the_content() -> None:
    triple = Triple(e("a", "A", "first"), R, e("b", "B"))
    digest = Subgraph().add([triple]).digest
    assert digest == Subgraph().add([triple]).digest
    for other in (
        Triple(e("a", "A", "first"), R, e("b", "C")),
        Triple(e("a", "A", "second"), R, e("b", "B")),
        Triple(e("a", "A", "first"), R, e("b", "B", "x")),
        Triple(e("a", "A", "first"), Relation(R.id, "relates to", "inverse"), e("b", "B")),
        Triple(e("a", "A", "first"), R, Literal("b")),
    ):
        assert Subgraph().add([other]).digest != digest


def test_digest_knows_no_provenance() -> None:
    plain = Triple(e("a"), R, e("b"))
    sourced = Triple(e("a"), R, e("b"), Provenance("kg", "SELECT", "2020-01-01T00:00:00Z"))
    assert Subgraph().add([plain]).digest == Subgraph().add([sourced]).digest


def test_digest_of_half_a_character_is_no_error() -> None:
    assert Subgraph().add(entities=[e("a", "\ud800")]).digest


def test_unknown_id_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        Subgraph().entity(EntityId("a"))
    assert Subgraph().canonical(EntityId("a")) == "a"
    assert EntityId("a") not in Subgraph()


NAMES = st.sampled_from("abcdef")
TRIPLES = st.builds(
    Triple, NAMES.map(e), st.sampled_from([R, S]), NAMES.map(e) | NAMES.map(lambda n: Literal(n))
)
PAIRS = st.tuples(NAMES.map(EntityId), NAMES.map(EntityId))
STEPS = st.lists(st.tuples(st.lists(TRIPLES, max_size=4), st.lists(PAIRS, max_size=2)), max_size=6)


@settings(max_examples=150, deadline=None)
@given(steps=STEPS)
def test_any_growth_keeps_its_promises(
    steps: list[tuple[list[Triple], list[tuple[EntityId, EntityId]]]],
) -> None:
    graph = Subgraph()
    for triples, pairs in steps:
        before = {entity.id: graph.handle(entity.id) for entity in graph.entities}
        child = graph.add(triples, same_as=pairs)
        assert child.add(triples, same_as=pairs) is child
        assert {i: graph.handle(i) for i in before} == before
        for i, handle in before.items():
            if child.canonical(i) == i:
                assert child.handle(i) == handle
        handles = [child.handle(entity.id) for entity in child.entities]
        assert len(set(handles)) == len(handles)
        assert handles == sorted(handles, key=lambda h: int(h[1:]))
        ends = {(t.subject.id, t.relation.id, t.object) for t in child.triples}
        assert len(ends) == len(child) == len(child.triples)
        assert all(t.subject.id in child for t in triples)
        graph = child
