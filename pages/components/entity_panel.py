"""One entity of a graph: what it is, its relations to follow, and its values as a table."""

from collections.abc import Sequence

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.kg import KnowledgeGraph
from kgcore.model import Entity, EntityId, Literal
from kgcore.steps import EdgeSet, RelationOption, RelationOptions
from kgcore.views.explored import Explored
from pages.components import frame
from pages.components.language import current as language
from pages.components.language import mark, t, tn, told_here
from pages.components.text import cell, plain, rows, safe_link
from pages.components.theme import chip

__all__ = ["show"]

EDGES = 20  # fetched at once along one relation
RELATIONS = 80  # shown as buttons
MORE = mark("{n:,} more along {phrase} were not fetched")
MORE_AT_LEAST = mark("at least {n:,} more along {phrase} were not fetched")
VALUES = 24  # relations whose values are fetched at once
# Kinds of literals, where a graph tells them of a relation's ends.
KINDS = frozenset({"date", "time", "number", "text", "yes or no", "address", "place on a map"})


def show(graph: KnowledgeGraph, explored: Explored, entity: Entity) -> None:
    """Draw the entity, with its relations fetched when they were not yet."""
    st.html(_head(entity))
    try:
        with st.spinner(t("Reading its relations…")):
            options = _relations(graph, explored, entity.id)
    except KGCoreError as error:
        frame.show_problem(str(error))
        return
    for note in options.notes:
        st.caption(plain(told_here(note), 300))
    values = [option for option in options.items if _leads_to_values(option)]
    _show_relations(
        graph, explored, entity.id, [option for option in options.items if option not in values]
    )
    _show_values(graph, explored, entity.id, values)


def _head(entity: Entity) -> str:
    parts = [f'<span class="ts-panel-title">{cell(entity.name, 120)}</span>']
    parts += [chip(kind) for kind in entity.types[:3]]
    about = f'<p class="ts-muted">{cell(entity.description, 300)}</p>' if entity.description else ""
    link = safe_link(entity.id, entity.url)
    return (
        f'<div class="ts-head">{"".join(parts)}</div>{about}<p class="ts-muted ts-link">{link}</p>'
    )


def _relations(graph: KnowledgeGraph, explored: Explored, entity: EntityId) -> RelationOptions:
    """Return the relations of an entity; they are asked for once, in full."""
    known: dict[tuple[str, ...], RelationOptions] = st.session_state.setdefault("kg-options", {})
    key = (graph.id, graph.version, language(), entity)
    if key not in known:
        ids = tuple(dict.fromkeys((entity, *(m.id for m in explored.subgraph.members(entity)))))
        found = graph.relations(ids)
        if found.is_partial:
            return found
        known[key] = found
        while len(known) > 200:
            known.pop(next(iter(known)))
    return known[key]


def _leads_to_values(option: RelationOption) -> bool:
    """Whether a relation leads to dates, numbers or texts and to no entity, as far as the graph tells."""
    return bool(option.target_types) and KINDS.issuperset(option.target_types)


def _show_relations(
    graph: KnowledgeGraph, explored: Explored, entity: EntityId, options: Sequence[RelationOption]
) -> None:
    if not options:
        st.caption(t("No relation leads to or from it."))
        return
    with st.container(key="ts-compact", height=250, border=False, gap="xxsmall"):
        for option in options[:RELATIONS]:
            if st.button(
                _words(option),
                key=f"kg-follow-{option.direction}-{option.relation.id}",
                type="tertiary",
                icon=":material/arrow_forward:"
                if option.direction == "out"
                else ":material/arrow_back:",
                help=_help(option),
            ):
                _follow(graph, explored, entity, option)
        if len(options) > RELATIONS:
            st.caption(tn("and {n} more", "and {n} more", len(options) - RELATIONS))


def _words(option: RelationOption) -> str:
    count = f"{option.count:,}{'+' if option.is_at_least else ''}"
    examples = ", ".join(option.targets)
    more = f" {plain(examples, 60)}" if examples else ""
    return f"{plain(option.phrase, 60)} :gray[({count}){more}]"


def _help(option: RelationOption) -> str:
    return plain(option.relation.id, 120)


def _follow(
    graph: KnowledgeGraph, explored: Explored, entity: EntityId, option: RelationOption
) -> None:
    try:
        with st.spinner(t("Following…")):
            found = _edges(graph, entity, option)
    except KGCoreError as error:
        frame.problem(error)
        st.rerun()
    explored.expand(found)
    more = sum(n for _, n in found.more)
    if more:
        told = MORE_AT_LEAST if found.is_at_least else MORE
        st.toast(t(told, n=more, phrase=plain(option.phrase, 40)))
    for note in found.notes:
        st.toast(plain(told_here(note), 200))
    st.rerun()


def _edges(graph: KnowledgeGraph, entity: EntityId, option: RelationOption) -> EdgeSet:
    asked = option.touches or (entity,)
    return graph.edges(asked, option.relation.id, option.direction, limit=EDGES)


def _show_values(
    graph: KnowledgeGraph, explored: Explored, entity: EntityId, options: Sequence[RelationOption]
) -> None:
    known = {triple.relation.id for triple in explored.values_of(entity)}
    try:
        for option in options[:VALUES]:
            if option.relation.id not in known:
                explored.keep_values(_edges(graph, entity, option).triples)
    except KGCoreError as error:
        st.caption(plain(told_here(str(error)), 300))
    found = [
        {t("relation"): cell(one.relation.name, 60), t("value"): _value(one.object)}
        for one in explored.values_of(entity)
    ]
    st.html(rows((t("relation"), t("value")), found, empty=t("No values were read of it yet.")))


def _value(value: Entity | Literal) -> str:
    lang = getattr(value, "lang", "")
    return cell(value.name, 200) + (f' <span class="ts-muted">{cell(lang)}</span>' if lang else "")
