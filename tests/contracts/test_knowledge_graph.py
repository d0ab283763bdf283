"""What every knowledge graph promises, against each of those this package ships.

Those behind an endpoint are asked over HTTP, with a label index that was built through the endpoint.

The graph is small enough to draw:

    Inception ──director──▶ Nolan ──born in──▶ London
        │                     ▲
        └─cast─▶ DiCaprio     └──director── Interstellar ──cast──▶ McConaughey
    Inception ──released──▶ 2010-07-08        Nolan ──same as──▶ mb:artist/nolan
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pyoxigraph import DefaultGraph, RdfFormat, Store

from kgcore.corrections import CorrectedGraph, Correction
from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.kg.connections import Connection
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.sparql import SparqlGraph
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from kgcore.testing import MemoryGraph
from kgcore.transport.transport import Transport
from tests.servers.oxigraph_server import OxigraphServer
from tests.servers.virtuoso_server import VirtuosoServer

INCEPTION, INTERSTELLAR = EntityId("wd:Q25188"), EntityId("wd:Q13417189")
NOLAN, DICAPRIO, MCCONAUGHEY = EntityId("wd:Q25191"), EntityId("wd:Q38111"), EntityId("wd:Q29092")
LONDON, MB_NOLAN = EntityId("wd:Q84"), EntityId("mb:artist/nolan")
DIRECTOR, CAST, BORN = RelationId("wdt:P57"), RelationId("wdt:P161"), RelationId("wdt:P19")
RELEASED = RelationId("wdt:P577")

FACTS: list[tuple[str, str, str | Literal]] = [
    (INCEPTION, DIRECTOR, NOLAN),
    (INCEPTION, CAST, DICAPRIO),
    (INCEPTION, RELEASED, Literal("2010-07-08", "xsd:date")),
    (INTERSTELLAR, DIRECTOR, NOLAN),
    (INTERSTELLAR, CAST, MCCONAUGHEY),
    (NOLAN, BORN, LONDON),
]
LABELS = {
    INCEPTION: "Inception",
    INTERSTELLAR: "Interstellar",
    NOLAN: "Christopher Nolan",
    DICAPRIO: "Leonardo DiCaprio",
    MCCONAUGHEY: "Matthew McConaughey",
    LONDON: "London",
}
RELATION_LABELS = {DIRECTOR: "director", CAST: "cast member", BORN: "place of birth"}
RELATION_LABELS[RELEASED] = "publication date"
ALIASES = {LONDON: ["London, UK"], DICAPRIO: ["Leo DiCaprio"]}
DESCRIPTIONS = {INCEPTION: "2010 film"}
SAME = [(NOLAN, MB_NOLAN)]


def memory(name: str, facts: list[tuple[str, str, str | Literal]]) -> MemoryGraph:
    named = {i for s, r, o in facts for i in (s, r, o) if isinstance(i, str)}
    labels = {**LABELS, **RELATION_LABELS}
    return MemoryGraph(
        name,
        facts,
        labels={i: text for i, text in labels.items() if i in named},
        inverse_labels={CAST: "acted in"},
        descriptions={i: text for i, text in DESCRIPTIONS.items() if i in named},
        types={INCEPTION: ["film"]} if INCEPTION in named else {},
        aliases={i: names for i, names in ALIASES.items() if i in named},
        same_as=SAME,
    )


def turtle(facts: list[tuple[str, str, str | Literal]]) -> str:
    named = {i for s, r, o in facts for i in (s, r, o) if isinstance(i, str)}
    lines = [
        "@prefix wd: <http://www.wikidata.org/entity/> .",
        "@prefix wdt: <http://www.wikidata.org/prop/direct/> .",
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
        "@prefix schema: <http://schema.org/> .",
        "@prefix kg: <urn:kg:vocabulary:> .",
        "@prefix wikibase: <http://wikiba.se/ontology#> .",
        "wd:Q25191 owl:sameAs <https://musicbrainz.org/artist/nolan> .",
        'wd:P161 kg:inverseLabel "acted in"@en .',
        'wd:Q11424 rdfs:label "film"@en .',
    ]
    for subject, relation, end in facts:
        if isinstance(end, Literal):
            lines.append(f'{subject} {relation} "{end.value}"^^{end.datatype} .')
        else:
            lines.append(f"{subject} {relation} {end} .")
    for relation, text in RELATION_LABELS.items():
        thing = relation.replace("wdt:", "wd:")
        lines.append(
            f"{thing} a wikibase:Property ; wikibase:directClaim {relation} ;"
            f' rdfs:label "{text}"@en .'
        )
    for identifier in sorted(named & LABELS.keys()):
        lines.append(f'{identifier} rdfs:label "{LABELS[EntityId(identifier)]}"@en .')
        for name in ALIASES.get(EntityId(identifier), []):
            lines.append(f'{identifier} skos:altLabel "{name}"@en .')
    if INCEPTION in named:
        lines.append(f'{INCEPTION} a wd:Q11424 ; schema:description "2010 film"@en .')
    return "\n".join(lines)


def local(name: str, facts: list[tuple[str, str, str | Literal]], folder: Path) -> LocalGraph:
    path = folder / f"{name}.ttl"
    path.write_text(turtle(facts), "utf-8")
    import_graph([path], home=folder, name=name)
    return open_graph(folder, name)


def build_memory(folder: Path) -> list[KnowledgeGraph]:
    return [memory("films", FACTS)]


def build_local(folder: Path) -> list[KnowledgeGraph]:
    return [local("films", FACTS, folder)]


def build_federation_of_one(folder: Path) -> list[KnowledgeGraph]:
    member = local("films", FACTS, folder)
    return [FederatedGraph([member]), member]


def build_federation_of_two(folder: Path) -> list[KnowledgeGraph]:
    """Each member holds half of the facts, and both one of them."""
    members = [local("first", FACTS[:3], folder), memory("second", FACTS[2:])]
    return [FederatedGraph(members), members[0]]


# --- behind an endpoint


@pytest.fixture(scope="module")
def transport() -> Transport:
    return Transport(user_agent="traversal-studio-tests/1 (tests@example.org)", allow_private=True)


@pytest.fixture(scope="module")
def oxigraph_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("oxigraph")
    path = folder / "films.ttl"
    path.write_text(turtle(FACTS), "utf-8")
    with OxigraphServer([path], folder=folder) as server:
        yield server.address


@pytest.fixture(scope="module")
def virtuoso_address(virtuoso: VirtuosoServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    store = Store()
    store.load(turtle(FACTS).encode(), RdfFormat.TURTLE)
    path = tmp_path_factory.mktemp("films") / "films.nt"
    path.write_bytes(store.dump(format=RdfFormat.N_TRIPLES, from_graph=DefaultGraph()) or b"")
    return virtuoso.load("urn:test:films", [path])


@pytest.fixture(scope="module")
def index_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where label indexes are kept, each built once."""
    return tmp_path_factory.mktemp("indexes")


