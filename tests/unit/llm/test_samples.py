"""What a provider's reply holds, and what it cost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgcore.errors import EmptyReplyError, FilteredError, ServiceError
from kgcore.llm.samples import (
    MAX_CHARS,
    Completion,
    Prices,
    Sample,
    label_refusals,
    model_facts,
    read_choice,
    usable,
    usage_of,
)
from tests.servers.plain_requests import Word


def choice(text: str | None, finish: str = "stop", **message: Any) -> Any:
    return SimpleNamespace(finish_reason=finish, message=SimpleNamespace(content=text, **message))


CHOICES = [
    ("plain", choice("yes"), "yes", ""),
    ("stripped", choice("\n yes \n"), "yes", ""),
    ("null", choice(None), "", "empty"),
    ("empty", choice(""), "", "empty"),
    ("whitespace", choice(" \n" * 400_000), "", "empty"),
    ("cut", choice("ye", "length"), "ye", "cut"),
    ("cut before a word", choice("", "length"), "", "cut"),
    ("filtered", choice("partial", "content_filter"), "", "filtered"),
    ("refused", choice(None, refusal="No."), "", "refused"),
    ("refused, nested", choice(None, provider_specific_fields={"refusal": "No."}), "", "refused"),
    ("thoughts", choice("<think>hm</think> yes"), "yes", ""),
    ("thoughts only", choice("<think>hm, let me see"), "", "cut"),
    ("no message", SimpleNamespace(finish_reason="stop", message=None), "", "empty"),
]


@pytest.mark.parametrize(
    "given, text, problem", [c[1:] for c in CHOICES], ids=[c[0] for c in CHOICES]
)
def test_a_choice_is_a_text_or_a_problem(given: Any, text: str, problem: str) -> None:
    sample = read_choice(given)
    assert (sample.text, sample.problem) == (text, problem)


def test_an_endless_text_is_cut_and_never_taken_as_complete() -> None:
    sample = read_choice(choice("x" * (MAX_CHARS + 1)))
    assert (len(sample.text), sample.problem) == (MAX_CHARS, "cut")


def test_complete_samples_are_kept_and_the_others_counted() -> None:
    samples = [Sample("a"), Sample("b", "cut"), Sample("c"), Sample("", "refused")]
    texts, notes = usable(samples, "api")
    assert texts == ("a", "c")
    assert notes == (
        "1 of 4 samples left out: cut off before the end",
        "1 of 4 samples left out: the model refused",
    )


@pytest.mark.parametrize(
    "problem, error, kind",
    [
        ("empty", EmptyReplyError, "empty"),
        ("cut", ServiceError, "cut"),
        ("filtered", FilteredError, "filtered"),
        ("refused", FilteredError, "refused"),
    ],
)
def test_no_complete_sample_is_an_error_with_its_reason(
    problem: str, error: type[ServiceError], kind: str
) -> None:
    with pytest.raises(error) as caught:
        usable([Sample("", problem), Sample("", "empty")], "api")
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "I cannot provide this information.",
        "I am unable to assist with that question.",
        "As an AI language model, I cannot discuss people.",
        "很抱歉，我无法协助这个请求，请换一个问题。",
    ],
)
def test_a_plain_refusal_is_labelled(text: str) -> None:
    (sample,) = label_refusals([Sample(text)], Word("Which?"))
    assert sample.problem == "refused"


@pytest.mark.parametrize(
    "text",
    [
        "I think it is Rome.",
        "I cannot tell from the graph",
        "I cannot answer this from the given facts.",
        "很抱歉，根据已有的事实我无法回答这个问题。",
        "Sorry, wrong: it is Rome",
    ],
)
def test_other_texts_are_not_called_refusals(text: str) -> None:
    (sample,) = label_refusals([Sample(text)], Word("Which?"))
    assert sample == Sample(text)


def test_a_text_the_request_can_read_is_no_refusal() -> None:
    class AnyText(Word):
        def read(self, text: str) -> str:
            return text

    sample = Sample("I can't help falling in love with you")
    assert label_refusals([sample], AnyText("Which song?")) == [sample]


PROMPT = "word " * 200  # about 250 tokens

USAGES = [
    ("counted", 210, 3, (210, 3), False),
    ("none", None, None, (250, 3), True),
    ("zero", 0, 0, (250, 3), True),
    ("negative", -5, 3, (250, 3), True),
    ("absurd", 10**9, 3, (250, 3), True),
    ("absurd reply", 210, 10**9, (210, 3), True),
    ("too few", 2, 3, (250, 3), True),
    ("hidden reasoning", 210, 500, (210, 500), False),
]


@pytest.mark.parametrize(
    "n_prompt, n_reply, expected, is_estimated", [u[1:] for u in USAGES], ids=[u[0] for u in USAGES]
)
def test_counts_that_cannot_be_true_are_replaced_by_our_own(
    n_prompt: int | None, n_reply: int | None, expected: tuple[int, int], is_estimated: bool
) -> None:
    sample = Sample("a short reply", n_chars=13)
    completion = Completion((sample,), n_prompt, n_reply, 0.5, Prices(0.001, 0.01))
    usage = usage_of(completion, PROMPT, 1_000)
    got = (usage.prompt_tokens, usage.completion_tokens)
    assert got == (expected[0], pytest.approx(expected[1], abs=1))
    assert usage.is_estimated is is_estimated
    assert (usage.llm_requests, usage.completions) == (1, 1)
    priced = 0.001 * got[0] + 0.01 * got[1]
    assert usage.cost_usd == pytest.approx(priced if is_estimated else 0.5)


def test_a_model_without_a_price_is_marked_estimated() -> None:
    usage = usage_of(Completion((Sample("yes", n_chars=3),), 210, 1), PROMPT, 100)
    assert (usage.cost_usd, usage.is_estimated) == (0.0, True)


def test_the_facts_of_a_model_are_those_of_its_own_provider() -> None:
    table = {"gpt": {"litellm_provider": "openai", "x": 1}, "groq/llama": {"x": 2}}
    library = SimpleNamespace(model_cost=table)
    assert model_facts(library, "openai/gpt")["x"] == 1
    assert model_facts(library, "groq/llama")["x"] == 2
    assert model_facts(library, "other/gpt") == {}
    assert model_facts(library, "ollama_chat/llama") == {}
