"""Pictures of the page Knowledge sources, and of the rationales of a Chain-of-Knowledge.

Called by `bench/screens.py`. The run is made here with the offline matcher over the demo's sources.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.screens_words import say
from kgcore.bootstrap import Task, build

QUESTION = "Where was the director of Inception born?"
QUESTION_ZH = "《盗梦空间》的导演在哪里出生？"
QUERY = "SELECT planet, mean_radius_km FROM planets ORDER BY mean_radius_km DESC LIMIT 4"
Photograph = Callable[..., None]


def photograph_sources(
    browser: Browser, address: str, home: Path, photograph: Photograph, out: Path
) -> None:
    """Make the pictures."""
    studio = build(home)
    studio.ensure_demo()
    question = say(QUESTION, zh=QUESTION_ZH)
    run = studio.ask(Task(question, method="chain-of-knowledge", model="offline"))
    run.drive()
    photograph(browser, f"{address}/?run={run.id}", "rationales", out=out, prepare=open_queries)
    tables = f"{address}/sources?source=demo-tables"
    photograph(browser, tables, "sources", out=out, prepare=ask_by_hand)
    photograph(browser, f"{address}/sources?add=1", "sources-add", out=out)
    studio.store.close()


def open_queries(page: Page) -> None:
    """Open the queries of the first card, and see where it changed."""
    page.locator(".ts-votes").wait_for()
    page.wait_for_function(
        "Object.values(globalThis.__kg ?? {}).some((g) => g.nodes.length && !g.glides.size)"
    )
    page.locator(".st-key-ts-rationales summary").first.click()
    page.wait_for_timeout(1500)
    page.mouse.move(0, 0)


def ask_by_hand(page: Page) -> None:
    """Look whether the source answers, and put a query to it."""
    page.get_by_role("button", name=say("Check"), exact=True).click()
    page.get_by_text(say("answers"), exact=True).wait_for()
    page.get_by_role("textbox").fill(QUERY)
    page.get_by_role("button", name=say("Ask"), exact=True).click()
    page.get_by_text("Jupiter").first.wait_for()
    page.mouse.move(0, 0)
