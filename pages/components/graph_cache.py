"""What is kept of the replies of remote graphs: how much it may be, how much it is, and forgetting it."""

import streamlit as st

from kgcore.bootstrap import Studio
from pages.components.language import t, tn
from pages.components.text import cell

__all__ = ["show"]


def show(made: Studio) -> None:
    """Draw how much of what remote graphs say is kept, and the button that forgets it."""
    settings, (n, n_bytes) = made.settings, made.cache_size()
    megabytes, days = st.columns(2, vertical_alignment="bottom")
    megabytes.number_input(
        t("Replies to keep (MB)"),
        0,
        value=settings.cache_mb,
        step=100,
        key="set-cache_mb",
        help=t(
            "What remote graphs answered, on disk; the same query is not sent twice. 0 keeps nothing."
        ),
    )
    days.number_input(
        t("for so many days"),
        0.0,
        value=settings.cache_days,
        step=1.0,
        format="%g",
        key="set-cache_days",
    )
    if not n:
        st.html(f'<p class="ts-muted">{t("No replies of remote graphs are kept yet")}</p>')
        return
    kept = tn(
        "{n:,} reply of remote graphs is kept, {size} MB",
        "{n:,} replies of remote graphs are kept, {size} MB",
        n,
        size=f"{n_bytes / 1e6:,.1f}",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<p class="ts-muted">{cell(kept)}</p>')
        st.button(
            t("Forget them"),
            key="set-clear",
            icon=":material/delete_sweep:",
            on_click=made.clear_cache,
        )
