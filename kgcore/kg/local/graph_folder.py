"""Where embedded graphs lie on disk, and how one version takes the place of another.

    <home>/graphs/<slug>/manifest.json     names the version that counts
    <home>/graphs/<slug>/<version folder>/ the store and the label index of one version
    <home>/graphs/.staging/                imports under way, and what killed ones left

An import fills a folder in `.staging`, moves it beside the others, and then replaces the manifest, which is the
one step that counts: before it the old graph is whole, after it the new one. Folders no manifest names are
removed later. Locks are SQLite's: they end with the process that holds them, on every platform.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kgcore.errors import InputError, UnknownGraphError
from kgcore.kg.local.graph_names import STEM, slug
from kgcore.kg.local.manifest import Manifest

_STAGING = ".staging"
_MANIFEST = "manifest.json"
_LOCK_SECONDS = 30.0
_RESUMABLE = "resume."  # how folders of imports start that can go on where they stopped
_KEPT_SECONDS = 7 * 86_400


@dataclass(frozen=True, slots=True)
class Damaged:
    """Something in the data folder that should be a graph and cannot be read; the name is the best known."""

    name: str
    problem: str


class GraphFolders:
    """The embedded graphs below one data folder."""

    def __init__(self, home: Path) -> None:
        self.root = home / "graphs"

    def manifest(self, name: str) -> Manifest:
        """Return the manifest of a graph; UnknownGraphError when there is none of this name."""
        path = self.root / slug(name) / _MANIFEST
        try:
            text = path.read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UnknownGraphError(f"there is no graph called {name!r}") from error
        try:
            return Manifest.from_json(text)
        except InputError as error:
            raise InputError(f"the graph {name!r} cannot be opened: {error}") from error

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the manifests of all graphs that can be opened, by name."""
        found = []
        for path in self.root.glob(f"*/{_MANIFEST}"):
            with contextlib.suppress(InputError, OSError):
                found.append(Manifest.from_json(path.read_text("utf-8")))
        return tuple(sorted(found, key=lambda m: m.name))

    def damaged(self) -> tuple[Damaged, ...]:
        """Return the graphs that cannot be opened, and why."""
        found = []
        for path in sorted(self.root.glob(f"*/{_MANIFEST}")):
            try:
                text = path.read_text("utf-8", "replace")
                manifest = Manifest.from_json(text)
                if not self.data(manifest).is_dir():
                    found.append(Damaged(manifest.name, "its data are gone"))
            except InputError as error:
                found.append(Damaged(_name_in(text, path.parent.name), str(error)))
            except OSError as error:
                found.append(Damaged(path.parent.name, f"it cannot be read: {error.strerror}"))
        return tuple(found)

    def data(self, manifest: Manifest) -> Path:
        """Return the folder that holds the version a manifest names."""
        return self.root / slug(manifest.name) / Path(manifest.folder).name

    @contextlib.contextmanager
    def resumable(self, name: str, key: str) -> Iterator[Path]:
        """Give the folder of an import that can go on where it stopped; it is gone once it was committed.

        It stays when the import is stopped, for a week; a bad file (InputError) ends it for good.
        """
        folder = self.root / _STAGING / f"{_RESUMABLE}{slug(name)}.{key}"
        lock = folder.with_name(f"{folder.name}.lock")
        folder.parent.mkdir(parents=True, exist_ok=True)
        try:
            with held(lock):
                folder.mkdir(exist_ok=True)
                folder.touch()
                try:
                    yield folder
                except InputError:
                    shutil.rmtree(folder, ignore_errors=True)
                    raise
        except BlockingIOError:
            raise InputError(f"{name} is being imported from these files already") from None
        except InputError:
            lock.unlink(missing_ok=True)
            raise
        lock.unlink(missing_ok=True)
        self._forget_stopped(name)

    def _forget_stopped(self, name: str) -> None:
        """Remove what stopped imports of a graph left to go on from."""
        for folder in (self.root / _STAGING).glob(f"{_RESUMABLE}{slug(name)}.*"):
            if folder.is_dir():
                self._clean_staged(folder)

    def _clean_staged(self, folder: Path) -> None:
        lock = folder.with_name(f"{folder.name}.lock")
        with contextlib.suppress(BlockingIOError), held(lock):
            shutil.rmtree(folder, ignore_errors=True)
            lock.unlink(missing_ok=True)

    @contextlib.contextmanager
    def staging(self) -> Iterator[Path]:
        """Give an empty folder for an import; it is gone afterwards unless it was committed."""
        (self.root / _STAGING).mkdir(parents=True, exist_ok=True)
        folder = self.root / _STAGING / uuid.uuid4().hex
        try:
            with held(folder.with_suffix(".lock")):
                folder.mkdir()
                try:
                    yield folder
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
        finally:
            folder.with_suffix(".lock").unlink(missing_ok=True)

    def commit(self, staged: Path, manifest: Manifest) -> None:
        """Let a staged folder take the place of the graph's present version."""
        home = self.root / slug(manifest.name)
        with held(self.root / f"{_STAGING}/commit.lock", wait_s=_LOCK_SECONDS):
            home.mkdir(exist_ok=True)
            staged.rename(home / manifest.folder)
            fresh = home / f"{_MANIFEST}.new"
            with fresh.open("w", encoding="utf-8") as file:
                file.write(manifest.to_json())
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(home / _MANIFEST)
            _remove_others(home, manifest.folder)

    def remove(self, name: str) -> None:
        """Remove a graph; UnknownGraphError when there is none of this name."""
        home = self.root / slug(name)
        if name in (damaged.name for damaged in self.damaged() if STEM.fullmatch(name)):
            home = self.root / name  # all that is left of its name is the folder's
        if not (home / _MANIFEST).is_file():
            raise UnknownGraphError(f"there is no graph called {name!r}")
        with held(self.root / f"{_STAGING}/commit.lock", wait_s=_LOCK_SECONDS):
            (home / _MANIFEST).unlink(missing_ok=True)
            shutil.rmtree(home, ignore_errors=True)
        self._forget_stopped(name)

    def clean(self) -> None:
        """Remove what killed imports left behind; imports under way are not touched."""
        for folder in (self.root / _STAGING).glob("*"):
            is_kept = folder.name.startswith(_RESUMABLE) and not _is_old(folder)
            if folder.is_dir() and not is_kept:
                self._clean_staged(folder)
        if not self.root.is_dir():
            return
        (self.root / _STAGING).mkdir(exist_ok=True)
        with (
            contextlib.suppress(BlockingIOError),
            held(self.root / f"{_STAGING}/commit.lock"),
        ):
            for home in self.root.iterdir():
                if home.is_dir() and home.name != _STAGING:
                    self._clean_graph(home)

    def _clean_graph(self, home: Path) -> None:
        path = home / _MANIFEST
        if not path.exists():
            shutil.rmtree(home, ignore_errors=True)
            return
        with contextlib.suppress(InputError, OSError):
            _remove_others(home, Manifest.from_json(path.read_text("utf-8")).folder)


def _name_in(text: str, folder: str) -> str:
    """Return the name a broken manifest still tells, if it is that of this folder, else the folder's."""
    with contextlib.suppress(ValueError, InputError, TypeError, KeyError):
        name = json.loads(text)["name"]
        if isinstance(name, str) and slug(name) == folder:
            return name
    return folder


def _is_old(folder: Path) -> bool:
    """True when nobody came back to a stopped import for a week; each part that is done touches the folder."""
    with contextlib.suppress(OSError):
        return time.time() - folder.stat().st_mtime > _KEPT_SECONDS
    return False


def _remove_others(home: Path, keep: str) -> None:
    for path in home.iterdir():
        if path.is_dir() and path.name != keep:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def held(path: Path, wait_s: float = 0.0) -> Iterator[None]:
    """Hold a lock file; BlockingIOError when another process holds it longer than `wait_s`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=wait_s, isolation_level=None)
    try:
        try:
            db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BlockingIOError(f"{path} is locked") from error
        yield
    finally:
        db.close()
