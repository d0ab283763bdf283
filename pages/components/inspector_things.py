"""A closer look at an entity or a triple of the graph."""

import streamlit as st

from kgcore.model import Entity, Triple
from kgcore.runs import RunView
from kgcore.views.tables import added_by, brought_by, triples_of
from pages.components import correction_dialog
from pages.components.language import t
from pages.components.selection import pick
from pages.components.text import cell, safe_link
from pages.components.theme import Palette
from pages.components.trace import show_source
from pages.components.triple_table import triple_table
from pages.components.watch import Seen

__all__ = ["show_entity", "show_triple"]


def show_entity(view: RunView, run_id: str, entity: Entity) -> None:
    """Draw an entity with its ids in every graph and what is known of it."""
    members = view.subgraph.members(entity.id)
    links = " ".join(
        f"{safe_link(m.id, m.url)}{f' ({cell(m.kg, 60)})' if m.kg else ''}" for m in members
    )
    kind = f" · {cell(', '.join(entity.types[:4]), 120)}" if entity.types else ""
    about = f'<p class="ts-muted">{cell(entity.description, 300)}{kind}</p>'
    st.html(
        f'<p class="ts-panel-title">{cell(entity.name, 200)}</p>'
        f'<p class="ts-muted ts-link">{links}</p>{about}'
    )
    _show_node_button(run_id, brought_by(view, entity.id))
    none = t("No triple about it was fetched yet.")
    st.html(triple_table(triples_of(view, entity.id), empty=none))


def show_triple(seen: Seen, run_id: str, triple: Triple, palette: Palette) -> None:
    """Draw a triple with the response it came from."""
    view = seen.view
    with st.container(gap="xsmall"):
        st.html(f'<p class="ts-panel-title">{cell(triple.text, 300)}</p>')
        show_source(view, triple, palette)
        with st.container(horizontal=True, gap="small"):
            _show_node_button(run_id, added_by(view, triple))
            if not seen.is_live:
                st.button(
                    t("Correct it"),
                    key="inspect-correct",
                    type="tertiary",
                    icon=":material/edit:",
                    on_click=correction_dialog.open_for,
                    args=(triple, "replace", view),
                )


def _show_node_button(run_id: str, node: int | None) -> None:
    if node is not None:
        st.button(
            t("Brought by step #{node} of the search", node=node),
            key="inspect-node",
            type="tertiary",
            icon=":material/account_tree:",
            on_click=pick,
            args=(run_id, "tree", str(node)),
        )
