"""`kg columns`, `kg import`, `kg export` and `runs export --as`, as real processes."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from pyoxigraph import NamedNode, RdfFormat, parse

from tests.servers.warm_cli import WarmCli

Run = Callable[..., tuple[int, str, str]]
FILMS = "Film,Verb,Who\nHeat,directed by,Michael Mann\nHeat,stars,Al Pacino\nAlien,directed by,Ridley Scott\n"
PEOPLE = "id,name,born,city\n1,Tom,1956-07-09,Concord\n2,Meg,1961-11-19,Fairfield\n3,Bo,1960-01-01,Concord\n"
KNOWS = "source,target,type\n1,2,knows\n2,3,knows\n"


@pytest.fixture
def run(tmp_path: Path, warm: WarmCli) -> Run:
    """Run a command on a data folder of the test's own; code, output, errors."""

    def run(*argv: str | Path) -> tuple[int, str, str]:
        environ = {**os.environ, "KGCORE_HOME": str(tmp_path / "home")}
        process = warm.start([*map(str, argv)], environ)
        return process.wait(), process.out, process.err

    return run


def data(done: tuple[int, str, str]) -> Any:
    code, out, err = done
    assert (code, err) == (0, ""), done
    return json.loads(out)


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_columns_are_shown_before_anything_is_imported(tmp_path: Path, run: Run) -> None:
    file = write(tmp_path / "people.csv", PEOPLE)
    found = data(run("kg", "columns", file, "--json"))
    assert (found["kind"], found["has_header"], found["delimiter"]) == ("entities", True, ",")
    assert [c["role"] for c in found["columns"]] == ["id", "label", "property", "property"]
    assert found["triples"][0]["subject"]["label"] == "Tom"
    code, out, err = run("kg", "columns", file)
    assert (code, err) == (0, "")
    assert "Tom – born – 1956-07-09" in out
    assert not (tmp_path / "home" / "graphs").exists()


def test_an_import_shows_its_mapping_and_takes_another(tmp_path: Path, run: Run) -> None:
    file = write(tmp_path / "films.csv", FILMS)
    code, out, err = run("kg", "import", file, "--name", "films")
    assert code == 0
    assert out.startswith("films: ")
    assert [line.split() for line in err.splitlines()[1:]] == [
        ["Film", "subject"], ["Verb", "relation"], ["Who", "object"],
    ]  # fmt: skip
    assert "Heat – stars – Al Pacino" in run("kg", "edges", "films:Heat", "--kg", "films")[1]
    columns = "subject=Who,relation=Verb,object=Film"
    found = data(
        run(
            "kg",
            "import",
            file,
            "--name",
            "films",
            "--columns",
            columns,
            "--objects",
            "literal",
            "--json",
        )
    )
    assert [c["role"] for c in found["columns"][str(file)]["columns"]] == [
        "object",
        "relation",
        "subject",
    ]
    assert "Al Pacino – stars – Heat" in run("kg", "edges", "films:Al%20Pacino", "--kg", "films")[1]


def test_a_table_of_things_and_one_of_relations_are_one_graph(tmp_path: Path, run: Run) -> None:
    files = (write(tmp_path / "people.csv", PEOPLE), write(tmp_path / "knows.csv", KNOWS))
    assert run("kg", "import", *files, "--name", "team")[0] == 0
    lines = run("kg", "edges", "team:2", "--kg", "team")[1]
    assert "Meg – knows – Bo" in lines
    assert "Tom – knows – Meg" in lines
    code, _, line = run("kg", "relations", "Meg", "--kg", "team")
    assert code == 1 and "is no id" in line and "kg search" in line


def test_a_table_without_header_is_read_as_told(tmp_path: Path, run: Run) -> None:
    file = write(tmp_path / "t.csv", "name,is,thing\nHeat,is,film\n")
    data(
        run(
            "kg",
            "import",
            file,
            "--name",
            "t",
            "--no-header",
            "--columns",
            "subject=1,relation=2,object=3",
            "--json",
        )
    )
    assert "name – is – thing" in run("kg", "edges", "t:name", "--kg", "t")[1]


def test_a_first_row_that_looks_like_data_is_a_header_as_told(tmp_path: Path, run: Run) -> None:
    file = write(tmp_path / "t.csv", "Mensch,mag,Ding\nAnna,liebt,Tee\n")
    assert "first row is read as data" in run("kg", "columns", file)[1]
    found = data(run("kg", "columns", file, "--header", "--json"))
    assert [c["name"] for c in found["columns"]] == ["Mensch", "mag", "Ding"]
    assert "first row" not in run("kg", "columns", file, "--header")[1]


def test_a_graph_in_which_nothing_is_joined_is_told(tmp_path: Path, run: Run) -> None:
    code, out, _ = run("kg", "import", write(tmp_path / "t.csv", "notgz\n"), "--name", "t")
    assert code == 0 and "nothing joins its things" in out


