"""A graph's most frequent relations as text for a prompt: bounded, and kept for each version of the graph."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from kgcore.errors import InputError, KGCoreError, StoppedError
from kgcore.kg import KnowledgeGraph
from kgcore.kg import vocabulary as v
from kgcore.kg.local.graph import LocalGraph
from kgcore.model import Relation, RelationId
from kgcore.sources.graphs.asking import Asking
from kgcore.sources.index_folder import IndexFolder
from kgcore.transport import current_allowance, spending

log = logging.getLogger(__name__)

_FILE = "schema.txt"
_MOST = 60  # relations
_SAMPLE, _MOST_ROWS = 500_000, 1_000
_N_THINGS = 20  # of a remote graph whose relations are looked at
_PATIENCE_S = 8.0  # a graph that takes longer is shown without
_HEAD = "relations of the graph, most frequent first, to be written as <id>:"


def schema_of(graph: KnowledgeGraph, asking: Asking, name: str, home: Path) -> str:
    """Return the text, from the data folder where it is kept for this version; a graph that is down has none."""
    folder = IndexFolder(home, name)
    allowance = current_allowance()
    soon = time.monotonic() + allowance.seconds_left(_PATIENCE_S)
    with spending(replace(allowance, deadline=soon)):
        return _kept(folder, graph, asking)


def _kept(folder: IndexFolder, graph: KnowledgeGraph, asking: Asking) -> str:
    try:
        place = folder.folder(
            f"schema-{graph.version}", lambda new, _: _write(new, _text(graph, asking))
        )
        return (place / _FILE).read_text("utf-8")
    except StoppedError:
        raise
    except (InputError, OSError):  # a data folder that cannot be written
        pass
    except KGCoreError as error:
        log.warning("the relations of %s cannot be listed: %s", graph.id, error)
        return ""
    try:
        return _text(graph, asking)
    except StoppedError:
        raise
    except KGCoreError:
        return ""


def _write(folder: Path, text: str) -> None:
    (folder / _FILE).write_text(text, "utf-8")


def _text(graph: KnowledgeGraph, asking: Asking) -> str:
    if isinstance(graph, LocalGraph):
        found, n_all = _of_local(graph, asking)
    else:
        found = _of_remote(graph, asking)
        n_all = 0
    lines = [f"<{_bare(r.id)}> {r.name} ({n:,})" for r, n in found[:_MOST]]
    more = max(0, n_all - len(lines))
    return "\n".join([_HEAD, *lines, *([f"+ {more:,} more relations"] if more else [])])


def _of_local(graph: LocalGraph, asking: Asking) -> tuple[list[tuple[Relation, int]], int]:
    """Count the edges of a part of the store; where that fails, the relations come in the order of their labels."""
    known = graph.all_relations()
    counts: dict[RelationId, int] = {}
    query = (
        f"SELECT ?p (COUNT(?p) AS ?n) WHERE {{ {{ SELECT ?p WHERE {{ ?s ?p ?o }} LIMIT {_SAMPLE} }} }} "
        f"GROUP BY ?p ORDER BY DESC(?n) LIMIT {_MOST_ROWS}"
    )
    try:
        for row in asking.select(query, _MOST_ROWS).rows:
            counts[RelationId(graph.prefixes.shorten(row["p"]["value"]))] = int(row["n"]["value"])
    except InputError:
        counts = {}
    held = [(relation, counts.get(relation.id, 0)) for relation in known]
    return _by_count(held), len(known)


def _of_remote(graph: KnowledgeGraph, asking: Asking) -> list[tuple[Relation, int]]:
    """Look at the relations of a few things that have a type."""
    prefixes = v.Prefixes()
    rows = asking.select(f"SELECT ?s WHERE {{ ?s a ?c }} LIMIT {_N_THINGS}", _N_THINGS).rows
    if not rows:
        rows = asking.select(f"SELECT ?s WHERE {{ ?s ?p ?o }} LIMIT {_N_THINGS}", _N_THINGS).rows
    things = [prefixes.shorten(r["s"]["value"]) for r in rows if r["s"].get("type") == "uri"]
    if not things:
        return []
    counts: dict[Relation, int] = {}
    for option in graph.relations(tuple(dict.fromkeys(things))).items:
        if option.direction == "out":
            counts[option.relation] = counts.get(option.relation, 0) + option.count
    return _by_count(counts.items())


def _by_count(pairs: Iterable[tuple[Relation, int]]) -> list[tuple[Relation, int]]:
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0].name))


def _bare(identifier: str) -> str:
    return identifier.strip("<>")
