"""Choosing the part of the source graphs that becomes the demo."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pyoxigraph as ox

from demo_graphs.facts import (
    ALIAS,
    DESCRIPTION,
    INSTANCE_OF,
    LABEL,
    MB,
    MBP,
    OWL,
    RDF,
    WD,
    WDT,
    XSD,
    Source,
    Value,
    expand,
)

EARLIEST_ONLY = {"P577", "P569", "P570", "P571", "P576", "P2031", "P2032"}
HUMAN = ox.NamedNode(WD + "Q5")
FILM = WD + "Q11424"


def choose_wikidata(source: Source, wanted: dict[str, Any], named: set[str]) -> Source:
    """Return the selected neighbourhood: seeds, what they follow to, and claims among them.

    Entities named in the hand-written facts are in as well, people with the claims of a cast.
    """
    rules = claim_rules(source, wanted, named)
    included = set(rules) | named | {WD + name for name in wanted["leaves"]}
    for subject, properties in rules.items():
        for name, is_followed in properties.items():
            if is_followed:
                included.update(v.value for v in source.values(subject, WDT + name))
    included = {s for s in included if source.label(s)} - {WD + name for name in wanted["never"]}
    dropped = {(WD + claim[0], *claim[1:]) for claim in wanted["drop"]}
    films = {WD + name for name in wanted["films"]}
    chosen = Source()
    for subject in sorted(included):
        describe(source, subject, chosen, types_of(source, subject, wanted["types"], films))
        for name in sorted(rules.get(subject, wanted["far_properties"])):
            claims = kept_values(source.values(subject, WDT + name), included)
            for value in claims[:1] if name in EARLIEST_ONLY else claims:
                local = value.value.removeprefix(WD)
                if not {(subject, name), (subject, name, local)} & dropped:
                    chosen.add((subject, WDT + name, value))
    return chosen


def claim_rules(
    source: Source, wanted: dict[str, Any], named: set[str]
) -> dict[str, dict[str, bool]]:
    """Return for each entity of interest which of its properties to take, and to follow."""
    rules: dict[str, dict[str, bool]] = {}
    for kind, which in (
        ("films", "film_properties"),
        ("people", "person_properties"),
        ("groups", "group_properties"),
        ("countries", "place_properties"),
        ("places", "place_properties"),
    ):
        rules.update({WD + name: wanted[which] for name in wanted[kind]})
    humans = {s for s in source.facts if HUMAN in source.values(s, INSTANCE_OF)}
    for film in [WD + name for name in wanted["films"]]:
        for name in ("P57", "P86", "P161"):
            which = "cast_properties" if name == "P161" else "person_properties"
            for person in source.values(film, WDT + name):
                if person.value in humans:
                    rules.setdefault(person.value, wanted[which])
    for entity in sorted(named & humans):
        rules.setdefault(entity, wanted["cast_properties"])
    return rules


def kept_values(values: list[Value], included: set[str]) -> list[Value]:
    """Return dates, the earliest first, and known objects."""
    dates = sorted((v for v in values if isinstance(v, ox.Literal)), key=lambda v: v.value)
    objects = [v for v in values if isinstance(v, ox.NamedNode) and v.value in included]
    return [*(day_or_year(d) for d in dates), *objects]


def day_or_year(value: ox.Literal) -> ox.Literal:
    """Give a date the precision it is known to have: 1 January may stand for a year alone."""
    match = re.fullmatch(r"(\d{4})-(\d\d-\d\d)T00:00:00Z", value.value)
    if not match:
        return value
    if match[2] == "01-01":
        return ox.Literal(match[1], datatype=ox.NamedNode(XSD + "gYear"))
    return ox.Literal(f"{match[1]}-{match[2]}", datatype=ox.NamedNode(XSD + "date"))


def types_of(source: Source, subject: str, preferred: list[str], films: set[str]) -> list[Value]:
    """Return the best type of an entity; what is no film of ours is not called a film."""
    types = [v for v in source.values(subject, INSTANCE_OF) if source.label(v.value)]
    types = [v for v in types if subject in films or v.value != FILM]
    liked = [v for name in preferred for v in types if v.value == WD + name]
    return (liked or types)[:1]


def describe(source: Source, subject: str, chosen: Source, types: list[Value]) -> None:
    """Copy label and description of an entity, and add its types; aliases are written by hand."""
    chosen.add((subject, LABEL, english(source, subject)))
    for value in source.values(subject, DESCRIPTION)[:1]:
        chosen.add((subject, DESCRIPTION, value))
    for value in types:
        chosen.add((subject, INSTANCE_OF, value))
        chosen.add((value.value, LABEL, english(source, value.value)))


def english(source: Source, subject: str) -> ox.Literal:
    label = source.label(subject)
    if label is None:
        raise ValueError(f"{subject} has no English label")
    return ox.Literal(label, language="en")


def choose_musicbrainz(source: Source, wanted: dict[str, Any], named: set[str]) -> Source:
    """Return what the roots reach through the listed relations, in the listed directions."""
    included = reached(source, wanted, [*(MB + name for name in wanted["roots"]), *sorted(named)])
    literals = {LABEL, ALIAS, DESCRIPTION, *(MBP + name for name in wanted["literals"])}
    chosen = Source()
    for subject, predicate, value in source:
        if subject not in included:
            continue
        if isinstance(value, ox.NamedNode):
            is_kept = value.value in included or predicate in (RDF + "type", OWL + "sameAs")
        else:
            is_kept = predicate in literals
        is_own_name = predicate == ALIAS and value.value == source.label(subject)
        is_later = predicate == MBP + "first_release_date" and any(
            str(other) < str(value) for other in source.values(subject, predicate)
        )
        if is_kept and not is_own_name and not is_later:
            chosen.add((subject, predicate, value))
    for subject in sorted(entity for entity in included if entity.startswith(MB)):
        kind = subject[len(MB) :].partition("/")[0].replace("-", "_")
        chosen.add((subject, RDF + "type", ox.NamedNode(f"{MBP}class:{kind}")))
    return chosen


def reached(source: Source, wanted: dict[str, Any], roots: list[str]) -> set[str]:
    """Return the labelled entities that a walk from the roots comes to."""
    forward = {MBP + name for name in wanted["forward"]}
    backward = {MBP + name for name in wanted["backward"]}
    users: dict[str, list[str]] = defaultdict(list)
    for subject, predicate, value in source:
        if predicate in backward and isinstance(value, ox.NamedNode):
            users[value.value].append(subject)
    included: set[str] = set()
    frontier = list(roots)
    while frontier:
        entity = frontier.pop()
        if entity in included or not source.label(entity):
            continue
        included.add(entity)
        frontier += [v.value for p, v in source.facts[entity] if p in forward]
        frontier += users[entity]
    return included


def link_graphs(wikidata: list[Source], musicbrainz: list[Source]) -> None:
    """Keep the same-as links whose both ends are in, and state each in both graphs.

    A graph comes as its parts, taken and written by hand; a link joins the part of its subject.
    """
    same = OWL + "sameAs"
    parts = [*wikidata, *musicbrainz]
    known = {subject for part in parts for subject in part.facts}
    links = set()
    for part in parts:
        for subject, predicate, value in list(part):
            if predicate == same:
                del part.facts[subject][predicate, value]
                if value.value in known:
                    links.update({(subject, value.value), (value.value, subject)})
    for one, other in sorted(links):
        home = next(part for part in parts if one in part.facts)
        home.add((one, same, ox.NamedNode(other)))


def keep_hand_values(chosen: Source, hand: Source) -> None:
    """Drop a date or description that the hand-written facts state as well, and better."""
    single = {DESCRIPTION, *(WDT + name for name in EARLIEST_ONLY)}
    for subject, predicate, value in list(chosen):
        if predicate in single and hand.values(subject, predicate):
            del chosen.facts[subject][predicate, value]


def relabel(chosen: Source, labels: dict[str, dict[str, str]]) -> None:
    """Put the labels of labels.tsv in; an English label that is replaced stays as an alias."""
    for name, by_lang in labels.items():
        subject = expand(name)
        if subject not in chosen.facts:
            continue
        for lang, text in by_lang.items():
            old = chosen.label(subject, lang)
            if old and old != text:
                del chosen.facts[subject][LABEL, ox.Literal(old, language=lang)]
                chosen.add((subject, ALIAS, ox.Literal(old, language=lang)))
            chosen.add((subject, LABEL, ox.Literal(text, language=lang)))
            chosen.facts[subject].pop((ALIAS, ox.Literal(text, language=lang)), None)
