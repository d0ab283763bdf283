"""Hostile text in every place of the Ask page does nothing: no script, no link, no request. Rows S1, S2.

Whatever a graph, a model or a person can name (labels, descriptions, ids, types, relations, values, graph names,
thoughts, reasons, prompts, replies, questions, answers, warnings, failures, model names) holds every text of a list,
and the page is walked in a real browser.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from kgcore.model import Entity, EntityId, Literal, Provenance, Relation, RelationId, Triple
from kgcore.runs import Ended, SqlRunStore
from kgcore.steps import (
    ActionRejected,
    Answer,
    AnswerPart,
    NodeAdded,
    NodeExpanded,
    NodeScored,
    QuestionLinked,
    Seed,
    Warned,
)
from tests.browser.conftest import Servers
from tests.browser.test_ask_page import click_node, graph, wait_for_nodes
from tests.unit.views import hand_made as made

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
JS = "window.__xss=1;document.title='hacked'"
EVIL = "http://evil.example"
HOSTILE = [
    f"<script>{JS}</script>",
    f'<img src="xss.png" onerror="{JS}">',
    f'<svg onload="{JS}"><script>{JS}</script></svg>',
    f'<iframe srcdoc="<script>parent.document.title=1</script>" onload="{JS}"></iframe>',
    f'<a href="javascript:{JS}">x</a>',
    f'"><svg/onload={JS}>',
    f"' onmouseover='{JS}' x='",
    f"</bdi></span></td></style></textarea><script>{JS}</script>",
    f"--><script>{JS}</script>]]>",
    f"<details open ontoggle=\"{JS}\"><input autofocus onfocus=\"{JS}\">",
    "<style>*{visibility:hidden}</style>",
    f"<base href={EVIL}/>",
    f"<meta http-equiv=refresh content='0;url={EVIL}/'>",
    f"<link rel=stylesheet href={EVIL}/x.css>",
    f"<form action={EVIL}/><button>x</button></form>",
    f"![x]({EVIL}/xss.png)",
    f"[x](javascript:{JS})",
    f"[x]({EVIL}/link)",
    f"<{EVIL}/auto>",
    f"{EVIL}/bare www.evil.example me@evil.example",
    "# heading",
    ":red[x] :material/home: :smile:",
    f"$\\href{{javascript:{JS}}}{{x}}$ $$\\includegraphics{{{EVIL}/xss.png}}$$",
    "`code` **b** ~~s~~\n\n- item\n\n| a | b |\n|---|---|",
    f"{{{{constructor.constructor('{JS}')()}}}} ${{{JS}}}",
    f"javascript:{JS}",
    f"data:text/html,<script>{JS}</script>",
    "&lt;script&gt; &#60;b&#62;",
    "\u202etxet \u2066x",
    "nul\x00 esc\x1b[31m bell\x07",
    "long label " * 900,
]  # fmt: skip
ADDRESSES = [
    f"javascript:{JS}",
    f" JaVaScRiPt:{JS}",
    f"data:text/html,<script>{JS}</script>",
    f"vbscript:{JS}",
    "//evil.example/x",
    "file:///etc/passwd",
    f'{EVIL}/" onmouseover="{JS}',
    f"java\nscript:{JS}",
    f"https:javascript:{JS}",
]
# Every element of the page, shadow trees and frames of its own included.
WALK = r"""() => {
  const bad = [], seen = [document];
  if (window.__xss) bad.push('a script ran');
  for (const root of seen) for (const e of root.querySelectorAll('*')) {
    if (e.shadowRoot) seen.push(e.shadowRoot);
    if (e.contentDocument) seen.push(e.contentDocument);
    const tag = e.localName, html = e.outerHTML.slice(0, 160);
    if (['base', 'object', 'embed', 'iframe', 'details-x'].includes(tag)) bad.push(html);
    if (tag === 'script' && e.type !== 'application/json' && e.textContent.includes('__xss')) bad.push(html);
    if (tag === 'style' && e.textContent.includes('*{visibility')) bad.push(html);
    if (tag === 'meta' && /refresh/i.test(e.httpEquiv)) bad.push(html);
    for (const {name, value} of e.attributes) {
      if (name.startsWith('on')) bad.push(html);
      if (!['href', 'src', 'srcset', 'action', 'formaction', 'xlink:href', 'data', 'poster'].includes(name)) continue;
      const url = value.trim().replace(/[\s\x00-\x1f]/g, '').toLowerCase();
      const isPicture = url.startsWith('data:image/') && ['img', 'link', 'image', 'source'].includes(tag);
      if (/^(javascript|vbscript|data|file):/.test(url) && !isPicture) bad.push(html);
      if (url.includes('evil.example') && tag !== 'a') bad.push(html);
      if (url.includes('evil.example') && !(e.rel ?? '').includes('noopener')) bad.push(html);
    }
  }
  return bad;
}"""


@dataclass
class Watched:
    """A page, what it asked for, and the dialogs it opened."""

    page: Page
    requests: list[str]
    dialogs: list[str] = field(default_factory=list)

    def check(self, where: str) -> None:
        """Nothing of what was written has become anything but text."""
        assert self.page.evaluate(WALK) == [], where
        assert "hacked" not in self.page.title(), where
        assert self.dialogs == [], where
        away = [
            u for u in self.requests if urlsplit(u).hostname != "127.0.0.1" and "blob:" not in u
        ]
        assert [u for u in away if not u.startswith("data:image/")] == [], where
        assert not [u for u in self.requests if urlsplit(u).path.endswith("xss.png")], where
        assert urlsplit(self.page.url).hostname == "127.0.0.1", where


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A server of this module's own: its data folder is full of hostile runs."""
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile-home")


