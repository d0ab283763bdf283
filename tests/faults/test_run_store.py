"""Faults of the run store: corrupt files, other formats, a full disk, many writers. Rows A7, A9, A10."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgcore.errors import StoreError
from kgcore.runs import SqlRunStore, lineage
from tests.unit.runs.toys import Bench, ToyConfig, birthplace, three_samples

ROOT = Path(__file__).resolve().parents[2]


def a_store_with_a_run(folder: Path) -> tuple[str, bytes]:
    bench = Bench(folder)
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    run.drive()
    bench.store.close()
    with sqlite3.connect(folder / "runs.sqlite") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return run.id, (folder / "runs.sqlite").read_bytes()


def zero_header(data: bytes) -> bytes:
    return b"\0" * 100 + data[100:]


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2 + 17]


def not_a_database(data: bytes) -> bytes:
    return b"this is a text, no database\n" * 100


@pytest.mark.parametrize("damage", [zero_header, cut, not_a_database])
def test_A9_a_corrupt_store_is_refused_and_left_as_it_is(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    run_id, data = a_store_with_a_run(tmp_path)
    broken = damage(data)
    (tmp_path / "runs.sqlite").write_bytes(broken)
    with pytest.raises(StoreError) as error:
        SqlRunStore.open(tmp_path).load(run_id)
    assert "\n" not in str(error.value)
    assert "runs.sqlite" in str(error.value)
    assert (tmp_path / "runs.sqlite").read_bytes() == broken


def test_A9_a_store_of_another_format_is_refused(tmp_path: Path) -> None:
    a_store_with_a_run(tmp_path)
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        connection.execute("update schema_version set version = 99")
    connection.close()
    with pytest.raises(StoreError, match="format 99"):
        SqlRunStore.open(tmp_path)


def test_A10_eight_processes_write_without_a_lock_error_or_a_lost_row(tmp_path: Path) -> None:
    Bench(tmp_path).store.close()
    script = (
        "import sys; from pathlib import Path\n"
        "from kgcore.runs import lineage\n"
        "from tests.unit.runs.toys import Bench, ToyConfig, three_samples\n"
        "bench = Bench(Path(sys.argv[1]))\n"
        "for _ in range(5):\n"
        "    run = lineage.ask(bench.launch(three_samples), 'say', ToyConfig())\n"
        "    run.drive()\n"
        "    assert run.status == 'answered', run.journal.ended\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(tmp_path)]
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)
        for _ in range(8)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors.decode()[-500:]
    store = SqlRunStore.open(tmp_path)
    runs = store.list()
    assert len(runs) == 40
    assert all(len(store.load(run.id)) == 5 for run in runs)


def test_A7_a_full_disk_loses_nothing_acknowledged_and_passes(tmp_path: Path) -> None:
    """The limit on file size stands for a full disk: every write beyond it fails."""
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from kgcore.runs import lineage\n"
        "from tests.unit.runs.toys import Bench, ToyConfig, three_samples\n"
        "bench = Bench(Path(sys.argv[1]))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "run = lineage.ask(bench.launch(three_samples), 'say', ToyConfig())\n"
        "print(run.id, flush=True)\n"
        "answer = bench.model.answer\n"
        "def fills_the_disk(request, **options):\n"
        "    if bench.model.n == 1:\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))\n"
        "    return answer(request, **options)\n"
        "bench.model.answer = fills_the_disk\n"
        "run.drive()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)\n"
        "print(len(run.journal.entries), flush=True)\n"
        "bench.store.release_lease(run.id, run._lease.driver)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    run_id, acknowledged = result.stdout.split()
    assert "Traceback" not in result.stderr
    assert int(acknowledged) == 2, "the start and the first of three steps"
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    bench = Bench(tmp_path)
    assert len(bench.store.load(run_id)) == int(acknowledged)
    run = lineage.resume(bench.launch(three_samples), run_id)
    run.drive()
    assert run.status == "answered"
