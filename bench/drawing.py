"""How fast graphs are drawn in a browser, beside pyvis's own page in an iframe; exits with 1 when a goal is missed.

    python bench/drawing.py [--repeat 3] [--skip-run]

A real Streamlit server draws the same network twice in one headless Chromium: by the app's component, and by
pyvis's `generate_html` in an iframe with its usual physics (`in_line`, the only kind that draws without a network).
Time runs from the moment at which Python begins to lay the graph out to the first frame that shows it, bytes are those the
server sends. Then the app itself follows a run of 500 entries at about five a second: how long an entry takes
to the screen, and whether memory stays flat in the browser and in the server.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, WebSocket, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.browser import launched, served
from bench.drawing_run import followed

# The moment at which a new drawing is on its canvas, which is no longer blank. For pyvis it is in
# a new document, for the app it shows new data; both are looked at every few milliseconds.
WATCH = """() => {
  globalThis.__painted = null;
  globalThis.__long = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.__long.push(entry.duration);
  }).observe({ type: "longtask" });
  const small = new OffscreenCanvas(96, 64).getContext("2d", { willReadFrequently: true });
  const isBlank = (canvas) => {
    small.clearRect(0, 0, 96, 64);
    if (!canvas.width || !canvas.height) return true;
    small.drawImage(canvas, 0, 0, 96, 64);
    return !small.getImageData(0, 0, 96, 64).data.some((value) => value);
  };
  const isDrawn = (canvas) => {
    if (isBlank(canvas)) return false;
    globalThis.__painted = Date.now();
    return true;
  };
  const old = { document: null, data: null };
  globalThis.__expect = (way) => {
    old.data = globalThis.__kg?.bench?.data ?? null;
    old.document = document.querySelector("iframe")?.contentDocument ?? null;
    globalThis.__painted = null;
    globalThis.__long.length = 0;
    const look = () => {
      if (way === "app") {
        const graph = globalThis.__kg?.bench;
        const isNew = graph?.data && graph.data !== old.data; // `Graph` draws at once, labels and all
        if (isNew && isDrawn(graph.host.querySelector("canvas"))) return;
      } else {
        const inner = document.querySelector("iframe")?.contentDocument;
        const canvas = inner && inner !== old.document && inner.querySelector("canvas");
        if (canvas && isDrawn(canvas)) return;
      }
      setTimeout(look, 4);
    };
    look();
  };
}"""
PATIENCE_MS = 120_000
MEGABYTE = 2**20


@dataclass
class Drawn:
    """What drawing one graph took, again and again."""

    first_s: list[float] = field(default_factory=list)
    update_s: list[float] = field(default_factory=list)
    layout_s: list[float] = field(default_factory=list)
    python_s: list[float] = field(default_factory=list)
    update_bytes: list[int] = field(default_factory=list)
    shown: int = 0  # nodes on screen; beyond some the app folds them
    longest_ms: list[float] = field(default_factory=list)  # main thread, during updates

    def __iadd__(self, other: Drawn) -> Drawn:
        for name in ("first_s", "update_s", "layout_s", "python_s", "update_bytes", "longest_ms"):
            getattr(self, name).extend(getattr(other, name))
        self.shown = other.shown
        return self


class Bytes:
    """Counts what the server sends to a page, over its socket and otherwise."""

    def __init__(self, page: Page) -> None:
        self.n = 0
        page.on("websocket", self._listen)
        page.on("response", self._count)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._add)

    def _add(self, payload: str | bytes) -> None:
        self.n += len(payload)

    def _count(self, response: Any) -> None:
        self.n += int(response.headers.get("content-length", "0"))


def draw(
    browser: Browser, address: str, log: Path, way: str, kind: str, *, nodes: int, updates: int
) -> Drawn:
    """Draw one graph in a new tab and add nodes one by one."""
    drawn = Drawn()
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(PATIENCE_MS)
    received = Bytes(page)
    page.goto(f"{address}/?way={way}&kind={kind}&nodes={nodes}")
    switch = page.get_by_text("Draw", exact=True)
    switch.wait_for()
    if way == "app":
        page.wait_for_function("globalThis.vis !== undefined")
    page.wait_for_timeout(500)
    page.evaluate(WATCH)
    seconds, row = painted(page, log, way, switch.click)
    drawn.first_s.append(seconds)
    drawn.shown = row["nodes"]
    drawn.layout_s.append(row["layout"])
    drawn.python_s.append(row["layout"] + row["rest"])
    for _ in range(updates):
        page.wait_for_timeout(1200)  # glides end, and the page is quiet
        before = received.n
        seconds, _ = painted(page, log, way, page.get_by_role("button", name="Add").click)
        page.wait_for_timeout(700)
        drawn.update_s.append(seconds)
        drawn.update_bytes.append(received.n - before)
        drawn.longest_ms.append(max(page.evaluate("globalThis.__long"), default=0.0))
    page.close()
    return drawn


def painted(page: Page, log: Path, way: str, act: Any) -> tuple[float, dict[str, Any]]:
    """Do something that draws; return the seconds from its beginning in Python to the frame, and Python's own row."""
    n_rows = len(rows(log))
    page.evaluate("(way) => globalThis.__expect(way)", way)
    act()
    page.wait_for_function("globalThis.__painted !== null", polling=50)
    deadline = time.monotonic() + 60
    while len(rows(log)) == n_rows:  # the frame may be there before Python has noted its own time
        if time.monotonic() > deadline:
            sys.exit("nothing was drawn: Python failed, see its log")
        page.wait_for_timeout(20)
    row = rows(log)[n_rows]
    return page.evaluate("globalThis.__painted") / 1000 - row["began"], row


