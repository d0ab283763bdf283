"""Texts are compared by meaning where an encoder is installed, and by their stems where none is."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from kgcore.errors import ServiceError
from kgcore.ranking import MeaningRanker, Vectors, default_ranker, encoders, vectors
from kgcore.ranking.encoders import load_encoder

AXES = {"wife": 0, "spouse": 0, "city": 1, "place": 1}


class ToyEncoder:
    """Words on a few axes: what shares an axis means the same."""

    name = "toy"
    floor = 0.0

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str], *, is_question: bool = False) -> Any:
        self.encoded += texts
        rows = np.zeros((len(texts), 3))
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                if word in AXES:
                    row[AXES[word]] += 1
        return rows


def test_meaning_finds_what_shares_no_word() -> None:
    ranking = MeaningRanker(Vectors(ToyEncoder())).rank("his wife", ["place", "spouse"])
    assert ranking.order == (1, 0)
    assert ranking.scores == (0.5, 0.0)


def test_shared_stems_count_as_much_as_meaning() -> None:
    ranking = MeaningRanker(Vectors(ToyEncoder())).rank("who directed it", ["spouse", "director"])
    assert ranking.order == (1, 0)


def test_nothing_to_rank_is_ranked_as_nothing() -> None:
    assert MeaningRanker(Vectors(ToyEncoder())).rank("his wife", []).order == ()


def test_a_text_without_meaning_is_near_to_nothing() -> None:
    assert Vectors(ToyEncoder()).nearness("", ["spouse", ""]) == [0.0, 0.0]


def test_a_label_is_encoded_once() -> None:
    encoder = ToyEncoder()
    table = Vectors(encoder)
    for _ in range(3):
        table.nearness("his wife", ["spouse", "city", "spouse"])
    assert encoder.encoded.count("spouse") == encoder.encoded.count("city") == 1


def test_only_so_many_labels_are_kept_and_the_oldest_goes() -> None:
    encoder = ToyEncoder()
    table = Vectors(encoder, kept=2)
    table.nearness("", ["wife", "spouse"])
    table.nearness("", ["wife", "city"])
    assert len(table) == 2
    table.nearness("", ["wife"])
    assert encoder.encoded.count("wife") == 1
    table.nearness("", ["spouse"])
    assert encoder.encoded.count("spouse") == 2


def test_more_labels_than_are_kept_are_compared_all_the_same() -> None:
    assert Vectors(ToyEncoder(), kept=1).nearness("wife", ["spouse", "city"]) == [1.0, 0.0]


def test_several_threads_share_a_table() -> None:
    table = Vectors(ToyEncoder(), kept=3)
    wrong: list[object] = []

    def compare() -> None:
        for _ in range(200):
            if table.nearness("wife", ["spouse", "city", "place", "wife"]) != [1.0, 0.0, 0.0, 1.0]:
                wrong.append(table)

    threads = [threading.Thread(target=compare) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_encoder_that_comes_along_works_without_network() -> None:
    table = Vectors(load_encoder("wordllama"))
    near = table.nearness("Who is the wife of him?", ["spouse", "elevation above sea level"])
    assert near[0] > near[1]
    assert table.likeness("movie", "film") > table.likeness("movie", "river") + 0.2


def test_stems_alone_rank_where_no_encoder_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ServiceError(f"the encoder {name} cannot be loaded")

    monkeypatch.setattr(vectors, "load_encoder", broken)
    vectors.vectors_of.cache_clear()
    try:
        ranker = default_ranker()
        assert ranker.name == "stems"
        assert ranker.rank("who directed it", ["spouse", "director"]).order == (1, 0)
    finally:
        vectors.vectors_of.cache_clear()


def test_a_package_that_breaks_on_loading_is_a_service_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(module: object) -> encoders.Encoder:
        raise OSError("weights are missing")

    monkeypatch.setattr(encoders, "ENCODERS", {"json": broken})
    with pytest.raises(ServiceError, match="weights are missing"):
        load_encoder("json")


def test_the_first_ranker_of_a_process_is_that_of_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vectors, "load_encoder", lambda name: ToyEncoder())
    vectors.vectors_of.cache_clear()
    try:
        first = default_ranker()
        assert first.name == "stems+toy"
        first.rank("his wife", ["spouse"])
        assert default_ranker().name == first.name
    finally:
        vectors.vectors_of.cache_clear()


def test_nothing_is_loaded_before_something_is_ranked() -> None:
    code = (
        "import sys; from kgcore.ranking import default_ranker; default_ranker();"
        "sys.exit('wordllama' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_loading_leaves_the_logging_of_the_program_alone() -> None:
    code = (
        "import logging, sys; from kgcore.ranking import best_vectors;"
        "assert best_vectors() is not None; root = logging.getLogger();"
        "sys.exit(bool(root.handlers) or root.level != logging.WARNING)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
