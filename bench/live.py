"""From an append to the screen: how long until a browser shows what a run has just journaled.

    python bench/live.py [--questions 3] [--model-ms 200]

Runs sample questions with the offline matcher behind a fixed delay in this process, while a real Streamlit server in
another process shows them to a headless Chromium. For each node of the search tree the time of its journal
entry is compared with the moment at which the drawing in the browser holds it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.browser import launched, served
from bench.delays import SlowModel
from kgcore.bootstrap import Studio
from kgcore.ranking.stems import StemRanker
from kgcore.reasoners import reasoner
from kgcore.runs import Control, Launch, Ports, Run, lineage
from kgcore.runs.entries import FactNoted
from kgcore.steps import NodeAdded

QUESTIONS = (
    "Where was the director of Interstellar born?",
    "Which cast member of The Prestige released the album Blackstar?",
    "What is the capital of the country that the band Kasabian comes from?",
)
NOTE_NODES = """(key) => { globalThis.__seen = {}; setInterval(() => {
  const graph = globalThis.__kg && globalThis.__kg[key];
  if (graph) for (const id of graph.nodes.getIds()) globalThis.__seen[id] ??= Date.now(); }, 10); }"""


def latencies(page: Page, address: str, run: Run) -> list[float]:
    """Show a run from its start and return seconds from append to screen, one a node."""
    run.start()  # it waits, paused, until the page shows it
    page.goto(f"{address}/?run={run.id}")
    page.wait_for_function("globalThis.__kg !== undefined", timeout=60_000)
    page.evaluate(NOTE_NODES, f"tree-{run.id}")
    page.wait_for_timeout(1500)
    run.go_on()
    if not run.join(300):
        raise SystemExit("the run did not end")
    page.wait_for_timeout(3000)
    return delays(page, run)


def delays(page: Page, run: Run) -> list[float]:
    """Return the seconds from append to screen of each node that the page has noted."""
    seen = {str(k): v / 1000 for k, v in page.evaluate("globalThis.__seen").items()}
    found = []
    for entry in run.journal.entries:
        if isinstance(entry.body, FactNoted) and isinstance(entry.body.fact, NodeAdded):
            written = datetime.fromisoformat(entry.when).timestamp()
            shown = seen.get(str(entry.body.fact.node))
            if shown is not None:
                found.append(shown - written)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=len(QUESTIONS))
    parser.add_argument("--model-ms", type=float, default=200)
    args = parser.parse_args()
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        studio = Studio(Path(folder), environ={})
        graph = studio.graph()
        model = SlowModel(studio.model("offline"), args.model_ms / 1000)
        ports = Ports(graph, {"reason": model}, StemRanker())
        method = reasoner("tree-of-traversals")
        browser = launched(playwright)
        with served(ROOT / "app.py", {"KGCORE_HOME": folder}) as server:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            for question in QUESTIONS[: args.questions]:
                launch = Launch(method, ports, studio.store, control=Control("pause"))
                run = lineage.ask(launch, question, method.config_class())
                found += latencies(page, server.address, run)
        browser.close()
    found.sort()
    print(
        f"append to screen, {len(found)} nodes of {args.questions} runs, {args.model_ms:g} ms a model request"
    )
    print(
        f"median {statistics.median(found):.3f} s   p95 {found[int(0.95 * (len(found) - 1))]:.3f} s"
        f"   max {found[-1]:.3f} s"
    )


if __name__ == "__main__":
    main()
