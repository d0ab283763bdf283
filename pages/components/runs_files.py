"""Runs as files: one JSON file each, out and in. A file that holds no run is refused with its reason."""

from functools import partial

import streamlit as st

from kgcore.bootstrap import Studio
from kgcore.bootstrap.recordings import recording
from kgcore.errors import KGCoreError
from kgcore.runs.exchange import export_run, import_run
from pages.components.frame import problem, tell
from pages.components.language import current, t
from pages.components.run_downloads import show_files

__all__ = ["show_export", "show_import"]


def show_export(studio: Studio, run_id: str) -> None:
    """Draw the files a run is handed on as."""
    with st.popover(t("Download"), icon=":material/download:"):
        _show_json(studio, run_id)
        show_files(run_id, partial(recording, studio, run_id, current()), key=f"runs-{run_id}")


def _show_json(studio: Studio, run_id: str) -> None:
    st.download_button(
        t("The run as JSON, to import it again"),
        partial(_exported, studio, run_id),
        f"run-{run_id[:8]}.json",
        "application/json",
        key=f"runs-export-{run_id}",
        type="tertiary",
        on_click="ignore",
        help=t("The whole run as one JSON file; it can be imported again, here or elsewhere."),
    )


def _exported(studio: Studio, run_id: str) -> bytes:
    return export_run(studio.store, run_id).encode()


def show_import(studio: Studio) -> None:
    """Draw the import of a file."""
    file = st.file_uploader(t("A JSON file that an export wrote"), type=["json"], key="runs-file")
    st.caption(
        t(
            "Everything in it is checked before it is kept. Nothing of it is run: an imported run is looked at, "
            "compared, and run again only when you say so."
        )
    )
    st.button(
        t("Import"),
        key="runs-import",
        type="primary",
        disabled=file is None,
        on_click=_import,
        args=(studio, file.getvalue() if file is not None else b""),
    )


def _import(studio: Studio, data: bytes) -> None:
    try:
        run_id = import_run(studio.store, data)
    except KGCoreError as error:
        problem(error)
        return
    st.session_state["runs-open"] = run_id
    tell(t("The run was imported"), icon=":material/upload:")
