"""The files a run is handed on as: a page that plays it, reports; the same wherever they are offered."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from kgcore.bootstrap.demo_runs import PREFIX
from kgcore.bootstrap.exporting import files_of, zipped
from kgcore.bootstrap.recordings import Recording
from pages.components.language import current, mark, t

__all__ = ["show_files"]

FILES = (
    ("html", mark("The run as one page that plays it"), "play.html", "text/html"),
    ("report-html", mark("Report, ready to print"), "report.html", "text/html"),
    ("report-md", mark("Report as Markdown, with its picture"), "report.zip", "application/zip"),
)


def show_files(run_id: str, found: Callable[[], Recording], *, key: str) -> None:
    """Draw a button for each form; `found` reads the run when one is pressed."""
    name = run_id.removeprefix(PREFIX)[:40] if run_id.startswith(PREFIX) else run_id[:8]
    for form, label, ending, mime in FILES:
        st.download_button(
            t(label),
            partial(_written, found, form, f"run-{name}-{ending}", current()),
            f"run-{name}-{ending}",
            mime,
            key=f"{key}-{form}",
            on_click="ignore",
            type="tertiary",
        )


def _written(found: Callable[[], Recording], form: str, name: str, language: str) -> bytes:
    """Return the file of a run; what is more than one file as one archive."""
    inner = name.replace(".zip", ".md")
    files = files_of(found(), form, name=inner, language=language)
    return files[name].encode("utf-8", "replace") if name in files else zipped(files)
