"""FLARe and Verify-and-Edit by hand: when they look something up, what they search for, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.model import Literal, Provenance, SourceCard, Triple
from kgcore.prompts import (
    AnswerFromRationales,
    Corrected,
    EditRationale,
    GiveAnswer,
    NextSentence,
    SampleRationales,
    Sentence,
    Thoughts,
    VerifyingQuestion,
    WriteQuery,
)
from kgcore.reasoners.baselines import FlareConfig, VerifyAndEditConfig, flare, verify_and_edit
from kgcore.reasoners.baselines.confidence import ahead_of
from kgcore.reasoners.baselines.retrieval import NO_TEXT
from kgcore.reasoners.rationales.answers import NO_MEMORY, NO_RATIONALES, UNREAD, UNSETTLED
from kgcore.steps import (
    Answer,
    AnswerProposed,
    Ask,
    Evidence,
    Lookup,
    NodeAdded,
    NodeScored,
    Passages,
    QueryWritten,
    RationaleCorrected,
    RationalesSampled,
    Result,
    SourcesDisagree,
    Warned,
)
from tests.unit.reasoners.world import DATE, Player, entity, says

WIKI = SourceCard("wiki", "sentence", ("factual",), "short articles")
NEWS = SourceCard("news", "sentence", ("factual",), "papers")
TABLES = SourceCard("tables", "sql", ("factual",), "tables", 'table "films"')
CARDS = (WIKI, TABLES)
DONE = Sentence("")
UNKNOWN = GiveAnswer("I cannot tell", is_unknown=True)
Policy = Callable[[Any], Any]


def found(*texts: str) -> Passages:
    return Passages(tuple(Evidence(text, origin=f"p. {n}") for n, text in enumerate(texts)))


class Reader(Player):
    """A player with sources; requests that a test says nothing about get a dull answer."""

    def __init__(self, policy: Policy, finds: Callable[[Lookup], Result]) -> None:
        super().__init__(policy)
        self.finds = finds

    def answer(self, step: Any) -> Any:
        if isinstance(step, Lookup):
            return self.finds(step)
        assert isinstance(step, Ask)
        value = self.policy(step.request)
        if value is None:
            value = dull(step.request)
        return says(*(value if isinstance(value, list) else [value] * step.n))

    @property
    def lookups(self) -> list[tuple[str, str]]:
        return [(s.source, s.query) for s in self.steps if isinstance(s, Lookup)]


def dull(request: Any) -> Any:
    if isinstance(request, NextSentence):
        return DONE
    if isinstance(request, EditRationale):
        return Corrected(request.rationale)
    if isinstance(request, VerifyingQuestion):
        return f"Is it so: {request.rationale}"
    if isinstance(request, WriteQuery):
        return "SELECT 1"
    assert isinstance(request, AnswerFromRationales)
    return GiveAnswer("C")


def play(
    solve: Any,
    config: Any,
    policy: Policy,
    finds: Callable[[Lookup], Result] = lambda step: found("A fact."),
) -> tuple[Answer, Reader]:
    player = Reader(policy, finds)
    return player.play(solve("Who?", config)), player


# how sure a sentence is


def same(text: str, n: int = 3, **values: Any) -> list[Sentence]:
    return [Sentence(text, **values)] * n


def said(*texts: str) -> list[Sentence]:
    return [Sentence(text) for text in texts]


def test_a_sentence_that_all_samples_write_is_sure() -> None:
    ahead = ahead_of(said("Rembrandt painted it.", "It was painted by Rembrandt."), 0.5, 0.5)
    assert ahead is not None and ahead.confidence == 1 and not ahead.doubts


def test_a_word_that_few_samples_hold_is_doubtful_and_left_out_of_the_search() -> None:
    samples = said(
        "Rubens was born in Leiden.", "Rubens was born in Siegen.", "Rubens was born in Bonn."
    )
    ahead = ahead_of(samples, 0.5, 0.5)
    assert ahead is not None and ahead.confidence == 0
    assert (ahead.doubts, ahead.query) == (("Leiden",), "Rubens was born in.")


def test_a_sample_says_nothing_for_its_own_words() -> None:
    """Two that contradict each other are doubtful, alone and beside one that says it is enough."""
    for samples in (
        said("He was born in Bonn.", "He was born in Siegen."),
        [*said("It is Bonn.", "It is Siegen."), DONE],
    ):
        ahead = ahead_of(samples, 0.5, 0.5)
        assert ahead is not None and (ahead.confidence, ahead.doubts) == (0, ("Bonn",))


def test_a_single_sample_is_sure_of_what_it_does_not_mark() -> None:
    ahead = ahead_of(said("He was born in Bonn."), 1.0, 1.0)
    assert ahead is not None and ahead.confidence == 1 and not ahead.doubts


@pytest.mark.parametrize(
    "threshold, mask, doubts, query",
    [
        (0.5, 0.4, (), "He was born in Bonn."),
        (0.8, 0.4, ("Bonn",), "He was born in Bonn."),
        (0.8, 0.6, ("Bonn",), "He was born in."),
    ],
)
def test_what_starts_a_search_and_what_is_left_out_of_it_are_two_settings(
    threshold: float, mask: float, doubts: tuple[str, ...], query: str
) -> None:
    """Of three samples two say Bonn: of the others of each, one of two."""
    samples = said("He was born in Bonn.", "He was born in Siegen.", "He was born in Bonn.")
    ahead = ahead_of(samples, threshold, mask)
    assert ahead is not None and ahead.confidence == 0.5
    assert (ahead.doubts, ahead.query) == (doubts, query)


def test_the_sentence_nearest_to_all_is_taken() -> None:
    samples = said(
        "Nobody knows him.", "He was born in Leiden in 1606.", "He was born in Leiden in 1607."
    )
    ahead = ahead_of(samples, 0.5, 0.5)
    assert ahead is not None and ahead.text == "He was born in Leiden in 1606."


def test_what_the_model_marks_is_doubtful_however_often_it_says_so() -> None:
    ahead = ahead_of(same("Rubens painted The Night Watch.", unsure=("Rubens",)), 0.5, 0.5)
    assert ahead is not None and ahead.confidence == 0 and ahead.doubts == ("Rubens",)
    assert ahead.query == "painted The Night Watch."


def test_where_nothing_is_sure_the_whole_sentence_is_searched_for() -> None:
    text = "Rubens painted The Night Watch."
    ahead = ahead_of(same(text, unsure=(text,)), 0.5, 0.5)
    assert ahead is not None and ahead.query == text
    assert ahead.doubts == ("Rubens painted The Night Watch",)


def test_chinese_is_compared_character_by_character() -> None:
    samples = said("《夜巡》是伦勃朗画的。", "《夜巡》是鲁本斯画的。", "《夜巡》是伦勃朗画的。")
    sure = ahead_of(samples, 0.5, 0.5)
    strict = ahead_of(samples, 0.9, 0.9)
    assert sure is not None and sure.text == "《夜巡》是伦勃朗画的。" and not sure.doubts
    assert strict is not None and strict.doubts and "夜巡" in strict.query
    assert "勃" not in strict.query


@pytest.mark.parametrize(
    "texts, is_over",
    [
        (("", "", "A is B."), True),
        (("", "A is B."), True),
        (("", "A is B.", "A is B."), False),
    ],
)
def test_it_is_over_where_half_of_the_samples_say_so(texts: tuple[str, ...], is_over: bool) -> None:
    assert (ahead_of(said(*texts), 0.5, 0.5) is None) is is_over


# FLARe


def flare_run(policy: Policy, *args: Any, **settings: Any) -> tuple[Answer, Reader]:
    return play(flare, FlareConfig(**{"sources": CARDS, **settings}), policy, *args)


def writes(*sentences: list[Sentence], again: Sentence | Exception | None = None) -> Policy:
    """Sample these sentences one after another; `again` is what is written from knowledge."""
    left = list(sentences)

    def policy(request: Any) -> Any:
        if not isinstance(request, NextSentence):
            return None
        if request.knowledge:
            return again
        return left.pop(0) if left else DONE

    return policy


def test_a_sure_sentence_stands_and_nothing_is_looked_up() -> None:
    answer, player = flare_run(writes(same("A is B.")))
    assert not player.lookups and not player.of(RationaleCorrected)
    assert [(r.after, r.knowledge) for r in answer.rationales] == [("A is B.", ())]
    assert answer.is_model_memory and answer.value == 0
    assert [s.value for s in player.of(NodeScored)] == [1.0, 0.0]


def test_a_doubtful_sentence_is_looked_up_and_written_again() -> None:
    samples = said("Bile comes from skin.", "Bile comes from bone.", "Bile comes from fat.")
    policy = writes(samples, again=Sentence("Bile comes from the liver.", used=(0,)))
    answer, player = flare_run(policy)
    assert player.lookups == [("wiki", "Bile comes from.")]
    [written] = player.of(QueryWritten)
    assert (written.source, written.query) == ("wiki", "Bile comes from.")
    [corrected] = player.of(RationaleCorrected)
    assert (corrected.before, corrected.after) == (samples[0].text, "Bile comes from the liver.")
    assert [k.text for k in corrected.knowledge] == ["A fact."]
    assert answer.value == 1 and not answer.is_fallback
    scored = player.of(NodeScored)[0]
    assert scored.value == 0 and scored.reason == "not sure of: skin"


def test_two_samples_that_contradict_each_other_are_looked_up() -> None:
    samples = said("Bile comes from skin.", "Bile comes from bone.")
    _, player = flare_run(writes(samples), samples=2)
    assert player.lookups == [("wiki", "Bile comes from.")]


def test_each_sentence_is_sampled_after_those_before_it() -> None:
    policy = writes(same("A is B."), same("B is C."))
    _, player = flare_run(policy, temperature=0.9, samples=4)
    asked = player.asked(NextSentence)
    assert [(a.n, a.temperature) for a in asked] == [(4, 0.9)] * 3
    assert [a.request.sentences for a in asked] == [(), ("A is B.",), ("A is B.", "B is C.")]  # type: ignore[attr-defined]
    depths = [(n.node, n.parent, n.depth) for n in player.of(NodeAdded)]
    assert depths == [(0, None, 0), (1, 0, 1), (2, 1, 2), (3, 2, 3)]


def test_what_was_written_again_is_what_the_next_sentence_builds_on() -> None:
    doubtful = same("A is B.", unsure=("B",))
    _, player = flare_run(writes(doubtful, same("Z is C."), again=Sentence("A is Z.")))
    ahead = [a.request for a in player.asked(NextSentence) if not a.request.knowledge]  # type: ignore[attr-defined]
    assert ahead[1].sentences == ("A is Z.",)  # type: ignore[attr-defined]
    assert [(n.node, n.parent, n.depth) for n in player.of(NodeAdded)] == [
        (0, None, 0), (1, 0, 1), (2, 1, 2), (3, 2, 3), (4, 3, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("again", [ValueError("?"), DONE])
def test_a_sentence_that_is_not_written_again_stays_as_it_was(again: Any) -> None:
    answer, player = flare_run(writes(same("A is B.", unsure=("B",)), again=again))
    assert player.of(RationaleCorrected)[0].after == "A is B." and answer.text == "C"
    assert bool(player.of(Warned)) is isinstance(again, Exception)


def test_where_nothing_is_found_the_sentence_stays_and_is_not_asked_for_again() -> None:
    policy = writes(same("A is B.", unsure=("B",)))
    answer, player = flare_run(policy, lambda step: Passages())
    assert not [a for a in player.asked(NextSentence) if a.request.knowledge]  # type: ignore[attr-defined]
    assert answer.is_model_memory


def test_it_stops_at_its_last_sentence_and_says_so_where_that_was_too_early() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, NextSentence):
            return Sentence(f"{len(request.sentences)} is a number.")
        return UNKNOWN if isinstance(request, AnswerFromRationales) else None

    answer, player = flare_run(policy, max_sentences=2)
    assert len(player.asked(NextSentence)) == 2
    assert not answer.is_answer and answer.limit == "limit: 2 sentences"


def test_only_text_is_asked_unless_it_is_told_otherwise() -> None:
    policy = writes(same("Bile comes from skin.", unsure=("skin",)))
    _, usual = flare_run(policy)
    _, all_kinds = flare_run(
        writes(same("Bile comes from skin.", unsure=("skin",))), only_text=False
    )
    assert {source for source, _ in usual.lookups} == {"wiki"} and not usual.asked(WriteQuery)
    assert {source for source, _ in all_kinds.lookups} == {"wiki", "tables"}
    [asked] = all_kinds.asked(WriteQuery)
    assert asked.request.rationale == dict(all_kinds.lookups)["wiki"] == "Bile comes from."  # type: ignore[attr-defined]
    assert asked.role == "query" and asked.request.source == "tables"  # type: ignore[attr-defined]


@pytest.mark.parametrize("cards, told", [((), "no knowledge source"), ((TABLES,), NO_TEXT)])
def test_without_a_source_to_ask_memory_answers_and_says_so(
    cards: tuple[SourceCard, ...], told: str
) -> None:
    answer, player = flare_run(writes(same("A is B.", unsure=("B",))), sources=cards)
    assert told in player.of(Warned)[0].message
    assert not player.lookups and answer.is_model_memory


def test_sources_that_could_not_be_opened_are_told() -> None:
    _, player = flare_run(writes(), left_out=("the source x is gone",))
    assert player.of(Warned)[0].message == "the source x is gone"


# Verify-and-Edit


def thoughts(answer: str, *rationales: str) -> Thoughts:
    return Thoughts(rationales, GiveAnswer(answer))


DIFFER = (thoughts("X", "A is B.", "B is C."), thoughts("Y"), thoughts("Z"))


def verify_run(
    policy: Policy | None = None,
    *args: Any,
    samples: tuple[Thoughts, ...] = DIFFER,
    **settings: Any,
) -> tuple[Answer, Reader]:
    def both(request: Any) -> Any:
        if isinstance(request, SampleRationales):
            return list(samples)
        return policy(request) if policy else None

    config = VerifyAndEditConfig(**{"sources": CARDS, "samples": len(samples), **settings})
    return play(verify_and_edit, config, both, *args)


def test_samples_that_agree_are_not_verified() -> None:
    answer, player = verify_run(samples=(thoughts("X", "A."), thoughts("x."), thoughts("Y")))
    assert answer.text == "X" and answer.is_model_memory and len(player.steps) == 1
    assert player.of(RationalesSampled)[0].is_agreed


def test_each_rationale_is_verified_by_a_question_of_its_own() -> None:
    _, player = verify_run()
    assert player.lookups == [("wiki", "Is it so: A is B."), ("wiki", "Is it so: B is C.")]
    assert [a.role for a in player.asked(VerifyingQuestion)] == ["query", "query"]
    assert [a.request.asked for a in player.asked(EditRationale)] == [  # type: ignore[attr-defined]
        "Is it so: A is B.",
        "Is it so: B is C.",
    ]


def test_tables_and_graphs_are_asked_the_verifying_question_too() -> None:
    _, player = verify_run(only_text=False)
    asked = {a.request.rationale for a in player.asked(WriteQuery)}  # type: ignore[attr-defined]
    assert asked == {"Is it so: A is B.", "Is it so: B is C."}
    assert {r.before for r in player.of(RationaleCorrected)} == {"A is B.", "B is C."}


def test_rationales_are_verified_together_none_in_the_light_of_another() -> None:
    _, player = verify_run()
    assert [len(leaves) for leaves in player.rounds] == [1, 2, 2, 2, 1]
    assert all(not a.request.checked for a in player.asked(EditRationale))  # type: ignore[attr-defined]


def test_an_edited_rationale_is_what_the_answer_follows_from() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, EditRationale) and request.rationale == "A is B.":
            return Corrected("A is Z.", (0,))
        return None

    answer, player = verify_run(policy)
    assert [(r.before, r.after) for r in answer.rationales] == [
        ("A is B.", "A is Z."),
        ("B is C.", "B is C."),
    ]
    asked = player.asked(AnswerFromRationales)[0].request
    assert [r.after for r in asked.rationales] == ["A is Z.", "B is C."]  # type: ignore[attr-defined]
    assert answer.value == 0.5 and answer.text == "C"


def test_where_nothing_is_found_a_rationale_is_not_edited() -> None:
    answer, player = verify_run(None, lambda step: Passages())
    assert not player.asked(EditRationale)
    assert answer.is_model_memory and answer.is_fallback


def test_a_question_nobody_can_read_is_replaced_by_the_rationale() -> None:
    def policy(request: Any) -> Any:
        return ValueError("?") if isinstance(request, VerifyingQuestion) else None

    _, player = verify_run(policy)
    assert ("wiki", "A is B.") in player.lookups and player.of(Warned)


def test_a_model_that_states_nothing_has_nothing_to_verify() -> None:
    silent = (Thoughts((), UNKNOWN),) * 3
    answer, player = verify_run(samples=silent)
    assert not answer.is_answer and answer.limit == NO_RATIONALES and len(player.steps) == 1


def test_an_answer_without_rationales_stands_unverified_and_says_so() -> None:
    answer, player = verify_run(samples=(thoughts("X"), thoughts("Y"), thoughts("Z")))
    assert answer.text == "X" and answer.is_model_memory and len(player.steps) == 1
    assert player.of(Warned)[0].message == NO_RATIONALES


def test_without_sources_what_most_remember_stands() -> None:
    answer, player = verify_run(sources=())
    assert answer.text == "X" and answer.is_model_memory and len(player.steps) == 1


def test_without_an_answer_it_is_told_why() -> None:
    """Not that the graphs hold none: no graph was asked."""
    silent = (Thoughts((), UNKNOWN),) * 3
    memory, _ = verify_run(samples=silent, sources=())
    assert not memory.is_answer and memory.limit == NO_MEMORY
    for given, why in ((UNKNOWN, UNSETTLED), (ValueError("?"), UNREAD)):

        def policy(request: Any, given: Any = given) -> Any:
            return given if isinstance(request, AnswerFromRationales) else None

        verified, player = verify_run(policy)
        written, _ = flare_run(policy)
        assert not verified.is_answer and not written.is_answer
        assert (verified.limit, written.limit) == (why, why)
        assert all(p.answer.limit == why for p in player.of(AnswerProposed)[1:])


def test_graphs_that_disagree_are_told_of() -> None:
    def row(kg: str, day: str) -> Evidence:
        told = Triple(entity("storm"), DATE, Literal(day, "xsd:date"), Provenance(kg))
        return Evidence(told.text, triples=(told,))

    rows = Passages((row("one", "1997-01-01"), row("two", "2004-05-05")))
    _, player = verify_run(None, lambda step: rows)
    told = player.of(SourcesDisagree)
    assert {d.number for d in told} == {1, 2} and "1997-01-01 (one)" in told[0].text


def test_no_more_rationales_are_verified_than_was_asked_for() -> None:
    _, player = verify_run(max_rationales=1)
    assert len(player.asked(VerifyingQuestion)) == 1


@pytest.mark.parametrize("config", [FlareConfig, VerifyAndEditConfig])
def test_settings_out_of_bounds_are_refused(config: type[Any]) -> None:
    with pytest.raises(InputError, match="threshold must be between"):
        config(threshold=1.5)
    with pytest.raises(InputError, match="evidence must be between"):
        config(evidence=0)


def test_a_mask_out_of_bounds_is_refused() -> None:
    with pytest.raises(InputError, match="mask must be between"):
        FlareConfig(mask=-0.1)
