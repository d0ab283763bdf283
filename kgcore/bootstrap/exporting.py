"""Runs to hand on: as a page that plays, or as a report; and what that takes of the assets."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal as OneOf

from kgcore.bootstrap.graphs import ASSETS
from kgcore.bootstrap.recordings import Recording, recording
from kgcore.bootstrap.studio import Studio, language_of
from kgcore.errors import InputError
from kgcore.runs import RunStatus, RunView
from kgcore.runs.entries import Entry
from kgcore.views.document_html import as_html
from kgcore.views.document_markdown import as_markdown
from kgcore.views.replay_html import PlayerFiles, replay_html
from kgcore.views.retold import retold
from kgcore.views.run_document import run_document

DRAWING = ("places.js", "labels.js", "cards.js", "camera.js", "graph.js")


@cache
def player_files(start: str = "player_file.js") -> PlayerFiles:
    """Return the player's files; `start` is the script that starts it."""
    graph, player = ASSETS / "components", ASSETS / "player"
    scripts = [graph / name for name in DRAWING] + [
        player / name for name in ("player_words.js", "player.js", start)
    ]
    styles = (graph / "graph.css", player / "player.css")
    return PlayerFiles(
        (player / "player.html").read_text("utf-8"),
        "\n".join(file.read_text("utf-8") for file in styles),
        "\n".join(file.read_text("utf-8") for file in scripts),
    )


def page_of(
    entries: Sequence[Entry],
    form: str,
    *,
    before: Sequence[Entry] = (),
    status: RunStatus | OneOf[""] = "",
    language: str = "",
) -> str:
    """Return a run as a page that plays it ("html") or as its report ("report-md", "report-html").

    Without a language it is that of the question; `status` stands instead of the journal's own. `before` are the
    entries of the run that it was made again from.
    """
    return next(
        iter(files_of(Recording("", entries, before, status), form, language=language).values())
    )


def files_of(
    recorded: Recording, form: str, *, name: str = "", language: str = ""
) -> dict[str, str]:
    """Return the page by the name of its file; for a report in Markdown also the picture that stands beside it.

    Without a name it stands alone, and tells the paths in words.
    """
    if not recorded.entries:
        raise InputError("the run holds no entries yet")
    view = RunView.of(recorded.entries)
    language = language or language_of(view.started.question if view.started else "")
    if form == "html":
        deck = retold(recorded.before, recorded.entries, language)
        return {name: replay_html(deck, player_files())}
    document = run_document(view, status=recorded.status, language=language, before=recorded.before)
    if form == "report-html":
        return {name: as_html(document)}
    drawn = next((section.picture for section in document.sections if section.picture), "")
    if not drawn or not name:
        return {name: as_markdown(document)}
    picture = f"{name.removesuffix('.md')}.svg"
    return {name: as_markdown(document, picture=picture), picture: drawn}


def zipped(files: Mapping[str, str]) -> bytes:
    """Return files as one archive; the same files always give the same bytes."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode("utf-8", "replace"))
    return data.getvalue()


def run_as_files(
    studio: Studio, run_id: str, form: str, *, name: str = "", language: str = ""
) -> dict[str, str]:
    """Return a run of the store as `files_of` does."""
    return files_of(recording(studio, run_id, language), form, name=name, language=language)
