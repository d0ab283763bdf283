"""Recorded runs that are shipped: they play without a model, without a network and without the demo graphs.

Each is there in every language: its question, its labels, what the matcher says. What was recorded with a correction
has, beside it, the run before that correction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kgcore.bootstrap.graphs import ASSETS
from kgcore.bootstrap.studio import Studio
from kgcore.errors import UnknownRunError
from kgcore.runs.entries import Entry, Started
from kgcore.runs.exchange import import_run, read_run

PREFIX = "demo:"
FOLDER = ASSETS / "demo" / "runs"


@dataclass(frozen=True, slots=True)
class DemoRun:
    """A recorded run: its subject, what it shows, and the language it was recorded in."""

    subject: str
    title: str
    language: str = "en"
    is_corrected: bool = False

    @property
    def name(self) -> str:
        """The name of its file; English recordings are called by their subject alone."""
        return self.subject if self.language == "en" else f"{self.subject}-{self.language}"

    @property
    def id(self) -> str:
        """What stands for this very recording in addresses."""
        return PREFIX + self.name

    @property
    def address(self) -> str:
        """What stands for it in addresses, whatever the language of the person who opens it."""
        return PREFIX + self.subject

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.name}.json"

    @property
    def file_before(self) -> Path:
        """Where the run before the correction is kept."""
        return FOLDER / f"{self.name}-before.json"


DEMO_RUNS = tuple(
    DemoRun(subject, title, language, is_corrected)
    for subject, title, is_corrected in (
        ("tree-of-traversals", "Tree-of-Traversals turns back", False),
        ("think-on-graph-corrected", "Think-on-Graph after a person's correction", True),
        ("across-graphs", "One answer from two graphs", False),
    )
    for language in ("en", "zh")
)


def demo_runs(language: str) -> tuple[DemoRun, ...]:
    """Return the recordings to offer in a language; English ones where there are none in it."""
    found = tuple(demo for demo in DEMO_RUNS if demo.language == language)
    return found or demo_runs("en")


def find_demo(run_id: str, language: str = "") -> DemoRun:
    """Return the recording that an id stands for; UnknownRunError where it stands for none.

    With a language, the id of a subject (`demo:across-graphs`) stands for the recording in that language.
    """
    subject = run_id.removeprefix(PREFIX)
    for demo in DEMO_RUNS:
        if run_id.startswith(PREFIX) and demo.subject == subject and demo.language == language:
            return demo
    for demo in DEMO_RUNS:
        if demo.id == run_id:
            return demo
    raise UnknownRunError(f"there is no demo run {subject[:60]}")


def demo_entries(run_id: str, language: str = "") -> tuple[Entry, ...]:
    """Return the entries of the recording that an id stands for."""
    return _entries(find_demo(run_id, language).file)


def entries_before(run_id: str, language: str = "") -> tuple[Entry, ...]:
    """Return the entries of the run before the correction; none where nothing was corrected."""
    demo = find_demo(run_id, language)
    return _entries(demo.file_before) if demo.is_corrected else ()


def keep_demo_run(studio: Studio, run_id: str, language: str = "") -> str:
    """Put a demo run, and the one before it, among the runs of the store, once; return its id there."""
    demo = find_demo(run_id, language)
    if demo.is_corrected:
        _keep(studio, demo.file_before)
    return _keep(studio, demo.file)


def _keep(studio: Studio, file: Path) -> str:
    started = _entries(file)[0].body
    assert isinstance(started, Started)
    try:
        return studio.store.record(started.run_id).id
    except UnknownRunError:
        return import_run(studio.store, file.read_bytes())


@cache
def _entries(file: Path) -> tuple[Entry, ...]:
    return read_run(file.read_bytes())