def behind(server: str, profile: str) -> Callable[[pytest.FixtureRequest], list[KnowledgeGraph]]:
    def build(request: pytest.FixtureRequest) -> list[KnowledgeGraph]:
        address = request.getfixturevalue(f"{server}_address")
        folder = request.getfixturevalue("index_folder")
        graph = SparqlGraph(
            Connection("films", "sparql", address, profile),
            request.getfixturevalue("transport"),
            folder=folder,
        )
        if not graph.has_label_index:
            graph.build_label_index()
        return [graph]

    return build


ENDPOINTS = {
    f"{server}, {profile}": behind(server, profile)
    for server in ("oxigraph", "virtuoso")
    for profile in ("wikidata", "generic")
}


def build_corrected(folder: Path) -> list[KnowledgeGraph]:
    """The same facts, some of them by corrections of a graph that is wrong."""
    missing, wrong = (INTERSTELLAR, DIRECTOR, NOLAN), (DICAPRIO, BORN, LONDON)
    graph = memory("films", [*(fact for fact in FACTS if fact != missing), wrong])

    def correction(name: str, action: str, fact: tuple[str, str, str]) -> Correction:
        subject, relation, end = fact
        ids = EntityId(subject), EntityId(end)
        ends = [Entity(i, LABELS[i], DESCRIPTIONS.get(i, ""), "films") for i in ids]
        kind = RelationId(relation)
        made = Relation(kind, RELATION_LABELS[kind], kg="films")
        return Correction(name, action, ends[0], made, ends[1], kg="films")  # type: ignore[arg-type]

    corrections = [correction("a", "add", missing), correction("b", "retract", wrong)]
    return [CorrectedGraph(graph, corrections)]


HERE = {
    "corrected": build_corrected,
    "memory": build_memory,
    "local": build_local,
    "federation of one": build_federation_of_one,
    "federation of two": build_federation_of_two,
}


@pytest.fixture(params=[*HERE, *ENDPOINTS])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KnowledgeGraph]:
    name: str = request.param
    built = HERE[name](tmp_path) if name in HERE else ENDPOINTS[name](request)
    yield built[0]
    for one in built:
        if hasattr(one, "close"):
            one.close()


def fact(graph: KnowledgeGraph, asked: EntityId, relation: RelationId, direction: str) -> list[str]:
    edges = graph.edges([asked], relation, "in" if direction == "in" else "out")
    return [
        f"{t.subject.id} {t.relation.id} "
        f"{t.object.id if isinstance(t.object, Entity) else t.object.value}"
        for t in edges.triples
    ]


