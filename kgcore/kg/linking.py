"""Finds the entities that a text, or a part of a question, may mean.

It works on any table of names. Quality of the match comes first: the label itself, another name, all the words,
a few typing errors (looked for only when nothing else fits). How well connected an entity is, and words that its
description shares with the context, decide among equals. Scores lie in 0…1 and ties are broken by id.

In a question the longest names win and names do not overlap. A span counts less when it is written without
capitals in a question that has some, when it names a class or a relation ("film", "director"), or when it is only
a number: such words are rarely what a question is about, but they may be.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from rapidfuzz.distance import OSA

from kgcore.kg.mentions import (
    Span,
    features,
    fold,
    has_cjk,
    is_stop,
    loosen,
    spans,
    without_brackets,
)
from kgcore.model import Entity
from kgcore.steps import Candidate, Candidates

NodeKey = Hashable
_LABEL, _ALIAS = 1.0, 0.92
_LOOSE = 0.97  # only punctuation differs
_WORDS, _TYPO = 0.8, 0.8
_WEAK = 0.05  # an alias that matches in part
_UNWRITTEN, _CLASS, _RELATION, _NUMBER = 0.7, 0.8, 0.6, 0.6
_SHORTEST_TYPO, _MOST_UNCLEAR, _MOST_UNCLEAR_WORDS = 5, 6, 5
_POPULARITY, _POPULARITY_OF_PART, _CONTEXT = 0.1, 0.3, 0.08  # shares of a score
_BY_ID = 1.0


@dataclass(frozen=True, slots=True)
class Name:
    """A name that some thing bears, as the table found it; `distance` counts typing errors."""

    node: NodeKey
    text: str
    key: str
    is_alias: bool = False
    distance: int = 0


@dataclass(frozen=True, slots=True)
class Thing:
    """What is known of a thing that bears a name."""

    entity: Entity
    degree: int = 0
    is_class: bool = False


class NameTable(Protocol):
    """Where names are looked up."""

    @property
    def max_degree(self) -> int:
        """The most edges any thing has."""

    @property
    def relation_keys(self) -> frozenset[str]:
        """Keys of all names of relations."""

    def by_id(self, text: str) -> NodeKey | None:
        """Return the thing whose id this text is."""

    def exact(self, keys: Iterable[str]) -> list[Name]:
        """Names with one of these keys."""

    def words(self, key: str, limit: int) -> list[Name]:
        """Names that hold all the words of a key, the last one perhaps unfinished."""

    def similar(self, key: str, max_distance: int, limit: int) -> list[Name]:
        """Names that differ from a key by a few typing errors, the nearest first."""

    def things(self, nodes: Iterable[NodeKey]) -> Mapping[NodeKey, Thing]:
        """Describe things; those that are no entities are left out."""


def typing_errors(one: str, other: str, most: int) -> int:
    """Count letters that are wrong, missing, too many or swapped; more than `most` is `most + 1`."""
    return int(OSA.distance(one, other, score_cutoff=most))


def link(names: NameTable, text: str, context: str, limit: int) -> Candidates:
    """Find the entities a text may mean, best first."""
    bare = without_brackets(text)
    keys = {loosen(t): t for t in (bare, text) if t.strip()}
    found = names.exact(keys)
    exact_nodes = {name.node for name in found}
    if len(exact_nodes) < limit and keys:
        wanted = max(50, 5 * limit)
        found = found + [n for key in keys for n in names.words(key, wanted)]
        if not exact_nodes:
            found += [n for key in keys for n in names.similar(key, _allowed(key), wanted)]
    words = features(f"{context} {text}") - (features(bare) if bare != text else features(text))
    scored = _score(names, found, keys, words)
    itself = names.by_id(text.strip())
    if itself is not None:
        for thing in names.things([itself]).values():
            scored[thing.entity] = _BY_ID
    ranked = _ranked(scored)[:limit]
    return Candidates(tuple(Candidate(e, score, text.strip()) for e, score in ranked))


def link_question(names: NameTable, question: str, context: str, limit: int) -> Candidates:
    """Find the names in a whole question; at most `limit` candidates for each, the longest name first."""
    candidates = spans(question)
    words = features(f"{context} {question}")
    has_capitals = any(c.isupper() for c in question.strip()[1:])
    by_key: dict[str, list[Name]] = {}
    for name in names.exact({key for span in candidates for key, _ in span.names}):
        by_key.setdefault(name.key, []).append(name)
    chosen: list[tuple[Span, list[Candidate]]] = []
    for span in candidates:
        if _is_free(span, chosen):
            found = [name for key, _ in span.names for name in by_key.get(key, ())]
            chosen += _choose(names, span, found, words, has_capitals, limit)
    n_tries = 0
    for span in _unclear_spans(candidates, chosen, has_capitals):
        inside = [c for c in chosen if span.start <= c[0].start and c[0].end <= span.end]
        rest = [c for c in chosen if c not in inside]
        if n_tries < _MOST_UNCLEAR and _is_free(span, rest):
            n_tries += 1
            key, text = span.names[0]
            found = names.similar(key, _allowed(key), 5 * limit)
            if not found and " " in text:
                found = names.words(key, 5 * limit)
            better = _choose(names, span, found, words, has_capitals, limit)
            chosen = rest + better if better else chosen
    chosen.sort(key=lambda item: (-len(item[1][0].mention), item[0].start))
    return Candidates(tuple(c for _, items in chosen for c in items))


def _choose(
    names: NameTable,
    span: Span,
    found: list[Name],
    words: frozenset[str],
    has_capitals: bool,
    limit: int,
) -> list[tuple[Span, list[Candidate]]]:
    """Return the span with its candidates; nothing when no entity bears its name."""
    if not found:
        return []
    written = dict(span.names)
    mention_of = {n.node: written.get(n.key, span.names[0][1]) for n in reversed(found)}
    mention = max(mention_of.values(), key=lambda m: (sum(v == m for v in mention_of.values()), m))
    scored = _score(names, found, written, words - features(mention))
    factor = _factor(names, span, has_capitals)
    ranked = [(entity, score * factor) for entity, score in _ranked(scored)][:limit]
    candidates = [Candidate(entity, round(score, 4), mention) for entity, score in ranked]
    return [(span, candidates)] if candidates else []


def _factor(names: NameTable, span: Span, has_capitals: bool) -> float:
    factor = 1.0
    if span.is_quoted:
        return factor
    if has_capitals and not span.is_capital:
        factor *= _UNWRITTEN
    keys = {key for key, _ in span.names}
    if keys & names.relation_keys and (not span.is_capital or has_cjk(span.names[0][1])):
        factor *= _RELATION
    if all(key.replace(" ", "").isdigit() for key in keys):
        factor *= _NUMBER
    return factor


def _score(
    names: NameTable, found: list[Name], written: Mapping[str, str], words: frozenset[str]
) -> dict[Entity, float]:
    """Score each thing by its best name."""
    things = names.things({name.node for name in found})
    best: dict[NodeKey, tuple[float, bool]] = {}
    for name in found:
        if name.node in things:
            quality = max(_quality(name, key, text) for key, text in written.items())
            is_whole = bool(name.distance) or name.key in written
            best[name.node] = max(best.get(name.node, (0.0, False)), (quality, is_whole))
    top = math.log1p(max(names.max_degree, 1))
    scored: dict[Entity, float] = {}
    for node, (quality, is_whole) in best.items():
        thing = things[node]
        known = features(f"{thing.entity.description} {' '.join(thing.entity.types)}")
        overlap = min(1.0, len(words & known) / 2)
        popularity = math.log1p(thing.degree) / top
        weight = _POPULARITY if is_whole else _POPULARITY_OF_PART
        score = quality * (1 - weight - _CONTEXT + weight * popularity + _CONTEXT * overlap)
        scored[thing.entity] = round(score * (_CLASS if thing.is_class else 1.0), 4)
    return scored


def _quality(name: Name, key: str, text: str) -> float:
    if name.distance:
        return _TYPO * (1 - name.distance / max(len(key), 1)) - _WEAK * name.is_alias
    base = _ALIAS if name.is_alias else _LABEL
    if name.key == key:
        return base if fold(name.text) == fold(text) else base * _LOOSE
    share = min(1.0, len(key) / max(len(name.key), 1))
    return 0.45 + (_WORDS - 0.45) * share - _WEAK * name.is_alias


def _ranked(scored: Mapping[Entity, float]) -> list[tuple[Entity, float]]:
    return sorted(scored.items(), key=lambda item: (-item[1], item[0].id))


def _allowed(key: str) -> int:
    """How many typing errors a name of this length may hold."""
    if len(key) < _SHORTEST_TYPO:
        return 0 if not has_cjk(key) or len(key) < 4 else 1
    return 1 if len(key) < 8 else 2


def _is_free(span: Span, chosen: list[tuple[Span, list[Candidate]]]) -> bool:
    return all(span.end <= taken.start or span.start >= taken.end for taken, _ in chosen)


def _unclear_spans(
    candidates: list[Span], chosen: list[tuple[Span, list[Candidate]]], has_capitals: bool
) -> list[Span]:
    """Spans that look like names and fit none as they are, longest first.

    These are quoted or capitalised; or any, when nothing was found at all. A longer one may swallow shorter
    names that were found inside it ("Los Angles" the angles). They are looked up with typing errors, or as a part
    of a longer name.
    """
    found: list[Span] = []
    for span in candidates:
        text = span.names[0][1]
        parts = text.split()
        inside = [s for s, _ in chosen if span.start <= s.start and s.end <= span.end]
        is_new = all(s.end - s.start < span.end - span.start for s in inside)
        if not is_new or len(parts) > _MOST_UNCLEAR_WORDS or not _allowed(loosen(text)):
            continue
        is_bare = any(is_stop(p) and (p.islower() or span.is_first) for p in (parts[0], parts[-1]))
        is_name = all(part[0].isupper() or is_stop(part) for part in parts)
        is_name = is_name and not (span.is_first and len(parts) == 1)
        is_any = not chosen and (not has_capitals or has_cjk(text))
        if span.is_quoted or ((is_name or is_any) and not is_bare):
            found.append(span)
    return found


def with_kg(candidates: Candidates, kg: str) -> Candidates:
    """Name the graph on entities that do not."""
    return Candidates(
        tuple(
            c if c.entity.kg else replace(c, entity=replace(c.entity, kg=kg))
            for c in candidates.items
        )
    )
