"""Identity links that Wikidata writes as values: "MusicBrainz artist ID" is a link to an artist of MusicBrainz.

Which properties these are is data (external_ids.yaml). A graph in Wikidata's shape makes identity links of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import yaml

from kgcore.kg.vocabulary import WDT


def linking_properties() -> tuple[str, ...]:
    """Return the IRIs of the properties (`wdt:…`) whose values are ids in another graph."""
    return tuple(WDT + name for name in _table())


def linked_iri(predicate: str, value: str) -> str | None:
    """Return the IRI of the thing that a value of a property names; None when it names none."""
    if not predicate.startswith(WDT):
        return None
    namespace, form = _table().get(predicate.removeprefix(WDT), ("", None))
    bare = value.strip().lower()
    return namespace + bare if form is not None and form.fullmatch(bare) else None


def naming_values(iri: str) -> tuple[tuple[str, str], ...]:
    """Return the properties and values by which Wikidata names a thing of another graph."""
    found = [
        (WDT + name, iri.removeprefix(namespace))
        for name, (namespace, _) in _table().items()
        if iri.startswith(namespace)
    ]
    return tuple((prop, value) for prop, value in found if linked_iri(prop, value) == iri)


@cache
def _table() -> Mapping[str, tuple[str, re.Pattern[str]]]:
    text = resources.files("kgcore.kg").joinpath("external_ids.yaml").read_text("utf-8")
    return {
        name: (namespace, re.compile(group["form"]))
        for group in yaml.safe_load(text).values()
        for name, namespace in group["properties"].items()
    }
