"""`kg list`, `kg add`, `kg check`, `kg refresh`, `kg index`: which graphs there are, and remote ones."""

from __future__ import annotations

import getpass
import sys
from argparse import Namespace
from dataclasses import asdict
from typing import Any

from kgcore.bootstrap import Studio, build
from kgcore.cli.output import complain, counted, note, plain, show, table
from kgcore.errors import InputError
from kgcore.kg.connections import MUSICBRAINZ, Connection, Health, password_name
from kgcore.kg.overview import GraphInfo


def list_graphs(arguments: Namespace) -> int:
    """List the graphs: embedded ones, remote ones, and those that are damaged."""
    studio = build()
    found = studio.graphs()
    health = {g.name: studio.check(g.name) for g in found if arguments.check and not g.problem}
    rows = [_row(graph, health.get(graph.name)) for graph in found]
    data = [_graph(graph, health.get(graph.name)) for graph in found]
    show(arguments, data, table(rows, (40, 11, 26, 18, 200)))
    return 0


def add(arguments: Namespace) -> int:
    """Add a remote graph, if it answers; 1 when it does not."""
    studio = build()
    connection = _connection(arguments)
    password = _password(studio, connection)
    place = "keyring" if studio.secrets.has_keyring else "session"
    health = studio.add_connection(
        connection, password=password, place=place, anyway=arguments.anyway
    )
    is_added = health.is_up or arguments.anyway
    if not is_added and not arguments.json:
        complain(f"{_health_line(connection.name, health)}; --anyway adds it all the same")
        return 1
    lines = [_health_line(connection.name, health), f"{plain(connection.name)} was added"]
    data = {"name": connection.name, "added": is_added, "health": asdict(health)}
    show(arguments, data, lines)
    if is_added and password and place == "session":
        note(f"kgcore: set {password_name(connection.name)} before the next command")
    return 0 if is_added else 1


def check(arguments: Namespace) -> int:
    """Look whether a graph answers and what it holds; 1 when it does not."""
    health = build().check(arguments.name)
    show(
        arguments,
        {"name": arguments.name, "health": asdict(health)},
        [_health_line(arguments.name, health)],
    )
    return 0 if health.is_up else 1


def refresh(arguments: Namespace) -> int:
    """Forget what was kept of a remote graph."""
    fresh = build().refresh(arguments.name)
    line = (
        f"{plain(fresh.name)}: what was kept is forgotten, the version is now {fresh.data_version}"
    )
    show(arguments, {"name": fresh.name, "version": fresh.data_version}, [line])
    return 0


def index(arguments: Namespace) -> int:
    """Read all names of an endpoint into a label index."""
    is_on, last = sys.stderr.isatty(), [0]

    def move(n: int) -> None:
        last[0] = n
        if is_on:
            print(f"\r{n:,} names", end="", file=sys.stderr, flush=True)

    try:
        n = build().index_names(arguments.name, move)
    finally:
        if is_on and last[0]:
            print("\r", end="", file=sys.stderr, flush=True)
    show(
        arguments, {"name": arguments.name, "n_names": n}, [f"{plain(arguments.name)}: {n:,} names"]
    )
    return 0


def _connection(arguments: Namespace) -> Connection:
    if arguments.musicbrainz:
        if arguments.user or arguments.profile:
            raise InputError("--user and --profile are for SPARQL endpoints")
        return Connection(arguments.name, "musicbrainz", arguments.host or MUSICBRAINZ)
    if arguments.host:
        raise InputError(
            "--host is for --musicbrainz; a SPARQL endpoint's address follows --sparql"
        )
    profile = arguments.profile or "generic"
    return Connection(
        arguments.name, "sparql", arguments.sparql, profile=profile, user=arguments.user
    )


def _password(studio: Studio, connection: Connection) -> str:
    """Return the password a person types; empty where none is needed or it is known already."""
    if not connection.user or studio.secrets.key(password_name(connection.name)):
        return ""
    if not sys.stdin.isatty():
        raise InputError(
            f"set {password_name(connection.name)} to the password of {connection.user}"
        )
    return getpass.getpass(f"Password of {plain(connection.user)}: ")


def _row(graph: GraphInfo, health: Health | None) -> list[str]:
    if graph.problem:
        return [graph.name, graph.kind, "damaged", graph.version, graph.problem]
    size = _triples(graph.n_triples, is_at_least=graph.is_at_least)
    if health is not None:
        size = _triples(health.n_triples, is_at_least=health.is_at_least)
    source = ", ".join(graph.source) + (f" ({graph.profile})" if graph.profile else "")
    if health is not None:
        state = f"answers in {health.seconds:.1f} s" if health.is_up else f"fails: {health.problem}"
        source = f"{state}; {source}"
    return [graph.name, graph.kind, size, graph.version, source]


def _graph(graph: GraphInfo, health: Health | None) -> dict[str, Any]:
    names = (
        "name", "kind", "version", "n_triples", "is_at_least", "n_entities", "n_relations", "n_skipped",
        "languages", "profile", "problem",
    )  # fmt: skip
    data = {name: getattr(graph, name) for name in names}
    where = {"address": graph.source[0]} if graph.is_remote and graph.source else {}
    files = {} if graph.is_remote else {"files": graph.source}
    found = {} if health is None else {"health": asdict(health)}
    return {**data, "created": graph.added, **files, **where, **found}


def _health_line(name: str, health: Health) -> str:
    if not health.is_up:
        return plain(f"{name} does not answer: {health.problem}")
    parts = [
        f"{name} answers in {health.seconds:.1f} s",
        _triples(health.n_triples, is_at_least=health.is_at_least),
        f"labels by {', '.join(health.label_relations)}" if health.label_relations else "",
        f"in {', '.join(health.languages)}" if health.languages else "",
    ]
    return plain(", ".join(part for part in parts if part))


def _triples(n: int | None, *, is_at_least: bool) -> str:
    if n is None:
        return "size unknown"
    return f"{'at least ' if is_at_least else ''}{counted(n, 'triple')}"
