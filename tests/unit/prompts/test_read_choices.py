"""Ugly real replies to "which of these?"; each bug adds a row."""

import pytest

from kgcore.errors import UnreadableReplyError
from kgcore.model import Entity, EntityId, Subgraph
from kgcore.prompts import (
    ChooseEntities,
    ChooseEntity,
    FindMentions,
    SelectEntities,
    SelectRelation,
)
from tests.unit.prompts.films import (
    CANDIDATES,
    CROUCHING,
    DICAPRIO,
    HARDY,
    INCEPTION,
    NOLAN,
    OPTIONS,
    PARIS_TEXAS,
    QUESTION,
    WAR_AND_PEACE,
    choose_each_entity,
    choose_entities,
    choose_relation,
    handle,
)

N, D, H = handle(NOLAN), handle(DICAPRIO), handle(HARDY)

ENTITIES = {
    "as asked": (f"Thought: x\nEntities: {N}", (NOLAN,)),
    "two": (f"Thought: x\nEntities: {N}, {D}", (NOLAN, DICAPRIO)),
    "another order": (f"Thought: x\nEntities: {D}, {N}", (NOLAN, DICAPRIO)),
    "twice the same": (f"Entities: {N}, {N}", (NOLAN,)),
    "and": (f"Entities: {N} and {D}", (NOLAN, DICAPRIO)),
    "three": (f"Entities: {N}, {D}, and {H}", (NOLAN, DICAPRIO, HARDY)),
    "brackets": (f"Entities: [{N}, {D}]", (NOLAN, DICAPRIO)),
    "quotes": (f'Entities: "{N}", "{D}"', (NOLAN, DICAPRIO)),
    "lower case": (f"entities: {N.lower()}", (NOLAN,)),
    "full width": ("Entities: Ｅ２", (NOLAN,)),
    "semicolons": (f"Entities: {N}; {D}", (NOLAN, DICAPRIO)),
    "lines": (f"Entities:\n- {N}\n- {D}", (NOLAN, DICAPRIO)),
    "numbered lines": (f"Entities:\n1. {N} Christopher Nolan\n2. {D}", (NOLAN, DICAPRIO)),
    "singular": (f"Entity: {N}", (NOLAN,)),
    "handle and label": (f"Entities: {N} Christopher Nolan", (NOLAN,)),
    "label and handle": (f"Entities: Christopher Nolan ({N})", (NOLAN,)),
    "handle, dash, label": (f"Entities: {N} – Christopher Nolan", (NOLAN,)),
    "label": ("Entities: Christopher Nolan", (NOLAN,)),
    "label in other case": ("Entities: CHRISTOPHER NOLAN.", (NOLAN,)),
    "misspelt label": ("Entities: Leonardo Di Caprio", (DICAPRIO,)),
    "labels": ("Entities: Tom Hardy, Leonardo DiCaprio", (DICAPRIO, HARDY)),
    "label with a comma": ("Entities: Crouching Tiger, Hidden Dragon", (CROUCHING,)),
    "label with a comma in a list": (
        "Entities: Tom Hardy, Crouching Tiger, Hidden Dragon",
        (HARDY, CROUCHING),
    ),
    "id": ("Entities: f:2", (NOLAN,)),
    "id in backticks": ("Entities: `f:2`", (NOLAN,)),
    "reason behind": (f"Entities: {N} because the films are missing", (NOLAN,)),
    "unknown name beside a known one": (f"Entities: {N}, Hans Zimmer", (NOLAN,)),
    "JSON": (f'{{"entities": ["{N}", "{D}"]}}', (NOLAN, DICAPRIO)),
    "JSON with objects": (f'{{"entities": [{{"id": "{N}", "label": "x"}}]}}', (NOLAN,)),
    "JSON with a label with a comma": (
        '{"entities": ["Crouching Tiger, Hidden Dragon"]}',
        (CROUCHING,),
    ),
    "only the handle": (N, (NOLAN,)),
    "only the last line": (f"We need the director.\n\n{N}", (NOLAN,)),
    "other handles in the thought": (f"Thought: not E1, E3 or E4\nEntities: {N}", (NOLAN,)),
    "chinese": (f"思考：缺演员\n实体：{N}、{D}", (NOLAN, DICAPRIO)),
    "chinese and": (f"实体：{N}和{D}", (NOLAN, DICAPRIO)),
    "chinese label with an and": ("实体：战争与和平", (WAR_AND_PEACE,)),
    "right-to-left marks": (f"Entities: \u200f{N}\u200e, \u202b{D}\u202c", (NOLAN, DICAPRIO)),
    "a number alone": ("Entities: 2", (NOLAN,)),
    "one of two with the same label": (f"Entities: {handle(PARIS_TEXAS)} Paris", (PARIS_TEXAS,)),
    "handle, label with a comma, another": (
        f"Entities: {handle(CROUCHING)} Crouching Tiger, Hidden Dragon, {N}",
        (NOLAN, CROUCHING),
    ),
    "handle and label, then a label": (
        f"Entities: {N} Christopher Nolan, Tom Hardy",
        (NOLAN, HARDY),
    ),
    "only the last line, two": (f"We need both.\n\n{N} and {D}", (NOLAN, DICAPRIO)),
    "prose with one handle": (f"I would expand {N} now", (NOLAN,)),
    "slash": (f"Entities: {N} / {D}", (NOLAN, DICAPRIO)),
    "full stop behind": (f"Entities: {N}.", (NOLAN,)),
}
NO_ENTITIES = {
    "empty": "",
    "nothing behind": "Thought: x\nEntities:",
    "none": "Entities: none",
    "not offered": "Entities: E99",
    "id not offered beside one that was": f"Entities: {N}, wd:Q42",
    "prose with several handles": f"I would expand {N} rather than {D}",
    "one of them not offered": f"Entities: {N}, E99",
    "longer than an offered one": "Entities: E10000",
    "id not offered": "Entities: wd:Q42",
    "url": "Entities: http://example.org/E2",
    "zero": "Entities: E0",
    "part of a label": "Entities: Toy Story",
    "label of another number": "Entities: Toy Story 3",
    "label of two": "Entities: Paris",
    "handle beside another's label": f"Entities: {N} Leonardo DiCaprio",
    "prose without a handle": "I would like to expand the director.",
    "only unknown names": "Entities: Hans Zimmer",
    "hidden in a word": "Entities: XE2, E2X",
}


