"""A graph as corrected reads as a graph that was right from the start."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kgcore.corrections import CorrectedGraph, Correction, mint
from kgcore.kg import KnowledgeGraph
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.model import Direction, Entity, EntityId, Literal, Relation, RelationId
from kgcore.testing import MemoryGraph
from tests.unit.corrections.toys import (
    ANN,
    BLUES,
    FOUNDED,
    HOME,
    NEW,
    OLD,
    PARK,
    PLAYS,
    REDS,
    YEAR,
    moves_home,
    toy,
)

BOTH: tuple[Direction, Direction] = ("out", "in")
Fact = tuple[str, str, str | Literal]


def ends(graph: KnowledgeGraph, asked: str, relation: str, direction: Direction) -> set[str]:
    found = graph.edges((EntityId(asked),), RelationId(relation), direction).triples
    return {(t.object if direction == "out" else t.subject).name for t in found}


def offered(graph: KnowledgeGraph, asked: str) -> dict[tuple[str, str], int]:
    options = graph.relations((EntityId(asked),)).items
    return {(o.relation.id, o.direction): o.count for o in options}


def test_a_replaced_triple_is_gone_from_both_ends_and_the_new_one_found_from_both() -> None:
    graph = CorrectedGraph(toy(), [moves_home()])
    assert ends(graph, REDS.id, HOME.id, "out") == {"new"}
    assert ends(graph, OLD.id, HOME.id, "in") == set()
    assert ends(graph, NEW.id, HOME.id, "in") == {"reds"}
    assert offered(graph, OLD.id) == {}
    assert offered(graph, NEW.id) == {(HOME.id, "in"): 1}


def test_the_old_end_is_no_example_of_the_relation_any_more() -> None:
    (option,) = (
        o
        for o in CorrectedGraph(toy(), [moves_home()]).relations((REDS.id,)).items
        if o.relation == HOME
    )
    assert (option.count, option.targets) == (1, ("new",))


def test_a_correction_that_the_source_took_over_changes_nothing() -> None:
    fixed = toy([(REDS.id, HOME.id, NEW.id), (ANN.id, PLAYS.id, REDS.id)])
    graph = CorrectedGraph(fixed, [moves_home()])
    for asked in (REDS, NEW, OLD):
        assert graph.relations((asked.id,)) == fixed.relations((asked.id,))
        for direction in BOTH:
            found = graph.edges((asked.id,), HOME.id, direction)
            assert found == fixed.edges((asked.id,), HOME.id, direction)


def test_a_value_can_be_retracted_and_added() -> None:
    year = Literal("1902", "xsd:gYear")
    graph = CorrectedGraph(
        toy(),
        [
            Correction("a", "retract", REDS, FOUNDED, YEAR, kg="toy"),
            Correction("b", "add", BLUES, FOUNDED, year, kg="toy"),
        ],
    )
    assert ends(graph, REDS.id, FOUNDED.id, "out") == set()
    assert ends(graph, BLUES.id, FOUNDED.id, "out") == {"1902"}
    assert (FOUNDED.id, "out") not in offered(graph, REDS.id)


def test_edges_that_were_not_fetched_are_counted_as_corrected() -> None:
    fans = [(f"t:fan{n}", PLAYS.id, REDS.id) for n in range(9)]
    base = toy([*fans, (REDS.id, HOME.id, OLD.id)])
    full = base.edges((REDS.id,), PLAYS.id, "in").triples
    hidden = full[-1]
    retract = Correction("r", "retract", hidden.subject, hidden.relation, REDS, kg="toy")
    found = CorrectedGraph(base, [retract]).edges((REDS.id,), PLAYS.id, "in", limit=4)
    assert len(found.triples) == 4
    assert dict(found.more) == {REDS.id: 4}


def test_what_was_added_is_seen_within_the_limit() -> None:
    fans = [(f"t:fan{n}", PLAYS.id, REDS.id) for n in range(9)]
    add = Correction("a", "add", ANN, PLAYS, REDS, kg="toy")
    found = CorrectedGraph(toy(fans), [add]).edges((REDS.id,), PLAYS.id, "in", limit=4)
    assert len(found.triples) == 4
    assert ANN in [t.subject for t in found.triples]
    assert dict(found.more) == {REDS.id: 6}


def test_an_entity_that_only_a_correction_knows_can_be_found_and_walked() -> None:
    arena = mint("New Arena")
    graph = CorrectedGraph(toy(), [replace(moves_home(), new_object=arena)])
    assert [c.entity for c in graph.link("new arena").items] == [arena]
    asked = graph.link("Who plays at the New Arena today?", is_question=True).items
    assert (asked[0].entity, asked[0].mention) == (arena, "New Arena")
    part = graph.link("Are there Newer New Arenas", is_question=True).items
    assert arena not in [c.entity for c in part]
    assert graph.describe((arena.id,)).entities[0].label == "New Arena"
    assert ends(graph, arena.id, HOME.id, "in") == {"reds"}
    assert CorrectedGraph(toy(), []).link("New Arena").items == ()


def test_the_version_follows_what_is_in_force() -> None:
    base = toy()
    one, other = moves_home(), Correction("x", "retract", BLUES, HOME, PARK, kg="toy")
    versions = [CorrectedGraph(base, c).version for c in ([], [one], [other], [one, other])]
    assert versions[0] == base.version
    assert len(set(versions)) == 4
    assert CorrectedGraph(base, [other, one]).version == versions[3]


def test_a_correction_holds_for_all_ids_of_an_entity() -> None:
    other = MemoryGraph(
        "other",
        [("o:reds", HOME.id, OLD.id)],
        labels={"o:reds": "reds"},
        same_as=[("o:reds", REDS.id)],
    )
    graph = CorrectedGraph(FederatedGraph([toy(), other]), [moves_home()])
    for asked in (REDS.id, "o:reds"):
        assert ends(graph, asked, HOME.id, "out") == {"new"}


def _random_facts(rng: random.Random) -> list[Fact]:
    names = [f"t:n{i}" for i in range(6)]
    return sorted(
        {(rng.choice(names), f"t:r{rng.randint(0, 1)}", rng.choice(names)) for _ in range(9)}
    )


@pytest.mark.parametrize("seed", range(40))
def test_any_graph_as_corrected_equals_the_right_one(seed: int) -> None:
    rng = random.Random(seed)
    wrong = _random_facts(rng)
    facts: dict[Fact, None] = dict.fromkeys(wrong)
    labels = {f"t:n{i}": f"n{i}" for i in range(6)} | {"t:r0": "r0", "t:r1": "r1"}
    corrections: list[Correction] = []
    for number, fact in enumerate(rng.sample(wrong, 3)):
        subject, relation, end = (fact[0], fact[1], str(fact[2]))
        action = rng.choice(("retract", "replace", "add"))
        fresh = rng.choice(
            [n for n in labels if n.startswith("t:n") and (subject, relation, n) not in facts]
        )
        one = Correction(
            str(number),
            action,  # type: ignore[arg-type]
            Entity(EntityId(subject), labels[subject]),
            Relation(RelationId(relation), labels[relation]),
            Entity(
                EntityId(fresh if action == "add" else end),
                labels[fresh if action == "add" else end],
            ),
            Entity(EntityId(fresh), labels[fresh]) if action == "replace" else None,
        )
        corrections.append(one)
        if action != "add":
            facts.pop((subject, relation, end), None)
        if action != "retract":
            facts[subject, relation, fresh] = None
    seen = CorrectedGraph(MemoryGraph("g", wrong, labels=labels), corrections)
    right = MemoryGraph("g", list(facts), labels=labels)
    for name in sorted(labels):
        assert offered(seen, name) == offered(right, name), (corrections, name)
        for relation in ("t:r0", "t:r1"):
            for direction in BOTH:
                assert ends(seen, name, relation, direction) == ends(
                    right, name, relation, direction
                )
