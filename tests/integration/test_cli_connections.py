"""`kg add`, `kg check`, `kg refresh`, `kg index`, `kg list`: remote graphs from the command line, against real servers."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import RdfFormat, parse
from pytest_httpserver import HTTPServer

from kgcore.kg.connections import password_name
from tests.integration.conftest import Run
from tests.servers.oxigraph_server import OxigraphServer

CANARY = "pw-canary-0a1b2c3d4e5f"
TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:film rdfs:label "Night Train"@en ; t:director t:ann ; t:length 90 .
t:ann rdfs:label "Ann Lee"@en ; t:born t:rome .
t:rome rdfs:label "Rome"@en , "Roma"@it .
t:director rdfs:label "director"@en . t:born rdfs:label "born in"@en .
"""


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A SPARQL server that holds the toy graph."""
    folder = tmp_path_factory.mktemp("oxigraph")
    file = folder / "toy.ttl"
    file.write_text(TOY)
    with OxigraphServer([file], folder=folder) as server:
        yield server.address


@pytest.fixture
def nobody() -> str:
    """The address of a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/sparql"


def test_a_graph_that_answers_is_added_and_can_be_used(run: Run, endpoint: str) -> None:
    added = run("kg", "add", "toy", "--sparql", endpoint, "--json").json
    assert added["added"] and added["health"]["is_up"]
    n_triples = len(list(parse(TOY.encode(), RdfFormat.TURTLE)))
    assert added["health"]["n_triples"] == n_triples
    assert added["health"]["label_relations"][0] == "rdfs:label"
    listed = {graph["name"]: graph for graph in run("kg", "list", "--json").json}
    assert listed["toy"]["kind"] == "sparql" and listed["toy"]["address"] == endpoint
    assert listed["toy"]["n_triples"] == n_triples
    found = run("kg", "search", "Night Train", "--kg", "toy", "--json").json
    assert [c["label"] for c in found] == ["Night Train"]
    edges = run("kg", "edges", found[0]["id"], "--kg", "toy", "--json").json["edges"]
    assert "Ann Lee" in [edge["object"].get("label") for edge in edges]


def test_a_person_reads_whether_it_answers_how_large_it_is_and_its_labels(
    run: Run, endpoint: str
) -> None:
    out = run("kg", "add", "toy", "--sparql", endpoint).out
    assert "toy answers in" in out and "triples" in out and "labels by rdfs:label" in out
    assert "toy was added" in out
    assert "toy answers in" in run("kg", "check", "toy").out
    assert "answers in" in run("kg", "list", "--check").out


def test_a_refused_port_is_one_line_and_adds_nothing(run: Run, nobody: str) -> None:
    line = run("kg", "add", "gone", "--sparql", nobody).refused()
    assert "gone does not answer" in line and "--anyway" in line
    assert "gone" not in run("kg", "list").out
    done = run("kg", "add", "gone", "--sparql", nobody, "--json")
    assert done.code == 1 and json.loads(done.out)["added"] is False


def test_what_does_not_answer_is_added_when_a_person_says_so(run: Run, nobody: str) -> None:
    assert run("kg", "add", "gone", "--sparql", nobody, "--anyway").code == 0
    assert "gone" in run("kg", "list").out
    checked = run("kg", "check", "gone", "--json")
    assert checked.code == 1 and json.loads(checked.out)["health"]["problem"]
    assert run("kg", "search", "x", "--kg", "gone").refused()
    assert run("kg", "remove", "gone").code == 0
    assert "gone" not in run("kg", "list").out


