"""Following runs: one fold for all viewers, whoever drives the run."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from kgcore.bootstrap import Studio
from kgcore.errors import UnknownRunError
from kgcore.runs import RunView
from kgcore.runs.store import LEASE_SECONDS
from pages.components.watch import FAST, SLOWEST, Watches
from tests.unit.views import hand_made as made

RUN = "f" * 32


@pytest.fixture
def studio(tmp_home: Path) -> Iterator[Studio]:
    opened = Studio(tmp_home, environ={})
    yield opened
    opened.store.close()


def start(studio: Studio, n: int) -> list[Any]:
    """Store the first n entries of the run, driven elsewhere; return the others."""
    first, *rest = made.entries([replace(made.story()[0], run_id=RUN), *made.story()[1:]])
    studio.store.create(cast(Any, first.body), entries=rest[: n - 1])
    studio.store.take_lease(RUN, "elsewhere")
    return rest[n - 1 :]


def test_a_run_driven_elsewhere_is_followed_entry_by_entry(studio: Studio) -> None:
    watches, later = Watches(studio), start(studio, 10)
    before = watches.look(RUN)
    assert (before.view.n_entries, before.status, before.is_live) == (10, "running", True)
    assert not before.is_ours
    studio.store.append(RUN, later, driver="elsewhere")
    after = watches.look(RUN)
    assert (after.status, after.is_live) == ("answered", False)
    assert after.view.answer_path == RunView.of(studio.store.load(RUN)).answer_path


def test_what_a_lost_driver_never_wrote_is_forgotten(studio: Studio) -> None:
    watches, later = Watches(studio), start(studio, 8)
    watches.look(RUN)
    unwritten = replace(later[0], body=later[1].body)
    watches.moments(RUN).add(unwritten)
    studio.store.append(RUN, later, driver="elsewhere")
    assert watches.look(RUN).view.entries == studio.store.load(RUN)


def test_a_look_stays_as_it_was(studio: Studio) -> None:
    watches, later = Watches(studio), start(studio, 8)
    look = watches.look(RUN)
    known = (len(look.view.nodes), len(look.view.log), look.view.subgraph.digest)
    studio.store.append(RUN, later, driver="elsewhere")
    watches.look(RUN)
    assert (len(look.view.nodes), len(look.view.log), look.view.subgraph.digest) == known


def test_without_its_driver_a_run_reads_interrupted(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(studio, 10)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + LEASE_SECONDS + 1)
    look = Watches(studio).look(RUN)
    assert (look.status, look.is_live) == ("interrupted", False)


def test_an_unknown_run_raises(studio: Studio) -> None:
    with pytest.raises(UnknownRunError):
        Watches(studio).look(RUN)


def test_many_viewers_look_less_often(studio: Studio) -> None:
    watches = Watches(studio)
    start(studio, 5)
    for i in range(3):
        watches.look(RUN, viewer=str(i))
    assert watches.interval(RUN) == FAST
    for i in range(100):
        watches.look(RUN, viewer=str(i))
    assert watches.interval(RUN) == SLOWEST
