"""Builds the queries of a graph behind an endpoint. Pure: terms and a profile go in, text comes out.

What shapes them, beside the standard, is what engines do with them (Oxigraph, Virtuoso, Blazegraph, QLever):

* Every thing asked for gets a window of its own, a subselect with a LIMIT. So a hub is bounded by the engine,
  and does not take the room of the others.
* Labels are joined after the windows, in one OPTIONAL whose branches share `?x`. Each row then holds one text, in
  place of a product of labels, descriptions, types and links.
* No label service, no hints, no prefixed names, no OFFSET.

Rows carry small numbers for what they are about: see `WINDOW` and its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.kg import vocabulary as v
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.terms import iri, iris, string
from kgcore.model import Direction

COUNT_CAP = 1000  # edges of one thing along one relation that are counted
UNKNOWN = "urn:kg:unknown"
NOTHING = "urn:kg:nothing"
NO_END = "urn:kg:no-end"

# What ?e says a row is about: the n-th thing asked for …
WINDOW = 0  # … and an end of one of its edges
COUNT = 10_000  # … and how many of these there are
STATEMENT = 20_000  # … and what a statement says beside its value
ASKED = 30_000  # … and itself
RELATION = 40_000  # the relation, or the property that stands for it

_TYPE = v.RDF + "type"
_GENID = "/.well-known/genid/"
_PLAIN = frozenset(
    (
        *v.LABEL_PROPERTIES,
        *v.ALIAS_PROPERTIES,
        *v.INVERSE_LABEL_PROPERTIES,
        *v.DESCRIPTION_PROPERTIES,
        *v.SAME_AS_PROPERTIES,
        *v.INVERSE_PROPERTIES,
        *v.METADATA_PROPERTIES,
    )
)


def relations_query(
    profile: Profile,
    asked: Sequence[tuple[int, str, Direction]],
    languages: Sequence[str],
    *,
    window: int,
) -> str:
    """Ask which relations touch things, with counts, two examples each, and labels.

    Rows: ?d direction, ?p predicate, ?es "number:count …", ?w which example ?x is, ?k ?v its texts, ?pk ?pv the
    relation's.
    """
    windows = " UNION ".join(_relation_window(profile, *one, window) for one in asked)
    in_language = _in_language("?v", languages)
    texts = [
        f"{{ VALUES ?k {{ {iris(profile.labels)} }} ?x ?k ?v . {in_language} }}",
        *_type_texts(profile, languages),
        *_other_language(profile, languages),
    ]
    return (
        "SELECT ?d ?p ?es ?w ?x ?k ?v ?pk ?pv {\n"
        "{ SELECT ?d ?p ?es ?w (COALESCE(IF(?w = 1, ?xa, ?xb), <urn:kg:no-end>) AS ?x) {\n"
        '{ SELECT ?d ?p (GROUP_CONCAT(CONCAT(STR(?e), ":", STR(?n)); separator=" ") AS ?es)'
        " (MIN(?a) AS ?xa) (MAX(?b) AS ?xb) {\n"
        "{ SELECT ?e ?d ?p (COUNT(?y) AS ?n) (MIN(?y) AS ?a) (MAX(?y) AS ?b) {\n"
        f"{windows}\n"
        "} GROUP BY ?e ?d ?p }\n"
        "} GROUP BY ?d ?p }\n"
        "VALUES ?w { 1 2 } } }\n"
        f"{_relation_texts(profile, languages)}\n"
        f"OPTIONAL {{ {' UNION '.join(texts)} }}\n"
        f"}} LIMIT {profile.max_rows}"
    )


def _relation_window(
    profile: Profile, number: int, thing: str, direction: Direction, window: int
) -> str:
    """The edges of one thing in one direction, at most so many; ends nobody knows count as one."""
    term = iri(thing)
    pattern = f"{term} ?p ?o" if direction == "out" else f"?o ?p {term}"
    unknown = f'IF(isBlank(?o) || CONTAINS(STR(?o), "{_GENID}"), <{UNKNOWN}>, ?o)'
    head = f'SELECT DISTINCT ({number} AS ?e) ("{direction}" AS ?d) ?p ({unknown} AS ?y)'
    filters = [*_predicate_filters(profile), *_end_filters(profile, direction)]
    if direction == "out" and not profile.only_declared and _TYPE in profile.types:
        filters.append(f"FILTER(?p != {iri(_TYPE)} || EXISTS {{ ?o {_path(profile.labels)} ?ol }})")
    found = (
        f"{{ {head} {{ {pattern} . {_declared(profile)} {' '.join(filters)} }} LIMIT {window} }}"
    )
    if direction == "out" and profile.has_no_value:
        found += f" UNION {_no_values(number, term)}"
    return found


def _declared(profile: Profile) -> str:
    if not profile.only_declared:
        return ""
    return f"?prop {_path(profile.declarations[:1])} ?p ."


def _no_values(number: int, term: str) -> str:
    """Relations that a thing is said to have no value for."""
    start = v.NO_VALUE_NAMESPACE
    return (
        f'{{ SELECT DISTINCT ({number} AS ?e) ("out" AS ?d)'
        f' (COALESCE(IRI(CONCAT("{v.WDT}", STRAFTER(STR(?c), "{start}"))), <{NO_END}>) AS ?p)'
        f" (<{NOTHING}> AS ?y)"
        f' {{ {term} {iri(_TYPE)} ?c . FILTER(STRSTARTS(STR(?c), "{start}")) }} LIMIT 100 }}'
    )


def _predicate_filters(profile: Profile) -> list[str]:
    """Keep what is no relation out of a window, so that it takes no room in it."""
    if profile.only_declared:
        return []
    hidden = sorted(
        {*profile.hidden_predicates, *(_PLAIN if profile.hides_plain_properties else ())}
    )
    spaces = sorted({*profile.hidden_namespaces, *v.METADATA_NAMESPACES})
    filters = [f'FILTER(!STRSTARTS(STR(?p), "{space}"))' for space in spaces]
    if hidden:
        filters.append(f"FILTER(?p NOT IN ({', '.join(iri(p) for p in hidden)}))")
    return filters


def _end_filters(profile: Profile, direction: Direction, end: str = "?o") -> list[str]:
    """Leave out nodes that only the data knows: blank ones, and things that are not of the world."""
    if direction == "out":
        return [f"FILTER(!isBlank({end}) || NOT EXISTS {{ {end} ?bp ?bo }})"]
    return [
        f"FILTER(isIRI({end}))",
        *(f"FILTER NOT EXISTS {{ {end} {iri(p)} ?hidden }}" for p in profile.hidden_subjects),
    ]


def _relation_texts(profile: Profile, languages: Sequence[str]) -> str:
    """Labels and inverse labels of ?p, its own or those of the property that stands for it."""
    in_language = _in_language("?pv", languages)
    ways = []
    for kind in (*profile.labels, *profile.inverse_labels):
        says = f"{iri(kind)} ?pv . {in_language} BIND({iri(kind)} AS ?pk)"
        ways.append(f"{{ ?p {says} }}")
        ways += [f"{{ ?pt {iri(d)} ?p . ?pt {says} }}" for d in profile.declarations]
    return f"OPTIONAL {{ {' UNION '.join(ways)} }}"


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
    a link to it), ?n a count.
    """
    windows = [
        f"{{ SELECT DISTINCT ({WINDOW + n} AS ?e) ?x"
        f" {{ {_edge(profile, thing, relation, direction, '?x')} }} LIMIT {limit + 1} }}"
        for n, thing in enumerate(things)
    ]
    counts = [
        f"{{ SELECT ({COUNT + n} AS ?e) (COUNT(?z) AS ?n) {{ SELECT DISTINCT ?z"
        f" {{ {_edge(profile, thing, relation, direction, '?z')} }} LIMIT {COUNT_CAP + 1} }} }}"
        for n, thing in enumerate(things)
        if limit < COUNT_CAP
    ]
    about = [*windows, _themselves(things, relation), *_properties(profile, relation)]
    more = [*counts, *_no_value(profile, things, relation, direction)]
    if profile.has_statements and direction == "out":
        more.append(_statements(things, relation, limit))
    left = f"{{ {{ {' UNION '.join(about)} }}\n{_texts(profile, languages)} }}"
    whole = "\nUNION ".join((left, *more))
    return f"SELECT ?e ?x ?k ?v ?y ?n {{\n{whole} }} LIMIT {profile.max_rows}"


