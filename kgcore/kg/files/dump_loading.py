"""Loads dumps chunk by chunk into a store that survives being killed.

After each chunk a note is written: how far the file was read, and how long the file with the texts for the label
index was by then. An import that finds the note of one that was stopped goes on from there. Loading a chunk twice
changes nothing, as a graph holds a triple once; texts behind the noted length are cut off.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Quad, RdfFormat, Store, parse

from kgcore.errors import ImportFileError, InputError
from kgcore.kg.files.dump_files import Chunk, DumpFile, OnBad
from kgcore.kg.files.good_lines import GoodLines
from kgcore.kg.files.read_errors import reason
from kgcore.kg.local.manifest import INDEX_FORMAT

NOTE, TEXTS = "resume.json", "texts.nt.gz"


@dataclass(slots=True)
class Note:
    """How far the files were read."""

    file: int = 0  # which of them
    offset: int = 0  # unpacked bytes of it
    line: int = 0
    texts: int = 0  # bytes of the file with the texts
    n_skipped: int = 0
    digests: tuple[str, ...] = ()


def resume_key(files: Sequence[DumpFile], *, skip_errors: bool) -> str:
    """Name the staging folder that an import of the same files with the same options comes back to."""
    parts: list[object] = [INDEX_FORMAT, skip_errors]
    for file in files:
        status = file.path.stat()
        parts += [str(file.path.resolve()), status.st_size, status.st_mtime_ns, file.settings]
    return hashlib.blake2b(repr(parts).encode("utf-8", "replace"), digest_size=12).hexdigest()


class DumpLoader:
    """Loads dumps into `folder`; `load` goes on where an earlier one stopped."""

    def __init__(
        self,
        folder: Path,
        files: Sequence[DumpFile],
        *,
        on_bad: Callable[[DumpFile], OnBad | None],
        n_skipped: Callable[[], int],
    ) -> None:
        self._folder, self._files, self._on_bad = folder, files, on_bad
        self._n_skipped = n_skipped
        self.note = self._read_note()

    def load(self, store: Store, *, on_file: Callable[[DumpFile], None]) -> None:
        """Load what is left of the files."""
        texts = self._folder / TEXTS
        texts.touch()
        with texts.open("r+b") as out:
            out.truncate(self.note.texts)
            out.seek(self.note.texts)
            for file in self._files[self.note.file :]:
                on_file(file)
                self._load_file(store, file, out)

    def read_again(self) -> Iterator[Quad]:
        """Go through the texts and values of all files."""
        with gzip.open(self._folder / TEXTS, "rb") as file:
            texts: IO[bytes] = cast(IO[bytes], file)
            if any(self._on_bad(dump) is not None for dump in self._files):
                texts = cast(
                    IO[bytes], GoodLines(file, RdfFormat.N_TRIPLES, lambda line, why: None)
                )
            yield from parse(texts, RdfFormat.N_TRIPLES)

    def finish(self) -> None:
        """Remove the note and the texts: there is nothing left to go on with."""
        for name in (NOTE, TEXTS):
            (self._folder / name).unlink(missing_ok=True)

    def _load_file(self, store: Store, file: DumpFile, out: IO[bytes]) -> None:
        on_bad = self._on_bad(file)
        with file.open() as data:
            for chunk in file.chunks(data, self.note.offset, self.note.line, on_bad):
                self._load_chunk(store, file, chunk, on_bad)
                if chunk.again:
                    out.write(gzip.compress(b"".join(chunk.again), 1))
                    out.flush()
                    os.fsync(out.fileno())
                self.note.offset, self.note.line = chunk.offset, chunk.line
                self.note.texts, self.note.n_skipped = out.tell(), self._n_skipped()
                self._write_note()
            digest = data.digest + file.settings.encode("utf-8", "replace")
        digests = (*self.note.digests, hashlib.blake2b(digest, digest_size=16).hexdigest())
        self.note = Note(
            self.note.file + 1, texts=out.tell(), n_skipped=self.note.n_skipped, digests=digests
        )
        self._write_note()

    def _load_chunk(self, store: Store, file: DumpFile, chunk: Chunk, on_bad: OnBad | None) -> None:
        if not chunk.triples:
            return
        content: IO[bytes] = io.BytesIO(b"".join(chunk.triples))
        if on_bad is not None:
            content = cast(
                IO[bytes],
                GoodLines(
                    content,
                    RdfFormat.N_TRIPLES,
                    lambda line, why: on_bad(_source(chunk, line), why),
                ),
            )
        try:
            store.bulk_load(content, RdfFormat.N_TRIPLES)
        except SyntaxError as error:
            line = _source(chunk, error.lineno or 1)
            raise ImportFileError(str(file.path), line, reason(error)) from error

    def _read_note(self) -> Note:
        try:
            data = json.loads((self._folder / NOTE).read_text("utf-8"))
            return Note(**{**data, "digests": tuple(data["digests"])})
        except FileNotFoundError:
            return Note()
        except (ValueError, TypeError, KeyError) as error:
            raise InputError("the note of the stopped import cannot be read") from error

    def _write_note(self) -> None:
        fresh = self._folder / f"{NOTE}.new"
        with fresh.open("w", encoding="utf-8") as file:
            file.write(json.dumps(asdict(self.note)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._folder / NOTE)


def open_store(path: Path) -> Store:
    """Open the store of an import; of one that was killed without the files that nothing refers to.

    A loader that is killed leaves files behind. A backup is made of links to the files that count.
    """
    fresh, old = path.with_name(f"{path.name}.new"), path.with_name(f"{path.name}.old")
    shutil.rmtree(fresh, ignore_errors=True)
    if old.exists() and not path.exists():
        old.rename(path)
    shutil.rmtree(old, ignore_errors=True)
    if path.exists():
        store = Store(str(path))
        store.backup(str(fresh))
        del store
        path.rename(old)
        fresh.rename(path)
        shutil.rmtree(old, ignore_errors=True)
    return Store(str(path))


def _source(chunk: Chunk, line: int) -> int | None:
    """The line of the file for a line of the chunk; unknown where one made several."""
    return chunk.lines[line - 1] if line <= len(chunk.lines) else None
