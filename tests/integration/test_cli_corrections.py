"""Corrections on the command line: proposed, decided, exported, read again; runs that follow them."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.servers.warm_cli import WarmCli

TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:ann rdfs:label "Ann Bell" ; t:plays t:reds . t:bob rdfs:label "Bob Dee" ; t:plays t:blues .
t:reds rdfs:label "Ashford Reds" ; t:home t:old ; t:founded 1901 .
t:blues rdfs:label "Dover Blues" ; t:home t:quay ; t:founded 1920 .
t:old rdfs:label "Old Mill Field" . t:new rdfs:label "Harbour Park" . t:quay rdfs:label "Quay Ground" .
t:one rdfs:label "Twin Park" ; t:near t:old . t:two rdfs:label "Twin Park" ; t:near t:old . t:new t:near t:old .
t:plays rdfs:label "plays for" . t:home rdfs:label "home venue" . t:founded rdfs:label "founded" .
t:near rdfs:label "near" .
"""
QUESTION = "What is the home venue of the team that Ann Bell plays for?"
EDGE = ("--subject", "Ashford Reds", "--relation", "home venue", "--object", "Old Mill Field")
Command = Callable[..., tuple[int, str, str]]


def on(home: Path, warm: WarmCli) -> Command:
    """Return what runs a command on a data folder."""

    def run(*argv: str | Path) -> tuple[int, str, str]:
        process = warm.start([*map(str, argv)], {**os.environ, "KGCORE_HOME": str(home)})
        return process.wait(), process.out, process.err

    return run


