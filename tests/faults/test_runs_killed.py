"""A run is killed (SIGKILL) at any moment and resumed: the same answer, and no reply that was kept is paid again.

The model is scripted: an OpenAI server on loopback that knows a reply for every prompt of this run, collected
beforehand by asking the offline matcher, and takes its time with each. The processes are the real command line.
Rows A1 and A12.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Entry
from kgcore.runs.entries import StepDone
from kgcore.steps import Replies
from tests.servers.openai_server import Entry as Reply
from tests.servers.openai_server import OpenAIServer, Say, Status
from tests.servers.warm_cli import ROOT, Process, WarmCli

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

QUESTION = "Which actor starred in both Inception and Interstellar?"
N_KILLS = 20
DELAY_S = 0.05  # of the model, a request
LEASE_S = 0.5


@dataclass
class Bench:
    """The scripted model, the command line and a data folder with the demo graphs."""

    studio: Studio
    cli: WarmCli
    server: OpenAIServer
    environ: dict[str, str]
    unknown: list[str] = field(default_factory=list)

    def start(self, *argv: str) -> Process:
        return self.cli.start(argv, self.environ)

    def ask(self) -> Process:
        return self.start(*ask_arguments(self.server))

    def ask_afresh(self) -> subprocess.Popen[bytes]:
        """The same in an interpreter of its own, which takes its time to import things."""
        command = [sys.executable, "-m", "kgcore", *ask_arguments(self.server)]
        return subprocess.Popen(command, cwd=ROOT, env=self.environ, stdout=subprocess.DEVNULL)

    def newest(self) -> str:
        return self.studio.store.list(limit=1)[0].id


def ask_arguments(server: OpenAIServer) -> list[str]:
    model = ["--model", "openai/test", "--api-base", server.address]
    return ["ask", QUESTION, *model, "--json"]


def replies_of(entries: list[Entry]) -> dict[str, tuple[str, ...]]:
    """What the model of a run said to each prompt."""
    found = {}
    for entry in entries:
        if isinstance(entry.body, StepDone) and isinstance(entry.body.result, Replies):
            replies = entry.body.result
            found[replies.prompt] = tuple(reply.text for reply in replies.items)
    return found


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    home = tmp_path_factory.mktemp("killed")
    (home / "settings.yaml").write_text("context_tokens: 100000\n")
    studio = build(home, environ={})
    run = studio.ask(Task(QUESTION))
    run.drive()
    assert run.status == "answered"
    script = replies_of(run.journal.entries)
    unknown: list[str] = []

    def reply(request: Mapping[str, Any]) -> Reply:
        prompt = "\n\n".join(m["content"] for m in request["messages"]).strip()
        if prompt not in script:
            unknown.append(prompt)
            return Status(400, body={"error": {"message": "no reply is written for this"}})
        return Say(texts=script[prompt], delay_s=DELAY_S)

    environ = {
        **os.environ,
        "KGCORE_HOME": str(home),
        "KGCORE_LEASE_SECONDS": str(LEASE_S),
        "OPENAI_API_KEY": "none",
    }
    with OpenAIServer([reply]) as server, WarmCli() as cli:
        yield Bench(studio, cli, server, environ, unknown)
    studio.store.close()


@dataclass(frozen=True)
class Undisturbed:
    """A run that nobody kills."""

    report: dict[str, Any]
    n_requests: int
    most_at_once: int


@pytest.fixture(scope="module")
def undisturbed(bench: Bench) -> Undisturbed:
    process = bench.ask()
    assert process.wait() == 0, process.err
    assert bench.unknown == []
    report = json.loads(process.out)
    assert report["status"] == "answered"
    at_once = Counter(
        entry.position
        for entry in bench.studio.store.load(bench.newest())
        if isinstance(entry.body, StepDone) and entry.body.step["kind"] == "Ask"
    )
    widest = max(at_once.values())  # a busy machine may not have had them all in flight together
    return Undisturbed(report, bench.server.n_requests, max(widest, bench.server.most_at_once))


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.002)


def kill(process: Process | subprocess.Popen[bytes]) -> bool:
    """Kill a process; False when it had ended by itself."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def same(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs from run to run."""
    usage = {k: v for k, v in report["usage"].items() if k != "wall_s"}
    return {**report, "run_id": "", "usage": usage}


@pytest.mark.parametrize("seed", range(N_KILLS))
def test_A1_a_killed_run_resumes_to_the_same_answer(
    bench: Bench, undisturbed: Undisturbed, seed: int
) -> None:
    chance = random.Random(seed)
    for _ in range(5):  # on a busy machine the run may be over before the chosen moment
        before = bench.server.n_requests
        process = bench.ask() if seed else bench.ask_afresh()
        nth = before + chance.randint(1, undisturbed.n_requests)
        wait_for(lambda nth=nth: bench.server.n_requests >= nth)
        time.sleep(chance.uniform(0, DELAY_S))
        if kill(process):
            break
    else:
        pytest.fail("the run was never caught alive")
    sent = bench.server.n_requests - before

    run_id = bench.newest()
    kept = bench.studio.store.load(run_id)
    in_flight = sent - bench.studio.view(run_id).usage.llm_requests
    assert 0 <= in_flight <= undisturbed.most_at_once

    resumed = bench.start("runs", "resume", run_id, "--json")
    assert resumed.wait() == 0, resumed.err
    assert bench.unknown == []
    assert same(json.loads(resumed.out)) == same(undisturbed.report)
    assert bench.server.n_requests - before <= undisturbed.n_requests + in_flight
    assert bench.studio.store.load(run_id)[: len(kept)] == kept, "nothing acknowledged is lost"


def test_A1_a_run_killed_again_and_again_still_ends(bench: Bench, undisturbed: Undisturbed) -> None:
    before, chance = bench.server.n_requests, random.Random(20)
    process, lost = bench.ask(), 0
    wait_for(lambda: bench.server.n_requests > before)
    for _ in range(4):
        time.sleep(chance.uniform(0, 2 * DELAY_S))
        if not kill(process):
            break
        run_id, sent = bench.newest(), bench.server.n_requests - before
        lost = sent - bench.studio.view(run_id).usage.llm_requests
        process = bench.start("runs", "resume", run_id, "--json")
        wait_for(lambda p=process, n=sent: bench.server.n_requests - before > n or p.has_ended)
    assert process.wait() == 0, process.err
    assert same(json.loads(process.out)) == same(undisturbed.report)
    assert lost <= 4 * undisturbed.most_at_once
    assert bench.server.n_requests - before <= undisturbed.n_requests + lost