@pytest.fixture
def store(home: Path) -> Iterator[SqlRunStore]:
    opened = SqlRunStore.open(home)
    yield opened
    for record in opened.list():
        opened.delete(record.id)
    opened.close()


@pytest.fixture
def watch(open_page: OpenPage, home: Path) -> Callable[[str], Watched]:
    def open_(query: str) -> Watched:
        requests: list[str] = []
        page = open_page("app.py", query=query, requests=requests, KGCORE_HOME=str(home))
        watched = Watched(page, requests)
        page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
        page.set_default_timeout(WAIT_MS)
        page.get_by_role("button", name="Run", exact=True).wait_for()
        return watched

    return open_


def hostile(text: str, number: int, *, has_own_id: bool = True) -> Entity:
    url = ADDRESSES[number % len(ADDRESSES)]
    name = text[:300] if has_own_id else f"x:{number}"
    return Entity(EntityId(name), text, text, kg=text[:200], types=(text,), url=url)


def keep(store: SqlRunStore, number: int, bodies: list[Any]) -> str:
    run_id = f"{number:032x}"
    first, *rest = made.entries([replace(bodies[0], run_id=run_id), *bodies[1:]])
    store.create(first.body, entries=rest)  # type: ignore[arg-type]
    return run_id


def run_of_all_texts(question: str, *, ended: str = "answered") -> list[Any]:
    """A run in which each text stands in each place that can hold many."""
    hub = Entity(EntityId("x:hub"), question, question, kg=question)
    entities = [hostile(text, i) for i, text in enumerate(HOSTILE)]
    triples = [
        Triple(
            hub, Relation(RelationId(e.label[:300]), e.label), e, Provenance(e.label, query=e.label)
        )
        for e in entities
    ]
    values = [
        Triple(e, Relation(RelationId("x:v"), e.label), Literal(e.label), Provenance(e.label))
        for e in entities[::5]
    ]
    parts = (
        *(AnswerPart(e) for e in entities),
        *(AnswerPart(Literal(t), False) for t in HOSTILE[:3]),
    )
    answer = Answer(question, parts[:30], 0.9, tuple(triples), node=1)
    return [
        replace(
            made.story()[0],
            question=question,
            kgs=tuple((text, "1") for text in HOSTILE),
            models=(("reason", question),),
        ),
        QuestionLinked((Seed(question, hub), *(Seed(text, None) for text in HOSTILE))),
        NodeAdded(0, None, 0, "start", entities=(hub,)),
        NodeExpanded(0, 1),
        made.asked(0, "choose_action", "\n".join(HOSTILE), *HOSTILE),
        *(Warned(text) for text in HOSTILE),
        *(ActionRejected(0, text, text) for text in HOSTILE),
        NodeAdded(1, 0, 1, "answer", question, triples=(*triples, *values)),
        *(NodeAdded(i + 2, 0, 1, "think", text, state=text) for i, text in enumerate(HOSTILE)),
        *(NodeScored(i + 1, 0.5, text) for i, text in enumerate(HOSTILE)),
        Ended(ended, question, answer if ended == "answered" else None, 1.0),
    ]


