"""Pictures of knowledge correction: trace, challenge, comparison, gate, the page Corrections, a Think-on-Graph run.

Called by `bench/screens.py`. The graph is an invented one with a wrong stadium; what is proposed is made here too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.screens_words import cast_question, say
from kgcore.bootstrap import Studio, Task, build
from kgcore.corrections.proposing import Wish, understand

QUESTION = "What is the home venue of the team whose mascot is Rollo Bear?"
CLUBS = """\
@prefix s: <http://sport.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
s:reds rdfs:label "Ashford Reds"@en ; s:mascot s:rollo ; s:venue s:old ; s:league s:north .
s:blues rdfs:label "Dover Blues"@en ; s:mascot s:gull ; s:venue s:quay ; s:league s:north .
s:rollo rdfs:label "Rollo Bear"@en . s:gull rdfs:label "Captain Gull"@en .
s:old rdfs:label "Old Mill Field"@en . s:new rdfs:label "Harbour Park"@en .
s:quay rdfs:label "Quay Ground"@en . s:north rdfs:label "North League"@en .
s:mascot rdfs:label "mascot"@en . s:venue rdfs:label "home venue"@en . s:league rdfs:label "league"@en .
"""
WISHES = (
    ("Inception", "director", "Christopher Nolan", "Jonathan Nolan", "ben", "It was his brother"),
    ("Inception", "director", "Christopher Nolan", "Emma Thomas", "ann", ""),
    ("Interstellar", "cast member", "Topher Grace", "", "cleo", "He is in another film"),
)
Photograph = Callable[..., None]


def photograph_correcting(
    browser: Browser, address: str, home: Path, photograph: Photograph, out: Path
) -> None:
    """Make the pictures."""
    studio = build(home)
    studio.ensure_demo()
    file = home / "clubs.ttl"
    file.write_text(CLUBS, "utf-8")
    studio.import_graph([file], "clubs")
    file.unlink()
    run = studio.ask(Task(QUESTION, ("clubs",), model="offline"))
    run.drive()
    old = f"{address}/?run={run.id}"
    photograph(browser, old, "trace", out=out, prepare=follow_an_edge)
    photograph(browser, old, "challenge", out=out, prepare=challenge)
    again = _corrected(studio, run.id)
    photograph(browser, f"{address}/?run={again}", "again", out=out, prepare=_settle)
    photograph(browser, f"{address}/corrections", "corrections", out=out, prepare=open_details)
    beam = studio.ask(
        Task(cast_question(), method="think-on-graph", model="offline", settings={"max_depth": 3})
    )
    beam.drive()
    photograph(browser, f"{address}/?run={beam.id}", "beams", out=out, prepare=_settle)
    photograph(browser, address, "gate", out=out, prepare=wait_at_the_gate)
    studio.store.close()


def _corrected(studio: Studio, run_id: str) -> str:
    """Approve one correction, propose others, and return the rerun."""
    wish = Wish("clubs", "Ashford Reds", "home venue", "Old Mill Field", "replace", "Harbour Park")
    kept = studio.corrections.propose(understand(wish, studio.graph(("clubs",))))
    studio.corrections.approve(kept.id)
    films = studio.graph(("demo-wikidata",))
    for subject, relation, end, new, author, reason in WISHES:
        action = "replace" if new else "retract"
        wish = Wish(
            "demo-wikidata",
            subject,
            relation,
            end,
            action,  # type: ignore[arg-type]
            new,
            author=author,
            reason=reason,
        )
        studio.corrections.propose(understand(wish, films))
    again = studio.rerun(run_id)
    again.drive()
    return again.id


def follow_an_edge(page: Page) -> None:
    """Click an edge of the proof."""
    page.locator("[class*=ts-compact-trace] button").last.click()
    page.locator("[data-testid=stExpander]").first.wait_for()
    _settle(page)


def challenge(page: Page) -> None:
    """Say that the answer is wrong."""
    page.get_by_role("button", name=say("This is wrong")).click()
    page.get_by_label(say("The right answer, if you know it")).fill("Harbour Park")
    page.get_by_label(say("The right answer, if you know it")).press("Enter")
    page.wait_for_timeout(2500)
    page.get_by_role("button", name=say("Find the suspect")).click()
    page.locator(".ts-suspect").first.wait_for()
    _settle(page)


def open_details(page: Page) -> None:
    """Show all corrections, and one of two that disagree."""
    page.get_by_role("radio", name=say("all")).click()
    page.wait_for_timeout(1000)
    page.get_by_role("button", name=say("Details")).nth(1).click()
    page.get_by_text(say("History"), exact=True).wait_for()
    page.mouse.move(0, 0)


def wait_at_the_gate(page: Page) -> None:
    """Ask with the gate on, and reject one of what waits."""
    page.get_by_role("button", name=say("Options")).click()
    page.get_by_role("combobox", name=say("Approve fetched triples")).click()
    page.get_by_role("option", name=say("All"), exact=True).click()
    page.wait_for_timeout(800)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    box = page.get_by_placeholder(say("Ask a question about what the graphs hold"))
    box.fill(cast_question())
    box.press("Enter")
    gate = page.locator(".st-key-ts-gate")
    gate.get_by_role("radio", name=say("Reject")).nth(1).click()
    why = gate.get_by_text(say("why it is wrong"))
    why.or_(gate.get_by_label(say("Reason"))).first.wait_for()
    page.mouse.move(0, 0)


def _settle(page: Page) -> None:
    page.wait_for_timeout(2500)
    page.mouse.move(0, 0)
