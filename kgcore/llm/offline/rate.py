"""Rate nodes of a search by how much of the question they explain, each with the reason in words."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.llm.offline.choose import is_dead_end, next_sources, open_clues
from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.conclude import answer_of, conclude
from kgcore.llm.offline.question import Analysis
from kgcore.llm.offline.reading import Reading, make
from kgcore.llm.offline.trails import followed, trails
from kgcore.prompts import GiveAnswer, RateAnswer, RateState, Rating, Situation

_START = 0.4
_DEAD = 0.05
_NO_WAY_ON = 0.7  # values were found where things are needed to go on from
_LOW, _HIGH = 0.41, 0.79  # states stay below what stops a search


def rate_state(request: RateState, analysis: Analysis) -> Rating:
    """Return how much of the question the node explains, lowered where it leads nowhere."""
    if not trails(request, analysis):
        return Rating(0.0, analysis.say("nothing", clues=_quoted(analysis.clues, analysis)))
    if not followed(request):
        return Rating(_START, analysis.say("start"))
    reading = _best(request, analysis)
    reason = _reason(reading, analysis)
    if is_dead_end(request, analysis):
        return Rating(_DEAD, reason)
    value = _LOW + (_HIGH - _LOW) * min(1.0, reading.coverage)
    if open_clues(reading, analysis) and _ends_in_values(reading):
        value *= _NO_WAY_ON
    if request.selected and not _is_advised(request, analysis):
        value *= 0.8
    return Rating(round(value, 3), reason)


def _ends_in_values(reading: Reading) -> bool:
    """Tell whether there is no thing to go on from."""
    return bool(reading.trails) and not any(t.entities for t in reading.trails)


def _is_advised(request: RateState, analysis: Analysis) -> bool:
    advised = next_sources(request, analysis)
    chosen = {request.subgraph.canonical(e) for e in request.selected}
    return bool(advised) and chosen == set(advised[0][0])


def _best(situation: Situation, analysis: Analysis) -> Reading:
    """Return the best reading; where there is none yet, what the longest trail explains."""
    reading = conclude(situation, analysis)
    partial = [make(analysis, [t], t.ends) for t in trails(situation, analysis) if t.hops]
    if reading.text:
        return reading
    return max(partial, key=lambda r: r.coverage, default=reading)


def rate_answer(request: RateAnswer, analysis: Analysis) -> Rating:
    """Return how well the facts support the answer: as well as they support it among all readings."""
    answer = request.answer
    if answer.is_unknown:
        return Rating(0.0, analysis.say("cannot"))
    reading = conclude(request, analysis)
    own = answer_of(reading, analysis)
    share = _agreement(request, answer, own)
    value = round(reading.value * share, 3)
    reason = _reason(reading, analysis)
    if share < 1.0 and not own.is_unknown:
        reason = analysis.say("other", answer=own.text)
    elif reading.is_denial:
        reason = analysis.say("besides").join((reason, analysis.say("denied")))
    elif reading.fitness < 0.9:
        reason = analysis.say("besides").join((reason, analysis.say("misfit")))
    return Rating(value, reason)


def _agreement(request: RateAnswer, answer: GiveAnswer, own: GiveAnswer) -> float:
    """Return how far two answers name the same: 1 for the same, 0 for nothing in common."""
    if own.is_unknown:
        return 0.0
    if answer.text.strip().casefold() == own.text.strip().casefold():
        return 1.0
    graph = request.subgraph
    given = {graph.canonical(e) for e in answer.entities} | set(answer.literals)
    known = {graph.canonical(e) for e in own.entities} | set(own.literals)
    if given and known:
        return len(given & known) / len(given | known)
    return 0.0


def _reason(reading: Reading, analysis: Analysis) -> str:
    clues = analysis.clues
    parts = [
        analysis.say("explains", label=label, clue=clues[number].text)
        for number, label in reading.explained
    ]
    if not parts:
        return analysis.say("nothing", clues=_quoted(clues, analysis))
    if reading.open:
        still = [clues[i] for i in reading.open]
        parts.append(analysis.say("open", clues=_quoted(still, analysis)))
    return analysis.say("besides").join(parts)


def _quoted(clues: Sequence[Clue], analysis: Analysis) -> str:
    quoted = (analysis.say("quoted", clue=clue.text) for clue in clues)
    return analysis.say("comma").join(quoted)