def rows(log: Path) -> list[dict[str, Any]]:
    """Return what Python has noted so far."""
    return (
        [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    )


class Table:
    """Prints measures with their goals and remembers whether one was missed."""

    def __init__(self) -> None:
        self.is_missed = False

    def row(
        self,
        name: str,
        value: float,
        unit: str,
        *,
        least: float | None = None,
        most: float | None = None,
    ) -> None:
        """Print one measure; at least, or less than, what the goal says."""
        is_ok = (least is None or value >= least) and (most is None or value < most)
        goal = f"≥ {least:g}" if least is not None else f"< {most:g}" if most is not None else ""
        self.is_missed |= not is_ok
        verdict = ("ok" if is_ok else "MISSED") if goal else ""
        print(f"{name:<58}{value:>10.2f} {unit:<4}{goal:>8} {verdict}", flush=True)


def compared(browser: Browser, address: str, log: Path, table: Table, repeat: int) -> None:
    """Measure 200 nodes in both ways."""
    ours, theirs = Drawn(), Drawn()
    for _ in range(repeat):
        ours += draw(browser, address, log, "app", "kg", nodes=200, updates=3)
        theirs += draw(browser, address, log, "pyvis", "kg", nodes=200, updates=1)
    first, more = "200 nodes, first paint", "200 nodes, one more"
    table.row(f"{first}: pyvis", median(theirs.first_s), "s")
    table.row(f"{first}: the app", median(ours.first_s), "s")
    table.row("  of it layout in Python", median(ours.layout_s), "s")
    table.row(
        f"{first}: times faster", median(theirs.first_s) / median(ours.first_s), "×", least=30
    )
    table.row(f"{more}: pyvis", median(theirs.update_s), "s")
    table.row(f"{more}: the app", median(ours.update_s), "s")
    times = median(theirs.update_s) / median(ours.update_s)
    table.row(f"{more}: times faster", times, "×", least=50)
    table.row(f"{more}: pyvis", median(theirs.update_bytes) / 1000, "kB")
    table.row(f"{more}: the app", median(ours.update_bytes) / 1000, "kB")
    times = median(theirs.update_bytes) / median(ours.update_bytes)
    table.row(f"{more}: times fewer bytes", times, "×", least=8)


def large(browser: Browser, address: str, log: Path, table: Table, repeat: int) -> None:
    """Measure 1,000 nodes of both kinds in the app."""
    for kind, name in (("kg", "graph"), ("tree", "search tree")):
        ours = Drawn()
        for _ in range(repeat):
            ours += draw(browser, address, log, "app", kind, nodes=1000, updates=3)
        what = f"{name} of 1,000 nodes" + (f", {ours.shown} shown" if ours.shown < 1000 else "")
        table.row(f"{what}: layout", median(ours.layout_s), "s")
        table.row(f"{what}: all of Python", median(ours.python_s), "s")
        table.row(f"{what}: layout and first paint", median(ours.first_s), "s", most=1.0)
        table.row(f"{what}: one more", median(ours.update_s), "s")
        table.row(f"{what}: longest block at updates", max(ours.longest_ms), "ms", most=200)


def a_run(browser: Browser, home: Path, table: Table) -> None:
    """Follow a run of 500 entries in the app."""
    seen = followed(browser, home)
    table.row("run: entries", seen.n_entries, "", least=500)
    table.row("run: entries a second", seen.rate, "/s")
    table.row(
        f"run: entry to pixel, median of {len(seen.delays)} nodes", seen.median_ms, "ms", most=300
    )
    table.row("run: entry to pixel, 95th percentile", seen.p95_ms, "ms", most=700)
    for name, values in (("browser heap", seen.heap_mb), ("server memory", seen.server_mb)):
        told = " / ".join(f"{value:.0f}" for value in values)
        print(f"run: {name}, MB at a fifth, the middle, the end: {told}")
        table.row(f"run: {name}, end beside the middle", values[2] / values[1], "×", most=1.25)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=("compared", "large", "run"), help="one part of it")
    args = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home, log = Path(folder), Path(folder) / "drawing.jsonl"
        browser = launched(playwright)
        environ = {"KGCORE_HOME": folder, "DRAWING_LOG": str(log)}
        if args.only != "run":
            with served(ROOT / "bench" / "drawing_app.py", environ) as server:
                draw(
                    browser, server.address, log, "app", "kg", nodes=20, updates=1
                )  # everything is imported once
                if args.only != "large":
                    compared(browser, server.address, log, table, args.repeat)
                if args.only != "compared":
                    large(browser, server.address, log, table, args.repeat)
        if args.only in (None, "run"):
            a_run(browser, home, table)
        browser.close()
    sys.exit(table.is_missed)


if __name__ == "__main__":
    main()
