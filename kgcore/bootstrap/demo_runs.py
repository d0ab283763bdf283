"""Recorded runs that are shipped: they play without a model, without a network and without the demo graphs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kgcore.bootstrap.graphs import ASSETS
from kgcore.bootstrap.studio import Studio
from kgcore.errors import UnknownRunError
from kgcore.runs.exchange import import_run, read_run
from kgcore.runs.journal import Entry, Started

PREFIX = "demo:"


@dataclass(frozen=True, slots=True)
class DemoRun:
    """A recorded run: the name of its file, and what it shows."""

    name: str
    title: str
    title_zh: str

    @property
    def id(self) -> str:
        """What stands for the run in addresses."""
        return PREFIX + self.name

    @property
    def file(self) -> Path:
        """Where it is kept."""
        return ASSETS / "demo" / "runs" / f"{self.name}.json"


DEMO_RUNS = (
    DemoRun("tree-of-traversals", "Tree-of-Traversals turns back", "Tree-of-Traversals：折回再试"),
    DemoRun(
        "think-on-graph-corrected",
        "Think-on-Graph after a person's correction",
        "Think-on-Graph：人工更正之后",
    ),
    DemoRun("across-graphs", "One answer from two graphs", "跨两个图谱的答案"),
)


def demo_entries(run_id: str) -> tuple[Entry, ...]:
    """Return the entries of the demo run that this id stands for; UnknownRunError where it stands for none."""
    return _entries(_demo(run_id))


def keep_demo_run(studio: Studio, run_id: str) -> str:
    """Put a demo run among the runs of the store, once, and return its id there."""
    demo = _demo(run_id)
    started = _entries(demo)[0].body
    assert isinstance(started, Started)
    try:
        return studio.store.record(started.run_id).id
    except UnknownRunError:
        return import_run(studio.store, demo.file.read_bytes())


def _demo(run_id: str) -> DemoRun:
    for demo in DEMO_RUNS:
        if demo.id == run_id:
            return demo
    raise UnknownRunError(f"there is no demo run {run_id.removeprefix(PREFIX)[:60]}")


@cache
def _entries(demo: DemoRun) -> tuple[Entry, ...]:
    return read_run(demo.file.read_bytes())
