"""Runs as files: a page that plays, reports; nothing in them runs, loads or leaks. Rows S1, S2, S9."""

import base64
import dataclasses
import hashlib
import io
import json
import re
import zipfile
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from kgcore.bootstrap.demo_runs import demo_entries, demo_runs, entries_before
from kgcore.bootstrap.exporting import files_of, page_of, player_files, zipped
from kgcore.bootstrap.recordings import Recording
from kgcore.errors import InputError
from kgcore.model import Entity, EntityId, Relation, RelationId, Triple
from kgcore.runs import Ended
from kgcore.steps import Answer, AnswerPart, AnswerProposed, NodeAdded, QuestionLinked, Seed
from kgcore.views.deck import deck_of
from kgcore.views.path_picture import path_picture
from kgcore.views.replay_html import MAX_BYTES, replay_html
from kgcore.views.trace import trace_of
from tests.unit.views import hand_made as made

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "![x](http://evil.example/x.png) [y](javascript:alert(1))",
    "| a | b |",
    "\u2028\u2029\ud800",
)
FORMS = ("html", "report-html", "report-md")


def hostile_entries(text: str) -> list:
    thing, end = (Entity(EntityId(f"x:{text}{i}"), text, text, kg=text) for i in (1, 2))
    triple = Triple(thing, Relation(RelationId(f"r:{text}"), text), end)
    answer = Answer(text, (AnswerPart(end),), 0.5, (triple,), node=1)
    started = dataclasses.replace(made.entries()[0].body, question=text)
    return made.entries(
        [
            started,
            QuestionLinked((Seed(text, thing),)),
            NodeAdded(0, None, 0, "start", entities=(thing,)),
            NodeAdded(1, 0, 1, "answer", text, triples=(triple,)),
            AnswerProposed(answer),
            Ended("answered", text, answer, 1.0),
        ]
    )


