"""A federation with members that fail or are too slow: the others answer, and the result says who is missing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import pytest

from kgcore.errors import (
    BudgetExceededError,
    InputError,
    KGCoreError,
    RateLimitedError,
    ServiceError,
    StoppedError,
    TooHeavyError,
    UnreachableError,
)
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.model import EntityId, RelationId
from kgcore.testing import MemoryGraph
from kgcore.transport import Allowance, current_allowance, spending

WD, MB = EntityId("wd:Q1299"), EntityId("mb:artist/beatles")
MEMBER, RECORDED = RelationId("wdt:P527"), RelationId("mbp:artist")
DOWN = "it is down"


class HangingGraph(MemoryGraph):
    """Answers nothing until it is released; `asked` counts the calls that arrived."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.is_hanging, self.released = True, threading.Event()

    def _note(self, method: str, *arguments: object) -> None:
        super()._note(method, *arguments)
        if self.is_hanging:
            self.released.wait(20)


def wikidata(kind: type[MemoryGraph] = MemoryGraph, **more: Any) -> Any:
    labels = {WD: "The Beatles", "wd:Q1203": "John Lennon", MEMBER: "has part"}
    return kind("wikidata", [(WD, MEMBER, "wd:Q1203")], labels=labels, **more)


def musicbrainz(kind: type[MemoryGraph] = MemoryGraph, **more: Any) -> Any:
    labels = {MB: "The Beatles", "mb:recording/help": "Help!", RECORDED: "artist"}
    more = {"same_as": [(MB, WD)], **more}
    return kind("musicbrainz", [("mb:recording/help", RECORDED, MB)], labels=labels, **more)


@contextmanager
def federation(*graphs: MemoryGraph, **more: Any) -> Iterator[FederatedGraph]:
    """Build one, and let its hanging members go in the end."""
    graph = FederatedGraph(graphs, **more)
    try:
        yield graph
    finally:
        for member in graphs:
            if isinstance(member, HangingGraph):
                member.released.set()