def _edge(profile: Profile, thing: str, relation: str, direction: Direction, end: str) -> str:
    term, along = iri(thing), iri(relation)
    pattern = f"{term} {along} {end}" if direction == "out" else f"{end} {along} {term}"
    filters = _end_filters(profile, direction, end)
    if relation == _TYPE and direction == "out":
        filters.append(f"FILTER EXISTS {{ {end} {_path(profile.labels)} ?ol }}")
    return f"{pattern} . {' '.join(filters)}"


def _themselves(things: Sequence[str], relation: str = "") -> str:
    rows = [f"({ASKED + n} {iri(thing)})" for n, thing in enumerate(things)]
    if relation:
        rows.append(f"({RELATION} {iri(relation)})")
    return f"{{ VALUES (?e ?x) {{ {' '.join(rows)} }} }}"


def _properties(profile: Profile, relation: str) -> list[str]:
    if not profile.declarations:
        return []
    path = _path(profile.declarations)
    return [f"{{ SELECT ({RELATION} AS ?e) (?pt AS ?x) {{ ?pt {path} {iri(relation)} }} LIMIT 5 }}"]


def _no_value(
    profile: Profile, things: Sequence[str], relation: str, direction: Direction
) -> list[str]:
    if not profile.has_no_value or direction == "in" or not relation.startswith(v.WDT):
        return []
    marker = iri(v.NO_VALUE_NAMESPACE + relation.removeprefix(v.WDT))
    rows = " ".join(f"({WINDOW + n} {iri(thing)})" for n, thing in enumerate(things))
    return [
        f"{{ SELECT ?e (<{NOTHING}> AS ?x) {{ VALUES (?e ?s) {{ {rows} }} ?s {iri(_TYPE)} {marker} }} }}"
    ]


