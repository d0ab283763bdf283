"""How names are compared, and which spans of a question may be names."""

import pytest

from kgcore.kg.mentions import features, fold, is_stop, loosen, spans, without_brackets


@pytest.mark.parametrize(
    "one, other",
    [
        ("Beyoncé", "beyonce"),
        ("STRAẞE", "strasse"),
        ("O’Brien", "O'Brien"),
        ("  two   words ", "two words"),
        ("Ａｖａｔａｒ", "avatar"),
    ],
)
def test_names_written_alike_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    "one, other",
    [("C#", "C"), ("が", "か"), ("한", "하"), ("盗梦空间", "盗梦")],
)
def test_different_names_keep_different_keys(one: str, other: str) -> None:
    assert loosen(one) != loosen(other)


@pytest.mark.parametrize(
    "text, key",
    [
        ("Schindler's List", "schindlers list"),
        ("Spider-Man: Homecoming", "spider man homecoming"),
        ("J.R.R. Tolkien", "j r r tolkien"),
        ("《盗梦空间》", "盗梦空间"),
        ("!!!", "!!!"),
        ("R&B", "r&b"),
        ("naïve", "naive"),
        ("", ""),
    ],
)
def test_a_key_has_no_punctuation(text: str, key: str) -> None:
    assert loosen(text) == key


def test_a_key_is_bounded() -> None:
    assert len(loosen("x" * 100_000)) == 200
    assert len(loosen("é" * 100_000)) == 200


def test_brackets_at_the_end_are_set_apart() -> None:
    assert without_brackets("Titanic (1997)") == "Titanic"
    assert without_brackets("盗梦空间（电影）") == "盗梦空间"
    assert without_brackets("(What's So) Funny") == "(What's So) Funny"


def test_features_are_words_that_say_something() -> None:
    assert features("the 2010 film of Nolan") == {"2010", "film", "nolan"}
    assert "电影" in features("美国电影")


@pytest.mark.parametrize("text", ["who is", "the", "是谁", "哪部", "What", "der"])
def test_question_words_are_stop_words(text: str) -> None:
    assert is_stop(text)


def names(question: str) -> set[str]:
    return {name for span in spans(question) for _, name in span.names}


@pytest.mark.parametrize(
    "question, expected",
    [
        ("Who directed Inception's sequel?", {"Inception", "Inception's"}),
        ("the Beatles' drummer", {"Beatles"}),
        ("Is Titanic (1997) long?", {"Titanic", "Titanic (1997)"}),
        ('Who wrote "A Day in the Life"?', {"A Day in the Life"}),
        ("谁导演了盗梦空间？", {"盗梦空间"}),
        ("¿Quién dirigió Avatar?", {"Avatar"}),
    ],
)
def test_spans_hold_the_name_as_written(question: str, expected: set[str]) -> None:
    assert expected <= names(question)


def test_spans_of_stop_words_alone_are_left_out() -> None:
    assert names("Who is the?") == set()
    assert names("是谁的？") == set()


def test_spans_come_longest_first() -> None:
    lengths = [span.end - span.start for span in spans("Who met the King of Spain in Paris?")]
    assert lengths == sorted(lengths, reverse=True)


def test_a_very_long_question_is_cut_into_a_bounded_number_of_spans() -> None:
    assert len(spans("word " * 500)) <= 500 * 12
    assert len(spans("词" * 500)) <= 500 * 24


def test_a_quoted_span_is_marked() -> None:
    quoted = [span.names[0][1] for span in spans("Who sang “Help me” first?") if span.is_quoted]
    assert quoted == ["Help me"]
