"""The list of sources, domains, and what is made of files."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from kgcore.errors import InputError
from kgcore.sources.domains import domains, parse_domains
from kgcore.sources.index_folder import IndexFolder, version_of
from kgcore.sources.spec import SourceSpec, check
from kgcore.sources.spec_files import SourceFile

FILMS = SourceSpec("films", "table", ("/data/films.csv",), ("factual",), "films", False)


@pytest.fixture
def file(tmp_path: Path) -> SourceFile:
    return SourceFile(tmp_path)


@pytest.mark.parametrize(
    "spec",
    [
        FILMS,
        SourceSpec("电影 (2020)", "text", ("a b", "c"), ("medical", "physics"), "Ä: '\n", True),
        SourceSpec("w", "wiki", ("https://example.org/w/api.php",)),
    ],
)
def test_what_is_written_is_read(file: SourceFile, spec: SourceSpec) -> None:
    file.add(spec)
    assert file.all() == ((spec,), ())


def test_a_name_is_taken_once(file: SourceFile) -> None:
    file.add(FILMS)
    with pytest.raises(InputError, match="there is a source called 'films' already"):
        file.add(FILMS)


def test_a_removed_source_is_gone(file: SourceFile) -> None:
    file.add(FILMS)
    file.remove("films")
    assert file.all() == ((), ())
    with pytest.raises(InputError, match="there is no source called 'films'"):
        file.remove("films")


def test_a_broken_entry_hides_no_other_and_stays(file: SourceFile) -> None:
    file.path.write_text(
        "sources:\n"
        "  - {name: a, kind: table, where: [x.csv]}\n"
        "  - {name: b, kind: table}\n"
        "  - {name: c, kind: nonsense, where: [x]}\n"
        "  - just words\n"
        "  - {name: a, kind: text, where: [y]}\n"
        "  - {name: d, kind: text, where: [y], secret: 1}\n"
        "  - {name: e, kind: text, where: y, domains: [bad name]}\n"
        "  - {name: f, kind: text, where: y}\n"
    )
    specs, broken = file.all()
    assert [spec.name for spec in specs] == ["a", "f"]
    assert [(entry.name, entry.problem) for entry in broken] == [
        ("b", "it has no where"),
        ("c", "a source is of the kind table, text, graph, wiki"),
        ("entry 4", "it is no table of names and values"),
        ("a", "another source has the same name"),
        ("d", "'secret' is no setting of a source"),
        ("e", "'bad name' is no name of a domain: letters, digits, - and _"),
    ]
    file.add(FILMS)
    file.remove("b")
    assert [entry.name for entry in file.all()[1]] == ["c", "entry 3", "a", "d", "e"]


@pytest.mark.parametrize(
    "text",
    [
        "sources: [",
        "- a",
        "sources: {a: b}",
        "a: !!python/object:os.system {}",
        "\x00",
        "sources: 5",
    ],
)
def test_a_broken_file_is_reported_and_never_written_over(file: SourceFile, text: str) -> None:
    file.path.write_text(text)
    specs, (broken,) = file.all()
    assert specs == ()
    assert "sources.yaml" in broken.problem and "\n" not in broken.problem
    with pytest.raises(InputError):
        file.add(FILMS)
    assert file.path.read_text() == text


def test_sources_added_at_once_are_all_kept(file: SourceFile) -> None:
    specs = [SourceSpec(f"source {n}", "text", ("x",)) for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(SourceFile(file.path.parent).add, specs))
    assert len(file.all()[0]) == 12
    assert len(yaml.safe_load(file.path.read_text())["sources"]) == 12


@pytest.mark.parametrize(
    "spec",
    [
        SourceSpec("", "table", ("x",)),
        SourceSpec("a/b", "table", ("x",)),
        SourceSpec("../up", "table", ("x",)),
        SourceSpec(" a", "table", ("x",)),
        SourceSpec("a\n", "table", ("x",)),
        SourceSpec("a" * 81, "table", ("x",)),
        SourceSpec("a", "table", ()),
        SourceSpec("a", "table", ("",)),
        SourceSpec("a", "table", ("x\0",)),
        SourceSpec("a", "wiki", ("x", "y")),
        SourceSpec("a", "table", ("x",), ("no domain",)),
        SourceSpec("a", "table", ("x",), description="x" * 2_000),
    ],
)
def test_what_is_no_source_is_refused(spec: SourceSpec) -> None:
    with pytest.raises(InputError):
        check(spec)


# --- domains


def test_four_domains_are_shipped_in_two_languages() -> None:
    found = domains()
    assert [d.name for d in found] == ["factual", "medical", "physics", "biology"]
    assert all(d.description("en") != d.description("zh") for d in found)
    assert found[0].description("fr") == found[0].description("en")


def test_a_person_adds_domains_and_rewrites_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "domains.yaml").write_text("law: statutes\nphysics: {zh: 物理, en: bodies}\n")
    found = {d.name: d.description() for d in domains(tmp_path)}
    assert list(found) == ["factual", "medical", "physics", "biology", "law"]
    assert (found["law"], found["physics"]) == ("statutes", "bodies")


@pytest.mark.parametrize("text", ["law: 5", "law: {}", "- law", "a b: c", "law: [", "\xff", "law:"])
def test_broken_domains_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as told:
        parse_domains(text.encode("latin-1"))
    assert "\n" not in str(told.value)


# --- what is made of files


def test_a_version_follows_contents_and_names(tmp_path: Path) -> None:
    folder = IndexFolder(tmp_path, "a")
    file = tmp_path / "x.txt"

    def version() -> str:
        return version_of(folder.states([file]), "test 1")

    file.write_text("one")
    first = version()
    assert version() == first
    file.write_text("two, longer")
    assert version() != first
    file.write_text("one")
    assert version() == first
    assert version_of(folder.states([file]), "test 2") != first


def test_a_version_is_made_once_by_all_who_want_it(tmp_path: Path) -> None:
    made: list[int] = []
    barrier = threading.Barrier(4)

    def fill(new: Path, newest: Path | None) -> None:
        made.append(1)
        (new / "index").write_text("whole")

    def want(_: int) -> str:
        barrier.wait()
        return (IndexFolder(tmp_path, "a").folder("v1", fill) / "index").read_text()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(want, range(4))) == {"whole"}
    assert made == [1]


def test_what_fails_leaves_nothing_and_is_tried_again(tmp_path: Path) -> None:
    folder = IndexFolder(tmp_path, "a")

    def fail(new: Path, newest: Path | None) -> None:
        (new / "half").write_text("x")
        raise InputError("broken")

    with pytest.raises(InputError, match="broken"):
        folder.folder("v1", fail)
    assert not (folder.root / "v1").exists()
    assert list(folder.root.glob(".new-*")) == []
    folder.folder("v1", lambda new, newest: None)
    assert (folder.root / "v1").is_dir()


def test_old_versions_go_and_the_newest_is_offered(tmp_path: Path) -> None:
    folder = IndexFolder(tmp_path, "a")
    offered: list[str] = []
    for version in ("v1", "v2", "v3"):
        folder.folder(
            version, lambda new, newest: offered.append(newest.name if newest else "none")
        )
    assert offered == ["none", "v1", "v2"]
    assert sorted(p.name for p in folder.root.glob("v*")) == ["v2", "v3"]
