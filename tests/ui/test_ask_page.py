"""The Ask page as a script: what it draws for every state of a run, and that it starts each run once."""

import json
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.runs import Breakpoint, Ended, Started
from kgcore.steps import Answer, AnswerPart, AnswerProposed, NodeAdded, QuestionLinked, Seed
from pages.components.answer_words import PLACE
from pages.components.selection import Selection
from tests.unit.views import hand_made as made

ROOT = Path(__file__).parents[2]
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://example.org/x.png) **b** [y](http://example.org)",
    ":red[x] :material/home: $x$ `c`",
    "\u202eדירט",
)


OURS = set("a b bdi div h1 h2 i p small span strong style table tbody td th thead tr".split())


class Elements(HTMLParser):
    """Collects the tags and attributes of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs, imported once."""
    home = tmp_path_factory.mktemp("demo-home")
    build(home).graphs()
    return home


@pytest.fixture
def studio(demo_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("KGCORE_HOME", str(demo_home))
    made_studio = build(demo_home)
    yield made_studio
    for record in made_studio.store.list():
        made_studio.store.delete(record.id)
    made_studio.store.close()


def open_page(run_id: str = "", **state: Any) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if run_id:
        page.query_params["run"] = run_id
    for name, value in state.items():
        page.session_state[name] = value
    page.run()
    assert not page.exception
    return page


def keep(studio: Studio, bodies: list[Any]) -> str:
    """Store a run written by hand; one without an end reads interrupted."""
    run_id = uuid.uuid4().hex
    first, *rest = made.entries([replace(bodies[0], run_id=run_id), *bodies[1:]])
    assert isinstance(first.body, Started)
    studio.store.create(first.body, entries=rest)
    return run_id


def ending(status: str, reason: str = "", answer: Answer | None = None) -> list[Any]:
    return [*made.story()[:-2], Ended(status, reason, answer, 1.0)]


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def address(page: AppTest) -> str:
    given = page.query_params["run"]
    return given if isinstance(given, str) else given[0]


def ask(page: AppTest, question: str) -> AppTest:
    page.text_input(key="ask-question").set_value(question)
    next(b for b in page.button if b.label == "Run").click()
    return page.run()


def wait_for_end(studio: Studio, run_id: str) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        status = studio.store.record(run_id).status
        if status not in ("running", "interrupted"):
            return status
        time.sleep(0.05)
    raise AssertionError("the run did not end")


def test_the_empty_page_names_the_offline_matcher_and_offers_questions(studio: Studio) -> None:
    page = open_page()
    assert "offline matcher – no language model" in html(page)
    assert any(label.endswith("Inception and Interstellar?") for label in labels(page))


def test_a_sample_question_fills_the_box(studio: Studio) -> None:
    page = open_page()
    next(b for b in page.button if "Casablanca" in b.label).click()
    page.run()
    assert page.text_input(key="ask-question").value == "Who directed Casablanca?"


def test_a_question_is_answered_and_its_run_is_in_the_address(studio: Studio) -> None:
    page = ask(open_page(), "Who directed Casablanca?")
    run_id = address(page)
    assert wait_for_end(studio, run_id) == "answered"
    page.run()
    assert "Michael Curtiz" in html(page)
    assert "demo-wikidata" in html(page)


def test_two_clicks_on_run_start_one_run(studio: Studio) -> None:
    page = open_page()
    ask(page, "Who directed Casablanca?")
    ask(page, "Who directed Casablanca?")
    assert len(studio.store.list()) == 1
    wait_for_end(studio, studio.store.list()[0].id)


def test_an_empty_question_gives_one_clear_line(studio: Studio) -> None:
    page = ask(open_page(), "   ")
    assert [error.value for error in page.error] == ["the question is empty"]
    assert studio.store.list() == []


def test_an_unknown_run_in_the_address_gives_one_clear_line(studio: Studio) -> None:
    page = open_page("abcdef")
    assert [error.value for error in page.error] == ["no run abcdef"]


def test_a_broken_settings_file_gives_one_clear_line(tmp_home: Path) -> None:
    tmp_home.mkdir()
    (tmp_home / "settings.yaml").write_text("model: [", "utf-8")
    page = open_page()
    (error,) = [error.value for error in page.error]
    assert error.startswith("settings\\.yaml ")


def test_a_stored_run_is_drawn_with_answer_and_proof(studio: Studio) -> None:
    page = open_page(keep(studio, made.story()))
    shown = html(page)
    assert made.QUESTION in shown
    assert "answered" in shown
    assert shown.count("cast member</bdi>") >= 2
    graphs = [c for c in page.get("bidi_component") if '"nodes":' in c.proto.json]
    assert len(graphs) == 2


@pytest.mark.parametrize(
    "status,words",
    [
        ("no_answer", "The provider said no"),
        ("failed", "the provider said no"),
        ("budget", "the provider said no"),
        ("stopped", "Stopped before an answer"),
    ],
)
def test_every_end_says_what_happened(studio: Studio, status: str, words: str) -> None:
    page = open_page(keep(studio, ending(status, "the provider said no")))
    assert words in html(page)
    can_resume = any(label.startswith("Resume") for label in labels(page))
    assert can_resume == (status != "no_answer")


def test_an_interrupted_run_offers_to_resume(studio: Studio) -> None:
    page = open_page(keep(studio, made.story()[:10]))
    assert "interrupted" in html(page)
    assert "Resume" in labels(page)


def test_a_run_that_cannot_be_resumed_says_why_in_one_line(studio: Studio) -> None:
    page = open_page(keep(studio, made.story()[:10]))
    page.button(key="run-resume").click()
    page.run()
    assert not page.exception
    (error,) = [error.value for error in page.error]
    assert "\n" not in error


def test_model_memory_is_marked(studio: Studio) -> None:
    part = AnswerPart(Literal("Atlantis"), is_supported=False)
    answer = Answer("Atlantis", (part,), 0.5)
    page = open_page(keep(studio, ending("answered", answer=answer)))
    assert "Atlantis – model memory" in html(page)
    assert "No triple supports this answer" in html(page)


def test_a_picked_node_shows_its_prompt_and_replies(studio: Studio) -> None:
    run_id = keep(studio, made.story())
    page = open_page(run_id, selections={run_id: Selection("tree", "2")})
    assert "What next?" in [code.value for code in page.code]
    assert "THINK first the director" in html(page)
    assert "the reply names no action" in html(page)


def test_a_picked_entity_shows_its_triples_and_who_brought_it(studio: Studio) -> None:
    run_id = keep(studio, made.story())
    page = open_page(run_id, selections={run_id: Selection("entity", "x:6")})
    assert 'href="http://example.org/6"' in html(page)
    assert any("step #3" in label for label in labels(page))


def test_a_follow_up_starts_from_the_answer(studio: Studio) -> None:
    page = open_page(keep(studio, made.story()))
    page.button(key="ask-follow-up").click()
    page.run()
    assert page.multiselect(key="ask-seeds").value == ["x:3"]


def hostile_run(text: str) -> list[Any]:
    bad = Entity(EntityId("x:bad"), text, text, kg=text, types=(text,), url=f"javascript:{text}")
    end = Entity(EntityId("x:end"), text * 200, kg=text)
    triple = Triple(bad, Relation(RelationId("x:rel"), text), end, Provenance(text, query=text))
    answer = Answer(
        text, (AnswerPart(end), AnswerPart(Literal(text), False)), 0.9, (triple,), node=1
    )
    return [
        replace(made.story()[0], question=text, kgs=((text, "1"),), models=(("reason", text),)),
        QuestionLinked((Seed(text, bad),)),
        NodeAdded(0, None, 0, "start", entities=(bad,)),
        made.asked(0, "choose_action", text, text),
        NodeAdded(1, 0, 1, "answer", text, triples=(triple,)),
        AnswerProposed(answer),
        Ended("answered", "", answer, 1.0),
    ]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("picked", [("tree", "1"), ("entity", "x:bad"), ("", "")])
def test_text_of_graphs_and_models_is_shown_as_text(
    studio: Studio, text: str, picked: tuple[str, str]
) -> None:
    run_id = keep(studio, hostile_run(text))
    page = open_page(run_id, selections={run_id: Selection(*picked)})
    found = Elements()
    found.feed(html(page))
    assert found.tags <= OURS
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    links = [v for name, v in found.attributes if name in ("href", "src")]
    assert all(v.startswith("http") or v == f"#{PLACE}" for v in links)
    for element in (*page.button, *page.expander):
        ours_removed = element.label.replace(":gray[", "")
        assert not re.search(r"(?<!\\)[<\[`*]|:red\[|:material/home", ours_removed)
    assert all(text not in block.value for block in page.markdown)


def test_a_missing_key_leads_to_the_settings(studio: Studio) -> None:
    page = open_page(keep(studio, ending("failed", "no key is set for openai")))
    assert "Set a key" in [link.proto.label for link in page.get("page_link")]
    page = open_page(keep(studio, ending("failed", "the provider said no")))
    assert "Set a key" not in [link.proto.label for link in page.get("page_link")]


def test_a_finished_tree_is_seen_at_its_answer_until_a_node_is_picked(studio: Studio) -> None:
    run_id = keep(studio, made.story())
    assert tree_focus(open_page(run_id), run_id) == "6"
    picked = open_page(run_id, selections={run_id: Selection("tree", "2")})
    assert tree_focus(picked, run_id) == "2"


def tree_focus(page: AppTest, run_id: str) -> str | None:
    drawn = [
        json.loads(c.proto.json) for c in page.get("bidi_component") if '"nodes":' in c.proto.json
    ]
    (tree,) = [data for data in drawn if data["key"] == f"tree-{run_id}"]
    focus: str | None = tree["focus"]
    return focus


def test_a_long_answer_and_log_line_end_in_an_ellipsis(studio: Studio) -> None:
    long = "word " * 400
    answer = Answer(long, (AnswerPart(Literal(long)),), 0.5)
    shown = html(open_page(keep(studio, ending("answered", answer=answer))))
    assert "word…</bdi>" in shown
    assert max(map(len, re.findall(r"<bdi>(.*?)</bdi>", shown))) <= 240


def test_a_very_long_label_is_cut(studio: Studio) -> None:
    page = open_page(keep(studio, hostile_run("long label " * 1000)))
    assert max(len(label) for label in labels(page)) < 400


def test_each_part_of_the_page_has_a_heading(studio: Studio) -> None:
    shown = html(open_page(keep(studio, made.story())))
    assert shown.count("<h1") == 1
    heads = re.findall(r"<h2[^>]*>(?:<bdi>)?([^<]+)", shown)
    assert heads == [made.QUESTION, "Knowledge graph", "Search tree", "Answer", "Details", "Log"]
    assert html(open_page()).count("<h1") == 1


def test_many_answers_are_counted_in_the_head_and_lead_to_the_list(studio: Studio) -> None:
    parts = tuple(AnswerPart(Literal(f"The film number {n}")) for n in range(30))
    answer = Answer(", ".join(part.value.name for part in parts), parts, 0.9)
    shown = html(open_page(keep(studio, ending("answered", answer=answer))))
    link = shown.partition(f'<a class="ts-to" href="#{PLACE}"')[2].partition("</a>")[0]
    assert "30 answers" in link
    assert f'id="{PLACE}"' in shown


def test_the_state_is_said_in_a_region_of_its_own(studio: Studio) -> None:
    page = open_page(keep(studio, ending("failed", "the provider said no")))
    sent = [json.loads(c.proto.json or "null") for c in page.get("bidi_component")]
    assert {"text": "failed"} in sent


def test_a_moment_past_the_end_is_said_in_one_line(studio: Studio) -> None:
    run_id = keep(studio, made.story())
    page = open_page(run_id)
    page.query_params["at"] = "999"
    page.run()
    (error,) = [error.value for error in page.error]
    assert "asks for moment 999" in error
    assert "at" not in page.query_params


def test_the_line_below_the_question_says_what_is_asked_when_no_graph_is_chosen(
    studio: Studio,
) -> None:
    page = open_page(**{"ask-kgs": []})
    assert "none chosen, so demo-wikidata + demo-musicbrainz" in html(page)
    page = open_page(**{"ask-kgs": ["demo-wikidata"]})
    assert "none chosen" not in html(page)


def test_the_line_below_the_question_counts_the_breakpoints_that_are_on(studio: Studio) -> None:
    points = (Breakpoint("answer"), Breakpoint("error"), Breakpoint("backtrack", is_on=False))
    page = open_page(**{"ask-breakpoints": points})
    assert "2 breakpoints" in html(page)


def test_the_head_of_a_run_names_its_method(studio: Studio) -> None:
    run = studio.ask(Task("Who directed Casablanca?", method="think-on-graph-r", model="offline"))
    run.drive()
    head = html(open_page(run.id))
    assert 'title="Method: Think-on-Graph-R (relation chains)"><bdi>Think-on-Graph-R</bdi>' in head