def test_a_dump_is_filtered(tmp_path: Path, run: Run) -> None:
    def item(number: int, its_class: str) -> str:
        value = {"type": "wikibase-entityid", "value": {"id": its_class}}
        claims = {
            "P31": [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": value}}]
        }
        labels = {tag: {"language": tag, "value": f"{tag} {number}"} for tag in ("en", "de")}
        return json.dumps({"type": "item", "id": f"Q{number}", "labels": labels, "claims": claims})

    file = write(tmp_path / "wd.json", f"[\n{item(11, 'Q5')},\n{item(12, 'Q6')}\n]\n")
    argv = ("kg", "import", file, "--name", "wd", "--languages", "en", "--types", "Q5", "--json")
    found = data(run(*argv))
    assert (found["n_triples"], found["languages"]) == (2, ["en"])


@pytest.mark.parametrize("kind", ["turtle", "nquads", "graphml", "csv"])
def test_an_export_is_imported_again_as_the_same_graph(tmp_path: Path, run: Run, kind: str) -> None:
    run("kg", "import", write(tmp_path / "people.csv", PEOPLE), "--name", "team")
    ending = {"turtle": "ttl", "nquads": "nq"}.get(kind, kind)
    out = tmp_path / f"out.{ending}"
    first = data(run("kg", "export", "team", "--as", kind, "--output", out, "--json"))
    again = data(run("kg", "import", out, "--name", "team", "--json"))
    assert again["n_triples"] == first["n_triples"]
    assert "Meg – city – Fairfield" in run("kg", "edges", "<urn:kg:team:2>", "--kg", "team")[1]
    assert not list(tmp_path.glob("*.part"))


def test_what_a_run_saw_is_exported_in_every_format(tmp_path: Path, run: Run) -> None:
    report = data(run("ask", "Which actor starred in both Inception and Interstellar?", "--json"))
    run_id = report["run_id"]
    proof = {
        (t["subject"]["label"], t["relation"]["label"], t["object"]["label"])
        for t in report["proof"]
    }
    rows = list(csv.DictReader(io.StringIO(run("runs", "export", run_id, "--as", "csv")[1])))
    assert proof
    assert proof <= {(r["subject_name"], r["relation_name"], r["object_name"]) for r in rows}
    assert {r["kg"] for r in rows if r["query"]} == {"demo-wikidata"}
    quads = list(
        parse(run("runs", "export", run_id, "--as", "nquads")[1].encode(), RdfFormat.N_QUADS)
    )
    assert NamedNode("urn:kg:demo-wikidata") in {q.graph_name for q in quads}
    turtle = list(
        parse(run("runs", "export", run_id, "--as", "turtle")[1].encode(), RdfFormat.TURTLE)
    )
    assert len(turtle) == len(rows)
    file = tmp_path / "run.graphml"
    assert run("runs", "export", run_id, "--as", "graphml", "-o", file)[0] == 0
    assert nx.read_graphml(file).number_of_edges() >= len(proof)
    assert json.loads(run("runs", "export", run_id)[1])["format"] == "traversal-studio-run"


@pytest.mark.parametrize(
    "argv, message",
    [(["kg", "export", "nope", "--as", "csv"], "no graph called 'nope'"), (["kg", "export", "nope"], "--as"),
     (["kg", "columns", "t.ttl"], "is no table"), (["kg", "columns", "gone.csv"], "gone.csv"),
     (["kg", "import", "t.ttl", "--name", "t", "--columns", "subject=1"], "are for tables"),
     (["kg", "import", "films.csv", "--name", "t", "--columns", "subject=Film,relation=x,object=Who"], "no column 'x'"),
     (["kg", "import", "films.csv", "--name", "t", "--types", "Q5"], "filters"),
     (["kg", "import", "films.csv", "--name", "t", "--types", "Q5,,"], "between the commas"),
     (["kg", "export", "films", "--as", "csv", "--json"], "--output")],
)  # fmt: skip
def test_what_cannot_be_done_is_told_in_one_line(
    tmp_path: Path, run: Run, argv: list[str], message: str
) -> None:
    write(tmp_path / "films.csv", FILMS)
    write(tmp_path / "t.ttl", "<http://e/a> <http://e/p> <http://e/b> .")
    run("kg", "import", tmp_path / "films.csv", "--name", "films")
    named = [str(tmp_path / a) if a.endswith((".csv", ".ttl")) else a for a in argv]
    code, out, err = run(*named)
    assert code in (1, 2)
    assert out == ""
    assert message in err.splitlines()[-1]  # the mapping of a table may come before
    assert "Traceback" not in err


def test_an_import_tells_what_it_counts_and_what_it_replaced(tmp_path: Path, run: Run) -> None:
    table = 'name,born in\n"Zoë ""Zed"" O\'Brien, Jr.",Dublin\nBob Stone,Cork\n'
    argv = ("kg", "import", write(tmp_path / "people.csv", table), "--name", "again")
    first, second = run(*argv)[1], run(*argv)[1]
    assert "again: 2 statements, " in first
    assert "triples with labels" in first
    assert "replaced" not in first
    assert "it replaced the graph that had this name" in second


def test_a_name_with_quotes_and_commas_can_be_asked_for(tmp_path: Path, run: Run) -> None:
    table = 'name,born in\n"Zoë ""Zed"" O\'Brien, Jr.",Dublin\nBob Stone,Cork\n'
    run("kg", "import", write(tmp_path / "people.csv", table), "--name", "quoted")
    question = 'Where was Zoë "Zed" O\'Brien, Jr. born in?'
    assert data(run("ask", question, "--kg", "quoted", "--json"))["answer"] == "Dublin"
