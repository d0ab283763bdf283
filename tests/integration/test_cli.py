"""The command line, as real processes."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.servers.warm_cli import Done, WarmCli

ROOT = Path(__file__).resolve().parents[2]
INTERSTELLAR = "Which actor starred in both Inception and Interstellar?"
KINDS = ("one_hop", "intersection", "comparison_date", "yes_no", "count", "cross_graph")
TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:film rdfs:label "Night Train" ; t:director t:ann ; t:length 90 .
t:ann rdfs:label "Ann Lee" ; t:born t:rome .
t:rome rdfs:label "Rome" .
t:director rdfs:label "director" . t:born rdfs:label "born in" . t:length rdfs:label "length" .
"""
BROKEN = '<http://a/1> <http://a/p> "one" .\n<http://a/2> <http://a/p> .\n<http://a/3> <http://a/p> "3" .\n'


_warm: list[WarmCli] = []


@pytest.fixture(scope="module", autouse=True)
def quick_start(warm: WarmCli) -> Iterator[None]:
    """Let `kgcore` below use processes that have imported everything already."""
    _warm.append(warm)
    yield
    _warm.clear()


def kgcore(home: Path, *argv: str | Path) -> Done:
    """Run a command on a data folder, in a process of its own."""
    process = _warm[0].start([*map(str, argv)], {**os.environ, "KGCORE_HOME": str(home)})
    return Done(process.wait(), process.out, process.err)


