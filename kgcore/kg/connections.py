"""Remote graphs a person added: what is known of each, and what may be said of one.

No secret is in a connection: a password comes from the session, the keyring or the environment when it is needed.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal as OneOf
from typing import get_args
from urllib.parse import parse_qsl, urlsplit

from kgcore.errors import InputError
from kgcore.kg.local.graph_names import check_name, has_controls, slug

Kind = OneOf["sparql", "musicbrainz"]
MUSICBRAINZ = "https://musicbrainz.org"  # where the public one is

_LONGEST = 2_000  # characters of an address
_PROFILE = re.compile(r"[a-z0-9][a-z0-9_-]{0,40}")
_PARAMETERS = {"default-graph-uri", "named-graph-uri", "infer", "timeout"}  # no key hides in these


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


def check(connection: Connection) -> None:
    """Refuse what is no connection; the message says what is wrong with it."""
    check_name(connection.name)
    if connection.kind not in get_args(Kind):
        raise InputError(f"a graph is of the kind {' or '.join(get_args(Kind))}")
    check_address(connection.address)
    if not _PROFILE.fullmatch(connection.profile):
        raise InputError("a profile has a plain name, such as generic or wikidata")
    if has_controls(connection.user) or ":" in connection.user or len(connection.user) > 200:
        raise InputError("a user name holds no colon and no control characters")


def check_address(address: str) -> None:
    """Refuse an address that is none or that carries a password: addresses are kept, passwords are not."""
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is no number
        is_address = False
    is_plain = not has_controls(address) and " " not in address and len(address) <= _LONGEST
    if not is_address or not is_plain:
        raise InputError("the address of a graph starts with http:// or https://")
    if parts.username is not None or parts.password is not None:
        raise InputError("an address must not hold a name or a password; give them on their own")
    if parts.fragment or {name for name, _ in parse_qsl(parts.query, True)} - _PARAMETERS:
        raise InputError("an address ends with its path; no key or query belongs behind it")


def new_data_version() -> str:
    """Return a data version nobody has had: the day, and a few letters that tell it from others of it."""
    return f"{datetime.now(UTC):%Y-%m-%d}-{uuid.uuid4().hex[:6]}"


def password_name(name: str) -> str:
    """Return under which name the password of a graph is kept: SPARQL_MY_GRAPH_PASSWORD."""
    return f"SPARQL_{slug(name).replace('-', '_').upper()}_PASSWORD"
