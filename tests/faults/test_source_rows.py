"""Rows of the fault table that knowledge sources answer for: down, slow, empty, broken, huge, killed, at once."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import (
    BadReplyError,
    InputError,
    RateLimitedError,
    ServiceError,
    TimedOutError,
    UnreachableError,
)
from kgcore.kg.connections import Connection
from kgcore.kg.sparql import SparqlGraph
from kgcore.sources.graphs.source import open_graph_source
from kgcore.sources.spec import SourceSpec
from kgcore.sources.tables.source import open_tables
from kgcore.sources.texts.source import open_texts
from kgcore.sources.wiki.source import WikiSource
from kgcore.steps import BadQuery, Passages
from kgcore.transport import Allowance, spending
from tests.servers.asking import transport
from tests.servers.faulty_server import Cut, Endless, FaultyServer, Hang, Reply, Reset, row_set

ROOT = Path(__file__).resolve().parents[2]
QUERY = "SELECT ?s { ?s <urn:x:1> ?o }"


def wiki_at(server: FaultyServer) -> WikiSource:
    return WikiSource(SourceSpec("w", "wiki", (server.url("/w/api.php"),)), transport())


def endpoint_at(server: FaultyServer, home: Path) -> Any:
    graph = SparqlGraph(Connection("g", "sparql", server.url("/sparql")), transport())
    return open_graph_source(SourceSpec("g", "graph", ("g",)), graph, home, time_limit_s=5)


# --- services


@pytest.mark.parametrize(
    "entry, error",
    [
        (Reply(500), BadReplyError),
        (Reply(403), ServiceError),
        (Reply(404, body=b"<html>nothing here</html>", content_type="text/html"), BadReplyError),
        (Reply(body=b"<html>a login page</html>", content_type="text/html"), BadReplyError),
        (Reply(body=b"{"), BadReplyError),
        (Reply(body=b'{"error": {"code": "ratelimited", "info": "slow down"}}'), RateLimitedError),
        (Cut(body=b'{"query": {"search": []}}'), ServiceError),
        (Reset(), ServiceError),
        (Endless(), ServiceError),
        (Hang(), TimedOutError),
    ],
    ids=str,
)
def test_a_wiki_in_trouble_fails_in_one_line(entry: Any, error: type[Exception]) -> None:
    with FaultyServer([entry]) as server:
        source = wiki_at(server)
        with spending(Allowance(deadline=time.monotonic() + 4)), pytest.raises(error) as told:
            source.run("anything")
    assert str(told.value) and "\n" not in str(told.value)


def test_a_wiki_that_is_down_is_unreachable() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    source = WikiSource(
        SourceSpec("w", "wiki", (f"http://127.0.0.1:{port}/w/api.php",)), transport()
    )
    with (
        spending(Allowance(deadline=time.monotonic() + 4)),
        pytest.raises((UnreachableError, TimedOutError)),
    ):
        source.run("anything")


def test_an_empty_wiki_finds_nothing() -> None:
    with FaultyServer([Reply(body=b'{"batchcomplete": true}')]) as server:
        assert wiki_at(server).run("anything") == Passages((), "anything")


@pytest.mark.parametrize(
    "entry",
    [
        Reply(400, body=b"Parse error"),
        Reply(500, body=b"Virtuoso 42000 Error: estimated execution time exceeds the limit"),
        Hang(),
    ],
    ids=["does not understand", "too much work", "too slow"],
)
def test_a_query_an_endpoint_gives_up_is_the_querys_fault(entry: Any, tmp_path: Path) -> None:
    with FaultyServer([entry]) as server:
        source = endpoint_at(server, tmp_path)
        result = source.run(QUERY)
        source.close()
    assert isinstance(result, BadQuery)
    assert "\n" not in result.message


def test_an_endpoint_in_trouble_fails(tmp_path: Path) -> None:
    with FaultyServer([Reply(403)]) as server:
        source = endpoint_at(server, tmp_path)
        with pytest.raises(ServiceError):
            source.run(QUERY)
        source.close()


def test_the_card_of_an_endpoint_in_trouble_has_no_schema(tmp_path: Path) -> None:
    with FaultyServer([Reply(403)]) as server:
        source = endpoint_at(server, tmp_path)
        card = source.card()
        source.close()
    assert (card.schema, card.kg, card.language) == ("", "g", "sparql")


def test_an_endpoint_that_sends_more_than_was_asked_for_is_cut(tmp_path: Path) -> None:
    rows = row_set(*({"s": f"value {n}"} for n in range(5_000)))
    with FaultyServer([rows]) as server:
        source = endpoint_at(server, tmp_path)
        result = source.run("SELECT ?s { ?s ?p ?o }")
        source.close()
    assert isinstance(result, Passages)
    assert (len(result.items), result.n_more) == (50, 1)


# --- files


@pytest.mark.parametrize(
    "name, content",
    [
        ("empty.csv", b""),
        ("blank.csv", b"\n\n \n"),
        ("latin.csv", "name\ncafé\n".encode("latin-1")),
        ("binary.csv", bytes(range(256)) * 20),
        ("wide.csv", "a,b\n1,2\n".encode("utf-16")),
        ("cut.json", b'[{"a": 1}, {"a":'),
        ("cut.jsonl", b'{"a": 1}\n{"a":'),
        ("fake.parquet", b"PAR1 and nothing more"),
        ("fake.sqlite", b"no database"),
        ("header.db", b"SQLite format 3\x00" + b"\x00" * 400),
        ("empty.db", b""),
    ],
)
def test_a_broken_table_is_named_in_one_line(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError) as told:
        open_tables(SourceSpec("bad", "table", (str(file),)), tmp_path / "home")
    assert "\n" not in str(told.value)
    assert name in str(told.value) or "no table" in str(told.value)
    assert not [p for p in (tmp_path / "home/sources/bad").glob("*") if p.is_dir()]


@pytest.mark.parametrize(
    "content, n_rows",
    [
        (b"\xef\xbb\xbfname,n\nAnn,1\n", 1),
        (b"name,n\r\nAnn,1\r\nBob,2\r\n", 2),
        (b"name;n\nAnn;1\nBob;2\n", 2),
        (b'name,text\nAnn,"one\ntwo, ""three"""\n', 1),
        (b"name,n\nAnn\nBob,2\n", 2),
        ("名,数\n甲,1\n乙,2\n".encode(), 2),
    ],
)
def test_untidy_tables_are_read(tmp_path: Path, content: bytes, n_rows: int) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    source = open_tables(SourceSpec("t", "table", (str(tmp_path / "t.csv"),)), tmp_path / "home")
    result = source.run("SELECT count(*) FROM t")
    assert isinstance(result, Passages)
    assert result.items[0].text == f"count: {n_rows}"
    source.close()


