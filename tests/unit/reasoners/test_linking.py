"""From the mentions in a question to entities, driven by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kgcore.model import Entity, Subgraph
from kgcore.prompts import ChooseEachEntity, ChooseEntity, FindMentions
from kgcore.reasoners.linking import link_question, without_names
from kgcore.reasoners.traversals import TraversalConfig
from kgcore.steps import Ask, Candidate, Candidates, Describe, Link, QuestionLinked, Seed, Warned
from tests.unit.reasoners.world import Player, entity, says

INCEPTION, STORM = entity("inception"), entity("storm")
NAMES = ("Inception", "Storm")
TWO = (Candidate(INCEPTION, 0.6), Candidate(STORM, 0.5))


def link(player: Player, **settings: Any) -> tuple[Subgraph, tuple[Seed, ...]]:
    linked: tuple[Subgraph, tuple[Seed, ...]] = player.play(
        link_question("Who directed Inception?", TraversalConfig(**settings))
    )
    return linked


class Spotting(Player):
    """A player whose graph has a label index that spots Inception."""

    def answer(self, step: Any) -> Any:
        if isinstance(step, Link) and step.is_question:
            return Candidates((Candidate(INCEPTION, 1.0, "Inception"),))
        return super().answer(step)


def mentions(*texts: str) -> Any:
    return lambda request: texts if isinstance(request, FindMentions) else None


def test_a_question_takes_these_steps() -> None:
    player = Player(links={"Inception": TWO})
    subgraph, seeds = link(player)
    assert [type(s) for s in player.steps] == [Link, Ask, Link, Ask]
    assert [e.id for e in subgraph.entities] == [INCEPTION.id]
    assert seeds == (Seed("Inception", INCEPTION),)


def test_mentions_are_linked_at_the_same_time() -> None:
    player = Player(mentions("Inception", "Storm"))
    link(player)
    assert [s.text for s in player.rounds[2]] == ["Inception", "Storm"]


def test_a_spotted_mention_is_not_looked_up_again() -> None:
    player = Spotting()
    link(player)
    assert [s.is_question for s in player.steps if isinstance(s, Link)] == [True]


def test_none_of_these_leaves_the_mention_unlinked() -> None:
    player = Player(
        lambda r: says(None) if isinstance(r, ChooseEntity) else None, links={"Inception": TWO}
    )
    subgraph, seeds = link(player)
    assert not subgraph.entities
    assert seeds == (Seed("Inception", None),)
    [told] = player.of(Warned)
    assert told.is_doubt and "not found" not in told.message
    assert INCEPTION.name in told.message and STORM.name in told.message


def test_a_thing_that_a_person_named_is_taken_without_doubt() -> None:
    named = Entity("u:bay", "Storm Bay", kg="u")
    twins = {"Inception": TWO, "Storm": (*TWO, Candidate(replace(STORM, kg="u"), 0.5))}
    player = Player(mentions("Inception", "Storm"), links=twins)

    def said(request: Any) -> Any:
        if not isinstance(request, ChooseEachEntity):
            return mentions(*NAMES)(request)
        graphs = [item.candidates[0].entity.kg for item in request.items]
        return tuple(named if kg == "u" else None for kg in graphs)

    player.policy = said
    subgraph, seeds = link(player)
    [asked] = player.asked(ChooseEachEntity)
    assert named in subgraph.entities and named in [seed.entity for seed in seeds]
    assert len(asked.request.items) == 3
    assert not any("may also be" in w.message for w in player.of(Warned))


def test_only_a_name_that_no_graph_has_is_said_not_to_be_found() -> None:
    player = Player(mentions("Nowhere"), links={"Nowhere": ()})
    _, seeds = link(player)
    assert seeds == (Seed("Nowhere", None),)
    assert [w.message for w in player.of(Warned)] == ["“Nowhere” was not found in the graphs"]


@pytest.mark.parametrize("kind", [FindMentions, ChooseEntity])
def test_an_unreadable_reply_is_told(kind: type) -> None:
    player = Player(
        lambda r: ValueError("nothing in it") if isinstance(r, kind) else None,
        links={"Inception": TWO},
    )
    link(player)
    assert len([w for w in player.of(Warned) if "could not be read" in w.message]) == 1


def test_what_several_mentions_stand_for_is_asked_in_one_request() -> None:
    player = Player(mentions("Inception", "Storm"), links={"Inception": TWO, "Storm": TWO})
    player.policy = lambda r: (0, 1) if isinstance(r, ChooseEachEntity) else mentions(*NAMES)(r)
    _, seeds = link(player)
    [asked] = player.asked(ChooseEachEntity)
    assert [item.mention for item in asked.request.items] == list(NAMES)
    assert not player.asked(ChooseEntity)
    assert seeds == (Seed("Inception", INCEPTION), Seed("Storm", STORM))


def test_a_sure_mention_between_unclear_ones_keeps_its_entity() -> None:
    names = ("Storm", "Leo", "Inception")
    player = Player(links={"Inception": TWO, "Storm": TWO})
    player.policy = lambda r: (1, None) if isinstance(r, ChooseEachEntity) else mentions(*names)(r)
    _, seeds = link(player)
    assert seeds == (Seed("Storm", STORM), Seed("Leo", entity("leo")), Seed("Inception", None))


@pytest.mark.parametrize("together", [True, False])
def test_where_the_choice_cannot_be_read_the_best_match_is_taken_and_told(together: bool) -> None:
    rivals = (Candidate(STORM, 0.5), Candidate(INCEPTION, 0.6))
    player = Player(links={"Inception": rivals, "Storm": TWO})
    player.policy = lambda r: (
        ValueError("nothing in it")
        if isinstance(r, ChooseEachEntity | ChooseEntity)
        else mentions(*NAMES)(r)
    )
    _, seeds = link(player, link_together=together)
    assert seeds == (Seed("Inception", INCEPTION), Seed("Storm", INCEPTION))
    told = [w.message for w in player.of(Warned)]
    assert any("could not be read" in text and "best match" in text for text in told)
    assert sum("it may also be" in text for text in told) == 2


def test_apart_each_mention_is_asked_by_itself() -> None:
    player = Player(mentions(*NAMES), links={"Inception": TWO, "Storm": TWO})
    link(player, link_together=False)
    assert len(player.asked(ChooseEntity)) == 2
    assert not player.asked(ChooseEachEntity)


def test_a_close_choice_is_told_and_a_clear_one_is_not() -> None:
    for score, n in ((0.9, 1), (0.5, 0)):
        rivals = (Candidate(INCEPTION, 0.95), Candidate(STORM, score))
        player = Player(links={"Inception": rivals})
        player.policy = lambda r: 0 if isinstance(r, ChooseEntity) else mentions("Inception")(r)
        link(player)
        told = [w.message for w in player.of(Warned) if w.is_doubt]
        assert len(told) == n
        assert all(
            f"was taken for {INCEPTION.name}" in text and STORM.name in text for text in told
        )


def test_links_between_graphs_are_asked_for_only_where_entities_are_of_several() -> None:
    other = replace(STORM, kg="other")
    for found, n in ((STORM, 0), (other, 1)):
        player = Player(mentions(*NAMES), links={"Storm": (Candidate(found, 1.0),)})
        link(player)
        assert sum(isinstance(step, Describe) for step in player.steps) == n


def test_entities_that_a_graph_links_are_one_from_the_start() -> None:
    other = replace(STORM, kg="other")
    player = Player(
        mentions(*NAMES),
        links={"Storm": (Candidate(other, 1.0),)},
        same_as=((INCEPTION.id, STORM.id),),
    )
    subgraph, seeds = link(player)
    assert len(subgraph.entities) == 1
    assert {m.id for m in subgraph.members(INCEPTION.id)} == {INCEPTION.id, STORM.id}
    assert {seed.entity for seed in seeds} == {subgraph.entity(INCEPTION.id)}
    [linked] = player.of(QuestionLinked)
    assert linked.seeds == seeds


def test_names_are_left_out_of_the_question_longest_first() -> None:
    seeds = (Seed("Nolan", None), Seed("Christopher Nolan", None), Seed("", None))
    assert without_names("Did Christopher Nolan or nolan direct it?", seeds) == (
        "Did … or … direct it?"
    )