@pytest.fixture(scope="module")
def imported(warm: WarmCli, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the toy graph; each test takes a copy."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "toy.ttl").write_text(TOY, "utf-8")
    done = on(folder / "home", warm)("kg", "import", folder / "toy.ttl", "--name", "toy")
    assert done[0] == 0, done
    return folder / "home"


@pytest.fixture
def kgcore(warm: WarmCli, imported: Path, tmp_path: Path) -> Command:
    """Run a command on a data folder of the test's own."""
    shutil.copytree(imported, tmp_path / "home")
    return on(tmp_path / "home", warm)


def data(done: tuple[int, str, str]) -> Any:
    code, out, err = done
    assert (code, err) == (0, ""), done
    return json.loads(out)


def refused(done: tuple[int, str, str], code: int = 1) -> str:
    assert done[0] == code, done
    assert done[1] == ""
    assert done[2].count("\n") == 1, done[2]
    return done[2]


def proposed(kgcore: Command, *change: str, by: str = "Ann") -> Any:
    words = change or ("--replace-with", "Harbour Park")
    propose = ("corrections", "propose", "--kg", "toy", *EDGE, *words, "--by", by, "--json")
    return data(kgcore(*propose))


def test_a_wrong_answer_is_challenged_corrected_and_brought_back(kgcore: Command) -> None:
    ask = ("ask", QUESTION, "--kg", "toy", "--json")
    first = data(kgcore(*ask))
    assert first["answer"] == "Old Mill Field"
    challenge = data(kgcore("runs", "challenge", first["run_id"], "--json"))
    assert {s["object"]["label"] for s in challenge["suspects"]} >= {"Old Mill Field"}
    assert challenge["usage"]["llm_requests"] == 1

    name = proposed(kgcore)["id"]
    assert data(kgcore("corrections", "approve", name[:8], "--by", "Bob", "--json"))[0]["status"]
    code, out, err = kgcore("runs", "check", first["run_id"], "--json")
    assert (code, err) == (1, "")
    check = json.loads(out)
    assert check["is_supported"] is False
    assert [t["object"]["label"] for t in check["gone"]] == ["Old Mill Field"]
    (affected,) = data(kgcore("corrections", "affected", name, "--json"))
    assert (affected["run_id"], affected["rerun"]) == (first["run_id"], "")

    second = data(kgcore("runs", "rerun", first["run_id"], "--json"))
    assert second["answer"] == "Harbour Park"
    compared = second["compared"]
    assert (compared["old"]["answer"], compared["new"]["answer"]) == (
        "Old Mill Field",
        "Harbour Park",
    )
    assert [c["id"] for c in compared["new_corrections"]] == [name]
    assert compared["new"]["usage"]["kg_requests"] == 0
    assert compared["new"]["steps_remembered"] > 0
    assert data(kgcore(*ask))["answer"] == "Harbour Park", "a new run follows it too"

    (undone,) = data(kgcore("corrections", "undo", name, "--json"))
    assert [c["what"] for c in undone["history"]] == ["propose", "approve", "undo"]
    third = data(kgcore("runs", "rerun", second["run_id"], "--json"))
    assert third["answer"] == "Old Mill Field"
    assert third["usage"]["kg_requests"] == third["usage"]["llm_requests"] == 0
    assert [c["id"] for c in third["compared"]["gone_corrections"]] == [name]


def test_all_affected_runs_are_run_again_in_one_go(kgcore: Command) -> None:
    for _ in range(2):
        data(kgcore("ask", QUESTION, "--kg", "toy", "--json"))
    data(kgcore("ask", "Who plays for Dover Blues?", "--kg", "toy", "--json"))
    name = proposed(kgcore)["id"]
    data(kgcore("corrections", "approve", name, "--json"))
    compared = data(kgcore("corrections", "affected", name, "--rerun", "--json"))
    assert [c["new"]["answer"] for c in compared] == ["Harbour Park"] * 2
    assert all(c["is_changed"] for c in compared)
    assert data(kgcore("corrections", "affected", name, "--rerun", "--json")) == []
    assert all(a["rerun"] for a in data(kgcore("corrections", "affected", name, "--json")))


def test_the_comparison_is_readable(kgcore: Command) -> None:
    first = data(kgcore("ask", QUESTION, "--kg", "toy", "--json"))
    name = proposed(kgcore)["id"]
    kgcore("corrections", "approve", name)
    _, out, _ = kgcore("runs", "rerun", first["run_id"])
    lines = out.splitlines()
    (answer,) = (line for line in lines if line.startswith("Answer"))
    assert answer.split() == ["Answer", "Old", "Mill", "Field", "Harbour", "Park"]
    assert any(line.startswith(f"Now with correction {name[:8]}") for line in lines)
    assert "from memory" in out
    again = data(kgcore("runs", "list", "--json"))[0]["run_id"]
    assert [c["id"] for c in data(kgcore("runs", "show", again, "--json"))["corrections"]] == [name]
    assert f"with correction {name[:8]}" in kgcore("runs", "show", again)[1]


def test_graphs_are_shown_as_corrected(kgcore: Command) -> None:
    before = data(kgcore("kg", "edges", "t:reds", "--kg", "toy", "--json"))
    kgcore("corrections", "approve", proposed(kgcore, "--replace-with", "Third Arena")["id"])
    after = data(kgcore("kg", "edges", "t:reds", "--kg", "toy", "--json"))
    assert [e["object"].get("label") for e in before["edges"]].count("Old Mill Field") == 1
    assert [e["object"].get("label") for e in after["edges"]].count("Third Arena") == 1
    (found,) = data(kgcore("kg", "search", "Third Arena", "--kg", "toy", "--json"))
    assert found["id"] == "local:Third%20Arena"
    edges = data(kgcore("kg", "edges", found["id"], "--kg", "toy", "--json"))["edges"]
    assert [e["subject"]["label"] for e in edges] == ["Ashford Reds"]
    assert data(kgcore("kg", "edges", "t:old", "--direction", "in", "--kg", "toy", "--json")) == {
        "edges": [
            e
            for e in data(kgcore("kg", "edges", "t:old", "--kg", "toy", "--json"))["edges"]
            if e["object"].get("label") == "Old Mill Field"
        ],
        "more": 0,
    }


def test_two_people_are_kept_and_only_one_is_approved(kgcore: Command) -> None:
    ann = proposed(kgcore)
    bob = proposed(kgcore, "--retract", by="Bob")
    assert [(c["id"], c["author"]) for c in bob["conflicts"]] == [(ann["id"], "Ann")]
    data(kgcore("corrections", "approve", ann["id"], "--json"))
    said = refused(kgcore("corrections", "approve", bob["id"]))
    assert ann["id"][:8] in said
    assert "Ann" in said
    listed = data(kgcore("corrections", "list", "--json"))
    assert {c["id"]: c["status"] for c in listed} == {ann["id"]: "approved", bob["id"]: "proposed"}
    (rejected,) = data(kgcore("corrections", "reject", bob["id"], "--reason", "no", "--json"))
    assert (rejected["status"], rejected["history"][-1]["note"]) == ("rejected", "no")
    assert (
        data(kgcore("corrections", "list", "--status", "rejected", "--json"))[0]["id"] == bob["id"]
    )


REFUSED = {
    "an ambiguous name": (("--replace-with", "Twin Park"), "t:one, t:two"),
    "evidence that is no link": (("--retract", "--evidence", "javascript:1"), "link"),
    "no change": (("--replace-with", "Old Mill Field"), "nothing would change"),
    "what is there": (("--add",), "holds that triple already"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_proposed_is_refused_in_one_line(kgcore: Command, case: str) -> None:
    words, message = REFUSED[case]
    done = kgcore("corrections", "propose", "--kg", "toy", *EDGE, *words)
    assert message in refused(done)
    assert data(kgcore("corrections", "list", "--json")) == []


def test_unknown_graphs_runs_and_corrections_are_named(kgcore: Command) -> None:
    done = kgcore("corrections", "propose", "--kg", "nowhere", *EDGE, "--retract")
    assert "nowhere" in refused(done)
    assert "no correction zz" in refused(kgcore("corrections", "approve", "zz"))
    assert "no run zz" in refused(kgcore("runs", "challenge", "zz"))
    assert "no run zz" in refused(kgcore("runs", "check", "zz"))
    refused(kgcore("corrections", "propose", "--kg", "toy", *EDGE), code=2)
    refused(kgcore("corrections", "propose", "--kg", "toy", *EDGE, "--add", "--retract"), code=2)
    refused(kgcore("corrections", "export", "--format", "excel"), code=2)


def test_of_several_ids_none_is_changed_when_one_is_unknown(kgcore: Command) -> None:
    name = proposed(kgcore)["id"]
    refused(kgcore("corrections", "approve", name, "zz"))
    assert data(kgcore("corrections", "list", "--json"))[0]["status"] == "proposed"


@pytest.mark.parametrize("form", ["csv", "quickstatements", "sparql", "turtle"])
def test_approved_corrections_are_exported(kgcore: Command, tmp_path: Path, form: str) -> None:
    proposed(kgcore, "--retract", by="Bob")
    kgcore("corrections", "approve", proposed(kgcore)["id"])
    file = tmp_path / f"out.{form}"
    code, out, err = kgcore("corrections", "export", "--format", form, "-o", file, "--json")
    assert code == 0
    is_said = form != "quickstatements"  # ids of the toy graph are none of Wikidata's
    assert json.loads(out)["n"] == is_said
    assert ("no id of Wikidata" in err) == (not is_said)
    text = file.read_text("utf-8")
    assert ("http://toy.example/new" in text or "t:new" in text) == is_said
    code, out, _ = kgcore("corrections", "export", "--format", form)
    assert out == text
    line = refused(kgcore("corrections", "export", "--format", form, "--json"))
    assert "--output" in line


def test_an_exported_csv_is_read_in_another_data_folder(
    kgcore: Command, warm: WarmCli, imported: Path, tmp_path: Path
) -> None:
    kgcore("corrections", "approve", proposed(kgcore, "--replace-with", "=Cell Arena")["id"])
    file = tmp_path / "out.csv"
    kgcore("corrections", "export", "-o", file)
    assert "'=Cell Arena" in file.read_text("utf-8")
    shutil.copytree(imported, tmp_path / "other")
    other = on(tmp_path / "other", warm)

    (read,) = data(other("corrections", "import", str(file), "--json"))
    (written,) = data(kgcore("corrections", "list", "--json"))
    assert read["status"] == "proposed", "somebody else's approval does not count here"
    same = ("id", "kg", "action", "removed", "added", "minted", "author", "when", "reason")
    assert {n: read[n] for n in same} == {n: written[n] for n in same}
    assert [c["what"] for c in read["history"]] == ["import"]
    assert data(other("corrections", "import", str(file), "--json"))[0]["id"] == read["id"]
    file.write_text("nothing\n", "utf-8")
    assert "line 1" in refused(other("corrections", "import", str(file)))


def test_an_unsupported_answer_is_said_once_and_ends_with_1(kgcore: Command) -> None:
    first = data(kgcore("ask", QUESTION, "--kg", "toy", "--json"))
    assert kgcore("runs", "check", first["run_id"])[:2] == (0, "supported: Old Mill Field\n")
    kgcore("corrections", "approve", proposed(kgcore, "--retract")["id"])
    code, out, _ = kgcore("runs", "check", first["run_id"])
    assert code == 1
    assert out.splitlines() == [
        "unsupported: Old Mill Field",
        "  no longer holds: Ashford Reds – home venue – Old Mill Field",
    ]


def test_a_new_thing_gets_a_relation_that_the_graph_knows_by_name(kgcore: Command) -> None:
    add = ("corrections", "propose", "--kg", "toy", "--add", "--json")
    new = ("--subject", "Coldbrook United", "--relation", "home venue", "--object", "Mud Lane")
    kept = data(kgcore(*add, *new))
    assert [m["id"] for m in kept["minted"]] == ["local:Coldbrook%20United", "local:Mud%20Lane"]
    assert kept["added"]["relation"]["id"] == "t:home"
    unknown = ("--subject", "Coldbrook United", "--relation", "mascot", "--object", "A goat")
    assert "mascot" in refused(kgcore(*add[:-1], *unknown))


def test_the_same_file_is_read_twice_and_says_so(kgcore: Command, tmp_path: Path) -> None:
    kgcore("corrections", "approve", proposed(kgcore)["id"])
    file = tmp_path / "out.csv"
    kgcore("corrections", "export", "-o", file)
    code, out, _ = kgcore("corrections", "import", file)
    assert (code, "known before, approved" in out) == (0, True)
    assert out.endswith("0 corrections proposed, 1 known before\n")
    assert [one["is_new"] for one in data(kgcore("corrections", "import", file, "--json"))] == [
        False
    ]


SPOILED = {  # a column of the file, what is put in it, and what is said
    "a graph": ("graph", "nowhere", "nowhere"),
    "a subject": ("subject", "t:nobody", "t:nobody"),
    "a relation": ("relation", "t:nothing", "no triple"),
    "an object": ("object", "t:quay", "no triple"),
    "a new object": ("new_object", "t:nobody", "t:nobody"),
    "a time that is none": ("when", "long ago", "no time"),
    "a time to come": ("when", "2999-01-01T00:00:00+00:00", "yet to come"),
}


@pytest.mark.parametrize("case", SPOILED)
def test_a_file_that_says_nothing_of_a_graph_is_refused_whole(
    kgcore: Command, tmp_path: Path, case: str
) -> None:
    one = proposed(kgcore)["id"]
    kgcore("corrections", "approve", one)
    file, (column, text, message) = tmp_path / "out.csv", SPOILED[case]
    kgcore("corrections", "export", "-o", file)
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    good = {**rows[0], "id": "good", "author": "Cy"}
    bad = {**rows[0], "id": "bad", "author": "Dan", column: text}
    if column == "object":
        bad["object_label"] = "Quay Ground"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows([good, bad])
    said = refused(kgcore("corrections", "import", file))
    assert message in said
    assert "2 of 2" in said or "line 3" in said
    assert [c["id"] for c in data(kgcore("corrections", "list", "--json"))] == [one]


def test_what_does_not_fit_the_graph_any_more_is_not_approved(
    kgcore: Command, tmp_path: Path
) -> None:
    one = proposed(kgcore)["id"]
    (tmp_path / "toy.ttl").write_text(TOY.replace("t:home t:old", "t:home t:new"), "utf-8")
    kgcore("kg", "remove", "toy")
    assert "toy" in refused(kgcore("corrections", "approve", one))
    assert kgcore("kg", "import", tmp_path / "toy.ttl", "--name", "toy")[0] == 0
    assert "no triple" in refused(kgcore("corrections", "approve", one))
    assert data(kgcore("corrections", "list", "--json"))[0]["status"] == "proposed"


def test_nothing_to_export_is_said_and_an_unknown_graph_refused(kgcore: Command) -> None:
    code, out, err = kgcore("corrections", "export", "--kg", "toy")
    assert (code, err) == (0, "nothing is exported: no correction is approved of toy\n")
    assert out.startswith("id,graph,action")
    for command in (("export",), ("list",)):
        assert "nope" in refused(kgcore("corrections", *command, "--kg", "nope"))


@pytest.mark.parametrize("move", [("reject",), ("undo", "--withdraw")])
def test_what_is_not_in_force_affects_nothing_and_says_why(
    kgcore: Command, move: tuple[str, ...]
) -> None:
    data(kgcore("ask", QUESTION, "--kg", "toy", "--json"))
    one = proposed(kgcore)["id"]
    assert "proposed. Were it approved" in kgcore("corrections", "affected", one)[1]
    kgcore("corrections", *move, one)
    _, out, _ = kgcore("corrections", "affected", one)
    status = "rejected" if move == ("reject",) else "withdrawn"
    assert out == (
        f"No run is affected: the correction is {status}, all triples count as the graph has them.\n"
    )


def test_the_right_answer_is_repeated_as_it_was_written(kgcore: Command) -> None:
    first = data(kgcore("ask", QUESTION, "--kg", "toy", "--json"))
    found = kgcore("runs", "challenge", first["run_id"], "--right", "Nobody <script>")[1]
    assert "Nobody <script>" in found


def test_a_run_without_proof_cannot_be_challenged(kgcore: Command) -> None:
    run = data(kgcore("ask", "Who painted the Moon?", "--kg", "toy", "--json"))
    assert run["answer"] is None
    assert "no answer" in refused(kgcore("runs", "challenge", run["run_id"]))
    assert "no answer" in refused(kgcore("runs", "check", run["run_id"]))
