"""A subgraph as text: compact, valid YAML, in order of growth, and honest about what it leaves out."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Subgraph, Triple
from kgcore.model.render import LABEL_LIMIT, render_subgraph, render_triples
from kgcore.model.text import cut, estimate_tokens, one_line


def e(number: int, label: str, description: str = "") -> Entity:
    return Entity(EntityId(f"x:{number}"), label, description)


def r(name: str, label: str = "", inverse: str = "") -> Relation:
    return Relation(RelationId(name), label or name, inverse)


def load(text: str) -> Any:
    return yaml.load(text, yaml.BaseLoader)


FILM = e(1, "Inception", "2010 film")
NOLAN = e(2, "Christopher Nolan", "film maker")
CAST = [e(10 + i, f"Actor {i}", f"who plays part {i}") for i in range(4)]
SPACE = e(3, "Interstellar", "2014 film: space")
DIRECTOR, ACTOR, RELEASED = r("d", "director"), r("c", "cast member"), r("p", "publication date")
GRAPH = Subgraph().add(
    [
        Triple(FILM, DIRECTOR, NOLAN),
        *(Triple(FILM, ACTOR, actor) for actor in CAST),
        Triple(FILM, RELEASED, Literal("2010-07-16T00:00:00Z", "xsd:dateTime")),
        Triple(SPACE, DIRECTOR, NOLAN),
    ]
)


def test_whole_subgraph() -> None:
    text, n_left_out = render_subgraph(GRAPH)
    assert n_left_out == 0
    assert text == (
        "E1 Inception – 2010 film:\n"
        "  director: E2 Christopher Nolan\n"
        "  cast member: [E3 Actor 0, E4 Actor 1, E5 Actor 2, E6 Actor 3]\n"
        "  publication date: 2010-07-16\n"
        "E2 Christopher Nolan – film maker:\n"
        '  is director of: "E7 Interstellar – 2014 film: space"'
    )


def test_empty_subgraph_is_empty_text() -> None:
    assert render_subgraph(Subgraph()) == ("", 0)


def test_entity_without_edges_has_its_line() -> None:
    text, _ = render_subgraph(Subgraph().add(entities=[FILM, NOLAN]))
    assert text == "E1 Inception – 2010 film:\nE2 Christopher Nolan – film maker:"


def test_inverse_label_is_used_where_there_is_one() -> None:
    directed = r("d", "director", "directed")
    graph = Subgraph().add(entities=[NOLAN]).add([Triple(SPACE, directed, NOLAN)])
    assert render_subgraph(graph)[0] == (
        'E1 Christopher Nolan – film maker:\n  directed: "E2 Interstellar – 2014 film: space"'
    )


def test_description_of_an_entity_is_written_once() -> None:
    graph = GRAPH.add([Triple(SPACE, ACTOR, CAST[0]), Triple(NOLAN, ACTOR, SPACE)])
    text, _ = render_subgraph(graph)
    assert text.count("2014 film: space") == 1
    assert text.count("film maker") == 1


def test_entities_of_the_same_label_keep_their_descriptions() -> None:
    cities = [e(20 + i, "Paris", f"city number {i}") for i in range(6)]
    graph = Subgraph().add([Triple(FILM, r("place"), city) for city in cities])
    text, _ = render_subgraph(graph)
    assert all(f"E{i + 2} Paris – city number {i}" in text for i in range(6))


def test_what_was_not_fetched_is_counted() -> None:
    more = {
        (FILM.id, ACTOR.id, "out"): 12,
        (NOLAN.id, DIRECTOR.id, "in"): 233,
        (CAST[0].id, ACTOR.id, "in"): 5,
        (FILM.id, RelationId("other"), "out"): 3,
        (EntityId("x:99"), ACTOR.id, "out"): 7,
    }
    data = load(render_subgraph(GRAPH.add(more=more))[0])  # type: ignore[arg-type]
    assert data["E1 Inception – 2010 film"]["cast member"][-1] == "+ 12 more"
    assert data["E1 Inception – 2010 film"]["other"] == "+ 3 more"
    assert data["E2 Christopher Nolan – film maker"]["is director of"][-1] == "+ 233 more"
    assert data["E3 Actor 0 – who plays part 0"]["is cast member of"] == "+ 5 more"


def test_joined_entities_share_a_block_and_a_count() -> None:
    other = Entity(EntityId("m:1"), "Inception (film)")
    graph = GRAPH.add(
        [Triple(other, r("m:length", "length"), Literal("148"))],
        same_as=[(FILM.id, other.id)],
        more={(other.id, ACTOR.id, "out"): 4, (FILM.id, ACTOR.id, "out"): 3},
    )
    data = load(render_subgraph(graph)[0])
    assert data["E1 Inception – 2010 film"]["length"] == "148"
    assert data["E1 Inception – 2010 film"]["cast member"][-1] == "+ 7 more"


def test_same_words_from_two_graphs_are_one_group() -> None:
    graph = Subgraph().add(
        [Triple(FILM, r("w:d", "director"), NOLAN), Triple(FILM, r("m:d", "director"), NOLAN)]
    )
    assert (
        render_subgraph(graph)[0]
        == "E1 Inception – 2010 film:\n  director: E2 Christopher Nolan – film maker"
    )


def test_some_triples_are_rendered_with_the_handles_of_the_whole() -> None:
    text, n_left_out = render_triples(GRAPH, GRAPH.triples[-1:])
    assert text == (
        'E2 Christopher Nolan – film maker:\n  is director of: "E7 Interstellar – 2014 film: space"'
    )
    assert n_left_out == 0
    assert render_triples(GRAPH, ()) == ("", 0)


# Within a budget

HUB = Subgraph().add(
    [Triple(FILM, ACTOR, e(100 + i, f"Actor {i}")) for i in range(200)]
    + [Triple(FILM, DIRECTOR, NOLAN), Triple(NOLAN, r("born"), e(500, "London"))],
    more={(FILM.id, ACTOR.id, "out"): 33},
)


def counted(text: str) -> int:
    return sum(int(n) for n in re.findall(r"\+ (\d+) more", text))


@pytest.mark.parametrize("max_tokens", [0, 5, 20, 40, 60, 100, 200, 400, 800])
def test_budget_is_kept_and_everything_left_out_is_counted(max_tokens: int) -> None:
    text, n_left_out = render_subgraph(HUB, max_tokens=max_tokens)
    assert estimate_tokens(text) <= max(max_tokens, estimate_tokens("not shown: + 235 more"))
    assert counted(text) == n_left_out + 33
    n_shown = len(re.findall(r"Actor \d", text)) + ("director" in text) + ("London" in text)
    assert n_shown == len(HUB) - n_left_out


def test_small_groups_outlive_the_hub() -> None:
    text, _ = render_subgraph(HUB, max_tokens=80)
    assert "director: E202 Christopher Nolan" in text
    assert "born: E203 London" in text
    assert "Actor 0" in text


def test_relevance_decides_what_is_left_out_and_order_stays() -> None:
    text, _ = render_subgraph(
        HUB, max_tokens=60, relevance=lambda words: float(words.endswith(("Actor 7", "Actor 150")))
    )
    assert text.index("Actor 7") < text.index("Actor 150")
    assert "Actor 9," not in text
    whole, _ = render_subgraph(HUB, relevance=lambda words: len(words) * 1.0)
    assert whole == render_subgraph(HUB)[0]


def test_what_fits_is_whole() -> None:
    text, _ = render_subgraph(HUB)
    assert render_subgraph(HUB, max_tokens=estimate_tokens(text)) == (text, 0)


def test_text_is_yaml_within_any_budget() -> None:
    for max_tokens in range(0, 400, 13):
        assert isinstance(load(render_subgraph(HUB, max_tokens=max_tokens)[0]), dict)


# Data is data

ODD = [
    "a\nb",
    "a\r\n\tb",
    "\x00\x1b[0m\x7f\x85",
    "a\u2028b\u2029c",
    "a\u202eb\u2066c\u2069",
    "\ud800",
    "a, [b]: {c} # d",
    "- x",
    "? x",
    "x:",
    "x: y",
    'say "no" \\ never',
    "'",
    "",
    " padded ",
    "...",
    "~",
    "+ 5 more",
    "\U000e0041\U000e0042",
    "\ufeffx",
]


@pytest.mark.parametrize("label", ODD)
def test_odd_label_stays_on_its_line_and_comes_back(label: str) -> None:
    relation = r("q", label)
    graph = Subgraph().add(
        [Triple(e(1, label), relation, e(2, label)), Triple(e(1, label), relation, Literal(label))]
    )
    text, _ = render_subgraph(graph)
    assert len(text.splitlines()) == 2
    if "\ud800" in label:
        text.encode("utf-8")
        return
    ((header, groups),) = load(text).items()
    ((phrase, targets),) = groups.items()
    assert header == f"E1 {label or 'x:1'}"
    assert phrase == (label or "q")
    assert targets == [f"E2 {label or 'x:2'}", label]


@settings(max_examples=200, deadline=None)
@given(
    label=st.text(max_size=40).filter(lambda text: "\ufffe" not in text and "\uffff" not in text)
)
def test_any_label_comes_back_from_the_yaml(label: str) -> None:
    graph = Subgraph().add(
        [Triple(e(1, "x"), r("q"), e(2, label)), Triple(e(1, "x"), r("q"), Literal(label))]
    )
    text, _ = render_subgraph(graph)
    assert len(text.splitlines()) == 2
    assert load(text)["E1 x"]["q"] == [f"E2 {label or 'x:2'}", label]


@pytest.mark.parametrize(
    "label",
    [
        "القاهرة",
        "ירושלים",
        "北京市",
        "日本語テキスト",
        "한국어",
        "Ελλάδα",
        "👩‍👩‍👧‍👦",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "e\u0301",
        "می‌خواهم",
        "C++ & Co.",
    ],
)
def test_ordinary_text_is_unchanged(label: str) -> None:
    assert one_line(label) == label
    assert f"E1 {label}:" == render_subgraph(Subgraph().add(entities=[e(1, label)]))[0]


def test_long_labels_are_cut_and_say_so() -> None:
    graph = Subgraph().add(
        [Triple(e(1, "x" * 10_000, "y" * 10_000), r("q"), Literal("z" * 10_000))]
    )
    text, _ = render_subgraph(graph)
    assert len(text) < 700
    assert "x" * (LABEL_LIMIT - 1) + "…" in text
    assert isinstance(load(text), dict)


def test_long_label_of_hidden_characters_stays_short() -> None:
    text, _ = render_subgraph(Subgraph().add(entities=[e(1, "\u202e" * 10_000)]))
    assert len(text) < 200
    assert isinstance(load(text), dict)


@given(text=st.text(max_size=300), limit=st.integers(min_value=1, max_value=200))
def test_cut_text_keeps_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit + 10
    assert len(line.splitlines()) <= 1
    assert cut(text, 4000) == text


@pytest.mark.parametrize(
    "text, tokens",
    [
        ("", 0),
        ("abcd", 1),
        ("abcde", 2),
        ("四个汉字", 4),
        ("Привет", 3),
        ("👍", 2),
        ("a" * 400, 100),
    ],
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
