"""`sources add | list | query | remove | domains`, and `ask --source`, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.conftest import Run
from tests.servers.wiki_server import WikiServer


@pytest.fixture
def films(tmp_path: Path) -> str:
    (tmp_path / "films.csv").write_text("title,director\nHeat,Michael Mann\n")
    return str(tmp_path / "films.csv")


def test_tables_are_added_listed_asked_and_removed(run: Run, films: str) -> None:
    added = run("sources", "add", "films", "--table", films, "--domain", "factual", "--json").json
    assert added["added"] and added["health"]["n_items"] == 1
    (listed,) = [s for s in run("sources", "list", "--json").json if not s["is_built_in"]]
    assert (listed["name"], listed["kind"], listed["domains"]) == ("films", "table", ["factual"])
    asked = run("sources", "query", "films", "SELECT director FROM films")
    assert asked.out == "director: Michael Mann   [films, row 1]\n"
    (item,) = run("sources", "query", "films", "SELECT * FROM films", "--json").json["items"]
    assert json.loads(item["raw"]) == {"title": "Heat", "director": "Michael Mann"}
    assert run("sources", "remove", "films").out == "films was removed\n"
    assert "no source" in run("sources", "query", "films", "SELECT 1").refused()


def test_health_is_listed_on_demand(run: Run, films: str) -> None:
    assert run("sources", "add", "films", "--table", films).code == 0
    lines = run("sources", "list", "--check").out.splitlines()
    assert [line for line in lines if line.startswith("films ") and "1 row " in line]
    assert [line for line in lines if line.startswith("demo-facts/") and "triples" in line]


def test_texts_and_wikis_are_asked_in_words(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/heat.md").write_text("# Heat\nHeat is energy in transit.")
    assert run("sources", "add", "notes", "--text", str(tmp_path / "notes")).code == 0
    found = run("sources", "query", "notes", "what is heat?")
    assert found.out.startswith("Heat is energy in transit.   [Heat, line 2 of heat.md")
    with WikiServer({"Salt": "Salt is a mineral."}) as wiki:
        assert run("sources", "add", "wiki", "--wiki", wiki.address).code == 0
        assert "Salt is a mineral." in run("sources", "query", "wiki", "salt").out
        assert run("sources", "query", "notes", "zzyzx").out == "Nothing was found.\n"


def test_graphs_are_asked_in_sparql(run: Run) -> None:
    query = "SELECT ?d { <wd:Q25188> <wdt:P57> ?d }"
    found = run("sources", "query", "demo-facts/demo-wikidata", query, "--json").json
    (item,) = found["items"]
    assert item["text"] == "Inception – director – Christopher Nolan"
    assert item["triples"][0]["object"]["label"] == "Christopher Nolan"
    assert run("sources", "add", "facts", "--graph", "demo-wikidata").code == 0
    assert "Nolan" in run("sources", "query", "facts", query).out


@pytest.mark.parametrize(
    "query", ["SELECT getenv('HOME')", "COPY films TO '/tmp/x'", "SELECT 1; SELECT 2", ""]
)
def test_a_query_that_is_not_run_is_one_line(run: Run, films: str, query: str) -> None:
    run("sources", "add", "films", "--table", films)
    assert run("sources", "query", "films", query).refused()
    told = run("sources", "query", "films", query, "--json")
    assert told.code == 1 and json.loads(told.out)["problem"]


@pytest.mark.parametrize(
    "argv",
    [
        ("add", "x", "--table", "gone.csv"),
        ("add", "x", "--text", "gone"),
        ("add", "x", "--graph", "nobody"),
        ("add", "x", "--wiki", "no address"),
        ("add", "a/b", "--table", "gone.csv"),
        ("add", "x", "--table", "gone.csv", "--domain", "nothing"),
        ("add", "demo-facts", "--graph", "demo-wikidata"),
        ("query", "nobody", "x"),
        ("remove", "nobody"),
        ("remove", "demo-facts"),
    ],
)
def test_what_cannot_be_done_is_one_line(run: Run, argv: tuple[str, ...]) -> None:
    assert run("sources", *argv).refused().startswith("kgcore: ")


def test_domains_are_listed(run: Run, tmp_home: Path) -> None:
    tmp_home.mkdir()
    (tmp_home / "domains.yaml").write_text("law: statutes and court decisions\n")
    names = [domain["name"] for domain in run("sources", "domains", "--json").json]
    assert names == ["factual", "medical", "physics", "biology", "law"]


def test_a_run_asks_the_sources_that_were_named(run: Run) -> None:
    question = ("ask", "Who directed Inception?", "--method", "chain-of-knowledge")
    report = run(*question, "--source", "demo-facts", "--model", "offline", "--json").json
    assert report["answer"] == "Christopher Nolan"
    assert "no source called" in run(*question, "--source", "nobody").refused()
    assert "no knowledge sources" in run("ask", "Who?", "--source", "demo-facts").refused()


def test_an_answer_is_checked_against_its_sources_as_they_are_now(run: Run, films: str) -> None:
    run("sources", "add", "films", "--table", films)
    question = ("ask", "Who directed Heat?", "--method", "chain-of-knowledge")
    report = run(*question, "--source", "films", "--model", "offline", "--json").json
    name = report["run_id"]
    assert report["answer"] == "Michael Mann"
    assert run("runs", "check", name).out == "supported: Michael Mann\n"
    Path(films).write_text("title,director,year\nHeat,Jane Doe,1995\n")
    checked = run("runs", "check", name)
    assert checked.code == 1
    assert checked.out.splitlines() == [
        "unsupported: Michael Mann",
        "  no longer holds: title: Heat, director: Michael Mann   [films]",
    ]
    Path(films).write_text("title,director\nHat,Jane Doe\nHeat,Michael Mann\n")
    assert run("runs", "check", name).code == 0
    run("sources", "remove", "films")
    gone = run("runs", "check", name)
    assert (gone.code, gone.out) == (1, checked.out)
    assert "the run asked films, which is gone" in run("runs", "rerun", name).refused()


@pytest.mark.parametrize("address", ["http://me:secret@127.0.0.1:9/api.php", "file:///etc/passwd"])
def test_what_is_no_address_of_a_wiki_is_never_kept(run: Run, tmp_home: Path, address: str) -> None:
    assert run("sources", "add", "wiki", "--wiki", address, "--anyway").refused()
    assert not any("secret" in file.read_text() for file in tmp_home.glob("*.yaml"))
    assert "wiki" not in [s["name"] for s in run("sources", "list", "--json").json]
