"""Writing terms into a query: the one place where a text from outside becomes SPARQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pyoxigraph import Literal, NamedNode

from kgcore.errors import InputError


def iri(text: str) -> str:
    """Write an IRI; InputError for what is none. Whole IRIs only: engines differ on what a prefixed name may hold."""
    try:
        return str(NamedNode(text))
    except ValueError as error:
        raise InputError(f"{text[:80]!r} is no id: {error}") from error


def iris(texts: Iterable[str]) -> str:
    """Write several IRIs, for VALUES and IN."""
    return " ".join(iri(text) for text in texts)


def string(text: str, language: str = "") -> str:
    """Write a text, with its language where it has one."""
    clean = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    try:
        return str(Literal(clean, language=language) if language else Literal(clean))
    except ValueError as error:
        raise InputError(f"{language[:40]!r} is no language") from error


def path(properties: Sequence[str]) -> str:
    """Write a path along any one of some properties."""
    joined = "|".join(iri(p) for p in properties)
    return joined if len(properties) == 1 else f"({joined})"
