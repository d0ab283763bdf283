"""The search tree as it grows."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.model import Subgraph
from kgcore.prompts import Action
from kgcore.reasoners.linking import root_of
from kgcore.reasoners.traversals.config import TraversalConfig
from kgcore.reasoners.traversals.states import SearchNode
from kgcore.steps import NodeAdded, NodeMerged, Reasoning, RelationOption, Seed


@dataclass(frozen=True, slots=True)
class Pick:
    """An action that `votes` of `samples` samples chose; for a relation, the option it means."""

    action: Action
    votes: int = 1
    samples: int = 1
    option: RelationOption | None = None


class Tree:
    """The search tree as it grows; numbers its nodes and knows which contents it holds."""

    def __init__(self, question: str, config: TraversalConfig, seeds: tuple[Seed, ...]) -> None:
        self.question, self.config, self.seeds = question, config, seeds
        self.nodes: list[SearchNode] = []
        self._by_content: dict[tuple[object, ...], int] = {}

    @property
    def unanswered(self) -> list[SearchNode]:
        """All nodes that are no answer and from which none was given."""
        spoken = {n.parent for n in self.nodes if n.answer is not None}
        return [n for n in self.nodes if n.answer is None and n.id not in spoken]

    def plant(self, subgraph: Subgraph) -> Reasoning:
        """Add the root and return it."""
        root = SearchNode(0, None, 0, "default", subgraph)
        self._keep(root)
        yield root_of(subgraph)
        return root

    def add(self, node: SearchNode, parent: SearchNode, pick: Pick) -> Reasoning:
        """Add a child; return it, or None when the tree holds its equal already."""
        twin = self._by_content.get(node.content)
        self._keep(node)
        grown = node.subgraph if node.subgraph is not parent.subgraph else None
        taken = node.trajectory[-1]
        yield NodeAdded(
            node.id,
            parent.id,
            node.depth,
            taken.kind,
            taken.text,
            node.state,
            entities=grown.added_entities if grown else (),
            triples=grown.added_triples if grown else (),
            same_as=grown.added_same_as if grown else (),
            more=grown.added_more if grown else (),
            selected=taken.entities,
            direction=pick.option.direction if pick.option else "out",
            votes=pick.votes,
            samples=pick.samples,
        )
        if twin is not None:
            yield NodeMerged(node.id, twin)
            return None
        return node

    def update(self, node: SearchNode) -> None:
        """Keep the node's new value."""
        self.nodes[node.id] = node

    def _keep(self, node: SearchNode) -> None:
        self.nodes.append(node)
        self._by_content.setdefault(node.content, node.id)
