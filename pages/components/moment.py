"""The moment of a run that is looked at: it stands in the address, so a link or a reload opens it again."""

import streamlit as st

from pages.components.frame import show_problem
from pages.components.language import t
from pages.components.selection import forget_entries
from pages.components.watch import Seen, Watches

__all__ = ["forget_for_another", "go", "seen_at"]

_NAME = "at"


def go(moment: int | None) -> None:
    """Look at this moment of the run; None is now. An entry that was picked belongs to another moment."""
    forget_entries()
    if moment is None:
        st.query_params.pop(_NAME, None)
    else:
        st.query_params[_NAME] = str(moment)


def forget_for_another(run_id: str) -> None:
    """Look at another run as it is now: a moment of one run is none of the next."""
    before = st.session_state.get("moment-of")
    if before not in (None, run_id):
        go(None)
    st.session_state["moment-of"] = run_id


def seen_at(seen: Seen, watches: Watches) -> Seen:
    """Return the run as it was at the moment that the address names, else as it is."""
    given = st.query_params.get(_NAME, "")
    if not given:
        return seen
    if not (given.isascii() and given.isdigit()) or len(given) > 9 or int(given) < 1:
        go(None)
        show_problem(t("The address names no moment of a run: at={value}", value=given[:20]))
        return seen
    last = seen.view.n_entries
    if int(given) > last and not seen.is_live:
        go(None)
        show_problem(
            t(
                "This run has {n} moments; the address asks for moment {value}. The end is shown.",
                n=last,
                value=int(given),
            )
        )
        return seen
    return watches.back(seen, int(given))
