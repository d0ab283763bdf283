"""What the run store says when it cannot be opened or read, and what it never says."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from kgcore.errors import StoreError
from kgcore.runs import SqlRunStore, lineage
from tests.unit.runs.toys import Bench, ToyConfig, birthplace


@pytest.mark.parametrize("url", ["nonsense", "nosuch://me:canary@localhost/runs", ""])
def test_an_address_that_is_none_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(StoreError) as error:
        SqlRunStore.open(url)
    assert "\n" not in str(error.value)
    assert "canary" not in str(error.value)


def test_a_password_in_the_address_is_in_no_message(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        SqlRunStore.open(f"sqlite://me:canary@/{tmp_path}/missing/runs.sqlite")
    assert "canary" not in str(error.value)


@pytest.mark.parametrize("name", ["a?b=c", "50%", "x#y", "数据 文件"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    bench = Bench(tmp_path / name)
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    assert (tmp_path / name / "runs.sqlite").is_file()
    assert SqlRunStore.open(tmp_path / name).record(run.id).question == "where"


@pytest.mark.parametrize(
    "damage",
    [
        "update entries set body = x'00ff', blob = null where seq = 1",
        "update entries set body = null, blob = 'gone' where seq = 1",
        "update entries set body = x'789c8b8e0500013800b9', blob = null where seq = 1",  # `[`
    ],
)
def test_an_entry_that_cannot_be_read_is_named(tmp_path: Path, damage: str) -> None:
    bench = Bench(tmp_path)
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    run.drive()
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        assert connection.execute(damage).rowcount == 1
    connection.close()
    with pytest.raises(StoreError, match=f"entry 1 of run {run.id} cannot be read"):
        bench.store.load(run.id)
    assert bench.store.record(run.id).status == "answered", "the list still works"
