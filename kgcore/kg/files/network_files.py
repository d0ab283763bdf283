"""GraphML and node-link JSON, read through networkx; network_triples.py says what becomes of nodes and edges.

Such files are read whole, so their size is limited. XML is first read through by the guard of rdf_files.py, which
refuses DOCTYPE and ENTITY, and then parsed by defusedxml.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from kgcore.errors import ImportFileError
from kgcore.kg.files.converted import ConvertedFile, OnBad
from kgcore.kg.files.network_triples import ExportWriter, NetworkWriter
from kgcore.kg.files.packed_files import UnpackedFile
from kgcore.kg.files.rdf_files import check_xml
from kgcore.kg.files.read_errors import one_line

if TYPE_CHECKING:
    import networkx as nx

MAX_BYTES = 128 * 2**20
EXPORT_ID = "traversal-studio-export"  # of the <graph> of our own exports
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
        writer = ExportWriter(self.namer) if is_export else NetworkWriter(self.namer)
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


def _edges(graph: nx.Graph) -> Iterable[tuple[Any, Any, Any, dict[str, Any]]]:
    if graph.is_multigraph():
        yield from graph.edges(keys=True, data=True)
        return
    for source, target, attributes in graph.edges(data=True):
        yield source, target, attributes.get("id"), attributes


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
