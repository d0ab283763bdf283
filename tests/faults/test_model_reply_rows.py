"""What a language model may reply, row by row, over real sockets: nothing, too much, something else."""

from __future__ import annotations

import gc
import os
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from kgcore.errors import (
    ContextWindowError,
    EmptyReplyError,
    FilteredError,
)
from kgcore.llm import vendor
from kgcore.model import Entity, EntityId, Relation, RelationId, Subgraph, Triple
from kgcore.prompts import ChooseEntity, ChooseRelation, FilePromptSet, RateState
from kgcore.prompts.values import SelectRelation
from kgcore.ranking import StemRanker
from kgcore.runs.perform import Ports, perform
from kgcore.steps import Ask, Candidate, RelationOption, Replies, Usage
from tests.servers.models import QUESTION, Waits, failed, make
from tests.servers.openai_server import OpenAIServer, Say, Status
from tests.servers.plain_requests import Word

Body = Mapping[str, Any]


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Import litellm before anything is timed."""
    vendor.load()


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


# L6, L7, L10, L12: replies that are none

EMPTY = {
    "no choices": Say(n_choices=0),
    "null": Say(None),
    "empty": Say(""),
    "whitespace": Say(" \n\t "),
}


@pytest.mark.parametrize("entry", EMPTY.values(), ids=EMPTY)
def test_L6_an_empty_reply_is_asked_for_once_more(server: OpenAIServer, entry: Say) -> None:
    server.script = [entry]
    error = failed(make(server))
    assert isinstance(error, EmptyReplyError)
    assert isinstance(error.usage, Usage)
    assert error.usage.llm_requests == 2, "what a failed answer cost is counted too"
    assert error.usage.prompt_tokens > 0
    assert server.n_requests == 2
    server.script = [*([entry] * 3), Say("yes")]
    assert make(server).answer(QUESTION).texts == ("yes",)


def test_L6_one_empty_sample_of_several_is_asked_for_once_more(server: OpenAIServer) -> None:
    server.script = [Say(texts=["a", "", "c"]), Say("b")]
    assert make(server).answer(QUESTION, n=3).texts == ("a", "b", "c")
    server.script = [*([Say("x")] * 2), Say(texts=["a", "", "c"]), Say("")]
    reply = make(server).answer(QUESTION, n=3)
    assert reply.texts == ("a", "c")
    assert reply.left_out == ("1 of 3 samples left out: empty",)


def test_L7_a_reply_that_was_cut_is_asked_for_once_more_with_more_room(
    server: OpenAIServer,
) -> None:
    server.script = [Say('{"a": [1, 2', finish="length"), Say("yes")]
    assert make(server, max_tokens=50).answer(QUESTION).texts == ("yes",)
    assert [r.body["max_tokens"] for r in server.received] == [50, 200]


def test_L7_more_room_stays_within_the_window(server: OpenAIServer) -> None:
    server.script = [Say("ye", finish="length"), Say("yes")]
    make(server, max_tokens=500, context_tokens=1_000).answer(QUESTION)
    more = server.received[1].body["max_tokens"]
    assert 500 < more < 1_000


def test_L7_a_reply_that_stays_cut_is_never_taken_as_complete(server: OpenAIServer) -> None:
    server.script = [Say("yes", finish="length")]
    assert failed(make(server)).kind == "cut"
    assert server.n_requests == 2


def test_L7_cut_samples_are_replaced_or_left_out(server: OpenAIServer) -> None:
    cut = Say(texts=["a", "b"], finish="length")
    server.script = [cut, Say(texts=["c", "d"])]
    assert make(server).answer(QUESTION, n=2).texts == ("c", "d")
    assert [r.body["n"] for r in server.received] == [2, 2]


def test_L7_a_failure_of_the_second_try_keeps_what_is_complete(server: OpenAIServer) -> None:
    server.script = [Say(texts=["a", ""]), Status(401)]
    reply = make(server).answer(QUESTION, n=2)
    assert reply.texts == ("a",)
    assert reply.left_out == ("1 of 2 samples left out: empty",)


def test_L10_a_refusal_is_labelled(server: OpenAIServer) -> None:
    server.script = [Say(None, refusal="I will not.")]
    error = failed(make(server))
    assert isinstance(error, FilteredError)
    assert error.kind == "refused"
    assert server.n_requests == 1


def test_L10_a_refusal_in_plain_text_is_labelled(server: OpenAIServer) -> None:
    server.script = [Say("I'm sorry, but I can't help with that.")]
    assert failed(make(server)).kind == "refused"


def test_L10_a_refusal_among_samples_is_left_out_and_counted(server: OpenAIServer) -> None:
    server.script = [Say(texts=["a", "I can't assist with that.", "c"])]
    reply = make(server).answer(QUESTION, n=3)
    assert reply.texts == ("a", "c")
    assert reply.left_out == ("1 of 3 samples left out: the model refused",)


def test_L12_a_filtered_reply_is_a_failure_of_its_own(server: OpenAIServer) -> None:
    server.script = [Say("par", finish="content_filter")]
    error = failed(make(server))
    assert isinstance(error, FilteredError)
    assert error.kind == "filtered"
    assert server.n_requests == 1
    server.script = [
        Status(
            400, {}, {"error": {"code": "content_filter", "message": "content management policy"}}
        )
    ]
    assert failed(make(server)).kind == "filtered"


# L8, L9: replies that say something else

FILMS = tuple(
    Entity(EntityId(f"demo:{n}"), f"Film {n}", f"the film number {n}") for n in range(1, 13)
)


def ask(server: OpenAIServer, request: Any) -> Replies:
    model = make(server, prompts=FilePromptSet())
    ports = Ports(cast(Any, None), {"reason": model}, StemRanker())
    result, _ = perform(Ask(request), ports, Waits().allowance)
    assert isinstance(result, Replies)
    return result


def choose_relation() -> ChooseRelation:
    film, person = FILMS[0], Entity(EntityId("demo:p"), "A Person")
    relations = [Relation(RelationId(f"demo:r{n}"), f"relation {n}") for n in range(1, 13)]
    graph = Subgraph().add([Triple(film, relations[0], person)])
    options = tuple(RelationOption(r, "out", 3, (film.id,)) for r in relations)
    return ChooseRelation("Which?", graph, (), (), entities=(film.id,), options=options)


# reply → the option it means; None: not readable, so one repair turn
UGLY: list[tuple[str, int | None]] = [
    ("Relation: R12", 11),
    ('Here you are:\n```json\n{"relation": "R2"}\n```\nHope that helps!', 1),
    ("**Relation:** R3 (relation 3)", 2),
    ("Relation: R13", None),
    ("Relation: demo:r99", None),
    ("Relation: R0", None),
    ('{"relation": 7.5}', None),
    ("Relation:", None),
    ("\u202eRelation: R2", 1),
    ("I would look at the weather.", None),
]


@pytest.mark.parametrize("text, option", UGLY)
def test_L8_an_option_that_was_not_offered_is_never_taken(
    server: OpenAIServer, text: str, option: int | None
) -> None:
    server.script = [Say(text)]
    (reply,) = ask(server, choose_relation()).items
    if option is None:
        assert reply.value is None
        assert reply.problem
        assert server.n_requests == 2
    else:
        assert reply.value == SelectRelation(option)
        assert server.n_requests == 1


def test_L8_a_repaired_reply_counts(server: OpenAIServer) -> None:
    server.script = [Say("Relation: R99"), Say("Relation: R4")]
    (reply,) = ask(server, choose_relation()).items
    assert reply.value == SelectRelation(3)
    assert reply.is_repaired
    assert "R99" in server.received[1].prompt


@pytest.mark.parametrize("score", ["NaN", "2.0", "high", "-1", "1e9", "∞", "", "[0.5, 0.6]"])
def test_L8_a_score_outside_the_scale_is_never_taken(server: OpenAIServer, score: str) -> None:
    server.script = [Say(f"Reason: looks fine\nValue: {score}")]
    (reply,) = ask(server, RateState("Which?", Subgraph(), (), ())).items
    assert server.n_requests <= 2
    assert reply.value is None or 0 <= reply.value.value <= 1
    assert reply.value is None or not reply.problem


def test_L9_a_choice_means_the_same_in_any_order_of_candidates(server: OpenAIServer) -> None:
    """The model names its choice; ids with hidden marks and namesakes of ids do not confuse it."""
    marked = Entity(EntityId("demo:1\u200f"), "Film 1\u202e")
    namesake = Entity(EntityId("demo:x"), "demo:7")  # a label that is another's id
    films = [*FILMS, marked, namesake]

    def by_id(body: Body) -> Say:
        return Say("Candidate: Film 12")

    server.script = [by_id]
    chosen = set()
    for seed in range(5):
        shuffled = [*films, *films[3:5]]
        random.Random(seed).shuffle(shuffled)
        candidates = tuple(Candidate(entity, 0.5) for entity in shuffled)
        (reply,) = ask(server, ChooseEntity("Which?", mention="Film", candidates=candidates)).items
        assert isinstance(reply.value, int), reply.problem
        chosen.add(candidates[reply.value].entity.id)
    assert chosen == {"demo:12"}


# L11: the context window


def facts(n: int) -> Word:
    return Word("Which?", facts=tuple(f"this is fact number {i:04} of many" for i in range(n)))


def small_window(limit: int) -> Callable[[Body], Say | Status]:
    def reply(body: Body) -> Say | Status:
        size = sum(len(m["content"]) for m in body["messages"])
        message = f"This model's maximum context length is {limit} tokens"
        error = {"error": {"message": message, "code": "context_length_exceeded"}}
        return Say() if size <= limit * 4 else Status(400, {}, error)

    return reply


def test_L11_a_prompt_that_does_not_fit_is_shrunk_once_and_says_so(server: OpenAIServer) -> None:
    server.script = [small_window(1_000)]
    model = make(server)
    reply = model.answer(facts(150))
    first, second = (r.prompt for r in server.received)
    assert len(second) < 0.65 * len(first)
    assert reply.prompt == second.strip()
    assert reply.left_out[0].endswith(" facts")
    assert "context window" in reply.left_out[1]
    model.answer(facts(150))  # learned: the next one fits at once
    assert server.n_requests == 3


def test_L11_a_prompt_that_still_does_not_fit_fails(server: OpenAIServer) -> None:
    server.script = [small_window(10)]
    with pytest.raises(ContextWindowError):
        make(server).answer(facts(150))
    assert server.n_requests == 2


def test_L11_a_prompt_with_nothing_to_leave_out_is_not_sent_twice(server: OpenAIServer) -> None:
    server.script = [small_window(1)]
    with pytest.raises(ContextWindowError, match="cannot be shortened"):
        make(server).answer(Word("Which word is long enough for the limit?"))
    assert server.n_requests == 1


def test_L11_a_known_window_is_kept_without_trying(server: OpenAIServer) -> None:
    server.script = [small_window(1_000)]
    reply = make(server, context_tokens=1_000, max_tokens=200).answer(facts(500))
    assert server.n_requests == 1
    assert reply.left_out


# L15, L16: size and counts


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    "text, kind",
    [("x" * 5_000_000, "too_large"), ("y" * 1_000_000, "cut"), (" " * 400_000, "empty")],
    ids=["5 MB", "1 MB", "100k tokens of whitespace"],
)
def test_L15_an_endless_reply_is_cut(server: OpenAIServer, text: str, kind: str) -> None:
    server.script = [Say(text)]
    data = server.script[0].body({})  # type: ignore[union-attr]
    server.script = [Status(200, {}, data)]
    model = make(server)
    gc.collect()
    with _Memory() as memory:
        error = failed(model)
    assert error.kind == kind
    assert memory.rise_mb < 50
    assert server.n_requests <= 2


class _Memory:
    """Watches how far the process grows."""

    def __enter__(self) -> _Memory:
        self._start = self._most = self._now()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.002):
            self._most = max(self._most, self._now())

    @property
    def rise_mb(self) -> float:
        return self._most - self._start

    def _now(self) -> float:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


COUNTS = {
    "none": None,
    "zero": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    "negative": {"prompt_tokens": -40, "completion_tokens": -1, "total_tokens": -41},
    "absurd": {"prompt_tokens": 10**12, "completion_tokens": 10**12, "total_tokens": 10**12},
}


@pytest.mark.parametrize("usage", COUNTS.values(), ids=COUNTS)
def test_L16_counts_that_cannot_be_true_are_estimated(server: OpenAIServer, usage: Any) -> None:
    server.script = [Say("yes", usage=usage)]
    reply = make(server, name="openai/gpt-4o-mini").answer(facts(20))
    own = len(reply.prompt) / 4
    assert reply.usage.is_estimated
    assert own * 0.7 < reply.usage.prompt_tokens < own * 1.4
    assert reply.usage.completion_tokens == 1
    assert 0 < reply.usage.cost_usd < 0.01
