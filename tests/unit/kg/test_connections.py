"""Connections to remote graphs: what may be one, how they are kept, and that no damage is passed over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kgcore.errors import InputError, UnknownGraphError
from kgcore.kg.connection_files import Connections, parse
from kgcore.kg.connections import Connection, Health, check, new_data_version, password_name
from kgcore.kg.local.graph_folder import GraphFolders
from kgcore.kg.local.graph_names import slug
from kgcore.kg.overview import overview

MINE = Connection(
    "mine", "sparql", "http://127.0.0.1:7878/query", added="2026-01-01T00:00:00+00:00"
)
HOSTILE_NAMES = (
    "../../etc/passwd", "/abs", "..", "a/b", "a\\b", "CON", "x" * 100, "电影", "Mine", "mine ", "émile",
    "<img src=x onerror=alert(1)>", "!!python/object:os.system", "- a: b", "null", "2026-01-01", "'\"",
)  # fmt: skip


@pytest.fixture
def connections(tmp_path: Path) -> Connections:
    return Connections(tmp_path)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_any_name_is_kept_as_it_is_inside_the_folder(connections: Connections, name: str) -> None:
    connections.save(replace(MINE, name=name))
    assert connections.all() == (replace(MINE, name=name),)
    assert connections.get(name).name == name
    files = [p for p in connections.root.parent.rglob("*") if p.is_file()]
    assert [p.parent for p in files] == [connections.root]
    connections.remove(name)
    assert connections.all() == () and not connections.has(name)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "nul\0l", "x" * 101, "a\u202eb", "a\ud800"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="name"):
        check(replace(MINE, name=name))


@pytest.mark.parametrize("name", ["x" * 300, "x" * 10_000, "x/" * 200])
def test_a_name_too_long_for_a_file_is_that_of_no_graph(
    connections: Connections, name: str
) -> None:
    assert not connections.has(name)
    assert connections.last_health(name) is None
    for ask in (connections.get, connections.remove):
        with pytest.raises(UnknownGraphError):
            ask(name)


@pytest.mark.parametrize(
    "address",
    [
        "", "localhost", "file:///etc/passwd", "gopher://h/", "ftp://h/", "http://", "http://:80/",
        "http://[::1", "http://h:0/", "http://h:x/", "javascript:alert(1)", "http://h/ x", "http://h/\n",
        "http://me:canary@h/", "http://canary@h/", "http://:canary@h/", "http://h/#canary",
        "http://h/?key=canary", "http://h/?apikey=canary", "http://h/?default-graph-uri=x&token=canary",
        "http://h/?canary", "http://h/" + "x" * 2_000,
    ],
)  # fmt: skip
def test_an_address_is_one_and_holds_no_key(address: str) -> None:
    with pytest.raises(InputError) as error:
        check(replace(MINE, address=address))
    assert "canary" not in str(error.value)


@pytest.mark.parametrize(
    "address", ["https://h", "http://[::1]:8890/sparql", "http://h/s?default-graph-uri=http://x"]
)
def test_an_address_may_name_a_port_and_a_graph(address: str) -> None:
    check(replace(MINE, address=address))


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "a", "{", "name: x", "name: [x]\nkind: sparql\naddress: http://h/",
        "name: x\nkind: sql\naddress: http://h/", "name: x\nkind: sparql\naddress: file:///etc/passwd",
        "name: x\nkind: sparql\naddress: http://h/\npassword: canary",
        "name: x\nkind: sparql\naddress: http://h/\nprofile: ../../x",
        "name: !!python/object/apply:os.getcwd []\nkind: sparql\naddress: http://h/",
        "name: null\nkind: sparql\naddress: http://h/", "added: 2026-99-99", "[" * 5_000,
    ],
)  # fmt: skip
def test_a_file_that_is_no_connection_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text.encode())
    assert "\n" not in str(error.value) and "canary" not in str(error.value)


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe", b"a" * 100_000, b"name: other\nkind: sparql\naddress: http://h/"]
)
def test_a_damaged_file_is_listed_with_its_problem_and_can_be_removed(
    connections: Connections, tmp_path: Path, content: bytes
) -> None:
    connections.save(MINE)
    connections.save(replace(MINE, name="whole"))
    (connections.root / "mine.yaml").write_bytes(content)
    found = {info.name: info.problem for info in overview(tmp_path)}
    assert found.keys() == {"mine", "whole"} and found["mine"] and not found["whole"]
    with pytest.raises(InputError, match="cannot be opened"):
        connections.get("mine")
    connections.remove("mine")
    assert [info.name for info in overview(tmp_path)] == ["whole"]


def test_a_damaged_connection_of_a_long_name_is_removed_by_the_name_of_its_file(
    connections: Connections,
) -> None:
    connections.save(replace(MINE, name="Ä" * 60))
    path = connections.root / f"{slug('Ä' * 60)}.yaml"
    path.write_text("{")
    (damaged,) = connections.damaged()
    connections.remove(damaged.name)
    assert not path.exists()


@pytest.mark.parametrize("name", ["films", "A name of its own", "x" * 90])
def test_a_damaged_embedded_graph_is_listed_and_can_be_removed(tmp_path: Path, name: str) -> None:
    home = tmp_path / "graphs" / slug(name)
    home.mkdir(parents=True)
    (home / "manifest.json").write_text('{"format": 1')
    (info,) = overview(tmp_path)
    assert info.problem and not info.is_remote
    GraphFolders(tmp_path).remove(info.name)
    assert overview(tmp_path) == ()


def test_a_refresh_makes_a_data_version_nobody_had(connections: Connections) -> None:
    connections.save(MINE)
    versions = {connections.refresh("mine").data_version for _ in range(20)}
    assert len(versions) == 20 and connections.get("mine").data_version in versions
    assert new_data_version() not in versions


def test_an_unknown_name_is_said(connections: Connections) -> None:
    for ask in (connections.get, connections.remove, connections.refresh):
        with pytest.raises(UnknownGraphError, match="'nobody'"):
            ask("nobody")


def test_a_name_of_a_file_opens_no_graph_of_another_name(connections: Connections) -> None:
    connections.save(replace(MINE, name="Mine"))
    with pytest.raises(UnknownGraphError):
        connections.get(slug("Mine"))


def test_what_was_found_is_kept_until_the_connection_goes(connections: Connections) -> None:
    health = Health(True, 0.2, 12, label_relations=("rdfs:label",), languages=("en", "de"))
    connections.save(MINE)
    assert connections.last_health("mine") is None
    checked = connections.keep_health("mine", health)
    assert connections.last_health("mine") == checked and checked.health == health
    (connections.root / "mine.health.json").write_text("[]")
    assert connections.last_health("mine") is None
    connections.remove("mine")
    assert list(connections.root.iterdir()) == []


def test_passwords_of_different_graphs_have_different_names() -> None:
    names = {password_name(name) for name in ("a-b", "a_b", "A-B", "a b", "电影")}
    assert len(names) == 5
    assert password_name("a-b") == "SPARQL_A_B_PASSWORD"
