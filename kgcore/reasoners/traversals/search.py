"""Tree-of-Traversals (arXiv 2407.21358, section 3.3): value-guided best-first search over graph expansions.

Each expansion samples k actions at the best node of the frontier, makes a child for each distinct one, and
rates the children. The first answer rated at least `threshold` wins. Chain-of-Traversals is the same with
k = 1. Ties are broken by depth (deeper first), then age (older first): the tree never depends on set order or
a hash seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.reasoners.linking import link_question
from kgcore.reasoners.traversals.answers import fall_back, to_answer
from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.traversals.moves import children_of, forced_answers
from kgcore.reasoners.traversals.rating import rated
from kgcore.reasoners.traversals.states import SearchNode
from kgcore.reasoners.traversals.tree import Tree
from kgcore.steps import (
    Answer,
    AnswerProposed,
    Backtracked,
    NodeExpanded,
    Reasoning,
    best_of,
)


def tree_of_traversals(question: str, config: TraversalConfig) -> Reasoning:
    """Search and return an Answer."""
    subgraph, seeds = yield from link_question(question, config)
    tree = Tree(question, config, seeds)
    root = yield from tree.plant(subgraph)
    frontier, answers, last = [root], list[Answer](), root
    for order in range(1, config.max_expansions + 1):
        if not frontier:
            break
        node = max(frontier, key=promise)
        frontier.remove(node)
        if node.id != last.id and node.parent != last.id:
            yield backtrack(tree, last, node)
        yield NodeExpanded(node.id, order)
        children = yield from children_of(node, tree)
        children = yield from rated(children, tree)
        for child in children:
            if child.answer is None:
                frontier.append(child)
            else:
                answers.append(to_answer(child, seeds))
                yield AnswerProposed(answers[-1])
        best = best_of(answers)
        if best is not None and best.value >= config.threshold:
            return best
        last = node
    silent = frontier or tree.unanswered
    if best_of(answers) is None and silent:
        for child in (yield from forced_answers(max(silent, key=promise), tree)):
            answers.append(to_answer(child, seeds))
            yield AnswerProposed(answers[-1])
    answer = yield from fall_back(question, best_of(answers), answers, config)
    return answer if answer.is_answer else replace(answer, limit=limit_met(frontier, tree))


def limit_met(frontier: Sequence[SearchNode], tree: Tree) -> str:
    """Return the limit that kept the search from going on; "" where none did."""
    if frontier:
        return f"limit: {tree.config.max_expansions} expansions"
    if any(node.depth >= tree.config.max_depth for node in tree.nodes if node.answer is None):
        return f"limit: depth {tree.config.max_depth}"
    return ""


def promise(node: SearchNode) -> tuple[float, int, int]:
    """Order the frontier: higher value, then deeper, then older."""
    return (node.value, node.depth, -node.id)


def backtrack(tree: Tree, last: SearchNode, node: SearchNode) -> Backtracked:
    """Say why the search leaves the branch it was in."""
    left = [n.value for n in tree.nodes if n.parent == last.id and n.answer is None]
    if not left:
        reason = "the last node led nowhere"
    else:
        reason = f"value {node.value:.2f} is higher than {max(left):.2f}"
        if node.value <= max(left):
            reason = f"value {node.value:.2f} comes first"
    return Backtracked(last.id, node.id, max(left, default=0.0), node.value, reason)
