"""Writes the names of a graph into its label index: of entities, of relations, and descriptions."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping

from pyoxigraph import Store

from kgcore.kg import vocabulary as v
from kgcore.kg.files.file_scan import FileScan
from kgcore.kg.local.rdf_terms import links, texts_of
from kgcore.kg.mentions import loosen

_RELATION_NAMES = (
    ("label", v.LABEL_PROPERTIES),
    ("alias", v.ALIAS_PROPERTIES),
    ("inverse", v.INVERSE_LABEL_PROPERTIES),
)


def find_properties(store: Store) -> dict[str, str]:
    """Map each declared property, and each predicate that stands for one, to the property as a thing."""
    found: dict[str, str] = {}
    for name in v.PROPERTY_CLASSES:
        found.update((thing, thing) for thing, _ in links(store, v.RDF + "type", name))
    for predicate in v.DECLARATION_PROPERTIES:
        for thing, stands_for in sorted(links(store, predicate)):
            found.setdefault(thing, thing)
            found[stands_for] = thing
    return found


def find_articles(store: Store) -> dict[str, str]:
    """Map the address of each Wikipedia article to the thing it is about."""
    return {a: thing for a, thing in sorted(links(store, v.SCHEMA + "about")) if v.is_sitelink(a)}


class NameWriter:
    """Writes names in order of trust: the first of a thing in a language is its label."""

    def __init__(
        self,
        store: Store,
        db: sqlite3.Connection,
        scanned: FileScan,
        number: Callable[[str], int],
    ) -> None:
        self._store, self._db, self._scanned, self._number = store, db, scanned, number
        self._written: set[tuple[int, str, str]] = set()
        self._has_label: set[tuple[int, str]] = set()
        self.labelled: set[str] = set()
        self.languages: Counter[str] = Counter()

    def write_names(self, articles: Mapping[str, str]) -> None:
        """Write labels and further names; the title of an article is a further name of its subject."""
        for predicate in (*v.LABEL_PROPERTIES, *v.ALIAS_PROPERTIES):
            rows = []
            for iri, text, lang in self._scanned.sorted_texts(predicate):
                is_alias = predicate in v.ALIAS_PROPERTIES or iri in articles
                node = self._number(articles.get(iri, iri))
                if (node, text, lang) in self._written:
                    continue
                self._written.add((node, text, lang))
                if not is_alias:
                    self.labelled.add(iri)
                    self.languages[lang] += 1
                    is_alias = (node, lang) in self._has_label
                    self._has_label.add((node, lang))
                rows.append((node, text, lang, is_alias, loosen(text)))
            self._db.executemany(
                "INSERT INTO name (node, text, lang, is_alias, key) VALUES (?, ?, ?, ?, ?)", rows
            )

    def write_descriptions(self) -> None:
        """Write descriptions, the more trusted property first."""
        for predicate in v.DESCRIPTION_PROPERTIES:
            rows = self._scanned.sorted_texts(predicate)
            self._db.executemany(
                "INSERT INTO description VALUES (?, ?, ?)",
                ((self._number(iri), text, lang) for iri, text, lang in rows),
            )

    def write_relation_names(
        self, relations: Mapping[str, int], properties: Mapping[str, str]
    ) -> None:
        """Write labels, further names and inverse labels of the relations that the graph has."""
        inverse = self._find_inverses(properties)
        for iri, number in relations.items():
            thing = properties.get(iri, iri)
            found = [name for it in dict.fromkeys((iri, thing)) for name in self._names_of(it)]
            for other in inverse.get(thing, []):
                labels = [name for name in self._names_of(other) if name[0] == "label"]
                found += [("inverse", text, lang) for _, text, lang in labels]
            self._db.executemany(
                "INSERT INTO relation_name VALUES (?, ?, ?, ?)",
                [(number, text, lang, kind) for kind, text, lang in dict.fromkeys(found)],
            )

    def _names_of(self, iri: str) -> list[tuple[str, str, str]]:
        """Kind, text and language of the names of one property."""
        return [
            (kind, text, lang)
            for kind, found_in in _RELATION_NAMES
            for predicate in found_in
            for text, lang in sorted(texts_of(self._store, iri, predicate))
        ]

    def _find_inverses(self, properties: Mapping[str, str]) -> dict[str, list[str]]:
        """Map each property, as a thing, to the properties declared its inverse, from either side."""
        found: dict[str, list[str]] = {}
        for predicate in v.INVERSE_PROPERTIES:
            for one, other in sorted(links(self._store, predicate)):
                a, b = properties.get(one, one), properties.get(other, other)
                found.setdefault(a, []).append(b)
                found.setdefault(b, []).append(a)
        return found
