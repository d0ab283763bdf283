"""The run that the address names."""

import streamlit as st

from kgcore.bootstrap.recordings import open_run
from kgcore.errors import KGCoreError
from pages.components.frame import problem
from pages.components.language import current
from pages.components.studio import shared

__all__ = ["wanted_run"]


def wanted_run() -> str:
    """Return the full id of the run in the address; empty where there is none.

    A demo run is put among the person's runs, in their language; from there on the address names that run.
    """
    given = st.query_params.get("run", "")
    if not given:
        return ""
    try:
        run_id = open_run(shared().studio, given, current())
    except KGCoreError as error:
        problem(error)
        return ""
    if run_id != given:
        st.query_params["run"] = run_id
    return run_id