@pytest.mark.parametrize("name", ENTITIES)
def test_entities_are_read(name: str) -> None:
    reply, wanted = ENTITIES[name]
    assert choose_entities().read(reply) == SelectEntities(tuple(e.id for e in wanted))


@pytest.mark.parametrize("name", NO_ENTITIES)
def test_reply_without_offered_entities_is_unreadable(name: str) -> None:
    with pytest.raises(UnreadableReplyError):
        choose_entities().read(NO_ENTITIES[name])


def test_e12_is_never_e1() -> None:
    many = Subgraph().add(entities=[Entity(EntityId(f"x:{i}"), f"name {i}") for i in range(1, 13)])
    request = ChooseEntities("?", many, (), ())
    assert request.read("Entities: E12").entities == ("x:12",)
    assert request.read("Entities: E1").entities == ("x:1",)
    few = ChooseEntities("?", Subgraph().add(entities=[Entity(EntityId("x:1"), "one")]), (), ())
    with pytest.raises(UnreadableReplyError):
        few.read("Entities: E12")


def test_label_that_looks_like_a_handle_never_wins_over_the_handle() -> None:
    graph = Subgraph().add(
        entities=[
            Entity(EntityId("x:1"), "E2"),
            Entity(EntityId("x:2"), "x:1"),
            Entity(EntityId("x:3")),
        ]
    )
    request = ChooseEntities("?", graph, (), ())
    assert request.read("Entities: E2").entities == ("x:2",)
    assert request.read("Entities: x:1").entities == ("x:1",)
    assert request.read("Entities: x:3").entities == ("x:3",)