def python_m_kgcore(home: Path, *argv: str | Path, **environ: str) -> Done:
    """Run a command in an interpreter of its own, as a person does."""
    command = [sys.executable, "-m", "kgcore", *map(str, argv)]
    env = {**os.environ, "KGCORE_HOME": str(home), **environ}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=100)
    return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs, shared by the tests of this file."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def asked(home: Path) -> dict[str, Any]:
    """The report of a question."""
    return python_m_kgcore(home, "ask", INTERSTELLAR, "--json").json


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A data folder with one small graph, `toy`."""
    (tmp_path / "toy.ttl").write_text(TOY)
    folder = tmp_path / "toy-home"
    done = kgcore(folder, "kg", "import", tmp_path / "toy.ttl", "--name", "toy")
    assert done.code == 0, done.err
    return folder


# ask


def check(value: Any, form: Any, where: str = "") -> None:
    """Check plain data against a form: a type, a tuple of types, a list of one form, or a dict of forms."""
    if isinstance(form, dict):
        assert isinstance(value, dict), where
        assert list(value) == list(form), where
        for name, inner in form.items():
            check(value[name], inner, f"{where}.{name}")
    elif isinstance(form, list):
        assert isinstance(value, list), where
        for item in value:
            check(item, form[0], f"{where}[]")
    elif callable(form) and not isinstance(form, type):
        form(value)
    else:
        assert isinstance(value, form), where
        assert not isinstance(value, bool) or form is bool, where


def check_term(term: Any) -> None:
    if "id" in term:
        assert {"id", "label"} == set(term) - {"model_memory"}
    else:
        assert {"value"} <= set(term) <= {"value", "datatype", "lang", "unit", "model_memory"}
    assert all(isinstance(v, (str, bool)) for v in term.values())


REPORT = {
    "run_id": str,
    "question": str,
    "status": str,
    "answer": (str, type(None)),
    "answers": [check_term],
    "value": (float, type(None)),
    "proof": [{"subject": check_term, "relation": check_term, "object": check_term, "kg": str}],
    "model_memory": bool,
    "fallback": bool,
    "method": str,
    "model": str,
    "kgs": [str],
    "usage": {
        "llm_requests": int,
        "completions": int,
        "prompt_tokens": int,
        "completion_tokens": int,
        "cost_usd": float,
        "kg_requests": int,
        "wall_s": float,
    },
    "warnings": [str],
}


def test_ask_prints_its_report_in_the_promised_form(asked: dict[str, Any]) -> None:
    check(asked, REPORT)
    assert asked["status"] == "answered"
    assert asked["question"] == INTERSTELLAR
    assert asked["method"] == "tree-of-traversals"
    assert asked["kgs"] == ["demo-wikidata", "demo-musicbrainz"]
    assert {t["object"]["label"] for t in asked["proof"]} == {asked["answers"][0]["label"]}


def sample_questions() -> list[dict[str, Any]]:
    """The first question of each kind that the offline matcher is expected to answer."""
    questions = yaml.safe_load((ROOT / "assets/questions.yaml").read_text("utf-8"))
    able = [q for q in questions if not q.get("needs")]
    return [next(q for q in able if q["kind"] == kind) for kind in KINDS]


def names(answers: list[dict[str, Any]]) -> set[str]:
    return {str(a.get("label") or a["value"]).casefold() for a in answers}


@pytest.mark.parametrize("question", sample_questions(), ids=lambda q: q["id"])
def test_ask_answers_sample_questions(home: Path, question: dict[str, Any]) -> None:
    kgs = [word for name in question["kgs"] for word in ("--kg", name)]
    report = kgcore(home, "ask", question["question"], *kgs, "--json").json
    assert report["status"] == "answered"
    assert names(report["answers"]) == names(question["answers"])
    assert report["proof"]


def test_ask_says_that_there_is_no_answer(home: Path) -> None:
    report = kgcore(home, "ask", "Who invented the Zyxwv machine?", "--json").json
    check(report, REPORT)
    assert (report["status"], report["answer"], report["answers"]) == ("no_answer", None, [])


def test_ask_prints_words_for_people(home: Path) -> None:
    done = kgcore(home, "ask", "Who directed Casablanca?", "--method", "chain-of-traversals")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Michael Curtiz   (rated 0.")
    assert "\nProof\n  Casablanca – director – Michael Curtiz   [demo-wikidata]\n" in done.out
    assert "\nStatus: answered " in done.out
    assert "chain-of-traversals, offline-matcher" in done.out


def test_a_terminal_is_told_what_happens(home: Path, asked: dict[str, Any]) -> None:
    terminal, end = os.openpty()
    command = [sys.executable, "-m", "kgcore", "ask", INTERSTELLAR, "--json"]
    env = {**os.environ, "KGCORE_HOME": str(home)}
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=end
    ) as process:
        os.close(end)
        told = b""
        with contextlib.suppress(OSError):  # how a terminal whose other end is closed says so
            while part := os.read(terminal, 65536):
                told += part
        os.close(terminal)
        assert process.stdout is not None
        assert ending(json.loads(process.stdout.read())) == ending(asked)
    lines = told.decode("utf-8").splitlines()
    assert any(line.startswith("  Starts from") for line in lines)
    assert lines[-1] == f"  Answer: {asked['answer']}"


def test_ask_takes_settings(toy: Path) -> None:
    question = "Where was the director of Night Train born?"
    options = ["--kg", "toy", "--set", "k=1", "--set", "max_depth=9", "--json"]
    report = kgcore(toy, "ask", question, *options).json
    assert [a["label"] for a in report["answers"]] == ["Rome"]
    shown = kgcore(toy, "runs", "show", report["run_id"], "--json").json
    assert shown["settings"]["k"] == 1
    assert shown["settings"]["max_depth"] == 9


@pytest.mark.parametrize("method", ["think-on-graph", "think-on-graph-r"])
@pytest.mark.parametrize("pruner", ["model", "bm25"])
def test_ask_takes_a_beam_search(toy: Path, method: str, pruner: str) -> None:
    question = "Where was the director of Night Train born?"
    options = ("--kg", "toy", "--method", method, "--set", f"pruner={pruner}", "--json")
    report = kgcore(toy, "ask", question, *options).json
    assert [a["label"] for a in report["answers"]] == ["Rome"]
    assert report["method"] == method


def test_output_is_utf_8_whatever_the_locale(home: Path) -> None:
    argv = ("ask", "《卡萨布兰卡》的导演是谁？", "--json")
    done = python_m_kgcore(home, *argv, LANG="C", LC_ALL="C", PYTHONIOENCODING="ascii")
    report = done.json
    assert report["question"] == "《卡萨布兰卡》的导演是谁？"
    assert report["answers"][0]["id"] == "wd:Q51491"


REFUSED: dict[str, tuple[list[str], int, str]] = {
    "unknown graph": (["ask", "Q?", "--kg", "nothing"], 1, "no graph called 'nothing'"),
    "graph name that is a path": (["ask", "Q?", "--kg", "../../etc"], 1, "no graph called"),
    "unknown setting": (["ask", "Q?", "--set", "kk=3"], 1, "no setting kk"),
    "setting of the wrong type": (["ask", "Q?", "--set", "k=many"], 1, "k must be a number"),
    "setting out of range": (["ask", "Q?", "--set", "k=0"], 1, "k must be between 1 and 50, not 0"),
    "setting that is no text": (["ask", "Q?", "--set", "seeds=x"], 1, "seeds cannot be set"),
    "setting without a value": (["ask", "Q?", "--set", "k"], 2, "key=value"),
    "unknown prompt set": (["ask", "Q?", "--set", "prompts=mine"], 1, "no prompt set mine"),
    "prompt set that is a path": (["ask", "Q?", "--set", "prompts=../x"], 1, "plain name"),
    "unknown method": (["ask", "Q?", "--method", "magic"], 1, "no method is called magic"),
    "negative budget": (["ask", "Q?", "--budget-calls", "-3"], 2, "must be 0 or more"),
    "budget that is no number": (["ask", "Q?", "--budget-usd", "nan"], 2, "must be 0 or more"),
    "empty question": (["ask", "  "], 1, "the question is empty"),
    "address that is none": (
        ["ask", "Q?", "--model", "x/y", "--api-base", "example"],
        1,
        "http://",
    ),
    "address with a bad host": (
        ["ask", "Q?", "--model", "x/y", "--api-base", "http://[::1"],
        1,
        "http://",
    ),
    "address with a key": (
        ["ask", "Q?", "--model", "x/y", "--api-base", "http://me:canary@localhost"],
        1,
        "must not hold",
    ),
    "unknown run": (["runs", "show", "ffff"], 1, "no run ffff"),
    "run id that is a pattern": (["runs", "show", "%"], 1, "no run %"),
    "run id that is a path": (["runs", "export", "../../x"], 1, "no run ../../x"),
    "run id that is empty": (["runs", "replay", ""], 2, "is empty"),
    "run id that is SQL": (["runs", "resume", "' OR '1'='1"], 1, "no run ' OR '1'='1"),
    "entity id that is SPARQL": (["kg", "edges", "wd:Q1> ?p ?o } #"], 1, "is no id"),
    "unknown entity": (["kg", "relations", "wd:Q999999999999"], 1, "has no entity"),
    "relation it has not": (["kg", "edges", "wd:Q132689", "wdt:P999"], 1, "no such edges"),
    "graph to remove that is none": (["kg", "remove", "../.."], 1, "no graph called '../..'"),
    "no command": ([], 2, "COMMAND"),
    "file that is none": (["runs", "import", "/no/such/file"], 1, "/no/such/file: No such file"),
    "address of a model that is none": (
        ["model", "check", "x/y", "--api-base", "nowhere"],
        1,
        "http://",
    ),
}


@pytest.mark.parametrize("argv, code, reason", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_in_one_line(
    home: Path, asked: dict[str, Any], argv: list[str], code: int, reason: str
) -> None:
    line = kgcore(home, *argv).refused(code)
    assert reason in line
    assert "canary" not in line


def test_a_data_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "file" in python_m_kgcore(tmp_path / "file" / "home", "runs", "list").refused()


@pytest.mark.parametrize(
    "argv, code, reason",
    [
        (("ask", "Q?", "--kg", "nothing"), 1, "no graph called 'nothing'"),
        (("ask", "Q?", "--budget-calls", "-3"), 2, "must be 0 or more"),
    ],
)
def test_a_fresh_process_refuses_in_one_line_too(
    home: Path, argv: tuple[str, ...], code: int, reason: str
) -> None:
    assert reason in python_m_kgcore(home, *argv).refused(code)


def test_help_imports_nothing_that_is_slow() -> None:
    heavy = ("sqlalchemy", "pyoxigraph", "litellm", "yaml", "networkx", "kgcore.bootstrap")
    code = f"""