def _statements(things: Sequence[str], relation: str, limit: int) -> str:
    """Rank, precision and unit of the statements behind truthy values."""
    rows = " ".join(f"({STATEMENT + n} {iri(thing)})" for n, thing in enumerate(things))
    base = v.WIKIBASE
    return (
        "{ SELECT ?e ?x ?k ?v ?y { "
        f"?prop <{base}directClaim> {iri(relation)} ; <{base}claim> ?c ; <{base}statementProperty> ?ps . "
        f"VALUES (?e ?s) {{ {rows} }} ?s ?c ?st . ?st ?ps ?x ; <{base}rank> ?v . "
        f"OPTIONAL {{ ?prop <{base}statementValue> ?pv . ?st ?pv ?node . "
        f"VALUES ?k {{ <{base}timePrecision> <{base}quantityUnit> }} ?node ?k ?y }} "
        f"}} LIMIT {2 * (limit + 1) * len(things)} }}"
    )


def describe_query(profile: Profile, things: Sequence[str], languages: Sequence[str]) -> str:
    """Ask what is known of things; rows as in `edges_query`, and one with ?k = the thing where it has any fact."""
    here = f"{{ {_themselves(things)} FILTER EXISTS {{ ?x ?hp ?ho }} BIND(?x AS ?k) }}"
    there = f"{{ {_themselves(things)} FILTER EXISTS {{ ?hs ?hp ?x }} BIND(?x AS ?k) }}"
    return (
        f"SELECT ?e ?x ?k ?v ?y {{ {{ {_themselves(things)} {_texts(profile, languages)} }}"
        f" UNION {here} UNION {there} }} LIMIT {profile.max_rows}"
    )


def links_query(profile: Profile, things: Sequence[str]) -> str:
    """Ask for identity links of things, from either side; rows as in `edges_query`."""
    return (
        f"SELECT ?e ?x ?k ?v ?y {{ {_themselves(things)}"
        f" OPTIONAL {{ {' UNION '.join(_links(profile))} }} }} LIMIT {profile.max_rows}"
    )


def _texts(profile: Profile, languages: Sequence[str]) -> str:
    """Labels, descriptions, types and links of ?x."""
    kinds = (*profile.labels, *profile.descriptions, *profile.inverse_labels)
    ways = [
        f"{{ VALUES ?k {{ {iris(kinds)} }} ?x ?k ?v . {_in_language('?v', languages)} }}",
        *_type_texts(profile, languages),
        *_links(profile),
        *_other_language(profile, languages),
    ]
    return f"OPTIONAL {{ {' UNION '.join(ways)} }}"


def _type_texts(profile: Profile, languages: Sequence[str]) -> list[str]:
    if not profile.types:
        return []
    return [
        f"{{ VALUES ?k {{ {iris(profile.types)} }} ?x ?k ?y . ?y {_path(profile.labels)} ?v ."
        f" {_in_language('?v', languages)} }}"
    ]


