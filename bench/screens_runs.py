"""Pictures of the page Runs: the list with a family, one run in full, and two runs side by side.

Called by `bench/screens.py`. The runs are made here with the offline matcher.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.screens_words import cast_question, say
from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Edit, Run

OTHERS = (
    ("Who directed Casablanca?", "《卡萨布兰卡》的导演是谁？"),
    ("Where was Björk born?", "比约克在哪里出生？"),
    ("Which films did James Cameron direct?", "詹姆斯·卡梅隆执导了哪些电影？"),
)
FORK = "What if it looks at the director first?"
FORK_ZH = "如果先看导演呢？"
Photograph = Callable[..., None]


def photograph_runs(
    browser: Browser, address: str, home: Path, photograph: Photograph, out: Path
) -> None:
    """Make the pictures."""
    studio = build(home)
    studio.ensure_demo()
    for english, chinese in OTHERS:
        _asked(studio, say(english, zh=chinese))
    first = _asked(studio, cast_question())
    forked = studio.fork(first.id, [_other_choice(first)])
    forked.drive()
    beam = studio.rerun(first.id, method="think-on-graph")
    beam.drive()
    studio.store.annotate(first.id, is_starred=True, tags=["demo", "talk"])
    studio.store.annotate(forked.id, name=say(FORK, zh=FORK_ZH))
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
    return Edit(*address, replies=(say("director", zh="导演"),))


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
