"""An index of passages in one SQLite file: full text by FTS5, which ranks by BM25.

Words are stemmed, and Chinese and Japanese text is cut into pairs of characters, before they go into the index;
so FTS5 sees words only, and the same rules hold here as for ranking labels.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from kgcore.errors import InputError, ServiceError, TimedOutError
from kgcore.ranking.stems import stems, words
from kgcore.sources.index_folder import SourceFileState
from kgcore.sources.texts.cutting import Passage, cut
from kgcore.sources.texts.reading import read
from kgcore.transport import current_allowance

FORMAT = "passages 1"
FILE = "passages.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, name TEXT, hash TEXT, notes TEXT);
CREATE TABLE IF NOT EXISTS passage (
    id INTEGER PRIMARY KEY, file INTEGER, title TEXT, position TEXT, text TEXT);
CREATE INDEX IF NOT EXISTS of_file ON passage (file);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, body, content='');
"""
_TITLE_WEIGHT, _BODY_WEIGHT = 2.0, 1.0
_MOST_WORDS = 64  # of a query
_STEPS = 20_000  # of SQLite's machine between looks at the clock


@dataclass(frozen=True, slots=True)
class Found:
    """A passage and its BM25: the higher, the better."""

    passage: Passage
    score: float


def make_index(new: Path, newest: Path | None, states: Sequence[SourceFileState]) -> None:
    """Make an index of files in a folder; of an earlier one, what has not changed is taken over."""
    target = new / FILE
    if newest is not None and (newest / FILE).is_file():
        shutil.copyfile(newest / FILE, target)
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")  # made aside: a broken one is never used
            db.execute("PRAGMA synchronous = OFF")
            db.executescript(_SCHEMA)
            db.execute("BEGIN")
            _update(db, states)
            db.execute("COMMIT")
            db.execute("INSERT INTO words(words) VALUES ('optimize')")
    except sqlite3.Error as error:
        raise InputError(f"the passages cannot be indexed: {error}") from error


def _update(db: sqlite3.Connection, states: Sequence[SourceFileState]) -> None:
    wanted = {(state.path.name, state.hash): state.path for state in states}
    for number, name, known in db.execute("SELECT id, name, hash FROM file").fetchall():
        if wanted.pop((name, known), None) is None:
            _forget(db, number)
    problems = []
    for (name, content), path in wanted.items():
        try:
            _add(db, path, content)
        except InputError as error:
            problems.append(str(error))
            row = (name, content, str(error))
            db.execute("INSERT INTO file (name, hash, notes) VALUES (?, ?, ?)", row)
    (n_passages,) = db.execute("SELECT count(*) FROM passage").fetchone()
    if not n_passages:
        raise InputError(problems[0] if problems else "the files hold no text")


def _forget(db: sqlite3.Connection, number: int) -> None:
    rows = db.execute("SELECT id, title, text FROM passage WHERE file = ?", (number,)).fetchall()
    for identifier, title, text in rows:
        db.execute(
            "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)",
            (identifier, _indexed(title), _indexed(text)),
        )
    db.execute("DELETE FROM passage WHERE file = ?", (number,))
    db.execute("DELETE FROM file WHERE id = ?", (number,))


def _add(db: sqlite3.Connection, path: Path, content: str) -> None:
    """Add the passages of one file, or none of them."""
    notes: list[str] = []
    db.execute("SAVEPOINT one_file")
    try:
        file = db.execute(
            "INSERT INTO file (name, hash) VALUES (?, ?)", (path.name, content)
        ).lastrowid
        for section in read(path, notes.append):
            current_allowance().check()
            for passage in cut(section):
                values = (file, passage.title, passage.position, passage.text)
                row = db.execute(
                    "INSERT INTO passage (file, title, position, text) VALUES (?, ?, ?, ?)", values
                ).lastrowid
                db.execute(
                    "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
                    (row, _indexed(passage.title), _indexed(passage.text)),
                )
        db.execute("UPDATE file SET notes = ? WHERE id = ?", ("\n".join(notes), file))
    except BaseException:
        db.execute("ROLLBACK TO one_file")
        raise
    finally:
        db.execute("RELEASE one_file")


class PassageIndex:
    """Reads a finished index, which nobody changes any more; safe to share between threads."""

    def __init__(self, folder: Path, name: str) -> None:
        self._address = f"{(folder / FILE).resolve().as_uri()}?mode=ro&immutable=1"
        self._name = name

    def search(self, text: str, *, limit: int, seconds: float) -> tuple[Found, ...]:
        """Return the passages that hold words of a text, best first; InputError for a text without words."""
        wanted = stems(text)[:_MOST_WORDS]
        if not wanted:
            raise InputError("the query holds no word to look for")
        query = " OR ".join(f'"{word}"' for word in wanted)
        with self._reading(seconds) as db:
            rows = db.execute(
                "SELECT title, position, text, score FROM (SELECT rowid AS found, "
                f"bm25(words, {_TITLE_WEIGHT}, {_BODY_WEIGHT}) AS score FROM words "
                "WHERE words MATCH ? ORDER BY score, rowid LIMIT ?) "
                "JOIN passage ON passage.id = found ORDER BY score, found",
                (query, limit),
            ).fetchall()
        return tuple(Found(Passage(t, p, x), round(-score, 4)) for t, p, x, score in rows)

    def size(self) -> int:
        """How many passages there are."""
        with self._reading(10.0) as db:
            return int(db.execute("SELECT count(*) FROM passage").fetchone()[0])

    def titles(self, most: int) -> tuple[str, ...]:
        """Some titles, spread over the whole."""
        with self._reading(10.0) as db:
            n = max(1, self.size() // most)
            rows = db.execute(
                "SELECT DISTINCT title FROM passage WHERE id % ? = 0 ORDER BY id LIMIT ?", (n, most)
            )
            return tuple(title for (title,) in rows)

    def notes(self) -> tuple[str, ...]:
        """What could not be read, one line each."""
        with self._reading(10.0) as db:
            rows = db.execute("SELECT notes FROM file WHERE notes <> '' ORDER BY id").fetchall()
        return tuple(line for (notes,) in rows for line in notes.splitlines())

    @contextmanager
    def _reading(self, seconds: float) -> Iterator[sqlite3.Connection]:
        """Give a connection; what takes longer than `seconds`, or is stopped by the person, ends early."""
        allowance, ended = current_allowance(), list[Exception]()
        end = time.monotonic() + allowance.seconds_left(seconds)

        def look() -> bool:
            try:
                allowance.check()
            except Exception as error:  # noqa: BLE001  raised again outside of SQLite
                ended.append(error)
            if time.monotonic() > end:
                ended.append(TimedOutError(f"{self._name} did not answer in time"))
            return bool(ended)

        try:
            with closing(sqlite3.connect(self._address, uri=True)) as db:
                db.set_progress_handler(look, _STEPS)
                yield db
        except sqlite3.Error as error:
            if ended:
                raise ended[0] from None
            raise ServiceError(f"the index of {self._name} cannot be read: {error}") from error


def _indexed(text: str) -> str:
    """Return the words of a text as they go into the index."""
    return " ".join(unit for word in words(text) for unit in stems(word))
