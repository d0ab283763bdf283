"""The cards of a Chain-of-Knowledge: votes, domains, drafts before and after, queries, and writing one otherwise."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import RunView
from kgcore.runs.rationales_view import QueryView
from kgcore.steps.rationales import RationalesSampled, Sample
from pages.components.studio import shared
from pages.components.watch import Seen

ROOT = Path(__file__).parents[2]
QUESTION = "What is the symbol of tungsten?"
DISCOVERY = "Who discovered Uranus?"
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://example.org/x.png) **b** [y](javascript:alert(1))",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo-home")
    build(folder, environ={}).graphs()
    return folder


@pytest.fixture
def studio(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("KGCORE_HOME", str(home))
    made = build(home, environ={})
    yield made
    for record in made.store.list():
        made.store.delete(record.id)
    made.store.close()


def asked(studio: Studio, question: str = QUESTION, **settings: object) -> str:
    """Return the id of a run of the offline matcher over the sources of the demo."""
    task = Task(question, method="chain-of-knowledge", model="offline", settings=settings)
    run = studio.ask(task)
    run.drive()
    return run.id


def open_run(run_id: str, language: str = "en") -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    page.query_params["run"] = run_id
    page.query_params["lang"] = language
    page.run()
    assert not page.exception
    return page


def cards(view: RunView) -> AppTest:
    """Draw the cards of a view alone."""

    def page() -> None:
        import streamlit as st

        from pages.components import rationales
        from pages.components.theme import current

        rationales.show(st.session_state["seen"], "0" * 32, current())

    app = AppTest.from_function(page, default_timeout=60)
    app.session_state["seen"] = Seen(view, view.status, 3.0)
    app.run()
    assert not app.exception
    return app


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


class Elements(HTMLParser):
    """Collects the tags of a piece of HTML, and the attributes that could do something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.acts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.acts += [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]


def rewrite(page: AppTest, view: RunView, source: str, text: str) -> AppTest:
    """Write the first query for a source otherwise."""
    item = view.rationales.items[0]
    number = next(n for n, query in enumerate(item.queries) if query.source == source)
    key = f"rationale-edit-{item.node}-{number}"
    page.text_area(key=key).set_value(text)
    next(b for b in page.button if b.key == f"{key}-go").click()
    page.run()
    assert not page.exception
    return page


def now(page: AppTest) -> str:
    given = page.query_params["run"]
    return given if isinstance(given, str) else given[0]


# what is drawn


def test_the_gate_says_that_the_matcher_remembers_nothing(studio: Studio) -> None:
    told = html(open_run(asked(studio)))
    assert "0 of 5 samples agree" in told and "50 % are needed" in told
    assert "not sure: sources are asked" in told
    assert 'class="is-silent" style="flex:5">cannot tell 5' in told


def test_the_domains_and_their_sources_are_told(studio: Studio) -> None:
    told = html(open_run(asked(studio, "Which gene is in the nucleus of a cell?")))
    view = studio.view(next(iter(studio.store.list())).id)
    assert view.rationales.domains is not None
    for name in view.rationales.domains.offered:
        assert name in told
    assert ", ".join(view.rationales.domains.sources) in told


def test_a_rationale_is_shown_before_and_after_with_marks(studio: Studio) -> None:
    run_id = asked(studio)
    told = html(open_run(run_id))
    (item,) = studio.view(run_id).rationales.items
    assert item.status == "changed" and "<bdi>changed by knowledge</bdi>" in told
    assert f"<del>{escape(QUESTION)}</del>" in told
    assert re.search(r"<ins>[^<]*symbol: W[^<]*</ins>", told)


def test_the_queries_are_shown_as_written_with_results_and_raw(studio: Studio) -> None:
    run_id = asked(studio)
    page = open_run(run_id)
    (item,) = studio.view(run_id).rationales.items
    found = next(query for query in item.queries if query.source == "demo-tables")
    assert found.written in [code.value for code in page.code]
    told = html(page)
    assert escape(found.evidence[0].origin) in told and "&quot;symbol&quot;: &quot;W&quot;" in told
    n = len({query.source for query in item.queries})
    assert f"{n} sources asked · " in " ".join(box.label for box in page.expander)


def test_a_query_with_names_is_shown_as_it_was_run_too(studio: Studio) -> None:
    run_id = asked(studio, "Who directed Inception?")
    codes = [code.value for code in open_run(run_id).code]
    assert "SELECT DISTINCT ?x01 WHERE { <Inception> <director> ?x01 }" in codes
    assert any("entity/Q25188" in code for code in codes)


def test_all_rationales_have_cards_where_they_are_checked_at_once(studio: Studio) -> None:
    run_id = asked(studio, DISCOVERY, mode="parallel")
    told = html(open_run(run_id))
    assert f"<b>{len(studio.view(run_id).rationales.items)}</b>" in told
    assert "William Herschel" in told