RELATIONS = {
    "as asked": ("Thought: x\nRelation: R2", 1),
    "two digits": ("Relation: R12", 11),
    "lower case": ("relation: r2", 1),
    "brackets": ("Relation: [R2]", 1),
    "whole line": ("Relation: R2 directed → (incoming, 12 edges, e.g. Interstellar)", 1),
    "phrase out": ("Relation: director", 0),
    "phrase in": ("Relation: directed", 1),
    "phrase in other case": ("Relation: Cast Member", 2),
    "arrow": ("Relation: R1 director →", 0),
    "number": ("Relation: 2", 1),
    "option": ("Option: R2", 1),
    "id": ("Relation: r:cast", 2),
    "markdown": ("**Relation:** **R2**", 1),
    "JSON": ('{"relation": "R2"}', 1),
    "only the handle": ("R2", 1),
    "prose before": ("Going back to the films helps.\n\nR2", 1),
    "chinese": ("思考：看电影\n关系：R2", 1),
    "explanation behind": ("Relation: R2\nIt leads to other films.", 1),
}
NO_RELATIONS = {
    "empty": "",
    "not offered": "Relation: R15",
    "a handle of an entity": "Relation: E2",
    "id of both directions": "Relation: r:director",
    "several": "Relation: R1, R2",
    "none": "Relation: none",
    "unknown phrase": "Relation: spouse",
    "part of a phrase": "Relation: cast",
    "another kind": "Relation: kind 99",
    "handle beside another phrase": "Relation: R1 cast member",
}


@pytest.mark.parametrize("name", RELATIONS)
def test_relation_is_read(name: str) -> None:
    reply, wanted = RELATIONS[name]
    assert choose_relation().read(reply) == SelectRelation(wanted)


@pytest.mark.parametrize("name", NO_RELATIONS)
def test_reply_without_offered_relation_is_unreadable(name: str) -> None:
    with pytest.raises(UnreadableReplyError):
        choose_relation().read(NO_RELATIONS[name])


LETTERS = {
    "as asked": ("Thought: x\nRelation: B", 1),
    "lower case": ("Relation: b", 1),
    "bracket": ("Relation: B)", 1),
    "parentheses": ("Relation: (B)", 1),
    "with its phrase": ("Relation: B) directed", 1),
    "phrase": ("Relation: directed", 1),
    "only the letter": ("B", 1),
    "letter": ("Letter: C", 2),
    "full stop": ("Relation: C.", 2),
    "JSON": ('{"relation": "B"}', 1),
}
NO_LETTERS = {
    "beyond the list": "Relation: G",
    "a handle": "Relation: R2",
    "phrase beyond the shortlist": "Relation: kind 9",
    "article": "A good choice would be the cast",
    "letter beside another phrase": "Relation: A) directed",
    "empty": "",
}


@pytest.mark.parametrize("name", LETTERS)
def test_letter_is_read(name: str) -> None:
    reply, wanted = LETTERS[name]
    assert choose_relation(shortlist=5).read(reply) == SelectRelation(wanted)


@pytest.mark.parametrize("name", NO_LETTERS)
def test_reply_without_offered_letter_is_unreadable(name: str) -> None:
    with pytest.raises(UnreadableReplyError):
        choose_relation(shortlist=5).read(NO_LETTERS[name])


@pytest.mark.parametrize(
    "reply",
    [
        "Relation: F",
        "F) none of these",
        "Relation: none of these",
        "关系：以上都不是",
        "Relation: none",
    ],
)
def test_none_of_a_shortlist_says_so(reply: str) -> None:
    with pytest.raises(UnreadableReplyError, match=r"^none of these fits$"):
        choose_relation(shortlist=5).read(reply)


def test_shortlist_may_be_longer_than_the_options() -> None:
    request = choose_relation(shortlist=40)
    assert (
        request.read(f"Relation: {'ABCDEFGHIJKLMN'[len(OPTIONS) - 1]}").option == len(OPTIONS) - 1
    )


CHOSEN = {
    "as asked": ("Candidate: C1", 0),
    "none": ("Candidate: none", None),
    "none of these": ("None of these.", None),
    "none, with markdown": ("**Candidate:** none of them", None),
    "JSON": ('{"candidate": "C2"}', 1),
    "JSON none": ('{"candidate": "none"}', None),
    "label": ("Candidate: Inception", 0),
    "id": ("Candidate: f:10", 2),
    "handle and label": ("Candidate: C2 Paris", 1),
    "number": ("Candidate: 3", 2),
    "lower case": ("c3", 2),
    "a label that looks like another handle": ("Candidate: C1", 0),
    "chinese": ("候选：C2", 1),
    "chinese none": ("候选：都不是", None),
    "explanation behind": ("Candidate: C1\nThe film is meant.", 0),
    "in a sentence": ("Candidate: It must be C1, the film", 0),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_candidate_is_read(name: str) -> None:
    reply, wanted = CHOSEN[name]
    assert ChooseEntity(QUESTION, "Inception", CANDIDATES).read(reply) == wanted


@pytest.mark.parametrize(
    "reply",
    ["", "Candidate:", "Candidate: C9", "Candidate: Paris", "C1 or C2", "Candidate: wd:Q1", "I do"],
)
def test_reply_without_candidate_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReplyError):
        ChooseEntity(QUESTION, "Inception", CANDIDATES).read(reply)


