"""Queries run in processes that can be ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from kgcore.errors import InputError, ServiceError, StoppedError, TimedOutError
from kgcore.sources.worker.pool import EngineSpec, Workers
from kgcore.transport import Allowance, spending

ENGINES = "tests.unit.sources.engines"


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = Workers(EngineSpec(ENGINES, "Odd"), time_limit_s=20, memory_mb=600)
    yield made
    made.close()


def test_one_process_answers_one_request_after_the_other(workers: Workers) -> None:
    assert workers.ask({"do": "echo"}) == workers.ask({"do": "echo"})


def test_what_is_refused_is_the_queries_fault_and_what_fails_is_not(workers: Workers) -> None:
    with pytest.raises(InputError, match=r"^no$"):
        workers.ask({"do": "refuse"})
    with pytest.raises(ServiceError, match=r"^broken$"):
        workers.ask({"do": "fail"})
    assert workers.ask({"do": "echo"})["pid"]


def test_what_a_library_prints_is_no_reply(workers: Workers) -> None:
    assert workers.ask({"do": "print"})["pid"]
    assert workers.ask({"do": "echo"})["pid"]


@pytest.mark.parametrize("what", ["die", "eat"])
def test_a_request_that_ends_its_process_is_refused_and_the_next_is_answered(
    workers: Workers, what: str
) -> None:
    with pytest.raises(InputError, match="too much memory"):
        workers.ask({"do": what})
    assert workers.ask({"do": "echo"})["pid"]


def test_a_request_that_does_not_end_is_ended() -> None:
    workers = Workers(EngineSpec(ENGINES, "Odd"), time_limit_s=0.6, memory_mb=600)
    with pytest.raises(InputError, match=r"ended after 0\.6 s"):
        workers.ask({"do": "sleep"})
    workers.close()


def test_the_time_of_the_run_counts_too(workers: Workers) -> None:
    workers.ask({"do": "echo"})  # its process has started
    with (
        spending(Allowance(deadline=time.monotonic() + 0.5)),
        pytest.raises(TimedOutError, match="time of this run"),
    ):
        workers.ask({"do": "sleep"})


def test_a_person_who_stops_the_run_need_not_wait(workers: Workers) -> None:
    is_stopped = threading.Event()
    threading.Timer(0.5, is_stopped.set).start()

    def check() -> None:
        if is_stopped.is_set():
            raise StoppedError("stopped")

    with spending(Allowance(check=check)), pytest.raises(StoppedError):
        workers.ask({"do": "sleep"})
    assert workers.ask({"do": "echo"})["pid"]


def test_no_more_processes_than_allowed_run_at_once() -> None:
    workers = Workers(EngineSpec(ENGINES, "Odd"), time_limit_s=20, memory_mb=600, most=2)
    with ThreadPoolExecutor(6) as pool:
        pids = {reply["pid"] for reply in pool.map(workers.ask, [{"do": "echo"}] * 12)}
    workers.close()
    assert 1 <= len(pids) <= 2


def test_no_key_of_the_person_reaches_the_process(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "canary")
    assert "SOME_API_KEY" not in workers.ask({"do": "environ"})["environ"]


def test_an_engine_that_cannot_be_made_fails_each_request() -> None:
    workers = Workers(EngineSpec(ENGINES, "Unborn"), time_limit_s=20, memory_mb=600)
    for _ in range(2):
        with pytest.raises(ServiceError, match="the data are gone"):
            workers.ask({"do": "echo"})
    workers.close()
