"""Think-on-Graph and ToG-R, driven by hand: the exact steps, beams and answers."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.model import Literal, Relation, RelationId, Triple
from kgcore.prompts import (
    AnswerFromPaths,
    ChooseEachEntity,
    FindMentions,
    GiveAnswer,
    JudgePaths,
    Rating,
    ScoreEntities,
    ScoreRelations,
    Verdict,
)
from kgcore.reasoners.think_on_graph import ThinkOnGraphConfig, think_on_graph
from kgcore.reasoners.think_on_graph.relations import is_administrative
from kgcore.steps import (
    ActionRejected,
    Ask,
    Candidate,
    Candidates,
    Describe,
    Edges,
    Link,
    NodeAdded,
    NodePruned,
    NodeScored,
    Rank,
    RelationOption,
    Relations,
    Warned,
)
from tests.unit.reasoners import world
from tests.unit.reasoners.world import BORN, CAST, DATE, DIRECTOR, Player, entity, says

ASKED = (FindMentions, ScoreRelations, ScoreEntities, JudgePaths, AnswerFromPaths)


def solve(player: Player, *, is_sampled: bool = False, **settings: Any) -> Any:
    config = ThinkOnGraphConfig(**settings)
    question = "Where was the director of Inception born?"
    return player.play(think_on_graph(question, config, is_sampled=is_sampled))


def prefers(*labels: str) -> Any:
    """Score these relations, the first highest, all things alike, and see enough when London is there."""

    def policy(request: Any) -> Any:
        if isinstance(request, ScoreRelations):
            return tuple(
                tuple(
                    Rating(1.0 - 0.1 * labels.index(o.relation.label))
                    if o.relation.label in labels
                    else Rating(0.0)
                    for o in group.options
                )
                for group in request.groups
            )
        if isinstance(request, JudgePaths):
            found = {getattr(t.object, "id", "") for t in request.subgraph.triples}
            if "w:london" in found:
                return Verdict(True, GiveAnswer("London", (entity("london").id,)))
            return Verdict(False)
        return None

    return policy


def kinds(player: Player) -> list[str]:
    return [
        type(s.request).__name__ if isinstance(s, Ask) else type(s).__name__ for s in player.steps
    ]


def told(player: Player) -> list[str]:
    return [f.message for f in player.of(Warned)]


def test_the_steps_of_a_search_are_these() -> None:
    player = Player(prefers("director", "place of birth"))
    answer = solve(player)
    assert kinds(player) == [
        "Link",
        "FindMentions",
        "Link",
        "Relations",
        "ScoreRelations",
        "Edges",  # one director: nothing to prune
        "JudgePaths",
        "Relations",
        "ScoreRelations",
        "Edges",
        "Edges",  # but for the film it came from, one film: nothing to prune either
        "JudgePaths",
    ]
    assert answer.text == "London"
    assert [t.text for t in answer.proof] == [
        "Inception – director – Nolan",
        "Nolan – place of birth – London",
    ]


def test_incoming_edges_are_asked_with_the_entity_as_object() -> None:
    player = Player(prefers("director"))
    solve(player, max_depth=2)
    first, second = (s for s in player.steps if isinstance(s, Edges))
    assert (first.entities, first.direction) == (("w:inception",), "out")
    assert (second.entities, second.direction) == (("w:nolan",), "in")
    added = [f for f in player.of(NodeAdded) if f.depth == 2 and f.action == "beam"]
    assert [t.text for f in added for t in f.triples] == ["Interstellar – director – Nolan"]


def test_each_path_knows_its_parent_and_is_connected() -> None:
    player = Player()
    solve(player)
    nodes = {f.node: f for f in player.of(NodeAdded)}
    for fact in nodes.values():
        if fact.action != "beam" or fact.depth < 2:
            continue
        (triple,) = fact.triples
        (before,) = nodes[fact.parent].triples
        ends = {triple.subject, triple.object} & {before.subject, before.object}
        assert ends, f"{before.text} / {triple.text}"


def test_the_beam_keeps_the_best_by_both_scores_and_drops_zeros() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ScoreRelations):
            scores = {"cast member": 0.6, "director": 0.3, "publication date": 0.1}
            return tuple(
                tuple(Rating(scores.get(o.relation.label, 0.0)) for o in g.options)
                for g in request.groups
            )
        if isinstance(request, ScoreEntities):
            scores = {"Leo": 0.0, "Caine": 0.4, "Nolan": 1.0, "2010-07-16": 1.0}
            return tuple(
                tuple(Rating(scores.get(t.name, 0.5)) for t in g.things) for g in request.groups
            )
        return None

    player = Player(policy)
    solve(player, width=2, max_depth=1, skip_single=False)
    values = {f.node: f.value for f in player.of(NodeScored)}
    pruned = {f.node for f in player.of(NodePruned)}
    beam = {
        f.argument: (values[f.node], f.node in pruned)
        for f in player.of(NodeAdded)
        if f.action == "beam"
    }
    assert beam == {
        "director → Nolan": (0.3, False),
        "cast member → Caine": (0.24, False),
        "cast member → Leo": (0.0, True),
    }


def test_equal_scores_keep_the_order_in_which_they_were_found() -> None:
    player = Player()
    solve(player, width=2, max_depth=1, skip_single=False)
    pruned = {f.node for f in player.of(NodePruned)}
    beam = [f for f in player.of(NodeAdded) if f.action == "beam"]
    assert [f.argument for f in beam if f.node not in pruned] == [
        "cast member → Leo",
        "cast member → Caine",
    ]
    assert [f.argument for f in beam if f.node in pruned] == ["publication date → 2010-07-16"]


def test_a_beam_is_scored_in_one_request_and_fetched_relation_by_relation() -> None:
    player = Player()
    solve(player, width=3, max_depth=3)
    for depth_asks in (player.asked(ScoreRelations), player.asked(ScoreEntities)):
        assert len(depth_asks) <= 3
    assert len([s for s in player.steps if isinstance(s, Relations)]) <= 3
    assert len([s for s in player.steps if isinstance(s, Edges)]) <= 9
    assert len([s for s in player.steps if isinstance(s, Ask)]) <= 12


GRAPH_STEPS = (Link, Relations, Edges, Describe)


@pytest.mark.parametrize("is_spotted", [True, False])
@pytest.mark.parametrize("is_sampled", [True, False])
def test_a_question_never_takes_more_than_twelve_requests_and_a_link_for_each_mention(
    monkeypatch: pytest.MonkeyPatch, is_spotted: bool, is_sampled: bool
) -> None:
    """Everything is unclear, everything leads on, and nothing is ever enough."""
    names = ("Alpha", "Beta", "Gamma", "Delta")
    fan = [Relation(RelationId(f"w:r{n}"), f"relation {n}") for n in range(5)]
    layers = [
        [entity(f"{layer}{n}") for n in range(4)] for layer in ("alpha", "beta", "gamma", "delta")
    ]
    monkeypatch.setattr(
        world,
        "TRIPLES",
        [
            Triple(one, relation, other)
            for above, below in itertools.pairwise(layers)
            for one in above
            for other in below
            for relation in fan
        ],
    )
    unclear = tuple(Candidate(one, 0.5) for one in layers[0])

    class Unclear(Player):
        def answer(self, step: Any) -> Any:
            if isinstance(step, Link) and step.is_question and is_spotted:
                return Candidates(tuple(replace(c, mention=n) for n in names for c in unclear))
            return super().answer(step)

    def policy(request: Any) -> Any:
        if isinstance(request, FindMentions):
            return names
        if isinstance(request, ChooseEachEntity):
            return tuple(range(len(names)))
        return None

    player = Unclear(policy, links=dict.fromkeys(names, unclear))
    solve(player, is_sampled=is_sampled)
    n_model = sum(isinstance(step, Ask) for step in player.steps)
    n_graph = sum(isinstance(step, GRAPH_STEPS) for step in player.steps)
    assert n_model == (9 if is_sampled else 12)
    assert n_graph - len(names) <= 12 + (not is_spotted)  # a graph without a label index spots none


def test_one_at_a_time_each_path_and_each_group_has_a_request_of_its_own() -> None:
    together, apart = Player(), Player()
    solve(together, width=2, max_depth=2, skip_single=False)
    solve(apart, width=2, max_depth=2, skip_single=False, is_batched=False)
    assert all(len(a.request.groups) == 1 for a in apart.asked(ScoreRelations))
    assert len(apart.asked(ScoreEntities)) > len(together.asked(ScoreEntities))


def test_a_value_can_be_the_end_of_a_path_and_the_answer() -> None:
    date = Literal("2010-07-16", "xsd:date")

    def policy(request: Any) -> Any:
        if isinstance(request, JudgePaths):
            return Verdict(True, GiveAnswer("2010-07-16", (), (date,)))
        return prefers("publication date")(request)

    answer = solve(Player(policy))
    assert answer.parts[0].value == date
    assert answer.parts[0].is_supported
    assert [t.relation for t in answer.proof] == [DATE]


def test_a_path_that_ends_at_a_value_is_not_searched_on() -> None:
    player = Player(prefers("publication date"))
    solve(player)
    assert len([s for s in player.steps if isinstance(s, Relations)]) == 1


def test_when_the_depth_is_used_up_the_answer_comes_from_what_was_found_and_is_marked() -> None:
    player = Player(prefers("cast member"))
    answer = solve(player, max_depth=1)
    assert kinds(player)[-2:] == ["JudgePaths", "AnswerFromPaths"]
    assert (answer.text, answer.is_fallback, answer.proof) == ("as far as I know", True, ())
    assert answer.is_model_memory


def test_own_knowledge_can_be_ruled_out() -> None:
    answer = solve(Player(prefers("cast member")), max_depth=1, own_knowledge=False)
    assert not answer.is_answer


def test_a_search_that_the_depth_ended_without_an_answer_says_so() -> None:
    ended = solve(Player(prefers("cast member")), max_depth=1, own_knowledge=False)
    assert ended.limit == "limit: depth 1"
    led_nowhere = solve(Player(prefers("publication date")), max_depth=1, own_knowledge=False)
    assert led_nowhere.limit == ""


def test_nothing_linked_asks_only_for_own_knowledge() -> None:
    player = Player(lambda r: () if isinstance(r, FindMentions) else None)
    answer = solve(player)
    assert kinds(player) == ["Link", "FindMentions", "AnswerFromPaths"]
    assert answer.is_fallback


def test_unreadable_scores_are_shown_and_the_ranker_stands_in() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ScoreRelations):
            return says(ValueError("5 scores for 2"))
        return None

    player = Player(policy)
    solve(player, max_depth=1)
    (rejected,) = player.of(ActionRejected)
    assert rejected.reason == "the scores are unreadable"
    assert any(isinstance(s, Rank) for s in player.steps)
    assert any(isinstance(s, Edges) for s in player.steps)


def test_an_unreadable_verdict_is_told_and_the_search_goes_on() -> None:
    player = Player(lambda r: says(ValueError("?")) if isinstance(r, JudgePaths) else None)
    solve(player, max_depth=2)
    assert len(player.asked(JudgePaths)) == 2
    assert any("suffice" in f.message for f in player.of(Warned))


@pytest.mark.parametrize("pruner", ["words", "bm25", "embedding"])
def test_a_cheap_pruner_scores_without_a_request(pruner: str) -> None:
    player = Player(prefers())
    solve(player, pruner=pruner, max_depth=2)
    assert not player.asked(ScoreRelations)
    assert not player.asked(ScoreEntities)
    assert any(isinstance(s, Edges) for s in player.steps)


def test_scores_are_sampled_at_the_temperature_of_the_paper_and_verdicts_at_none() -> None:
    player = Player()
    solve(player, max_depth=1, skip_single=False)
    warm = {ScoreRelations, ScoreEntities}
    for ask in (s for s in player.steps if isinstance(s, Ask)):
        assert ask.temperature == (0.4 if type(ask.request) in warm else 0.0)


def test_the_beam_starts_from_at_most_n_of_the_entities_in_the_question() -> None:
    player = Player(
        lambda r: ("Inception", "Interstellar") if isinstance(r, FindMentions) else None
    )
    solve(player, width=1, max_depth=1)
    (relations,) = (s for s in player.steps if isinstance(s, Relations))
    assert relations.entities == ("w:inception",)


def test_sampled_entities_are_not_scored_and_are_the_same_for_the_same_seed() -> None:
    def reached(seed: int) -> list[str]:
        player = Player(prefers("cast member"))
        solve(player, is_sampled=True, width=1, max_depth=1, seed=seed)
        assert not player.asked(ScoreEntities)
        return [f.argument for f in player.of(NodeAdded) if f.action == "beam"]

    assert reached(1) == reached(1)
    assert len({tuple(reached(seed)) for seed in range(12)}) == 2


def test_too_many_things_are_cut_by_nearness_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Triple(entity("inception"), CAST, entity(f"actor{n}")) for n in range(30)]
    monkeypatch.setattr(world, "TRIPLES", many)
    player = Player(prefers("cast member"))
    solve(player, max_depth=1, max_things=5)
    (ask,) = player.asked(ScoreEntities)
    (group,) = ask.request.groups
    assert (len(group.things), group.n_left_out) == (5, 25)
    assert told(player) == ["25 of 30 ends of “cast member” after “Inception” were not looked at"]


def test_too_many_relations_are_cut_by_nearness_and_counted() -> None:
    player = Player()
    solve(player, max_depth=1, max_options=2)
    (ask,) = player.asked(ScoreRelations)
    (group,) = ask.request.groups
    assert len(group.options) == 2
    assert told(player) == ["1 of 3 relations after “Inception” were not looked at"]


def test_what_a_sample_leaves_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Triple(entity("inception"), CAST, entity(f"actor{n}")) for n in range(30)]
    monkeypatch.setattr(world, "TRIPLES", many)
    player = Player(prefers("cast member"))
    solve(player, max_depth=1, is_sampled=True, max_things=20)
    assert told(player) == ["10 of 30 ends of “cast member” after “Inception” were not looked at"]
    (judged,) = player.asked(JudgePaths)
    assert len(judged.request.subgraph) == 20
    assert len([f for f in player.of(NodeAdded) if f.action == "beam"]) == 3


def test_an_answer_a_chain_leads_to_is_found_although_the_sample_goes_on_elsewhere() -> None:
    """Of two actors one is gone on from; the other is the answer, and its edge is in the answer's node."""
    for seed in range(6):

        def policy(request: Any) -> Any:
            if isinstance(request, JudgePaths):
                named = tuple(e.id for e in request.subgraph.entities if e.label == "Caine")
                return Verdict(True, GiveAnswer("Caine", named)) if named else Verdict(False)
            return prefers("cast member")(request)

        player = Player(policy)
        answer = solve(player, is_sampled=True, width=1, max_depth=1, seed=seed)
        assert [t.text for t in answer.proof] == ["Inception – cast member – Caine"]
        shown = [t for f in player.of(NodeAdded) for t in f.triples]
        assert set(answer.proof) <= set(shown)


