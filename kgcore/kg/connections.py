"""Remote graphs a person added: what is known of each, kept as one YAML file a graph.

    <home>/connections/<slug>.yaml

No secret is in there: a password comes from the session, the keyring or the environment when it is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

Kind = OneOf["sparql", "musicbrainz"]


@dataclass(frozen=True, slots=True)
class Connection:
    """A remote graph: its name here, where it is, and how it is read.

    `profile` names the profile of a SPARQL endpoint. `data_version` stands for the data behind the address; a
    new one (asked for by a person) makes every kept reply and result stale.
    """

    name: str
    kind: Kind
    address: str
    profile: str = "generic"
    user: str = ""
    data_version: str = "1"
    added: str = ""  # ISO 8601, UTC


@dataclass(frozen=True, slots=True)
class Health:
    """What a short look at a remote graph found; `problem` says in one line why it does not answer."""

    is_up: bool
    seconds: float = 0.0
    n_triples: int | None = None  # None where the endpoint would not count
    is_at_least: bool = False
    label_relations: tuple[str, ...] = ()  # which properties hold its labels, most used first
    languages: tuple[str, ...] = ()
    problem: str = ""
