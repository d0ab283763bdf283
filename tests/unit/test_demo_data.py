"""The demo graphs state real facts, and the sample questions follow from them."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "assets/demo"
SHARED_DATA = ROOT.parent / "shared/data"
GRAPHS = ("demo-wikidata", "demo-musicbrainz")
PREFIXES = {
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "mb": "https://musicbrainz.org/",
    "mbp": "urn:kg:musicbrainz:p:",
    "demo": "urn:kg:demo:",
    "kg": "urn:kg:vocabulary:",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "wikibase": "http://wikiba.se/ontology#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
SPARQL_PREFIXES = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
KINDS = {
    "one_hop",
    "composition",
    "intersection",
    "comparison_date",
    "comparison_number",
    "yes_no",
    "count",
    "inverse",
    "cross_graph",
    "no_answer",
}
FIELDS = {
    "id",
    "question",
    "question_zh",
    "kind",
    "kgs",
    "topic_entities",
    "answers",
    "gold",
    "needs",
}
QUESTIONS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / "assets/questions.yaml").read_text("utf-8")
)
question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: str(q["id"]))


def iri(curie: str) -> str:
    prefix, _, local = curie.partition(":")
    return PREFIXES[prefix] + local


@pytest.fixture(scope="module")
def graphs() -> dict[str, ox.Store]:
    stores = {}
    for name in GRAPHS:
        stores[name] = ox.Store()
        stores[name].load(path=str(DEMO / f"{name}.ttl"), format=ox.RdfFormat.TURTLE)
    return stores


@pytest.fixture(scope="module")
def both(graphs: dict[str, ox.Store]) -> ox.Store:
    store = ox.Store()
    for graph in graphs.values():
        store.extend(graph)
    return store


def select(store: ox.Store, query: str) -> list[ox.NamedNode | ox.Literal]:
    solutions = store.query(SPARQL_PREFIXES + query)
    assert isinstance(solutions, ox.QuerySolutions)
    return [solution[0] for solution in solutions]


def iris(store: ox.Store) -> Iterator[str]:
    for quad in store:
        for term in (quad.subject, quad.predicate, quad.object):
            if isinstance(term, ox.NamedNode):
                yield term.value


def labels(store: ox.Store, entity: str) -> dict[str | None, str]:
    found = store.quads_for_pattern(
        ox.NamedNode(entity), ox.NamedNode(PREFIXES["rdfs"] + "label"), None
    )
    return {quad.object.language: quad.object.value for quad in found}


def public_ids(store: ox.Store) -> set[str]:
    found = set()
    for text in iris(store):
        if text.startswith((PREFIXES["wd"], PREFIXES["wdt"], PREFIXES["mb"])):
            found.add(text.rpartition("/")[2])
    return found


# --- The graphs


def test_each_graph_has_a_fair_share_of_the_facts(graphs: dict[str, ox.Store]) -> None:
    sizes = {name: len(store) for name, store in graphs.items()}
    assert sum(sizes.values()) >= 3000
    assert sizes["demo-wikidata"] >= 2500
    assert sizes["demo-musicbrainz"] >= 1000
    assert sum(sizes.values()) <= 8000


def test_every_public_id_is_in_the_list_of_checked_ids(both: ox.Store) -> None:
    checked = (DEMO / "checked_ids.txt").read_text("utf-8").split()
    assert checked == sorted(set(checked))
    assert public_ids(both) == set(checked)


def test_ids_of_our_own_do_not_look_like_public_ones(both: ox.Store) -> None:
    own = {text.removeprefix(PREFIXES["demo"]) for text in iris(both) if "urn:kg:demo:" in text}
    assert own
    assert [name for name in own if not re.fullmatch(r"[a-z][a-z0-9_]*", name)] == []
    assert [name for name in own if re.fullmatch(r"[qp]\d+", name)] == []


def test_no_public_id_hides_in_a_text(both: ox.Store) -> None:
    texts = [quad.object.value for quad in both if isinstance(quad.object, ox.Literal)]
    assert [text for text in texts if re.search(r"\b[QP]\d{2,}\b", text)] == []


def test_every_iri_outside_the_vocabularies_is_of_a_known_kind(both: ox.Store) -> None:
    known = (*PREFIXES.values(), "http://schema.org/", "http://www.w3.org/2004/02/skos/core#")
    assert {text for text in iris(both) if not text.startswith(known)} == set()


@pytest.mark.parametrize("name", GRAPHS)
def test_whatever_a_graph_mentions_has_an_english_label_there(
    graphs: dict[str, ox.Store], name: str
) -> None:
    store = graphs[name]
    vocabulary = (PREFIXES["wikibase"], PREFIXES["wdt"])
    mentioned = {quad.subject.value for quad in store}
    for quad in store:
        is_link = quad.predicate.value == PREFIXES["owl"] + "sameAs"
        if isinstance(quad.object, ox.NamedNode) and not is_link:
            mentioned.add(quad.object.value)
    bare = {m for m in mentioned if not m.startswith(vocabulary) and "en" not in labels(store, m)}
    assert bare == set()


@pytest.mark.parametrize("name", GRAPHS)
def test_every_entity_has_a_type(graphs: dict[str, ox.Store], name: str) -> None:
    untyped = """SELECT DISTINCT ?s {
        ?s rdfs:label ?label
        FILTER NOT EXISTS { ?s wdt:P31|rdf:type ?type }
        FILTER NOT EXISTS { ?any wdt:P31|rdf:type ?s } }"""
    assert select(graphs[name], untyped) == []


@pytest.mark.parametrize("name", GRAPHS)
def test_every_relation_is_declared_with_a_label_in_both_languages(
    graphs: dict[str, ox.Store], name: str
) -> None:
    store = graphs[name]
    declared = """SELECT DISTINCT ?claim { ?property a wikibase:Property ;
        wikibase:directClaim ?claim ; rdfs:label ?en , ?zh
        FILTER(LANG(?en) = "en" && LANG(?zh) = "zh") }"""
    claims = {term.value for term in select(store, declared)}
    own = tuple(PREFIXES[p] for p in ("wdt", "mbp", "demo"))
    used = {quad.predicate.value for quad in store if quad.predicate.value.startswith(own)}
    assert used <= claims


@pytest.mark.parametrize("name", GRAPHS)
def test_links_to_the_other_graph_resolve_and_point_back(
    graphs: dict[str, ox.Store], name: str
) -> None:
    here, there = graphs[name], graphs[next(n for n in GRAPHS if n != name)]
    same = ox.NamedNode(PREFIXES["owl"] + "sameAs")
    links = [(q.subject, q.object) for q in here.quads_for_pattern(None, same, None)]
    assert len(links) >= 20
    for one, other in links:
        assert labels(there, other.value), f"{other} is not in the other graph"
        assert list(there.quads_for_pattern(other, same, one)), f"{other} does not point back"


def test_linked_entities_agree_on_the_day_of_birth(both: ox.Store) -> None:
    differing = """SELECT ?a { ?a wdt:P569 ?here ; owl:sameAs/mbp:begin_date ?there
        FILTER(DATATYPE(?here) = DATATYPE(?there) && ?here != ?there) }"""
    assert select(both, differing) == []


def test_nobody_is_born_twice_and_no_film_is_first_shown_twice(both: ox.Store) -> None:
    for name in ("P569", "P570", "P577"):
        twice = f"SELECT ?s {{ ?s wdt:{name} ?a , ?b FILTER(STR(?a) < STR(?b)) }}"
        assert select(both, twice) == [], name


def test_nobody_dies_before_birth(both: ox.Store) -> None:
    lives = """SELECT ?s { ?s wdt:P569 ?born ; wdt:P570 ?died
        FILTER(SUBSTR(STR(?died), 1, 4) <= SUBSTR(STR(?born), 1, 4)) }"""
    assert select(both, lives) == []


def test_other_names_are_not_words_of_every_question(both: ox.Store) -> None:
    words = {"a", "an", "in", "is", "it", "of", "on", "or", "the", "us", "who", "can", "was", "won"}
    alias = ox.NamedNode("http://www.w3.org/2004/02/skos/core#altLabel")
    entities = (PREFIXES["wd"] + "Q", PREFIXES["mb"])
    found = {
        quad.object.value
        for quad in both.quads_for_pattern(None, alias, None)
        if quad.subject.value.startswith(entities) and quad.object.value.lower() in words
    }
    assert found == set()


def test_the_hand_written_facts_say_where_they_come_from() -> None:
    for name in GRAPHS:
        text = (DEMO / f"hand-{name.removeprefix('demo-')}.ttl").read_text("utf-8")
        sections = re.split(r"^# --- ", text, flags=re.M)[1:]
        assert sections
        assert [s.splitlines()[0] for s in sections if "# source: " not in s] == []


# --- The sample questions


def test_there_are_enough_questions_of_every_kind() -> None:
    assert len(QUESTIONS) >= 28
    kinds = Counter(q["kind"] for q in QUESTIONS)
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 2
    assert kinds["no_answer"] >= 3
    assert sum("question_zh" in q for q in QUESTIONS) >= 8
    assert sum("needs" in q for q in QUESTIONS) <= 4
    assert "Which actor starred in both Inception and Interstellar?" in {
        q["question"] for q in QUESTIONS
    }


def test_question_ids_and_wordings_are_unique() -> None:
    for key in ("id", "question"):
        assert max(Counter(q[key] for q in QUESTIONS).values()) == 1


@question
def test_a_question_has_its_fields_and_no_others(question: dict[str, Any]) -> None:
    assert set(question) <= FIELDS
    assert FIELDS - set(question) <= {"question_zh", "needs"}
    assert set(question["kgs"]) <= set(GRAPHS)
    assert question.get("needs", "language model") == "language model"
    assert bool(question["answers"]) == (question["kind"] != "no_answer")


@question
def test_gold_answers_follow_from_the_graphs(both: ox.Store, question: dict[str, Any]) -> None:
    result = both.query(SPARQL_PREFIXES + question["gold"])
    if isinstance(result, ox.QueryBoolean):
        found = [(str(bool(result)).lower(), PREFIXES["xsd"] + "boolean")]
    else:
        assert isinstance(result, ox.QuerySolutions)
        found = [
            (term.value, term.datatype.value if isinstance(term, ox.Literal) else "")
            for term in {solution["answer"] for solution in result}
        ]
    gold = [
        (iri(a["id"]), "") if "id" in a else (a["value"], iri(a["datatype"]))
        for a in question["answers"]
    ]
    assert sorted(found) == sorted(gold)


@question
def test_what_a_question_touches_is_named_in_both_languages(
    both: ox.Store, question: dict[str, Any]
) -> None:
    touched = {iri(name) for name in question["topic_entities"]}
    touched |= {iri(a["id"]) for a in question["answers"] if "id" in a}
    own = tuple(PREFIXES[p] for p in ("wd", "mb", "demo"))
    if not question["gold"].startswith("ASK"):
        pattern = re.sub(r"^SELECT .*?\{", "SELECT * {", question["gold"], flags=re.S)
        result = both.query(SPARQL_PREFIXES + re.sub(r"\}[^}]*$", "}", pattern))
        assert isinstance(result, ox.QuerySolutions)
        names = [variable.value for variable in result.variables]
        for solution in result:
            terms = [solution[name] for name in names]
            touched |= {t.value for t in terms if isinstance(t, ox.NamedNode)}
    touched = {name for name in touched if name.startswith(own)}
    missing = {
        name: labels(both, name) for name in touched if not {"en", "zh"} <= {*labels(both, name)}
    }
    assert missing == {}


@question
def test_answer_labels_are_those_of_the_graph(both: ox.Store, question: dict[str, Any]) -> None:
    for answer in question["answers"]:
        if "id" in answer:
            assert labels(both, iri(answer["id"]))["en"] == answer["label"]


@question
def test_the_graph_holds_other_candidates_than_the_answer(
    graphs: dict[str, ox.Store], question: dict[str, Any]
) -> None:
    if question["kind"] == "no_answer":
        return
    for name in question["topic_entities"]:
        entity = ox.NamedNode(iri(name))
        relations = set()
        for store in graphs.values():
            relations |= {q.predicate for q in store.quads_for_pattern(entity, None, None)}
            relations |= {q.predicate for q in store.quads_for_pattern(None, None, entity)}
        claims = [
            r
            for r in relations
            if r.value.startswith(tuple(PREFIXES[p] for p in ("wdt", "mbp", "demo")))
        ]
        assert len(claims) >= 2, f"{name} offers no choice"


# --- Against the source graphs


@pytest.fixture
def bench_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "bench")


needs_sources = pytest.mark.skipif(
    not SHARED_DATA.is_dir(), reason="the source graphs are not beside this checkout"
)


@needs_sources
@pytest.mark.usefixtures("bench_on_path")
def test_checked_ids_occur_in_the_source_graphs() -> None:
    sources = importlib.import_module("demo_graphs.sources")
    known = sources.known_ids(SHARED_DATA, sources.open_payloads(SHARED_DATA))
    checked = set((DEMO / "checked_ids.txt").read_text("utf-8").split())
    assert checked - known == set()


@needs_sources
@pytest.mark.usefixtures("bench_on_path")
def test_a_rebuild_changes_nothing(tmp_path: Path) -> None:
    build_demo = importlib.import_module("build_demo")
    inputs = ("selection.yaml", "labels.tsv", "hand-wikidata.ttl", "hand-musicbrainz.ttl")
    for name in inputs:
        (tmp_path / name).write_bytes((DEMO / name).read_bytes())
    build_demo.build(SHARED_DATA, tmp_path)
    for name in (*(f"{g}.ttl" for g in GRAPHS), "checked_ids.txt"):
        assert (tmp_path / name).read_bytes() == (DEMO / name).read_bytes(), name
