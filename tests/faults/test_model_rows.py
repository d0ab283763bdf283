"""What a language model's server may do to us, row by row, over real sockets: time, limits, failures, keys."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import (
    KGCoreError,
    RateLimitedError,
    RefusedKeyError,
    TimedOutError,
)
from kgcore.llm import vendor
from kgcore.llm.check import check_model
from tests.servers.models import CANARY, QUESTION, Waits, failed, make
from tests.servers.openai_server import Cut, Drip, Hang, OpenAIServer, Reset, Say, Status

Body = Mapping[str, Any]


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Import litellm before anything is timed."""
    vendor.load()


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


# L1, L14: time


def test_L1_a_server_that_hangs_ends_in_time_with_exactly_our_own_calls(
    server: OpenAIServer,
) -> None:
    server.script = [Hang(60)]
    waits, start = Waits(is_real=True), time.monotonic()
    error = failed(make(server, timeout_s=1.5), waits)
    assert time.monotonic() - start < 20
    assert isinstance(error, TimedOutError)
    assert server.n_requests == 1 + len(waits.seconds) == waits.n_taken
    assert server.n_requests in (2, 3)


def test_L1_without_retries_a_server_that_hangs_gets_one_call(server: OpenAIServer) -> None:
    server.script = [Hang(60)]
    start = time.monotonic()
    failed(make(server, timeout_s=1, request_timeout_s=1, max_retries=0))
    assert 0.9 < time.monotonic() - start < 20
    assert server.n_requests == 1


def test_L1_a_single_hang_is_got_over(server: OpenAIServer) -> None:
    server.script = [Hang(60), Say("yes")]
    reply = make(server, timeout_s=3, request_timeout_s=0.5).answer(
        QUESTION, allowance=Waits().allowance
    )
    assert reply.texts == ("yes",)
    assert reply.usage.llm_requests == 2


@pytest.mark.parametrize("is_header", [False, True], ids=["body", "headers"])
def test_L14_a_slow_drip_ends_at_the_deadline(server: OpenAIServer, is_header: bool) -> None:
    server.script = [Drip(0.1, is_header)]
    start = time.monotonic()
    error = failed(make(server, timeout_s=1, request_timeout_s=1, max_retries=0))
    assert 0.9 < time.monotonic() - start < 20
    assert isinstance(error, TimedOutError)
    assert server.n_requests == 1


def test_L14_a_slow_body_leaves_no_thread_behind(server: OpenAIServer) -> None:
    server.script = [Drip(0.1)]
    before = set(threading.enumerate())
    failed(make(server, timeout_s=0.5, request_timeout_s=0.5, max_retries=0))
    ends = time.monotonic() + 2
    ours = [t for t in set(threading.enumerate()) - before if t.name == "model-request"]
    while any(t.is_alive() for t in ours) and time.monotonic() < ends:
        time.sleep(0.02)
    assert not any(t.is_alive() for t in ours)


def test_L13_a_reply_that_breaks_off_is_not_used_and_asked_again(server: OpenAIServer) -> None:
    server.script = [Cut(120), Say("yes")]
    assert make(server).answer(QUESTION, allowance=Waits().allowance).texts == ("yes",)
    assert server.n_requests == 2


def test_L13_a_reply_that_always_breaks_off_is_a_failure(server: OpenAIServer) -> None:
    server.script = [Cut(120)]
    error = failed(make(server))
    assert server.n_requests == 3
    assert "connection broke" in str(error)


# L2, L3: rate limits


def test_L2_seconds_that_the_server_asks_for_are_waited(server: OpenAIServer) -> None:
    server.script = [Status(429, {"Retry-After": "2"}), Say()]
    waits = Waits(is_real=True)
    make(server).answer(QUESTION, allowance=waits.allowance)
    first, second = server.received
    assert second.at - first.at == pytest.approx(2.0, abs=0.3)
    assert waits.reasons == [f"waiting 2 s for {make(server).service} (429)"]


def test_L2_a_date_that_the_server_names_is_waited_for(server: OpenAIServer) -> None:
    def busy(body: Body) -> Status:
        when = datetime.now(UTC) + timedelta(seconds=10)
        return Status(429, {"Retry-After": format_datetime(when, usegmt=True)})

    server.script = [busy, Say()]
    waits = Waits()
    make(server).answer(QUESTION, allowance=waits.allowance)
    assert 8.5 < waits.seconds[0] < 10.5


