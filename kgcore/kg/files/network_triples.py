"""What the nodes and edges of a network say, as N-Triples.

A node is named by its `label`, `name` or `title`, else by its id; its `type`, `category` or `labels` are its classes;
its other attributes are values. An edge takes its relation from `relation`, `label`, `type`, `predicate`, or a
key that is a text; an edge without any is "related to". Parallel edges of one relation are one triple. Undirected
edges are kept in the direction they are written in: an exploration follows an edge from both ends anyway. Other
attributes of edges are left out, as a triple has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import Namer, literal, value_type
from kgcore.kg.files.table_triples import LABEL, TYPE

RELATED = "related to"
_LABELS = ("label", "name", "title")
_CLASSES = ("labels", "type", "category", "kind")
_RELATIONS = ("relation", "label", "type", "predicate", "name")


class NetworkWriter:
    """Turns nodes and edges into lines of N-Triples; ValueError for what cannot be written."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self._known: set[str] = set()  # classes and relations that were named

    def node(self, node: Any, attributes: Mapping[str, Any]) -> Iterator[str]:
        """Write a node."""
        term = self._term(node)
        by_name = {name.casefold(): name for name in reversed(list(attributes))}
        label = next((by_name[n] for n in _LABELS if _is_text(attributes, by_name.get(n))), None)
        kind = next((by_name[n] for n in _CLASSES if _is_text(attributes, by_name.get(n))), None)
        if label is not None:
            yield f"{term} {LABEL} {literal(str(attributes[label]))} .\n"
        elif not self._namer.given(str(node)):
            yield f"{term} {LABEL} {literal(str(node))} .\n"
        for name, value in attributes.items():
            if name == label or value is None:
                continue
            if name == kind:
                yield from self._types(term, value)
            else:
                yield from self._values(term, name, value)

    def edge(
        self, source: Any, target: Any, key: Any, attributes: Mapping[str, Any]
    ) -> Iterator[str]:
        """Write an edge."""
        named = [attributes[name] for name in _RELATIONS if _is_text(attributes, name)]
        if not named and isinstance(key, str) and not _is_running_id(key):
            named = [key]
        relation = str(named[0]) if named else RELATED
        along = self._namer.given(relation)
        if not along:
            along = self._namer.relation(relation)
            yield from self._declare(along, relation)
        yield f"{self._term(source)} {along} {self._term(target)} .\n"

    def _term(self, node: Any) -> str:
        return self._namer.given(str(node)) or self._namer.entity(str(node))

    def _declare(self, relation: str, name: str) -> Iterator[str]:
        if relation not in self._known:
            self._known.add(relation)
            yield f"{relation} {TYPE} <{v.RDF}Property> .\n"
            yield f"{relation} {LABEL} {literal(name)} .\n"

    def _types(self, term: str, value: Any) -> Iterator[str]:
        names = value if isinstance(value, list) else str(value).split(":")
        for name in filter(None, map(str, names)):
            its_class = self._namer.given(name) or self._namer.entity(name)
            if its_class not in self._known:
                self._known.add(its_class)
                yield f"{its_class} {LABEL} {literal(name)} .\n"
            yield f"{term} {TYPE} {its_class} .\n"

    def _values(self, term: str, name: str, value: Any) -> Iterator[str]:
        along = self._namer.given(name) or self._namer.relation(name)
        if not self._namer.given(name):
            yield from self._declare(along, name)
        for one in value if isinstance(value, list) else [value]:
            yield f"{term} {along} {_literal(one)} .\n"


class ExportWriter(NetworkWriter):
    """Reads our own exports back: values are nodes of their own, attributes only show names."""

    def __init__(self, namer: Namer) -> None:
        super().__init__(namer)
        self._values_of: dict[Any, str] = {}

    def node(self, node: Any, attributes: Mapping[str, Any]) -> Iterator[str]:
        """Keep a value for the edges that lead to it."""
        if attributes.get("kind") == "literal":
            self._values_of[node] = literal(
                str(attributes.get("value", "")),
                str(attributes.get("datatype", "")),
                str(attributes.get("lang", "")),
            )
        yield from ()

    def edge(
        self, source: Any, target: Any, key: Any, attributes: Mapping[str, Any]
    ) -> Iterator[str]:
        """Write the triple."""
        along = self._namer.given(str(attributes.get("relation", "")))
        if not along:
            raise ValueError("it has no relation")
        yield f"{self._term(source)} {along} {self._values_of.get(target) or self._term(target)} .\n"


def _is_text(attributes: Mapping[str, Any], name: str | None) -> bool:
    return name is not None and bool(str(attributes.get(name) or "").strip())


def _is_running_id(key: str) -> bool:
    """True for ids of edges that programs number through: e0, edge12, 7."""
    return key.lstrip("edgEDG_-").isdecimal() or (len(key) == 36 and key.count("-") == 4)


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return literal("true" if value else "false", v.XSD + "boolean")
    if isinstance(value, int):
        return literal(str(value), v.XSD + "integer")
    if isinstance(value, float):
        return literal(repr(value).replace("inf", "INF").replace("nan", "NaN"), v.XSD + "double")
    if isinstance(value, str):
        return literal(value, value_type(value.strip()))
    return literal(json.dumps(value, ensure_ascii=False))
