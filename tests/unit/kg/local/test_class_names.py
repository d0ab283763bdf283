"""Classes that have no label are called by the end of their IRI, so that things of one name can be told apart."""

from __future__ import annotations

from pathlib import Path

from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.model import EntityId

TURTLE = """
@prefix x: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
x:group a x:release_group ; rdfs:label "Rumours" ; x:by x:mac .
x:release a x:Edition ; rdfs:label "Rumours" ; x:by x:mac ; x:of x:group .
x:mac a x:Q215380, owl:NamedIndividual, x:band, x:other ; rdfs:label "Fleetwood Mac" .
x:band rdfs:label "rock band" .
"""


def graph(folder: Path) -> LocalGraph:
    (folder / "music.ttl").write_text(TURTLE, "utf-8")
    import_graph([folder / "music.ttl"], home=folder, name="music")
    return open_graph(folder, "music")


def test_a_class_without_a_label_is_named_unless_it_is_a_number_or_says_nothing(
    tmp_path: Path,
) -> None:
    known = graph(tmp_path).describe([EntityId(f"x:{n}") for n in ("group", "release", "mac")])
    assert [e.types for e in known.entities] == [
        ("release group",),
        ("edition",),
        ("rock band", "other"),
    ]


def test_it_tells_things_of_one_name_apart(tmp_path: Path) -> None:
    music = graph(tmp_path)
    for kind, first in (("release group", "x:group"), ("edition", "x:release")):
        found = music.link("Rumours", context=f"the {kind} Rumours").items
        assert found[0].entity.id == first


def test_it_is_no_relation_and_no_entity_of_its_own(tmp_path: Path) -> None:
    music = graph(tmp_path)
    assert "rdf:type" not in {o.relation.id for o in music.relations([EntityId("x:group")]).items}
    assert music.link("release group").items == ()
