"""Relations of two graphs that mean the same: offered once, with the edges of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.kg.federation.equivalents import Equivalence, Equivalents, known_equivalents
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import EntityId, Literal, RelationId, Subgraph
from kgcore.model.conflicts import find_conflicts
from kgcore.model.render import render_subgraph
from kgcore.testing import MemoryGraph

ANN, BAND, TOWN = EntityId("wd:Q1"), EntityId("wd:Q2"), EntityId("wd:Q3")
MB_ANN, MB_BAND, MB_TOWN = (EntityId(f"mb:{n}") for n in ("artist/ann", "artist/band", "area/town"))
BORN, FOUNDED, BEGAN = (RelationId(i) for i in ("wdt:P569", "wdt:P571", "mbp:begin_date"))
BIRTHPLACE, BEGAN_AT = RelationId("wdt:P19"), RelationId("mbp:begin_area")
LABELS = {BORN: "date of birth", FOUNDED: "inception", BEGAN: "begin date"}


def date(text: str) -> Literal:
    return Literal(text, "xsd:gYear" if len(text) == 4 else "xsd:date")


def federation(ann: str = "1970-07-30", mb_ann: str = "1971") -> FederatedGraph:
    wikidata = MemoryGraph(
        "wikidata",
        [
            (ANN, BORN, date(ann)),
            (ANN, BIRTHPLACE, TOWN),
            (BAND, FOUNDED, date("1990")),
        ],
        labels={**LABELS, ANN: "Ann", BAND: "The Band", TOWN: "Town"},
    )
    musicbrainz = MemoryGraph(
        "musicbrainz",
        [
            (MB_ANN, BEGAN, date(mb_ann)),
            (MB_ANN, BEGAN_AT, MB_TOWN),
            (MB_BAND, BEGAN, date("1991")),
            (MB_BAND, BEGAN_AT, MB_TOWN),
        ],
        labels={**LABELS, MB_ANN: "Ann", MB_BAND: "The Band", MB_TOWN: "Town"},
        same_as=[(MB_ANN, ANN), (MB_BAND, BAND), (MB_TOWN, TOWN)],
    )
    return FederatedGraph([wikidata, musicbrainz])


def offered(graph: FederatedGraph, *asked: EntityId) -> dict[tuple[str, str], tuple[EntityId, ...]]:
    return {(o.relation.id, o.direction): o.touches for o in graph.relations(asked).items}


def test_what_means_the_same_is_offered_once_under_the_first_name() -> None:
    graph = federation()
    assert offered(graph, ANN) == {(BORN, "out"): (ANN,), (BIRTHPLACE, "out"): (ANN,)}
    assert offered(graph, BAND) == {(FOUNDED, "out"): (BAND,), (BEGAN_AT, "out"): (BAND,)}
    (option,) = [o for o in graph.relations([ANN]).items if o.relation.id == BORN]
    assert (option.relation.label, option.is_at_least) == ("date of birth", True)


def test_the_edges_of_both_graphs_come_back_under_that_name_with_their_sources() -> None:
    graph = federation()
    found = graph.edges([ANN], BORN).triples
    assert [(t.relation.id, t.object.name, t.kg) for t in found] == [
        (BORN, "1970-07-30", "wikidata"),
        (BORN, "1971", "musicbrainz"),
    ]
    subgraph = Subgraph().add(found)
    assert "date of birth: [1970-07-30, 1971]" in render_subgraph(subgraph)[0]
    (conflict,) = find_conflicts(subgraph.triples)
    assert conflict.text == ("date of birth of Ann is 1970-07-30 (wikidata) and 1971 (musicbrainz)")


def test_a_relation_that_may_mean_two_things_means_what_the_entity_has() -> None:
    graph = federation()
    assert [t.object.name for t in graph.edges([BAND], FOUNDED).triples] == ["1990", "1991"]
    assert graph.edges([BAND], BORN).triples == ()
    both = graph.edges([ANN, BAND], BORN)
    assert {t.subject.id for t in both.triples} == {ANN}, "nobody says that the band was born"


def test_a_relation_that_touches_more_is_not_hidden_behind_one_that_touches_less() -> None:
    graph = federation()
    assert offered(graph, ANN, BAND) == {
        (BORN, "out"): (ANN,),
        (FOUNDED, "out"): (BAND,),
        (BEGAN, "out"): (ANN, BAND),
        (BIRTHPLACE, "out"): (ANN,),
        (BEGAN_AT, "out"): (ANN, BAND),
    }
    found = graph.edges([ANN, BAND], BEGAN).triples
    assert {(t.subject.id, t.object.name) for t in found} == {
        (ANN, "1971"),
        (ANN, "1970-07-30"),
        (BAND, "1991"),
        (BAND, "1990"),
    }


def test_one_way_relations_stay_apart_when_read_backwards() -> None:
    graph = federation()
    assert {r for r, direction in offered(graph, TOWN) if direction == "in"} == {
        BIRTHPLACE,
        BEGAN_AT,
    }
    assert [t.subject.id for t in graph.edges([TOWN], BIRTHPLACE, "in").triples] == [ANN]


@pytest.mark.parametrize(
    "ann, mb_ann, kept",
    [
        ("1970-07-30", "1970-07-30", ["1970-07-30"]),
        ("1970-07-30", "1970", ["1970-07-30"]),
        ("1970", "1970-07-30", ["1970-07-30"]),
        ("1970", "1971", ["1970", "1971"]),
    ],
)
def test_of_values_that_agree_the_more_precise_one_is_kept(
    ann: str, mb_ann: str, kept: list[str]
) -> None:
    graph = federation(ann, mb_ann)
    found = graph.edges([ANN], BORN)
    assert [t.object.name for t in found.triples] == kept
    assert found.more == (), "nothing is left out"


def test_without_a_table_all_relations_are_as_their_graphs_have_them() -> None:
    graph = federation()
    plain = FederatedGraph(graph.graphs, equivalents=Equivalents())
    assert (BEGAN, "out") in offered(plain, ANN)
    assert [t.object.name for t in plain.edges([ANN], BORN).triples] == ["1970-07-30"]
    assert plain.version != graph.version


def test_the_table_holds_ids_of_known_vocabularies_each_row_once() -> None:
    table, prefixes = known_equivalents(), Prefixes()
    assert table.items
    for item in table.items:
        assert len(item.relations) > 1
        for relation in item.relations:
            assert prefixes.shorten(prefixes.expand(relation)) == relation
            assert prefixes.expand(relation) != relation
    rows = [frozenset(item.relations) for item in table.items]
    assert len(set(rows)) == len(rows)


def test_a_chain_in_the_table_is_not_followed() -> None:
    a, b, c = (RelationId(f"x:{n}") for n in "abc")
    table = Equivalents((Equivalence((a, b)), Equivalence((b, c))))
    assert (table.of(a, "out"), table.of(b, "in")) == ((b,), (a, c))


def test_entities_of_equivalent_relations_are_joined_by_their_links() -> None:
    graph = federation()
    found = graph.edges([ANN], BIRTHPLACE)
    subgraph = Subgraph().add(found.triples, same_as=found.same_as)
    assert (len(found.triples), len(subgraph)) == (2, 1)
    assert find_conflicts(subgraph.triples) == ()


# --- graphs of tables


def table(home: Path, name: str, text: str) -> LocalGraph:
    path = home / f"{name}.csv"
    path.write_text(f"subject,relation,object\n{text}", "utf-8")
    import_graph([path], home=home, name=name)
    return open_graph(home, name)


def test_relations_of_one_name_in_two_tables_are_one(tmp_path: Path) -> None:
    one = table(tmp_path, "c1", "Ada Zorn,date of birth,1970-01-01\nAda Zorn,born in,Rome\n")
    two = table(tmp_path, "c2", "Ada Zorn,date of birth,1971-05-05\nAda Zorn,wdt:P19,Oslo\n")
    both, ada = FederatedGraph([one, two]), EntityId("c1:Ada%20Zorn")
    labels = [o.relation.label for o in both.relations([ada]).items]
    assert sorted(labels) == ["born in", "date of birth", "p19"]
    (option,) = [o for o in both.relations([ada]).items if o.relation.label == "date of birth"]
    triples = both.edges([ada], option.relation.id).triples
    assert [(t.object.name, t.kg) for t in triples] == [("1970-01-01", "c1"), ("1971-05-05", "c2")]
    (conflict,) = find_conflicts(triples)
    assert conflict.text == "date of birth of Ada Zorn is 1970-01-01 (c1) and 1971-05-05 (c2)"
    one.close()
    two.close()
