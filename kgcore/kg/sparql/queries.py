"""Builds the queries of a graph behind an endpoint. Pure: terms and a profile go in, text comes out.

What shapes them, beside the standard, is what engines do with them (Oxigraph, Virtuoso, Blazegraph, QLever):

* Every thing asked for gets a window of its own, a subselect with a LIMIT. So a hub is bounded by the engine,
  and does not take the room of the others.
* Labels are joined after the windows, in one OPTIONAL whose branches share `?x`. Each row then holds one text, in
  place of a product of labels, descriptions, types and links.
* No label service, no hints, no prefixed names, no OFFSET.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.kg import vocabulary as v
from kgcore.kg.sparql import edge_patterns as e
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql import thing_patterns as t
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.terms import iri, path
from kgcore.model import Direction


def relations_query(
    profile: Profile,
    asked: Sequence[tuple[int, str, Direction]],
    languages: Sequence[str],
    *,
    window: int,
    is_of_hubs: bool = False,
) -> str:
    """Ask which relations touch things, with counts, two examples each, and labels.

    Rows: ?d direction, ?p predicate, ?es "number:count …", ?w which example ?x is, ?k ?v its texts, ?pk ?pv the
    relation's.
    """
    look = e.hub_relations if is_of_hubs else e.relation_windows
    windows = "\nUNION ".join(look(profile, asked, window))
    return (
        "SELECT ?d ?p ?es ?w ?x ?k ?v ?pk ?pv {\n"
        f"{{ SELECT ?d ?p ?es ?w (COALESCE(IF(?w = 1, ?xa, ?xb), <{r.NO_END}>) AS ?x) {{\n"
        '{ SELECT ?d ?p (GROUP_CONCAT(CONCAT(STR(?e), ":", STR(?n)); separator=" ") AS ?es)'
        " (MIN(?a) AS ?xa) (MAX(?b) AS ?xb) {\n"
        "{ SELECT ?e ?d ?p (COUNT(?y) AS ?n) (MIN(?y) AS ?a) (MAX(?y) AS ?b) {\n"
        f"{windows}\n"
        "} GROUP BY ?e ?d ?p }\n"
        "} GROUP BY ?d ?p }\n"
        "VALUES ?w { 1 2 } } }\n"
        f"{t.relation_texts(profile, languages)}\n"
        f"{t.labels_and_types(profile, languages)}\n"
        f"}} LIMIT {profile.max_rows}"
    )


def edges_query(
    profile: Profile,
    things: Sequence[str],
    relation: str,
    direction: Direction,
    languages: Sequence[str],
    *,
    limit: int,
) -> str:
    """Ask for the ends of edges, how many there are, and what is known of all things in the answer.

    Rows: ?e what it is about, ?x the thing, ?k ?v one of its texts or links (?y: the class, or the other end of
    a link to it), ?n a count, ?u the label of a unit.
    """
    windows = [
        f"{{ SELECT DISTINCT ({r.WINDOW + n} AS ?e) ?x"
        f" {{ {e.edge(profile, thing, relation, direction, '?x')} }} LIMIT {limit + 1} }}"
        for n, thing in enumerate(things)
    ]
    counts = [
        f"{{ SELECT ({r.COUNT + n} AS ?e) (COUNT(?z) AS ?n) {{ SELECT DISTINCT ?z"
        f" {{ {e.edge(profile, thing, relation, direction, '?z')} }} LIMIT {r.COUNT_CAP + 1} }} }}"
        for n, thing in enumerate(things)
        if limit < r.COUNT_CAP
    ]
    about = [*windows, t.themselves(things, relation), *_properties(profile, relation)]
    left = f"{{ {{ {' UNION '.join(about)} }}\n{t.all_texts(profile, languages, things)} }}"
    more = list(counts)
    if direction == "out":
        more += _no_value(profile, things, relation)
        more += _statements(profile, things, relation, languages, limit=limit)
    whole = "\nUNION ".join((left, *more))
    return f"SELECT ?e ?x ?k ?v ?y ?n ?u {{\n{whole} }} LIMIT {profile.max_rows}"


def _properties(profile: Profile, relation: str) -> list[str]:
    if not profile.declarations:
        return []
    stands_for = f"?pt {path(profile.declarations)} {iri(relation)}"
    return [f"{{ SELECT ({r.RELATION} AS ?e) (?pt AS ?x) {{ {stands_for} }} LIMIT 5 }}"]


def _no_value(profile: Profile, things: Sequence[str], relation: str) -> list[str]:
    if not profile.has_no_value or not relation.startswith(v.WDT):
        return []
    marker = iri(v.NO_VALUE_NAMESPACE + relation.removeprefix(v.WDT))
    rows = " ".join(f"({r.WINDOW + n} {iri(thing)})" for n, thing in enumerate(things))
    return [
        f"{{ SELECT ?e (<{r.NOTHING}> AS ?x)"
        f" {{ VALUES (?e ?s) {{ {rows} }} ?s {iri(e.TYPE)} {marker} }} }}"
    ]


def _statements(
    profile: Profile,
    things: Sequence[str],
    relation: str,
    languages: Sequence[str],
    *,
    limit: int,
) -> list[str]:
    """Rank, precision and unit of the statements behind truthy values."""
    if not profile.has_statements:
        return []
    rows = " ".join(f"({r.STATEMENT + n} {iri(thing)})" for n, thing in enumerate(things))
    base = v.WIKIBASE
    unit = f"?y {path(profile.labels)} ?u . {t.in_language('?u', languages)}"
    return [
        "{ SELECT ?e ?x ?k ?v ?y ?u { "
        f"?prop <{base}directClaim> {iri(relation)} ; <{base}claim> ?c ;"
        f" <{base}statementProperty> ?ps . "
        f"VALUES (?e ?s) {{ {rows} }} ?s ?c ?st . ?st ?ps ?x ; <{base}rank> ?v . "
        f"OPTIONAL {{ ?prop <{base}statementValue> ?pv . ?st ?pv ?node . "
        f"VALUES ?k {{ <{base}timePrecision> <{base}quantityUnit> }} ?node ?k ?y "
        f"OPTIONAL {{ {unit} }} }} "
        f"}} LIMIT {2 * (limit + 1) * len(things)} }}"
    ]


def describe_query(profile: Profile, things: Sequence[str], languages: Sequence[str]) -> str:
    """Ask what is known of things; rows as in `edges_query`, and one with ?k HERE or THERE.

    HERE has facts beside links to other ids of it, THERE is the end of a fact.
    """
    ids = sorted({*profile.same_as, *profile.redirects})
    beside = f"FILTER(?hp NOT IN ({', '.join(map(iri, ids))}))" if ids else ""
    marks = ((r.HERE, f"?x ?hp ?ho . {beside}"), (r.THERE, "?hs ?hp ?x"))
    here, there = (
        f"{{ {t.themselves(things)} FILTER EXISTS {{ {fact} }} BIND(<{mark}> AS ?k) }}"
        for mark, fact in marks
    )
    return (
        f"SELECT ?e ?x ?k ?v ?y {{ {{ {t.themselves(things)} {t.all_texts(profile, languages, things)} }}"
        f" UNION {here} UNION {there} }} LIMIT {profile.max_rows}"
    )


def links_query(profile: Profile, things: Sequence[str]) -> str:
    """Ask for identity links of things, from either side; rows as in `edges_query`."""
    ways = t.links(profile, things)
    joined = f" OPTIONAL {{ {' UNION '.join(ways)} }}" if ways else ""
    return f"SELECT ?e ?x ?k ?v ?y {{ {t.themselves(things)}{joined} }} LIMIT {profile.max_rows}"


def has_relation_query(profile: Profile, relation: str) -> str:
    """Ask for one edge along a relation; no row where there is none."""
    edge = f"?s {iri(relation)} ?o"
    if profile.mediator_type and e.SYNTHETIC in relation:
        first, second = e.split_synthetic(relation)
        edge = f"?s {iri(first)} ?m . ?m {iri(second)} ?o"
    return f"SELECT ?s {{ {edge} }} LIMIT 1"
