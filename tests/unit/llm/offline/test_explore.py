"""The offline matcher in a beam search: scores of relations and things, and whether the paths suffice."""

from __future__ import annotations

from kgcore.llm.offline.explore import (
    answer_from_paths,
    judge_paths,
    score_entities,
    score_relations,
)
from kgcore.llm.offline.trails import analysis_of
from kgcore.model import Literal
from kgcore.prompts import (
    AnswerFromPaths,
    EntityGroup,
    JudgePaths,
    RelationGroup,
    ScoreEntities,
    ScoreRelations,
)
from tests.unit.llm.offline.conftest import World, entity

BIRTH = "Where was the director of Dunes born?"
DIRECTED = (("Dunes",), "director", "out")
BORN = (("Ada Reed",), "place of birth", "out")


def test_a_relation_that_explains_what_is_open_scores_highest(world: World) -> None:
    situation = world.situation(BIRTH, ["Dunes"])
    options = world.options(["Dunes"])
    group = RelationGroup("Dunes", entity("Dunes").id, situation["subgraph"], (), options)
    request = ScoreRelations(BIRTH, (group,), 3, situation["seeds"])
    (scores,) = score_relations(request)
    best = max(range(len(options)), key=lambda i: scores[i].value)
    assert options[best].relation.label == "director"
    date = next(i for i, o in enumerate(options) if o.relation.label == "publication date")
    assert scores[date].value < scores[best].value / 2


def test_what_was_followed_already_is_not_scored_high_again(world: World) -> None:
    situation = world.situation(BIRTH, ["Dunes"], [DIRECTED])
    options = world.options(["Ada Reed"])
    group = RelationGroup(
        "Dunes → director → Ada Reed",
        entity("Ada Reed").id,
        situation["subgraph"],
        situation["trajectory"],
        options,
    )
    (scores,) = score_relations(ScoreRelations(BIRTH, (group,), 3, situation["seeds"]))
    best = max(range(len(options)), key=lambda i: scores[i].value)
    assert (options[best].relation.label, options[best].direction) == ("place of birth", "out")


def test_a_thing_that_several_paths_lead_to_scores_highest() -> None:
    groups = (
        EntityGroup("Dunes", "cast member", (entity("Bo Lind"), entity("Cy Moor"))),
        EntityGroup("Tides", "cast member", (entity("Cy Moor"), entity("Di Nash"))),
    )
    first, second = score_entities(ScoreEntities("Who played in Dunes and Tides?", groups))
    assert first[1].value == second[0].value > first[0].value == second[1].value > 0


def test_what_the_question_says_of_a_thing_counts() -> None:
    things = (entity("Ada Reed"), Literal("1999"), Literal("2001"))
    (scores,) = score_entities(
        ScoreEntities("Which film of 1999 is it?", (EntityGroup("x", "y", things),))
    )
    assert scores[1].value > scores[0].value == scores[2].value > 0


def test_paths_that_explain_the_whole_question_suffice(world: World) -> None:
    request = JudgePaths(**world.situation(BIRTH, ["Dunes"], [DIRECTED, BORN]))
    verdict = judge_paths(request, analysis_of(request))
    assert verdict.is_enough
    assert verdict.answer is not None
    assert verdict.answer.entities == (entity("Norville").id,)


def test_paths_that_explain_a_part_do_not_suffice_and_nothing_is_known_beside_them(
    world: World,
) -> None:
    situation = world.situation(BIRTH, ["Dunes"], [DIRECTED])
    judged = JudgePaths(**situation)
    verdict = judge_paths(judged, analysis_of(judged))
    assert (verdict.is_enough, verdict.answer) == (False, None)
    request = AnswerFromPaths(**situation)
    assert answer_from_paths(request, analysis_of(request)).is_unknown
