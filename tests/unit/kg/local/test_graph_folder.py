"""Where graphs lie, and how names become folders."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from kgcore.errors import InputError, UnknownGraphError
from kgcore.kg.local.graph_folder import GraphFolders
from kgcore.kg.local.graph_names import check_name, slug
from kgcore.kg.local.manifest import INDEX_FORMAT, Manifest

MANIFEST = Manifest(
    name="films", version="1", folder="data-1", files=("a.nt",), created="2026-01-01T00:00:00+00:00",
    n_triples=1, n_entities=1, n_relations=1, n_edges=1, n_blank=0, n_skipped=0,
    languages=("en",), prefixes=(("ex", "http://ex.org/"),),
)  # fmt: skip


def commit(folders: GraphFolders, manifest: Manifest) -> None:
    with folders.staging() as staged:
        (staged / "data").write_text(manifest.version)
        folders.commit(staged, manifest)


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/abs", "..", "a/b", "a\\b", "nul\0l", "CON", "con", "x" * 300, "电影", "Films",
     "films ", "C:", "a\nb", ".staging", "aux.txt", "émile"],
)  # fmt: skip
def test_any_name_becomes_a_plain_short_folder(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{1,64}", slug(name))
    assert slug(name) == slug(name) != slug(name + "x")
    assert slug(name) not in ("con", "films", "a-b")


@pytest.mark.parametrize("name", ["films", "demo-wikidata", "2wiki"])
def test_a_plain_name_is_its_own_folder(name: str) -> None:
    assert slug(name) == name


@pytest.mark.parametrize("name", ["", "  ", "\t", "a\ud800"])
def test_a_graph_needs_a_name(name: str) -> None:
    with pytest.raises(InputError, match="needs a name"):
        slug(name)


def test_a_manifest_is_written_and_read_without_loss() -> None:
    assert Manifest.from_json(MANIFEST.to_json()) == MANIFEST


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", f'{{"format": {INDEX_FORMAT}}}', '{"name": 1}']
)
def test_what_is_no_manifest_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Manifest.from_json(text)


def test_a_manifest_of_another_program_is_refused_by_name(tmp_path: Path) -> None:
    folders = GraphFolders(tmp_path)
    commit(folders, replace(MANIFEST, format=MANIFEST.format - 1))
    with pytest.raises(
        InputError, match="'films' cannot be opened: another version of this program imported it"
    ):
        folders.manifest("films")
    assert folders.manifests() == ()


def test_a_commit_takes_the_place_of_the_old_version(tmp_path: Path) -> None:
    folders = GraphFolders(tmp_path)
    commit(folders, MANIFEST)
    commit(folders, replace(MANIFEST, version="2", folder="data-2"))
    assert folders.manifest("films").version == "2"
    assert (folders.data(folders.manifest("films")) / "data").read_text() == "2"
    assert [p.name for p in (tmp_path / "graphs/films").iterdir() if p.is_dir()] == ["data-2"]


def test_what_is_not_committed_is_gone(tmp_path: Path) -> None:
    folders = GraphFolders(tmp_path)
    staged = tmp_path

    def fail() -> None:
        nonlocal staged
        with folders.staging() as staged:
            (staged / "data").write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not staged.exists()
    assert folders.manifests() == ()


def test_cleaning_leaves_imports_under_way_and_removes_orphans(tmp_path: Path) -> None:
    folders = GraphFolders(tmp_path)
    commit(folders, MANIFEST)
    orphan = tmp_path / "graphs/.staging/dead"
    old = tmp_path / "graphs/films/data-0"
    nameless = tmp_path / "graphs/nameless"
    for folder in (orphan, old, nameless):
        folder.mkdir()
        (folder / "big").write_bytes(b"x" * 1000)
    with folders.staging() as staged:
        GraphFolders(tmp_path).clean()
        assert staged.is_dir()
        assert not any(folder.exists() for folder in (orphan, old, nameless))
    assert folders.manifest("films") == MANIFEST


def test_a_manifest_cannot_point_outside(tmp_path: Path) -> None:
    folders = GraphFolders(tmp_path)
    inside = folders.data(replace(MANIFEST, folder="../../../etc"))
    assert inside == tmp_path / "graphs" / "films" / "etc"


def test_an_unknown_graph_is_named(tmp_path: Path) -> None:
    folders = GraphFolders(tmp_path)
    for call in (folders.manifest, folders.remove):
        with pytest.raises(UnknownGraphError, match="no graph called 'films'"):
            call("films")


@pytest.mark.parametrize("name", ["films", "C&A", "films (2020)", "Zoë's graph", "电影"])
def test_other_names_of_graphs_are_free(name: str) -> None:
    check_name(name)
