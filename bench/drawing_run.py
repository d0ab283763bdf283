"""The last part of bench/drawing.py: the app follows a long run, and its delays and its memory are measured."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page

from bench.browser import ROOT, resident_mb, served
from bench.engine import wanders
from kgcore.bootstrap import Studio
from kgcore.prompts import TypedRequest
from kgcore.ranking.stems import StemRanker
from kgcore.reasoners import reasoner
from kgcore.runs import Control, Launch, Ports, Run, lineage
from kgcore.runs.entries import FactNoted
from kgcore.steps import NodeAdded
from kgcore.testing import ScriptedModel

QUESTION = "Where was the director of Interstellar born?"
ENTRIES = 500
RATE = 5.0  # entries a second
PATIENCE_S = 600
# When a frame first showed each node. A graph that is built anew is watched anew.
NOTE_FRAMES = """(key) => {
  const seen = (globalThis.__seen = {});
  let watched = null;
  setInterval(() => {
    const net = globalThis.__kg?.[key]?.net;
    if (!net || net === watched) return;
    watched = net;
    net.on("afterDrawing", () => {
      const now = Date.now();
      for (const id of Object.keys(net.body.nodes)) seen[id] ??= now;
    });
    net.redraw();
  }, 10);
}"""


@dataclass(frozen=True, slots=True)
class Followed:
    """What was seen of a run."""

    n_entries: int
    rate: float
    delays: list[float]
    heap_mb: list[float]
    server_mb: list[float]

    @property
    def median_ms(self) -> float:
        """The middle delay."""
        return 1000 * statistics.median(self.delays)

    @property
    def p95_ms(self) -> float:
        """The delay that 95 of 100 do not exceed."""
        return 1000 * sorted(self.delays)[int(0.95 * (len(self.delays) - 1))]


def followed(browser: Browser, home: Path) -> Followed:
    """Drive a run in this process and follow it in the app."""
    studio, pace = Studio(home, environ={}), Pace()
    run = pace.run = prepared(studio, pace)
    with served(ROOT / "app.py", {"KGCORE_HOME": str(home)}) as server:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        devtools = page.context.new_cdp_session(page)
        run.start()  # it waits, paused, until the page shows it
        page.goto(f"{server.address}/?run={run.id}")
        page.wait_for_function("globalThis.__kg !== undefined", timeout=60_000)
        page.evaluate(NOTE_FRAMES, f"tree-{run.id}")
        page.wait_for_timeout(3000)
        heap, memory = list[float](), list[float]()
        first, began = len(run.journal.entries), time.monotonic()
        pace.begin()
        run.go_on()
        for n in (ENTRIES // 5, ENTRIES // 2, ENTRIES):
            wait_for(run, n, page.wait_for_timeout)
            heap.append(heap_mb(devtools))
            memory.append(resident_mb(server.pid))
        rate = (len(run.journal.entries) - first) / (time.monotonic() - began)
        run.stop()
        run.join(30)
        page.wait_for_timeout(2000)
        found = delays(page, run)
        page.close()
    return Followed(len(run.journal.entries), rate, found, heap, memory)


class Pace:
    """Holds a model's replies back, so that a run brings so many entries a second."""

    run: Run | None = None
    first, began = 0, 0.0

    def begin(self) -> None:
        """Count from here on."""
        assert self.run is not None
        self.first, self.began = len(self.run.journal.entries), time.monotonic()

    def reply(self, request: TypedRequest) -> list[str]:
        """Reply when the entries so far are due."""
        n = len(self.run.journal.entries) - self.first if self.run is not None and self.began else 0
        time.sleep(max(0.0, self.began + n / RATE - time.monotonic()) if n > 0 else 0.0)
        return wanders(request)


def prepared(studio: Studio, pace: Pace) -> Run:
    """Return a run that goes on for long enough: its model is a script that never answers."""
    script = ScriptedModel(pace.reply, prompts=studio.prompts())
    method = reasoner("tree-of-traversals")
    config = method.config_class(max_depth=99, max_expansions=500)
    ports = Ports(studio.graph(), {"reason": script}, StemRanker())
    return lineage.ask(
        Launch(method, ports, studio.store, control=Control("pause")), QUESTION, config
    )


def delays(page: Page, run: Run) -> list[float]:
    """Return the seconds from journal to frame of each node of the tree that came while the page was there."""
    seen = {str(k): v / 1000 for k, v in page.evaluate("globalThis.__seen").items()}
    found = []
    for entry in run.journal.entries:
        if isinstance(entry.body, FactNoted) and isinstance(entry.body.fact, NodeAdded):
            shown = seen.get(str(entry.body.fact.node))
            if shown is not None:
                found.append(shown - datetime.fromisoformat(entry.when).timestamp())
    return found


def wait_for(run: Run, n: int, wait_ms: object) -> None:
    """Wait until the run has so many entries."""
    end = time.monotonic() + PATIENCE_S
    while len(run.journal.entries) < n:
        if run.join(0) or time.monotonic() > end:
            raise SystemExit(f"the run ended after {len(run.journal.entries)} entries")
        wait_ms(50)  # type: ignore[operator]


def heap_mb(devtools: CDPSession) -> float:
    """Return what the page's scripts hold once what nobody needs is thrown away."""
    devtools.send("HeapProfiler.collectGarbage")
    return float(devtools.send("Runtime.getHeapUsage")["usedSize"]) / 2**20