def test_it_has_a_name_and_a_version(graph: KnowledgeGraph) -> None:
    assert graph.id
    assert graph.version
    assert graph.version == graph.version


@pytest.mark.parametrize(
    "text", ["Inception", "inception", "INCEPTION", "  Inception ", "Incéption"]
)
def test_link_finds_a_label_however_it_is_cased(graph: KnowledgeGraph, text: str) -> None:
    best = graph.link(text).items[0]
    assert best.entity.id == INCEPTION
    assert best.entity.label == "Inception"
    assert best.entity.kg
    assert 0 < best.score <= 1


def test_link_finds_other_names_parts_of_names_and_typing_errors(graph: KnowledgeGraph) -> None:
    for text in ("Leo DiCaprio", "DiCaprio", "Leonrado DiCaprio"):
        assert graph.link(text).items[0].entity.id == DICAPRIO, text


def test_link_scores_the_label_itself_highest(graph: KnowledgeGraph) -> None:
    score = {text: graph.link(text).items[0].score for text in ("London", "London, UK", "Lodnon")}
    assert score["London"] > score["London, UK"] > score["Lodnon"]


def test_link_finds_nothing_for_what_is_no_name(graph: KnowledgeGraph) -> None:
    for text in ("", "   ", "?", "zzzzqqqq", '" OR 1=1', "*", "a" * 5000, "\x00"):
        assert graph.link(text).items == ()


def test_link_keeps_to_the_limit(graph: KnowledgeGraph) -> None:
    assert {c.entity.id for c in graph.link("Inception", limit=1).items} == {INCEPTION}


def test_a_question_is_searched_for_names(graph: KnowledgeGraph) -> None:
    found = graph.link("Did Leonardo DiCaprio act in Inception's sequel?", is_question=True)
    best = {c.mention: c.entity.id for c in reversed(found.items)}
    assert best == {"Leonardo DiCaprio": DICAPRIO, "Inception": INCEPTION}
    assert found.items[0].mention == "Leonardo DiCaprio"


def test_relations_are_offered_in_both_directions(graph: KnowledgeGraph) -> None:
    offered = {(o.relation.id, o.direction) for o in graph.relations([NOLAN]).items}
    assert offered == {(DIRECTOR, "in"), (BORN, "out")}


def test_an_option_says_what_it_holds(graph: KnowledgeGraph) -> None:
    options = {(o.relation.id, o.direction): o for o in graph.relations([INCEPTION]).items}
    cast, released = options[CAST, "out"], options[RELEASED, "out"]
    assert (cast.relation.label, cast.relation.inverse_label) == ("cast member", "acted in")
    assert (cast.count, cast.targets, cast.touches) == (1, ("Leonardo DiCaprio",), (INCEPTION,))
    assert released.target_types == ("date",)
    assert released.targets == ("2010-07-08",)


def test_options_tell_which_of_the_asked_entities_they_touch(graph: KnowledgeGraph) -> None:
    asked = [INTERSTELLAR, INCEPTION, NOLAN]
    options = {(o.relation.id, o.direction): o for o in graph.relations(asked).items}
    assert set(options[DIRECTOR, "out"].touches) == {INTERSTELLAR, INCEPTION}
    assert options[DIRECTOR, "in"].touches == (NOLAN,)
    assert options[BORN, "out"].touches == (NOLAN,)


def test_options_come_by_relation_then_direction(graph: KnowledgeGraph) -> None:
    keys = [(o.relation.id, o.direction) for o in graph.relations([INCEPTION, NOLAN]).items]
    assert keys == sorted(keys)


def test_edges_read_as_the_graph_holds_them(graph: KnowledgeGraph) -> None:
    assert fact(graph, INCEPTION, DIRECTOR, "out") == [f"{INCEPTION} {DIRECTOR} {NOLAN}"]
    assert sorted(fact(graph, NOLAN, DIRECTOR, "in")) == [
        f"{INTERSTELLAR} {DIRECTOR} {NOLAN}",
        f"{INCEPTION} {DIRECTOR} {NOLAN}",
    ]


def test_edges_bring_labels(graph: KnowledgeGraph) -> None:
    (triple,) = graph.edges([NOLAN], BORN).triples
    assert triple.text == "Christopher Nolan – place of birth – London"
    assert triple.provenance is not None
    assert triple.provenance.kg


def test_a_literal_keeps_its_form(graph: KnowledgeGraph) -> None:
    (triple,) = graph.edges([INCEPTION], RELEASED).triples
    assert triple.object == Literal("2010-07-08", "xsd:date")


