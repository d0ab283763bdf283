"""ReAct by hand: thoughts and steps over the graph of world.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.model import Entity, Literal, Triple
from kgcore.prompts import (
    ChooseEachEntity,
    ChooseEntity,
    GiveAnswer,
    Move,
    SampleRationales,
    Search,
    SelectRelation,
    TakeStep,
    Thoughts,
)
from kgcore.reasoners.baselines import ReActConfig, ReActThoughtsConfig, react, react_or_thoughts
from kgcore.reasoners.baselines.walk import FEW, NOTHING_NEW, UNSETTLED
from kgcore.steps import (
    ActionRejected,
    Answer,
    AnswerProposed,
    Ask,
    Candidate,
    Candidates,
    Edges,
    EdgeSet,
    Link,
    NodeAdded,
    NodeExpanded,
    QuestionLinked,
    RationalesSampled,
    Relations,
    Replies,
    Reply,
    Warned,
)
from tests.unit.reasoners.world import BORN, CAST, DATE, DIRECTOR, Player, entity

NOLAN, LONDON = entity("nolan"), entity("london")
QUESTION = "Where was the director of Inception born?"
Script = Callable[[TakeStep], Any]


def follow(request: TakeStep, label: str) -> SelectRelation:
    """Choose the relation of this name among those that are listed."""
    return SelectRelation([option.phrase for option in request.options].index(label))


def steps(*moves: Any) -> Script:
    """A script that takes these steps: a name to search, `→ relation`, an entity to open, or an answer."""
    left = list(moves)

    def take(request: TakeStep) -> Any:
        move = left.pop(0) if left else "nothing"
        if isinstance(move, str):
            is_relation = move.startswith("→ ")
            return Move(follow(request, move[2:]) if is_relation else Search(move), "why not")
        if isinstance(move, Entity):
            return Move(Search("", (move.id,)))
        return Move(move) if isinstance(move, GiveAnswer) else move

    return take


def answers(*entities: Entity, text: str = "") -> GiveAnswer:
    return GiveAnswer(text or ", ".join(e.name for e in entities), tuple(e.id for e in entities))


BORN_IN_LONDON = ("Inception", "→ director", "→ place of birth", answers(LONDON))


def walk(
    script: Script,
    question: str = QUESTION,
    *,
    player: Player | None = None,
    sampled: tuple[Thoughts, ...] = (),
    **settings: Any,
) -> tuple[Answer, Player]:
    def policy(request: Any) -> Any:
        if isinstance(request, SampleRationales):
            return list(sampled)
        return script(request) if isinstance(request, TakeStep) else None

    player = player or Player()
    player.policy = policy
    if sampled:
        values = {"samples": len(sampled), **settings}
        return player.play(react_or_thoughts(question, ReActThoughtsConfig(**values))), player
    return player.play(react(question, ReActConfig(**settings))), player


# the walk


def test_two_hops_are_four_steps_and_their_edges_are_the_proof() -> None:
    answer, player = walk(steps(*BORN_IN_LONDON), max_steps=4)
    assert answer.text == "London" and answer.value == 1.0
    assert [(t.relation, t.object) for t in answer.proof] == [(DIRECTOR, NOLAN), (BORN, LONDON)]
    assert not answer.is_model_memory and not answer.is_fallback
    kinds = [type(s) for s in player.steps]
    search, hop = [Ask, Link, Relations], [Ask, Edges, Relations]
    assert kinds == [Link, *search, *hop, *hop, Ask]


def test_thought_and_step_follow_each_other_on_one_path() -> None:
    _, player = walk(steps(*BORN_IN_LONDON))
    nodes = player.of(NodeAdded)
    assert [n.action for n in nodes] == [
        "start", "think", "search", "think", "select_relation", "think", "select_relation", "answer",
    ]  # fmt: skip
    assert [n.parent for n in nodes] == [None, *range(7)]
    assert [n.depth for n in nodes] == list(range(8))
    assert [len(n.triples) for n in nodes if n.action == "select_relation"] == [1, 1]
    assert [e.order for e in player.of(NodeExpanded)] == [1, 2, 3, 4]


def test_what_came_back_is_what_the_next_request_shows() -> None:
    _, player = walk(steps(*BORN_IN_LONDON))
    first, second, third, *_ = [a.request for a in player.asked(TakeStep)]
    assert not first.options and not first.opened and first.left == 7  # type: ignore[attr-defined]
    assert second.opened == (entity("inception").id,) and second.left == 6  # type: ignore[attr-defined]
    assert {o.relation for o in second.options} == {CAST, DIRECTOR, DATE}  # type: ignore[attr-defined]
    assert NOLAN.id in third.subgraph and third.opened == (NOLAN.id,)  # type: ignore[attr-defined]
    assert BORN in {o.relation for o in third.options}  # type: ignore[attr-defined]
    assert [t.kind for t in third.trajectory] == ["think", "search", "think", "select_relation"]  # type: ignore[attr-defined]


FILM = entity("inception")
CROWD = tuple(Triple(FILM, CAST, entity(f"actor {n}")) for n in range(FEW + 1))


@pytest.mark.parametrize(
    "label, fetched, opened",
    [
        ("cast member", EdgeSet(CROWD[:FEW]), [t.object for t in CROWD[:FEW]]),
        ("cast member", EdgeSet(CROWD), [FILM]),
        ("cast member", EdgeSet(CROWD[:2], more=((FILM.id, 9),)), [FILM]),
        ("publication date", EdgeSet((Triple(FILM, DATE, Literal("2010")),)), [FILM]),
    ],
)
def test_only_a_few_things_are_opened_by_the_relation_that_leads_to_them(
    label: str, fetched: EdgeSet, opened: list[Any]
) -> None:
    class Cast(Player):
        def answer(self, step: Any) -> Any:
            return fetched if isinstance(step, Edges) else super().answer(step)

    _, player = walk(steps("Inception", f"→ {label}"), player=Cast(), max_steps=3)
    last = player.asked(TakeStep)[-1].request
    assert list(last.opened) == [thing.id for thing in opened]  # type: ignore[attr-defined]


def test_several_things_are_opened_together_and_compared() -> None:
    films = (entity("inception").id, entity("interstellar").id)
    script = steps(
        "Inception",
        "Interstellar",
        Move(Search("", films)),
        "→ publication date",
        answers(entity("inception")),
    )
    answer, player = walk(script, "Which came out first, Inception or Interstellar?")
    assert {t.relation for t in answer.proof} == {DATE} and len(answer.proof) == 2
    [fetched] = [s for s in player.steps if isinstance(s, Edges)]
    assert fetched.entities == films


def test_an_answer_that_nothing_fetched_supports_is_model_memory() -> None:
    answer, _ = walk(steps("Inception", answers(text="Paris")))
    assert answer.is_answer and answer.is_model_memory and answer.is_fallback
    assert answer.value == 0 and not answer.proof


def test_a_name_the_model_came_up_with_proves_nothing() -> None:
    """That Nolan directed it was remembered, not looked up: the answer hangs in the air."""
    answer, player = walk(steps("Nolan", "→ place of birth", answers(LONDON)))
    assert answer.is_model_memory and not answer.proof
    assert not player.of(QuestionLinked)


def test_a_name_of_the_question_may_be_written_otherwise() -> None:
    answer, player = walk(
        steps("INCEPTION", "→ director", answers(NOLAN)), "Who directed Inception?"
    )
    assert answer.proof and player.of(QuestionLinked)[0].seeds[0].mention == "INCEPTION"


def test_it_starts_from_given_entities() -> None:
    film = entity("inception")
    script = steps(film, "→ director", answers(NOLAN))
    answer, player = walk(script, "Who directed it?", seeds=(film,))
    assert answer.proof and not [
        s for s in player.steps if isinstance(s, Link) and not s.is_question
    ]
    assert player.of(QuestionLinked)[0].seeds[0].entity == film


def test_names_that_an_index_spotted_are_offered_and_not_looked_up_again() -> None:
    class Indexed(Player):
        def answer(self, step: Any) -> Any:
            if isinstance(step, Link) and step.is_question:
                return Candidates((Candidate(entity("inception"), 1.0, "Inception"),))
            return super().answer(step)

    answer, player = walk(steps(*BORN_IN_LONDON), player=Indexed())
    assert [type(s) for s in player.steps][:3] == [Link, Ask, Relations] and answer.proof
    asked = player.asked(TakeStep)[0].request
    assert [c.mention for c in asked.spotted] == ["Inception"]  # type: ignore[attr-defined]
    _, other = walk(steps(*BORN_IN_LONDON), player=Indexed(), spot_mentions=False)
    assert not other.asked(TakeStep)[0].request.spotted  # type: ignore[attr-defined]


# what goes wrong


def test_without_an_answer_the_walk_ends_at_its_last_step_and_says_so() -> None:
    answer, player = walk(steps("Inception"), max_steps=3)
    assert not answer.is_answer and answer.limit == "limit: 3 steps"
    assert len(player.asked(TakeStep)) == 3
    assert [a.request.left for a in player.asked(TakeStep)] == [3, 2, 1]  # type: ignore[attr-defined]


def test_a_model_that_cannot_tell_ends_the_walk_without_an_answer_and_the_reason_is_told() -> None:
    answer, player = walk(steps(GiveAnswer("I cannot tell", is_unknown=True)))
    assert not answer.is_answer and answer.limit == UNSETTLED and len(player.asked(TakeStep)) == 1
    assert player.of(AnswerProposed)[0].answer == answer


def test_an_unknown_name_is_told_and_the_walk_goes_on() -> None:
    player = Player(links={"Nessie": ()})
    answer, _ = walk(steps("Nessie", *BORN_IN_LONDON), player=player)
    assert "“Nessie” was not found" in player.of(Warned)[0].message
    assert "“Nessie” → –" in player.asked(TakeStep)[1].request.trajectory[-1].text  # type: ignore[attr-defined]
    assert answer.proof


def test_an_unreadable_reply_costs_a_step_and_is_shown() -> None:
    answer, player = walk(steps(ValueError("no step was taken"), *BORN_IN_LONDON))
    [rejected] = player.of(ActionRejected)
    assert rejected.reason == "no step was taken" and rejected.node == 0
    assert answer.proof and len(player.asked(TakeStep)) == 5
    shown = [a.request.fields(None)[0]["steps"] for a in player.asked(TakeStep)]  # type: ignore[attr-defined]
    assert "no step was taken" not in shown[0]
    assert all("1. “?” → no step was taken" in text for text in shown[1:])


def test_a_long_reply_nobody_can_read_leaves_room_for_the_reason() -> None:
    class Talker(Player):
        def answer(self, step: Any) -> Any:
            if isinstance(step, Ask):
                return Replies((Reply("Well,\nI " + "really " * 200, None, "no step was taken"),))
            return super().answer(step)

    _, player = walk(steps(), player=Talker(), max_steps=2)
    told = player.asked(TakeStep)[1].request.trajectory[-1].text  # type: ignore[attr-defined]
    assert told.startswith("“Well, I really") and told.endswith("…” → no step was taken")


def test_a_relation_that_brings_nothing_new_is_rejected_and_remembered() -> None:
    _, player = walk(steps("Inception", "→ director", FILM, "→ director", answers(NOLAN)))
    [rejected] = player.of(ActionRejected)
    assert (rejected.text, rejected.reason) == ("director", NOTHING_NEW)
    assert "“director” → –" in player.asked(TakeStep)[-1].request.trajectory[-1].text  # type: ignore[attr-defined]


def test_a_name_that_several_graphs_have_is_opened_in_each() -> None:
    twin = Entity("x:7", "Inception", kg="other")
    both = (Candidate(entity("inception"), 1.0), Candidate(twin, 1.0))
    player = Player(links={"Inception": both}, same_as=((entity("inception").id, twin.id),))
    _, player = walk(steps("Inception", answers(NOLAN)), player=player)
    assert len(player.asked(TakeStep)[1].request.opened) == 1  # type: ignore[attr-defined]
    [listed] = [s for s in player.steps if isinstance(s, Relations)]
    assert set(listed.entities) == {entity("inception").id, twin.id}


def test_what_a_name_stands_for_is_asked_where_it_is_unclear() -> None:
    two = (Candidate(entity("inception"), 0.8), Candidate(entity("storm"), 0.7))
    _, player = walk(steps("Inception"), player=Player(links={"Inception": two}), max_steps=1)
    assert len(player.asked(ChooseEntity)) == 1 and not player.asked(ChooseEachEntity)
    assert any(w.is_doubt for w in player.of(Warned))


# the fallback


def test_a_walk_with_an_answer_does_not_fall_back() -> None:
    answer, player = walk(steps(*BORN_IN_LONDON), sampled=(Thoughts((), GiveAnswer("Rome")),) * 3)
    assert answer.text == "London" and not player.asked(SampleRationales)


@pytest.mark.parametrize("end", [GiveAnswer("I cannot tell", is_unknown=True), "Inception"])
def test_without_an_answer_lines_of_thought_vote(end: Any) -> None:
    said = tuple(Thoughts(("A.",), GiveAnswer(a)) for a in ("Rome", "Paris", "Paris"))
    answer, player = walk(steps(end), sampled=said, max_steps=1)
    assert answer.text == "Paris" and answer.is_model_memory and answer.is_fallback
    [sampled] = player.of(RationalesSampled)
    assert sampled.counts[0] == ("paris", 2)
    numbers = [n.node for n in player.of(NodeAdded)]
    assert numbers == list(range(len(numbers)))


def test_where_nobody_can_tell_the_walk_says_why_it_ended() -> None:
    silent = (Thoughts((), GiveAnswer("I cannot tell", is_unknown=True)),) * 2
    answer, _ = walk(steps("Inception"), sampled=silent, max_steps=1)
    assert not answer.is_answer and answer.limit == "limit: 1 steps"


def test_settings_out_of_bounds_are_refused() -> None:
    with pytest.raises(InputError, match="max_steps must be between"):
        ReActConfig(max_steps=0)
    with pytest.raises(InputError, match="samples must be between"):
        ReActThoughtsConfig(samples=0)
