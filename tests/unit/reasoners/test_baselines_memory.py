"""IO, chain-of-thought and self-consistency by hand: they look nothing up, and say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.prompts import AnswerDirectly, GiveAnswer, SampleRationales, Thoughts
from kgcore.reasoners.baselines import (
    DirectConfig,
    ThoughtsConfig,
    VotesConfig,
    answer_directly,
    chain_of_thought,
    self_consistency,
)
from kgcore.reasoners.baselines.memory import NO_STARTS, UNKNOWN
from kgcore.reasoners.rationales.answers import UNREAD
from kgcore.steps import Answer, AnswerProposed, Ask, NodeAdded, RationalesSampled, Warned
from tests.unit.reasoners.world import Player, entity

UNSURE = GiveAnswer("I cannot tell", is_unknown=True)
SOLVERS: dict[str, tuple[Callable[..., Any], Any, Any]] = {
    "io": (answer_directly, DirectConfig, UNSURE),
    "chain-of-thought": (chain_of_thought, ThoughtsConfig, Thoughts((), UNSURE)),
    "chain-of-thought-sc": (self_consistency, VotesConfig, Thoughts((), UNSURE)),
}


def thoughts(answer: str, *rationales: str) -> Thoughts:
    return Thoughts(rationales or ("A is B.", "B is C."), GiveAnswer(answer))


def play(method: str, *says: Any, **settings: Any) -> tuple[Answer, Player]:
    solve, config, _ = SOLVERS[method]
    value = list(says) if len(says) > 1 else says[0]
    player = Player(lambda request: value)
    return player.play(solve("Who?", config(**settings))), player


def is_unproven(answer: Answer) -> bool:
    return answer.is_model_memory and answer.is_fallback and not answer.proof


def test_io_asks_once_for_the_answer_alone() -> None:
    answer, player = play("io", GiveAnswer("Paris"))
    [asked] = player.steps
    assert isinstance(asked, Ask) and isinstance(asked.request, AnswerDirectly)
    assert (asked.n, asked.temperature) == (1, 0.0)
    assert answer.text == "Paris" and is_unproven(answer) and not answer.rationales


def test_a_line_of_thought_is_written_down_statement_by_statement() -> None:
    answer, player = play("chain-of-thought", thoughts("C"))
    assert [(n.node, n.parent, n.action, n.argument) for n in player.of(NodeAdded)] == [
        (0, None, "start", ""),
        (1, 0, "think", "A is B."),
        (2, 1, "think", "B is C."),
        (3, 2, "answer", "C"),
    ]
    assert is_unproven(answer) and answer.node == 3
    assert [(r.after, r.knowledge) for r in answer.rationales] == [("A is B.", ()), ("B is C.", ())]
    assert player.of(AnswerProposed) == [AnswerProposed(answer)]


def test_a_line_of_thought_is_no_longer_than_was_asked_for() -> None:
    _, player = play("chain-of-thought", thoughts("C"), max_rationales=2)
    [asked] = player.asked(SampleRationales)
    assert asked.request.most == 2  # type: ignore[attr-defined]


def test_the_most_frequent_answer_wins_however_few_give_it() -> None:
    said = [thoughts("Rome"), thoughts("Paris"), thoughts("paris."), thoughts("Oslo")]
    answer, player = play("chain-of-thought-sc", *said, samples=4)
    [asked] = player.asked(SampleRationales)
    assert (asked.n, asked.temperature) == (4, 0.7)
    assert answer.text == "Paris" and answer.value == pytest.approx(0.5) and is_unproven(answer)
    [sampled] = player.of(RationalesSampled)
    assert sampled.counts == (("paris", 2), ("rome", 1), ("oslo", 1)) and sampled.is_agreed
    [node] = [n for n in player.of(NodeAdded) if n.action == "answer"]
    assert (node.votes, node.samples) == (2, 4)


def test_of_equal_votes_the_answer_given_first_wins() -> None:
    answer, _ = play("chain-of-thought-sc", thoughts("Rome"), thoughts("Paris"), samples=2)
    assert answer.text == "Rome"


def test_one_sample_is_asked_without_chance() -> None:
    answer, player = play("chain-of-thought-sc", thoughts("Rome"), samples=1)
    assert player.asked(SampleRationales)[0].temperature == 0 and answer.text == "Rome"


@pytest.mark.parametrize("method", SOLVERS)
def test_a_model_that_cannot_tell_gives_no_answer_and_the_reason_is_told(method: str) -> None:
    answer, player = play(method, SOLVERS[method][2])
    assert not answer.is_answer and answer.limit == UNKNOWN and not answer.is_model_memory
    assert not any(f.answer.is_answer for f in player.of(AnswerProposed))


@pytest.mark.parametrize("method", SOLVERS)
def test_a_reply_nobody_can_read_gives_no_answer(method: str) -> None:
    answer, player = play(method, ValueError("nothing in it"))
    assert not answer.is_answer and answer.limit in (UNREAD, UNKNOWN)
    assert "could not be read" in player.of(Warned)[0].message


@pytest.mark.parametrize("method", SOLVERS)
def test_entities_to_start_from_are_shown_and_said_not_to_matter(method: str) -> None:
    _, player = play(method, SOLVERS[method][2], seeds=(entity("leo"),))
    assert player.of(NodeAdded)[0].entities == (entity("leo"),)
    assert player.of(Warned)[0].message == NO_STARTS


def test_settings_out_of_bounds_are_refused() -> None:
    with pytest.raises(InputError, match="samples must be between"):
        VotesConfig(samples=0)
    with pytest.raises(InputError, match="max_rationales must be between"):
        ThoughtsConfig(max_rationales=0)
