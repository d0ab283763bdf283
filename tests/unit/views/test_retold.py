"""A run and the one made again from it as one deck: nothing of the first is left over in the drawings of the second."""

from collections.abc import Sequence
from typing import Any

import pytest

from kgcore.bootstrap.demo_runs import demo_entries, entries_before
from kgcore.runs import Entry
from kgcore.views.deck import Item, deck_of
from kgcore.views.retold import retold
from tests.unit.views import hand_made as made

ID = "demo:think-on-graph-corrected"
each_language = pytest.mark.parametrize("language", ["en", "zh"])


def runs(language: str) -> tuple[Sequence[Entry], Sequence[Entry]]:
    return entries_before(ID, language), demo_entries(ID, language)


def drawings(deck: Item, pane: str) -> list[dict[str, Any]]:
    """Return what each slide shows in words: items by their id, as the player rebuilds them."""
    texts, styles, shown = deck["texts"], deck["styles"], dict[tuple[str, str], Any]()
    drawn = []
    for slide in deck["slides"]:
        change = slide[pane]
        gone = {texts[number] for number in change.get("gone", ())}
        shown = {key: value for key, value in shown.items() if key[1] not in gone}
        for kind, ends in (("nodes", ()), ("edges", (1, 2))):
            for item in change.get(kind, ()):
                said = [texts[item[i]] if item[i] >= 0 else None for i in (*ends, 4, 5)]
                shown[kind, texts[item[0]]] = (said, styles[item[3]])
        focus = texts[change["focus"]] if change["focus"] >= 0 else None
        drawn.append({"shown": dict(shown), "focus": focus})
    return drawn


@each_language
@pytest.mark.parametrize("pane", ["kg", "tree"])
def test_both_runs_are_drawn_as_they_are_drawn_alone(pane: str, language: str) -> None:
    before, after = runs(language)
    first, second = (drawings(deck_of(entries, language), pane) for entries in (before, after))
    both = drawings(retold(before, after, language), pane)
    assert len(both) == len(first) + 1 + len(second)
    assert both[: len(first)] == first
    assert both[len(first)]["shown"].keys() == first[-1]["shown"].keys()
    assert both[len(first) + 1 :] == second


@each_language
def test_between_them_stands_what_a_person_corrected_and_at_the_end_the_answer_before(
    language: str,
) -> None:
    before, after = runs(language)
    slides = retold(before, after, language)["slides"]
    n = len(deck_of(before)["slides"])
    wrong, fix, end = slides[n - 1], slides[n], slides[-1]
    assert (wrong["kind"], fix["kind"], end["kind"]) == ("end", "human", "end")
    assert wrong["stop"] and fix["stop"] and end["stop"]
    correction = after[0].body.corrections[0]
    for text in (correction.text, correction.reason):
        assert text in fix["detail"]
    answer_before = before[-1].body.answer.text
    assert answer_before in wrong["text"]
    assert answer_before in end["detail"] and answer_before not in end["text"]


def test_the_wrong_edge_is_marked_and_in_sight() -> None:
    before, after = runs("en")
    n = len(deck_of(before)["slides"])
    as_it_was, fix = drawings(retold(before, after), "kg")[n - 1 : n + 1]
    correction = after[0].body.corrections[0]
    assert fix["focus"] == correction.subject.id
    changed = [key for key, value in fix["shown"].items() if value != as_it_was["shown"][key]]
    (edge,) = changed
    ((start, end, label, _), style) = fix["shown"][edge]
    assert start == correction.subject.id
    assert correction.object.value in end
    assert label.endswith("✗")
    assert style["color"]["color"] == "@rejected"


@each_language
def test_the_legend_is_told_what_is_corrected_and_what_was_found_wrong(language: str) -> None:
    before, after = runs(language)
    whole = retold(before, after, language)
    assert whole["hasWrong"] is True
    assert whole["isCorrected"] is True  # its triples stand in the drawing with a tick
    assert "hasWrong" not in deck_of(after, language)
    assert deck_of(made.entries())["isCorrected"] is False


@pytest.mark.parametrize(
    "before, entries",
    [
        ((), made.entries()),
        (made.entries(), made.entries()),
        ((), demo_entries(ID)),
        (demo_entries(ID), demo_entries(ID)),
    ],
    ids=["none", "nothing corrected", "none before a correction", "the same correction"],
)
def test_without_a_correction_in_between_it_is_the_deck_of_the_run_alone(
    before: Sequence[Entry], entries: Sequence[Entry]
) -> None:
    assert retold(before, entries) == deck_of(entries)
