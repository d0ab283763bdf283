"""Tables to import: CSV and TSV files, packed or not, UTF-8.

`read_head` looks at the beginning, `propose_mapping` guesses what the columns mean, `preview` shows the triples that
a mapping makes; the importer reads the same rows through `Table`.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgcore.errors import ImportFileError
from kgcore.kg.files.packed_files import SourceFile, UnpackedFile, suffix_of
from kgcore.kg.files.read_errors import one_line
from kgcore.kg.files.table_guess import has_header, propose_mapping
from kgcore.kg.files.table_mapping import ColumnMapping, parse_columns, unique_names
from kgcore.kg.files.table_preview import preview_rows
from kgcore.kg.files.table_triples import NumberedRow
from kgcore.model import Triple

__all__ = [
    "ColumnMapping", "Table", "TableHead", "is_table", "parse_columns", "preview", "propose_mapping", "read_head",
]  # fmt: skip

SUFFIXES = (".csv", ".tsv", ".tab", ".txt")
_HEAD_BYTES, _HEAD_ROWS = 256 * 1024, 200
_DELIMITERS = ",\t;|"


@dataclass(frozen=True, slots=True)
class TableHead:
    """The beginning of a table, and how its cells are told apart."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # without the header
    has_header: bool
    delimiter: str
    is_quoted: bool


def is_table(path: Path) -> bool:
    """True for a file whose name says that it is a table."""
    return suffix_of(path) in SUFFIXES


def read_head(path: Path, *, is_header: bool | None = None) -> TableHead:
    """Read the beginning of a table; `is_header` says whether the first row names the columns, if one knows."""
    source = SourceFile(path)
    data = source.head_bytes(_HEAD_BYTES)
    if len(data) == _HEAD_BYTES:  # the last line may be cut
        data = data[: data.rfind(b"\n") + 1] or data
    text = _decode(data, path)
    delimiter, is_quoted = _dialect(text, suffix_of(path))
    rows = [row for row in _parse_head(text, delimiter, is_quoted) if any(row)][: _HEAD_ROWS + 1]
    if not rows:
        raise ImportFileError(str(path), None, "the table is empty")
    header = has_header(rows) if is_header is None else is_header
    width = len(rows[0]) if header else Counter(map(len, rows)).most_common(1)[0][0]
    names = rows[0] if header else [""] * width
    body = rows[1:] if header else rows
    return TableHead(
        unique_names(names), tuple(tuple(row) for row in body), header, delimiter, is_quoted
    )


def preview(
    path: Path, mapping: ColumnMapping, n: int = 10, *, graph: str = "graph"
) -> tuple[Triple, ...]:
    """Return the first triples that importing a table would make; ImportFileError as the import would."""
    return preview_rows(Table(path, mapping), n, graph)


class Table(SourceFile):
    """The rows of a table, read as a mapping says."""

    def __init__(
        self, path: Path, mapping: ColumnMapping, *, on_read: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(path, on_read=on_read)
        self.mapping = mapping.check()

    def rows(
        self, data: UnpackedFile, on_bad: Callable[[int | None, str], None] | None = None
    ) -> Iterator[NumberedRow]:
        """Go through the rows below the header.

        What cannot be read is told to `on_bad` and left out; where that is None, ImportFileError names the line.
        """
        raw = io.BufferedReader(data, 2**20)
        lines: Iterable[str]
        if on_bad is not None:
            lines = self._good_lines(raw, on_bad)
        else:
            lines = io.TextIOWrapper(raw, "utf-8", newline="")
        reader = _reader(lines, self.mapping.delimiter, self.mapping.is_quoted)
        line, is_first = 1, self.mapping.has_header
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self.refuse(line, _csv_reason(error), on_bad)
                row = []
            except UnicodeDecodeError as error:
                raise self._no_utf8() from error
            if any(row):
                if not is_first:
                    yield line, row
                is_first = False
            line = reader.line_num + 1

    def refuse(
        self, line: int | None, why: str, on_bad: Callable[[int | None, str], None] | None
    ) -> None:
        """Tell what is wrong with a row to `on_bad`; ImportFileError where that is None."""
        if on_bad is None:
            raise ImportFileError(str(self.path), line, one_line(why))
        on_bad(line, one_line(why))

    def _good_lines(
        self, raw: Iterable[bytes], on_bad: Callable[[int | None, str], None]
    ) -> Iterator[str]:
        """Decode line by line; one that is no UTF-8 is told and left empty."""
        for number, line in enumerate(raw, 1):
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError:
                on_bad(number, _NO_UTF8)
                yield "\n"

    def _no_utf8(self) -> ImportFileError:
        """Find the line of the first byte that is no UTF-8."""
        with self.open() as data:
            for number, line in enumerate(io.BufferedReader(data), 1):
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    return ImportFileError(str(self.path), number, _NO_UTF8)
        return ImportFileError(str(self.path), None, _NO_UTF8)


_NO_UTF8 = "it is no UTF-8 text; save the table as UTF-8"


def _reader(lines: Iterable[str], delimiter: str, is_quoted: bool) -> Any:
    if is_quoted:
        return csv.reader(lines, delimiter=delimiter, strict=True)
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _csv_reason(error: csv.Error) -> str:
    text = str(error)
    if "field larger" in text or "unexpected end" in text:
        return "a cell in double quotes starts here and is never closed"
    if "expected after" in text:
        return "after a cell in double quotes there is more text before the next delimiter"
    return text


def _decode(data: bytes, path: Path) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ImportFileError(str(path), 1, _NO_UTF8)
    return data.decode("utf-8", "replace")  # the preview and the import name the line that is wrong


def _parse_head(text: str, delimiter: str, is_quoted: bool) -> list[list[str]]:
    """Read as many rows as can be read."""
    rows: list[list[str]] = []
    reader = _reader(io.StringIO(text, newline=""), delimiter, is_quoted)
    try:
        for row in reader:
            rows.append(row)
            if len(rows) > _HEAD_ROWS:
                break
    except csv.Error:
        pass  # the import will name the line
    return rows


def _dialect(text: str, suffix: str) -> tuple[str, bool]:
    """Find the delimiter that cuts the rows into equally many cells, and whether quotes enclose cells."""
    choices = "\t" if suffix in (".tsv", ".tab") else _DELIMITERS
    best = max(
        choices, key=lambda delimiter: (*_evenness(text, delimiter), -choices.index(delimiter))
    )
    if best != "\t":
        return best, True
    # tab-separated files seldom quote, and their cells may well begin with a quote
    cells = [cell for row in _parse_head(text, best, False) for cell in row]
    return best, any(len(c) > 1 and c[0] == c[-1] == '"' for c in cells)


def _evenness(text: str, delimiter: str) -> tuple[float, int]:
    """Share of rows that have the commonest number of cells, if that is more than one; and that number."""
    rows = [row for row in _parse_head(text, delimiter, True) if any(row)]
    if not rows:
        return 0.0, 0
    width, n = Counter(len(row) for row in rows).most_common(1)[0]
    return (n / len(rows) if width > 1 else 0.0), width
