"""Builds the queries that look for things by name, and those that read all names. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.kg import vocabulary as v
from kgcore.kg.sparql import patterns as p
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.terms import iri, iris, string

_MOST_FOUND = 100


def names_query(profile: Profile, ways: Sequence[str], languages: Sequence[str]) -> str:
    """Ask for things of exactly these names; rows as in `edges_query`, those with ?e hold the name that fits."""
    names = " ".join(string(way, tag) for way in ways for tag in languages)
    kinds = iris((*profile.labels, *profile.aliases))
    hidden = " ".join(
        f"FILTER NOT EXISTS {{ ?x {iri(one)} ?h }}" for one in profile.hidden_subjects
    )
    found = (
        f"{{ SELECT DISTINCT ?x ?k ?v ({r.ASKED} AS ?e) {{ VALUES ?v {{ {names} }}"
        f" VALUES ?k {{ {kinds} }} ?x ?k ?v . FILTER(isIRI(?x)) {hidden} }} LIMIT {_MOST_FOUND} }}"
    )
    texts = p.all_texts(profile, languages)
    return (
        f"SELECT ?e ?x ?k ?v ?y {{ {{ {{ SELECT DISTINCT ?x {{ {found} }} }} {texts} }}"
        f" UNION {found} }} LIMIT {profile.max_rows}"
    )


def page_query(profile: Profile, last: str, size: int) -> str:
    """Ask for the names of the next things after one, in the order of their IRIs.

    Rows: ?s the thing, ?k ?v a name, description, class or mark of it; those with ?n hold how many facts it has.
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
    article = f" && !REGEX(STR(?s), {string(v.SITELINK)})" if profile.hides_articles else ""
    page = (
        f"{{ SELECT DISTINCT ?s {{ VALUES ?nk {{ {names} }} ?s ?nk ?nv ."
        f" FILTER(isIRI(?s) && STR(?s) > {string(last)}{article}) }}"
        f" ORDER BY STR(?s) LIMIT {size} }}"
    )
    return (
        f"SELECT ?s ?k ?v ?n {{ {{ {page} OPTIONAL {{ VALUES ?k {{ {kinds} }} ?s ?k ?v }} }}"
        f" UNION {{ SELECT ?s (COUNT(?do) AS ?n) {{ {page} OPTIONAL {{ ?s ?dp ?do }} }} GROUP BY ?s }}"
        f" }} LIMIT {profile.max_rows}"
    )


def declared_query(profile: Profile) -> str:
    """Ask for the names of all declared relations: ?p, ?k, ?v."""
    kinds = iris((*profile.labels, *profile.aliases))
    return (
        f"SELECT ?p ?k ?v {{ ?pt {p.path(profile.declarations)} ?p ."
        f" OPTIONAL {{ VALUES ?k {{ {kinds} }} ?pt ?k ?v }} }} LIMIT {profile.max_rows}"
    )
