"""Work in the background: it begins once, can be stopped, and says what came of it."""

import shutil
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kgcore.bootstrap import Studio, build
from kgcore.errors import InputError
from pages.components.imports import KEPT, Imports, Job

NT = '<http://x.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "A" .\n'


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return build(tmp_path / "home", environ={})


def file(tmp_path: Path, name: str = "a.nt", text: str = NT) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def until_over(job: Job) -> Job:
    deadline = time.monotonic() + 30
    while job.is_running:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return job


class Slow(Studio):
    """A studio whose imports go on until they are let go."""

    def __init__(self, home: Path, go: threading.Event) -> None:
        super().__init__(home, environ={})
        self._go = go

    def import_graph(self, files: Any, name: str, **options: Any) -> Any:
        """Wait, telling how far it is, then import."""
        from kgcore.kg.files.importer import Progress

        tell: Callable[[Progress], None] = options["progress"]
        while not self._go.wait(0.01):
            tell(Progress("reading", 1, 2))
        return super().import_graph(files, name, **options)


def begin(imports: Imports, studio: Studio, path: Path, name: str, **more: Any) -> Job:
    mappings: Mapping[Path, Any] = {}
    return imports.start(studio, [path], name, mappings=mappings, **more)


def test_an_import_is_done_and_takes_its_files_over(studio: Studio, tmp_path: Path) -> None:
    path, imports = file(tmp_path), Imports()
    job = until_over(begin(imports, studio, path, "mine"))
    assert (job.state, job.outcome) == ("done", "1 triples, 1 entities")
    assert not path.exists()
    assert studio.graph(("mine",)).link("A").items


def test_one_import_of_a_name_at_a_time(tmp_path: Path) -> None:
    go, imports = threading.Event(), Imports()
    slow = Slow(tmp_path / "home", go)
    job = begin(imports, slow, file(tmp_path), "mine")
    second = file(tmp_path, "b.nt")
    with pytest.raises(InputError, match="already"):
        begin(imports, slow, second, "mine")
    assert second.exists(), "what was refused is not taken over"
    go.set()
    assert until_over(job).state == "done"
    assert until_over(begin(imports, slow, second, "mine")).state == "done"


def test_an_import_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    imports = Imports()
    slow = Slow(tmp_path / "home", threading.Event())
    job = begin(imports, slow, file(tmp_path), "mine")
    while job.share is None:
        time.sleep(0.01)
    assert job.share == 0.5
    imports.dismiss(job)
    assert imports.all() == [job], "what is under way stays in sight"
    job.stop.set()
    assert until_over(job).state == "stopped"
    assert "mine" not in {graph.name for graph in slow.graphs()}
    imports.dismiss(job)
    assert imports.all() == []


@pytest.mark.parametrize("text", ["", "<a> <b>", NT + "junk\n"])
def test_a_broken_file_is_told_without_the_folder_it_lies_in(
    studio: Studio, tmp_path: Path, text: str
) -> None:
    job = until_over(begin(Imports(), studio, file(tmp_path, "bad.nt", text), "mine"))
    assert job.state == "failed" and job.outcome
    assert "kgcore-import-" not in job.outcome and "/" not in job.outcome.split(":")[0]


def test_skipped_statements_are_counted_and_some_are_named(studio: Studio, tmp_path: Path) -> None:
    path = file(tmp_path, "bad.nt", NT + "junk\n" * 9)
    job = until_over(begin(Imports(), studio, path, "mine", skip_errors=True))
    assert (job.state, job.n_skipped, len(job.skipped)) == ("done", 9, 5)


def test_only_the_last_finished_ones_are_told_of(studio: Studio, tmp_path: Path) -> None:
    imports = Imports()
    for n in range(KEPT + 3):
        until_over(begin(imports, studio, file(tmp_path, text=""), f"g{n}"))
    assert len(imports.all()) <= KEPT + 1


def test_the_disk_is_left_as_it_was(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    until_over(begin(Imports(), studio, file(tmp_path), "mine"))
    until_over(begin(Imports(), studio, file(tmp_path, text=""), "mine"))
    for _ in range(100):
        if not list((tmp_path / "tmp").iterdir()):
            break
        time.sleep(0.02)
    assert list((tmp_path / "tmp").iterdir()) == []
    shutil.rmtree(tmp_path / "tmp")
