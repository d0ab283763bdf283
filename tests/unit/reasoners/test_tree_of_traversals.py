"""Tree-of-Traversals, driven by hand: the exact steps, facts and answers."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from kgcore.errors import IllegalMoveError, InputError
from kgcore.prompts import (
    Action,
    AnswerFromMemory,
    ChooseAction,
    ChooseEntities,
    ChooseEntity,
    ChooseRelation,
    ExpandKG,
    FindMentions,
    GiveAnswer,
    RateAnswer,
    RateSiblings,
    RateState,
    Rating,
    SelectEntities,
    SelectRelation,
    Think,
)
from kgcore.reasoners.traversals import TraversalConfig, tree_of_traversals
from kgcore.reasoners.traversals.states import TRANSITIONS, next_state
from kgcore.steps import (
    ActionRejected,
    Ask,
    Backtracked,
    Candidate,
    Edges,
    Link,
    NodeAdded,
    NodeExpanded,
    NodeMerged,
    NodeScored,
    Relations,
    Warned,
)
from tests.unit.reasoners.world import DIRECTOR, Player, entity

ACTIONS: list[Action] = [
    Think("hm"),
    ExpandKG(),
    SelectEntities(()),
    SelectRelation(0),
    GiveAnswer("x"),
]
STATES = ("default", "selecting_entities", "selecting_relation", "done")
LEGAL = {
    ("default", Think): "default",
    ("default", ExpandKG): "selecting_entities",
    ("default", GiveAnswer): "done",
    ("selecting_entities", SelectEntities): "selecting_relation",
    ("selecting_relation", SelectRelation): "default",
}


@pytest.mark.parametrize("state, action", list(itertools.product(STATES, ACTIONS)))
def test_the_state_machine_allows_exactly_the_papers_moves(state: Any, action: Action) -> None:
    wanted = LEGAL.get((state, type(action)))
    if wanted is None:
        before = dict(TRANSITIONS)
        with pytest.raises(IllegalMoveError):
            next_state(state, action)
        assert before == TRANSITIONS
    else:
        assert next_state(state, action) == wanted


def solve(player: Player, question: str = "Who was in Inception?", **settings: Any) -> Any:
    return player.play(tree_of_traversals(question, TraversalConfig(**settings)))


def one_hop(request: Any) -> Any:
    """Expand once along the cast, then answer with everyone found."""
    if isinstance(request, ChooseAction):
        if len(request.subgraph) == 0:
            return ExpandKG()
        found = tuple(t.object.id for t in request.subgraph.triples)
        return GiveAnswer("these people", found)
    return None


def test_a_chain_takes_exactly_these_steps() -> None:
    player = Player(one_hop)
    answer = solve(player, k=1)
    kinds = [type(s.request if isinstance(s, Ask) else s) for s in player.steps]
    assert kinds == [
        Link,  # spot the names of the question
        FindMentions,
        Link,
        ChooseAction,
        Relations,
        ChooseRelation,
        Edges,
        ChooseAction,
        RateAnswer,
    ]
    assert all(s.n == 1 and s.temperature == 0 for s in player.steps if isinstance(s, Ask))
    assert [p.value.name for p in answer.parts] == ["Leo", "Caine"]
    assert [t.text for t in answer.proof] == [
        "Inception – cast member – Leo",
        "Inception – cast member – Caine",
    ]
    assert not answer.is_model_memory


def test_a_chain_rates_only_answers() -> None:
    player = Player(one_hop)
    solve(player, k=1)
    assert len(player.of(NodeScored)) == 1
    assert not player.asked(RateState)


def test_samples_are_k_in_the_default_state_and_twice_as_many_when_selecting() -> None:
    player = Player(one_hop)
    solve(player, k=3)
    assert {s.n for s in player.asked(ChooseAction)} == {3}
    assert {s.n for s in player.asked(ChooseRelation)} == {6}
    assert {s.temperature for s in player.asked(ChooseRelation)} == {1.0}


def test_an_expansion_costs_at_most_two_model_requests() -> None:
    player = Player(one_hop)
    solve(player, k=3)
    linking = len(player.asked(FindMentions)) + len(player.asked(ChooseEntity))
    asks = [s for s in player.steps if isinstance(s, Ask)]
    assert len(asks) - linking <= 2 * len(player.of(NodeExpanded))


def test_without_economy_every_child_is_rated_and_every_choice_asked() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction) and len(request.subgraph) == 0:
            return [Think("first"), ExpandKG(), ExpandKG()]
        return one_hop(request)

    player = Player(policy)
    solve(player, rate_together=False, skip_single=False, spot_mentions=False, link_together=False)
    assert not player.asked(RateSiblings)
    assert len(player.asked(ChooseEntities)) > 0, "a single entity is asked about too"
    assert len(player.asked(ChooseEntity)) == 1
    assert len(player.asked(RateState)) + len(player.asked(RateAnswer)) == len(
        player.of(NodeScored)
    )


def test_siblings_are_rated_at_the_same_time() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction) and len(request.subgraph) == 0:
            return [Think("first"), ExpandKG(), ExpandKG()]
        return one_hop(request)

    player = Player(policy)
    solve(player, rate_together=False)
    pairs = [r for r in player.rounds if len(r) == 2 and all(isinstance(s, Ask) for s in r)]
    assert pairs


def test_identical_actions_are_one_child_with_its_votes() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction) and len(request.subgraph) == 0:
            return [ExpandKG(), Think("look"), ExpandKG()]
        return one_hop(request)

    player = Player(policy)
    solve(player)
    first = [n for n in player.of(NodeAdded) if n.parent == 0]
    assert [(n.action, n.votes, n.samples) for n in first] == [("expand", 2, 3), ("think", 1, 3)]


def test_the_same_samples_in_another_order_give_the_same_tree() -> None:
    trees = []
    for order in itertools.permutations([ExpandKG(), Think("look"), Think("see")]):

        def policy(request: Any, order: Any = order) -> Any:
            if isinstance(request, ChooseAction) and len(request.subgraph) == 0:
                return list(order)
            return one_hop(request)

        player = Player(policy)
        solve(player, max_expansions=6)
        trees.append([(n.node, n.parent, n.action, n.argument) for n in player.of(NodeAdded)])
    assert all(tree == trees[0] for tree in trees)


def rated_by(values: dict[str, float]) -> Any:
    """Rate a node by what was done last on the way to it."""

    def rate(request: Any) -> Any:
        if isinstance(request, RateSiblings):
            return tuple(rate(item) for item in request.items)
        if isinstance(request, RateState):
            return Rating(values.get(request.trajectory[-1].text, 0.5))
        if isinstance(request, RateAnswer):
            return Rating(values.get(request.answer.text, 0.9))
        return None

    return rate


def test_the_best_value_goes_first_then_the_deeper_then_the_older() -> None:
    rate = rated_by({"a": 0.4, "b": 0.6, "c": 0.6})

    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            if not request.trajectory:
                return [Think("a"), Think("b"), Think("c")]
            return [Think("d")] * 3
        return rate(request) if not isinstance(request, (FindMentions, ChooseEntity)) else None

    player = Player(policy)
    solve(player, max_expansions=4)
    by_id = {n.node: n for n in player.of(NodeAdded)}
    order = [by_id[f.node].argument for f in player.of(NodeExpanded)]
    assert order == ["", "b", "c", "d"], "b before c: older; then d at 0.5 before a at 0.4"


def test_going_back_is_told_with_the_values() -> None:
    rate = rated_by({"good": 0.7, "poor": 0.6, "worse": 0.1})

    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            last = request.trajectory[-1].text if request.trajectory else ""
            nexts = {
                "": [Think("good"), Think("poor"), Think("poor")],
                "good": [Think("worse")] * 3,
            }
            return nexts.get(last, [GiveAnswer("Leo", ("w:leo",))] * 3)
        return rate(request) if not isinstance(request, (FindMentions, ChooseEntity)) else None

    player = Player(policy)
    solve(player)
    by_id = {n.node: n for n in player.of(NodeAdded)}
    [back] = player.of(Backtracked)
    assert (by_id[back.left].argument, by_id[back.to].argument) == ("good", "poor")
    assert (back.left_value, back.to_value) == (0.1, 0.6)
    assert back.reason == "value 0.60 is higher than 0.10"


def test_an_answer_rated_at_the_threshold_ends_the_search() -> None:
    rate = rated_by({"weak": 0.79, "strong": 0.8})

    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            if not request.trajectory:
                return [GiveAnswer("weak"), Think("more"), Think("more")]
            return [GiveAnswer("strong")] * 3
        return rate(request) if not isinstance(request, (FindMentions, ChooseEntity)) else None

    player = Player(policy)
    answer = solve(player)
    assert (answer.text, answer.value) == ("strong", 0.8)
    assert len(player.of(NodeExpanded)) == 2


def test_only_answering_is_allowed_at_the_maximum_depth() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            if request.allowed == ("answer",):
                return GiveAnswer("forced")
            return Think(f"thought {len(request.trajectory)}")
        return None

    player = Player(policy)
    answer = solve(player, k=1)
    assert answer.text == "forced"
    last = player.asked(ChooseAction)[-1].request
    assert len(last.trajectory) == 7  # type: ignore[attr-defined]


def test_after_the_last_expansion_the_best_node_is_made_to_answer() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            return (
                GiveAnswer("at last")
                if request.allowed == ("answer",)
                else Think(str(request.key()))
            )
        return None

    player = Player(policy)
    answer = solve(player, max_expansions=3, max_depth=50)
    assert answer.text == "at last"
    assert len(player.of(NodeExpanded)) == 3


@pytest.mark.parametrize(
    "settings, limit",
    [
        ({"max_expansions": 3, "max_depth": 50}, "limit: 3 expansions"),
        ({"k": 1, "max_depth": 2}, "limit: depth 2"),
    ],
)
def test_a_search_that_a_limit_ended_without_an_answer_says_so(
    settings: dict[str, int], limit: str
) -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            if request.allowed == ("answer",):
                return GiveAnswer("cannot tell", is_unknown=True)
            return Think(str(len(request.trajectory)))
        return None

    answer = solve(Player(policy), **settings)
    assert (answer.is_answer, answer.limit) == (False, limit)


def test_a_search_that_ended_by_itself_met_no_limit() -> None:
    unknown = GiveAnswer("cannot tell", is_unknown=True)
    answer = solve(Player(lambda r: unknown if isinstance(r, ChooseAction) else None))
    assert (answer.is_answer, answer.limit) == (False, "")


def test_after_the_last_expansion_the_best_answer_found_is_taken() -> None:
    rate = rated_by({"so so": 0.5, "bad": 0.2})

    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            return [GiveAnswer("bad"), GiveAnswer("so so"), Think(str(len(request.trajectory)))]
        return rate(request) if not isinstance(request, (FindMentions, ChooseEntity)) else None

    answer = solve(Player(policy), max_expansions=2)
    assert (answer.text, answer.value, answer.is_answer) == ("so so", 0.5, True)


@pytest.mark.parametrize(
    "given", [GiveAnswer("cannot tell", is_unknown=True), GiveAnswer("rated zero")]
)
def test_cannot_tell_and_value_zero_are_no_answer(given: GiveAnswer) -> None:
    rate = rated_by({"rated zero": 0.0})
    player = Player(lambda r: given if isinstance(r, ChooseAction) else rate(r))
    player.policy = lambda r: (
        given
        if isinstance(r, ChooseAction)
        else None
        if isinstance(r, (FindMentions, ChooseEntity))
        else rate(r)
    )
    answer = solve(player)
    assert not answer.is_answer


def test_the_fallback_answers_from_memory_and_says_so() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            return GiveAnswer("cannot tell", is_unknown=True)
        return None

    answer = solve(Player(policy), fallback=True)
    assert (answer.text, answer.is_fallback, answer.is_model_memory) == ("from memory", True, True)
    player = Player(policy)
    assert not solve(player).is_answer
    assert not player.asked(AnswerFromMemory)


def test_a_fallback_that_cannot_be_read_is_told() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            return GiveAnswer("cannot tell", is_unknown=True)
        return ValueError("nothing in it") if isinstance(request, AnswerFromMemory) else None

    player = Player(policy)
    assert not solve(player, fallback=True).is_answer
    assert len(player.of(Warned)) == 1


def test_no_entity_linked_leaves_no_way_to_expand() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, FindMentions):
            return ("Nowhere",)
        if isinstance(request, ChooseAction):
            assert "expand" not in request.allowed
            return GiveAnswer("a guess")
        return None

    player = Player(policy, links={"Nowhere": ()})
    answer = solve(player)
    assert answer.is_model_memory
    assert [w.message for w in player.of(Warned)] == ["“Nowhere” was not found in the graphs"]


def test_all_samples_unreadable_is_rejected_visibly_and_ends_in_no_answer() -> None:
    def policy(request: Any) -> Any:
        return [ValueError("no action in it")] * 3 if isinstance(request, ChooseAction) else None

    player = Player(policy)
    answer = solve(player)
    assert not answer.is_answer
    assert len(player.of(ActionRejected)) >= 3


def test_an_illegal_move_is_rejected_and_its_siblings_go_on() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction) and not request.trajectory:
            return [SelectRelation(0), GiveAnswer("Leo", ("w:leo",)), ExpandKG()]
        return None

    player = Player(policy)
    answer = solve(player)
    assert answer.text == "Leo"
    assert [r.text for r in player.of(ActionRejected)] == ["select_relation"]


def test_a_child_that_equals_a_node_of_the_tree_is_not_expanded() -> None:
    one, other = entity("inception").id, entity("interstellar").id

    def policy(request: Any) -> Any:
        if isinstance(request, FindMentions):
            return ("Inception", "Interstellar")
        if isinstance(request, ChooseEntities):
            return [SelectEntities((one,)), SelectEntities((other,))] * 3
        return one_hop(request)

    elsewhere = Candidate(replace(entity("interstellar"), kg="other"), 1.0)
    links = {"Interstellar": (elsewhere,)}
    player = Player(policy, links, same_as=((one, other),))
    solve(player, skip_single=False)
    picks = [n.node for n in player.of(NodeAdded) if n.action == "select_entities"]
    assert [(f.node, f.into) for f in player.of(NodeMerged)] == [(picks[1], picks[0])]
    assert picks[1] not in {f.node for f in player.of(NodeExpanded)}


def test_a_relation_that_brings_nothing_new_is_rejected() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseAction):
            return ExpandKG() if len(request.trajectory) < 6 else GiveAnswer("enough")
        return None

    player = Player(policy)
    solve(player, k=1)
    assert any("nothing new" in r.reason for r in player.of(ActionRejected))


def test_a_follow_up_starts_from_its_seeds() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, FindMentions):
            return ()
        return one_hop(request)

    player = Player(policy)
    answer = solve(player, "And who else?", k=1, seeds=(entity("inception"),))
    assert [p.value.name for p in answer.parts] == ["Leo", "Caine"]


def test_both_directions_of_a_relation_stay_apart() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, FindMentions):
            return ("Nolan",)
        if isinstance(request, ChooseRelation):
            names = [(o.relation.id, o.direction) for o in request.options]
            assert (DIRECTOR.id, "in") in names
            return SelectRelation(names.index((DIRECTOR.id, "in")))
        return one_hop(request)

    player = Player(policy)
    solve(player, "What did Nolan direct?", k=1)
    [step] = [s for s in player.steps if isinstance(s, Edges)]
    assert (step.relation, step.direction) == (DIRECTOR.id, "in")


def test_a_setting_out_of_range_is_refused() -> None:
    for bad in ({"k": 0}, {"k": 51}, {"threshold": 1.5}, {"edge_limit": 0}):
        with pytest.raises(InputError):
            TraversalConfig(**bad)
