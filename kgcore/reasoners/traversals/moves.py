"""The moves of the search: sample actions at a node and make its children."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from kgcore.errors import IllegalMoveError
from kgcore.model import EntityId, to_dict
from kgcore.prompts import (
    Action,
    ChooseAction,
    ChooseEntities,
    ChooseRelation,
    GiveAnswer,
    SelectEntities,
    SelectRelation,
    Taken,
    Think,
)
from kgcore.reasoners.growing import grow
from kgcore.reasoners.offering import offered
from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.traversals.rating import rated
from kgcore.reasoners.traversals.states import KINDS, SearchNode, next_state
from kgcore.reasoners.traversals.tree import Pick, Tree
from kgcore.steps import (
    ActionRejected,
    Ask,
    Edges,
    Reasoning,
    RelationOptions,
    Relations,
    Replies,
    gather,
)


def children_of(node: SearchNode, tree: Tree) -> Reasoning:
    """Return the children of a node: one for each distinct action that was sampled."""
    sample = {
        "default": sample_action,
        "selecting_entities": sample_entities,
        "selecting_relation": sample_relation,
    }[node.state]
    picks: list[Pick] = yield from sample(node, tree)
    wanted = [edges_step(node, pick, tree.config) for pick in picks]
    arrived = yield from gather([step for step in wanted if step is not None])
    results = iter(arrived)
    children: list[SearchNode] = []
    for pick, step in zip(picks, wanted, strict=True):
        result = next(results) if step is not None else None
        try:
            child = transition(node, pick, result, len(tree.nodes))
        except IllegalMoveError as error:
            yield ActionRejected(node.id, KINDS[type(pick.action)], str(error))
            continue
        added = yield from tree.add(child, node, pick)
        if added is not None:
            children.append(added)
    return children


def sample_action(node: SearchNode, tree: Tree) -> Reasoning:
    """Default state: think, expand or answer."""
    config = tree.config
    allowed: tuple[str, ...] = ("think", "expand", "answer")
    if node.depth >= config.max_depth:
        allowed = ("answer",)
    elif not node.subgraph.entities:
        allowed = ("think", "answer")
    request = ChooseAction(
        tree.question,
        node.subgraph,
        tree.seeds,
        node.trajectory,
        allowed,
        language=config.language,
    )
    replies = yield Ask(request, config.k, config.temperature, about=(node.id,))
    return (yield from distinct(node, replies, config.k))


def sample_entities(node: SearchNode, tree: Tree) -> Reasoning:
    """Selecting entities: oversample and keep the first k distinct choices."""
    config, entities = tree.config, node.subgraph.entities
    if config.skip_single and len(entities) == 1:
        return [Pick(SelectEntities((entities[0].id,)))]
    request = ChooseEntities(
        tree.question, node.subgraph, tree.seeds, node.trajectory, language=config.language
    )
    replies = yield Ask(request, _oversampled(config), config.temperature, about=(node.id,))
    return (yield from distinct(node, replies, config.k))


def sample_relation(node: SearchNode, tree: Tree) -> Reasoning:
    """Selecting a relation of the selected entities: oversample and keep the first k distinct."""
    config = tree.config
    result = yield Relations(_all_ids(node), about=(node.id,))
    options = result.items if isinstance(result, RelationOptions) else ()
    if not options:
        yield ActionRejected(node.id, "select_relation", "no relation touches these entities")
        return []
    if config.skip_single and len(options) == 1:
        return [Pick(SelectRelation(0), option=options[0])]
    options = yield from offered(options, tree.question, tree.seeds, config, (node.id,))
    request = ChooseRelation(
        tree.question,
        node.subgraph,
        tree.seeds,
        node.trajectory,
        node.selected,
        options,
        config.shortlist,
        language=config.language,
    )
    replies = yield Ask(request, _oversampled(config), config.temperature, about=(node.id,))
    picks: list[Pick] = yield from distinct(node, replies, config.k)
    return [
        replace(pick, option=options[pick.action.option])
        for pick in picks
        if isinstance(pick.action, SelectRelation)
    ]


def _oversampled(config: TraversalConfig) -> int:
    return 1 if config.k == 1 else 2 * config.k


def distinct(node: SearchNode, replies: Replies, k: int) -> Reasoning:
    """Merge equal actions and keep the first k, most votes first; reject visibly what cannot be read.

    Equal votes are ordered by content, so the order of the samples only says which k are kept of more.
    """
    votes: Counter[Action] = Counter()
    for reply in replies.items:
        if reply.problem:
            yield ActionRejected(node.id, reply.text, reply.problem)
        else:
            votes[reply.value] += 1
    kept = sorted(list(votes.items())[:k], key=lambda item: (-item[1], str(to_dict(item[0]))))
    return [Pick(action, n, len(replies.items)) for action, n in kept]


def _all_ids(node: SearchNode) -> tuple[EntityId, ...]:
    """The ids of the selected entities in every graph that knows them."""
    return tuple(
        m.id for e in node.selected if e in node.subgraph for m in node.subgraph.members(e)
    )


def edges_step(node: SearchNode, pick: Pick, config: TraversalConfig) -> Edges | None:
    """Return the step that fetches what a chosen relation leads to; None for other actions."""
    option = pick.option
    if option is None:
        return None
    touched = tuple(i for i in _all_ids(node) if i in option.touches)
    ids = touched or _all_ids(node)
    return Edges(ids, option.relation.id, option.direction, config.edge_limit, (node.id,))


def transition(node: SearchNode, pick: Pick, result: object, new_id: int) -> SearchNode:
    """Return the child that an action leads to; IllegalMoveError where the table has no such move."""
    action = pick.action
    state = next_state(node.state, action)
    kind, subgraph = KINDS[type(action)], node.subgraph
    taken, selected, answer = Taken(kind, ""), node.selected, None
    if isinstance(action, Think):
        taken = replace(taken, text=action.text)
    elif isinstance(action, GiveAnswer):
        taken, answer = replace(taken, text=action.text), action
    elif isinstance(action, SelectEntities):
        selected = tuple(dict.fromkeys(subgraph.canonical(e) for e in action.entities))
        names = ", ".join(subgraph.entity(e).name for e in selected)
        taken = replace(taken, text=names, entities=selected)
    elif isinstance(action, SelectRelation):
        assert pick.option is not None
        subgraph = grow(node.subgraph, pick.option, result)
        if subgraph is node.subgraph:
            raise IllegalMoveError("this relation brings nothing new")
        n_new = len(subgraph) - len(node.subgraph)
        taken = Taken(kind, pick.option.phrase, node.selected, pick.option, n_new)
        selected = ()
    return SearchNode(
        new_id,
        node.id,
        node.depth + 1,
        state,
        subgraph,
        (*node.trajectory, taken),
        node.value,
        selected,
        answer,
    )


def forced_answers(node: SearchNode, tree: Tree) -> Reasoning:
    """Sample answers at a node whatever its state, and return them rated."""
    config = tree.config
    request = ChooseAction(
        tree.question,
        node.subgraph,
        tree.seeds,
        node.trajectory,
        ("answer",),
        language=config.language,
    )
    replies = yield Ask(request, config.k, config.temperature, about=(node.id,))
    picks: list[Pick] = yield from distinct(node, replies, config.k)
    children: list[SearchNode] = []
    for pick in picks:
        if not isinstance(pick.action, GiveAnswer):
            continue
        child = transition(replace(node, state="default"), pick, None, len(tree.nodes))
        added = yield from tree.add(child, node, pick)
        if added is not None:
            children.append(added)
    return (yield from rated(children, tree))