class Elements(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("form", ["html", "report-html"])
def test_S1_hostile_text_adds_no_element(form: str, text: str) -> None:
    page, plain = (page_of(hostile_entries(t), form, language="en") for t in (text, "Inception"))
    names = [[tag for tag, _ in Elements(p).found] for p in (page, plain)]
    assert names[0] == names[1]


@pytest.mark.parametrize("text", HOSTILE)
def test_S1_S2_markdown_shows_hostile_text_as_text(text: str) -> None:
    page = page_of(hostile_entries(text), "report-md", language="en")
    bare = re.sub(r"\\.", "", page)
    assert re.findall(r"!?\[[^\]]*\]\(", bare) == []
    assert "<" not in bare
    assert "](javascript" not in bare


@pytest.mark.parametrize("form", ["html", "report-html"])
def test_pages_have_a_strict_policy_and_nothing_inline_besides(form: str) -> None:
    page = page_of(made.entries(), form)
    found = Elements(page).found
    policy = next(a["content"] for tag, a in found if "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for tag, attributes in found:
        assert not any(
            name.startswith("on") or name in ("src", "style", "href") for name in attributes
        )
        assert tag not in ("link", "iframe", "img")
    blocks = re.findall(r"<(style|script)>(.*?)</\1>", page, re.S)
    hashes = {base64.b64encode(hashlib.sha256(b.encode()).digest()).decode() for _, b in blocks}
    assert hashes == set(re.findall(r"'sha256-([^']+)'", policy))


@pytest.mark.parametrize("form", FORMS)
def test_S9_no_file_holds_the_address_of_a_model_server(form: str) -> None:
    first, *rest = made.entries()
    secret = dataclasses.replace(first.body, api_base="http://models.internal/v1?key=sk-canary")
    page = page_of([dataclasses.replace(first, body=secret), *rest], form)
    assert "canary" not in page
    assert "models.internal" not in page


@pytest.mark.parametrize("form", ["report-html", "report-md"])
def test_a_report_says_question_answer_proof_settings_and_cost(form: str) -> None:
    page = page_of(made.entries(), form, language="en")
    for text in (
        made.QUESTION,
        "Michael Caine",
        "cast member",
        "Expansions",
        "Model requests",
        "Proof",
    ):
        assert text in page


@pytest.mark.parametrize("form", ["report-html", "report-md"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_report_reads_as_a_person_writes(form: str, language: str) -> None:
    entries = demo_entries("demo:tree-of-traversals", language)
    page = re.sub(r"<[^>]*>", " ", page_of(entries, form, language=language))
    assert re.findall(r"\d{4}-\d\d-\d\dT|\b(?:True|False|None)\b|\bmax_\w+|\w\\[.:-]", page) == []
    for word in ("Cost in US", "Model requests", "费用", "模型请求"):  # nothing of that was spent
        assert word not in page
    for word in ("Matcher calls", "Seconds") if language == "en" else ("匹配器调用", "秒"):
        assert word in page


def test_a_report_in_markdown_stands_beside_its_picture_or_tells_it_in_words() -> None:
    entries = demo_entries("demo:across-graphs")
    files = files_of(Recording("", entries), "report-md", name="run.md", language="en")
    assert list(files) == ["run.md", "run.svg"]
    assert "](run.svg)" in files["run.md"]
    assert ElementTree.fromstring(files["run.svg"]).tag.endswith("svg")
    alone = page_of(entries, "report-md", language="en")
    assert "![" not in alone
    assert "- Courtney Love – is the spouse of → Kurt Cobain, Kurt Cobain – member of" in alone


def test_a_report_of_a_run_made_again_says_what_the_answer_was_before() -> None:
    demo = "demo:think-on-graph-corrected"
    before, after = entries_before(demo), demo_entries(demo)
    assert "Before the correction\n\nPeople's Republic of China\n" in page_of(
        after, "report-md", before=before, language="en"
    )
    assert "Before the correction" not in page_of(before, "report-md", language="en")


def test_an_archive_of_the_same_files_is_the_same() -> None:
    files = {"run.md": "text", "run.svg": "<svg/>"}
    assert zipped(files) == zipped(dict(files))
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == files


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("subject", [demo.subject for demo in demo_runs("en")])
def test_the_page_of_every_demo_run_stays_small(subject: str, language: str) -> None:
    run = f"demo:{subject}"
    entries, before = demo_entries(run, language), entries_before(run, language)
    page = page_of(entries, "html", before=before, language=language)
    assert len(page.encode()) < MAX_BYTES / 3


def test_a_report_of_a_run_without_an_answer_says_so() -> None:
    page = page_of(made.entries()[:9], "report-md", status="interrupted", language="en")
    assert "No answer was found" in page
    assert "interrupted" in page


def test_reports_and_captions_come_in_chinese() -> None:
    assert "从问题到答案" in page_of(made.entries(), "report-md", language="zh")
    assert "从Inception" in page_of(made.entries(), "html", language="zh")


def test_the_picture_is_well_formed_whatever_the_labels_are() -> None:
    for text in HOSTILE[:-1]:
        view = made.RunView.of(hostile_entries(text))
        assert view.answer is not None
        picture = path_picture(trace_of(view, view.answer), [text])
        tags = {element.tag.split("}")[1] for element in ElementTree.fromstring(picture).iter()}
        assert tags == {"svg", "title", "rect", "text", "path"}


def test_a_page_holds_its_deck_unchanged_and_is_small() -> None:
    page = page_of(made.entries(), "html", language="en")
    data = re.search(r'<script type="application/json" id="deck">(.*?)</script>', page, re.S)
    assert data is not None
    assert json.loads(data[1]) == json.loads(json.dumps(deck_of(made.entries())))
    assert len(page.encode()) < 700_000


def test_a_run_too_large_for_one_file_is_refused_in_one_line() -> None:
    deck = deck_of(made.entries()) | {"padding": "x" * MAX_BYTES}
    with pytest.raises(InputError, match="too large"):
        replay_html(deck, player_files())


def test_an_empty_journal_is_refused() -> None:
    with pytest.raises(InputError, match="no entries"):
        page_of([], "html")