CALLS: dict[str, Callable[[FederatedGraph], Any]] = {
    "link": lambda graph: graph.link("The Beatles"),
    "relations": lambda graph: graph.relations([WD]),
    "edges": lambda graph: graph.edges([WD], MEMBER),
    "describe": lambda graph: graph.describe([WD]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_member_that_fails_is_named_and_the_others_answer(name: str) -> None:
    second = musicbrainz()
    with federation(wikidata(), second) as both:
        whole = CALLS[name](both)
        second.error = UnreachableError(f"{DOWN}.")
        result = CALLS[name](both)
        assert (whole.is_partial, whole.missing, whole.notes) == (False, (), ())
        assert (result.is_partial, result.missing) == (True, ("musicbrainz",))
        assert result.notes == (f"musicbrainz did not answer: {DOWN}",)
        assert result != type(result)(is_partial=True, missing=result.missing, notes=result.notes)
        second.error = None
        assert CALLS[name](both) == whole


def test_links_of_the_members_that_answer_are_still_told() -> None:
    first = wikidata()
    with federation(first, musicbrainz()) as both:
        first.error = ServiceError(DOWN)
        assert both.same_as([WD]) == ((WD, MB),)


@pytest.mark.parametrize("name", CALLS)
def test_when_no_member_answers_the_call_fails_and_says_why_for_each(name: str) -> None:
    first, second = wikidata(), musicbrainz()
    first.error, second.error = RateLimitedError("too many requests"), UnreachableError(DOWN)
    with federation(first, second) as both:
        with pytest.raises(RateLimitedError, match="wikidata did not answer: too many") as caught:
            CALLS[name](both)
        assert f"musicbrainz did not answer: {DOWN}" in str(caught.value)


@pytest.mark.parametrize(
    "error", [StoppedError("s"), InputError("i"), BudgetExceededError("calls", 1)]
)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_failure_of_a_service_is_never_swallowed(name: str, error: KGCoreError) -> None:
    second = musicbrainz()
    with federation(wikidata(), second) as both:
        second.error = error
        with pytest.raises(type(error)):
            CALLS[name](both)


def test_a_member_that_failed_is_not_asked_again_in_the_same_call() -> None:
    second = musicbrainz()
    with federation(wikidata(), second) as both:
        second.error = UnreachableError(DOWN)
        both.relations([WD])
        assert len(second.requests) == 1


def test_one_query_that_was_too_heavy_leaves_the_member_to_be_asked_the_next() -> None:
    class Choosy(MemoryGraph):
        def describe(self, entities: Any) -> Any:
            raise TooHeavyError("too many rows")

    with federation(wikidata(), musicbrainz(Choosy), link_labels=False) as both:
        result = both.relations([MB])
        assert {o.relation.id for o in result.items} == {RECORDED}
        assert result.notes == ("musicbrainz did not answer: too many rows",)


def test_what_an_entity_stands_for_is_asked_again_once_the_member_is_back() -> None:
    second = musicbrainz()
    with federation(wikidata(), second, link_labels=False) as both:
        second.error = UnreachableError(DOWN)
        assert {o.relation.id for o in both.relations([WD]).items} == {MEMBER}
        second.error = None
        assert {o.relation.id for o in both.relations([WD]).items} == {MEMBER, RECORDED}
        n = len(second.requests)
        both.relations([WD])
        assert len(second.requests) == n + 1, "known by then"


def test_no_label_is_looked_up_in_a_member_that_is_missing() -> None:
    second = musicbrainz(same_as=[])
    with federation(wikidata(), second) as both:
        second.error = UnreachableError(DOWN)
        both.relations([WD])
        assert [method for method, _ in second.requests] == ["describe"]


def test_notes_of_members_come_through_once() -> None:
    class Cut(MemoryGraph):
        def edges(self, *arguments: Any, **more: Any) -> Any:
            found = super().edges(*arguments, **more)
            return replace(found, is_partial=True, notes=("the answer was cut",))

    with federation(wikidata(Cut), musicbrainz(Cut)) as both:
        result = both.edges([WD], MEMBER)
        assert (result.is_partial, result.missing) == (True, ())
        assert result.notes == ("the answer was cut",)


# --- slow members


@pytest.mark.parametrize("name", CALLS)
def test_a_member_that_is_too_slow_is_gone_without(name: str) -> None:
    with federation(wikidata(), musicbrainz(HangingGraph), patience_s=0.3) as both:
        started = time.monotonic()
        result = CALLS[name](both)
        assert time.monotonic() - started < 10
        assert (result.is_partial, result.missing) == (True, ("musicbrainz",))
        assert "nothing came within" in result.notes[0]


def test_nobody_is_given_up_while_nobody_has_answered() -> None:
    first, second = wikidata(HangingGraph), musicbrainz(HangingGraph)
    with federation(first, second, patience_s=0.1) as both:
        for member in (first, second):
            threading.Timer(1.5, member.released.set).start()
        assert both.link("The Beatles").missing == ()


def test_a_late_member_is_left_alone_until_its_call_has_ended_and_then_asked_again() -> None:
    second = musicbrainz(HangingGraph)
    with federation(wikidata(), second, link_labels=False, patience_s=0.1) as both:
        both.relations([WD])
        n = len(second.requests)
        result = both.relations([WD])
        assert (result.missing, len(second.requests)) == (("musicbrainz",), n)
        second.is_hanging = False
        second.released.set()
        deadline = time.monotonic() + 5
        while both.relations([WD]).missing and time.monotonic() < deadline:
            time.sleep(0.01)
        assert {o.relation.id for o in both.relations([WD]).items} == {MEMBER, RECORDED}


def test_a_hanging_member_does_not_keep_the_threads_of_the_others() -> None:
    with federation(wikidata(), musicbrainz(HangingGraph), patience_s=0.1) as both:
        results: list[Any] = []
        threads = [
            threading.Thread(target=lambda: results.append(both.relations([WD]))) for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert len(results) == 20
        assert all({o.relation.id for o in r.items} == {MEMBER} for r in results)


def test_a_stop_is_seen_while_all_members_hang() -> None:
    is_stopped = threading.Event()

    def check() -> None:
        if is_stopped.is_set():
            raise StoppedError("stopped")

    with federation(wikidata(HangingGraph), musicbrainz(HangingGraph)) as both:
        threading.Timer(0.2, is_stopped.set).start()
        started = time.monotonic()
        with spending(Allowance(check=check)), pytest.raises(StoppedError):
            both.relations([WD])
        assert time.monotonic() - started < 10


def test_members_find_the_allowance_and_the_context_of_the_caller() -> None:
    seen: list[tuple[Any, str]] = []
    said: ContextVar[str] = ContextVar("said", default="")

    class Looking(MemoryGraph):
        def describe(self, entities: Any) -> Any:
            seen.append((current_allowance(), said.get()))
            return super().describe(entities)

    allowance = Allowance(deadline=time.monotonic() + 60)
    with federation(wikidata(Looking), musicbrainz(Looking)) as both:
        said.set("hello")
        with spending(allowance):
            both.describe([WD])
    assert seen == [(allowance, "hello")] * 2
