"""A question is read as clues around mentions, in the order in which relations are followed."""

from __future__ import annotations

import pytest

from kgcore.llm.offline.question import analyse

CASES = [
    ("Who directed Dunes?", ["Dunes"], "find", ["directed"]),
    ("Where was the father of Ada Reed born?", ["Ada Reed"], "find", ["father", "born"]),
    ("Where was Ada Reed's father born?", ["Ada Reed"], "find", ["father", "born"]),
    (
        "What is the capital of the country where Ada Reed was born?",
        ["Ada Reed"],
        "find",
        ["born", "country", "capital"],
    ),
    (
        "Which films did the director of Dunes direct?",
        ["Dunes"],
        "find",
        ["director", "direct", "films"],
    ),
    (
        "Which actor starred in both Dunes and Tides?",
        ["Dunes", "Tides"],
        "common",
        ["starred", "actor"],
    ),
    (
        "Which film came out first, Dunes or Tides?",
        ["Dunes", "Tides"],
        "compare",
        ["film", "came out"],
    ),
    ("Who is older, Ada Reed or Cy Moor?", ["Ada Reed", "Cy Moor"], "compare", ["older"]),
    (
        "Which film has the director who was born earlier, Dunes or Ember?",
        ["Dunes", "Ember"],
        "compare",
        ["film", "director", "born"],
    ),
    ("Did Ada Reed direct Dunes?", ["Ada Reed", "Dunes"], "claim", ["direct"]),
    (
        "Are Ada Reed and Cy Moor from the same country?",
        ["Ada Reed", "Cy Moor"],
        "same",
        ["from", "country"],
    ),
    ("Can you tell me who directed Dunes?", ["Dunes"], "find", ["directed"]),
    ("How many children does Ada Reed have?", ["Ada Reed"], "count", ["children"]),
    (
        "What was the first film directed by Ada Reed?",
        ["Ada Reed"],
        "pick",
        ["directed", "film", "first"],
    ),
    (
        "Which films share the director of Dunes?",
        ["Dunes"],
        "find",
        ["director", "director", "films"],
    ),
    ("Why did the director of Dunes die?", ["Dunes"], "find", ["director", "die"]),
    ("Which award did Dunes win?", ["Dunes"], "find", ["win", "award"]),
    ("谁导演了《沙丘》？", ["沙丘"], "find", ["导演"]),
    ("《沙丘》的导演出生在哪里？", ["沙丘"], "find", ["导演", "出生"]),
    ("《沙丘》和《潮汐》哪部电影上映更早？", ["沙丘", "潮汐"], "compare", ["电影", "上映"]),
    ("哪位演员同时出演了《沙丘》和《潮汐》？", ["沙丘", "潮汐"], "common", ["出演", "演员"]),
    ("艾达是《沙丘》的导演吗？", ["艾达", "沙丘"], "claim", ["导演"]),
    ("艾达有几个孩子？", ["艾达"], "count", ["孩子"]),
]


@pytest.mark.parametrize("question,mentions,kind,clues", CASES, ids=[c[0] for c in CASES])
def test_kind_and_order_of_clues(
    question: str, mentions: list[str], kind: str, clues: list[str]
) -> None:
    analysis = analyse(question, tuple(mentions))
    assert analysis.kind == kind
    assert [analysis.clues[i].text for i in analysis.orders[0]] == clues


@pytest.mark.parametrize(
    "question,aspect",
    [
        ("Who directed Dunes?", "person"),
        ("When was Dunes released?", "time"),
        ("In what year was Dunes released?", "time"),
        ("Where was Dunes filmed?", "place"),
        ("How long is Dunes?", "amount"),
        ("What is the genre of Dunes?", "any"),
        ("Dunes是什么时候上映的？", "time"),
        ("Dunes在哪里取景？", "place"),
        ("Dunes在哪一年上映？", "time"),
        ("Dunes在哪上映？", "place"),
    ],
)
def test_question_word_says_what_is_asked_for(question: str, aspect: str) -> None:
    assert analyse(question, ("Dunes",)).aspect == aspect


