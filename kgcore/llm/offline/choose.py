"""Choose what to do next in a search: act, select entities, select a relation.

Each function returns its choices best first, each with a weight in 0…1; `spread` turns them into samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from kgcore.llm.offline.conclude import answer_of, conclude
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.reading import Reading, make
from kgcore.llm.offline.trail import Trail
from kgcore.llm.offline.trails import followed, trails
from kgcore.model import EntityId
from kgcore.prompts import (
    Action,
    ChooseAction,
    ChooseEntities,
    ExpandKG,
    GiveAnswer,
    SelectEntities,
    Situation,
)

T = TypeVar("T")
Choices = list[tuple[T, float]]

MAX_SELECTED = 200
_WORTH_SHOWING = 0.45  # the share of the best weight from which a choice is sampled at all


def spread(choices: Sequence[tuple[T, float]], n: int) -> tuple[T, ...]:
    """Return n samples: every choice of some weight once, best first, then the best again and again."""
    if not choices:
        return ()
    best = choices[0][1]
    shown = [choice for choice, weight in choices if weight >= _WORTH_SHOWING * best][:n]
    return (*shown, *([shown[0]] * (n - len(shown))))


def choose_action(request: ChooseAction, analysis: Analysis) -> Choices[Action]:
    """Answer when the question is explained, expand when more can be, say so when nothing leads on."""
    reading = conclude(request, analysis)
    answer = answer_of(reading, analysis)
    can_expand = "expand" in request.allowed and bool(next_sources(request, analysis))
    if not can_expand or is_dead_end(request, analysis):
        return [(answer, 1.0)]
    if reading.is_complete and not answer.is_unknown:
        return [(answer, 1.0)]
    expand: tuple[Action, float] = (ExpandKG(), 1.0)
    if answer.is_unknown:
        return [expand]
    if not open_clues(reading, analysis) and not _has_idle_mention(request, analysis):
        return [(answer, 1.0), (ExpandKG(), 0.6)]
    return [expand, (answer, 0.5)]


def open_clues(reading: Reading, analysis: Analysis) -> tuple[int, ...]:
    """Return the clues of weight that a reading leaves unexplained."""
    return tuple(i for i in reading.open if analysis.clues[i].weight >= 0.3)


def is_dead_end(situation: Situation, analysis: Analysis) -> bool:
    """Tell whether the last relation followed explains nothing of the question."""
    hops = followed(situation)
    if not hops:
        return False
    last = hops[-1]
    ends = [t for t in trails(situation, analysis) if t.hops and t.hops[-1].option == last.option]
    return not any(t.last[0] >= 0 for t in ends) and not _helps(situation, analysis)


def _helps(situation: Situation, analysis: Analysis) -> bool:
    return conclude(situation, analysis).is_complete


def _has_idle_mention(situation: Situation, analysis: Analysis) -> bool:
    found = trails(situation, analysis)
    used = {t.mention for t in found if t.hops}
    return any(t.mention not in used and t.mention not in analysis.qualifiers for t in found)


def choose_entities(request: ChooseEntities, analysis: Analysis) -> Choices[SelectEntities]:
    """Select what the next relation should be followed from."""
    return [(SelectEntities(group), weight) for group, weight in next_sources(request, analysis)]


def next_sources(situation: Situation, analysis: Analysis) -> Choices[tuple[EntityId, ...]]:
    """Return groups of entities worth expanding."""
    found = trails(situation, analysis)
    starts = [t for t in found if not t.hops]
    walked = [t for t in found if t.hops and t.last[0] >= 0]
    met = {t.mention for t in walked}
    idle = [
        t
        for t in starts
        if walked and t.mention not in met and t.mention not in analysis.qualifiers
    ]
    choices: Choices[tuple[EntityId, ...]] = [(_starts(starts), 0.45 if walked else 1.0)]
    if analysis.kind in ("compare", "same", "common", "count"):
        choices.append((_starts(idle), 1.0))
    if _has_open_twin(walked, analysis):
        choices.append((_starts(starts), 1.0))
    if not idle and len(met) > 1:
        choices.append((_joint_frontier(walked, analysis), 0.95))
    choices += [(group, 0.9 * share) for group, share in _frontier(walked, analysis)]
    choices.append((_starts(idle), 0.6))
    for mention in dict.fromkeys(t.mention for t in starts):
        weight = 0.55 if idle or not walked else 0.4
        choices.append((_starts([t for t in starts if t.mention == mention]), weight))
    return _distinct(choices)


def _has_open_twin(walked: Sequence[Trail], analysis: Analysis) -> bool:
    """Tell whether one of two joined verbs was followed, and the other, from the same things, was not."""
    done = {number for trail in walked for number in trail.explained}
    return any(analysis.clues[number].twin not in (-1, *done) for number in done)


def _starts(starts: Sequence[Trail]) -> tuple[EntityId, ...]:
    return tuple(dict.fromkeys(t.start for t in starts))


def _frontier(walked: Sequence[Trail], analysis: Analysis) -> Choices[tuple[EntityId, ...]]:
    """Group the ends of trails that explain the same clues; what explains most comes first."""
    groups: dict[tuple[int, ...], list[Trail]] = {}
    for trail in walked:
        if trail.entities:
            groups.setdefault(tuple(sorted(trail.explained)), []).append(trail)
    ranked: Choices[tuple[EntityId, ...]] = []
    for group in groups.values():
        share = max(make(analysis, [t], t.ends).coverage for t in group)
        ids = dict.fromkeys(e.id for t in group for e in t.entities)
        ranked.append((tuple(ids)[:MAX_SELECTED], 0.5 + 0.5 * share))
    return sorted(ranked, key=lambda choice: -choice[1])


def _joint_frontier(walked: Sequence[Trail], analysis: Analysis) -> tuple[EntityId, ...]:
    """Return the ends of every mention's best trails together: they are compared, or crossed."""
    ids: dict[EntityId, None] = {}
    for mention in dict.fromkeys(t.mention for t in walked):
        trails_of = [t for t in walked if t.mention == mention and t.entities]
        values = [make(analysis, [t], t.ends).coverage for t in trails_of]
        best = max(values, default=0.0)
        for trail, value in zip(trails_of, values, strict=True):
            if value == best:
                ids.update(dict.fromkeys(e.id for e in trail.entities))
    return tuple(ids)[:MAX_SELECTED]


def _distinct(choices: Choices[tuple[EntityId, ...]]) -> Choices[tuple[EntityId, ...]]:
    best: dict[tuple[EntityId, ...], float] = {}
    for group, weight in choices:
        if group and weight > best.get(group, 0.0):
            best[group] = weight
    return sorted(best.items(), key=lambda choice: -choice[1])


def no_answer(analysis: Analysis) -> Choices[Action]:
    """Return the answer from memory as the only choice: that there is none."""
    return [(GiveAnswer(analysis.say("no_memory"), is_unknown=True), 1.0)]
