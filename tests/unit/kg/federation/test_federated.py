"""Several graphs as one: identity links, linking by label, merging, and what members are asked."""

from __future__ import annotations

import threading
import time

import pytest

from kgcore.errors import InputError
from kgcore.kg.federation.across import link_across
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Entity, EntityId, Literal, RelationId
from kgcore.testing import MemoryGraph

WD, MB = EntityId("wd:Q1299"), EntityId("mb:artist/beatles")
MEMBER, RECORDED = RelationId("wdt:P527"), RelationId("mbp:artist")


def wikidata(**more: object) -> MemoryGraph:
    return MemoryGraph(
        "wikidata",
        [(WD, MEMBER, "wd:Q1203"), ("wd:Q1203", "wdt:P19", "wd:Q24826")],
        labels={WD: "The Beatles", "wd:Q1203": "John Lennon", MEMBER: "has part"},
        types={WD: ["rock band"], "wd:Q1203": ["human"]},
        **more,  # type: ignore[arg-type]
    )


def musicbrainz(**more: object) -> MemoryGraph:
    return MemoryGraph(
        "musicbrainz",
        [("mb:recording/help", RECORDED, MB), ("mb:recording/yesterday", RECORDED, MB)],
        labels={MB: "The Beatles", "mb:recording/help": "Help!", RECORDED: "artist"},
        types={MB: ["artist"], "mb:recording/help": ["recording"]},
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("owner", ["wikidata", "musicbrainz"])
@pytest.mark.parametrize("link", [(WD, MB), (MB, WD)])
def test_links_of_any_member_and_direction_are_followed(owner: str, link: tuple[str, str]) -> None:
    first = wikidata(same_as=[link] if owner == "wikidata" else [])
    second = musicbrainz(same_as=[link] if owner == "musicbrainz" else [])
    both = FederatedGraph([first, second], link_labels=False)
    for asked in (WD, MB):
        offered = {
            (o.relation.id, o.direction, o.relation.kg) for o in both.relations([asked]).items
        }
        assert offered == {(MEMBER, "out", "wikidata"), (RECORDED, "in", "musicbrainz")}


def test_options_and_triples_speak_of_the_asked_id() -> None:
    both = FederatedGraph([wikidata(same_as=[(WD, MB)]), musicbrainz()])
    (option,) = [o for o in both.relations([WD]).items if o.relation.id == RECORDED]
    assert (option.touches, option.count) == ((WD,), 2)
    edges = both.edges([WD], RECORDED, "in")
    assert edges.triples[0].text == "Help! – artist – The Beatles"
    for triple in edges.triples:
        assert isinstance(triple.object, Entity)
        assert (triple.object.id, triple.object.kg) == (WD, "wikidata")
        assert triple.subject.kg == triple.relation.kg == "musicbrainz"
    assert (WD, MB) in edges.same_as


def test_a_chain_of_links_is_followed() -> None:
    third = MemoryGraph("third", [("t:x", "t:p", "t:y")], same_as=[("t:x", MB)])
    both = FederatedGraph([wikidata(same_as=[(WD, MB)]), musicbrainz(), third], link_labels=False)
    assert "t:p" in {o.relation.id for o in both.relations([WD]).items}
    assert [t.subject.id for t in both.edges([WD], RelationId("t:p")).triples] == [WD]


def test_without_a_link_the_label_joins_what_is_expanded() -> None:
    first, second = wikidata(), musicbrainz()
    both = FederatedGraph([first, second])
    assert RECORDED in {o.relation.id for o in both.relations([WD]).items}
    assert (WD, MB) in both.edges([WD], RECORDED, "in").same_as
    assert both.same_as([WD]) == ()  # a guess is no explicit link


def test_labels_are_never_looked_up_for_neighbours_and_once_for_what_is_expanded() -> None:
    first, second = wikidata(), musicbrainz()
    both = FederatedGraph([first, second])
    for _ in range(3):
        both.relations([WD])
        both.edges([WD], MEMBER)
    looked_up = [args[0] for graph in (first, second) for m, args in graph.requests if m == "link"]
    assert looked_up == ["The Beatles"]


def test_linking_by_label_can_be_switched_off() -> None:
    second = musicbrainz()
    both = FederatedGraph([wikidata(), second], link_labels=False)
    assert {o.relation.kg for o in both.relations([WD]).items} == {"wikidata"}
    assert "link" not in {method for method, _ in second.requests}


def test_candidates_of_all_members_are_kept_apart_by_graph() -> None:
    both = FederatedGraph([wikidata(), musicbrainz()])
    found = {(c.entity.id, c.entity.kg) for c in both.link("The Beatles").items}
    assert found == {(WD, "wikidata"), (MB, "musicbrainz")}
    in_question = both.link("Which band wrote Help!: The Beatles?", is_question=True).items
    assert [c.mention for c in in_question] == ["The Beatles", "The Beatles", "Help"]


def test_a_relation_of_two_members_is_offered_once_and_its_edges_are_not_doubled() -> None:
    more = [(WD, MEMBER, "wd:Q1203"), (WD, MEMBER, "wd:Q2599")]
    both = FederatedGraph([wikidata(), MemoryGraph("copy", more)])
    (option,) = [o for o in both.relations([WD]).items if o.relation.id == MEMBER]
    assert (option.count, option.is_at_least, option.relation.kg) == (2, True, "wikidata")
    edges = both.edges([WD], MEMBER)
    assert [t.object.id for t in edges.triples if isinstance(t.object, Entity)] == [
        "wd:Q1203",
        "wd:Q2599",
    ]
    assert (edges.more, edges.is_at_least) == ((), False)
    cut = both.edges([WD], MEMBER, limit=1)
    assert (len(cut.triples), cut.more, cut.is_at_least) == (1, ((WD, 1),), True)


def test_values_that_disagree_are_both_kept() -> None:
    graphs = [
        MemoryGraph(name, [(WD, "wdt:P571", Literal(year, "xsd:gYear"))])
        for name, year in (("one", "1960"), ("two", "1962"))
    ]
    both = FederatedGraph(graphs)
    found = both.edges([WD], RelationId("wdt:P571")).triples
    assert [(t.object.name, t.relation.kg) for t in found] == [("1960", "one"), ("1962", "two")]


def test_only_members_that_have_the_relation_are_asked_for_edges() -> None:
    class Knowing(MemoryGraph):
        def has_relation(self, relation: RelationId) -> bool:
            return relation == RECORDED

    second = Knowing("knowing", [])
    both = FederatedGraph([wikidata(), second], link_labels=False)
    both.edges([WD], MEMBER)
    assert "edges" not in {method for method, _ in second.requests}
    both.edges([WD], RECORDED)
    assert "edges" in {method for method, _ in second.requests}


def test_describe_completes_one_member_with_another() -> None:
    bare = MemoryGraph("bare", [(WD, "x:p", "x:o")])
    both = FederatedGraph([bare, wikidata()])
    (entity,) = both.describe([WD]).entities
    assert (entity.label, entity.types, entity.kg) == ("The Beatles", ("rock band",), "bare")


def test_members_are_asked_at_the_same_time() -> None:
    meeting = threading.Barrier(2, timeout=10)

    class Waiting(MemoryGraph):
        def describe(self, entities: object) -> object:  # type: ignore[override]
            meeting.wait()
            return super().describe(entities)  # type: ignore[arg-type]

    both = FederatedGraph([Waiting("one", []), Waiting("two", [])])
    both.describe([WD])
    assert not meeting.broken, "each waited for the other, and both came"


def test_name_and_version_come_from_the_members() -> None:
    def version(second: str) -> str:
        return FederatedGraph([wikidata(), musicbrainz(version=second)]).version

    assert FederatedGraph([wikidata(), musicbrainz()]).id == "wikidata+musicbrainz"
    assert version("1") == version("1") != version("2")


def test_threads_end_with_the_question_they_were_started_for() -> None:
    before = threading.active_count()
    both = FederatedGraph([wikidata(), musicbrainz()])
    both.relations([WD])
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_no_graph_twice_and_not_none() -> None:
    with pytest.raises(InputError, match="at least one"):
        FederatedGraph([])
    with pytest.raises(InputError, match="twice"):
        FederatedGraph([wikidata(), wikidata()])


def test_graphs_that_mean_different_things_by_a_prefix_are_refused() -> None:
    class Prefixed(MemoryGraph):
        def __init__(self, name: str, namespace: str) -> None:
            super().__init__(name)
            self.prefixes = Prefixes({"ex": namespace})

    with pytest.raises(InputError, match="one and two mean different things by ex"):
        FederatedGraph([Prefixed("one", "http://a/"), Prefixed("two", "http://b/")])
    FederatedGraph([Prefixed("one", "http://a/"), Prefixed("two", "http://a/")])


# --- linking by label


def candidates(*described: tuple[str, str, list[str]]) -> MemoryGraph:
    return MemoryGraph(
        "other",
        labels={i: "Inception" for i, _, _ in described},
        descriptions={i: text for i, text, _ in described},
        types={i: types for i, _, types in described},
    )


FILM = Entity(EntityId("wd:Q25188"), "Inception", "2010 science fiction film", types=("film",))


@pytest.mark.parametrize(
    "graph, expected",
    [
        (candidates(("x:1", "", ["movie"])), "x:1"),
        (candidates(("x:1", "", ["album"])), None),
        (candidates(("x:1", "", ["album"]), ("x:2", "", ["film"])), "x:2"),
        (candidates(("x:1", "", [])), "x:1"),
        (candidates(("x:1", "", []), ("x:2", "", [])), None),
        (candidates(("x:1", "soundtrack album", [])), None),
        (candidates(), None),
        (MemoryGraph("m", labels={"x:1": "Inception: The Cobol Job"}), None),
        (MemoryGraph("m", labels={"x:1": "incéption"}), "x:1"),
    ],
)
def test_the_label_must_be_the_same_and_the_kind_must_not_disagree(
    graph: MemoryGraph, expected: str | None
) -> None:
    assert link_across(FILM, graph) == expected


def test_what_has_no_label_is_not_linked() -> None:
    graph = candidates(("x:1", "", []))
    assert link_across(Entity(EntityId("wd:Q1")), graph) is None
    assert graph.requests == []
