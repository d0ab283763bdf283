"""The command line while a model answers over HTTP: interruptions, leases, edited prompts, a refused key.

Real processes that can be interrupted and killed; see tests/servers/warm_cli.py. Row A12.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kgcore.cli.driving import STOP_SECONDS
from tests.servers.openai_server import Hang, OpenAIServer, Say, Status
from tests.servers.warm_cli import Process, WarmCli

KEY = "canary-0123456789-of-the-key"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TOY = f"""\
<http://toy.example/film> {LABEL} "Night Train" .
<http://toy.example/film> <http://toy.example/director> <http://toy.example/ann> .
<http://toy.example/ann> {LABEL} "Ann Lee" .
"""


class Shell:
    """A data folder with the graph `toy`, a model server, and commands on both."""

    def __init__(self, warm: WarmCli, home: Path, server: OpenAIServer) -> None:
        self.home, self.server, self._warm = home, server, warm
        self.lease = 15.0

    def start(self, *argv: str) -> Process:
        environ = {
            **os.environ,
            "KGCORE_HOME": str(self.home),
            "KGCORE_LEASE_SECONDS": str(self.lease),
            "OPENAI_API_KEY": KEY,
        }
        return self._warm.start(argv, environ)

    def json(self, *argv: str) -> Any:
        process = self.start(*argv, "--json")
        assert process.wait() == 0, process.err
        return json.loads(process.out)

    def ask(self, *options: str) -> Process:
        """Ask a question and return when the model has been asked."""
        before = self.server.n_requests
        model = ["--model", "openai/test", "--api-base", self.server.address]
        process = self.start(
            "ask", "Who directed Night Train?", "--kg", "toy", *model, *options, "--json"
        )
        wait_for(lambda: self.server.n_requests > before)
        return process

    def newest(self) -> dict[str, Any]:
        run: dict[str, Any] = self.json("runs", "list")[0]
        return run


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def shell(warm: WarmCli, server: OpenAIServer, tmp_home: Path, tmp_path: Path) -> Shell:
    (tmp_path / "toy.nt").write_text(TOY)
    shell = Shell(warm, tmp_home, server)
    shell.json("kg", "import", str(tmp_path / "toy.nt"), "--name", "toy")
    return shell


def wait_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_A12_an_interrupted_run_keeps_what_arrives_and_starts_nothing(
    shell: Shell, number: int, code: int
) -> None:
    shell.server.script = [Say("nothing to look up", delay_s=1.0)]
    process = shell.ask()
    os.kill(process.pid, number)
    assert process.wait() == code
    assert "Traceback" not in process.err
    report = json.loads(process.out)
    assert report["status"] == "stopped"
    assert report["usage"]["llm_requests"] == shell.server.n_requests == 1
    assert shell.newest()["status"] == "stopped"


def test_A17_a_call_counts_although_there_is_no_budget_for_its_repair(shell: Shell) -> None:
    shell.server.script = [Say("")]
    process = shell.ask("--budget-calls", "1")
    assert process.wait() == 0, process.err
    report = json.loads(process.out)
    assert (report["status"], report["usage"]["llm_requests"]) == ("budget", 1)
    again = shell.json("runs", "resume", report["run_id"])
    assert (again["status"], again["usage"]["llm_requests"]) == ("budget", 1)
    assert shell.server.n_requests == 1


def test_A12_a_call_that_hangs_does_not_hold_an_interrupted_run(shell: Shell) -> None:
    shell.server.script = [Hang(60)]
    process = shell.ask()
    start = time.monotonic()
    os.kill(process.pid, signal.SIGTERM)
    assert process.wait() == 143
    assert time.monotonic() - start < 30
    assert json.loads(process.out)["status"] == "interrupted"
    run_id = shell.newest()["run_id"]
    assert f"runs resume {run_id}" in process.err

    shell.server.script = [Status(401)]
    resumed = shell.start("runs", "resume", run_id, "--json")  # at once: it left its lease
    assert resumed.wait() == 1
    assert "waiting" not in resumed.err
    assert "refused the key" in resumed.err


def test_a_second_interruption_leaves_at_once(shell: Shell) -> None:
    shell.server.script = [Hang(60)]
    process = shell.ask()
    os.kill(process.pid, signal.SIGINT)
    wait_for(lambda: "stopping" in process.err)
    start = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    assert process.wait() == 130
    assert time.monotonic() - start < STOP_SECONDS - 0.5


def test_a_run_that_is_being_driven_is_not_resumed(shell: Shell) -> None:
    shell.lease = 1.0
    shell.server.script = [Hang(60)]
    process = shell.ask()
    second = shell.start("runs", "resume", shell.newest()["run_id"])
    assert second.wait() == 1
    assert second.err.splitlines()[-1].endswith("is being driven by another process")
    assert not process.has_ended
    assert shell.server.n_requests == 1
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def test_a_killed_run_is_resumed_when_its_lease_has_ended(shell: Shell) -> None:
    shell.lease = 1.5
    shell.server.script = [Hang(60), Status(401)]
    process = shell.ask()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    resumed = shell.start("runs", "resume", shell.newest()["run_id"], "--json")
    assert resumed.wait() == 1
    first, last = resumed.err.splitlines()
    assert first.startswith("waiting up to ")
    assert "refused the key" in last


def test_L5_a_refused_key_is_named_nowhere(shell: Shell) -> None:
    shell.server.script = [Status(401, body={"error": {"message": f"bad key {KEY}"}})]
    process = shell.ask()
    assert process.wait() == 1
    report = json.loads(process.out)
    assert report["status"] == "failed"
    assert process.err == f"kgcore: the run failed: {report['warnings'][-1]}\n"
    exported = shell.start("runs", "export", report["run_id"])
    assert exported.wait() == 0
    stored = b"".join(file.read_bytes() for file in shell.home.rglob("*") if file.is_file())
    assert "canary" not in process.out + process.err + exported.out
    assert b"canary" not in stored


def test_an_edited_prompt_is_sent_as_written(shell: Shell, tmp_path: Path) -> None:
    shell.server.script = [Say("Night Train"), Status(401)]
    process = shell.ask()
    assert process.wait() == 1
    run_id = json.loads(process.out)["run_id"]
    log = shell.json("runs", "show", run_id)["log"]
    at = next(line["at"] for line in log if line["text"].startswith("Asked"))
    (tmp_path / "prompt.txt").write_text("Say the name of the film,\nand nothing else.\n")
    argv = ("runs", "fork", run_id, "--at", at, "--prompt", str(tmp_path / "prompt.txt"))
    before = shell.server.n_requests
    shell.server.script = [*shell.server.script[:1] * (before + 1), Status(401)]
    fork = shell.start(*argv, "--json")
    assert fork.wait() == 1, "the next request is refused"
    sent = shell.server.received[before].prompt
    assert sent.strip() == "Say the name of the film,\nand nothing else."


def test_a_model_is_checked(shell: Shell) -> None:
    base = ("--api-base", shell.server.address, "--json")
    good = shell.start("model", "check", "openai/test", *base)
    assert good.wait() == 0
    assert json.loads(good.out)["ok"] is True
    shell.server.script = [Status(401, body={"error": {"message": f"bad key {KEY}"}})]
    bad = shell.start("model", "check", "openai/test", *base)
    assert bad.wait() == 1
    verdict = json.loads(bad.out)
    assert verdict["ok"] is False
    assert "refused the key" in verdict["verdict"]
    assert KEY not in bad.out + bad.err


def test_an_interrupted_import_leaves_the_old_graph(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "large.nt"
    with file.open("w") as out:
        out.writelines(f'<http://x.example/{n}> {LABEL} "{n}" .\n' for n in range(400_000))
    process = shell.start("kg", "import", str(file), "--name", "toy")
    staging = shell.home / "graphs" / ".staging"
    wait_for(lambda: any(path.is_dir() for path in staging.glob("*")) or process.has_ended)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait() == 130
    assert (process.out, process.err) == ("", "kgcore: interrupted\n")
    assert not any(path.is_dir() for path in staging.glob("*"))
    [graph] = [g for g in shell.json("kg", "list") if g["name"] == "toy"]
    assert graph["files"] == ["toy.nt"]
