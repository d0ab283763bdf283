"""Relation search and pruning (paper, section 2.1.2): which relations go on from the ends of the beam's paths?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from kgcore.prompts import Rating, RelationGroup, ScoreRelations
from kgcore.reasoners.linking import without_names
from kgcore.reasoners.think_on_graph.beam import Beam
from kgcore.reasoners.think_on_graph.paths import ReasoningPath
from kgcore.reasoners.think_on_graph.pruning import nearest, scored
from kgcore.steps import Reasoning, RelationOption, RelationOptions, Relations


@dataclass(frozen=True, slots=True)
class Followed:
    """A relation that is followed from the end of a path, and its score in 0…1."""

    path: ReasoningPath
    option: RelationOption
    score: float


@dataclass(frozen=True, slots=True)
class Offered:
    """The relations that go on from the end of a path."""

    path: ReasoningPath
    options: tuple[RelationOption, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """How each reads in its direction."""
        return tuple(option.phrase for option in self.options)


def search_relations(paths: Sequence[ReasoningPath], beam: Beam) -> Reasoning:
    """Return the relations to follow, best first: one graph request, then one to the model (or one a path)."""
    wanted = without_names(beam.question, beam.seeds)
    offered = yield from _offered(paths, beam, wanted)
    scores = yield from scored(offered, beam, wanted, lambda part: _request(part, beam))
    followed = [
        one
        for group, ratings in zip(offered, scores, strict=True)
        for one in _best(group, ratings, beam.config.width)
    ]
    if beam.config.is_batched:
        followed = sorted(followed, key=lambda one: -one.score)[: beam.config.width]
    return followed


def _offered(paths: Sequence[ReasoningPath], beam: Beam, wanted: str) -> Reasoning:
    """Find what goes on from each path, at most `max_options` relations; paths that end here are left out."""
    ids = tuple(dict.fromkeys(i for path in paths for i in path.ids))
    if not ids:
        return []
    result = yield Relations(ids, about=beam.about())
    found = result.items if isinstance(result, RelationOptions) else ()
    offered: list[Offered] = []
    for path in paths:
        options = tuple(o for o in found if _goes_on(path, o, beam.config.administrative))
        most = beam.config.max_options or len(options)
        kept = yield from nearest(Offered(path, options), most, wanted, "relations")
        if kept:
            offered.append(Offered(path, tuple(options[i] for i in kept)))
    return offered


def _best(group: Offered, ratings: Sequence[Rating], width: int) -> list[Followed]:
    """Return the best-scored relations of a path, at most N; zeros are dropped, ties keep their order."""
    followed = [
        Followed(group.path, option, rating.value)
        for option, rating in zip(group.options, ratings, strict=True)
        if rating.value > 0
    ]
    return sorted(followed, key=lambda one: -one.score)[:width]


def _goes_on(path: ReasoningPath, option: RelationOption, administrative: bool) -> bool:
    """Tell whether a relation touches the path's end, leads on, and is about the world."""
    if not set(path.ids) & set(option.touches):
        return False
    if not administrative and is_administrative(option):
        return False
    last = path.trajectory[-1].option if path.trajectory else None
    goes_back = (
        last is not None
        and last.relation.id == option.relation.id
        and last.direction != option.direction
    )
    return not (goes_back and option.count == 1 and not option.is_at_least)


def is_administrative(option: RelationOption) -> bool:
    """Tell whether a relation only keeps house in its graph."""
    labels, ids = _administrative()
    return option.relation.label in labels or option.relation.id.startswith(ids)


@cache
def _administrative() -> tuple[frozenset[str], tuple[str, ...]]:
    file = resources.files("kgcore.reasoners.think_on_graph") / "administrative.yaml"
    data = yaml.safe_load(file.read_text("utf-8"))
    return frozenset(data["labels"]), tuple(data["ids"])


def _request(groups: Sequence[Offered], beam: Beam) -> ScoreRelations:
    return ScoreRelations(
        beam.question,
        tuple(
            RelationGroup(
                group.path.text,
                group.path.ids[0],
                group.path.subgraph,
                group.path.trajectory,
                group.options,
            )
            for group in groups
        ),
        beam.config.width,
        beam.seeds,
        language=beam.config.language,
    )
