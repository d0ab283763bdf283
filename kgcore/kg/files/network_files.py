"""GraphML and node-link JSON, read through networkx.

A node is named by its `label`, `name` or `title`, else by its id; its `type`, `category` or `labels` are its classes;
its other attributes are values. An edge takes its relation from `relation`, `label`, `type`, `predicate`, or a
key that is a text; an edge without any is "related to". Parallel edges of one relation are one triple. Undirected
edges are kept in the direction they are written in: an exploration follows an edge from both ends anyway. Other
attributes of edges are left out, as a triple has none.

Such files are read whole, so their size is limited. XML is first read through by the guard of rdf_files.py, which
refuses DOCTYPE and ENTITY, and then parsed by defusedxml.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kgcore.errors import ImportFileError
from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import Namer, literal, value_type
from kgcore.kg.files.converted import ConvertedFile, OnBad
from kgcore.kg.files.packed_files import UnpackedFile
from kgcore.kg.files.rdf_files import check_xml
from kgcore.kg.files.read_errors import one_line
from kgcore.kg.files.table_triples import LABEL, TYPE

if TYPE_CHECKING:
    import networkx as nx

MAX_BYTES = 128 * 2**20
EXPORT_ID = (
    "traversal-studio-export"  # of the <graph> of our own exports: attributes only show names
)
RELATED = "related to"
_LABELS = ("label", "name", "title")
_CLASSES = ("labels", "type", "category", "kind")
_RELATIONS = ("relation", "label", "type", "predicate", "name")
_BLOCK = 5_000  # lines written at a time


class NetworkFile(ConvertedFile):
    """A file that networkx reads."""

    def check(self) -> None:
        """Refuse a file that is too large."""
        if self.size > MAX_BYTES:
            raise self._too_large()

    def blocks(self, data: UnpackedFile, on_bad: OnBad | None) -> Iterator[bytes]:
        """Read everything, then write it as triples."""
        lines: list[str] = []
        for line in self._lines(self._read_all(data)):
            lines.append(line)
            if len(lines) >= _BLOCK:
                yield "".join(lines).encode("utf-8")
                lines = []
        yield "".join(lines).encode("utf-8")

    def _lines(self, content: bytes) -> Iterator[str]:
        raise NotImplementedError

    def _read_all(self, data: UnpackedFile) -> bytes:
        found = bytearray()
        while piece := data.read(2**20):
            found += piece
            if len(found) > MAX_BYTES:
                raise self._too_large()
        return bytes(found)

    def _too_large(self) -> ImportFileError:
        return self._error(
            f"it is larger than {MAX_BYTES // 2**20} MB; files of this kind are read whole, so export "
            "tables (CSV) instead"
        )

    def _error(self, why: str, line: int | None = None) -> ImportFileError:
        return ImportFileError(str(self.path), line, one_line(why))

    def _written(self, graph: nx.Graph, *, is_export: bool = False) -> Iterator[str]:
        writer = _ExportWriter(self.namer) if is_export else _Writer(self.namer)
        place = "the graph"
        try:
            for node, attributes in graph.nodes(data=True):
                place = f"node {node!r}"
                yield from writer.node(node, attributes)
            for source, target, key, attributes in _edges(graph):
                place = f"the edge from {source!r} to {target!r}"
                yield from writer.edge(source, target, key, attributes)
        except ValueError as error:
            raise self._error(f"{place}: {error}") from error


class GraphMLFile(NetworkFile):
    """A GraphML file, of Gephi, yEd, Neo4j or any other program."""

    def check(self) -> None:
        """Refuse declarations, absurd nesting and broken XML."""
        super().check()
        check_xml(self)

    def _lines(self, content: bytes) -> Iterator[str]:
        from defusedxml.ElementTree import fromstring
        from networkx.exception import NetworkXError
        from networkx.readwrite.graphml import GraphMLReader

        root = fromstring(content, forbid_dtd=True)
        reader = GraphMLReader()
        space = f"{{{reader.NS_GRAPHML}}}"
        graphs = root.findall(f"{space}graph")
        if not graphs:
            raise self._error("it holds no graph of GraphML")
        for element in graphs:
            _repair(root, element, space)
            try:
                keys, defaults = reader.find_graphml_keys(root)
                graph = reader.make_graph(element, keys, defaults)
            except (NetworkXError, KeyError, TypeError, AttributeError, ValueError) as error:
                raise self._error(f"it is no GraphML that can be read: {error}") from error
            yield from self._written(graph, is_export=element.get("id") == EXPORT_ID)


class NodeLinkFile(NetworkFile):
    """A JSON file with `nodes` and `links` (or `edges`), as networkx and D3 write it."""

    def _lines(self, content: bytes) -> Iterator[str]:
        import networkx as nx

        try:
            data = json.loads(content)
        except json.JSONDecodeError as error:
            raise self._error(f"it is no JSON: {error.msg}", error.lineno) from error
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise self._error("it is no UTF-8 text", line) from error
        except RecursionError as error:
            raise self._error("it is nested too deep") from error
        links = "links" if "links" in data else "edges"
        self._check(data, links)
        data = {**data, "directed": True, "multigraph": True, "graph": {}}
        try:
            graph = nx.node_link_graph(data, edges=links)
        except (nx.NetworkXError, KeyError, TypeError, ValueError) as error:
            raise self._error(f"it is no node-link graph: {error}") from error
        yield from self._written(graph)

    def _check(self, data: Any, links: str) -> None:
        for name in ("nodes", links):
            if not isinstance(data.get(name), list):
                raise self._error(f"it has no list of {name}")
            for number, item in enumerate(data[name]):
                if not isinstance(item, dict):
                    raise self._error(f"{name}[{number}] is no object")
        for number, item in enumerate(data["nodes"]):
            if not isinstance(item.get("id", 0), str | int | float):
                raise self._error(f"nodes[{number}] has an id that is neither text nor number")
        for number, item in enumerate(data[links]):
            for end in ("source", "target"):
                if not isinstance(item.get(end), str | int | float):
                    raise self._error(f"{links}[{number}] has no {end}")


class _Writer:
    """Writes nodes and edges as N-Triples; ValueError for what cannot be written."""

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


class _ExportWriter(_Writer):
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


def _edges(graph: nx.Graph) -> Iterable[tuple[Any, Any, Any, dict[str, Any]]]:
    if graph.is_multigraph():
        yield from graph.edges(keys=True, data=True)
        return
    for source, target, attributes in graph.edges(data=True):
        yield source, target, attributes.get("id"), attributes


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


def _repair(root: Any, graph: Any, space: str) -> None:
    """Make networkx read what it would refuse: mixed directions, and keys that are not declared or have no type."""
    graph.set("edgedefault", "directed")
    declared = set()
    for key in root.findall(f"{space}key"):
        declared.add(key.get("id"))
        if key.get("attr.name") and not key.get("attr.type"):
            key.set("attr.type", "string")
    for element in (*graph.iter(f"{space}node"), *graph.iter(f"{space}edge")):
        element.attrib.pop("directed", None)
        for data in element.findall(f"{space}data"):
            name = data.get("key")
            if name and name not in declared:
                declared.add(name)
                attributes = {"id": name, "for": "all", "attr.name": name, "attr.type": "string"}
                root.append(root.makeelement(f"{space}key", attributes))
