"""Choose the relation to follow: the one that explains most of what is still open."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.choose import Choices
from kgcore.llm.offline.fit import FLOOR, fit, target_fit
from kgcore.llm.offline.kinds import says_kind
from kgcore.llm.offline.lexicon import label_stems
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.trail import Trail
from kgcore.llm.offline.trails import asked_kind, clues_explained_by, trails
from kgcore.prompts import ChooseRelation, SelectRelation
from kgcore.ranking import overlap
from kgcore.steps import RelationOption

_NAMED_TARGET = 0.75  # what it counts that an option leads to something the question names
_ASKED_KIND = 0.1  # what it counts that an option leads to the kind of thing asked for
_TELLS_KIND = 0.5  # what it counts that an option tells which ends are of the kind asked for


def choose_relation(request: ChooseRelation, analysis: Analysis) -> Choices[SelectRelation]:
    """Select the relation that explains most of what is still open; the nearest in words when none does."""
    n_shown = min(request.shortlist, len(request.options)) if request.shortlist else None
    options = request.options[:n_shown]
    graph = request.subgraph
    selected = {graph.canonical(e) for e in request.entities}
    ends = [t for t in trails(request, analysis) if any(e.id in selected for e in t.entities)]
    scores = [
        0.0 if _was_followed(request, option) else _option_score(request, option, ends, analysis)
        for option in options
    ]
    order = sorted(range(len(options)), key=lambda i: (-scores[i], i))
    fitting = [(SelectRelation(i), scores[i]) for i in order if scores[i] >= FLOOR * 0.7]
    if fitting:
        return fitting
    rough = [overlap(request.question, option.phrase) for option in options]
    order = sorted(range(len(options)), key=lambda i: (-rough[i], i))
    return [(SelectRelation(i), 0.1 + rough[i]) for i in order[:1]]


def _was_followed(request: ChooseRelation, option: RelationOption) -> bool:
    """Tell whether an option was followed from all these entities before: it brings nothing new."""
    graph = request.subgraph
    wanted = {graph.canonical(e) for e in option.touches}
    for taken in request.trajectory:
        old = taken.option
        if old is None or (old.relation.id, old.direction) != (
            option.relation.id,
            option.direction,
        ):
            continue
        if wanted <= {graph.canonical(e) for e in taken.entities}:
            return True
    return False


def _option_score(
    request: ChooseRelation, option: RelationOption, ends: Sequence[Trail], analysis: Analysis
) -> float:
    graph = request.subgraph
    touched = {graph.canonical(e) for e in option.touches}
    best: dict[int, float] = {}
    for trail in ends:
        if not touched & {e.id for e in trail.entities}:
            continue
        if any(h.option == option for h in trail.hops[-1:]) and not trail.last[0] >= 0:
            continue
        value = _trail_score(option, trail, analysis)
        best[trail.mention] = max(value, best.get(trail.mention, 0.0))
    if not best:
        return 0.0
    share = len(best) / max(1, len({t.mention for t in ends}))
    return max(best.values()) * (0.75 + 0.25 * share)


def _trail_score(option: RelationOption, trail: Trail, analysis: Analysis) -> float:
    known = frozenset(trail.explained)
    ranked = clues_explained_by(trail, option, analysis)
    clue, value = ranked[0] if ranked else (-1, 0.0)
    if value:
        value += _ASKED_KIND * _asked_kind(option, clue, analysis)
    if trail.hops and says_kind(option) and asked_kind(analysis, trail) is not None:
        value = max(value, _TELLS_KIND)
    texts: list[str] = []
    if analysis.kind in ("claim", "common"):
        texts += [m for i, m in enumerate(analysis.mentions) if i != trail.mention]
    if analysis.kind == "claim":
        texts += [c.text for i, c in enumerate(analysis.clues) if i not in known]
    named = max((target_fit(text, option) for text in texts), default=0.0)
    return max(value, _NAMED_TARGET * named if named >= 0.6 else 0.0)


def _asked_kind(option: RelationOption, clue: int, analysis: Analysis) -> float:
    """Return 1 when the option leads to the kind of thing asked for, else 0."""
    asked = [c for i, c in enumerate(analysis.clues) if c.is_asked and i != clue]
    if not asked or analysis.kind in ("compare", "same", "claim"):
        return 0.0
    kind = asked[0]
    if fit(kind, option) >= FLOOR:
        return 1.0
    if kind.cue is None or not kind.cue.classes or not option.target_types:
        return 0.0
    names = [label_stems(t) for t in option.target_types]
    return float(any(likeness(c, n) >= FLOOR for c in kind.cue.classes for n in names))
