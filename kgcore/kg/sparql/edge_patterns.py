"""The parts of queries that look at edges, and leave out what is no fact of the world. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgcore.kg import vocabulary as v
from kgcore.kg.sparql import rows as r
from kgcore.kg.sparql.profile import Profile
from kgcore.kg.sparql.terms import iri, path, string
from kgcore.model import Direction

TYPE = v.RDF + "type"
SYNTHETIC = ".."  # between the two predicates of a relation that goes through a mediator node
_GENID = "/.well-known/genid/"
_ABOUT = v.SCHEMA + "about"
_ABOUT_DATA = frozenset((*v.SAME_AS_PROPERTIES, *v.INVERSE_PROPERTIES, *v.METADATA_PROPERTIES))
_TEXTS = frozenset(
    (
        *v.LABEL_PROPERTIES,
        *v.ALIAS_PROPERTIES,
        *v.INVERSE_LABEL_PROPERTIES,
        *v.DESCRIPTION_PROPERTIES,
    )
)


def relation_windows(
    profile: Profile, asked: Sequence[tuple[int, str, Direction]], window: int
) -> list[str]:
    """The edges ?p ?y of things ?e in directions ?d; ends nobody knows count as one.

    Edges into a thing may be millions, so each thing has a window of its own for them. Edges out of things share
    one: as many as all their windows together.
    """
    leaving = [(number, iri(thing)) for number, thing, direction in asked if direction == "out"]
    found = _leaving(profile, leaving, window) if leaving else []
    for number, thing, direction in asked:
        if direction == "in":
            found += _entering(profile, number, iri(thing), window)
    return found


def _leaving(profile: Profile, things: Sequence[tuple[int, str]], window: int) -> list[str]:
    these = f"VALUES (?e ?s) {{ {' '.join(f'({number} {term})' for number, term in things)} }}"
    most = window * len(things)
    filters = [*_predicate_filters(profile, "?p", "out"), *end_filters(profile, "out")]
    if not profile.only_declared and TYPE in profile.types:
        filters.append(f"FILTER(?p != {iri(TYPE)} || EXISTS {{ ?o {path(profile.labels)} ?ol }})")
    found = [
        f'{{ SELECT DISTINCT ?e ("out" AS ?d) ?p ({_known_or_not("?o")} AS ?y)'
        f" {{ {these} ?s ?p ?o . {_declared(profile)} {' '.join(filters)} }} LIMIT {most} }}"
    ]
    if profile.has_no_value:
        found.append(_no_values(these))
    if profile.mediator_type:
        found.append(_through_mediators(profile, "?e", f"{these} ?s ?p1 ?m .", "?s", "out", most))
    return found


def _entering(profile: Profile, number: int, term: str, window: int) -> list[str]:
    filters = [*_predicate_filters(profile, "?p", "in"), *end_filters(profile, "in")]
    if profile.hides_articles:
        filters.append(f"FILTER(?p != {iri(_ABOUT)} || {_is_no_article('?o')})")
    found = [
        f'{{ SELECT DISTINCT ({number} AS ?e) ("in" AS ?d) ?p (?o AS ?y)'
        f" {{ ?o ?p {term} . {_declared(profile)} {' '.join(filters)} }} LIMIT {window} }}"
    ]
    if profile.mediator_type:
        near = f"?m ?p1 {term} ."
        found.append(_through_mediators(profile, f"({number} AS ?e)", near, term, "in", window))
    return found


def hub_relations(
    profile: Profile, asked: Sequence[tuple[int, str, Direction]], window: int
) -> list[str]:
    """The relations of things with more edges than a window holds.

    Where relations are declared each is tried by itself; else a longer window is looked at.
    """
    if not profile.only_declared:
        return relation_windows(profile, asked, window)
    found = []
    for number, thing, direction in asked:
        term = iri(thing)
        pattern = f"{term} ?p ?o" if direction == "out" else f"?o ?p {term}"
        found.append(
            f'{{ SELECT DISTINCT ({number} AS ?e) ("{direction}" AS ?d) ?p (<{r.NO_END}> AS ?y)'
            f" {{ {_declared(profile)} FILTER EXISTS {{ {pattern} }} }} }}"
        )
    return found


def _declared(profile: Profile) -> str:
    return f"?prop {path(profile.declarations[:1])} ?p ." if profile.only_declared else ""


def _known_or_not(end: str) -> str:
    is_unknown = f'isBlank({end}) || CONTAINS(STR({end}), "{_GENID}")'
    return f"IF({is_unknown}, <{r.UNKNOWN}>, {end})"


def edge(profile: Profile, thing: str, relation: str, direction: Direction, end: str) -> str:
    """The edges of one thing along one relation to ?x, or whatever the end is called."""
    term = iri(thing)

    def along(one: str, predicate: str, other: str) -> str:
        subject, target = (one, other) if direction == "out" else (other, one)
        return f"{subject} {iri(predicate)} {target} ."

    filters = end_filters(profile, direction, end)
    if relation == TYPE and direction == "out":
        filters.append(f"FILTER EXISTS {{ {end} {path(profile.labels)} ?ol }}")
    if relation == _ABOUT and direction == "in" and profile.hides_articles:
        filters.append(f"FILTER({_is_no_article(end)})")
    direct = f"{along(term, relation, end)} {' '.join(filters)}"
    if not profile.mediator_type or SYNTHETIC not in relation:
        return direct
    first, second = split_synthetic(relation)
    near, far = (first, second) if direction == "out" else (second, first)
    through = f"{along(term, near, '?m')} {_mediator(profile, '?m')} {along('?m', far, end)}"
    return f"{{ {direct} }} UNION {{ {through} FILTER({end} != {term}) }}"


def split_synthetic(relation: str) -> tuple[str, str]:
    """The two predicates of a relation that goes through a mediator: `ns/a..b` is `ns/a`, then `ns/b`."""
    first, _, second = relation.partition(SYNTHETIC)
    namespace = first[: max(first.rfind("/"), first.rfind("#")) + 1]
    return first, namespace + second


def end_filters(profile: Profile, direction: Direction, end: str = "?o") -> list[str]:
    """Leave out nodes that only the data knows: blank ones, mediators, things that are not of the world."""
    filters = [f"FILTER(isIRI({end}))"]
    if direction == "out":
        filters = [f"FILTER(!isBlank({end}) || NOT EXISTS {{ {end} ?bp ?bo }})"]
    else:
        filters += [f"FILTER NOT EXISTS {{ {end} {iri(p)} ?hd }}" for p in profile.hidden_subjects]
    if profile.mediator_type:
        filters.append(f"FILTER NOT EXISTS {{ {_mediator(profile, end)} }}")
    return filters


def _predicate_filters(profile: Profile, predicate: str, direction: Direction) -> list[str]:
    """Keep what is no relation out of a window, so that it takes no room in it."""
    if profile.only_declared:
        return []
    hidden = set(profile.hidden_predicates)
    if profile.hides_plain_properties:
        hidden |= _ABOUT_DATA | (_TEXTS if direction == "out" else set())
    spaces = {*profile.hidden_namespaces, *v.METADATA_NAMESPACES}
    return [f"FILTER(!REGEX(STR({predicate}), {string(_any_of(hidden, spaces))}))"]


def _any_of(whole: Iterable[str], starts: Iterable[str]) -> str:
    """A pattern for some IRIs and for all that start in some way.

    One pattern in place of a long NOT IN: Virtuoso takes seconds to plan those.
    """
    by_namespace: dict[str, list[str]] = {}
    for text in sorted(whole):
        end = max(text.rfind("/"), text.rfind("#"), text.rfind(":")) + 1
        by_namespace.setdefault(text[:end], []).append(re.escape(text[end:]))
    ways = [f"{re.escape(space)}({'|'.join(names)})$" for space, names in by_namespace.items()]
    return f"^({'|'.join((*ways, *(re.escape(start) for start in sorted(starts))))})"


def _is_no_article(end: str) -> str:
    return f"!REGEX(STR({end}), {string(v.SITELINK)})"


def _no_values(these: str) -> str:
    """Relations that things are said to have no value for."""
    start = v.NO_VALUE_NAMESPACE
    predicate = f'IRI(CONCAT("{v.WDT}", STRAFTER(STR(?c), "{start}")))'
    return (
        f'{{ SELECT DISTINCT ?e ("out" AS ?d) (COALESCE({predicate}, <{r.NO_END}>) AS ?p)'
        f" (<{r.NOTHING}> AS ?y)"
        f' {{ {these} ?s {iri(TYPE)} ?c . FILTER(STRSTARTS(STR(?c), "{start}")) }} LIMIT 1000 }}'
    )


def _through_mediators(
    profile: Profile, number: str, near: str, term: str, direction: Direction, window: int
) -> str:
    """Relations that lead over a mediator node to another thing, read as one."""
    far, first, second = "?m ?p2 ?o .", "?p1", "?p2"
    if direction == "in":
        far, first, second = "?o ?p2 ?m .", "?p2", "?p1"
    local = f'REPLACE(STR({second}), "^.*[/#]", "")'
    name = f'IRI(CONCAT(STR({first}), "{SYNTHETIC}", {local}))'
    filters = [
        *_predicate_filters(profile, "?p1", direction),
        *_predicate_filters(profile, "?p2", direction),
        f"FILTER(?o != {term})",
        *end_filters(profile, direction),
    ]
    return (
        f'{{ SELECT DISTINCT {number} ("{direction}" AS ?d) (COALESCE({name}, <{r.NO_END}>) AS ?p)'
        f" (?o AS ?y)"
        f" {{ {near} {_mediator(profile, '?m')} {far} {' '.join(filters)} }} LIMIT {window} }}"
    )


def _mediator(profile: Profile, node: str) -> str:
    """A node without a name, of a type, and not of the type that all proper things have."""
    kind = iri(profile.mediator_type)
    unnamed = (f"FILTER NOT EXISTS {{ {node} {iri(one)} ?mn }}" for one in profile.labels)
    return (
        f"{node} {kind} ?mt . {' '.join(unnamed)}"
        f" FILTER NOT EXISTS {{ {node} {kind} {iri(profile.topic_type)} }}"
    )
