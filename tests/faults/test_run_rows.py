"""What whole runs must bear: a model in circles, a call that fails, a clock that moves, a folder nobody may write.

A real store, real graphs and a real model server on loopback; where a process is to be disturbed it is a process of
its own. Rows A8, A9 (graphs), A11, K16, L17, L18.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kgcore.bootstrap import DEMO_GRAPHS, Studio, Task, build
from kgcore.errors import KGCoreError
from kgcore.llm import vendor
from kgcore.reasoners import reasoner
from kgcore.runs import ENDS, Budget, Entry, Run, SqlRunStore, lineage, replay
from kgcore.runs.entries import StepDone
from kgcore.steps import Replies
from kgcore.views.report import run_report
from tests.servers.openai_server import Entry as Reply
from tests.servers.openai_server import OpenAIServer, Say, Scripted, Status
from tests.unit.runs.toys import Bench, ToyConfig, three_samples

ROOT = Path(__file__).parents[2]
QUESTION = "Which actor starred in both Inception and Interstellar?"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
DAY_S = 86_400


@dataclass
class World:
    """A studio with the demo graphs and a graph that is all circles, and a model server."""

    studio: Studio
    server: OpenAIServer

    def run(self, question: str, script: list[Scripted], **task: Any) -> Run:
        """Ask and drive; the server starts its script anew."""
        self.server.received.clear()
        self.server.script = script
        base = self.server.address
        run = self.studio.ask(Task(question, model="openai/test", api_base=base, **task))
        run.drive()
        return run


def circles() -> str:
    """Everything leads back: a cycle, self loops, the same triple again and again, parallel relations."""
    lines = [f'<http://c.example/{n}> {LABEL} "Place {n}" .' for n in "abc"]
    for relation in ("next", "beside", "self"):
        lines.append(f'<http://c.example/{relation}> {LABEL} "{relation}" .')
    for one, other in ("ab", "bc", "ca"):
        lines += [
            f"<http://c.example/{one}> <http://c.example/next> <http://c.example/{other}> ."
        ] * 5
        lines.append(
            f"<http://c.example/{one}> <http://c.example/beside> <http://c.example/{other}> ."
        )
        lines.append(f"<http://c.example/{one}> <http://c.example/self> <http://c.example/{one}> .")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("rows")
    (home / "settings.yaml").write_text("context_tokens: 100000\n")
    (home / "circles.nt").write_text(circles())
    vendor.load()
    studio = build(home, environ={"OPENAI_API_KEY": "none"})
    studio.ensure_demo()
    studio.import_graph([home / "circles.nt"], "circles")
    with OpenAIServer() as server:
        yield World(studio, server)
    studio.store.close()


def outcome(run: Run) -> dict[str, Any]:
    """The report of a run without what differs from run to run."""
    report = run_report(run_view(run))
    return {k: v for k, v in report.items() if k not in ("run_id", "usage", "model")}


def run_view(run: Run) -> Any:
    from kgcore.runs import RunView

    return RunView.of(run.store.load(run.id))


def check_end(run: Run) -> None:
    """Every run ends in one of the ends, says why where it is none of a person's business, and can be replayed."""
    ended = run.journal.ended
    assert ended is not None
    assert ended.status in ENDS
    assert run.store.record(run.id).status == ended.status
    if ended.status in ("failed", "budget"):
        assert ended.reason.isprintable()
        assert "fault in the program" not in ended.reason
    if ended.status in ("answered", "no_answer"):
        assert replay(reasoner(run.journal.started.method), run.journal) == ended.answer


# L18


def said(entries: list[Entry]) -> dict[str, tuple[str, ...]]:
    """What the model of a run said to each prompt."""
    replies = [e.body.result for e in entries if isinstance(e.body, StepDone)]
    return {r.prompt: tuple(i.text for i in r.items) for r in replies if isinstance(r, Replies)}


@pytest.fixture(scope="module")
def script(world: World) -> Callable[[Mapping[str, Any]], Reply]:
    """A model that says what the offline matcher says to the prompts of one run, and nothing to others."""
    run = world.studio.ask(Task(QUESTION))
    run.drive()
    known = said(run.journal.entries)

    def reply(request: Mapping[str, Any]) -> Reply:
        prompt = "\n\n".join(m["content"] for m in request["messages"]).strip()
        return Say(texts=known[prompt]) if prompt in known else Say("I do not know what to say.")

    return reply