@pytest.mark.parametrize(
    "question,label",
    [
        ("When was Ada Reed born?", ("date", "birth")),
        ("Where was Ada Reed born?", ("plac", "birth")),
        ("Where was the man who was born in Ada Reed buried?", ("plac", "bury")),
    ],
)
def test_the_question_word_chooses_between_labels(question: str, label: tuple[str, ...]) -> None:
    analysis = analyse(question, ("Ada Reed",))
    last = analysis.clues[[i for i in analysis.orders[0] if not analysis.clues[i].is_soft][-1]]
    assert last.labels[0].stems == label


@pytest.mark.parametrize(
    "question,direction",
    [
        ("Who directed M?", "out"),
        ("Who is the director of M?", "out"),
        ("Who is M's director?", "out"),
        ("Who was M directed by?", "out"),
        ("Which films were directed by M?", "in"),
        ("Which films did M direct?", "in"),
        ("Does M have a director?", "out"),
        ("List the films M directed.", "in"),
        ("Where was M born?", "out"),
        ("What did M die of?", "out"),
        ("Which films has M been in?", "in"),
        ("Who was born in M?", "in"),
        ("谁导演了M？", "out"),
        ("M的导演是谁？", "out"),
        ("M导演了哪些电影？", "in"),
        ("哪些人出生于M？", "in"),
    ],
)
def test_word_order_tells_the_direction(question: str, direction: str) -> None:
    analysis = analyse(question, ("M",))
    clue = next(i for i in analysis.orders[0] if not analysis.clues[i].is_soft)
    assert analysis.directions[0][clue] == direction


def test_words_nothing_is_known_of_stay_clues() -> None:
    analysis = analyse("What is the shoe size of Ada Reed?", ("Ada Reed",))
    assert [(c.text, c.cue) for c in analysis.clues] == [("shoe size", None)]


def test_a_noun_that_only_says_what_the_mention_is_is_no_clue() -> None:
    analysis = analyse("Who directed the film Dunes?", ("Dunes",))
    assert [c.text for c in analysis.clues] == ["directed"]
    assert [c.text for c in analyse("谁导演了电影沙丘？", ("沙丘",)).clues] == ["导演"]


def test_a_mention_that_is_part_of_a_longer_word_is_not_found_there() -> None:
    analysis = analyse("Who directed Sevenfold after Seven?", ("Seven",))
    assert "Sevenfold" in [c.text for c in analysis.clues]


def test_chain_words_stand_for_several_relations() -> None:
    analysis = analyse("Who is the paternal grandmother of Ada Reed?", ("Ada Reed",))
    names = [analysis.clues[i].cue for i in analysis.orders[0]]
    assert [cue.name for cue in names if cue] == ["father", "mother"]


def test_a_kind_of_thing_before_of_is_a_relation() -> None:
    analysis = analyse("What are the genres of the films directed by M?", ("M",))
    weights = {c.text: c.weight for c in analysis.clues}
    assert weights["genres"] == weights["directed"] > weights["films"]


def test_what_is_shared_is_followed_there_and_back() -> None:
    analysis = analyse("Which films have the same director as M?", ("M",))
    assert analysis.excludes_mention
    assert [c.is_back for c in analysis.clues if c.text == "director"] == [False, True]


def test_a_verb_with_its_preposition_is_no_title() -> None:
    assert analyse("Who played in Dunes?", ("Dunes",)).directions == (("out",),)


def test_to_share_a_border_is_to_border() -> None:
    clues = analyse("Which countries share a border with Westland?", ("Westland",)).clues
    assert not any(clue.is_back for clue in clues)


def test_shares_that_are_traded_are_not_shared() -> None:
    analysis = analyse("On which stock exchanges are Dunes shares traded?", ("Dunes",))
    assert not any(clue.is_back for clue in analysis.clues)


