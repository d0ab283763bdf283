"""Chain-of-Knowledge by hand: every result is written down here, the steps and facts are what is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.model import Entity, EntityId, Literal, Provenance, SourceCard, Triple
from kgcore.prompts import (
    AnswerFromRationales,
    ChooseDomains,
    ChosenDomains,
    Corrected,
    CorrectRationale,
    GiveAnswer,
    MendQuery,
    NextRationale,
    SampleRationales,
    Thoughts,
    WriteQuery,
)
from kgcore.prompts.sparql_reader import parse_named_query
from kgcore.reasoners.chain_of_knowledge import ChainOfKnowledgeConfig, chain_of_knowledge
from kgcore.reasoners.rationales.answers import NO_MEMORY, NO_RATIONALES, UNREAD, UNSETTLED
from kgcore.steps import (
    Answer,
    AnswerProposed,
    Ask,
    BadQuery,
    Candidate,
    DomainsChosen,
    Evidence,
    KnowledgeFound,
    Lookup,
    NodeAdded,
    Passages,
    ProvenRationale,
    QueryWritten,
    RationaleCorrected,
    RationaleDrafted,
    RationalesSampled,
    Relations,
    Result,
    SourcesDisagree,
    Warned,
)
from tests.unit.reasoners.world import DIRECTOR, Player, entity, says

WIKI = SourceCard("wiki", "sentence", ("factual",), "short articles")
TABLES = SourceCard("tables", "sql", ("factual", "medical"), "tables", 'table "films"')
GRAPH = SourceCard("graph", "sparql", ("factual",), "films", "director", kg="world")
CARDS = (WIKI, TABLES)


def thoughts(answer: str, *rationales: str) -> Thoughts:
    return Thoughts(rationales or ("A is B.", "B is C."), GiveAnswer(answer))


@dataclass
class Knower(Player):
    """A player that has sources too: `finds` answers a Lookup, and everything else has a dull default."""

    finds: Callable[[Lookup], Result] = lambda step: Passages()

    def answer(self, step: Any) -> Any:
        if isinstance(step, Lookup):
            return self.finds(step)
        if isinstance(step, Ask) and self.policy(step.request) is None:
            return says(*[dull(step.request)] * step.n)
        return super().answer(step)

    @property
    def lookups(self) -> list[Lookup]:
        return [s for s in self.steps if isinstance(s, Lookup)]


def dull(request: Any) -> Any:
    if isinstance(request, MendQuery):
        return "again"
    if isinstance(request, WriteQuery):
        return f"{request.source} query"
    if isinstance(request, ChooseDomains):
        return ChosenDomains(("factual",))
    if isinstance(request, CorrectRationale):
        return Corrected(request.rationale)
    if isinstance(request, NextRationale):
        return ""
    if isinstance(request, AnswerFromRationales):
        return GiveAnswer("C")
    assert not isinstance(request, SampleRationales), "a test says what is sampled"
    return 0


def passages(*texts: str) -> Passages:
    return Passages(tuple(Evidence(text, origin=f"p. {n}") for n, text in enumerate(texts)))


def samples(*values: Any) -> Callable[[Any], Any]:
    """A policy that samples these lines of thought."""
    return lambda request: list(values) if isinstance(request, SampleRationales) else None


UNSURE = (thoughts("X"), thoughts("Y"), thoughts("Z"))


def reason(
    policy: Callable[[Any], Any] | None = None,
    finds: Callable[[Lookup], Result] = lambda step: passages("found"),
    **settings: Any,
) -> tuple[Answer, Knower]:
    values = {"samples": 3, "sources": CARDS, **settings}
    player = Knower(policy or samples(*UNSURE), finds=finds)
    answer = player.play(chain_of_knowledge("Who?", ChainOfKnowledgeConfig(**values)))
    return answer, player


# the gate


def test_samples_that_agree_answer_at_once_and_touch_no_source() -> None:
    answer, player = reason(samples(thoughts("Paris"), thoughts("paris."), thoughts("Rome")))
    assert answer.text == "Paris"
    assert answer.is_fallback and answer.is_model_memory and not answer.parts[0].is_supported
    assert len(player.steps) == 1
    [sampled] = player.of(RationalesSampled)
    assert sampled.counts == (("paris", 2), ("rome", 1)) and sampled.is_agreed
    assert [r.after for r in answer.rationales] == ["A is B.", "B is C."]


def test_agreement_is_a_share_of_all_that_was_asked() -> None:
    """A sample that cannot tell, or cannot be read, agrees with nobody."""
    unknown = Thoughts((), GiveAnswer("I cannot tell", is_unknown=True))
    policy = samples(thoughts("Paris"), thoughts("Paris"), unknown, ValueError("no"), unknown)
    _, player = reason(policy, samples=5)
    [sampled] = player.of(RationalesSampled)
    assert sampled.agreement == pytest.approx(0.4) and not sampled.is_agreed
    assert player.lookups
    assert "1 of 5 samples" in player.of(Warned)[0].message


def test_one_sample_alone_agrees_with_nobody() -> None:
    _, player = reason(samples(thoughts("Paris")), samples=1)
    assert player.of(RationalesSampled)[0].agreement == 0 and player.lookups
    assert player.asked(SampleRationales)[0].temperature == 0


def test_the_samples_are_one_step_at_their_temperature() -> None:
    _, player = reason()
    [asked] = player.asked(SampleRationales)
    assert (asked.n, asked.temperature) == (3, 0.7)


def test_what_most_remember_stands_as_the_best_answer_so_far() -> None:
    _, player = reason()
    first = player.of(AnswerProposed)[0].answer
    assert first.text == "X" and first.is_fallback and first.value == pytest.approx(1 / 3)


# domains and sources


def test_only_sources_of_the_chosen_domains_are_asked() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseDomains):
            assert request.domains == ("factual", "medical")
            return ChosenDomains(("medical",), "an illness")
        return samples(*UNSURE)(request)

    _, player = reason(policy)
    assert {step.source for step in player.lookups} == {"tables"}
    assert player.of(DomainsChosen) == [
        DomainsChosen(("medical",), ("factual", "medical"), ("tables",), "an illness")
    ]


def test_a_person_can_name_the_domains() -> None:
    _, player = reason(domains="medical")
    assert not player.asked(ChooseDomains)
    assert {step.source for step in player.lookups} == {"tables"}


def test_one_domain_is_not_asked_for() -> None:
    _, player = reason(sources=(WIKI,))
    assert not player.asked(ChooseDomains) and player.lookups
    assert not player.of(DomainsChosen)[0].is_asked


def test_without_sources_memory_answers_and_says_so() -> None:
    answer, player = reason(sources=())
    assert answer.text == "X" and answer.is_model_memory
    assert "no knowledge source" in player.of(Warned)[-1].message


def test_unreadable_domains_ask_all_sources() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, ChooseDomains):
            return ValueError("?")
        return samples(*UNSURE)(request)

    _, player = reason(policy)
    assert {step.source for step in player.lookups} == {"wiki", "tables"}


# adapting


def test_sources_of_one_rationale_are_asked_together() -> None:
    _, player = reason()
    together = [r for r in player.rounds if all(isinstance(s, Lookup) for s in r)]
    assert [[s.source for s in r] for r in together] == [["wiki", "tables"]] * 2


def test_a_rationale_stays_as_it_was_when_nothing_is_found() -> None:
    answer, player = reason(finds=lambda step: Passages())
    assert not player.asked(CorrectRationale)
    assert all(not f.is_changed for f in player.of(RationaleCorrected))
    assert not answer.knowledge and answer.is_fallback


def test_an_empty_result_is_tried_once_more_and_only_once() -> None:
    _, player = reason(finds=lambda step: Passages(), sources=(WIKI,), max_rationales=1)
    assert [step.query for step in player.lookups] == ["wiki query", "again"]
    [mended] = player.asked(MendQuery)
    assert mended.request.reply == "wiki query" and "found nothing" in mended.request.problem
    told = player.of(QueryWritten)
    assert [(f.is_repaired, f.outcome) for f in told] == [(False, "run"), (True, "run")]


def test_a_bad_query_is_mended_with_what_the_source_said() -> None:
    def finds(step: Lookup) -> Result:
        return passages("found") if step.query == "again" else BadQuery("no such column: x")

    _, player = reason(finds=finds, sources=(TABLES,), max_rationales=1)
    assert player.asked(MendQuery)[0].request.problem == "no such column: x"
    assert [f.problem for f in player.of(KnowledgeFound)] == ["no such column: x", ""]
    assert len(player.lookups) == 2


def test_passages_and_rows_have_limits_of_their_own_and_what_is_left_is_counted() -> None:
    many = passages(*(f"text {n}" for n in range(9)))
    _, player = reason(finds=lambda s: many, evidence=2, rows=4, max_rationales=1)
    found = {f.source: (len(f.evidence), f.n_more) for f in player.of(KnowledgeFound)}
    assert found == {"wiki": (2, 7), "tables": (4, 5)}


def test_a_query_that_was_found_good_is_not_written_again() -> None:
    _, player = reason()
    assert not player.asked(MendQuery)


def test_a_source_that_cannot_help_is_not_asked() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, WriteQuery) and request.source == "wiki":
            return ""
        return samples(*UNSURE)(request)

    _, player = reason(policy)
    assert {step.source for step in player.lookups} == {"tables"}
    told = {(f.source, f.outcome) for f in player.of(QueryWritten)}
    assert told == {("wiki", "none"), ("tables", "run")}


def test_an_unreadable_query_is_told_and_not_run() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, WriteQuery):
            return ValueError("no query was written")
        return samples(*UNSURE)(request)

    _, player = reason(policy)
    assert not player.lookups
    told = player.of(QueryWritten)
    assert told and all(f.problem == "no query was written" for f in told)
    assert {(f.outcome, f.query) for f in told} == {("unread", "")}


def test_queries_are_written_by_the_model_that_plays_query() -> None:
    _, player = reason()
    asked = [s for s in player.steps if isinstance(s, Ask) and isinstance(s.request, WriteQuery)]
    assert {s.role for s in asked} == {"query"}


def test_a_changed_rationale_keeps_before_and_after_and_what_changed_it() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, CorrectRationale) and request.rationale == "A is B.":
            return Corrected("A is D.", (1,), reason="the table says D")
        return samples(*UNSURE)(request)

    answer, player = reason(policy, finds=lambda s: passages(f"{s.source} says"))
    first = player.of(RationaleCorrected)[0]
    assert (first.before, first.after, first.is_changed) == ("A is B.", "A is D.", True)
    assert [k.source for k in first.knowledge] == ["tables"]
    assert answer.rationales[0] == ProvenRationale(1, "A is B.", "A is D.", first.knowledge)


def test_the_next_rationale_is_drafted_from_the_corrected_ones() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, CorrectRationale) and request.rationale == "A is B.":
            return Corrected("A is D.", (0,))
        if isinstance(request, NextRationale):
            return "D is E." if request.checked == ("A is D.",) else ""
        return samples(*UNSURE)(request)

    answer, player = reason(policy)
    assert [f.text for f in player.of(RationaleDrafted)] == ["A is B.", "D is E."]
    assert [f.origin for f in player.of(RationaleDrafted)] == ["sample", "next"]
    assert [r.after for r in answer.rationales] == ["A is D.", "D is E."]


def test_drafts_of_the_sample_stand_while_nothing_was_changed() -> None:
    _, player = reason()
    assert not player.asked(NextRationale)
    _, player = reason(reuse_drafts=False)
    assert [s.request.checked for s in player.asked(NextRationale)] == [("A is B.",)]


def test_all_at_once_no_rationale_knows_of_another() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, CorrectRationale) and request.rationale == "A is B.":
            return Corrected("A is D.", (0,))
        return samples(*UNSURE)(request)

    answer, player = reason(policy, mode="parallel")
    assert not player.asked(NextRationale)
    assert all(s.request.checked == () for s in player.asked(CorrectRationale))
    assert [r.after for r in answer.rationales] == ["A is D.", "B is C."]
    lookups = [r for r in player.rounds if all(isinstance(s, Lookup) for s in r)]
    assert [len(r) for r in lookups] == [4]
    parents = {f.argument: f.parent for f in player.of(NodeAdded) if f.action == "draft"}
    assert parents == {"A is B.": 0, "B is C.": 0}


@pytest.mark.parametrize("mode", ["step", "parallel"])
def test_there_are_no_more_rationales_than_allowed(mode: str) -> None:
    many = thoughts("X", *(f"Statement {n}." for n in range(9)))
    policy = samples(many, thoughts("Y"), thoughts("Z"))
    answer, player = reason(policy, max_rationales=4, mode=mode)
    assert len(player.of(RationaleCorrected)) == len(answer.rationales) == 4


def test_a_chain_that_never_ends_is_cut() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, NextRationale):
            return f"Statement {len(request.checked)}."
        if isinstance(request, AnswerFromRationales):
            return GiveAnswer("I cannot tell", is_unknown=True)
        return samples(*UNSURE)(request)

    answer, player = reason(policy, reuse_drafts=False)
    assert len(player.of(RationaleCorrected)) == 6
    assert not answer.is_answer and answer.limit == "limit: 6 rationales"


@pytest.mark.parametrize(
    "policy, settings, why",
    [
        ("silent", {"sources": ()}, NO_MEMORY),
        ("silent", {}, NO_RATIONALES),
        (GiveAnswer("I cannot tell", is_unknown=True), {}, UNSETTLED),
        (ValueError("?"), {}, UNREAD),
    ],
)
def test_without_an_answer_it_is_told_why(policy: Any, settings: Any, why: str) -> None:
    unknown = GiveAnswer("I cannot tell", is_unknown=True)

    def answers(request: Any) -> Any:
        if isinstance(request, NextRationale):
            return ""
        if policy == "silent":
            return [Thoughts((), unknown)] * 3 if isinstance(request, SampleRationales) else None
        return policy if isinstance(request, AnswerFromRationales) else samples(*UNSURE)(request)

    answer, _ = reason(answers, **settings)
    assert not answer.is_answer and answer.limit == why


def test_an_answer_that_states_nothing_stands_unverified_and_says_so() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, SampleRationales):
            return [Thoughts((), GiveAnswer(name)) for name in ("X", "Y", "Z")]
        return "" if isinstance(request, NextRationale) else None

    answer, player = reason(policy)
    assert answer.text == "X" and answer.is_model_memory
    assert NO_RATIONALES in [w.message for w in player.of(Warned)]


def test_rationales_are_a_chain_of_nodes() -> None:
    _, player = reason()
    nodes = player.of(NodeAdded)
    assert [(f.node, f.parent, f.action) for f in nodes] == [
        (0, None, "start"),
        (1, 0, "answer"),
        (2, 0, "draft"),
        (3, 2, "correct"),
        (4, 3, "draft"),
        (5, 4, "correct"),
        (6, 5, "answer"),
    ]


# conflicts


def test_what_the_model_finds_contradictory_is_told_and_put_to_the_answer() -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, CorrectRationale) and request.rationale == "A is B.":
            return Corrected("A is B.", (0,), (0, 1))
        return samples(*UNSURE)(request)

    _, player = reason(policy, finds=lambda s: passages(f"{s.source} says so"))
    [fact] = player.of(SourcesDisagree)
    assert {k.source for k in fact.knowledge} == {"wiki", "tables"}
    [asked] = player.asked(AnswerFromRationales)
    assert asked.request.disputed == (fact.text,)


def test_graphs_that_disagree_are_put_to_the_model_as_such() -> None:
    def row(kg: str, year: str) -> Evidence:
        born = Triple(entity("nolan"), DIRECTOR, Literal(year, "xsd:gYear"), Provenance(kg))
        return Evidence(born.text, triples=(born,))

    found = Passages((row("one", "1970"), row("two", "1971")))
    _, player = reason(finds=lambda s: found, sources=(WIKI,), max_rationales=1)
    [fact] = player.of(SourcesDisagree)
    assert "1970 (one) and 1971 (two)" in fact.text
    assert player.asked(CorrectRationale)[0].request.disputed == (fact.text,)


# SPARQL: from names to ids


def sparql(text: str, finds: Callable[[Lookup], Result] | None = None) -> Knower:
    def policy(request: Any) -> Any:
        if isinstance(request, WriteQuery):
            return parse_named_query(text)
        return None if not isinstance(request, SampleRationales) else thoughts("X")

    config = ChainOfKnowledgeConfig(samples=1, sources=(GRAPH,), max_rationales=1)
    player = Knower(policy, finds=finds or (lambda step: passages("found")))
    player.play(chain_of_knowledge("Who?", config))
    return player


def test_names_become_ids_of_the_graph() -> None:
    player = sparql("SELECT ?x WHERE { <Inception> <director> ?x }")
    assert player.lookups[0].query == (
        "SELECT DISTINCT ?x WHERE { <w:inception> <w:director> ?x } LIMIT 50"
    )
    [written] = player.of(QueryWritten)
    assert [(link.name, link.id) for link in written.links] == [
        ("Inception", "w:inception"),
        ("director", "w:director"),
    ]


def test_a_relation_written_the_other_way_round_is_turned() -> None:
    player = sparql("SELECT ?x WHERE { <Nolan> <director> ?x }")
    assert "{ ?x <w:director> <w:nolan> }" in player.lookups[0].query


def test_a_second_relation_is_looked_for_at_what_the_first_leads_to() -> None:
    player = sparql("SELECT ?y WHERE { ?x <place of birth> ?y . <Inception> <director> ?x }")
    assert "{ <w:inception> <w:director> ?x . ?x <w:born> ?y }" in player.lookups[0].query


def test_a_value_is_compared_as_text() -> None:
    player = sparql('ASK { <Inception> <publication date> "2010" }')
    assert 'CONTAINS(LCASE(STR(?value0)), LCASE("2010"))' in player.lookups[0].query


def test_a_name_that_is_not_there_is_told_and_tried_once_more() -> None:
    class Empty(Knower):
        def _link(self, text: str) -> tuple[Any, ...]:
            return ()

    def policy(request: Any) -> Any:
        if isinstance(request, (WriteQuery, MendQuery)):
            return parse_named_query("SELECT ?x WHERE { <Nowhere> <director> ?x }")
        return None if not isinstance(request, SampleRationales) else thoughts("X")

    config = ChainOfKnowledgeConfig(samples=1, sources=(GRAPH,), max_rationales=1)
    player = Empty(policy)
    player.play(chain_of_knowledge("Who?", config))
    assert not player.lookups and len(player.asked(MendQuery)) == 1
    told = player.of(QueryWritten)
    assert all("nothing is called “Nowhere”" in f.problem for f in told)
    assert {(f.outcome, f.written != "", f.query) for f in told} == {("unlinked", True, "")}


def test_entities_of_other_graphs_are_not_taken() -> None:
    other = SourceCard("graph", "sparql", ("factual",), kg="elsewhere")

    def policy(request: Any) -> Any:
        if isinstance(request, (WriteQuery, MendQuery)):
            return parse_named_query("SELECT ?x WHERE { <Inception> <director> ?x }")
        return None if not isinstance(request, SampleRationales) else thoughts("X")

    player = Knower(policy)
    config = ChainOfKnowledgeConfig(samples=1, sources=(other,), max_rationales=1)
    player.play(chain_of_knowledge("Who?", config))
    assert not player.lookups


@pytest.mark.parametrize(
    "name, query",
    [
        ("<http://x.org/a>", "{ <http://x.org/a> <w:director> ?x }"),
        ("x:a", "{ <x:a> <w:director> ?x }"),
        ("x> } ; DROP ALL { <y", ""),
        ("x y", ""),
    ],
)
def test_an_id_stands_in_one_pair_of_brackets_and_none_breaks_out(name: str, query: str) -> None:
    def policy(request: Any) -> Any:
        if isinstance(request, WriteQuery):
            return parse_named_query("SELECT ?x WHERE { <Inception> <director> ?x }")
        if isinstance(request, MendQuery):
            return ""
        return thoughts("X") if isinstance(request, SampleRationales) else None

    class World(Knower):
        def answer(self, step: Any) -> Any:
            step = replace(step, entities=("w:inception",)) if isinstance(step, Relations) else step
            return super().answer(step)

    found = Candidate(Entity(EntityId(name), "Inception", kg="world"), 1.0)
    player = World(policy, links={"Inception": (found,)}, finds=lambda step: passages("found"))
    config = ChainOfKnowledgeConfig(samples=1, sources=(GRAPH,), max_rationales=1)
    player.play(chain_of_knowledge("Who?", config))
    assert [query in step.query for step in player.lookups] == [True] * bool(query)


# settings


@pytest.mark.parametrize(
    "settings",
    [
        {"samples": 0},
        {"samples": 51},
        {"threshold": 1.5},
        {"temperature": -1.0},
        {"mode": "sideways"},
        {"max_rationales": 0},
        {"evidence": 0},
    ],
)
def test_a_wrong_setting_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        ChainOfKnowledgeConfig(**settings)
