"""Words are compared by stem, whatever their form, case or accents."""

from __future__ import annotations

import pytest

from kgcore.model import Relation, RelationId
from kgcore.ranking import StemRanker, overlap
from kgcore.ranking.stems import stem, stems, words


@pytest.mark.parametrize(
    "family",
    [
        ("direct", "directs", "directed", "directing", "director", "directors"),
        ("country", "countries"),
        ("star", "starred", "starring", "stars"),
        ("born", "birth"),
        ("compose", "composed", "composer"),
        ("publication", "published"),
        ("city", "cities"),
        ("capital", "capitals"),
    ],
)
def test_forms_of_a_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_different_words_keep_different_stems() -> None:
    different = ("father", "mother", "child", "spouse", "capital", "country", "city", "direct")
    assert len({stem(word) for word in different}) == len(different)


def test_identifiers_are_split_into_words() -> None:
    assert words("placeOfBirth") == ("place", "of", "birth")
    assert words("written_by") == ("written", "by")


def test_stop_words_count_only_when_there_is_nothing_else() -> None:
    assert stems("place of birth") == (stem("place"), "birth")
    assert stems("of") == ("of",)


def test_overlap_is_the_share_of_the_text_the_question_holds() -> None:
    assert overlap("Who directed Inception?", "director") == 1.0
    assert overlap("Where was she born?", "place of birth") == 0.5
    assert overlap("Where was she born?", "capital") == 0.0
    assert overlap("anything", "") == 0.0


def test_accents_and_width_do_not_matter() -> None:
    assert overlap("BEYONCÉ", "beyonce") == 1.0
    assert overlap("ＮＡＳＡ", "nasa") == 1.0


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    assert overlap("这部电影的出生地点在哪里", "出生地点") == 1.0
    assert overlap("导演是谁", "演员") == 0.0
    assert 0 < overlap("出生日期", "出生地") < 1


def test_the_best_option_comes_first_and_ties_keep_their_order() -> None:
    ranking = StemRanker().rank("Who directed it?", ["cast", "director", "genre"])
    assert ranking.order == (1, 0, 2)
    assert ranking.scores == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "question, label", [("Which films did … direct?", "director"), ("…导演了哪些电影？", "导演")]
)
def test_a_relation_read_backwards_ranks_like_its_label(question: str, label: str) -> None:
    backwards = Relation(RelationId("r"), label).phrase("in")
    assert overlap(question, backwards) == overlap(question, label) == 1.0
