"""Tells by name and beginning what kind of file is to be imported, and opens it as that."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from kgcore.errors import ImportFileError, InputError
from kgcore.kg.files.cells import Namer
from kgcore.kg.files.converted import ConvertedFile, TableFile
from kgcore.kg.files.dump_files import DumpFile
from kgcore.kg.files.network_files import GraphMLFile, NodeLinkFile
from kgcore.kg.files.packed_files import SourceFile
from kgcore.kg.files.rdf_files import FORMATS, RdfFile
from kgcore.kg.files.table_mapping import ColumnMapping
from kgcore.kg.files.tables import SUFFIXES as TABLE_SUFFIXES
from kgcore.kg.files.tables import Table, is_table, propose_mapping, read_head
from kgcore.kg.files.triples_dump import TriplesDump
from kgcore.kg.files.wikidata_dump import WikidataDump
from kgcore.kg.files.wikidata_json import Filters

ImportFile = RdfFile | ConvertedFile | DumpFile
LARGE = (
    256 * 2**20
)  # bytes from which on the import of N-Triples, packed or not, can go on after a stop
_PEEK = 64 * 1024
_ENTITY = re.compile(r'\{\s*"type"\s*:\s*"(?:item|property|lexeme)"\s*,')
_IS_ITEM = re.compile(r'"type"\s*:\s*"(?:item|property)"')
_NODES = re.compile(r'"nodes"\s*:\s*\[')
_LINKS = re.compile(r'"(?:links|edges)"\s*:\s*\[')


def open_files(
    paths: Sequence[Path],
    namer: Namer,
    *,
    mappings: Mapping[Path, ColumnMapping] | None = None,
    filters: Filters | None = None,
    on_read: Callable[[], None] = lambda: None,
) -> list[ImportFile]:
    """Open the files of one import; tables that have no mapping are read as `propose_mapping` says.

    Where one table lists entities with their names, ids in the other tables are not taken for names.
    """
    dumps = _open_dumps(paths, namer, filters or Filters(), on_read)
    if dumps:
        return [*dumps]
    given = {Path(path): mapping for path, mapping in (mappings or {}).items()}
    tables = {
        path: Table(path, given.get(path) or propose_mapping(read_head(path)), on_read=on_read)
        for path in paths
        if is_table(path)
    }
    are_ids = len(tables) > 1 and any(t.mapping.has("id") for t in tables.values())
    found: list[ImportFile] = []
    for path in paths:
        if path in tables:
            table = tables[path]
            its_ids = are_ids and not table.mapping.has("id")
            found.append(TableFile(table, namer, are_ids=its_ids, on_read=on_read))
        else:
            found.append(_open(path, namer, on_read))
    return found


def _open(path: Path, namer: Namer, on_read: Callable[[], None]) -> ImportFile:
    source = SourceFile(path)
    if source.suffix == ".graphml" or (source.suffix == ".xml" and _is_graphml(source)):
        return GraphMLFile(path, namer, on_read=on_read)
    if source.suffix == ".json" and _is_node_link(source):
        return NodeLinkFile(path, namer, on_read=on_read)
    if source.suffix not in FORMATS:
        known = " ".join((*TABLE_SUFFIXES, ".graphml", *FORMATS))
        why = f"unknown kind of file; known are {known}, also with .gz or .bz2"
        raise ImportFileError(str(path), None, why)
    return RdfFile(path, on_read=on_read)


def _open_dumps(
    paths: Sequence[Path], namer: Namer, filters: Filters, on_read: Callable[[], None]
) -> list[DumpFile]:
    """Open the files as dumps, if they are; nothing when they are not."""
    found: list[DumpFile] = []
    is_needed = bool(filters)
    for path in paths:
        source = SourceFile(path)
        if source.suffix in (".json", ".jsonl", ".ndjson") and _is_wikidata(source):
            found.append(WikidataDump(path, namer, filters, on_read=on_read))
            is_needed = True
        elif source.suffix in (".nt", ".ntriples"):
            found.append(TriplesDump(path, namer, filters, on_read=on_read))
            is_needed = is_needed or source.size >= LARGE
    if not is_needed or (
        not filters
        and not any(isinstance(f, WikidataDump) for f in found)
        and len(found) < len(paths)
    ):
        return []
    if len(found) < len(paths):
        raise InputError(
            "a dump of Wikidata, and what is filtered, is imported apart from other kinds of files; filters "
            "(languages, properties, types) are for Wikidata's JSON dumps and for N-Triples"
        )
    return found


def _is_wikidata(source: SourceFile) -> bool:
    """True when the first entity of a JSON dump of Wikidata, or its beginning, is there."""
    text = source.head_bytes(_PEEK).decode("utf-8", "replace").lstrip("[ \t\r\n")
    return _ENTITY.match(text) is not None or (
        text.startswith("{") and _IS_ITEM.search(text) is not None and '"labels"' in text
    )


def _is_graphml(source: SourceFile) -> bool:
    return b"<graphml" in source.head_bytes(_PEEK)


def _is_node_link(source: SourceFile) -> bool:
    """True for an object with lists of nodes and of links; a JSON-LD text has neither."""
    text = source.head_bytes(_PEEK).decode("utf-8", "replace")
    if _NODES.search(text) and '"@context"' not in text:
        return True
    if not _LINKS.search(text) or '"@context"' in text:
        return False
    try:
        return "nodes" in json.loads(text)
    except (ValueError, RecursionError):
        return source.size > _PEEK  # the nodes come later
