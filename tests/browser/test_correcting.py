"""Knowledge correction in a real browser: the wrong stadium, a triple rejected at the gate, hostile corrections.

The story is Figure 4 of Think-on-Graph: one wrong triple gives a wrong answer; challenged, replaced and reasoned again
the answer is another one, and undoing the correction brings the first one back.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kgcore.bootstrap import build
from kgcore.corrections import Correction
from kgcore.corrections.exchange import export_corrections
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from tests.browser.conftest import Servers
from tests.browser.test_ask_page import graph, wait_for_nodes, wait_until_still
from tests.browser.test_hostile_labels import EVIL, HOSTILE, Watched
from tests.integration.test_correction_story import CLUBS, LEAGUE, NEW, OLD, QUESTION

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]
WAIT_MS = 60_000
# a second relation leads from the team to where it plays
GROUNDS = CLUBS.replace("s:venue s:old", "s:venue s:old ; s:plays s:new")
GROUNDS += 's:plays rdfs:label "venue of the team"@en .\n'
EVIDENCE = f"{EVIL}/x"  # a link, all that counts as evidence
GRAPHS = {"clubs": CLUBS, "league": LEAGUE, "grounds": GROUNDS}


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A server of this module's own: what is approved here counts in every run of its data folder."""
    started = Servers(tmp_path_factory.mktemp("servers"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two graphs of sports clubs; in one of them a stadium is wrong."""
    home = tmp_path_factory.mktemp("correcting-home")
    studio = build(home, environ={})
    for name, text in GRAPHS.items():
        file = home / f"{name}.ttl"
        file.write_text(text, "utf-8")
        studio.import_graph([file], name)
    studio.store.close()
    return home


@pytest.fixture
def open_app(open_page: OpenPage, home: Path) -> OpenPage:
    def open_(query: str = "", **options: Any) -> Page:
        page = open_page("app.py", query=query, KGCORE_HOME=str(home), **options)
        page.set_default_timeout(WAIT_MS)
        return page

    return open_


def idle(page: Page) -> None:
    """Wait until the page has been drawn with what was done last."""
    page.wait_for_timeout(150)
    page.wait_for_function(
        "!document.querySelector('[data-testid=stStatusWidget]')"
        " && document.querySelector('[data-testid=stApp]').dataset.testScriptState !== 'running'"
    )


def ask(page: Page, kg: str = "clubs", *, gate: bool = False) -> None:
    """Put the question to a graph with the wrong stadium."""
    page.get_by_role("button", name="Options").click()
    graphs = page.get_by_role("combobox", name="Graphs")
    for _ in range(2):  # the demo graphs are chosen
        graphs.press("Backspace")
        idle(page)
    graphs.fill(kg)
    graphs.press("Enter")
    idle(page)
    page.keyboard.press("Escape")
    if gate:
        page.get_by_role("combobox", name="Approve fetched triples").click()
        page.get_by_role("option", name="All", exact=True).click()
        idle(page)
    page.keyboard.press("Escape")
    box = page.get_by_placeholder("Ask a question")
    box.fill(QUESTION)
    box.press("Enter")
    page.wait_for_url("**run=*")


def answered(page: Page, text: str) -> None:
    expect(page.locator(".ts-answer.is-open", has_text=text)).to_be_visible(timeout=WAIT_MS)


def reject_the_venue(page: Page) -> None:
    """Approve what comes first at the gate, then reject where the team plays according to the graph."""
    gate = page.locator(".st-key-ts-gate")
    expect(gate.get_by_text("Rollo Bear")).to_be_visible()
    gate.get_by_role("button", name="Approve").last.click()
    expect(gate.get_by_text("Rollo Bear")).to_have_count(0)
    rows = gate.locator(".ts-diff")
    expect(rows.filter(has_text=OLD)).to_have_count(1)
    place = next(n for n, text in enumerate(rows.all_inner_texts()) if OLD in text)
    gate.get_by_role("radio", name="Reject").nth(place).click()
    gate.get_by_role("button", name="Reject 1").dblclick()
    expect(page.get_by_text("waiting for you")).to_have_count(0)


def test_a_triple_rejected_at_the_gate_leaves_no_answer_where_there_is_no_other_way(
    open_app: OpenPage,
) -> None:
    page = open_app()
    ask(page, gate=True)
    reject_the_venue(page)
    expect(page.get_by_text("No answer", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("[Rr]ejected 1")).last).to_be_visible()


def test_a_triple_rejected_at_the_gate_leads_to_another_answer(open_app: OpenPage) -> None:
    page = open_app()
    ask(page, "grounds", gate=True)
    reject_the_venue(page)
    answered(page, NEW)
    expect(page.locator(".ts-answer.is-open")).not_to_contain_text(OLD)
    expect(page.get_by_text(re.compile("[Rr]ejected 1")).last).to_be_visible()


def test_a_triple_rejected_in_the_drawing_of_a_run_that_has_ended_leads_to_another_answer(
    open_app: OpenPage,
) -> None:
    page = open_app(height=1000, reduced_motion=True)
    ask(page, "grounds")
    answered(page, OLD)
    wait_for_nodes(page, "kg", 3)
    idle(page)
    wait_until_still(page)
    page.mouse.click(*line_to(page, OLD))
    expect(page.locator(".ts-panel-title", has_text=OLD)).to_contain_text("home venue")
    page.get_by_role("button", name="Correct it").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Retract", exact=True).click()
    dialog.get_by_text("Only here", exact=True).click()
    idle(page)
    dialog.get_by_role("button", name="Save the correction").click()
    answered(page, NEW)
    expect(page.locator(".ts-answer.is-open")).not_to_contain_text(OLD)
    expect(page.get_by_text("The answer changed")).to_be_visible()
    comparison = page.locator(".st-key-ts-comparison")
    expect(comparison.locator("del")).to_have_text(OLD)
    expect(comparison.locator("ins")).to_have_text(NEW)
    titles = graph(page, "kg", "g.nodes.get().map((n) => n.title)")
    assert any(title.startswith(NEW) for title in titles)


def line_to(page: Page, name: str) -> tuple[float, float]:
    """Return where on the page the middle of the only line to a node is."""
    x, y = graph(
        page,
        "kg",
        f"""(() => {{
            const node = g.nodes.get().find((n) => n.title.startsWith({name!r})).id;
            const [line] = g.net.getConnectedEdges(node);
            const at = g.net.canvasToDOM(g.net.body.edges[line].edgeType.getPoint(0.5));
            const frame = g.host.getBoundingClientRect();
            return [frame.left + at.x, frame.top + at.y];
        }})()""",
    )
    return x, y


def test_a_wrong_stadium_is_challenged_replaced_and_reasoned_again(open_app: OpenPage) -> None:
    page = open_app()
    ask(page)
    answered(page, OLD)
    page.get_by_role("button", name="This is wrong").click()
    page.get_by_role("combobox", name="Also ask").fill("league")
    page.get_by_role("combobox", name="Also ask").press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Find the suspect").click()
    first = page.locator(".ts-suspect").first
    expect(first).to_contain_text(OLD)

    page.get_by_role("button", name="Replace").first.click()
    page.get_by_label("What it should be").fill(NEW)
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name=NEW).first).to_be_checked()
    page.get_by_role("button", name="Save the correction").click()
    page.get_by_role("button", name="Undo").wait_for()
    page.get_by_role("button", name="Reason again").first.click()
    answered(page, NEW)
    page.get_by_role("button", name="Before and now").click()
    sides = page.locator(".ts-sides")
    expect(sides).to_contain_text(OLD)
    expect(sides).to_contain_text("0 graph calls")
    page.keyboard.press("Escape")
    expect(page.get_by_text("The answer changed")).to_be_visible()

    rerun = page.url
    page.get_by_role("link", name="Corrections").click()
    page.get_by_role("button", name="Details").first.click()
    page.locator(".st-key-ts-tight-details").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("made a proposal again").first).to_be_visible()
    page.goto(rerun)
    expect(page.get_by_text("is not in force")).to_be_visible()
    page.get_by_role("button", name="Reason again").click()
    answered(page, OLD)


def hostile_corrections() -> Iterator[Correction]:
    """Two for each text, which disagree: of its subject, relation, values, author, reason, evidence and graph."""
    for number, text in enumerate(HOSTILE):
        for new in ("new", "other"):
            yield Correction(
                "",
                "replace",
                Entity(EntityId(f"t:{number}"), text),
                Relation(RelationId("t:r"), text),
                Literal(text),
                Literal(f"{new} {text}"),
                author=f"{new} {text}"[:200],
                reason=text[:4000],
                evidence=EVIDENCE,
                kg=text[:200],
            )


@pytest.fixture
def queue(open_page: OpenPage, tmp_path: Path) -> Watched:
    """The page of corrections with all of them, in a data folder of its own."""
    studio = build(tmp_path, environ={})
    for correction in hostile_corrections():
        studio.corrections.propose(correction)
    studio.store.close()
    requests: list[str] = []
    page = open_page(
        "app.py",
        query="/corrections",
        requests=requests,
        height=2000,
        reduced_motion=True,
        KGCORE_HOME=str(tmp_path),
    )
    page.set_default_timeout(WAIT_MS)
    watched = Watched(page, requests)
    page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Details").first.wait_for()
    idle(page)
    return watched


def test_hostile_corrections_are_text_in_the_queue_and_its_filters_S1_S2(queue: Watched) -> None:
    page = queue.page
    told = ""
    leaves = page.locator(".st-key-fix-leaf").get_by_role("radio")
    for leaf in leaves.all():
        leaf.click()
        idle(page)
        told += "".join(page.locator("[class*='st-key-ts-row-']").all_inner_texts())
        queue.check("a leaf of the queue")
    assert "<img src=" in told
    leaves.first.click()
    idle(page)
    for name in ("Graphs", "Authors"):
        box = page.get_by_role("combobox", name=name)
        box.click()
        expect(page.get_by_role("option").first).to_be_visible()
        queue.check(f"what {name} offers")
        box.press("Enter")
        idle(page)
        queue.check(f"what of {name} is chosen")
        page.keyboard.press("Escape")


def test_hostile_corrections_are_text_in_their_details_S1_S2(queue: Watched) -> None:
    page = queue.page
    for leaf in (0, 1):
        page.locator(".st-key-fix-leaf").get_by_role("radio").nth(leaf).click()
        idle(page)
        details = page.get_by_role("button", name="Details")
        for place in range(0, details.count(), 2):
            details.nth(place).click()
            idle(page)
            expect(page.get_by_text("History", exact=True)).to_be_visible()
            queue.check("the details")
    expect(page.get_by_text("people disagree")).to_be_visible()
    page.get_by_role("button", name="Check all").click()
    idle(page)
    page.get_by_role("button", name=re.compile("^Approve [0-9]")).click()
    expect(page.get_by_text("not changed")).to_be_visible()  # of two that disagree one is refused
    idle(page)
    queue.check("what was decided, and what was refused")


def test_hostile_corrections_are_text_in_what_comes_in_S1_S2(queue: Watched) -> None:
    page = queue.page
    shown = page.get_by_test_id("stPopoverBody")
    page.get_by_role("button", name="Import", exact=True).click()
    table = export_corrections(list(hostile_corrections()), "csv").text
    file = {"name": "odd.csv", "mimeType": "text/csv", "buffer": table.encode()}
    shown.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    expect(shown.get_by_role("button", name=re.compile("^Propose"))).to_be_visible()
    assert "<img src=" in shown.inner_text()
    queue.check("a file that is brought in")
