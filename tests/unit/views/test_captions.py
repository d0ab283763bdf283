"""Captions: every prefix tells, in both languages; an audience reads names, not ids."""

from dataclasses import replace

import pytest

from kgcore.corrections import Correction
from kgcore.model import Entity, EntityId, Relation, RelationId, Triple
from kgcore.runs import Entry, StepDone
from kgcore.runs.entries import EntryBody, FactNoted, Started, StepFailed
from kgcore.steps import (
    Backtracked,
    EdgeSet,
    NodeAdded,
    NodePruned,
    NodeScored,
    QueryWritten,
    QuestionLinked,
    Seed,
)
from kgcore.views.captions import LANGUAGES, captions_of
from kgcore.views.wording import KINDS, Caption
from tests.unit.views import hand_made as made

PEOPLE = tuple(Entity(EntityId(f"x:p{i}"), f"Person {i}", types=("human",)) for i in range(31))
CAST = tuple(Triple(made.INCEPTION, made.CAST, person) for person in PEOPLE)


def entries(*bodies: EntryBody) -> list[Entry]:
    return [Entry(seq, "2026-01-01T00:00:00+00:00", body, seq) for seq, body in enumerate(bodies)]


def told(*bodies: EntryBody, language: str = "en") -> tuple[Caption, ...]:
    return captions_of(entries(*bodies), language)


def edges(direction: str = "out", triples: tuple[Triple, ...] = CAST) -> StepDone:
    asked = made.INCEPTION if direction == "out" else PEOPLE[0]
    step = {
        "kind": "Edges",
        "relation": made.CAST.id,
        "entities": (asked.id,),
        "direction": direction,
        "about": (),
    }
    return StepDone("", "", step, EdgeSet(triples))


KNOWN = FactNoted(NodeAdded(0, None, 0, "start", entities=(made.INCEPTION,), triples=(CAST[0],)))


@pytest.mark.parametrize(
    "body, language, text",
    [
        (edges(), "en", "Looks at “cast member” of Inception – 31 people"),
        (edges(), "zh", "查看Inception的“cast member”：31 人"),
        (edges(triples=CAST[:1]), "en", "Looks at “cast member” of Inception – one person"),
        (edges(triples=()), "en", "Looks at “cast member” of Inception – nothing"),
        (edges("in"), "en", "Looks up what has Person 0 as “cast member” – one result"),
    ],
)
def test_a_look_into_the_graph_names_what_it_found(
    body: StepDone, language: str, text: str
) -> None:
    assert told(KNOWN, body, language=language)[-1].text == text


def test_ids_are_not_read_out_where_a_name_is_known() -> None:
    step = {"kind": "Relations", "entities": (made.INCEPTION.id, EntityId("y:1")), "about": ()}
    text = told(KNOWN, StepDone("", "", step, None))[-1].text
    assert "Inception" in text
    assert "y:1" not in text


def test_ideas_that_come_together_are_one_caption() -> None:
    ideas = [FactNoted(NodeAdded(n, 0, 1, "select_entities", f"idea {n}")) for n in (1, 2, 3)]
    scores = [FactNoted(NodeScored(n, n / 10, f"reason {n}")) for n in (1, 2, 3)]
    picked, rated, dropped = told(
        *ideas, *scores, FactNoted(NodePruned(1)), FactNoted(NodePruned(2))
    )
    assert (picked.text, picked.detail) == ("Picks idea 1", "2 other ideas are kept")
    best = "Compares 3 ideas – the best is “idea 3”: value 0.30 of 1"
    assert (rated.text, rated.detail) == (best, "reason 3")
    assert dropped.text == "Keeps the best paths and drops 2 weaker ones"
    assert dropped.detail == "“idea 1” and “idea 2”"


def test_playing_stops_where_a_presenter_speaks() -> None:
    back = FactNoted(Backtracked(2, 1, 0.1, 0.5, "better there"))
    failed = StepFailed({"kind": "Ask"}, "provider", "no reply")
    assert [c.is_stop for c in told(KNOWN, edges(), back, failed)] == [False, True, True]


def test_turning_back_says_to_what() -> None:
    idea = FactNoted(NodeAdded(1, 0, 1, "select_entities", "Inception"))
    back = FactNoted(Backtracked(2, 1, 0.1, 0.5, "better there"))
    caption = told(idea, back)[-1]
    assert caption.text == "Turns back to “Inception”"
    assert caption.detail == "its value 0.50 is higher than 0.10, the best where the search was"


