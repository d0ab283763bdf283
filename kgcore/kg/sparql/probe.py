"""A short look at an endpoint: does it answer, how soon, how much does it hold, and what are its labels."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from kgcore.errors import InputError, ServiceError
from kgcore.kg import vocabulary as v
from kgcore.kg.connections import Connection, Health
from kgcore.kg.sparql import looks
from kgcore.kg.sparql.client import Password, SparqlClient
from kgcore.kg.sparql.profile import load_profile
from kgcore.kg.sparql.replies import number_of, text_of
from kgcore.transport.transport import Transport

_PATIENCE_S = 15.0  # for an answer at all
_COUNT_PATIENCE_S = 8.0  # for a count, which is nice to have
_LANGUAGES = 8


def probe(
    connection: Connection,
    transport: Transport,
    *,
    password: Password | None = None,
    folder: Path | None = None,
) -> Health:
    """Look at an endpoint; one that does not answer is told by `problem`, never by an error.

    `folder` is the data folder, where one's own profiles are.
    """
    try:
        profile = load_profile(connection.profile, folder)
        client = SparqlClient(connection, transport, password=password)
        answer = client.select(looks.ANYTHING, timeout_s=_PATIENCE_S)
    except (InputError, ServiceError) as error:
        return Health(False, problem=str(error))
    n_triples, is_at_least = _count(client)
    relations, languages = _labels(
        client, tuple(dict.fromkeys((*profile.labels, *v.LABEL_PROPERTIES)))
    )
    problem = "" if answer.items else "it answers, and holds nothing"
    return Health(True, answer.seconds, n_triples, is_at_least, relations, languages, problem)


def _count(client: SparqlClient) -> tuple[int | None, bool]:
    """Count all triples, or as many as can be counted soon; None where even that takes too long."""
    for query, most in ((looks.COUNT_ALL, None), (looks.COUNT_SOME, looks.COUNTED)):
        try:
            rows = client.select(query, timeout_s=_COUNT_PATIENCE_S)
        except (InputError, ServiceError):
            continue
        n = number_of(rows.items[0], "n") if rows.items and not rows.is_cut else -1
        if n >= 0:
            return n, most is not None and n >= most
    return None, False


def _labels(
    client: SparqlClient, properties: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which properties hold labels, and in which languages, by a sample of each."""
    try:
        rows = client.select(looks.labels_query(properties), timeout_s=_COUNT_PATIENCE_S).items
    except (InputError, ServiceError):
        return (), ()
    held, tags = Counter[str](), Counter[str]()
    for row in rows:
        n = number_of(row, "n")
        if text_of(row, "p") and n > 0:
            held[text_of(row, "p")] += n
            tags[text_of(row, "lang")] += n
    prefixes = v.Prefixes()
    by_use = sorted(held, key=lambda p: (-held[p], properties.index(p) if p in properties else 0))
    languages = sorted((tag for tag in tags if tag), key=lambda tag: (-tags[tag], tag))
    return tuple(prefixes.shorten(p) for p in by_use), tuple(languages[:_LANGUAGES])
