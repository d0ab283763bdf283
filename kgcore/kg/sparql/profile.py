"""What an endpoint's data looks like, as data: one YAML file a profile, four shipped and any number of one's own."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from kgcore.errors import InputError
from kgcore.kg import vocabulary as v

FOLDER = "profiles"  # of one's own profiles, in the data folder
SHIPPED = ("generic", "wikidata", "dbpedia", "freebase")
_MOST_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Profile:
    """How to read one kind of endpoint; everything that names a property is a whole IRI.

    `declarations` lead from a property as a thing to the predicates that stand for it; with `only_declared` no
    other predicate is a relation. `hidden_subjects` are properties that only things beside the world have.
    `window` bounds how many edges of a thing are looked at, `hub_window` how many of one that has more.
    """

    name: str
    labels: tuple[str, ...] = (v.RDFS + "label",)
    aliases: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    inverse_labels: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    has_external_ids: bool = False  # values that are ids in other graphs, as Wikidata has them
    redirects: tuple[str, ...] = ()  # from an id that was merged to the one that stands for it
    languages: tuple[str, ...] = ()  # further ones that any person can read, such as "mul"
    declarations: tuple[str, ...] = ()
    only_declared: bool = False
    hidden_subjects: tuple[str, ...] = ()
    hidden_predicates: tuple[str, ...] = ()
    hidden_namespaces: tuple[str, ...] = ()
    hides_plain_properties: bool = False  # labels, descriptions and what speaks of the data itself
    has_no_value: bool = False  # says "there is none" as Wikibase does
    has_statements: bool = False  # ranks, precision and units as Wikibase has them
    has_articles: bool = False  # whose titles are further names of what they are about
    hides_articles: bool = False  # Wikipedia pages and the like, which are about things
    mediator_type: str = (
        ""  # leads to the types of nodes that stand between things, as Freebase has them
    )
    topic_type: str = ""  # the type that all proper things have, and no mediator
    search_hosts: tuple[str, ...] = ()
    search_url: str = ""  # wbsearchentities, asked when the endpoint is one of `search_hosts`
    entities: tuple[str, ...] = ()  # namespaces whose ids the graph could be expected to hold
    elsewhere: str = ""  # what a person is told about an id of these that it does not hold
    window: int = 1000
    hub_window: int = 50_000
    max_rows: int = 10_000  # of one answer; an answer that long may have been cut

    @property
    def content(self) -> str:
        """Everything it says, for the version of a graph."""
        text = repr(dataclasses.astuple(self))
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


_TERMS = frozenset(
    "labels aliases descriptions inverse_labels types same_as redirects declarations "
    "hidden_subjects hidden_predicates".split()
)
_TEXTS = frozenset(("languages", "hidden_namespaces", "entities"))
_FLAGS = frozenset(f.name for f in dataclasses.fields(Profile) if f.type == "bool")
_NUMBERS = frozenset(("window", "hub_window", "max_rows"))


def load_profile(name: str, home: Path | None = None) -> Profile:
    """Read a profile: one's own of this name when there is one, else a shipped one."""
    own = home / FOLDER / f"{name}.yaml" if home is not None and _is_plain(name) else None
    if own is not None and own.is_file():
        try:
            return parse_profile(name, own.read_bytes()[: _MOST_BYTES + 1])
        except OSError as error:
            raise InputError(f"the profile {own.name} cannot be read: {error.strerror}") from error
    if name not in SHIPPED:
        raise InputError(
            f"there is no profile {name[:60]!r}; there are " + ", ".join(profiles(home))
        )
    data = files("kgcore.kg.sparql").joinpath("profiles", f"{name}.yaml").read_bytes()
    return parse_profile(name, data)


def profiles(home: Path | None = None) -> tuple[str, ...]:
    """Names of all profiles there are, one's own included."""
    own = sorted(f.stem for f in (home / FOLDER).glob("*.yaml")) if home is not None else []
    return tuple(dict.fromkeys((*SHIPPED, *own)))


def parse_profile(name: str, data: bytes) -> Profile:
    """Read a profile's YAML; InputError says what is wrong with it."""
    if len(data) > _MOST_BYTES:
        raise InputError(f"the profile {name} is too large to be one")
    try:
        text = data.decode("utf-8")
        if any(isinstance(e, yaml.AliasEvent) for e in yaml.parse(text, yaml.SafeLoader)):
            raise InputError(f"the profile {name} uses YAML aliases; write it out")
        said = yaml.safe_load(text)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        raise InputError(f"the profile {name} is not valid YAML{where}") from error
    if not isinstance(said, dict):
        raise InputError(f"the profile {name} must be a table of names and values")
    values: dict[str, Any] = {}
    for key, value in said.items():
        values.update(_read(name, key, value))
    profile = Profile(name, **values)
    if not profile.labels:
        raise InputError(f"the profile {name} names no property for labels")
    if profile.only_declared and not profile.declarations:
        raise InputError(f"the profile {name} has only_declared, and no declarations")
    if bool(profile.mediator_type) != bool(profile.topic_type):
        raise InputError(f"the profile {name} needs mediator_type and topic_type, or neither")
    return profile


def _read(name: str, key: object, value: object) -> Mapping[str, Any]:
    if key in _TERMS:
        return {str(key): tuple(_iri(name, key, text) for text in _texts(name, key, value))}
    if key in ("mediator_type", "topic_type") and isinstance(value, str):
        return {str(key): _iri(name, key, value)}
    if key in _TEXTS:
        return {str(key): _texts(name, key, value)}
    if key in _FLAGS and isinstance(value, bool):
        return {str(key): value}
    if key in _NUMBERS and type(value) is int and 1 <= value <= 1_000_000:
        return {str(key): value}
    if key == "elsewhere" and isinstance(value, str):
        return {"elsewhere": value}
    if key == "search" and isinstance(value, dict) and set(value) <= {"hosts", "url"}:
        url = value.get("url", "")
        if isinstance(url, str) and url.startswith(("http://", "https://")):
            hosts = _texts(name, "search: hosts", value.get("hosts", []))
            return {"search_url": url, "search_hosts": hosts}
    known = {f.name for f in dataclasses.fields(Profile)} - {"name"} | {"search"}
    problem = "has an unusable value" if key in known else "is no setting of a profile"
    raise InputError(f"the profile {name}: {str(key)[:60]!r} {problem}")


def _texts(name: str, key: object, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(text, str) and text for text in value):
        return tuple(value)
    raise InputError(f"the profile {name}: {key!s} must be a list of texts")


def _iri(name: str, key: object, text: str) -> str:
    try:
        return v.Prefixes().expand(text)
    except InputError as error:
        raise InputError(f"the profile {name}: {key!s}: {error}") from error


def _is_plain(name: str) -> bool:
    return name.replace("-", "").replace("_", "").isalnum()
