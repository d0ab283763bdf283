"""Imports RDF files into an embedded graph.

Files are streamed into a fresh store in a staging folder, the number of triples is verified on a second opening,
the label index is built, and only then does the folder take the graph's place (see graph_folder.py). A broken
file leaves nothing behind. Named graphs are read into one graph: an exploration has no use for them.
"""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Quad, RdfFormat, Store, parse

from kgcore.errors import ImportFileError, InputError, ServiceError
from kgcore.kg import vocabulary as v
from kgcore.kg.file_scan import scan
from kgcore.kg.good_lines import LINE_BASED, GoodLines
from kgcore.kg.graph_folder import INDEX_FORMAT, GraphFolders, Manifest, slug
from kgcore.kg.index_builder import build_index
from kgcore.kg.packed_files import UnpackedFile
from kgcore.kg.rdf_files import SKIPPABLE, WITH_GRAPHS, RdfFile
from kgcore.kg.rdf_terms import STORE_ERRORS
from kgcore.kg.read_errors import TOO_LONG, is_too_long, one_line, reason, turtle_hint

STORE, INDEX = "store", "labels.sqlite"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is: bytes of the files read, or parts of the index written."""

    stage: str  # reading, indexing
    done: int
    total: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A statement that could not be read, with its line where that is known."""

    file: str
    line: int | None
    reason: str


OnProgress = Callable[[Progress], None]


def import_graph(
    paths: Sequence[Path],
    *,
    home: Path,
    name: str,
    skip_errors: bool = False,
    progress: OnProgress | None = None,
    on_skip: Callable[[Skipped], None] | None = None,
) -> Manifest:
    """Import files as the graph `name`, in place of one that has that name, and return its manifest.

    ImportFileError names the file and line that could not be read. With `skip_errors` such statements are
    counted and reported to `on_skip` instead, in formats in which the reader can find the next statement.
    """
    if not paths:
        raise InputError("an import needs at least one file")
    slug(name)
    folders = GraphFolders(home)
    folders.clean()
    reader = _Reader([Path(p) for p in paths], skip_errors, progress, on_skip)
    reader.check()
    try:
        with folders.staging() as staged:
            manifest = _build(staged, reader, name, folders)
            folders.commit(staged, manifest)
    except STORE_ERRORS as error:
        raise ServiceError(f"the graph {name!r} could not be stored: {error}") from error
    return manifest


def _build(staged: Path, reader: _Reader, name: str, folders: GraphFolders) -> Manifest:
    """Fill a staging folder with the store and its index."""
    n_triples = reader.load(staged / STORE)
    if not n_triples:
        raise InputError("there are no triples in these files; nothing was imported")
    prefixes = _prefixes(reader, folders, name)
    store = Store.read_only(str(staged / STORE))
    if len(store) != n_triples:
        raise ServiceError(f"the store holds {len(store)} triples, not {n_triples}")
    reader.on_index(0, 1)
    scanned = scan(reader.read_again())
    summary = build_index(store, staged / INDEX, prefixes, scanned, on_part=reader.on_index)
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