@pytest.mark.parametrize(
    "argv, words",
    [
        (("demo-wikidata", "--sparql", "http://127.0.0.1:9/"), "demo"),
        (("x", "--sparql", "ftp://127.0.0.1/"), "http"),
        (("x", "--sparql", f"http://me:{CANARY}@127.0.0.1:9/"), "name or a password"),
        (("x", "--sparql", "http://169.254.169.254/latest"), "169.254.169.254"),
        (("x", "--sparql", "http://127.0.0.1:9/", "--profile", "nothing"), "profile"),
        (("x", "--musicbrainz", "--user", "me"), "--user"),
        (("x", "--sparql", "http://127.0.0.1:9/", "--host", "http://h/"), "--host"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_connection_is_refused_in_one_line(
    run: Run, argv: tuple[str, ...], words: str
) -> None:
    line = run("kg", "add", *argv).refused()
    assert words in line and CANARY not in line


def test_a_private_address_is_refused_where_the_operator_says_so(run: Run, endpoint: str) -> None:
    line = run(
        "kg", "add", "toy", "--sparql", endpoint, KGCORE_ALLOW_PRIVATE_ENDPOINTS="0"
    ).refused()
    assert "KGCORE_ALLOW_PRIVATE_ENDPOINTS" in line
    assert "toy" not in run("kg", "list").out


def test_two_graphs_have_two_names(run: Run, endpoint: str, tmp_path: Path) -> None:
    file = tmp_path / "toy.ttl"
    file.write_text(TOY)
    assert run("kg", "add", "toy", "--sparql", endpoint).code == 0
    assert "already" in run("kg", "add", "toy", "--sparql", endpoint).refused()
    assert "remote graph" in run("kg", "import", str(file), "--name", "toy").refused()
    assert run("kg", "import", str(file), "--name", "mine").code == 0
    assert "already" in run("kg", "add", "mine", "--sparql", endpoint).refused()


def test_a_refresh_changes_the_version_and_forgets_what_was_kept(
    run: Run, endpoint: str, tmp_home: Path
) -> None:
    run("kg", "add", "toy", "--sparql", endpoint)
    (before,) = [g["version"] for g in run("kg", "list", "--json").json if g["name"] == "toy"]
    run("kg", "search", "Rome", "--kg", "toy")
    after = run("kg", "refresh", "toy", "--json").json["version"]
    assert after != before
    assert "import its files again" in run("kg", "refresh", "demo-wikidata").refused()


def test_names_are_read_into_an_index_and_found_with_typing_errors(run: Run, endpoint: str) -> None:
    run("kg", "add", "toy", "--sparql", endpoint)
    assert run("kg", "index", "toy", "--json").json["n_names"] >= 4
    found = run("kg", "search", "Nigth Trian", "--kg", "toy", "--json").json
    assert [c["label"] for c in found][:1] == ["Night Train"]
    assert "label index" in run("kg", "index", "demo-wikidata").refused()


def test_of_a_remote_graph_what_runs_saw_is_exported_and_that_is_said(
    run: Run, endpoint: str
) -> None:
    run("kg", "add", "toy", "--sparql", endpoint)
    assert "no run has seen" in run("kg", "export", "toy", "--as", "turtle").refused()
    run("kg", "index", "toy")
    run("ask", "What is the director of Night Train?", "--kg", "toy")
    done = run("kg", "export", "toy", "--as", "csv")
    assert done.code == 0 and "Ann Lee" in done.out
    assert "toy is a remote graph" in done.err and "not all it holds" in done.err


def test_a_password_reaches_the_endpoint_and_nothing_else(
    run: Run, httpserver: HTTPServer, tmp_home: Path
) -> None:
    seen: list[str] = []

    def answer(request: Any) -> Any:
        from werkzeug import Response

        seen.append(request.headers.get("Authorization", ""))
        if not seen[-1]:
            return Response("who are you?", 401)
        body = {"head": {"vars": []}, "results": {"bindings": []}}
        return Response(json.dumps(body), 200, content_type="application/sparql-results+json")

    httpserver.expect_request("/sparql").respond_with_handler(answer)
    address = httpserver.url_for("/sparql")
    secret = {password_name("mine"): CANARY}
    line = run("kg", "add", "mine", "--sparql", address, "--user", "me").refused()
    assert password_name("mine") in line
    done = run("kg", "add", "mine", "--sparql", address, "--user", "me", "--json", **secret)
    assert done.code == 0, done
    assert any(header.startswith("Basic ") for header in seen)
    texts = [done.out, done.err]
    for argv in (
        ("kg", "list", "--check"),
        ("kg", "check", "mine"),
        ("kg", "search", "x", "--kg", "mine"),
    ):
        done = run(*argv, **secret)
        texts += [done.out, done.err]
    texts.append(run("kg", "search", "x", "--kg", "mine").refused())
    files = [path.read_bytes() for path in tmp_home.rglob("*") if path.is_file()]
    assert files and not any(CANARY.encode() in data for data in files)
    assert not any(CANARY in text for text in texts)


def test_a_password_is_asked_for_on_a_terminal_and_not_echoed(
    httpserver: HTTPServer, tmp_home: Path
) -> None:
    pty = pytest.importorskip("pty")
    httpserver.expect_request("/sparql").respond_with_data("no", 500)
    argv = ["kg", "add", "mine", "--sparql", httpserver.url_for("/sparql"), "--user", "me"]
    terminal, inside = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kgcore", *argv],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        env={**os.environ, "KGCORE_HOME": str(tmp_home)},
    )
    os.close(inside)
    shown, sent = b"", False
    with contextlib.suppress(OSError):  # the terminal closes when the program ends
        while data := os.read(terminal, 4096):
            shown += data
            if b"Password of me" in shown and not sent:
                sent = os.write(terminal, f"{CANARY}\n".encode()) > 0
    os.close(terminal)
    assert process.wait(30) == 1
    assert sent and b"mine does not answer" in shown
    assert CANARY.encode() not in shown and b"Traceback" not in shown


def test_a_damaged_graph_is_listed_with_its_problem(run: Run, tmp_home: Path, nobody: str) -> None:
    run("kg", "add", "gone", "--sparql", nobody, "--anyway")
    (tmp_home / "connections" / "gone.yaml").write_text("{")
    (home := tmp_home / "graphs" / "broken").mkdir(parents=True)
    (home / "manifest.json").write_text("{")
    listed = {graph["name"]: graph["problem"] for graph in run("kg", "list", "--json").json}
    assert listed["gone"] and listed["broken"] and not listed["demo-wikidata"]
    assert "cannot be opened" in run("kg", "search", "x", "--kg", "gone").refused()
    for name in ("gone", "broken"):
        assert run("kg", "remove", name).code == 0
    assert {g["name"] for g in run("kg", "list", "--json").json} == {
        "demo-wikidata",
        "demo-musicbrainz",
    }
