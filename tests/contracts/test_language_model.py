"""What every language model promises, whoever stands behind it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from kgcore.errors import BudgetExceededError, StoppedError
from kgcore.llm import LanguageModel
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.llm.offline import OfflineModel
from kgcore.prompts import FilePromptSet, FindMentions, Repair
from kgcore.testing import ScriptedModel
from kgcore.transport import Allowance
from tests.servers.openai_server import OpenAIServer, Say

PROMPTS = FilePromptSet()
REQUEST = FindMentions("Who directed the film Inception?")
REPLY = "Mentions: Inception"


@pytest.fixture(params=["scripted", "offline", "litellm", "litellm, n ignored"])
def model(request: pytest.FixtureRequest) -> Iterator[LanguageModel]:
    """Each model, able to find the mention in the question."""
    if request.param == "scripted":
        yield ScriptedModel(lambda request: REPLY, prompts=PROMPTS)
    elif request.param == "offline":
        yield OfflineModel(PROMPTS)
    else:
        script = [Say(REPLY, honours_n="ignored" not in request.param)]
        with OpenAIServer(script) as server:
            yield LiteLLMModel("openai/test", prompts=PROMPTS, api_base=server.address)


def test_it_has_a_name_and_its_prompts(model: LanguageModel) -> None:
    assert model.name
    assert model.prompts is PROMPTS


@pytest.mark.parametrize("n", [1, 3])
def test_it_returns_as_many_texts_as_asked_and_they_can_be_read(
    model: LanguageModel, n: int
) -> None:
    reply = model.answer(REQUEST, n=n, temperature=1.0)
    assert len(reply.texts) == n
    assert [REQUEST.read(text) for text in reply.texts] == [("Inception",)] * n


def test_it_shows_the_prompt_as_its_templates_word_it(model: LanguageModel) -> None:
    reply = model.answer(REQUEST)
    assert reply.prompt == REQUEST.render(PROMPTS).text
    assert reply.left_out == ()


@pytest.mark.parametrize("n", [1, 3])
def test_it_takes_a_permit_for_every_request_it_counts(model: LanguageModel, n: int) -> None:
    permits: list[int] = []
    reply = model.answer(REQUEST, n=n, allowance=Allowance(take=lambda: permits.append(1)))
    assert 1 <= len(permits) == reply.usage.llm_requests
    assert reply.usage.completions == n


@pytest.mark.parametrize("error", [BudgetExceededError("calls", 0), StoppedError("stopped")])
@pytest.mark.parametrize("n", [1, 3])
def test_without_a_permit_it_fails_with_the_reason_and_works_again_later(
    model: LanguageModel, error: Exception, n: int
) -> None:
    def take() -> None:
        raise error

    with pytest.raises(type(error)):
        model.answer(REQUEST, n=n, allowance=Allowance(take=take))
    assert len(model.answer(REQUEST, n=n).texts) == n


def test_it_answers_a_repair_turn_as_the_request_it_repairs(model: LanguageModel) -> None:
    repair = Repair(REQUEST.question, REQUEST, "well…", "no list of mentions was given")
    (text,) = model.answer(repair).texts
    assert repair.read(text) == ("Inception",)


def test_several_threads_may_ask_at_once(model: LanguageModel) -> None:
    said: list[Any] = []

    def ask() -> None:
        said.append(model.answer(REQUEST, n=2).texts)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 8
    assert {REQUEST.read(text) for texts in said for text in texts} == {("Inception",)}
