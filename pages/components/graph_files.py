"""Files to import as a graph: chosen, looked at, named; tables with what their columns mean."""

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import streamlit as st

from kgcore.errors import InputError, KGCoreError
from kgcore.kg.files.tables import ColumnMapping, is_table
from pages.components import frame, table_form
from pages.components.language import mark, t
from pages.components.studio import shared, studio
from pages.components.text import plain
from pages.components.uploaded import file_name

__all__ = ["show"]

FORMATS = mark(
    "RDF in any notation, tables (CSV, TSV), GraphML, node-link JSON, exports of Neo4j; packed or not. "
    "Several files become one graph. For larger ones: python -m kgcore kg import FILE --name NAME"
)


class _Uploads:
    """A folder for what a session uploads; it goes when the session does."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kgcore-upload-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


def show() -> None:
    """Draw the form; an import begins once, however often the button is pressed."""
    st.caption(t(FORMATS))
    n = st.session_state.setdefault("kg-uploads", 0)
    uploaded = st.file_uploader(
        t("Files"), accept_multiple_files=True, key=f"kg-files-{n}", label_visibility="collapsed"
    )
    if not uploaded:
        return
    try:
        files = _on_disk(uploaded)
        mappings = _mappings(files)
    except (KGCoreError, OSError) as error:
        frame.show_problem(_without_folder(str(error)))
        return
    taken = {graph.name for graph in studio().graphs()}
    left, skip = st.columns(2, vertical_alignment="bottom")
    name = left.text_input(
        t("Name of the graph"), _proposed(files[0], taken), key=f"kg-name-{n}", max_chars=100
    )
    is_taken = (name or "").strip() in taken
    if is_taken:
        st.warning(
            t("{name} exists already; it will be replaced as a whole.", name=plain(name or "", 60))
        )
    skip.toggle(
        t("Skip what cannot be read"),
        key=f"kg-skip-{n}",
        help=t(
            "Statements that cannot be read are counted and left out; otherwise nothing is imported."
        ),
    )
    st.button(
        t("Replace it") if is_taken else t("Import"),
        type="primary",
        icon=":material/upload_file:",
        key="kg-import",
        on_click=_begin,
        args=(files, mappings, n),
    )


def _on_disk(uploaded: Sequence[Any]) -> list[Path]:
    """Write what was uploaded to a folder that goes with the session; each file once."""
    uploads: _Uploads = st.session_state.get("kg-folder") or _Uploads()
    st.session_state["kg-folder"] = uploads
    names: set[str] = set()
    files = []
    for file in uploaded:
        name = file_name(file.name)
        if name in names:
            raise InputError(f"two files are called {name}")
        names.add(name)
        path = uploads.folder / file.file_id / name
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.getbuffer())
        files.append(path)
    return files


def _mappings(files: Sequence[Path]) -> dict[Path, ColumnMapping]:
    """Show each table with what its columns mean, and return that."""
    return {file: table_form.show(file) for file in files if is_table(file)}


def _proposed(file: Path, taken: set[str]) -> str:
    """Return a name for a graph that no graph has yet."""
    name = file.name.split(".")[0].strip()[:90] or "graph"
    free = (new for n in count(2) if (new := f"{name}-{n}") not in taken)
    return next(free) if name in taken else name


def _begin(files: Sequence[Path], mappings: dict[Path, ColumnMapping], n: int) -> None:
    """Start the import and empty the form; a second click finds the form of the first one gone."""
    if st.session_state["kg-uploads"] != n:
        return
    state = st.session_state
    name = str(state.get(f"kg-name-{n}") or "").strip()
    try:
        if not name:
            raise InputError("a graph needs a name")
        skip = bool(state.get(f"kg-skip-{n}"))
        shared().imports.start(studio(), files, name, mappings=mappings, skip_errors=skip)
        state["kg-uploads"] = n + 1
    except (KGCoreError, OSError) as error:
        frame.problem(InputError(_without_folder(str(error))))


def _without_folder(message: str) -> str:
    """Return a message that names files as the person knows them."""
    uploads: _Uploads | None = st.session_state.get("kg-folder")
    for path in uploads.folder.glob("*") if uploads is not None else ():
        message = message.replace(f"{path}/", "")
    return message