def test_L2_too_long_a_wait_fails_at_once(server: OpenAIServer) -> None:
    server.script = [Status(429, {"Retry-After": "9999"})]
    waits = Waits()
    error = failed(make(server), waits)
    assert isinstance(error, RateLimitedError)
    assert error.kind == "rate_limited"
    assert "9999 s" in str(error)
    assert (server.n_requests, waits.seconds) == (1, [])


def test_L2_a_wait_past_the_deadline_fails_at_once(server: OpenAIServer) -> None:
    server.script = [Status(429, {"Retry-After": "25"})]
    start = time.monotonic()
    assert isinstance(failed(make(server, timeout_s=20)), RateLimitedError)
    assert time.monotonic() - start < 10


def test_L3_a_server_that_stays_busy_is_given_up_after_bounded_waits(
    server: OpenAIServer,
) -> None:
    server.script = [Status(429)]
    total: list[float] = []
    for _ in range(10):
        waits = Waits()
        assert failed(make(server), waits).kind == "rate_limited"
        assert waits.n_taken == 3
        assert len(waits.seconds) == 2
        total.append(sum(waits.seconds))
    assert max(total) <= 30
    assert len(set(total)) == 10  # drawn anew each time


def test_L3_what_failed_can_be_asked_again(server: OpenAIServer) -> None:
    server.script = [Status(429)] * 3 + [Say("yes")]
    model = make(server)
    failed(model)
    assert model.answer(QUESTION).texts == ("yes",)


# L4: broken servers

BROKEN = {
    "500": Status(500, {}, {"error": {"message": "boom"}}),
    "502": Status(502, {"Content-Type": "text/html"}, "<html><b>Bad gateway</b></html>"),
    "503 page": Status(503, {"Content-Type": "text/html"}, "<html><h1>Sorry</h1></html>"),
    "reset": Reset(),
    "no JSON": Status(200, {}, "{'choices"),
    "no completion": Status(200, {}, {"hello": "world"}),
    "an error as success": Status(200, {}, {"error": {"message": "upstream died", "code": 502}}),
}


@pytest.mark.parametrize("entry", BROKEN.values(), ids=BROKEN)
def test_L4_a_broken_server_gets_at_most_three_calls(
    server: OpenAIServer, entry: Status | Reset
) -> None:
    server.script = [entry]
    error = failed(make(server))
    assert 1 <= server.n_requests <= 3
    assert error.kind in ("provider", "empty")
    assert "<" not in str(error)
    assert "\n" not in str(error)


def test_L4_a_server_that_recovers_answers(server: OpenAIServer) -> None:
    server.script = [Status(503), Reset(), Say("yes")]
    assert make(server).answer(QUESTION, allowance=Waits().allowance).texts == ("yes",)
    assert server.n_requests == 3


def test_L4_a_web_page_as_success_is_named_and_not_shown(server: OpenAIServer) -> None:
    page = "<html><script>alert(1)</script></html>"
    server.script = [Status(200, {"Content-Type": "text/html"}, page)]
    error = failed(make(server))
    assert "web page" in str(error)
    assert "script" not in str(error)
    assert server.n_requests == 1


# L5, S9: keys


@pytest.mark.parametrize("status", [401, 403])
def test_L5_a_refused_key_gets_one_call_and_is_not_shown(server: OpenAIServer, status: int) -> None:
    server.script = [Status(status, {}, {"error": {"message": f"Incorrect key: {CANARY}"}})]
    error = failed(make(server))
    assert isinstance(error, RefusedKeyError)
    assert server.n_requests == 1
    assert "canary" not in _everything(error)


