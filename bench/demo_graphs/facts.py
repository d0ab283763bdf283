"""Facts, the names they are written with, and collections of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
MB = "https://musicbrainz.org/"
MBP = "urn:kg:musicbrainz:p:"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "http://schema.org/"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {
    "wd": WD,
    "wdt": WDT,
    "mb": MB,
    "mbp": MBP,
    "demo": "urn:kg:demo:",
    "kg": "urn:kg:vocabulary:",
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "schema": SCHEMA,
    "owl": OWL,
    "xsd": XSD,
    "wikibase": "http://wikiba.se/ontology#",
}
LABEL, ALIAS, DESCRIPTION = RDFS + "label", SKOS + "altLabel", SCHEMA + "description"
INSTANCE_OF = WDT + "P31"

Value = ox.NamedNode | ox.Literal
Fact = tuple[str, str, Value]


@dataclass(slots=True)
class Source:
    """Facts by subject, kept in file order and without repeats."""

    facts: dict[str, dict[tuple[str, Value], None]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def add(self, fact: Fact) -> None:
        subject, predicate, value = fact
        self.facts[subject][predicate, value] = None

    def values(self, subject: str, predicate: str) -> list[Value]:
        return [value for name, value in self.facts.get(subject, {}) if name == predicate]

    def label(self, subject: str, lang: str = "en") -> str | None:
        for value in self.values(subject, LABEL):
            if isinstance(value, ox.Literal) and value.language == lang:
                return value.value
        return None

    def __iter__(self) -> Iterator[Fact]:
        for subject, pairs in self.facts.items():
            for predicate, value in pairs:
                yield subject, predicate, value


def expand(curie: str) -> str:
    prefix, _, local = curie.partition(":")
    return PREFIXES[prefix] + local


def merged(*sources: Source) -> Source:
    both = Source()
    for source in sources:
        for fact in source:
            both.add(fact)
    return both


def without(source: Source, other: Source) -> Source:
    """Return the facts that the other source does not already state."""
    rest = Source()
    for subject, predicate, value in source:
        if (predicate, value) not in other.facts.get(subject, {}):
            rest.add((subject, predicate, value))
    return rest


def named_in(source: Source, base: str) -> set[str]:
    """Return the entities of a graph that the facts mention, classes and properties apart."""
    iris = set(source.facts)
    iris.update(
        value.value
        for _, predicate, value in source
        if isinstance(value, ox.NamedNode) and predicate != INSTANCE_OF
    )
    return {iri for iri in iris if iri.startswith(base) and not iri.startswith(WD + "P")}


def used_ids(sources: Iterable[Source]) -> set[str]:
    """Return the Wikidata and MusicBrainz ids that the graphs mention as IRIs."""
    used: set[str] = set()
    for source in sources:
        for subject, predicate, value in source:
            for iri in (subject, predicate, value.value if isinstance(value, ox.NamedNode) else ""):
                if iri.startswith((WD, WDT)):
                    used.add(iri.rpartition("/")[2])
                elif iri.startswith(MB):
                    used.add(iri[-36:])
    return used
