"""Reading scores: a table of replies as models write them."""

from __future__ import annotations

from importlib import resources

import pytest
import yaml

from kgcore.errors import UnreadableReplyError
from kgcore.model import EntityId, Literal, Relation, RelationId, Subgraph
from kgcore.model.terms import Entity
from kgcore.prompts import EntityGroup, JudgePaths, RelationGroup, ScoreEntities, ScoreRelations
from kgcore.prompts.sets import FilePromptSet
from kgcore.steps import RelationOption

FILM = Entity(EntityId("t:film"), "Inception")


def option(name: str, label: str) -> RelationOption:
    return RelationOption(Relation(RelationId(name), label), "out", 1, (FILM.id,))


DIRECTED = option("t:film.film.directed_by", "directed by (film)")
CAST = option("t:cast", "cast, in order: actors")
YEAR = option("t:year", "year")
LENGTH = option("t:length", "length")
SUBGRAPH = Subgraph().add(entities=[FILM])


def relations(*groups: tuple[RelationOption, ...], language: str = "en") -> ScoreRelations:
    return ScoreRelations(
        "Who made Inception?",
        tuple(RelationGroup("Inception", FILM.id, SUBGRAPH, (), options) for options in groups),
        3,
        language=language,
    )


REQUEST = relations((DIRECTED, CAST), (YEAR, LENGTH))

READ = {
    "R1: 0.7\nR3: 0.3": (0.7, 0, 0.3, 0),
    "R3: 0.3 – it was in 2010\nR1: 0.7 - by whom": (0.7, 0, 0.3, 0),
    "1. R1: 0.7\n2. R3: 0.3": (0.7, 0, 0.3, 0),
    "- **R1**: 0.7\n- **R3**: 0.3": (0.7, 0, 0.3, 0),
    "R1 directed by (film): 0.7": (0.7, 0, 0, 0),
    "directed by (film): 0.7": (0.7, 0, 0, 0),
    "directed by (film) (0.7)": (0.7, 0, 0, 0),
    "{directed by (film) (Score: 0.7)}: it says who made it": (0.7, 0, 0, 0),
    "1. {t:film.film.directed_by (SCORE: 0.7)}: who made it.": (0.7, 0, 0, 0),
    "t:film.film.directed_by = 70%": (0.7, 0, 0, 0),
    "cast, in order: actors: 0.4": (0, 0.4, 0, 0),
    "R2 (score 0.4)": (0, 0.4, 0, 0),
    "R2 | 0.4 | because": (0, 0.4, 0, 0),
    "R2 → 4/10": (0, 0.4, 0, 0),
    "R2 : score = 0.4": (0, 0.4, 0, 0),
    "R1：0.7；R3：0.3": (0.7, 0, 0.3, 0),
    '{"R1": 0.7, "R3": 0.3}': (0.7, 0, 0.3, 0),
    '```json\n{"scores": [{"relation": "R1", "score": 0.7, "reason": "made by"}]}\n```': (
        0.7,
        0,
        0,
        0,
    ),
    '[{"relation": "year", "score": "0.3"}]': (0, 0, 0.3, 0),
    "Some thoughts first.\nR4: 1": (0, 0, 0, 1),
    "none": (0, 0, 0, 0),
    "R1: 0\nR2: 0.0": (0, 0, 0, 0),
}

UNREADABLE = {
    "R9: 0.7": "R9 was not offered",
    "R1: 2.0": "not between 0 and 1",
    "R1: 0.7\nR1: 0.2": "twice",
    "I like the first one best": "no scores",
    "R1: high": "no scores",
    "": "no scores",
    "producer: 0.7": "was not offered",
    "[0.7, 0.3]": "without names",
    '{"R1": "high"}': "no score",
}


@pytest.mark.parametrize("reply", READ)
def test_a_reply_reads_as_its_scores(reply: str) -> None:
    groups = REQUEST.read(reply)
    assert [len(group) for group in groups] == [2, 2]
    assert tuple(r.value for group in groups for r in group) == READ[reply]


@pytest.mark.parametrize("reply", UNREADABLE)
def test_a_reply_that_scores_something_else_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReplyError, match=UNREADABLE[reply]):
        REQUEST.read(reply)