ECHOES = {
    "400": Status(400, {}, {"error": {"message": f"bad header Bearer {CANARY}"}}),
    "401": Status(401, {}, {"error": {"message": f"no such key {CANARY}"}}),
    "403": Status(403, {}, {"error": {"message": f"{CANARY} is not allowed"}}),
    "404": Status(404, {}, {"error": {"message": f"no model for {CANARY}"}}),
    "429": Status(429, {}, {"error": {"message": f"limit of {CANARY}"}}),
    "500": Status(500, {}, {"error": {"message": f"crash at {CANARY}"}}),
    "overflow": Status(400, {}, {"error": {"message": f"maximum context length {CANARY}"}}),
    "filter": Status(400, {}, {"error": {"message": f"content_filter {CANARY}"}}),
    "page": Status(200, {"Content-Type": "text/html"}, f"<p>{CANARY}</p>"),
    "no JSON": Status(200, {}, f"{{{CANARY}"),
    "no completion": Status(200, {}, {"key": CANARY}),
    "odd usage": Say(usage={"prompt_tokens": CANARY}),
    "reset": Reset(),
    "hang": Hang(60),
    "empty": Say(""),
}


@pytest.mark.parametrize("entry", ECHOES.values(), ids=ECHOES)
def test_S9_no_error_path_shows_the_key(
    server: OpenAIServer,
    entry: Any,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    caplog.set_level(logging.DEBUG)
    server.script = [entry]
    model = make(server, timeout_s=0.6, request_timeout_s=0.5)
    waits, said = Waits(), ""
    try:
        said = repr(model.answer(QUESTION, allowance=waits.allowance))
    except KGCoreError as error:
        said = _everything(error)
    said += check_model(model, timeout_s=0.6) + repr(model) + "".join(waits.reasons)
    out, err = capfd.readouterr()
    assert "canary" not in said + out + err + caplog.text
    assert said


def _everything(error: BaseException) -> str:
    """Return all that a crash report could print of an error: chain, and the variables of our frames."""
    chain, link = [error], error.__context__ or error.__cause__
    while link is not None:
        chain.append(link)
        link = link.__context__ or link.__cause__
    said = "".join(traceback.format_exception(error))
    for link in chain:
        frames = traceback.walk_tb(link.__traceback__)
        ours = [frame.f_locals for frame, _ in frames if "kgcore" in frame.f_code.co_filename]
        said += f"{link!r} {link} {ours!r}"
    return said


# L19, L20: the library

ASK = """
import sys
from kgcore.errors import ServiceError
from kgcore.llm.check import check_model
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.llm.offline import OfflineModel
from kgcore.prompts import FilePromptSet, FindMentions
prompts = FilePromptSet()
request = FindMentions("Who directed Inception?")
assert OfflineModel(prompts).answer(request).texts
model = LiteLLMModel("openai/gpt-4o-mini", prompts=prompts, api_key=lambda: "x")
try:
    model.answer(request)
except ServiceError as error:
    print(error)
print(check_model(model))
"""


def run(code: str, *path: Path) -> subprocess.CompletedProcess[str]:
    folders = [*map(str, path), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=110,
        cwd=Path(__file__).parents[2],
        check=False,
    )


@pytest.mark.parametrize(
    "module",
    [
        "raise ModuleNotFoundError(\"No module named 'litellm'\")",
        "raise RuntimeError('a bad\\nbuild')",
    ],
    ids=["missing", "broken"],
)
def test_L19_without_litellm_the_offline_matcher_works_and_one_line_says_why(
    tmp_path: Path, module: str
) -> None:
    (tmp_path / "litellm.py").write_text(module)
    done = run(ASK, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    error, verdict = done.stdout.splitlines()
    assert error.startswith("the library litellm cannot be imported (")
    assert error.endswith("install it, or choose the offline matcher")
    assert verdict == f"not usable: {error}"


def test_L20_importing_litellm_reaches_for_no_network_and_says_nothing(outside_log: Path) -> None:
    before = outside_log.read_bytes()
    done = run("from kgcore.llm import vendor; vendor.warm().join(); print(bool(vendor.load()))")
    assert (done.stdout, done.stderr) == ("True\n", "")
    assert outside_log.read_bytes() == before


def test_L20_litellm_is_not_imported_before_it_is_used() -> None:
    code = """
import sys
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.prompts import FilePromptSet
LiteLLMModel("openai/gpt-4o-mini", prompts=FilePromptSet())
print([m for m in ("litellm", "openai", "httpx", "tenacity") if m in sys.modules])
"""
    assert run(code).stdout == "[]\n"
