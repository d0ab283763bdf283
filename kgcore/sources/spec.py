"""What a person says of a knowledge source: its name, what kind it is, where it lies, what it is for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import get_args

from kgcore.errors import InputError
from kgcore.kg.local.graph_names import has_controls
from kgcore.model.source_card import QueryLanguage

Kind = OneOf["table", "text", "graph", "wiki"]

_NAME = re.compile(r"[^\W_][\w .()+-]{0,79}")
_DOMAIN = re.compile(r"[^\W_][\w-]{0,39}")
_MOST_PLACES = 1_000
_LONGEST = 1_000  # characters of a description
LANGUAGES: dict[Kind, QueryLanguage] = {
    "table": "sql",
    "text": "sentence",
    "graph": "sparql",
    "wiki": "sentence",
}


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as it was added. `where` holds files or folders, names of graphs, or one address.

    `rerank` orders what a full-text index finds once more by meaning.
    """

    name: str
    kind: Kind
    where: tuple[str, ...]
    domains: tuple[str, ...] = ()
    description: str = ""
    rerank: bool = False

    @property
    def language(self) -> QueryLanguage:
        """The language it is asked in."""
        return LANGUAGES[self.kind]


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """What a look at a source found: how much it holds, counted in `unit`, or why it cannot be asked.

    `notes` tell what is wrong with parts of it, one line each.
    """

    is_up: bool
    seconds: float = 0.0
    n_items: int | None = None
    unit: str = ""
    problem: str = ""
    notes: tuple[str, ...] = ()


def check(spec: SourceSpec) -> None:
    """Refuse what is no source; the message says what is wrong with it."""
    check_name(spec.name)
    if spec.kind not in get_args(Kind):
        raise InputError(f"a source is of the kind {', '.join(get_args(Kind))}")
    if not spec.where or len(spec.where) > _MOST_PLACES:
        raise InputError("a source needs a place: files, a graph or an address")
    if any(not place.strip() or has_controls(place) for place in spec.where):
        raise InputError("a place of a source is empty or holds control characters")
    if spec.kind == "wiki" and len(spec.where) > 1:
        raise InputError("a wiki has one address")
    for domain in spec.domains:
        check_domain(domain)
    if len(spec.description) > _LONGEST:
        raise InputError(f"a description has at most {_LONGEST:,} characters")


def check_name(name: str) -> None:
    """Refuse a name no source may have."""
    if not _NAME.fullmatch(name) or name != name.strip():
        raise InputError(
            "the name of a source begins with a letter or digit and has at most 80 letters, digits, "
            "spaces and . - _ + ( )"
        )


def check_domain(domain: str) -> None:
    """Refuse a name no domain may have."""
    if not _DOMAIN.fullmatch(domain):
        raise InputError(f"{domain[:60]!r} is no name of a domain: letters, digits, - and _")