def test_the_reason_comes_with_the_score() -> None:
    assert REQUEST.read("R1: 0.7 – says who made it")[0][0].reason == "says who made it"


def test_things_with_one_name_are_told_apart_by_their_handles() -> None:
    twins = (Entity(EntityId("t:1"), "Paris"), Entity(EntityId("t:2"), "Paris"), Literal("1999"))
    request = ScoreEntities("?", (EntityGroup("x", "place", twins),))
    assert [r.value for r in request.read("C2: 0.6\nC3: 0.1")[0]] == [0, 0.6, 0.1]
    with pytest.raises(UnreadableReplyError, match="more than one"):
        request.read("Paris: 0.6")


def test_a_thing_without_a_label_keeps_its_place() -> None:
    things = (Entity(EntityId("t:1")), Entity(EntityId("t:2"), "Lyon"))
    request = ScoreEntities("?", (EntityGroup("x", "place", things),))
    assert [r.value for r in request.read("t:1: 0.2\nLyon: 0.8")[0]] == [0.2, 0.8]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_handles_run_through_all_groups_of_the_prompt(language: str) -> None:
    text = (
        relations((DIRECTED, CAST), (YEAR, LENGTH), language=language).render(FilePromptSet()).text
    )
    assert [text.index(f"R{n} ") for n in range(1, 5)] == sorted(
        text.index(f"R{n} ") for n in range(1, 5)
    )
    assert "Inception:" in text


def test_what_was_left_out_is_counted_in_the_prompt() -> None:
    request = ScoreEntities("?", (EntityGroup("x", "place", (FILM,), 17),))
    assert "17 more" in request.render(FilePromptSet()).text


JUDGE = JudgePaths("Who?", SUBGRAPH, (), ())


@pytest.mark.parametrize(
    "reply",
    [
        "Thought: fine\nEnough: yes\nAnswer: Inception\nEntities: E1",
        "Enough: Yes. Inception",
        "{Yes}. Inception",
        "Yes, Inception",
        "ENOUGH: YES\nANSWER: Inception",
        '{"enough": true, "answer": "Inception"}',
        "足够: 是\n答案: Inception",
    ],
)
def test_a_yes_brings_its_answer(reply: str) -> None:
    verdict = JUDGE.read(reply)
    assert verdict.is_enough
    assert verdict.answer is not None
    assert verdict.answer.text == "Inception"
    assert verdict.answer.entities == (FILM.id,)


@pytest.mark.parametrize("reply", ["Enough: no", "{No}. The cast is missing.", "No", "足够: 否"])
def test_a_no_brings_none(reply: str) -> None:
    verdict = JUDGE.read(reply)
    assert not verdict.is_enough
    assert verdict.answer is None


@pytest.mark.parametrize("reply", ["Yes", "{Yes}", "Enough: yes", "yes."])
def test_a_bare_yes_is_never_the_answer(reply: str) -> None:
    with pytest.raises(UnreadableReplyError, match="no answer is given"):
        JUDGE.read(reply)


def test_yes_can_be_the_answer_where_it_is_given_as_one() -> None:
    verdict = JUDGE.read("Enough: yes\nAnswer: Yes")
    assert verdict.answer is not None
    assert verdict.answer.text == "Yes"


def test_enough_for_an_answer_that_cannot_tell_is_not_enough() -> None:
    assert not JUDGE.read("Enough: yes\nAnswer: I do not know").is_enough


def test_a_reply_that_says_neither_is_unreadable() -> None:
    with pytest.raises(UnreadableReplyError, match="was not said"):
        JUDGE.read("The facts are interesting.")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["score_relations", "score_entities"])
def test_the_replies_of_worked_examples_read_as_scores(name: str, language: str) -> None:
    file = resources.files("kgcore.prompts") / "templates" / language / "examples" / f"{name}.yaml"
    things = tuple(Entity(EntityId(f"t:{n}"), f"thing {n}") for n in range(4))
    request = {
        "score_relations": relations((DIRECTED, CAST, YEAR, LENGTH)),
        "score_entities": ScoreEntities("?", (EntityGroup("x", "place", things),)),
    }[name]
    for example in yaml.safe_load(file.read_text("utf-8")):
        n_scored = sum(rating.value > 0 for rating in request.read(example["reply"])[0])
        assert n_scored == len(example["reply"].strip().splitlines())