def test_a_relation_leads_back_only_where_it_leads_elsewhere_too() -> None:
    player = Player(prefers("place of birth", "director"))
    solve(player, max_depth=3)
    (request,) = [
        a.request
        for a in player.asked(ScoreRelations)
        if any(g.entity == "w:nolan" for g in a.request.groups)
    ]
    (group,) = (g for g in request.groups if g.entity == "w:nolan")
    offered = {(o.relation, o.direction) for o in group.options}
    assert (DIRECTOR, "in") in offered  # two films: one of them is new
    assert (BORN, "out") in offered


def test_relations_that_keep_house_are_left_out_unless_wanted() -> None:
    def one(name: str, label: str) -> RelationOption:
        return RelationOption(Relation(RelationId(name), label), "out", 1, ())

    assert is_administrative(one("wdt:P373", "Commons category"))
    assert is_administrative(one("fb:common.topic.image", "image of"))
    assert not is_administrative(one("wdt:P17", "country"))
    assert not is_administrative(one("fb:film.film.country", "country"))


def test_administrative_relations_can_be_offered_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    category = Relation(RelationId("w:cat"), "Commons category")
    monkeypatch.setattr(world, "TRIPLES", [Triple(entity("inception"), category, Literal("Films"))])
    for administrative in (False, True):
        player = Player()
        solve(player, max_depth=1, administrative=administrative)
        assert bool(player.asked(ScoreRelations)) is administrative


@pytest.mark.parametrize(
    "settings",
    [
        {"width": 0},
        {"width": 21},
        {"max_depth": 0},
        {"max_depth": 999_999},
        {"edge_limit": 10**9},
        {"pruner": "guess"},
        {"temperature": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ThinkOnGraphConfig(**settings)
