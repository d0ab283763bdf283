"""Where there are more than a few relations, those near to the question are offered first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgcore.model import Entity, EntityId, Relation, RelationId
from kgcore.reasoners.offering import A_FEW, offered
from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.steps import Rank, Ranking, RelationOption, Seed, Warned

TITANIC = Entity(EntityId("x:titanic"), "Titanic")
SEEDS = (Seed("Titanic", TITANIC), Seed("the nobody", None))
QUESTION = "Who directed titanic?"


def options(n: int) -> tuple[RelationOption, ...]:
    return tuple(
        RelationOption(Relation(RelationId(f"p:{i}"), f"relation {i}"), "out", 1, (TITANIC.id,))
        for i in range(n)
    )


def offer(n: int, order: Sequence[int] = (), **settings: Any) -> tuple[list[int], list[Any]]:
    """Return the numbers of the options that are offered, and what the generator yielded."""
    generator = offered(options(n), QUESTION, SEEDS, TraversalConfig(**settings), (7,))
    yielded: list[Any] = []
    sent: Any = None
    while True:
        try:
            item = generator.send(sent)
        except StopIteration as stop:
            return [int(o.relation.id[2:]) for o in stop.value], yielded
        yielded.append(item)
        sent = Ranking(tuple(order), (0.5,) * n) if isinstance(item, Rank) else None


def test_a_few_options_keep_the_order_of_the_graph() -> None:
    assert offer(A_FEW) == (list(range(A_FEW)), [])


def test_more_options_are_ranked_by_the_question_without_its_names() -> None:
    order = (6, 0, 5, 1, 4, 2, 3)
    shown, yielded = offer(7, order)
    assert shown == list(order)
    assert yielded == [Rank("Who directed …?", tuple(f"relation {i}" for i in range(7)), (7,))]


def test_without_ranking_the_order_is_the_graphs_own() -> None:
    assert offer(9, rank_options=False) == (list(range(9)), [])


def test_options_beyond_the_most_are_left_out_and_told() -> None:
    order = (4, 3, 2, 1, 0)
    shown, yielded = offer(5, order, max_options=2)
    assert shown == [4, 3]
    assert yielded[1] == Warned("3 of 5 relations were not offered")
    assert offer(5, order, max_options=2, rank_options=False)[0] == [3, 4]


def test_a_shortlist_shows_the_nearest_whatever_the_setting_of_the_order() -> None:
    order = (2, 1, 0)
    for is_ranked in (True, False):
        shown, yielded = offer(3, order, shortlist=2, rank_options=is_ranked)
        assert shown == [2, 1, 0]
        assert [type(item) for item in yielded] == [Rank]
