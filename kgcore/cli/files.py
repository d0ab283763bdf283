"""`kg import`, `kg columns`, `kg export`, and `runs export --as`: graphs as files."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from kgcore.bootstrap import Studio, build
from kgcore.cli.output import counted, note, plain, show, table, triple_text
from kgcore.cli.output_files import write_output
from kgcore.errors import InputError
from kgcore.views.report import triple_dict

if TYPE_CHECKING:
    from kgcore.kg.files.importer import Progress, Skipped
    from kgcore.kg.files.table_mapping import ColumnMapping
    from kgcore.kg.local.manifest import Manifest
    from kgcore.model import EntityId, Subgraph, Triple

_BAR, _SHOWN = 30, 20  # characters of the progress bar; skipped statements that are named
_PREVIEW = 10  # triples of a table that are shown before it is imported


def _manifest(manifest: Manifest) -> dict[str, Any]:
    names = ("name", "version", "files", "created", "n_triples", "n_entities", "n_relations")
    data = {name: getattr(manifest, name) for name in names}
    return {**data, "n_skipped": manifest.n_skipped, "languages": manifest.languages}


def _counts(manifest: Manifest) -> str:
    """Return how much a graph holds: statements, and all triples where names and descriptions come on top."""
    triples = counted(manifest.n_triples, "triple")
    if not manifest.n_edges or manifest.n_edges == manifest.n_triples:
        return triples
    return f"{counted(manifest.n_edges, 'statement')}, {triples} with labels and the like"


def import_files(arguments: Namespace) -> int:
    """Import files as one graph; what the columns of tables are taken for is shown first."""
    from kgcore.kg.files.importer import list_graphs
    from kgcore.kg.files.wikidata_json import Filters

    files = [Path(name) for name in arguments.files]
    mappings = _mappings(arguments, files)
    for path, mapping in mappings.items():
        if not arguments.json:
            for line in (plain(str(path)), *_mapping_lines(mapping)):
                note(line)
    skipped: list[Skipped] = []
    studio = build()
    is_replaced = any(graph.name == arguments.name for graph in list_graphs(studio.home))
    bar = _Bar(is_on=sys.stderr.isatty())
    try:
        manifest = studio.import_graph(
            files,
            arguments.name,
            skip_errors=arguments.skip_errors,
            mappings=mappings,
            filters=Filters(arguments.languages, arguments.properties, arguments.types),
            progress=bar.move,
            on_skip=lambda one: skipped.append(one) if len(skipped) < _SHOWN else None,
        )
    finally:
        bar.clear()
    lines = [
        f"{plain(manifest.name)}: {_counts(manifest)}, "
        f"{manifest.n_entities:,} entities, {counted(manifest.n_relations, 'relation')}"
    ]
    if is_replaced:
        lines.append("it replaced the graph that had this name")
    if not manifest.n_relations:
        lines.append("nothing joins its things: it holds names only")
    if manifest.n_skipped:
        lines.append(f"{manifest.n_skipped:,} statements could not be read and were skipped:")
        lines += [plain(f"  {s.file}, line {s.line}: {s.reason}") for s in skipped]
    named = [{"file": s.file, "line": s.line, "reason": s.reason} for s in skipped]
    columns = {str(path): _mapping_dict(mapping) for path, mapping in mappings.items()}
    data = {**_manifest(manifest), "is_replaced": is_replaced, "skipped": named, "columns": columns}
    show(arguments, data, lines)
    return 0


def _mappings(arguments: Namespace, files: Sequence[Path]) -> dict[Path, ColumnMapping]:
    """Return how each table is read: as proposed, and changed as the arguments say."""
    from kgcore.kg.files.tables import is_table

    tables = [path for path in files if is_table(path)]
    changes = arguments.columns or arguments.objects != "auto" or arguments.header is not None
    if changes and not tables:
        raise InputError(
            "--columns, --objects, --header and --no-header are for tables (.csv, .tsv)"
        )
    return {path: _mapping(arguments, path) for path in tables}


def _mapping(arguments: Namespace, path: Path) -> ColumnMapping:
    from dataclasses import replace

    from kgcore.kg.files.tables import parse_columns, propose_mapping, read_head

    head = read_head(path, is_header=arguments.header)
    mapping = propose_mapping(head)
    if arguments.columns:
        mapping = mapping.with_columns(parse_columns(arguments.columns))
    if arguments.objects != "auto":
        mapping = replace(mapping, objects=arguments.objects)
    return mapping.check()


def _mapping_lines(mapping: ColumnMapping) -> list[str]:
    rows = [
        [f"  {column.name}", column.role, "" if column.kind == "auto" else f"as {column.kind}"]
        for column in mapping.columns
    ]
    notes = [mapping.note] if mapping.note else []
    if not mapping.has_header:
        notes.append("the first row is read as data; --header says that it names the columns")
    return [*table(rows, (60, 20, 20)), *(f"  {text}" for text in notes)]


def _mapping_dict(mapping: ColumnMapping) -> dict[str, Any]:
    return {
        "kind": mapping.kind,
        "has_header": mapping.has_header,
        "delimiter": mapping.delimiter,
        "objects": mapping.objects,
        "columns": [
            {"name": column.name, "role": column.role, "kind": column.kind}
            for column in mapping.columns
        ],
        "note": mapping.note,
    }


def show_columns(arguments: Namespace) -> int:
    """Show what the columns of a table are taken for, and the first triples that come of it."""
    from kgcore.kg.files.tables import is_table, preview

    path = Path(arguments.file)
    if not is_table(path):
        raise InputError(f"{path} is no table (.csv, .tsv)")
    mapping = _mapping(arguments, path)
    triples = preview(path, mapping, _PREVIEW)
    data = {**_mapping_dict(mapping), "triples": [triple_dict(triple) for triple in triples]}
    shown = [plain(f"  {triple_text(triple_dict(triple))}") for triple in triples]
    show(arguments, data, [*_mapping_lines(mapping), "", *shown])
    return 0


def export(arguments: Namespace) -> int:
    """Write a graph as a file: an embedded one whole, of a remote one what runs saw of it."""
    from kgcore.kg.files.exports import export_graph
    from kgcore.kg.local.graph import LocalGraph

    studio, name, kind = build(), arguments.name, arguments.format
    graph = studio.graph((name,))
    if isinstance(graph, LocalGraph):
        return _write(arguments, name, lambda out: export_graph(graph, out, kind))
    triples, same_as = _seen(studio, name)
    if not triples:
        raise InputError(f"{name} is a remote graph, and no run has seen anything of it yet")
    note(f"kgcore: {name} is a remote graph: what runs saw of it is written, not all it holds")
    return _write(arguments, name, lambda out: _export(studio, arguments, out, triples, same_as))


def _seen(studio: Studio, name: str) -> tuple[list[Triple], list[tuple[EntityId, EntityId]]]:
    """Collect what all runs saw of a graph, each triple once."""
    triples: dict[Triple, None] = {}
    links: dict[tuple[EntityId, EntityId], None] = {}
    for record in studio.store.list(limit=1_000_000):
        view = studio.view(record.id)
        if view.started is not None and name in dict(view.started.kgs):
            own = [triple for triple in view.subgraph.triples if triple.kg == name]
            ids = {end.id for t in own for end in (t.subject, t.object) if hasattr(end, "id")}
            triples.update(dict.fromkeys(own))
            links.update(dict.fromkeys(link for link in _links(view.subgraph) if ids & set(link)))
    return list(triples), list(links)


def _links(subgraph: Subgraph) -> list[tuple[EntityId, EntityId]]:
    """Identity links between the ids that a run found to be one thing."""
    return [
        (entity.id, other.id)
        for entity in subgraph.entities
        for other in subgraph.members(entity.id)
        if other.id != entity.id
    ]


def export_run(arguments: Namespace, studio: Studio, run_id: str) -> int:
    """Write what a run saw of its graphs as a file of triples."""
    subgraph = studio.view(run_id).subgraph
    return _write(
        arguments,
        run_id,
        lambda out: _export(studio, arguments, out, subgraph.triples, _links(subgraph)),
    )


def _export(
    studio: Studio,
    arguments: Namespace,
    out: IO[bytes],
    triples: Iterable[Triple],
    same_as: Sequence[tuple[EntityId, EntityId]],
) -> int:
    from kgcore.kg.files.exports import export_triples
    from kgcore.kg.files.importer import list_graphs

    prefixes: dict[str, str] = {}
    for manifest in list_graphs(studio.home):
        prefixes |= dict(manifest.prefixes)
    return export_triples(triples, out, arguments.format, same_as=same_as, prefixes=prefixes)


def _write(arguments: Namespace, name: str, write: Callable[[IO[bytes]], int]) -> int:
    """Write triples; `write` returns how many."""
    n_triples = 0

    def count(out: IO[bytes]) -> None:
        nonlocal n_triples
        n_triples = write(out)

    file = write_output(arguments, count)
    if file is not None:
        form = arguments.format
        data = {"name": name, "file": str(file), "format": form, "n_triples": n_triples}
        show(
            arguments, data, [f"{plain(name)}: {counted(n_triples, 'triple')} → {plain(str(file))}"]
        )
    return 0


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
