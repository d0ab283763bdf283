"""The parts of queries that ask what is known of things: texts, classes, identity links. Pure.

A pattern here speaks of fixed variables: `?x` a thing in the answer, `?k` and `?v` one of its texts or links.
Engines join best what shares `?x` and names its predicate, so alternatives are branches or VALUES right before
the one pattern that uses them.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.kg.external_ids import linking_properties, naming_values
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.terms import iri, iris, path, string


def themselves(things: Sequence[str], relation: str = "") -> str:
    """The things that were asked for, as ?x."""
    rows = [f"({r.ASKED + n} {iri(thing)})" for n, thing in enumerate(things)]
    if relation:
        rows.append(f"({r.RELATION} {iri(relation)})")
    return f"{{ VALUES (?e ?x) {{ {' '.join(rows)} }} }}"


def all_texts(profile: Profile, languages: Sequence[str], things: Sequence[str] = ()) -> str:
    """Labels, descriptions, types and links of ?x; `things` are those that were asked for by id."""
    kinds = (*profile.labels, *profile.descriptions, *profile.inverse_labels)
    ways = [
        f"{{ VALUES ?k {{ {iris(kinds)} }} ?x ?k ?v . {in_language('?v', languages)} }}",
        *type_texts(profile, languages),
        *links(profile, things),
        *other_language(profile, languages),
    ]
    return f"OPTIONAL {{ {' UNION '.join(ways)} }}"


def labels_and_types(profile: Profile, languages: Sequence[str]) -> str:
    """Labels and types of ?x."""
    labels = f"VALUES ?k {{ {iris(profile.labels)} }} ?x ?k ?v . {in_language('?v', languages)}"
    ways = [
        f"{{ {labels} }}",
        *type_texts(profile, languages),
        *other_language(profile, languages),
    ]
    return f"OPTIONAL {{ {' UNION '.join(ways)} }}"


def relation_texts(profile: Profile, languages: Sequence[str]) -> str:
    """Labels and inverse labels of ?p, its own or those of the property that stands for it."""
    ways = []
    for kind in (*profile.labels, *profile.inverse_labels):
        says = f"{iri(kind)} ?pv . {in_language('?pv', languages)} BIND({iri(kind)} AS ?pk)"
        ways.append(f"{{ ?p {says} }}")
        ways += [f"{{ ?pt {iri(d)} ?p . ?pt {says} }}" for d in profile.declarations]
    return f"OPTIONAL {{ {' UNION '.join(ways)} }}"


def type_texts(profile: Profile, languages: Sequence[str]) -> list[str]:
    """Labels of the classes ?y of ?x."""
    if not profile.types:
        return []
    return [
        f"{{ VALUES ?k {{ {iris(profile.types)} }} ?x ?k ?y . ?y {path(profile.labels)} ?v ."
        f" {in_language('?v', languages)} }}"
    ]


def links(profile: Profile, things: Sequence[str] = ()) -> list[str]:
    """Identity links of ?x: from it to ?v, and from ?y to it.

    Where ids of other graphs are values, those of `things` are looked up as values too.
    """
    kinds = dict.fromkeys((*profile.same_as, *profile.redirects))
    ways = [f"{{ VALUES ?k {{ {iris(kinds)} }} ?x ?k ?v . FILTER(isIRI(?v)) }}"] if kinds else []
    if profile.same_as:
        ways.append(f"{{ VALUES ?k {{ {iris(profile.same_as)} }} ?y ?k ?x . FILTER(isIRI(?y)) }}")
    if profile.has_external_ids:
        ways.append(f"{{ VALUES ?k {{ {iris(linking_properties())} }} ?x ?k ?v }}")
        named = [
            f"({iri(thing)} {iri(prop)} {string(value)})"
            for thing in things
            for prop, value in naming_values(thing)
        ]
        if named:
            values = f"VALUES (?x ?k ?id) {{ {' '.join(named)} }}"
            ways.append(f"{{ {values} ?y ?k ?id . FILTER(isIRI(?y)) }}")
    return ways


def other_language(profile: Profile, languages: Sequence[str]) -> list[str]:
    """Labels in any other language, where there is none in those wanted."""
    there_is_one = f"?x {path(profile.labels)} ?vv . FILTER({is_in('?vv', languages)})"
    return [
        f"{{ VALUES ?k {{ {iris(profile.labels)} }} ?x ?k ?v ."
        f" FILTER(isLiteral(?v) && !({is_in('?v', languages)}))"
        f" FILTER NOT EXISTS {{ {there_is_one} }} }}"
    ]


def in_language(variable: str, languages: Sequence[str]) -> str:
    """Keep texts in some languages."""
    return f"FILTER({is_in(variable, languages)})"


def is_in(variable: str, languages: Sequence[str]) -> str:
    """Whether a text is in one of some languages or a variant of it; the empty one stands for none."""
    return " || ".join(
        f"LANGMATCHES(LANG({variable}), {string(tag)})" if tag else f'LANG({variable}) = ""'
        for tag in languages
    )
