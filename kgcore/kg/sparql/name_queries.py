"""Builds the queries that look for things by name, and those that read all names. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.kg import vocabulary as v
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.terms import iri, iris, path, string
from kgcore.kg.sparql.thing_patterns import all_texts

_MOST_FOUND = 100


def names_query(profile: Profile, ways: Sequence[str], languages: Sequence[str]) -> str:
    """Ask for things of exactly these names; rows as in `edges_query`, those with ?e hold the name that fits."""
    names = " ".join(string(way, tag) for way in ways for tag in languages)
    hidden = " ".join(
        f"FILTER NOT EXISTS {{ ?x {iri(one)} ?h }}" for one in profile.hidden_subjects
    )
    ways_to_bear = " UNION ".join(
        f"{{ VALUES ?v {{ {names} }} ?x {iri(kind)} ?v . BIND({iri(kind)} AS ?k) }}"
        for kind in (*profile.labels, *profile.aliases)
    )
    found = (
        f"{{ SELECT DISTINCT ?x ?k ?v ({r.ASKED} AS ?e)"
        f" {{ {ways_to_bear} FILTER(isIRI(?x)) {hidden} }} LIMIT {_MOST_FOUND} }}"
    )
    texts = all_texts(profile, languages)
    return (
        f"SELECT ?e ?x ?k ?v ?y {{ {{ {{ SELECT DISTINCT ?x {{ {found} }} }} {texts} }}"
        f" UNION {found} }} LIMIT {profile.max_rows}"
    )


def page_query(profile: Profile, low: str, high: str, most: int) -> str:
    """Ask for the names of the things whose IRI has a digest from `low` to below `high` (empty: to the end).

    Rows: ?s the thing, ?n how many facts it has, ?k ?v a name, description, class or mark of it (?k schema:about: the
    title of an article about it).
    """
    kinds = iris(
        (
            *profile.labels,
            *profile.aliases,
            *profile.descriptions,
            *profile.types,
            *profile.hidden_subjects,
        )
    )
    digest = "MD5(STR(?s))"
    tests = ["isIRI(?s)", f"{digest} >= {string(low)}"]
    tests += [f"{digest} < {string(high)}"] if high else []
    tests += [f"!REGEX(STR(?s), {string(v.SITELINK)})"] if profile.hides_articles else []
    things = " UNION ".join(f"{{ ?s {iri(label)} ?nv }}" for label in profile.labels)
    facts = [f"{{ VALUES ?k {{ {kinds} }} ?s ?k ?v }}"]
    if profile.has_articles:
        about, title = iri(v.SCHEMA + "about"), iri(v.SCHEMA + "name")
        facts.append(f"{{ ?a {about} ?s . ?a {title} ?v . BIND({about} AS ?k) }}")
    page = f"{{ SELECT DISTINCT ?s {{ {things} FILTER({' && '.join(tests)}) }} }}"
    return (
        f"SELECT ?s ?n ?k ?v {{"
        f" {{ SELECT ?s (COUNT(?do) AS ?n) {{ {page} OPTIONAL {{ ?s ?dp ?do }} }} GROUP BY ?s }}"
        f" OPTIONAL {{ {' UNION '.join(facts)} }} }} LIMIT {most}"
    )


def declared_query(profile: Profile) -> str:
    """Ask for the names of all declared relations: ?p, ?k, ?v."""
    kinds = iris((*profile.labels, *profile.aliases))
    return (
        f"SELECT ?p ?k ?v {{ ?pt {path(profile.declarations)} ?p ."
        f" OPTIONAL {{ VALUES ?k {{ {kinds} }} ?pt ?k ?v }} }} LIMIT {profile.max_rows}"
    )
