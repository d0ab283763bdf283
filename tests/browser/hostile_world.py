"""A data folder in which every name is hostile, and the app in front of it. For the tests of rows S1 and S2."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from kgcore.bootstrap import Studio, build
from tests.browser.test_correcting import idle
from tests.browser.test_hostile_labels import HOSTILE, Watched

WAIT_MS = 60_000
TOWNS = "Who is the mayor of Elmton?"
SAID = [text.replace("\x00", "") for text in HOSTILE]  # a file of triples holds no NUL
SHARE = 5  # texts in one graph: as many as are offered for a name
PREFIXES = """\
@prefix t: <http://towns.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
t:mayor rdfs:label "mayor" .
"""


def open_studio(home: Path, **graphs: str) -> Studio:
    """Open a data folder with the demo graphs and these, given as Turtle."""
    studio = build(home, environ={})
    studio.ensure_demo()
    for name, text in graphs.items():
        bring_in(studio, name, text)
    return studio


def bring_in(studio: Studio, name: str, text: str) -> None:
    """Import a graph from Turtle."""
    file = studio.home / "new.ttl"
    file.write_text(text, "utf-8")
    studio.import_graph([file], name)
    file.unlink()


def watcher(
    open_page: Callable[..., Page], home: Path, **environment: str
) -> Callable[[str], Watched]:
    """Return what opens an address of the app and watches what happens there."""

    def open_(path: str) -> Watched:
        requests: list[str] = []
        page = open_page(
            "app.py",
            query=f"/{path}",
            requests=requests,
            height=2000,
            reduced_motion=True,
            KGCORE_HOME=str(home),
            **environment,
        )
        watched = Watched(page, requests)
        page.on("dialog", lambda dialog: (watched.dialogs.append(dialog.message), dialog.dismiss()))
        page.set_default_timeout(WAIT_MS)
        page.locator(".st-key-ts-bar a, .st-key-ts-stage button").first.wait_for()
        idle(page)
        return watched

    return open_


def towns() -> str:
    """Return a graph whose every name, kind, relation and description is hostile, and all towns are called alike."""
    said = [json.dumps(text) for text in SAID]
    each = range(len(said))
    lines = [PREFIXES]
    for i in each:
        kind, all_ = (i + 12) % len(said), ", ".join(f"t:e{j}" for j in each)
        lines += [
            f"t:k{i} rdfs:label {said[i]} . t:r{i} rdfs:label {said[i]} .",
            f"t:e{i} rdfs:label {said[i]} ; schema:description {said[i]} ; a t:k{i} .",
            f't:town{i} rdfs:label "Elmton" ; schema:description {said[i]} ; a t:k{kind} ;',
            f"  t:mayor {all_} ; {' ; '.join(f't:r{j} t:e{j}' for j in each)} .",
        ]
    return "\n".join(lines)


def shared_out() -> dict[str, str]:
    """Return graphs with hostile names: in each some towns and mayors with hostile names, all towns alias Elmton."""
    graphs = {}
    for first in range(0, len(SAID), SHARE):
        some = range(first, min(first + SHARE, len(SAID)))
        all_ = ", ".join(f"t:m{j}" for j in some)
        lines = [PREFIXES]
        for i in some:
            said = json.dumps(SAID[i])
            lines += [
                f"t:k{i} rdfs:label {said} . t:m{i} rdfs:label {said} ; a t:k{i} .",
                f't:town{i} rdfs:label {said} ; skos:altLabel "Elmton" ;',
                f"  schema:description {said} ; a t:k{i} ; t:mayor {all_} .",
            ]
        graphs[SAID[(first + 1) % len(SAID)][:80]] = "\n".join(lines)
    return graphs