class _Reader:
    """Loads the files of one import into a store."""

    def __init__(
        self,
        paths: list[Path],
        skip_errors: bool,
        progress: OnProgress | None,
        on_skip: Callable[[Skipped], None] | None,
    ) -> None:
        self.files = [RdfFile(path, on_read=self._on_read) for path in paths]
        self.n_skipped = 0
        self.digests: list[bytes] = []
        self._skip_errors, self._progress, self._on_skip = skip_errors, progress, on_skip
        self._total = sum(file.size for file in self.files)
        self._current: RdfFile | None = None
        self._before = 0

    def check(self) -> None:
        """Refuse bad files before anything is stored."""
        for file in self.files:
            if self._skip_errors and file.format not in SKIPPABLE:
                raise ImportFileError(
                    str(file.path),
                    None,
                    f"errors cannot be skipped in {file.format.name}, only in N-Triples, N-Quads, Turtle and TriG",
                )
            file.check()

    def load(self, path: Path) -> int:
        """Load all files into a new store and return how many triples it then holds."""
        store = Store(str(path))
        for file in self.files:
            self._current = file
            self._load_file(store, file)
            self._before += file.size
        store.flush()
        return len(store)

    def _load_file(self, store: Store, file: RdfFile) -> None:
        with file.open() as data:
            try:
                if self._skip_errors or file.format in WITH_GRAPHS:
                    store.bulk_extend(self._quads(file, data, self._skip))
                else:
                    store.bulk_load(cast(IO[bytes], data), file.format, base_iri=_base(file))
            except SyntaxError as error:
                why = reason(error) + _hint(file, error.lineno)
                raise ImportFileError(str(file.path), error.lineno, why) from error
            except ValueError as error:
                raise ImportFileError(str(file.path), None, one_line(str(error))) from error
            except MemoryError as error:
                if not is_too_long(error):
                    raise
                raise ImportFileError(str(file.path), None, TOO_LONG) from error
            self.digests.append(data.digest)

    def read_again(self) -> Iterator[Quad]:
        """Go through the files once more, skipping what was skipped before."""
        self._current = None
        for file in self.files:
            with file.open() as data:
                yield from self._quads(file, data, lambda skipped: None)

    def _quads(
        self, file: RdfFile, data: UnpackedFile, on_skip: Callable[[Skipped], None]
    ) -> Iterator[Quad]:
        last: int | None = None
        source: UnpackedFile | GoodLines = data
        if self._skip_errors and file.format in LINE_BASED:
            source = GoodLines(
                data, file.format, lambda line, why: on_skip(Skipped(str(file.path), line, why))
            )
        quads = parse(
            cast(IO[bytes], source), file.format, base_iri=_base(file), rename_blank_nodes=True
        )
        while True:
            try:
                quad = next(quads)
            except StopIteration:
                return
            except SyntaxError as error:
                if not self._skip_errors:
                    raise
                if error.lineno is None or error.lineno != last:  # one line, one error
                    on_skip(Skipped(str(file.path), error.lineno, reason(error)))
                last = error.lineno
                continue
            yield Quad(quad.subject, quad.predicate, quad.object)

    def _skip(self, skipped: Skipped) -> None:
        self.n_skipped += 1
        _log.info("skipped %s, line %s: %s", skipped.file, skipped.line, skipped.reason)
        if self._on_skip is not None:
            self._on_skip(skipped)

    def _on_read(self) -> None:
        if self._progress is not None and self._current is not None:
            done = self._before + self._current.position
            self._progress(Progress("reading", done, self._total, str(self._current.path)))

    def on_index(self, done: int, total: int) -> None:
        """Report a part of the index."""
        if self._progress is not None:
            self._progress(Progress("indexing", done, total))


def _base(file: RdfFile) -> str | None:
    """Relative IRIs are resolved against the file's name, so that they are the same on every machine."""
    if file.format in LINE_BASED:
        return None
    return f"urn:kg:file:{slug(file.path.name)}/"


def _hint(file: RdfFile, lineno: int | None) -> str:
    """Return what the line of the first error tells of the file; Turtle breaks in its first lines."""
    if lineno is None or file.format not in LINE_BASED:
        return ""
    lines = file.head().split("\n")
    return turtle_hint(lines[lineno - 1]) if lineno <= len(lines) else ""


def _prefixes(reader: _Reader, folders: GraphFolders, name: str) -> v.Prefixes:
    """Collect the prefixes the files declare, but for those other graphs use for something else."""
    taken: dict[str, str] = {}
    for manifest in folders.manifests():
        if manifest.name != name:
            taken.update(manifest.prefixes)
    declared: dict[str, str] = {}
    for file in reader.files:
        if file.format not in (*LINE_BASED, RdfFormat.JSON_LD):
            for prefix, namespace in v.declared_prefixes(file.head()).items():
                if taken.get(prefix, namespace) == namespace:
                    declared.setdefault(prefix, namespace)
    return v.Prefixes(declared)


def _version(reader: _Reader, prefixes: v.Prefixes) -> str:
    """Hash what determines the answers: the files' bytes, what was skipped, and how ids are made."""
    digest = hashlib.blake2b(digest_size=8)
    parts = [INDEX_FORMAT, reader.n_skipped, sorted(prefixes.table.items())]
    digest.update(repr(parts).encode())
    for part in reader.digests:
        digest.update(part)
    return digest.hexdigest()