def test_S1_S2_hostile_text_in_every_place_of_a_run_is_text(
    watch: Callable[[str], Watched], store: SqlRunStore
) -> None:
    watched = watch(f"?run={keep(store, 1, run_of_all_texts(HOSTILE[1]))}")
    page = watched.page
    page.set_viewport_size({"width": 1280, "height": 2000})  # all of it can be clicked
    wait_for_nodes(page, "kg", len(HOSTILE))
    wait_for_nodes(page, "tree", len(HOSTILE))
    watched.check("the run")
    expect(page.locator(".ts-question", has_text=HOSTILE[1])).to_be_visible()
    labels = graph(page, "kg", "g.data.nodes.map((n) => n.label)")
    assert any("<script>" in label for label in labels)
    for kind, node in (
        ("tree", "0"),
        ("tree", "1"),
        ("tree", "3"),
        *(("kg", HOSTILE[i]) for i in (1, 17)),
    ):
        click_node(page, kind, node)  # the pointer stays there: the hint is shown too
        page.wait_for_timeout(600)
        watched.check(f"{kind} {node}")
    for summary in page.locator("[data-testid=stExpander] summary").all():
        summary.click()
    for tab in page.get_by_role("tab").all():
        tab.click()
        page.wait_for_timeout(150)
        watched.check("a tab")


def test_S1_hostile_text_as_a_click_is_shown_whole(
    watch: Callable[[str], Watched], store: SqlRunStore
) -> None:
    """What was clicked is what is shown, also where ids are hostile."""
    watched = watch(f"?run={keep(store, 2, run_of_all_texts('plain'))}")
    watched.page.set_viewport_size({"width": 1280, "height": 2000})
    wait_for_nodes(watched.page, "kg", len(HOSTILE))
    click_node(watched.page, "kg", HOSTILE[0])
    title = watched.page.locator(".ts-panel-title", has_text=HOSTILE[0])
    expect(title).to_be_visible(timeout=WAIT_MS)
    watched.check("the entity")
    width = watched.page.locator("[data-testid=stMain]").evaluate("box => box.scrollWidth")
    assert width <= 1280, "a long name pushes the page apart"


@pytest.mark.parametrize("first", range(0, len(HOSTILE), 8))  # as many as the page lists
def test_S1_S2_hostile_questions_and_answers_of_recent_runs_are_text(
    watch: Callable[[str], Watched], store: SqlRunStore, first: int
) -> None:
    texts = HOSTILE[first : first + 8]
    for i, text in enumerate(texts):
        answer = Answer(text, (AnswerPart(Literal(text), False),), 0.9, (), node=1)
        started = replace(made.story()[0], question=text, models=(("reason", text),))
        keep(
            store,
            100 + i,
            [started, NodeAdded(0, None, 0, "start"), Ended("answered", "", answer, 1.0)],
        )
    watched = watch("")
    rows = watched.page.locator("[class*='st-key-open-']")
    expect(rows).to_have_count(len(texts))
    watched.check("recent runs")
    rows.first.get_by_role("button").first.hover()
    watched.page.wait_for_timeout(300)
    rows.first.get_by_role("button").first.click()
    watched.page.wait_for_url("**run=*")
    expect(watched.page.locator(".ts-answer")).to_be_visible()
    watched.check("a run that was opened")


@pytest.mark.parametrize("text", [HOSTILE[i] for i in (1, 16)])
def test_S1_S2_a_hostile_failure_and_address_are_text(
    watch: Callable[[str], Watched], store: SqlRunStore, text: str
) -> None:
    keep(store, 3, run_of_all_texts(text, ended="failed"))
    watched = watch(f"?run={3:032x}")
    expect(watched.page.locator(".ts-verdict")).to_be_visible()
    watched.check("a failure")
    watched.page.goto(watched.page.url.partition("?")[0] + "?run=" + text.replace("#", "%23"))
    expect(watched.page.get_by_text("no run")).to_be_visible()
    watched.check("an address")


def test_S1_S2_a_hostile_question_that_is_typed_is_text(watch: Callable[[str], Watched]) -> None:
    watched = watch("")
    box = watched.page.get_by_placeholder("Ask a question")
    box.fill(" ".join(HOSTILE[:8]))
    box.press("Enter")
    watched.page.wait_for_url("**run=*")
    expect(watched.page.locator(".ts-question")).to_be_visible()
    watched.page.wait_for_timeout(1500)
    watched.check("a question")


def test_S1_the_walk_sees_what_it_looks_for(watch: Callable[[str], Watched]) -> None:
    watched = watch("")
    for html in HOSTILE[1:5]:
        watched.page.evaluate(
            "html => { const d = document.body.appendChild(document.createElement('div'));"
            " d.attachShadow({mode: 'open'}).innerHTML = html; }",
            html,
        )
    with pytest.raises(AssertionError):
        watched.check("itself")