def _links(profile: Profile) -> list[str]:
    kinds = dict.fromkeys((*profile.same_as, *profile.redirects))
    ways = [f"{{ VALUES ?k {{ {iris(kinds)} }} ?x ?k ?v . FILTER(isIRI(?v)) }}"] if kinds else []
    if profile.same_as:
        ways.append(f"{{ VALUES ?k {{ {iris(profile.same_as)} }} ?y ?k ?x . FILTER(isIRI(?y)) }}")
    return ways


def _other_language(profile: Profile, languages: Sequence[str]) -> list[str]:
    """Labels in any other language, where there is none in those wanted."""
    there_is_one = f"?x {_path(profile.labels)} ?vv . FILTER({_is_in('?vv', languages)})"
    return [
        f"{{ VALUES ?k {{ {iris(profile.labels)} }} ?x ?k ?v ."
        f" FILTER(isLiteral(?v) && !({_is_in('?v', languages)}))"
        f" FILTER NOT EXISTS {{ {there_is_one} }} }}"
    ]


def _in_language(variable: str, languages: Sequence[str]) -> str:
    return f"FILTER({_is_in(variable, languages)})"


def _is_in(variable: str, languages: Sequence[str]) -> str:
    """Whether a text is in one of some languages or a variant of it; the empty one stands for none."""
    return " || ".join(
        f"LANGMATCHES(LANG({variable}), {string(tag)})" if tag else f'LANG({variable}) = ""'
        for tag in languages
    )


def _path(properties: Sequence[str]) -> str:
    return (
        "|".join(iri(p) for p in properties)
        if len(properties) == 1
        else ("(" + "|".join(iri(p) for p in properties) + ")")
    )


def names_query(profile: Profile, ways: Sequence[str], languages: Sequence[str]) -> str:
    """Ask for things of exactly these names; rows as in `edges_query`, those with ?e hold the name that fits."""
    names = " ".join(string(way, tag) for way in ways for tag in languages)
    kinds = (*profile.labels, *profile.aliases)
    hidden = " ".join(f"FILTER NOT EXISTS {{ ?x {iri(p)} ?h }}" for p in profile.hidden_subjects)
    found = (
        f"{{ SELECT DISTINCT ?x ?k ?v ({ASKED} AS ?e) {{ VALUES ?v {{ {names} }}"
        f" VALUES ?k {{ {iris(kinds)} }} ?x ?k ?v . FILTER(isIRI(?x)) {hidden} }} LIMIT 100 }}"
    )
    things = f"{{ SELECT DISTINCT ?x {{ {found} }} }}"
    return (
        f"SELECT ?e ?x ?k ?v ?y {{ {{ {things} {_texts(profile, languages)} }} UNION {found} }}"
        f" LIMIT {profile.max_rows}"
    )


def page_query(profile: Profile, last: str, size: int) -> str:
    """Ask for the names of the next things after one, by the order of their IRIs.

    Rows: ?s the thing, ?k ?v a name, description, class or mark of it; ?n the number of its facts, without ?k.
    """
    names = iris((*profile.labels, *profile.aliases))
    kinds = iris(
        (
            *profile.labels,
            *profile.aliases,
            *profile.descriptions,
            *profile.types,
            *profile.hidden_subjects,
        )
    )
    page = (
        f"{{ SELECT DISTINCT ?s {{ VALUES ?nk {{ {names} }} ?s ?nk ?nv ."
        f" FILTER(isIRI(?s) && STR(?s) > {string(last)}) }} ORDER BY STR(?s) LIMIT {size} }}"
    )
    return (
        f"SELECT ?s ?k ?v {{ {page} OPTIONAL {{ VALUES ?k {{ {kinds} }} ?s ?k ?v }} }}"
        f" LIMIT {profile.max_rows}"
    )


def declared_query(profile: Profile) -> str:
    """Ask for the names of all declared relations: ?p, ?k, ?v."""
    kinds = iris((*profile.labels, *profile.aliases))
    return (
        f"SELECT ?p ?k ?v {{ ?pt {_path(profile.declarations)} ?p ."
        f" OPTIONAL {{ VALUES ?k {{ {kinds} }} ?pt ?k ?v }} }} LIMIT {profile.max_rows}"
    )
