"""The scripted model says what was written down."""

from __future__ import annotations

import time

import pytest

from kgcore.errors import RateLimitedError
from kgcore.testing import ScriptedModel
from tests.servers.plain_requests import PlainPrompts, Word

PROMPTS = PlainPrompts()


def test_a_text_from_a_callable_is_every_sample() -> None:
    model = ScriptedModel(lambda request: request.question.upper(), prompts=PROMPTS)
    assert model.answer(Word("a"), n=2).texts == ("A", "A")


def test_a_sequence_from_a_callable_is_one_text_a_sample() -> None:
    model = ScriptedModel(lambda request: ["x", "y"], prompts=PROMPTS)
    assert model.answer(Word("a"), n=2).texts == ("x", "y")
    with pytest.raises(AssertionError, match="2 texts for 3 samples of word"):
        model.answer(Word("a"), n=3)


def test_texts_of_a_mapping_are_used_up_in_order() -> None:
    model = ScriptedModel({"word": ["a", "b", "c"]}, prompts=PROMPTS)
    assert model.answer(Word("1"), n=2).texts == ("a", "b")
    assert model.answer(Word("2")).texts == ("c",)
    with pytest.raises(AssertionError, match="no more texts for word"):
        model.answer(Word("3"))


def test_requests_are_recorded_in_order() -> None:
    model = ScriptedModel(lambda request: "x", prompts=PROMPTS, name="me")
    model.answer(Word("1"), n=2, temperature=0.5)
    model.answer(Word("2"))
    assert [(a.request, a.n, a.temperature) for a in model.requests] == [
        (Word("1"), 2, 0.5),
        (Word("2"), 1, 0.0),
    ]
    assert model.name == "me"


def test_an_error_of_the_callable_is_the_models_own() -> None:
    def busy(request: object) -> str:
        raise RateLimitedError("busy")

    with pytest.raises(RateLimitedError):
        ScriptedModel(busy, prompts=PROMPTS).answer(Word("1"))


def test_a_delay_is_waited_for() -> None:
    model = ScriptedModel(lambda request: "x", prompts=PROMPTS, delay_s=0.05)
    start = time.monotonic()
    model.answer(Word("1"))
    assert time.monotonic() - start >= 0.05