import sys
sys.argv = ["kgcore", "--help"]
from kgcore.cli.main import main
try:
    main()
except SystemExit as left:
    assert left.code == 0
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == "[]\n"
    assert "runs replay" in done.stdout


# kg


def test_graphs_are_listed_and_searched(home: Path, asked: dict[str, Any]) -> None:
    listed = {graph["name"] for graph in kgcore(home, "kg", "list", "--json").json}
    assert listed == {"demo-wikidata", "demo-musicbrainz"}
    found = kgcore(home, "kg", "search", "Casablanca", "--kg", "demo-wikidata", "--json").json
    assert found[0]["id"] == "wd:Q132689"
    assert set(found[0]) == {"id", "label", "description", "types", "kg", "score"}


def test_relations_and_edges_of_an_entity(toy: Path) -> None:
    [ann] = kgcore(toy, "kg", "search", "Ann Lee", "--kg", "toy", "--json").json
    relations = kgcore(toy, "kg", "relations", ann["id"], "--kg", "toy", "--json").json
    assert {(r["direction"], r["label"], r["count"]) for r in relations} == {
        ("in", "director", 1),
        ("out", "born in", 1),
    }
    born = next(r["id"] for r in relations if r["label"] == "born in")
    edges = kgcore(toy, "kg", "edges", ann["id"], born, "--kg", "toy", "--json").json
    assert edges["more"] == 0
    [edge] = edges["edges"]
    assert (edge["subject"]["label"], edge["object"]["label"]) == ("Ann Lee", "Rome")
    everything = kgcore(toy, "kg", "edges", ann["id"], "--kg", "toy").out.splitlines()
    assert sorted(everything) == [
        "Ann Lee – born in – Rome   [toy]",
        "Night Train – director – Ann Lee   [toy]",
    ]
    incoming = kgcore(toy, "kg", "edges", ann["id"], "--kg", "toy", "--direction", "in").out
    assert incoming == "Night Train – director – Ann Lee   [toy]\n"


