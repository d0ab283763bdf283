"""Relations fit clues by their labels, in the direction the words ask for."""

from __future__ import annotations

import pytest

import kgcore.llm.offline.fit as fit_module
from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.fit import FLOOR, fit, meant, ranked_clues
from kgcore.llm.offline.lexicon import label_stems
from kgcore.llm.offline.question import analyse
from kgcore.model import Relation, RelationId
from kgcore.steps import RelationOption


def option(label: str, direction: str = "out", inverse: str = "") -> RelationOption:
    """Return an option of this label."""
    relation = Relation(RelationId(f"p:{label}"), label, inverse)
    return RelationOption(relation, direction, 1, ())  # type: ignore[arg-type]


def fit_of(question: str, label: str, direction: str = "out", inverse: str = "") -> float:
    """Return how well a relation fits the first clue of weight of a question about M."""
    analysis = analyse(question, ("M",))
    number = next(i for i in analysis.orders[0] if not analysis.clues[i].is_soft)
    return fit(
        analysis.clues[number], option(label, direction, inverse), analysis.directions[0][number]
    )


@pytest.mark.parametrize(
    "question,right,wrong",
    [
        ("Who directed M?", "director", "producer"),
        ("When was M born?", "date of birth", "place of birth"),
        ("Where was M born?", "place of birth", "date of birth"),
        ("Where did M die?", "place of death", "place of birth"),
        ("Who wrote M?", "author", "director"),
        ("Who starred in M?", "cast member", "member of"),
        ("What is the official language of M?", "official language", "language of work or name"),
        ("Who is M's wife?", "spouse", "sibling"),
        ("谁导演了M？", "director", "producer"),
        ("M的首都是哪里？", "capital", "capital cost"),
    ],
)
def test_the_right_label_fits_better(question: str, right: str, wrong: str) -> None:
    assert fit_of(question, right) >= FLOOR
    assert fit_of(question, right) > fit_of(question, wrong)


@pytest.mark.parametrize("label", ["written_by", "writtenBy", "written by", "film.written_by"])
def test_identifiers_fit_like_labels(label: str) -> None:
    assert fit_of("Who wrote M?", label) >= FLOOR


def test_labels_that_only_share_a_word_are_not_alike() -> None:
    cause, place = label_stems("cause of death"), label_stems("place of death")
    assert likeness(cause, place) < FLOOR <= likeness(cause, label_stems("death"))


def test_back_along_the_same_relation_only_a_good_fit_counts() -> None:
    analysis = analyse("Who was born in the birthplace of M?", ("M",))
    back = option("place of birth", "in")

    def best(is_retraced: bool) -> float:
        known = frozenset({analysis.orders[0][0]})
        return ranked_clues(analysis, back, 0, known, is_first=False, is_retraced=is_retraced)[0][1]

    assert FLOOR <= best(True) < best(False)
    rough = analyse("What is the deathplace of the birthplace of M?", ("M",))
    assert not ranked_clues(
        rough, back, 0, frozenset({rough.orders[0][0]}), is_first=False, is_retraced=True
    )


def test_the_wrong_direction_fits_worse() -> None:
    assert fit_of("Which films did M direct?", "director", "in") > fit_of(
        "Which films did M direct?", "director", "out"
    )
    assert fit_of("Who is the father of M?", "father", "out") > fit_of(
        "Who is the father of M?", "father", "in"
    )


def test_an_inverse_relation_fits_against_its_direction() -> None:
    assert fit_of("Who are the children of M?", "father", "in") > fit_of(
        "Who are the children of M?", "father", "out"
    )


def test_inverse_labels_are_read_too() -> None:
    asked = "Who are the children of M?"
    assert fit_of(asked, "begotten by", "in", inverse="child") >= FLOOR
    assert fit_of(asked, "begotten by", "out", inverse="child") < FLOOR


def test_an_inverse_label_of_the_same_words_says_nothing_new() -> None:
    asked = "What is the capital of M?"
    assert fit_of(asked, "capital", "out") > fit_of(asked, "capital", "in", inverse="capital of")


def test_unknown_words_fit_the_label_that_holds_them() -> None:
    assert fit_of("What is the shoe size of M?", "shoe size") >= FLOOR
    assert fit_of("What is the shoe size of M?", "size of hat") < FLOOR


def test_generic_words_count_little() -> None:
    assert likeness(label_stems("place of birth"), label_stems("place of death")) < FLOOR
    assert likeness(label_stems("date of birth"), label_stems("birth")) > FLOOR


def option_to(label: str, *types: str) -> RelationOption:
    """Return an option that leads to things of these types."""
    relation = Relation(RelationId(f"p:{label}"), label)
    return RelationOption(relation, "out", 1, (), target_types=types)


@pytest.mark.parametrize(
    "question,right,wrong",
    [
        ("What is the hair colour of M?", "hair color", "place of birth"),
        ("How many seats are there in M?", "number of seats", "country"),
        ("What percentage of M is covered with water?", "water as percent of area", "population"),
    ],
)
def test_labels_of_like_meaning_fit(question: str, right: str, wrong: str) -> None:
    assert fit_of(question, right) >= FLOOR
    assert fit_of(question, wrong) < FLOOR


def test_without_an_encoder_words_fit_by_their_stems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_module, "vectors_of", lambda name: None)
    meant.cache_clear()
    try:
        assert fit_of("What is the shoe size of M?", "shoe size") >= FLOOR
        assert meant("movie", "film") == 0.0
    finally:
        meant.cache_clear()


@pytest.mark.parametrize(
    "question,right,wrong",
    [
        ("When was M born?", "date of birth", "place of birth"),
        ("How did M die?", "cause of death", "place of death"),
        ("When did M form?", "inception", "location of formation"),
        ("Where did M form?", "location of formation", "inception"),
    ],
)
def test_what_is_asked_for_rules_out_other_kinds(question: str, right: str, wrong: str) -> None:
    assert fit_of(question, right) >= FLOOR
    assert fit_of(question, wrong) == 0.0


def test_what_something_is_is_a_kind_and_nothing_else_is() -> None:
    assert fit_of("What is M?", "instance of") >= FLOOR
    assert fit_of("Who directed M?", "instance of") == 0.0


def test_a_relation_that_leads_to_the_kind_asked_for_may_be_meant() -> None:
    analysis = analyse("Which films did the writer of M direct?", ("M",))
    writer, films = analysis.orders[0][0], analysis.orders[0][-1]
    known = frozenset((writer,))
    explained = dict(ranked_clues(analysis, option_to("made", "film"), 0, known, is_first=False))
    assert films not in explained  # "direct" comes first
    assert films in dict(
        ranked_clues(
            analysis,
            option_to("made", "film"),
            0,
            frozenset(analysis.orders[0][:-1]),
            is_first=False,
        )
    )
    assert not ranked_clues(
        analysis,
        option_to("made", "film"),
        0,
        frozenset(analysis.orders[0][:-1]),
        is_first=False,
        here=frozenset((films,)),
    )
