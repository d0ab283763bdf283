"""GraphML and node-link JSON, as several programs write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from kgcore.errors import ImportFileError
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.model import EntityId, Literal

GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
NEO4J = f"""<?xml version="1.0" encoding="UTF-8"?>
{GRAPHML}<key id="name" for="node" attr.name="name"/><key id="labels" for="node" attr.name="labels"/>
<graph id="G" edgedefault="directed">
<node id="n0" labels=":Person:Actor"><data key="labels">:Person:Actor</data><data key="name">Keanu</data><data key="born">1964</data></node>
<node id="n1" labels=":Movie"><data key="labels">:Movie</data><data key="title">Matrix</data></node>
<edge id="e0" source="n0" target="n1" label="ACTED_IN"><data key="label">ACTED_IN</data><data key="roles">["Neo"]</data></edge>
</graph></graphml>"""


def facts(graph: LocalGraph, label: str) -> set[str]:
    """What the graph says about the thing of this label, in words, outgoing only."""
    (found,) = graph.link(label, limit=1).items
    ids = [found.entity.id]
    return {
        triple.text
        for option in graph.relations(ids).items
        if option.direction == "out"
        for triple in graph.edges(ids, option.relation.id).triples
    }


def load(folder: Path, name: str, content: str) -> LocalGraph:
    path = folder / name
    path.write_text(content, "utf-8")
    import_graph([path], home=folder, name="net")
    return open_graph(folder, "net")


def sample() -> nx.MultiDiGraph:
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    graph.add_node("n0", label="Tom", type="Person", age=5, height=1.5, is_new=True)
    graph.add_node("n1", name="Meg")
    graph.add_edge("n0", "n1", label="knows", weight=2)
    graph.add_edge("n0", "n1", relation="likes")
    graph.add_edge("n0", "Bob", key="hates")
    graph.add_edge("n0", "wd:Q42")
    return graph


EXPECTED = {"Tom – type – Person", "Tom – age – 5", "Tom – height – 1.5", "Tom – is_new – true", "Tom – knows – Meg",
            "Tom – likes – Meg", "Tom – hates – Bob", "Tom – related to – wd:Q42"}  # fmt: skip


@pytest.mark.parametrize("kind", ["graphml", "links", "edges"])
def test_a_network_becomes_a_graph(tmp_path: Path, kind: str) -> None:
    if kind == "graphml":
        graph = load(tmp_path, "g.graphml", "\n".join(nx.generate_graphml(sample())))
    else:
        graph = load(tmp_path, "g.json", json.dumps(nx.node_link_data(sample(), edges=kind)))
    assert facts(graph, "Tom") == EXPECTED
    ids = [EntityId("net:n0")]
    options = [o.relation.id for o in graph.relations(ids).items if o.direction == "out"]
    ends = [t.object for relation in options for t in graph.edges(ids, relation).triples]
    assert {end for end in ends if isinstance(end, Literal)} == {
        Literal("5", "xsd:integer"), Literal("1.5", "xsd:double"), Literal("true", "xsd:boolean"),
    }  # fmt: skip
    graph.close()


@pytest.mark.parametrize("kind", ["graphml", "json"])
def test_an_undirected_edge_keeps_the_direction_it_is_written_in(tmp_path: Path, kind: str) -> None:
    if kind == "graphml":
        text = f"""{GRAPHML}<key id="l" for="edge" attr.name="label" attr.type="string"/><graph edgedefault="undirected">
            <node id="a"/><node id="b"/><edge source="b" target="a"><data key="l">meets</data></edge>
            <edge source="a" target="b" directed="true"><data key="l">sees</data></edge></graph></graphml>"""
        graph = load(tmp_path, "g.graphml", text)
    else:
        data = {"directed": False, "multigraph": False, "nodes": [{"id": "a"}, {"id": "b"}],
                "links": [{"source": "b", "target": "a", "label": "meets"}, {"source": "a", "target": "b", "label": "sees"}]}  # fmt: skip
        graph = load(tmp_path, "g.json", json.dumps(data))
    assert facts(graph, "b") == {"b – meets – a"}
    assert facts(graph, "a") == {"a – sees – b"}
    graph.close()


def test_an_export_of_neo4j_is_read_though_it_declares_too_little(tmp_path: Path) -> None:
    graph = load(tmp_path, "neo4j.graphml", NEO4J)
    assert facts(graph, "Keanu") == {"Keanu – type – Person", "Keanu – type – Actor", "Keanu – born – 1964", "Keanu – ACTED_IN – Matrix"}  # fmt: skip
    graph.close()


def test_nodes_without_ids_are_counted_as_d3_does(tmp_path: Path) -> None:
    data = {
        "nodes": [{"name": "A"}, {"name": "B"}],
        "links": [{"source": 0, "target": 1, "type": "to"}],
    }
    graph = load(tmp_path, "d3.json", json.dumps(data))
    assert facts(graph, "A") == {"A – to – B"}
    graph.close()


@pytest.mark.parametrize(
    "data, message",
    [({"nodes": [1], "links": []}, r"nodes\[0\] is no object"), ({"nodes": [], "links": {}}, "no list of links"),
     ({"nodes": [{"id": [1]}], "links": []}, r"nodes\[0\] has an id"), ({"nodes": [], "links": [{"source": 1}]}, r"links\[0\] has no target"),
     ({"nodes": [{"id": "a", "label": "\ud800"}], "links": []}, "node 'a'")],
)  # fmt: skip
def test_what_is_no_node_link_graph_is_told(tmp_path: Path, data: Any, message: str) -> None:
    path = tmp_path / "g.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ImportFileError, match=message):
        import_graph([path], home=tmp_path, name="net")


@pytest.mark.parametrize(
    "text, line, message",
    [('{"nodes": [\n{]', 2, "no JSON"), (f"{GRAPHML}\n<graph>\n</nope>", 3, "mismatched tag"),
     ("<graphml/>", None, "no graph of GraphML"),
     (f'{GRAPHML}<graph><hyperedge/></graph></graphml>', None, "hyperedges")],
)  # fmt: skip
def test_what_is_broken_is_told_with_its_line(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    path = tmp_path / ("g.json" if text.startswith("{") else "g.graphml")
    path.write_text(text)
    with pytest.raises(ImportFileError, match=message) as caught:
        import_graph([path], home=tmp_path, name="net")
    assert caught.value.line == line


def test_json_ld_is_still_rdf(tmp_path: Path) -> None:
    text = json.dumps(
        {"@id": "http://e/a", "http://e/nodes": [{"@id": "http://e/b"}], "http://e/links": "x"}
    )
    graph = load(tmp_path, "g.json", text)
    assert graph.manifest.n_triples == 2
    graph.close()