def test_a_verb_after_the_question_word_is_no_kind_of_thing() -> None:
    verb, *_ = analyse("What sank the wife of Ada Reed?", ("Ada Reed",)).clues
    assert not verb.is_type
    noun, *_ = analyse("Which botanists died in Norville?", ("Norville",)).clues
    assert noun.is_type and noun.is_asked


def test_the_noun_asked_for_and_its_verb_are_one_relation() -> None:
    award, win = analyse("Which award did M win?", ("M",)).clues
    assert award.group == win.group
    father, born = analyse("Where was the father of M born?", ("M",)).clues
    assert father.group != born.group


def test_what_follows_of_runs_along_the_relation() -> None:
    analysis = analyse("What is the capital of the country where M was born?", ("M",))
    assert (
        dict(zip([c.text for c in analysis.clues], analysis.chained, strict=True))["capital"]
        == "out"
    )


@pytest.mark.parametrize(
    "question,clues",
    [
        ("The films that share actors with M were in which genres?", ["actors", "actors", "films", "genres"]),
        ("What genres do the films that share actors with M fall under?", ["actors", "actors", "films", "genres"]),
        ("The films written by the writer of M were directed by who?", ["writer", "written", "films", "directed"]),
        ("When did the films release whose directors also directed M?", ["directed", "directors", "release", "films"]),
        ("Who is the writer of the films starred by the M actors?", ["actors", "starred", "films", "writer"]),
        ("Who wrote the films M directed?", ["directed", "films", "wrote"]),
        ("In which city was the wife of M's father born?", ["father", "wife", "born", "city"]),
        ("Which band was the wife of M a member of?", ["wife", "member", "band"]),
        ("Where does the spouse of M work for?", ["spouse", "work for"]),
        ("哪部电影的导演出生在M？", ["出生", "导演", "电影"]),
        ("M导演的电影的演员有哪些？", ["导演", "电影", "演员"]),
    ],
)  # fmt: skip
def test_clues_are_followed_from_the_name_outwards(question: str, clues: list[str]) -> None:
    analysis = analyse(question, ("M",))
    assert [analysis.clues[i].text for i in analysis.orders[0]] == clues


@pytest.mark.parametrize(
    "question,directions",
    [
        ("Who directed films by the writer M?", ["in", "out"]),
        ("The films M wrote were directed by who?", ["in", "out"]),
        ("The films directed by the director of M", ["out", "in"]),
        ("The writer of M is also the writer of which films?", ["out", "in"]),
        ("What films was M a writer on?", ["in"]),
    ],
)
def test_word_order_tells_the_direction_of_later_relations(
    question: str, directions: list[str]
) -> None:
    analysis = analyse(question, ("M",))
    relations = [i for i in analysis.orders[0] if not analysis.clues[i].is_soft]
    first, *later = relations
    assert [analysis.directions[0][first], *(analysis.chained[i] for i in later)] == directions


@pytest.mark.parametrize(
    "question",
    ["Who acted together with M?", "Who co-wrote films with M?", "Which actors co-starred with M?"],
)
def test_what_is_done_together_is_followed_back_and_there(question: str) -> None:
    analysis = analyse(question, ("M",))
    ways = [c.is_back for c in analysis.clues if not c.is_soft]
    assert ways == [True, False]
    assert analysis.excludes_mention


def test_others_than_the_mention_are_asked_for() -> None:
    assert analyse("Which other films did the director of M direct?", ("M",)).excludes_mention
    assert not analyse("Which films did the director of M direct?", ("M",)).excludes_mention


def test_a_kind_of_thing_that_something_owns_is_a_relation() -> None:
    for question in ("Who are the actors in the films of M?", "Who wrote the M actors' films?"):
        actors = next(c for c in analyse(question, ("M",)).clues if c.text == "actors")
        assert actors.is_relation
        assert not actors.is_type


@pytest.mark.parametrize(
    "question,aspect",
    [("The films of M were directed by who?", "person"), ("Who is the man who wrote M?", "person")],
)
def test_a_question_word_at_the_end_asks_too(question: str, aspect: str) -> None:
    assert analyse(question, ("M",)).aspect == aspect
