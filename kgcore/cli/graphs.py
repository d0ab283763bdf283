"""`kg`: list, import, search, look around in, and remove graphs."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgcore.bootstrap import build
from kgcore.cli.output import plain, show, table, triple_text
from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.model import Direction, EntityId, RelationId, Triple
from kgcore.steps import RelationOption
from kgcore.views.report import triple_dict

if TYPE_CHECKING:
    from kgcore.kg.graph_folder import Manifest
    from kgcore.kg.importer import Progress, Skipped

_BAR, _SHOWN = 30, 20  # characters of the progress bar; skipped statements that are named


def _manifest(manifest: Manifest) -> dict[str, Any]:
    names = ("name", "version", "files", "created", "n_triples", "n_entities", "n_relations")
    data = {name: getattr(manifest, name) for name in names}
    return {**data, "n_skipped": manifest.n_skipped, "languages": manifest.languages}


def import_files(arguments: Namespace) -> int:
    """Import RDF files as one graph."""
    skipped: list[Skipped] = []
    bar = _Bar(is_on=sys.stderr.isatty())
    try:
        manifest = build().import_graph(
            [Path(name) for name in arguments.files],
            arguments.name,
            skip_errors=arguments.skip_errors,
            progress=bar.move,
            on_skip=lambda one: skipped.append(one) if len(skipped) < _SHOWN else None,
        )
    finally:
        bar.clear()
    lines = [
        f"{plain(manifest.name)}: {manifest.n_triples:,} triples, {manifest.n_entities:,} entities, "
        f"{manifest.n_relations:,} relations"
    ]
    if manifest.n_skipped:
        lines.append(f"{manifest.n_skipped:,} statements could not be read and were skipped:")
        lines += [plain(f"  {s.file}, line {s.line}: {s.reason}") for s in skipped]
    named = [{"file": s.file, "line": s.line, "reason": s.reason} for s in skipped]
    show(arguments, {**_manifest(manifest), "skipped": named}, lines)
    return 0


def remove(arguments: Namespace) -> int:
    """Remove a graph."""
    build().remove_graph(arguments.name)
    show(arguments, {"removed": arguments.name}, [f"{plain(arguments.name)} was removed"])
    return 0


def search(arguments: Namespace) -> int:
    """Find entities by their names, best first."""
    graph = build().graph(arguments.kgs)
    found = graph.link(arguments.text, limit=arguments.limit).items
    data = [
        {
            "id": c.entity.id,
            "label": c.entity.label,
            "description": c.entity.description,
            "types": list(c.entity.types),
            "kg": c.entity.kg,
            "score": c.score,
        }
        for c in found
    ]
    rows = [[f"{c.score:.2f}", c.entity.id, c.entity.name, c.entity.description] for c in found]
    show(arguments, data, table(rows, (4, 50, 50, 100)) or ["Nothing was found."])
    return 0


def relations(arguments: Namespace) -> int:
    """List the relations of an entity, in both directions."""
    graph = build().graph(arguments.kgs)
    options = _relations(graph, arguments.id)
    data = [
        {
            "id": o.relation.id,
            "label": o.relation.label,
            "direction": o.direction,
            "phrase": o.phrase,
            "count": o.count,
            "is_at_least": o.is_at_least,
            "examples": list(o.targets),
        }
        for o in options
    ]
    rows = [
        [o.direction, o.relation.id, o.phrase, f"{o.count:,}{'+' if o.is_at_least else ''}"]
        for o in options
    ]
    show(arguments, data, table(rows, (3, 50, 60, 12)))
    return 0


def edges(arguments: Namespace) -> int:
    """List the edges of an entity along one relation, or along all."""
    graph = build().graph(arguments.kgs)
    options = _relations(graph, arguments.id)
    wanted = [
        (o.relation.id, o.direction)
        for o in options
        if arguments.relation in ("", o.relation.id) and arguments.direction in (None, o.direction)
    ]
    if arguments.relation and not wanted:
        raise InputError(f"{arguments.id} has no such edges: {arguments.relation}")
    triples, more = _fetch(graph, arguments, wanted)
    lines = [triple_text(triple) for triple in triples]
    if more:
        lines.append(f"+ {more:,} more")
    show(arguments, {"edges": triples, "more": more}, lines)
    return 0


def _fetch(
    graph: KnowledgeGraph, arguments: Namespace, wanted: Sequence[tuple[RelationId, Direction]]
) -> tuple[list[dict[str, Any]], int]:
    """Return the edges along these relations, each once, and how many there are beyond."""
    triples: dict[Triple, None] = {}
    more = 0
    for relation, direction in wanted:
        found = graph.edges((EntityId(arguments.id),), relation, direction, limit=arguments.limit)
        more += sum(n for _, n in found.more)
        triples.update(dict.fromkeys(found.triples))
    return [triple_dict(triple) for triple in triples], more


def _relations(graph: KnowledgeGraph, identifier: str) -> Sequence[RelationOption]:
    """Return the relations of an entity; InputError when the graph does not know it."""
    ids = (EntityId(identifier),)
    options = graph.relations(ids).items
    if not options and not graph.describe(ids).entities:
        raise InputError(f"{graph.id} has no entity {identifier}")
    return options


class _Bar:
    """A progress bar on standard error."""

    def __init__(self, *, is_on: bool) -> None:
        self._is_on, self._last = is_on, ""

    def move(self, progress: Progress) -> None:
        """Show how far the import is."""
        if not self._is_on:
            return
        done = min(1.0, progress.done / progress.total) if progress.total else 1.0
        filled = round(done * _BAR)
        line = f"[{'#' * filled}{' ' * (_BAR - filled)}] {done:4.0%} {progress.stage}"
        if line != self._last:
            print(f"\r{line:<60}", end="", file=sys.stderr, flush=True)
            self._last = line

    def clear(self) -> None:
        """Remove the bar."""
        if self._last:
            print(f"\r{'':<60}\r", end="", file=sys.stderr, flush=True)
