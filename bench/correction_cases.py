"""Questions for bench/correction.py and wrong ends for the edges that answer them."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kgcore.evaluation import Case
from kgcore.evaluation.case import Gold
from kgcore.kg import KnowledgeGraph
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Entity, EntityId, Literal, Triple

_CLAIM = re.compile(r"<([^>]*)> <(http://www\.wikidata\.org/prop/direct/[^>]*)> (.*) \.\s*$")
_VALUE = re.compile(r'"(.*)"\^\^<(.*)>$')
_KINDS = ("wdt:P31", "wdt:P279")  # say what a thing is; nobody asks along them
_MOST_VALUES = 4
End = EntityId | Literal
Key = tuple[EntityId, EntityId]  # subject, relation


@dataclass
class Claims:
    """What graphs say: ends by relation, those that are true of a subject, and hard negatives."""

    ends_of: dict[str, set[End]] = field(default_factory=lambda: defaultdict(set))
    true_of: dict[Key, set[End]] = field(default_factory=lambda: defaultdict(set))
    relations_of: dict[EntityId, set[EntityId]] = field(default_factory=lambda: defaultdict(set))
    into: dict[EntityId, set[Key]] = field(default_factory=lambda: defaultdict(set))
    hard: dict[Key, list[EntityId]] = field(default_factory=lambda: defaultdict(list))

    def read(self, files: Iterable[Path], *, is_own: bool) -> None:
        """Add the claims of N-Triples files; wrong ends are taken from one's own graph."""
        prefixes = Prefixes()
        for file in files:
            with gzip.open(file, "rt", encoding="utf-8") as lines:
                for match in filter(None, map(_CLAIM.match, lines)):
                    subject, relation = prefixes.shorten(match[1]), prefixes.shorten(match[2])
                    self._add(subject, relation, _end(match[3], prefixes), is_own=is_own)

    def _add(self, subject: EntityId, relation: EntityId, end: End, *, is_own: bool) -> None:
        self.true_of[subject, relation].add(end)
        if is_own:
            self.ends_of[relation].add(end)
            self.relations_of[subject].add(relation)
            if not isinstance(end, Literal):
                self.into[end].add((subject, relation))

    def read_hard(self, file: Path) -> None:
        """Add the claims that CoDEx calls false."""
        for line in file.read_text("utf-8").splitlines():
            record = json.loads(line)
            subject, relation, end = record["triple"]
            key = (EntityId(f"wd:{subject}"), EntityId(f"wdt:{relation}"))
            if record["answer"] == "no":
                self.hard[key].append(EntityId(f"wd:{end}"))

    def wrong_ends(
        self, triple: Triple, graph: KnowledgeGraph, rng: random.Random, n: int
    ) -> Iterator[tuple[Entity | Literal, bool]]:
        """Yield up to n ends that are false for a triple, hard negatives first, and whether they are such."""
        key = (triple.subject.id, EntityId(triple.relation.id))
        true = self.true_of[key]
        hard = [end for end in self.hard.get(key, ()) if end not in true]
        is_value = isinstance(triple.object, Literal)
        others = sorted(
            (
                e
                for e in self.ends_of[triple.relation.id] - true
                if isinstance(e, Literal) == is_value
            ),
            key=str,
        )
        rng.shuffle(others)
        for end in [*hard, *others[:n]][:n]:
            if isinstance(end, Literal):
                yield end, False
                continue
            known = graph.describe((end,)).entities
            if known and known[0].label:
                yield known[0], end in hard


def _end(text: str, prefixes: Prefixes) -> End:
    if text.startswith("<"):
        return prefixes.shorten(text[1:-1])
    value = _VALUE.match(text)
    return Literal(value[1], prefixes.shorten(value[2])) if value else Literal(text.strip('"'))


def chains(claims: Claims, graph: KnowledgeGraph, rng: random.Random, n: int) -> tuple[Case, ...]:
    """Make questions over two edges of a graph: where a hard negative fits one of them first, then any.

    The first edge has one end; the second may have a few.
    """
    starts = [*_with_hard_negatives(claims), *_any(claims, rng, n)]
    found: dict[str, Case] = {}
    for subject, first, second in starts:
        case = _case(claims, graph, subject, first, second)
        if case is not None:
            found.setdefault(case.question, case)
        if len(found) >= n:
            break
    return tuple(found.values())


def _with_hard_negatives(claims: Claims) -> Iterator[tuple[EntityId, EntityId, EntityId]]:
    for number, (subject, relation) in enumerate(sorted(claims.hard)):
        before = [key for key in sorted(claims.into[subject]) if _is_single(claims, key)]
        after = _next(claims, (subject, relation))
        if number % 2 and after:  # the hard negative stands on the first edge
            yield subject, relation, after[number % len(after)]
        elif before:
            start, first = before[number % len(before)]
            yield start, first, relation


def _any(
    claims: Claims, rng: random.Random, n: int
) -> Iterator[tuple[EntityId, EntityId, EntityId]]:
    keys = sorted(key for key in claims.true_of if _is_single(claims, key))
    for subject, first in rng.sample(keys, min(len(keys), 20 * n)):
        after = _next(claims, (subject, first))
        if after:
            yield subject, first, rng.choice(after)


def _is_single(claims: Claims, key: Key) -> bool:
    return (
        key[1] not in _KINDS
        and len(claims.true_of[key]) == 1
        and key[1] in claims.relations_of[key[0]]
        and not any(isinstance(end, Literal) for end in claims.true_of[key])
    )


def _next(claims: Claims, key: Key) -> list[EntityId]:
    """Return the relations that go on from the one end of an edge."""
    if not _is_single(claims, key):
        return []
    (end,) = claims.true_of[key]
    assert not isinstance(end, Literal)
    return [r for r in sorted(claims.relations_of[end]) if r not in _KINDS]


def _case(
    claims: Claims, graph: KnowledgeGraph, subject: EntityId, first: EntityId, second: EntityId
) -> Case | None:
    (middle,) = claims.true_of[subject, first]
    ends = claims.true_of[middle, second] if not isinstance(middle, Literal) else set()
    labels = _labels(graph, subject, first), _labels(graph, middle, second)
    name = graph.describe((subject,)).entities
    if not (0 < len(ends) <= _MOST_VALUES and all(labels) and name and name[0].label):
        return None
    gold = tuple(
        Gold(texts=(end.value,)) if isinstance(end, Literal) else Gold(end)
        for end in sorted(ends, key=str)
    )
    ids = [end for end in ends if not isinstance(end, Literal)]
    texts = tuple(e.label for e in graph.describe(ids).entities) or gold[0].texts
    question = f"What is the {labels[1]} of the {labels[0]} of {name[0].label}?"
    kind = "value" if any(isinstance(end, Literal) for end in ends) else "entity"
    return Case(question, question, kind, "chain", gold, texts, (subject,))  # type: ignore[arg-type]


def _labels(graph: KnowledgeGraph, subject: End, relation: EntityId) -> str:
    if isinstance(subject, Literal):
        return ""
    options: Sequence[str] = [
        o.relation.label
        for o in graph.relations((subject,)).items
        if o.direction == "out" and o.relation.id == relation
    ]
    return options[0] if options else ""