@pytest.mark.parametrize("fault", [Status(401), Say(n_choices=0)], ids=["refused", "empty"])
def test_L18_whichever_call_fails_the_run_ends_and_resumes_to_the_same_answer(
    world: World, script: Scripted, fault: Reply
) -> None:
    whole = world.run(QUESTION, [script])
    assert whole.status == "answered"
    n_calls = world.server.n_requests
    assert n_calls >= 8
    for nth in range(1, n_calls + 1):
        n_faults = 2 if isinstance(fault, Say) else 1  # an empty reply is asked for once more
        run = world.run(QUESTION, [script] * (nth - 1) + [fault] * n_faults + [script])
        check_end(run)
        kept = run.store.load(run.id)
        if run.status == "failed":
            world.server.script = [script]
            run = world.studio.resume(run.id)
            run.drive()
        assert outcome(run) == outcome(whole), f"call {nth}"
        assert run.store.load(run.id)[: len(kept)] == kept
        assert world.server.n_requests <= n_calls + n_faults, (
            f"after call {nth} too much is asked again"
        )


def test_L18_whichever_reply_makes_no_sense_the_run_ends(world: World, script: Scripted) -> None:
    world.run(QUESTION, [script])
    n_calls = world.server.n_requests
    for nth in range(1, n_calls + 1):
        run = world.run(
            QUESTION, [script] * (nth - 1) + [Say("?!")] * 2 + [script], budget=Budget(calls=60)
        )
        check_end(run)
        assert world.server.n_requests <= 60


# L17, K16


@dataclass
class Stubborn:
    """A model that reads nothing but the kind of the request and always picks the same."""

    action: str = "expand"
    relation: str = "R1"
    entity: str = "E1"
    value: float = 0.5
    asked: list[str] = field(default_factory=list)

    def __call__(self, request: Mapping[str, Any]) -> Reply:
        prompt = "\n\n".join(m["content"] for m in request["messages"])
        task = prompt.rpartition("\nTask:")[2]
        self.asked.append(task.strip().partition("\n")[0])
        return Say(self.reply(task))

    def reply(self, task: str) -> str:
        if "Mentions:" in task:
            return "Mentions: Place a"
        if "Candidate:" in task:
            return "Candidate: C1"
        if "Relation:" in task:
            return f"Relation: {self.relation}"
        if "Action:" in task and self.action in task:
            return f"Thought: the same again\nAction: {self.action}\nAnswer: Place a\nEntities: E1"
        if "Value:" in task:
            return f"Reason: as ever\nValue: {self.value}"
        if "a colon, a value" in task:
            return "\n".join(f"{n}: {self.value} – as ever" for n in range(1, 9))
        return f"Thought: as ever\nEntities: {self.entity}"


@pytest.mark.parametrize("action", ["expand", "think"])
@pytest.mark.parametrize("relation", ["R1", "R2", "R3"])
@pytest.mark.parametrize("method", ["tree-of-traversals", "chain-of-traversals"])
def test_L17_a_model_that_always_picks_the_same_ends_by_a_limit(
    world: World, method: str, action: str, relation: str
) -> None:
    model = Stubborn(action, relation)
    run = world.run("What is next to Place a?", [model], kgs=("circles",), method=method)
    check_end(run)
    assert run.status in ("no_answer", "answered")  # by depth or expansions, long before the budget
    assert world.server.n_requests < 80, model.asked
    view = run_view(run)
    assert view.ended is not None
    if action == "think":
        assert view.ended.reason.startswith("limit")
    else:  # going round in a circle ends before any limit
        assert any("nothing new" in rejected.reason for rejected in view.rejected)
    assert len(view.expansions) <= 20
    assert max(node.depth for node in view.nodes.values()) <= 8


def test_L17_a_limit_on_calls_ends_the_circle_and_says_so(world: World) -> None:
    run = world.run(
        "What is next to Place a?",
        [Stubborn("think")],
        kgs=("circles",),
        settings={"max_depth": 30, "max_expansions": 500},
        budget=Budget(calls=12),
    )
    check_end(run)
    assert run.status == "budget"
    assert world.server.n_requests == 12
    assert run.journal.ended is not None
    assert run.journal.ended.reason == "the budget of 12 calls is used up"


