"""Imports files into an embedded graph.

Files are streamed into a fresh store in a staging folder, the number of triples is verified on a second opening,
the label index is built, and only then does the folder take the graph's place (see graph_folder.py). A broken
file leaves nothing behind. Named graphs are read into one graph: an exploration has no use for them.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path

from pyoxigraph import Store

from kgcore.errors import InputError, ServiceError
from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import Namer
from kgcore.kg.files.dump_loading import open_store, resume_key
from kgcore.kg.files.file_scan import scan
from kgcore.kg.files.import_files import open_files
from kgcore.kg.files.import_reader import OnProgress, Progress, Reader, Skipped, is_turtle_like
from kgcore.kg.files.rdf_files import RdfFile
from kgcore.kg.files.table_mapping import ColumnMapping
from kgcore.kg.files.wikidata_json import Filters
from kgcore.kg.local import large_index
from kgcore.kg.local.graph_folder import GraphFolders
from kgcore.kg.local.graph_names import check_name
from kgcore.kg.local.index_builder import build_index
from kgcore.kg.local.manifest import INDEX_FORMAT, Manifest
from kgcore.kg.local.rdf_terms import STORE_ERRORS

__all__ = ["INDEX", "STORE", "Progress", "Skipped", "import_graph", "list_graphs", "remove_graph"]

STORE, INDEX = "store", "labels.sqlite"


def import_graph(
    paths: Sequence[Path],
    *,
    home: Path,
    name: str,
    skip_errors: bool = False,
    progress: OnProgress | None = None,
    on_skip: Callable[[Skipped], None] | None = None,
    mappings: Mapping[Path, ColumnMapping] | None = None,
    filters: Filters | None = None,
) -> Manifest:
    """Import files as the graph `name`, in place of one that has that name, and return its manifest.

    ImportFileError names the file and line that could not be read. With `skip_errors` such statements are
    counted and reported to `on_skip` instead, in formats in which the reader can find the next statement.
    `mappings` says what the columns of tables mean; without one a table is read as `propose_mapping` says.
    `filters` says what is kept of dumps. The import of a dump that was stopped goes on when it is started again.
    """
    if not paths:
        raise InputError("an import needs at least one file")
    check_name(name)
    namer = Namer(name)
    folders = GraphFolders(home)
    folders.clean()
    reader = Reader(skip_errors=skip_errors, progress=progress, on_skip=on_skip)
    files = [Path(p) for p in paths]
    reader.files = open_files(
        files, namer, mappings=mappings, filters=filters, on_read=reader.on_read
    )
    reader.check()
    try:
        with _staging(folders, reader, name, skip_errors) as staged:
            manifest = _build(staged, reader, namer, folders, name=name)
            reader.finish()
            folders.commit(staged, manifest)
    except STORE_ERRORS as error:
        raise ServiceError(f"the graph {name!r} could not be stored: {error}") from error
    return manifest


def _staging(
    folders: GraphFolders, reader: Reader, name: str, skip_errors: bool
) -> AbstractContextManager[Path]:
    """Give the folder to fill: for dumps the one that an import of the same files has begun to fill, if any."""
    if not reader.dumps:
        return folders.staging()
    return folders.resumable(name, resume_key(reader.dumps, skip_errors=skip_errors))


def _build(
    staged: Path, reader: Reader, namer: Namer, folders: GraphFolders, *, name: str
) -> Manifest:
    """Fill a staging folder with the store and its index."""
    (staged / INDEX).unlink(missing_ok=True)  # of an import that was stopped
    n_triples = _load(staged, reader)
    if not n_triples:
        raise InputError("there are no triples in these files; nothing was imported")
    prefixes = _prefixes(reader, namer, folders, name)
    store = Store.read_only(str(staged / STORE))
    if len(store) != n_triples:
        raise ServiceError(f"the store holds {len(store)} triples, not {n_triples}")
    reader.on_index(0, 1)
    if n_triples < large_index.LARGE_TRIPLES:
        scanned = scan(reader.read_again())
        summary = build_index(store, staged / INDEX, prefixes, scanned, on_part=reader.on_index)
    else:
        summary = large_index.build_large_index(
            store, staged / INDEX, prefixes, reader.read_again(), on_part=reader.on_index
        )
    return Manifest(
        name=name,
        version=_version(reader, prefixes),
        folder=f"data-{uuid.uuid4().hex[:12]}",
        files=tuple(file.path.name for file in reader.files),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        n_triples=n_triples,
        n_entities=summary.n_entities,
        n_relations=summary.n_relations,
        n_edges=summary.n_edges,
        n_blank=summary.n_blank,
        n_skipped=reader.n_skipped,
        languages=summary.languages,
        prefixes=tuple(sorted(prefixes.table.items())),
    )


def list_graphs(home: Path) -> tuple[Manifest, ...]:
    """Return the manifests of all embedded graphs, by name."""
    folders = GraphFolders(home)
    folders.clean()
    return folders.manifests()


def remove_graph(home: Path, name: str) -> None:
    """Remove an embedded graph; UnknownGraphError when there is none of this name."""
    GraphFolders(home).remove(name)


def _load(staged: Path, reader: Reader) -> int:
    """Load all files into the store and return how many triples it then holds."""
    store = open_store(staged / STORE)
    reader.load(store, staged)
    return len(store)


def _prefixes(reader: Reader, namer: Namer, folders: GraphFolders, name: str) -> v.Prefixes:
    """Collect the prefixes the files declare, but for those other graphs use for something else."""
    taken: dict[str, str] = {}
    for manifest in folders.manifests():
        if manifest.name != name:
            taken.update(manifest.prefixes)
    declared: dict[str, str] = {}
    for file in reader.files:
        found = {namer.prefix: namer.namespace}
        if isinstance(file, RdfFile):
            found = v.declared_prefixes(file.head()) if is_turtle_like(file) else {}
        for prefix, namespace in found.items():
            if taken.get(prefix, namespace) == namespace:
                declared.setdefault(prefix, namespace)
    return v.Prefixes(declared)


def _version(reader: Reader, prefixes: v.Prefixes) -> str:
    """Hash what determines the answers: the files' bytes, what was skipped, and how ids are made."""
    digest = hashlib.blake2b(digest_size=8)
    parts = [INDEX_FORMAT, reader.n_skipped, sorted(prefixes.table.items())]
    digest.update(repr(parts).encode())
    for part in reader.digests:
        digest.update(part)
    return digest.hexdigest()
