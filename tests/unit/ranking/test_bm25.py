"""BM25 over the options of one question."""

from __future__ import annotations

from kgcore.ranking import Bm25Ranker, ranker_called
from kgcore.ranking.bm25 import bm25


def test_a_word_that_few_options_hold_counts_more_than_a_common_one() -> None:
    options = ["film award", "film director", "film genre"]
    ranking = Bm25Ranker().rank("which award did the film get", options)
    assert ranking.order == (0, 1, 2)
    assert ranking.scores[0] == 1.0
    assert 0 < ranking.scores[1] == ranking.scores[2] < 0.5


def test_of_two_options_with_the_word_the_shorter_comes_first() -> None:
    options = ["place of burial in the country", "country"]
    assert Bm25Ranker().rank("which country", options).order == (1, 0)


def test_values_are_those_of_the_formula() -> None:
    # one shared stem in one of two texts: ln(1 + 1.5 / 1.5); the text has the mean length
    (first, second) = bm25(["a"], [["a", "b"], ["c", "d"]])
    assert round(first, 4) == 0.6931
    assert second == 0.0


def test_nothing_shared_keeps_the_order() -> None:
    ranking = Bm25Ranker().rank("who", ["cast", "genre"])
    assert (ranking.order, ranking.scores) == ((0, 1), (0.0, 0.0))
    assert Bm25Ranker().rank("who", []).order == ()


def test_a_setting_names_its_ranker() -> None:
    assert ranker_called("words").name == "stems"
    assert ranker_called("bm25").name == "bm25"
    assert ranker_called("embedding").name == ranker_called("model").name