def test_every_offered_relation_has_the_edges_it_counts(graph: KnowledgeGraph) -> None:
    for entity in LABELS:
        for option in graph.relations([entity]).items:
            edges = graph.edges([entity], option.relation.id, option.direction)
            n = len(edges.triples)
            assert n >= option.count if option.is_at_least else n == option.count
            assert edges.more == ()


def test_the_limit_is_kept_and_the_rest_is_counted(graph: KnowledgeGraph) -> None:
    edges = graph.edges([NOLAN], DIRECTOR, "in", limit=1)
    assert len(edges.triples) == 1
    assert edges.more == ((NOLAN, 1),)
    assert graph.edges([NOLAN], DIRECTOR, "in", limit=2).more == ()


def test_the_limit_is_per_entity(graph: KnowledgeGraph) -> None:
    assert len(graph.edges([INCEPTION, INTERSTELLAR], DIRECTOR, limit=1).triples) == 2


def test_edges_bring_explicit_links(graph: KnowledgeGraph) -> None:
    assert (NOLAN, MB_NOLAN) in graph.edges([INCEPTION], DIRECTOR).same_as


def test_links_are_followed_from_either_side(graph: KnowledgeGraph) -> None:
    assert graph.same_as([NOLAN]) == ((NOLAN, MB_NOLAN),)
    assert graph.same_as([MB_NOLAN]) == ((MB_NOLAN, NOLAN),)
    assert graph.same_as([LONDON]) == ()


def test_describe_gives_label_description_and_types(graph: KnowledgeGraph) -> None:
    (entity,) = graph.describe([INCEPTION]).entities
    assert (entity.id, entity.label) == (INCEPTION, "Inception")
    assert (entity.description, entity.types) == ("2010 film", ("film",))
    assert entity.kg


def test_describe_keeps_the_order_and_leaves_out_what_it_does_not_know(
    graph: KnowledgeGraph,
) -> None:
    asked = [LONDON, EntityId("wd:Q999999999"), INCEPTION, LONDON]
    assert [e.id for e in graph.describe(asked).entities] == [LONDON, INCEPTION]


def test_describe_brings_the_links_same_as_gives(graph: KnowledgeGraph) -> None:
    asked = [NOLAN, LONDON]
    assert sorted(graph.describe(asked).same_as) == sorted(graph.same_as(asked))


def test_ids_it_does_not_hold_are_answered_with_nothing(graph: KnowledgeGraph) -> None:
    for unknown in map(EntityId, ("wd:Q999999999", "other:thing", "<urn:nowhere:1>")):
        assert graph.relations([unknown]).items == ()
        assert graph.edges([unknown], DIRECTOR).triples == ()
        assert graph.describe([unknown]).entities == ()
        assert graph.same_as([unknown]) == ()
    assert graph.edges([INCEPTION], RelationId("wdt:P999999")).triples == ()
    assert graph.edges([INCEPTION], RelationId("wdt:P57"), "in").triples == ()


def test_asking_for_nothing_is_answered_with_nothing(graph: KnowledgeGraph) -> None:
    assert graph.relations([]).items == ()
    assert graph.edges([], DIRECTOR).triples == ()
    assert graph.describe([]).entities == ()
    assert graph.same_as([]) == ()


@pytest.mark.parametrize("bad", ["no colon", "", "wd:Q1> } UNION { ?s ?p ?o", 'wd:"', "<a\nb>"])
def test_what_is_no_id_is_refused(graph: KnowledgeGraph, bad: str) -> None:
    with pytest.raises(InputError, match="is no id"):
        graph.relations([EntityId(bad)])
    with pytest.raises(InputError, match="is no id"):
        graph.edges([EntityId(bad)], DIRECTOR)
    with pytest.raises(InputError, match="is no id"):
        graph.edges([NOLAN], RelationId(bad))
    with pytest.raises(InputError, match="is no id"):
        graph.describe([EntityId(bad)])


def test_an_id_asked_twice_counts_once(graph: KnowledgeGraph) -> None:
    assert len(graph.edges([INCEPTION, INCEPTION], DIRECTOR).triples) == 1
    (option,) = [o for o in graph.relations([NOLAN, NOLAN]).items if o.relation.id == BORN]
    assert (option.count, option.touches) == (1, (NOLAN,))


def test_the_same_question_has_the_same_answer_on_many_threads(graph: KnowledgeGraph) -> None:
    def ask(_: int) -> tuple[object, ...]:
        return (
            graph.link("Inception"),
            graph.relations([NOLAN]),
            graph.edges([NOLAN], DIRECTOR, "in"),
        )

    expected = ask(0)
    with ThreadPoolExecutor(8) as pool:
        assert all(result == expected for result in pool.map(ask, range(40)))