def test_turning_back_from_where_nothing_is_left_says_so() -> None:
    back = FactNoted(Backtracked(2, 1, 0.0, 0.5, "the last node led nowhere"))
    assert "nothing more to follow" in told(KNOWN, back)[-1].detail
    assert "走到尽头" in told(KNOWN, back, language="zh")[-1].detail


def test_the_paths_of_a_beam_s_depth_are_one_caption() -> None:
    paths = [
        FactNoted(fact)
        for n in (1, 2, 3)
        for fact in (
            NodeAdded(n, 0, 1, "beam", f"cast member → Person {n}"),
            NodeScored(n, n / 10, "relation × entity"),
            *([NodePruned(n)] if n < 3 else ()),
        )
    ]
    caption = told(*paths)[-1]
    assert caption.text == "Follows 3 paths – the best is “cast member → Person 3”"
    assert caption.detail == "value 0.30 of 1; 2 weaker paths are not kept"
    assert caption.nodes == (3,)


def test_a_correction_is_told_at_the_start_and_where_it_applies() -> None:
    relation = Relation(RelationId("x:pop"), "population")
    correction = Correction("c1", "add", made.INCEPTION, relation, PEOPLE[0], kg=made.KG)
    first = made.entries()[0].body
    assert isinstance(first, Started)
    step = {"kind": "Edges", "relation": "x:pop", "entities": (made.INCEPTION.id,), "about": ()}
    step["direction"] = "out"
    linked = FactNoted(QuestionLinked((Seed("Inception", made.INCEPTION),)))
    start, _, look = told(
        replace(first, corrections=(correction,)), linked, StepDone("", "", step, EdgeSet())
    )
    assert "One correction by a person" in start.detail
    assert (look.kind, look.is_stop) == ("human", True)
    assert look.text.startswith("Looks at “population” of Inception")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prefix_tells_and_covers_its_entries_in_order(language: str) -> None:
    whole = made.entries()
    for n in range(1, len(whole) + 1):
        captions = captions_of(whole[:n], language)
        assert captions
        assert {c.kind for c in captions} <= set(KINDS)
        assert all(c.text for c in captions)
        ends = [c.last for c in captions]
        assert [c.first for c in captions] == [0, *(end + 1 for end in ends[:-1])]
    assert captions[-1].last == whole[-1].seq


def test_both_languages_tell_the_same_moments() -> None:
    english, chinese = (captions_of(made.entries(), language) for language in LANGUAGES)
    shape = [[(c.first, c.last, c.kind, c.is_stop) for c in told] for told in (english, chinese)]
    assert shape[0] == shape[1]
    assert english != chinese


def test_an_unknown_language_is_told_in_english() -> None:
    assert captions_of(made.entries(), "xx") == captions_of(made.entries(), "en")


def test_a_label_from_anywhere_in_the_journal_is_used_for_an_id() -> None:
    bare = Entity(made.INCEPTION.id, kg=made.KG)
    step = {"kind": "Relations", "entities": (bare.id,), "about": ()}
    captions = told(
        FactNoted(QuestionLinked((Seed("Inception", bare),))), StepDone("", "", step, None), KNOWN
    )
    assert "Inception" in captions[1].text
    assert bare.id not in "".join(c.text + c.detail for c in captions)


@pytest.mark.parametrize(
    "identifier, text, detail",
    [
        ("http://dbpedia.org/resource/Christopher_Nolan", "Christopher Nolan", ""),
        ("dbo:birthPlace", "birth place", ""),
        ("wd:Q25188", "one thing without a name", "wd:Q25188"),
    ],
)
def test_an_id_without_a_label_is_read_out_only_where_it_is_made_of_words(
    identifier: str, text: str, detail: str
) -> None:
    step = {"kind": "Relations", "entities": (identifier,), "about": ()}
    caption = told(StepDone("", "", step, None))[-1]
    assert f"about {text} –" in caption.text
    assert caption.detail == detail


def test_names_stand_in_the_place_of_ids_in_a_query() -> None:
    written = (
        f"SELECT ?x {{ {made.INCEPTION.id} {made.CAST.id} ?x . <{made.INCEPTION.url}> ?p ?y }}"
    )
    query = FactNoted(QueryWritten(1, 1, "films", "sparql", written, written))
    detail = told(KNOWN, query)[-1].detail
    assert made.INCEPTION.id not in detail
    assert detail == "SELECT ?x { Inception cast member ?x . “Inception” ?p ?y }"