@pytest.mark.parametrize("relation", ["R1", "R2", "R3", "R4", "R5", "R6"])
def test_K16_circles_bring_no_edge_twice(world: World, relation: str) -> None:
    run = world.run("What is next to Place a?", [Stubborn("expand", relation)], kgs=("circles",))
    check_end(run)
    view = run_view(run)
    edges = [(t.subject.id, t.relation.id, t.object.id) for t in view.subgraph.triples]  # type: ignore[union-attr]
    assert edges
    assert len(edges) == len(set(edges))
    for node in view.nodes.values():
        proof = [(t.subject, t.relation, t.object) for t in node.subgraph.triples]
        assert len(proof) == len(set(proof))


# A9


def command(home: Path, *argv: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kgcore", *argv],
        cwd=ROOT,
        env={**os.environ, "KGCORE_HOME": str(home), **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def is_one_line(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 1 and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


@pytest.mark.parametrize("part", ["manifest.json", "data-*/labels.sqlite", "data-*/store/CURRENT"])
def test_A9_a_damaged_graph_is_told_in_one_line_and_left_as_it_is(
    world: World, tmp_path: Path, part: str
) -> None:
    shutil.copytree(world.studio.home / "graphs", tmp_path / "graphs")
    shutil.copy(world.studio.home / "demo.json", tmp_path)
    [file] = (tmp_path / "graphs" / "circles").glob(part)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 3] + b"\0damaged")
    before = snapshot(tmp_path / "graphs")
    studio = build(tmp_path, environ={})
    said = []
    try:
        studio.ask(Task("Where is Place a?", kgs=("circles",))).drive()
        said = [journal_end(studio, record.id) for record in studio.store.list()]
    except KGCoreError as error:
        said = [str(error)]
    [reason] = said
    assert reason.isprintable()
    assert "'circles' cannot be" in reason
    assert set(DEMO_GRAPHS) <= {manifest.name for manifest in studio.graphs()}
    studio.ask(Task("Who directed Casablanca?")).drive()
    assert studio.store.list()[0].status == "answered", "the other graphs work"
    studio.store.close()
    assert snapshot(tmp_path / "graphs") == before


def test_A9_a_damaged_graph_is_one_line_of_the_command_line(world: World, tmp_path: Path) -> None:
    shutil.copytree(world.studio.home / "graphs" / "circles", tmp_path / "graphs" / "circles")
    (tmp_path / "graphs" / "circles" / "manifest.json").write_bytes(b"{")
    done = command(tmp_path, "kg", "search", "Place", "--kg", "circles")
    assert is_one_line(done), done.stderr
    assert "'circles' cannot be" in done.stderr


def journal_end(studio: Studio, run_id: str) -> str:
    ended = studio.journal(run_id).ended
    assert ended is not None
    return ended.reason


def snapshot(folder: Path) -> dict[Path, bytes]:
    return {
        p: p.read_bytes() for p in folder.rglob("*") if p.is_file() and ".staging" not in p.parts
    }


# A8


def read_only(home: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a command while the folder is mounted read-only, in a mount namespace of its own."""
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 99; shift; exec "$@"'
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(home), *argv],
        cwd=ROOT,
        env={**os.environ, "KGCORE_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def old_home(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a graph and a run, which nobody may write."""
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare, to mount a folder read-only")
    home = tmp_path_factory.mktemp("read-only")
    if read_only(home, "true").returncode:
        pytest.skip("this system does not let us mount a folder read-only")
    shutil.copytree(world.studio.home / "graphs", home / "graphs", dirs_exist_ok=True)
    shutil.copy(world.studio.home / "demo.json", home)
    studio = build(home, environ={})
    studio.ask(Task("Who directed Casablanca?")).drive()
    studio.store.close()
    return home


def test_A8_what_must_write_says_in_one_line_that_it_cannot(old_home: Path) -> None:
    before = snapshot(old_home)
    done = read_only(old_home, sys.executable, "-m", "kgcore", "ask", "Who directed Casablanca?")
    assert is_one_line(done), done.stderr
    assert "cannot be written" in done.stderr
    assert snapshot(old_home) == before


def test_A8_the_page_says_in_one_line_that_it_cannot(old_home: Path) -> None:
    code = (
        "import json; from streamlit.testing.v1 import AppTest\n"
        "page = AppTest.from_file('app.py', default_timeout=30).run()\n"
        "print(json.dumps([[e.value for e in page.error], [e.value for e in page.exception]]))\n"
    )
    done = read_only(old_home, sys.executable, "-c", code)
    errors, exceptions = json.loads(done.stdout.splitlines()[-1])
    assert exceptions == [], done.stderr
    assert all("\n" not in error for error in errors)
    assert any("cannot be written" in error.replace("\\", "") for error in errors)
    assert "Traceback" not in done.stderr


# A11

CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long shift(void) {
    static long n; const char *by = getenv("TEST_CLOCK");
    if (!by) return 0;
    return by[0] == 'j' ? (n++ / 5 % 3 - 1) * 86400L : atol(by);   /* j: a jump every fifth look */
}
int clock_gettime(clockid_t id, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(id, at);
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE) at->tv_sec += shift();
    return code;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec; at->tv_usec = now.tv_nsec / 1000; return 0;
}
time_t time(time_t *at) {
    struct timespec now; clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec; return now.tv_sec;
}
"""


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, str]]:
    """The environment of a process whose wall clock is moved: by seconds, or "jumps" to and fro."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler, to give one process another clock")
    folder = tmp_path_factory.mktemp("clock")
    (folder / "clock.c").write_text(CLOCK)
    library = folder / "clock.so"
    build_it = [compiler, "-shared", "-fPIC", "-o", str(library), str(folder / "clock.c"), "-ldl"]
    subprocess.run(build_it, check=True, capture_output=True)
    return lambda how: {"LD_PRELOAD": str(library), "TEST_CLOCK": how}


