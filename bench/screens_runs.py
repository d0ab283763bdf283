"""Pictures of the page Runs: the list with a family, one run in full, and two runs side by side.

Called by `bench/screens.py`. The runs are made here with the offline matcher.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.screens_words import say
from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Edit, Run

CAST = "Which actor starred in both Inception and Interstellar?"
OTHERS = (
    "Who directed Casablanca?",
    "Where was Björk born?",
    "Which film won more awards, Inception or Interstellar?",
)
Photograph = Callable[..., None]


def photograph_runs(
    browser: Browser, address: str, home: Path, photograph: Photograph, out: Path
) -> None:
    """Make the pictures."""
    studio = build(home)
    studio.ensure_demo()
    for question in OTHERS:
        _asked(studio, question)
    first = _asked(studio, CAST)
    forked = studio.fork(first.id, [_other_choice(first)])
    forked.drive()
    beam = studio.rerun(first.id, method="think-on-graph")
    beam.drive()
    studio.store.annotate(first.id, is_starred=True, tags=["demo", "talk"])
    studio.store.annotate(forked.id, name="What if it looks at the director first?")
    photograph(browser, f"{address}/runs", "runs", out=out, prepare=open_details)
    pair = f"{address}/runs?compare={first.id},{forked.id}"
    photograph(browser, pair, "runs-compare", out=out, prepare=settle)
    studio.store.close()


def _asked(studio: Studio, question: str) -> Run:
    run = studio.ask(Task(question, model="offline"))
    run.drive()
    return run


def _other_choice(run: Run) -> Edit:
    """Return an edit of the first choice of a relation: to follow another one."""
    address = next(
        address
        for address, done in run.journal.results_in_yield_order()
        if done.step.get("template") == "choose_relation"
    )
    return Edit(*address, replies=("director",))


def open_details(page: Page) -> None:
    """Open the run that has a family, and check two runs."""
    page.get_by_role("button", name=say("Details")).first.click()
    page.wait_for_timeout(1500)
    for box in (0, 1):
        page.locator(".st-key-ts-runs [data-testid=stCheckbox] label").nth(box).click()
        page.wait_for_timeout(1200)
    page.mouse.move(0, 0)


def settle(page: Page) -> None:
    """Wait for the drawings."""
    page.wait_for_function(
        "Object.values(globalThis.__kg ?? {}).filter((g) => g.nodes.length && !g.glides.size).length > 3"
    )
    page.wait_for_timeout(1500)
    page.mouse.move(0, 0)
