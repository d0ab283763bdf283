"""Makes the pictures of the documentation from the real app: `python bench/screens.py`.

Starts the app with a fresh data folder, asks a sample question with the offline matcher and photographs the
pages in both themes and two window sizes. Needs an installed Chromium. Nothing in a picture tells of this machine.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.screens_correcting import photograph_correcting
from bench.screens_runs import photograph_runs
from bench.screens_sources import photograph_sources
from bench.screens_words import LANGUAGES, address_in, cast_question, name_in, say, speak
from kgcore.bootstrap.demo_runs import DEMO_RUNS
from kgcore.config import default_home

OUT = ROOT / "assets" / "screenshots"
FILM = "wd:Q25188"
TABLE = """subject,relation,object
Ann Lee,directed,Night Train
Bob Ray,acted in,Night Train
Night Train,released in,1999
Ann Lee,born in,Rome
"""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
SIZES = {1440: 900, 1024: 768}
WAIT_MS = 120_000
PARTS = ("pages", "correcting", "runs", "sources", "stage")


@contextmanager
def app(home: Path) -> Iterator[str]:
    """Run the app and give its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.port", str(port), "--server.fileWatcherType", "none"]
    process = subprocess.Popen(command, cwd=ROOT, env=environ_of(home), stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/_stcore/health")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def environ_of(home: Path) -> dict[str, str]:
    """Return the environment of a person who has this home and set nothing."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("KGCORE_")}
    return environ | {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}


def wait_for(address: str) -> None:
    """Wait until something answers there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    sys.exit("the app did not start")


def ask(browser: Browser, address: str) -> str:
    """Ask the question and return the address of its run."""
    page = browser.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(address_in(address))
    box = page.get_by_placeholder(say("Ask a question about what the graphs hold"))
    box.fill(cast_question())
    box.press("Enter")
    page.locator(".ts-answer.is-open").wait_for()
    page.wait_for_url("**run=*")
    run = page.url
    page.close()
    return run


def settled(page: Page) -> None:
    """Wait until both drawings stand still."""
    page.wait_for_function(
        "Object.values(globalThis.__kg ?? {}).filter((g) => g.nodes.length && !g.glides.size).length > 1"
    )
    page.wait_for_timeout(2000)


def browse(page: Page) -> None:
    """Follow two relations of the entity that is open."""
    for relation in (say("cast member", zh="演员"), say("genre", zh="类型")):
        page.get_by_role("button", name=relation).click()
        page.wait_for_timeout(2500)
    page.locator(".st-key-ts-compact").evaluate("list => list.parentElement.scrollTo(0, 0)")
    page.mouse.move(0, 0)


def choose_table(page: Page) -> None:
    """Choose a table to import."""
    file = {"name": "roles.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
    page.locator("input[type=file]").first.set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name=say("Import"), exact=True).wait_for()
    page.mouse.move(0, 0)


def keep(picture: bytes, file: Path) -> None:
    """Write a picture with 256 colours, which halves it and shows no difference to the eye."""
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def photograph(
    browser: Browser,
    address: str,
    name: str,
    *,
    out: Path,
    prepare: Callable[[Page], None] = lambda page: None,
) -> None:
    """Write one picture for each theme and size."""
    for theme in ("light", "dark"):
        for width, height in SIZES.items():
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme=theme,  # type: ignore[arg-type]
            )
            page.set_default_timeout(WAIT_MS)
            page.goto(address_in(address))
            page.locator(
                "[data-testid=stButton], [data-testid=stFormSubmitButton]"
            ).first.wait_for()
            prepare(page)
            page.wait_for_timeout(2500)
            file = out / f"{name_in(name)}-{theme}-{width}.png"
            keep(page.screenshot(), file)
            page.close()
            print(file)


def photograph_pages(browser: Browser, address: str, out: Path) -> None:
    """Make the pictures of a run and of the pages."""
    run = ask(browser, address)
    photograph(browser, run, "ask", out=out, prepare=settled)
    photograph(browser, address, "start", out=out)
    film = f"{address}/graphs?graph=demo-wikidata&entity={FILM}"
    photograph(browser, film, "graphs", out=out, prepare=browse)
    photograph(browser, f"{address}/graphs?add=1", "graphs-add", out=out, prepare=choose_table)
    photograph(browser, f"{address}/settings", "settings", out=out)


def photograph_stage(browser: Browser, address: str, out: Path) -> None:
    """Make the pictures of a recorded run on the stage, where it turns back."""
    stage = f"{address}/?present=1&run={DEMO_RUNS[0].id}"
    photograph(browser, stage, "present", out=out, prepare=turn_back)


def turn_back(page: Page) -> None:
    """Play a recorded run up to where the search turns back for the last time."""
    page.wait_for_function("Object.values(globalThis.__players ?? {}).length > 0")
    page.evaluate(
        "(player => player.go(player.deck.slides.findLastIndex(slide => slide.kind === 'back')))"
        "(Object.values(globalThis.__players)[0])"
    )


def main() -> None:
    """Make all pictures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=OUT)
    options.add_argument("--only", choices=PARTS, default="")
    options.add_argument("--lang", choices=tuple(LANGUAGES), default="en")
    chosen = options.parse_args()
    speak(chosen.lang)
    out: Path = chosen.out
    out.mkdir(parents=True, exist_ok=True)
    chromium = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if chromium is None:
        sys.exit("no Chromium on PATH")
    with (
        tempfile.TemporaryDirectory() as home,
        app(Path(home)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        data = default_home(environ_of(Path(home)))
        if chosen.only in ("", "pages"):
            photograph_pages(browser, address, out)
        if chosen.only in ("", "correcting"):
            photograph_correcting(browser, address, data, photograph, out)
        if chosen.only in ("", "runs"):
            photograph_runs(browser, address, data, photograph, out)
        if chosen.only in ("", "sources"):
            photograph_sources(browser, address, data, photograph, out)
        if chosen.only in ("", "stage"):
            photograph_stage(browser, address, out)
        browser.close()


if __name__ == "__main__":
    main()
