"""Runs to hand on: as a page that plays, or as a report; and what that takes of the assets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from kgcore.bootstrap.graphs import ASSETS
from kgcore.bootstrap.studio import Studio, language_of
from kgcore.errors import InputError
from kgcore.runs import RunView
from kgcore.runs.journal import Entry
from kgcore.views.deck import deck_of
from kgcore.views.replay_html import PlayerFiles, replay_html
from kgcore.views.run_document import as_html, as_markdown, run_document

DRAWING = ("places.js", "labels.js", "cards.js", "camera.js", "graph.js")


@cache
def player_files(start: str = "player_file.js") -> PlayerFiles:
    """Return the player's files; `start` is the script that starts it."""
    graph, player = ASSETS / "components", ASSETS / "player"
    scripts = [graph / name for name in DRAWING] + [player / "player.js", player / start]
    styles = (graph / "graph.css", player / "player.css")
    return PlayerFiles(
        (player / "player.html").read_text("utf-8"),
        "\n".join(file.read_text("utf-8") for file in styles),
        "\n".join(file.read_text("utf-8") for file in scripts),
    )


def page_of(entries: Sequence[Entry], form: str, *, status: str = "", language: str = "") -> str:
    """Return a run as a page that plays it ("html") or as its report ("report-md", "report-html").

    Without a language it is that of the question; `status` stands instead of the journal's own.
    """
    if not entries:
        raise InputError("the run holds no entries yet")
    view = RunView.of(entries)
    if not language:
        language = language_of(view.started.question if view.started else "")
    if form == "html":
        return replay_html(deck_of(entries, language), player_files())
    document = run_document(view, status=status, language=language)
    return as_markdown(document) if form == "report-md" else as_html(document)


def run_as_page(studio: Studio, run_id: str, form: str, *, language: str = "") -> str:
    """Return a run of the store as `page_of` does."""
    entries, status = studio.store.load(run_id), studio.store.record(run_id).status
    is_ended = bool(entries) and RunView.of(entries).ended is not None
    return page_of(entries, form, status="" if is_ended else status, language=language)