def test_A11_the_clock_of_the_test_does_move(moved: Callable[[str], dict[str, str]]) -> None:
    code = "import time, datetime as d; print(time.time(), d.datetime.now().timestamp())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **moved(str(DAY_S))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert all(float(t) - time.time() > DAY_S - 60 for t in done.stdout.split())


def test_A11_a_run_bears_a_clock_that_jumps_a_day_to_and_fro(
    world: World, moved: Callable[[str], dict[str, str]]
) -> None:
    options = ("--budget-seconds", "50", "--json")
    done = command(world.studio.home, "ask", QUESTION, *options, **moved("jumps"))
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["status"] == "answered"
    assert 0 < report["usage"]["wall_s"] < 50
    entries = world.studio.store.load(report["run_id"])
    assert [e.seq for e in entries] == list(range(len(entries)))
    days = {e.when[:10] for e in entries}
    assert len(days) > 1, "the clock did not jump while it ran"
    assert all(e.body.seconds < 50 for e in entries if isinstance(e.body, StepDone))
    assert run_report(world.studio.view(report["run_id"]))["answer"] == report["answer"]
    assert command(world.studio.home, "runs", "show", report["run_id"]).returncode == 0


@pytest.mark.parametrize("shift", [DAY_S, -DAY_S])
def test_A11_a_killed_run_can_be_resumed_although_its_clock_was_wrong(
    tmp_path: Path, moved: Callable[[str], dict[str, str]], shift: int
) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from kgcore.runs import lineage\n"
        "from tests.unit.runs.toys import Bench, ToyConfig, three_samples, wait_until\n"
        "bench = Bench(Path(sys.argv[1]))\n"
        "run = lineage.ask(bench.launch(three_samples, mode='pause'), 'say', ToyConfig())\n"
        "run.start()\n"
        "wait_until(lambda: run.status == 'paused')\n"
        "print(run.id, flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **moved(str(shift))},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    run_id = process.stdout.readline().strip()
    process.kill()
    process.communicate()
    bench = Bench(tmp_path)
    assert bench.store.lease_left(run_id) <= bench.store.lease_seconds
    bench.store.close()
    store = SqlRunStore.open(tmp_path, lease_seconds=bench.store.lease_seconds)
    assert store.record(run_id).status == "interrupted"
    run = lineage.resume(bench.launch(three_samples), run_id)
    run.drive()
    assert run.status == "answered", run.problem
    assert run.journal.started.config == ToyConfig()
