"""What is searched for a name, and which names a question may hold."""

import pytest

from kgcore.kg.musicbrainz.searching import USUAL, Wanted, name_wanted, names_wanted


@pytest.mark.parametrize(
    "context, first",
    [
        ("", USUAL),
        ("American rock band", ("artist",)),
        ("human singer", ("artist",)),
        ("album by somebody", ("release-group",)),
        ("release group", ("release-group",)),
        ("the song and its recording", ("work", "recording")),
        ("city in Iceland", ("area",)),
        ("British record label", ("label",)),
        ("music venue in London", ("place",)),
        ("nothing of the kind", USUAL[:2]),
        ("美国乐队", ("artist",)),
    ],
)
def test_the_context_says_which_kinds_are_searched_first(
    context: str, first: tuple[str, ...]
) -> None:
    assert name_wanted("Anything", context).rounds[0] == first


def test_in_a_question_the_words_next_to_a_name_say_its_kind() -> None:
    question = 'Which band recorded the song "Morning" for the label Northern?'
    assert name_wanted("Northern", question).rounds[0] == ("label",)
    assert name_wanted("Morning", question).rounds[0] in (("recording",), ("work",))


@pytest.mark.parametrize(
    "question, names",
    [
        ("Who has been a member of Massive Attack?", ["Massive Attack"]),
        ("On which continent is the country of the artist Kool & The Gang?", ["Kool & The Gang"]),
        ('In which year was the album "in rainbows" by Radiohead released?', ["in rainbows", "Radiohead"]),
        ("Where was Björk born?", ["Björk"]),
        ("What did Ludwig van Beethoven write?", ["Ludwig van Beethoven"]),
        ("Did The Who record at Abbey Road or at Sun Studio in Memphis with Elvis Presley?",
         ["The Who", "Abbey Road", "Sun Studio in Memphis with Elvis Presley"]),
        ("who sang yesterday?", []),
        ("", []),
        ("?!", []),
    ],
)  # fmt: skip
def test_what_looks_like_a_name_is_searched_at_most_three(question: str, names: list[str]) -> None:
    found = [wanted.text for wanted in names_wanted(question)]
    assert len(found) <= 3
    assert set(found) <= set(names)
    assert len(found) == min(3, len(names))


@pytest.mark.parametrize(
    "question, wanted",
    [
        ("What is the area of the label EMI?", Wanted("EMI", (("label",), USUAL[:2], USUAL[2:]))),
        ("When was the release group Empire first released?", Wanted("Empire", (("release-group",), ("artist",), USUAL[2:]))),
        ("Who produced songs by Kasabian?", Wanted("Kasabian", (("artist",), ("release-group",), USUAL[2:]))),
        ("Where do the makers of Empire live?", Wanted("Empire", (USUAL[:2], USUAL[2:]))),
    ],
)  # fmt: skip
def test_searches_go_in_rounds(question: str, wanted: Wanted) -> None:
    assert names_wanted(question) == [wanted]


def test_a_long_name_is_also_searched_in_parts() -> None:
    (wanted,) = names_wanted("Did Queen and David Bowie meet?")
    assert wanted.text == "Queen and David Bowie"
    assert [part.text for part in wanted.parts] == ["Queen", "David Bowie"]
    (wanted,) = names_wanted("Who sang for Rage Against the Machine?")
    assert (wanted.text, wanted.parts) == ("Rage Against the Machine", ())