def test_the_chain_can_be_seen_as_a_tree_instead(studio: Studio) -> None:
    run_id = asked(studio)
    page = open_run(run_id)
    assert 'class="ts-votes"' in html(page)
    page.button_group(key=f"rationales-or-tree-{run_id}").set_value("Search tree").run()
    assert not page.exception and 'class="ts-votes"' not in html(page)


def test_the_cards_speak_chinese(studio: Studio) -> None:
    told = html(open_run(asked(studio), "zh"))
    assert "已依据知识修改" in told and "changed by knowledge" not in told


def test_a_model_that_is_sure_asks_no_source(studio: Studio) -> None:
    view = studio.view(asked(studio))
    samples = tuple(Sample((), text, text) for text in ("W", "W", "Tu"))
    view.rationales.sampled = RationalesSampled(samples, (("W", 2), ("Tu", 1)), 2 / 3, 0.5)
    view.rationales.domains = None
    view.rationales.by_node = {}
    told = html(cards(view))
    assert "2 of 3 samples agree" in told and "agreed: no source was asked" in told
    assert '<span style="flex:2"><bdi>W</bdi> 2</span>' in told
    assert '<span style="flex:1"><bdi>Tu</bdi> 1</span>' in told


# what others wrote is text


@pytest.mark.parametrize("text", HOSTILE)
def test_drafts_queries_and_what_was_found_are_shown_as_text(studio: Studio, text: str) -> None:
    view = studio.view(asked(studio))
    (item,) = view.rationales.items
    assert item.corrected is not None
    samples = (Sample((), text, text),)
    view.rationales.sampled = RationalesSampled(samples, ((text, 1),), 1.0, 2.0)
    queries = tuple(
        replace(
            query,
            source=text,
            problem=text,
            failure=text if query.failure else "",
            evidence=tuple(replace(e, text=text, origin=text, raw=text) for e in query.evidence),
        )
        for query in item.queries
    )
    corrected = replace(item.corrected, after=f"{item.draft} {text}", reason=text)
    view.rationales.by_node[item.node] = replace(item, queries=queries, corrected=corrected)
    page = cards(view)
    for block in page.get("html"):
        found = Elements()
        found.feed(block.proto.body)
        assert not found.tags & {"script", "img", "iframe", "a"} and not found.acts
    assert f"{escape(text)}" in html(page)
    assert all(text not in block.value for block in (*page.markdown, *page.caption))


def test_a_query_that_could_not_be_read_is_not_told_as_mended_nor_as_run(studio: Studio) -> None:
    view = studio.view(asked(studio))
    (item,) = view.rationales.items
    first = QueryView("wiki", "sentence", "one", "one", failure="gone", is_answered=True)
    unread = QueryView("wiki", "sentence", "so", "", "no query", is_repaired=True, outcome="unread")
    view.rationales.by_node[item.node] = replace(item, queries=(first, unread))
    told = html(cards(view))
    assert "query mended" not in told and "could not be read" in told and "no query" in told
    again = replace(unread, query="so", outcome="run")
    view.rationales.by_node[item.node] = replace(item, queries=(first, again))
    told = html(cards(view))
    assert "query mended" in told and "could not be read" not in told and "no query" not in told


# a query written otherwise


@pytest.mark.parametrize(
    "source, text, answer",
    [
        (
            "demo-tables",
            "SELECT element, symbol FROM elements WHERE element = 'tungsten' OR element = 'gold'",
            "W",
        ),
        ("demo-tables", "SELECT symbol FROM elements WHERE element = 'gold'", ""),
    ],
)
def test_a_query_written_otherwise_makes_a_fork(
    studio: Studio, source: str, text: str, answer: str
) -> None:
    run_id = asked(studio)
    page = rewrite(open_run(run_id), studio.view(run_id), source, text)
    assert now(page) != run_id and not page.error
    live = shared().studio.live(now(page))
    if live is not None:
        live.join(60)
    fork = studio.view(now(page))
    (item,) = fork.rationales.items
    assert next(q for q in item.queries if q.source == source).query == text
    assert fork.answer is None or answer in fork.answer.text
    assert studio.view(run_id).answer is not None, "the run itself stays"


@pytest.mark.parametrize("text", ["", "tell me of tungsten"])
def test_a_query_that_is_none_is_told_in_one_line_and_makes_no_fork(
    studio: Studio, text: str
) -> None:
    run_id = asked(studio)
    page = rewrite(open_run(run_id), studio.view(run_id), "demo-tables", text)
    (error,) = page.error
    assert "\n" not in error.value and now(page) == run_id
    assert len(studio.store.list()) == 1


def test_a_query_that_a_source_refuses_is_shown_refused_and_repaired(studio: Studio) -> None:
    run_id = asked(studio)
    text = "SELECT symbol FROM read_csv('/etc/passwd')"
    page = rewrite(open_run(run_id), studio.view(run_id), "demo-tables", text)
    live = shared().studio.live(now(page))
    if live is not None:
        live.join(60)
    told = html(open_run(now(page)))
    assert "refused" in told and "second try" in told and "root:" not in told
