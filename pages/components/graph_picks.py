"""A closer look at what is picked of the drawing beside the run's own: several nodes, or what is no part of it."""

import streamlit as st

from kgcore.model import Entity, Triple
from kgcore.views.edge_ids import edge_id, same_in
from kgcore.views.growth import node_id
from pages.components.graph_beside import beside_of
from pages.components.language import t, tn
from pages.components.selection import selection
from pages.components.text import cell, safe_link
from pages.components.triple_table import triple_table
from pages.components.watch import Seen

__all__ = ["show"]


def show(seen: Seen, run_id: str) -> bool:
    """Draw it, in the inspector's place; tell whether there was anything to draw."""
    picked = selection(run_id)
    if picked.kind == "several":
        _show_several(seen, run_id, frozenset(picked.id.split("\n")))
        return True
    if picked.kind == "extra":
        return _show_extra(run_id, picked.id)
    return False


def _ends(triple: Triple) -> tuple[str, str]:
    return triple.subject.id, node_id(triple.object, triple.subject.id, triple.relation.id)


def _show_several(seen: Seen, run_id: str, names: frozenset[str]) -> None:
    known = same_in(seen.view.subgraph, seen.view.subgraph.triples)
    extra = [triple for triples in beside_of(run_id).hops.values() for triple in triples]
    among = {edge_id(x): x for x in [*known, *extra] if names.issuperset(_ends(x))}
    n = len(names)
    title = tn("{n} node selected", "{n} nodes selected", n)
    told = tn("{n} triple among them", "{n} triples among them", len(among))
    st.html(f'<p class="ts-panel-title">{cell(title)}</p><p class="ts-muted">{cell(told)}</p>')
    st.html(triple_table(among.values(), empty=t("No triple joins them.")))


def _show_extra(run_id: str, name: str) -> bool:
    triples = [triple for found in beside_of(run_id).hops.values() for triple in found]
    entity = beside_of(run_id).entity(name)
    touching = [x for x in triples if name in (edge_id(x), *_ends(x))]
    if not touching:
        return False
    word = (
        f'<p class="ts-muted">{cell(t("not part of the run: read from the graphs just now"))}</p>'
    )
    if entity is None:
        st.html(f'<p class="ts-panel-title">{cell(touching[0].text, 300)}</p>{word}')
    else:
        st.html(f"{_head(entity)}{word}")
    st.html(triple_table(touching))
    return True


def _head(entity: Entity) -> str:
    about = f'<p class="ts-muted">{cell(entity.description, 300)}</p>' if entity.description else ""
    link = safe_link(entity.id, entity.url)
    return (
        f'<p class="ts-panel-title">{cell(entity.name, 200)}</p>'
        f'<p class="ts-muted ts-link">{link}</p>{about}'
    )