EACH = {
    "as asked": "1: C2\n2: none",
    "with labels": "1: C2 Paris\n2: none of them",
    "field names": "1: Candidate: C2\n2: Candidate: none",
    "another order": "2: none\n1: C2",
    "markdown": "**1:** C2\n**2:** none",
    "dots": "1. C2\n2. none",
    "bare lines": "C2\nnone",
    "JSON": '{"1": "C2", "2": "none"}',
    "JSON list": '["C2", "none"]',
    "JSON inside": '{"candidates": ["C2", "none"]}',
    "full width": "１：C2\n２：none",
    "talk before": "Both are clear.\n1: C2\n2: none",
}


@pytest.mark.parametrize("name", EACH)
def test_a_candidate_for_each_name_is_read(name: str) -> None:
    assert choose_each_entity().read(EACH[name]) == (1, None)


@pytest.mark.parametrize(
    "reply", ["", "1: C2", "1: C2\n3: C1", "1: C2\n1: C1\n2: none", "1: C9\n2: none", "C2"]
)
def test_a_reply_without_a_choice_for_each_name_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReplyError):
        choose_each_entity().read(reply)


BOTH = ("Inception", "Crouching Tiger, Hidden Dragon")
MENTIONS = {
    "as asked": ("Mentions: Inception; Crouching Tiger, Hidden Dragon", BOTH),
    "commas": ("Mentions: Inception, Crouching Tiger, Hidden Dragon", BOTH),
    "lines": ("Mentions:\n- Inception\n- Crouching Tiger, Hidden Dragon", BOTH),
    "numbered": ("Mentions:\n1. Inception\n2. Crouching Tiger, Hidden Dragon", BOTH),
    "quotes": ('Mentions: "Inception"; "Crouching Tiger, Hidden Dragon"', BOTH),
    "brackets": ("Mentions: [Inception; Crouching Tiger, Hidden Dragon]", BOTH),
    "JSON": ('{"mentions": ["Inception", "Crouching Tiger, Hidden Dragon"]}', BOTH),
    "JSON list": ('["Inception", "Crouching Tiger, Hidden Dragon"]', BOTH),
    "bare lines": ("Inception\nCrouching Tiger, Hidden Dragon", BOTH),
    "talk behind": ("Mentions: Inception\n\nThese are the names.", ("Inception",)),
    "twice": ("Mentions: Inception; INCEPTION", ("Inception",)),
    "none": ("Mentions: none", ()),
    "only none": ("None", ()),
    "JSON empty": ('{"mentions": "none"}', ()),
    "chinese": ("提及：盗梦空间、北京", ("盗梦空间", "北京")),
    "not in the question": ("Mentions: Christopher Nolan", ("Christopher Nolan",)),
}


@pytest.mark.parametrize("name", MENTIONS)
def test_mentions_are_read(name: str) -> None:
    reply, wanted = MENTIONS[name]
    assert FindMentions(QUESTION).read(reply) == wanted


@pytest.mark.parametrize("reply", ["", "Mentions:", "I think it is about films.", "{}", "[1, {"])
def test_reply_without_mentions_is_unreadable(reply: str) -> None:
    with pytest.raises(UnreadableReplyError):
        FindMentions(QUESTION).read(reply)


def test_chinese_mentions_of_a_question_are_kept_whole() -> None:
    question = "《战争与和平》的作者是谁？"
    assert FindMentions(question, language="zh").read("Mentions: 《战争与和平》") == ("战争与和平",)


def test_entity_without_label_can_be_chosen_by_id() -> None:
    assert INCEPTION.id in choose_entities().read("Entities: f:1").entities
