"""LiteLLMModel against a real server on loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kgcore.errors import BudgetExceededError, RefusedKeyError, ServiceError, StoppedError
from kgcore.llm.check import check_model
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.transport import Allowance
from tests.servers.models import CANARY, QUESTION, failed, make
from tests.servers.openai_server import Drip, Hang, OpenAIServer, Say, Status
from tests.servers.plain_requests import PlainPrompts, Word


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


@pytest.fixture
def model(server: OpenAIServer) -> LiteLLMModel:
    return make(server)


def test_one_sample_is_one_request_with_prompt_key_and_user_agent(server: OpenAIServer) -> None:
    reply = make(server, user_agent="studio/1 (me@example.org)").answer(QUESTION)
    assert reply.texts == ("yes",)
    assert reply.prompt == "Answer in one word.\n\nWhich word?"
    (received,) = server.received
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {CANARY}"
    assert received.headers["user-agent"] == "studio/1 (me@example.org)"
    assert received.body["messages"] == [
        {"role": "system", "content": "Answer in one word."},
        {"role": "user", "content": "Which word?"},
    ]
    assert received.body["temperature"] == 0.0
    assert "n" not in received.body


def test_n_samples_are_one_request_where_the_server_takes_n(
    server: OpenAIServer, model: LiteLLMModel
) -> None:
    server.script = [Say(texts=["a", "b", "c"])]
    reply = model.answer(QUESTION, n=3, temperature=1.0)
    assert reply.texts == ("a", "b", "c")
    assert server.n_requests == 1
    assert (reply.usage.llm_requests, reply.usage.completions) == (1, 3)
    assert server.received[0].body["n"] == 3


def test_a_server_that_ignores_n_is_asked_for_the_rest_at_once_and_remembered(
    server: OpenAIServer, model: LiteLLMModel
) -> None:
    server.script = [Say(honours_n=False, delay_s=0.2)]
    assert len(model.answer(QUESTION, n=3).texts) == 3
    assert server.n_requests == 3
    assert server.most_at_once == 2
    assert model.answer(QUESTION, n=3).usage.llm_requests == 3
    assert server.most_at_once == 3
    assert all("n" not in received.body for received in server.received[3:])


def test_a_server_that_rejects_n_is_asked_one_by_one_and_remembered(
    server: OpenAIServer, model: LiteLLMModel
) -> None:
    def choosy(body: Any) -> Say | Status:
        return Status(400, {}, {"error": {"message": "n must be 1"}}) if body.get("n") else Say()

    server.script = [choosy]
    assert model.answer(QUESTION, n=2).texts == ("yes", "yes")
    assert server.n_requests == 3
    assert model.answer(QUESTION, n=2).usage.llm_requests == 2
    assert server.n_requests == 5


def test_a_bad_request_that_is_not_about_n_fails_and_teaches_nothing(
    server: OpenAIServer, model: LiteLLMModel
) -> None:
    server.script = [Status(400, {}, {"error": {"message": "no such parameter"}})]
    with pytest.raises(ServiceError, match="no such parameter"):
        model.answer(QUESTION, n=2)
    server.script = [Say()] * 9
    assert model.answer(QUESTION, n=2).usage.llm_requests == 1


def test_a_server_with_fewer_choices_than_asked_is_asked_for_the_rest(
    server: OpenAIServer, model: LiteLLMModel
) -> None:
    server.script = [Say(texts=["a", "b"], n_choices=2), Say("c")]
    assert model.answer(QUESTION, n=3).texts == ("a", "b", "c")
    assert server.n_requests == 2


def test_more_choices_than_asked_are_not_used(server: OpenAIServer, model: LiteLLMModel) -> None:
    server.script = [Say(texts=["a", "b", "c"], n_choices=3)]
    reply = model.answer(QUESTION, n=2)
    assert reply.texts == ("a", "b")
    assert reply.usage.completions == 3


def test_every_request_takes_a_permit_and_none_is_sent_without(
    server: OpenAIServer, model: LiteLLMModel
) -> None:
    server.script = [Status(500)]
    permits = iter([True, True])

    def take() -> None:
        if not next(permits, False):
            raise BudgetExceededError("calls", 2)

    with pytest.raises(BudgetExceededError):
        model.answer(QUESTION, allowance=Allowance(take=take, wait=lambda seconds, why: None))
    assert server.n_requests == 2


def test_a_stop_while_waiting_ends_the_answer(server: OpenAIServer, model: LiteLLMModel) -> None:
    server.script = [Status(429, {"Retry-After": "20"})]
    reasons: list[str] = []

    def wait(seconds: float, why: str) -> None:
        reasons.append(why)
        raise StoppedError("stopped")

    with pytest.raises(StoppedError):
        model.answer(QUESTION, allowance=Allowance(wait=wait))
    assert reasons == [f"waiting 20 s for {model.service} (429)"]
    assert server.n_requests == 1


def test_the_deadline_of_the_allowance_holds(server: OpenAIServer, model: LiteLLMModel) -> None:
    model.answer(QUESTION)
    server.script = [Hang(20)]
    start = time.monotonic()
    with pytest.raises(ServiceError):
        model.answer(QUESTION, allowance=Allowance(deadline=start + 0.5))
    assert time.monotonic() - start < 10


def test_a_name_without_a_provider_means_an_openai_server_where_an_address_is_given(
    server: OpenAIServer,
) -> None:
    assert make(server, name="my-local-model").answer(QUESTION).texts == ("yes",)
    assert server.received[0].body["model"] == "my-local-model"


def test_an_address_never_gets_a_key_from_the_environment(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    make(server, api_key=None).answer(QUESTION)
    assert "sk-of-another-service" not in str(server.received[0].headers)


@pytest.mark.parametrize("name", ["openai/gpt-4o-mini", "gpt-4o-mini"])
def test_a_missing_key_is_said_without_a_request(name: str) -> None:
    model = LiteLLMModel(name, prompts=PlainPrompts())
    with pytest.raises(RefusedKeyError, match="no key is set for openai"):
        model.answer(QUESTION)


def test_thoughts_before_the_reply_are_left_out(server: OpenAIServer, model: LiteLLMModel) -> None:
    server.script = [Say("<think>Is it no?\nMaybe.</think>\n\nyes")]
    assert model.answer(QUESTION).texts == ("yes",)


def test_the_price_of_a_known_model_is_counted(server: OpenAIServer) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    server.script = [Say(usage=usage)]
    spent = make(server, name="openai/gpt-4o-mini").answer(QUESTION).usage
    assert (spent.prompt_tokens, spent.completion_tokens) == (10, 2)
    assert spent.cost_usd == pytest.approx(10 * 0.15e-6 + 2 * 0.60e-6)
    assert not spent.is_estimated


def test_a_model_that_reasons_in_secret_gets_room_for_it(server: OpenAIServer) -> None:
    make(server, name="openai/o3-mini", max_tokens=100).answer(QUESTION)
    make(server, max_tokens=100).answer(QUESTION)
    first, second = server.received
    assert first.body["max_completion_tokens"] == 800
    assert "temperature" not in first.body
    assert second.body["max_tokens"] == 100


def test_the_context_window_of_a_known_model_bounds_the_prompt(server: OpenAIServer) -> None:
    long = Word("Which?", facts=tuple(f"fact number {i} of many" for i in range(9000)))
    reply = make(server, name="openai/gpt-4").answer(long)
    assert 5_000 < len(reply.prompt) // 4 < 8_192 - 1_024
    assert reply.left_out


def test_a_wait_that_one_thread_was_told_of_holds_for_all(server: OpenAIServer) -> None:
    server.script = [Status(429, {"Retry-After": "1"}), Say()]
    model = make(server)
    threads = [threading.Thread(target=model.answer, args=(QUESTION,)) for _ in range(4)]
    threads[0].start()
    while not server.n_requests:
        time.sleep(0.01)
    time.sleep(0.3)
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join()
    first, *later = server.received
    assert len(later) == 4
    assert min(received.at for received in later) - first.at > 0.9


PROVIDERS = ["openai/m", "anthropic/m", "ollama_chat/m", "gemini/m", "hosted_vllm/m", "azure/m"]
FAULTS: dict[str, tuple[Any, str, int]] = {
    "401": (Status(401, {}, {"error": {"message": CANARY}}), "key", 1),
    "429": (Status(429, {"Retry-After": "99"}), "rate_limited", 1),
    "503": (Status(503, {"Retry-After": "0"}), "provider", 3),
    "redirect": (Status(301, {"Location": "http://127.0.0.1:9/"}), "provider", 1),
    "web page": (Status(200, {"Content-Type": "text/html"}, "<html>"), "provider", 1),
    "too large": (Status(200, {}, "x" * 5_000_000), "too_large", 1),
}


@pytest.mark.filterwarnings("ignore:Items? .* on TypedDict class:UserWarning")
@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("fault", FAULTS)
def test_every_kind_of_provider_is_watched_on_the_wire(
    server: OpenAIServer, name: str, fault: str
) -> None:
    entry, kind, n_requests = FAULTS[fault]
    server.script = [entry]
    error = failed(make(server, name=name))
    assert (error.kind, server.n_requests) == (kind, n_requests)
    assert CANARY not in str(error)


@pytest.mark.filterwarnings("ignore:Items? .* on TypedDict class:UserWarning")
@pytest.mark.parametrize("name", PROVIDERS)
def test_every_kind_of_provider_is_held_to_the_deadline(server: OpenAIServer, name: str) -> None:
    server.script = [Drip(0.05)]
    model = make(server, name=name, timeout_s=0.5, request_timeout_s=0.5, max_retries=0)
    failed(model)  # the first request makes litellm import more
    start = time.monotonic()
    assert failed(model).kind == "timeout"
    assert 0.4 < time.monotonic() - start < 15


def test_many_threads_may_ask_at_once(server: OpenAIServer, model: LiteLLMModel) -> None:
    server.script = [lambda body: Say(body["messages"][-1]["content"], delay_s=0.05)]
    said: dict[int, tuple[str, ...]] = {}

    def ask(number: int) -> None:
        said[number] = model.answer(Word(f"word-{number}")).texts

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == {i: (f"word-{i}",) for i in range(20)}


def test_its_repr_holds_no_key(server: OpenAIServer) -> None:
    model = make(server, api_key=lambda: CANARY)
    assert "canary" not in repr(model) + repr(vars(model))


VERDICTS: list[tuple[str, Callable[[OpenAIServer], LiteLLMModel], Say | Status, str]] = [
    ("ok", make, Say(), "ok: openai/test-model answered in "),
    ("key refused", make, Status(401), "refused the key (401); set the right key"),
    ("model unknown", make, Status(404), "does not know the model 'openai/test-model'"),
    ("web page", make, Status(200, {"Content-Type": "text/html"}, "<html>"), "a web page"),
    ("overloaded", make, Status(429, {"Retry-After": "999"}), "too many requests (429)"),
    ("empty", make, Say(""), "reached, but "),
    (
        "unreachable",
        lambda server: LiteLLMModel(
            "openai/x", prompts=PlainPrompts(), api_base="http://127.0.0.1:9/v1", max_retries=0
        ),
        Say(),
        "127.0.0.1:9 cannot be reached",
    ),
    (
        "name unknown",
        lambda server: LiteLLMModel("frobnicate-9", prompts=PlainPrompts()),
        Say(),
        "no provider is known for the model 'frobnicate-9'",
    ),
]


@pytest.mark.parametrize(
    "make_model, entry, verdict", [v[1:] for v in VERDICTS], ids=[v[0] for v in VERDICTS]
)
def test_a_check_says_what_is_wrong_in_one_line(
    server: OpenAIServer,
    make_model: Callable[[OpenAIServer], LiteLLMModel],
    entry: Say | Status,
    verdict: str,
) -> None:
    server.script = [entry]
    said = check_model(make_model(server))
    assert verdict in said
    assert "\n" not in said
    assert "litellm." not in said
