"""What became of a query for a source: told alike in logs, on the timeline and on the cards."""

from __future__ import annotations

import pytest

from kgcore.i18n import told
from kgcore.model import from_dict, to_dict
from kgcore.runs.entries import FactNoted
from kgcore.runs.rationale_words import tell_rationale
from kgcore.runs.rationales_view import QueryView
from kgcore.steps import QueryOutcome, QueryWritten
from kgcore.views.timeline import kind_of

BAD = "no such table"
# outcome, what was written, what is run of it, its problem, whether it is the second → words, kind in logs, on the line
CASES = [
    ("run", "A", "A", "", False, "Query for wiki: A", "fact", "f"),
    ("run", "A", "A", BAD, True, "Mended query for wiki: A", "fact", "q"),
    ("none", "", "", "", False, "wiki is not asked: it cannot help here", "fact", "f"),
    ("none", "", "", BAD, True, "wiki is not asked again", "fact", "f"),
    ("unlinked", "A", "", BAD, False, f"The query for wiki is mended: {BAD}", "fact", "q"),
    ("unlinked", "A", "", BAD, True, f"No query for wiki: {BAD}", "fact", "f"),
    ("unread", "so", "", BAD, False, f"The query for wiki could not be read: {BAD}", "error", "x"),
    ("unread", "", "", BAD, False, f"The query for wiki could not be read: {BAD}", "error", "x"),
    ("unread", "", "", BAD, True, f"The query for wiki could not be read: {BAD}", "error", "x"),
]


@pytest.mark.parametrize("outcome, written, query, problem, again, words, kind, tick", CASES)
def test_each_outcome_is_told_as_what_it_is(
    outcome: QueryOutcome,
    written: str,
    query: str,
    problem: str,
    again: bool,
    words: str,
    kind: str,
    tick: str,
) -> None:
    fact = QueryWritten(1, 1, "wiki", "sentence", written, query, problem, again, outcome=outcome)
    assert tell_rationale(fact) == (kind, words, (1,))
    assert kind_of(FactNoted(fact)) == tick
    assert from_dict(to_dict(fact)) == fact
    assert told(words, "zh") != words


@pytest.mark.parametrize(
    "written, query, problem, again, status",
    [
        ("A", "A", "", False, "run"),
        ("A", "A", BAD, True, "run"),
        ("tell me", "tell me", BAD, False, "unread"),
        ("A", "", BAD, False, "unlinked"),
        ("", "", "the model wrote nothing", False, "unread"),
        ("", "", "", False, "none"),
        ("", "", BAD, True, "none"),
    ],
)
def test_what_an_old_journal_tells_is_read_as_before(
    written: str, query: str, problem: str, again: bool, status: str
) -> None:
    fact = QueryWritten(1, 1, "wiki", "sentence", written, query, problem, again)
    assert not fact.outcome and "outcome" not in to_dict(fact) and fact.status == status


@pytest.mark.parametrize(
    "outcome, is_mended", [("run", True), ("unlinked", True), ("none", False), ("unread", False)]
)
def test_a_query_is_mended_only_where_another_was_written(
    outcome: QueryOutcome, is_mended: bool
) -> None:
    second = QueryView("wiki", "sentence", is_repaired=True, outcome=outcome)
    assert second.is_mended is is_mended
    assert not QueryView("wiki", "sentence", outcome=outcome).is_mended