def test_a_million_rows_are_read_and_asked(tmp_path: Path) -> None:
    file = tmp_path / "big.csv"
    with file.open("w") as stream:
        stream.write("id,name\n")
        stream.writelines(f"{n},name {n}\n" for n in range(1_000_000))
    source = open_tables(
        SourceSpec("big", "table", (str(file),)), tmp_path / "home", time_limit_s=60
    )
    every = source.run("SELECT * FROM big")
    assert isinstance(every, Passages)
    assert (len(every.items), every.n_more) == (50, 1)
    one = source.run("SELECT name FROM big WHERE id = 999999")
    assert isinstance(one, Passages)
    assert one.items[0].text == "name: name 999999"
    source.close()


def test_a_data_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "sources").write_text("a file where a folder should be")
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "t.txt").write_text("words")
    with pytest.raises(InputError, match="data folder"):
        open_tables(SourceSpec("t", "table", (str(tmp_path / "t.csv"),)), home)
    with pytest.raises(InputError, match="data folder"):
        open_texts(SourceSpec("t", "text", (str(tmp_path / "t.txt"),)), home)


def test_an_index_that_was_deleted_meanwhile_fails_and_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("some words")
    spec = SourceSpec("t", "text", (str(tmp_path / "t.txt"),))
    source = open_texts(spec, tmp_path / "home")
    for folder in (tmp_path / "home/sources/t").glob("[!.]*/"):
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    with pytest.raises(ServiceError, match="cannot be read"):
        source.run("words")
    found = open_texts(spec, tmp_path / "home").run("words")
    assert isinstance(found, Passages) and found.items


OPEN = """
import sys
from pathlib import Path
from kgcore.sources.spec import SourceSpec
from kgcore.sources.tables.source import open_tables
from kgcore.sources.texts.source import open_texts
kind, file, home = sys.argv[1:]
open_source = open_tables if kind == "table" else open_texts
print("opening", flush=True)
source = open_source(SourceSpec("s", kind, (file,)), Path(home))
print(source.version, flush=True)
"""


def opening(kind: str, file: Path, home: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OPEN, kind, str(file), str(home)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)


def large_file(kind: str, folder: Path) -> Path:
    if kind == "table":
        file = folder / "big.csv"
        file.write_text("id,name\n" + "".join(f"{n},name {n}\n" for n in range(400_000)))
        return file
    file = folder / "big.jsonl"
    lines = (json.dumps({"title": f"t{n}", "text": f"words {n} " * 8}) for n in range(20_000))
    file.write_text("\n".join(lines))
    return file


@pytest.mark.parametrize("kind", ["table", "text"])
def test_a_killed_reading_is_begun_again(tmp_path: Path, kind: str) -> None:
    file, home = large_file(kind, tmp_path), tmp_path / "home"
    process = opening(kind, file, home)
    end = time.monotonic() + 60
    while not list(home.glob("sources/s/.new-*")) and time.monotonic() < end:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert [p for p in home.glob("sources/s/*") if p.is_dir() and p.name[0] != "."] == []
    again = opening(kind, file, home)
    out, _ = again.communicate(timeout=100)
    version = out.split()[-1]
    assert again.returncode == 0
    assert (home / "sources/s" / version).is_dir()
    assert list(home.glob("sources/s/.new-*")) == []


@pytest.mark.parametrize("kind", ["table", "text"])
def test_two_programs_may_read_the_same_files_at_once(tmp_path: Path, kind: str) -> None:
    file, home = large_file(kind, tmp_path), tmp_path / "home"
    processes = [opening(kind, file, home) for _ in range(2)]
    versions = {process.communicate(timeout=100)[0].split()[-1] for process in processes}
    assert [process.returncode for process in processes] == [0, 0]
    assert len(versions) == 1
    assert len([p for p in (home / "sources/s").iterdir() if p.is_dir()]) == 1
