"""Names behind "+n" nodes are found, and opened, in the knowledge graph and in the search tree."""

from kgcore.model import Entity, EntityId, Subgraph, Triple
from kgcore.runs import RunView
from kgcore.steps import NodeAdded
from kgcore.views.finding import (
    folded_of,
    hidden_entities,
    hidden_steps,
    matching,
    reveal_step,
)
from kgcore.views.growth import Growth
from kgcore.views.palettes import LIGHT
from kgcore.views.tree_folds import TreeFolds
from kgcore.views.tree_network import MAX_NODES, tree_network
from tests.unit.views import hand_made as made

PEOPLE = tuple(Entity(EntityId(f"x:p{i}"), f"Pérson {i}") for i in range(31))
CAST = tuple(Triple(made.INCEPTION, made.CAST, person) for person in PEOPLE)


def crowded() -> tuple[Growth, Subgraph]:
    growth = Growth()
    growth.grow(NodeAdded(0, None, 0, "start", entities=(made.INCEPTION,)))
    growth.grow(NodeAdded(1, 0, 1, "expand", triples=CAST))
    return growth, Subgraph().add(CAST)


def steps(n: int) -> RunView:
    """A search tree of n thoughts below the start, each with one below it."""
    story = made.story()[:3]
    thoughts = [NodeAdded(i, 0, 1, "think", f"idea {i}") for i in range(1, n)]
    below = [NodeAdded(n + i, i, 2, "answer", f"answer {i}") for i in range(1, n)]
    return RunView.of(made.entries([*story, *thoughts, *below]))


def drawn(view: RunView, folds: TreeFolds) -> set[str]:
    return {str(node["id"]) for node in tree_network(view, LIGHT, folds=folds).nodes}


def test_names_match_without_case_and_accents_the_earliest_first() -> None:
    items = [("a", "Tom Léaud"), ("b", "Léa Seydoux"), ("c", "Anna"), ("d", "LEA Thompson")]
    assert [name for name, _ in matching(" lea ", items)] == ["b", "d", "a"]
    assert matching("", items) == []
    assert len(matching("l", items, most=2)) == 2


def test_what_waits_behind_a_fold_is_known_by_name_and_where_it_waits() -> None:
    growth, subgraph = crowded()
    hidden = hidden_entities(subgraph, growth)
    assert len(hidden) == 31 - 8
    (name, _), *_ = matching("person 30", hidden.items())
    fold = folded_of(growth, name)
    assert fold is not None
    growth.open(fold)
    assert name not in hidden_entities(subgraph, growth)
    assert folded_of(growth, name) is None


def test_of_an_earlier_moment_nothing_is_found_that_it_did_not_know() -> None:
    growth, _ = crowded()
    assert hidden_entities(Subgraph().add(CAST[:3]), growth) == {}


def test_beyond_a_part_that_alone_is_shown_all_is_hidden() -> None:
    growth, subgraph = crowded()
    hidden = hidden_entities(subgraph, growth, {made.INCEPTION.id})
    assert set(hidden) == {person.id for person in PEOPLE}


def test_a_step_in_a_branch_that_was_folded_is_revealed_and_undone() -> None:
    view, folds = made.view(), TreeFolds()
    folds.toggle(0)
    assert "director" in hidden_steps(view, drawn(view, folds))["3"]
    reveal_step(view, folds, 3, drawn(view, folds))
    assert "3" in drawn(view, folds)
    folds.undo()
    assert "3" not in drawn(view, folds)


def test_a_step_beyond_the_limit_is_revealed() -> None:
    view, folds = steps(MAX_NODES), TreeFolds()
    far = str(2 * MAX_NODES - 1)
    assert far in hidden_steps(view, drawn(view, folds))
    reveal_step(view, folds, int(far), drawn(view, folds))
    assert far in drawn(view, folds)
