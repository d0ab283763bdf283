"""What is kept of the replies of remote graphs: how much it may be, how much it is, and forgetting it."""

import streamlit as st

from kgcore.bootstrap import Studio
from pages.components.text import cell

__all__ = ["show"]


def show(made: Studio) -> None:
    """Draw how much of what remote graphs say is kept, and the button that forgets it."""
    settings, (n, n_bytes) = made.settings, made.cache_size()
    megabytes, days, clear = st.columns([0.36, 0.36, 0.28], vertical_alignment="bottom")
    megabytes.number_input(
        "Keep replies of graphs (MB)",
        0,
        value=settings.cache_mb,
        step=100,
        key="set-cache_mb",
        help="What remote graphs answered, on disk; the same query is not sent twice. 0 keeps nothing.",
    )
    days.number_input("for days", 0.0, value=settings.cache_days, step=1.0, key="set-cache_days")
    clear.button(
        "Forget them",
        key="set-clear",
        icon=":material/delete_sweep:",
        on_click=made.clear_cache,
        disabled=not n,
        width="stretch",
    )
    kept = f"{n:,} replies are kept, {n_bytes / 1e6:,.1f} MB" if n else "No replies are kept yet"
    st.html(f'<p class="ts-muted">{cell(kept)}</p>')
