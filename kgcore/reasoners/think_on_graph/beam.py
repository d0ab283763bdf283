"""The beam as it grows: numbers its paths, keeps the best, and turns them into an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgcore.model import Literal, Subgraph
from kgcore.prompts import GiveAnswer
from kgcore.reasoners.linking import root_of
from kgcore.reasoners.proofs import Explored, proven
from kgcore.reasoners.think_on_graph.config import ThinkOnGraphConfig
from kgcore.reasoners.think_on_graph.paths import ReasoningPath, nodes_of, together
from kgcore.steps import NodeAdded, NodePruned, NodeScored, Reasoning, Seed

SHOWN_PRUNED = 4  # pruned paths shown for each step, the best of them


@dataclass(frozen=True, slots=True)
class Grown:
    """A path one step longer, with the two scores it is ordered by."""

    path: ReasoningPath
    relation_score: float
    entity_score: float

    @property
    def score(self) -> float:
        """Relation score × entity score."""
        return self.relation_score * self.entity_score


class Beam:
    """What a search knows: its question, its settings, and every path it kept."""

    def __init__(
        self,
        question: str,
        config: ThinkOnGraphConfig,
        seeds: tuple[Seed, ...],
        root: Subgraph,
    ) -> None:
        self.question, self.config, self.seeds, self.root = question, config, seeds, root
        self.kept: list[ReasoningPath] = []
        # What relation chains led to, gone on from or not (ToG-R).
        self.seen: list[ReasoningPath] = []
        self._last: tuple[ReasoningPath, ...] = ()
        self._n_nodes, self._n_expanded = 1, 0  # the root is there from the start

    def start(self) -> Reasoning:
        """Return the paths of length 0: the question's entities, at most N."""
        yield root_of(self.root)
        starts = self.root.entities[: self.config.width]
        paths = [ReasoningPath(0, None, 0, entity, self.root) for entity in starts]
        self._last = tuple(paths)
        return paths

    def keep(self, grown: Sequence[Grown]) -> Reasoning:
        """Return the N best of the grown paths, numbered; zeros go, equal scores keep their order."""
        order = sorted(range(len(grown)), key=lambda i: (-grown[i].score, i))
        best = [i for i in order if grown[i].score > 0][: self.config.width]
        shown = [i for i in order if i not in best][:SHOWN_PRUNED]
        kept: list[ReasoningPath] = []
        for i in [*best, *shown]:
            path = replace(grown[i].path, node=self._number(), score=grown[i].score)
            yield self._added(path)
            yield NodeScored(path.node, round(path.score, 3), _reason(grown[i]))
            if i in best:
                kept.append(path)
            else:
                yield NodePruned(path.node)
        self.kept += kept
        self._last = tuple(kept)
        return kept

    def _added(self, path: ReasoningPath) -> NodeAdded:
        taken = path.trajectory[-1]
        return NodeAdded(
            path.node,
            path.parent,
            path.depth,
            "beam",
            f"{taken.text} → {path.end.name}",
            triples=path.triples[-1:],
            same_as=path.subgraph.added_same_as,
            selected=taken.entities,
            direction=taken.option.direction if taken.option else "out",
        )

    def explored(self) -> Explored:
        """Return all paths kept so far together, and all that relation chains led to."""
        return together(self.root, [*self.kept, *self.seen])

    def about(self) -> tuple[int, ...]:
        """Return the numbers of the paths that stand in the beam now."""
        return nodes_of(self._last)

    def next_order(self) -> int:
        """Count an expansion."""
        self._n_expanded += 1
        return self._n_expanded

    def answered(self, given: GiveAnswer, explored: Explored, value: float) -> Reasoning:
        """Add the answer's node to the tree and return the answer with its proof.

        It hangs below the path that ends at what it names, else below the best one. `value` is 1 for an answer
        whose paths were judged to suffice.
        """
        parent = self._path_to(given, explored.subgraph)
        number = self._number()
        value = 0.0 if given.is_unknown else value
        depth = (parent.depth if parent else 0) + 1
        answer = proven(given, explored, self.seeds, value=value, node=number)
        known = {triple for path in self.kept for triple in path.triples}
        yield NodeAdded(
            number,
            parent.node if parent else 0,
            depth,
            "answer",
            given.text,
            "done",
            triples=tuple(triple for triple in answer.proof if triple not in known),
        )
        yield NodeScored(number, value)
        is_memory = answer.is_answer and not answer.proof
        return replace(answer, is_fallback=True) if is_memory else answer

    def _path_to(self, given: GiveAnswer, subgraph: Subgraph) -> ReasoningPath | None:
        named = {subgraph.canonical(e) for e in given.entities if e in subgraph}
        for path in reversed(self.kept):
            end = path.end
            is_named = (
                end in given.literals
                if isinstance(end, Literal)
                else subgraph.canonical(end.id) in named
            )
            if is_named:
                return path
        return self._last[0] if self._last else None

    def _number(self) -> int:
        self._n_nodes += 1
        return self._n_nodes - 1


def _reason(grown: Grown) -> str:
    return f"relation {grown.relation_score:.2f} × entity {grown.entity_score:.2f}"