def test_a_broken_file_is_refused_with_its_line_and_the_old_graph_stays(
    toy: Path, tmp_path: Path
) -> None:
    file = tmp_path / "broken.nt"
    file.write_text(BROKEN)
    line = kgcore(toy, "kg", "import", file, "--name", "toy").refused()
    assert f"{file}, line 2: " in line
    [graph] = [g for g in kgcore(toy, "kg", "list", "--json").json if g["name"] == "toy"]
    assert graph["files"] == ["toy.ttl"]


def test_errors_can_be_skipped_and_are_counted(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "broken.nt"
    file.write_text(BROKEN)
    argv = ("kg", "import", file, "--name", "mine", "--skip-errors", "--json")
    graph = kgcore(toy, *argv).json
    assert (graph["n_triples"], graph["n_skipped"]) == (2, 1)
    assert [(Path(s["file"]), s["line"]) for s in graph["skipped"]] == [(file, 2)]


def test_a_removed_graph_is_gone(toy: Path) -> None:
    assert kgcore(toy, "kg", "remove", "toy", "--json").json == {"removed": "toy"}
    assert "no graph called 'toy'" in kgcore(toy, "kg", "search", "x", "--kg", "toy").refused()


def test_a_demo_graph_keeps_its_name(toy: Path, tmp_path: Path) -> None:
    argv = ("kg", "import", tmp_path / "toy.ttl", "--name", "demo-wikidata")
    assert "graph of the demo" in kgcore(toy, *argv).refused()


def test_a_label_cannot_command_the_terminal(toy: Path, tmp_path: Path) -> None:
    file = tmp_path / "evil.ttl"
    label = "evil \\u001B[2J\\u202Elive <script>"
    file.write_text(
        f'@prefix r: <http://www.w3.org/2000/01/rdf-schema#> . <x:e> r:label "{label}" .'
    )
    kgcore(toy, "kg", "import", file, "--name", "evil")
    done = kgcore(toy, "kg", "search", "evil", "--kg", "evil")
    assert "evil \\x1b[2J\\u202elive <script>" in done.out
    assert not {"\x1b", "\u202e"} & set(done.out)
    [found] = kgcore(toy, "kg", "search", "evil", "--kg", "evil", "--json").json
    assert found["label"] == "evil \x1b[2J\u202elive <script>"


# runs


def test_replay_prints_what_the_run_printed(home: Path, asked: dict[str, Any]) -> None:
    done = kgcore(home, "runs", "replay", asked["run_id"], "--json")
    assert done.json == asked
    start = asked["run_id"][:12]
    assert kgcore(home, "runs", "replay", start, "--json").out == done.out


def test_replay_needs_no_graph(toy: Path) -> None:
    report = kgcore(toy, "ask", "Who directed Night Train?", "--kg", "toy", "--json").json
    kgcore(toy, "kg", "remove", "toy", "--json")
    assert kgcore(toy, "runs", "replay", report["run_id"], "--json").json == report


def test_runs_are_listed_newest_first(toy: Path) -> None:
    ids = []
    for question in ("Who directed Night Train?", "Where was Ann Lee born?"):
        ids.append(kgcore(toy, "ask", question, "--kg", "toy", "--json").json["run_id"])
    listed = kgcore(toy, "runs", "list", "--json").json
    assert [run["run_id"] for run in listed] == ids[::-1]
    assert [run["answer"] for run in listed] == ["Rome", "Ann Lee"]
    assert kgcore(toy, "runs", "list").out.splitlines()[0].startswith(ids[1][:8])


def without_id(shown: dict[str, Any]) -> dict[str, Any]:
    return {**shown, "run_id": ""}


def test_an_exported_run_comes_back_equal(
    home: Path, asked: dict[str, Any], tmp_path: Path
) -> None:
    run_id, file = asked["run_id"], tmp_path / "run.json"
    printed = kgcore(home, "runs", "export", run_id)
    kgcore(home, "runs", "export", run_id, "-o", file, "--json")
    assert file.read_text("utf-8") == printed.out
    shown = kgcore(home, "runs", "show", run_id, "--json").json

    elsewhere = tmp_path / "elsewhere"
    assert kgcore(elsewhere, "runs", "import", file, "--json").json == {"run_id": run_id}
    assert kgcore(elsewhere, "runs", "show", run_id, "--json").json == shown
    assert kgcore(elsewhere, "runs", "replay", run_id, "--json").json == asked
    assert kgcore(elsewhere, "runs", "export", run_id).out == printed.out

    copy = kgcore(home, "runs", "import", file, "--json").json["run_id"]
    assert copy != run_id
    again = kgcore(home, "runs", "show", copy, "--json").json
    assert without_id(again) == without_id(shown)


@pytest.mark.parametrize(
    "spoil, reason",
    [
        (lambda text: text[: len(text) // 2], "no JSON: line "),
        (lambda text: text.replace('"seq": 3', '"seq": 30', 1), "entry 3 has the number 30"),
        (lambda text: text.replace('"@": "Entity"', '"@": "Popen"', 1), "unknown kind of value"),
        (lambda _: "[" * 50_000, "does not hold a run"),
    ],
    ids=["cut", "renumbered", "class", "deep"],
)
def test_a_broken_run_file_is_refused(
    home: Path,
    asked: dict[str, Any],
    tmp_path: Path,
    spoil: Callable[[str], str],
    reason: str,
) -> None:
    file = tmp_path / "run.json"
    file.write_text(spoil(kgcore(home, "runs", "export", asked["run_id"]).out), "utf-8")
    line = kgcore(tmp_path / "elsewhere", "runs", "import", file).refused()
    assert str(file) in line
    assert reason in line
    assert kgcore(tmp_path / "elsewhere", "runs", "list", "--json").json == []


def test_a_spent_budget_can_be_raised(home: Path, asked: dict[str, Any]) -> None:
    report = kgcore(home, "ask", INTERSTELLAR, "--budget-calls", "3", "--json").json
    assert (report["status"], report["usage"]["llm_requests"]) == ("budget", 3)
    argv = ("runs", "resume", report["run_id"], "--budget-calls", "none", "--json")
    resumed = kgcore(home, *argv).json
    assert resumed["run_id"] == report["run_id"]
    assert ending(resumed) == ending(asked)
    assert resumed["usage"]["llm_requests"] == asked["usage"]["llm_requests"]


def ending(report: Mapping[str, Any]) -> list[Any]:
    return [report[name] for name in ("status", "answer", "answers", "value", "proof")]


def test_a_budget_of_0_is_no_limit(home: Path) -> None:
    report = kgcore(home, "ask", INTERSTELLAR, "--budget-calls", "0", "--json").json
    assert report["status"] == "answered"
    assert report["usage"]["llm_requests"] > 0


def asked_at(home: Path, run_id: str, what: str) -> str:
    """The address of the first step whose log line starts so."""
    log = kgcore(home, "runs", "show", run_id, "--json").json["log"]
    return str(next(line["at"] for line in log if line["text"].startswith(what)))


def test_a_fork_goes_on_with_another_reply(home: Path, asked: dict[str, Any]) -> None:
    at = asked_at(home, asked["run_id"], "Asked which names")
    argv = ("runs", "fork", asked["run_id"], "--at", at, "--json", "--reply", "Casablanca")
    fork = kgcore(home, *argv).json
    assert fork["run_id"] != asked["run_id"]
    shown = kgcore(home, "runs", "show", fork["run_id"], "--json").json
    assert (shown["kind"], shown["parent"]) == ("fork", asked["run_id"])
    assert kgcore(home, "runs", "replay", asked["run_id"], "--json").json == asked


def test_a_fork_without_a_relation_does_not_use_it(toy: Path) -> None:
    run = kgcore(toy, "ask", "Where was Ann Lee born?", "--kg", "toy", "--json").json
    relation = run["proof"][0]["relation"]["id"]
    argv = ("runs", "fork", run["run_id"], "--at", "0", "--ban", relation, "--json")
    fork = kgcore(toy, *argv).json
    assert relation not in [t["relation"]["id"] for t in fork["proof"]]


def test_the_offline_matcher_says_that_it_reads_no_prompts(
    home: Path, asked: dict[str, Any], tmp_path: Path
) -> None:
    at = asked_at(home, asked["run_id"], "Asked what to do next")
    (tmp_path / "prompt.txt").write_text("Answer now.\n")
    argv = ("runs", "fork", asked["run_id"], "--at", at, "--prompt", tmp_path / "prompt.txt")
    done = kgcore(home, *argv, "--json")
    assert done.code == 1
    assert json.loads(done.out)["status"] == "failed"
    assert "reads no prompts" in done.err


def test_a_fork_needs_a_step_at_which_a_model_was_asked(home: Path, asked: dict[str, Any]) -> None:
    for at in ("999", "0.99"):
        argv = ("runs", "fork", asked["run_id"], "--at", at, "--reply", "x")
        assert "no model was asked" in kgcore(home, *argv).refused()


def test_a_rerun_takes_everything_from_memory(home: Path, asked: dict[str, Any]) -> None:
    again = kgcore(home, "runs", "rerun", asked["run_id"], "--json").json
    assert ending(again) == ending(asked)
    assert (again["usage"]["llm_requests"], again["usage"]["kg_requests"]) == (0, 0)


def test_a_rerun_may_have_other_settings_and_graphs(home: Path, asked: dict[str, Any]) -> None:
    argv = ("runs", "rerun", asked["run_id"], "--set", "k=1", "--kg", "demo-wikidata", "--json")
    again = kgcore(home, *argv).json
    assert again["kgs"] == ["demo-wikidata"]
    shown = kgcore(home, "runs", "show", again["run_id"], "--json").json
    assert (shown["settings"]["k"], shown["kind"]) == (1, "rerun")


def test_a_reader_that_has_seen_enough_is_no_error(home: Path, asked: dict[str, Any]) -> None:
    command = [sys.executable, "-m", "kgcore", "runs", "export", asked["run_id"]]
    env = {**os.environ, "KGCORE_HOME": str(home)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, env=env, **pipes) as process:  # type: ignore[call-overload]
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


# model


def test_the_offline_matcher_needs_no_check(toy: Path) -> None:
    verdict = kgcore(toy, "model", "check", "--json").json
    assert verdict["ok"]
    assert "no language model" in verdict["verdict"]
