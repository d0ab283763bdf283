"""What a session opened beside a run: hops, folds, one subgraph alone, and what is said of the last act."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.model import Entity, EntityId
from kgcore.views.beside import Beside
from kgcore.views.tree_folds import TreeFolds
from pages.components import one_hop
from pages.components.language import current, t, told_here
from pages.components.selection import growth_of
from pages.components.text import plain
from pages.components.watch import Seen

__all__ = [
    "beside_of",
    "entity_of",
    "folds_of",
    "full",
    "only_of",
    "say",
    "show_hop",
    "show_only",
    "show_whole",
    "want_hop",
]

KEPT = 8  # runs whose state is kept in a session


def _kept(key: str, run_id: str, make: Callable[[], Any]) -> Any:
    kept: dict[str, Any] = st.session_state.setdefault(key, {})
    while len(kept) >= KEPT and run_id not in kept:
        kept.pop(next(iter(kept)))
    return kept.setdefault(run_id, make())


def beside_of(run_id: str) -> Beside:
    """Return what this session opened beside the run."""
    found: Beside = _kept("besides", run_id, Beside)
    return found


def folds_of(run_id: str) -> TreeFolds:
    """Return what this session folded of the run's search tree."""
    found: TreeFolds = _kept("tree-folds", run_id, TreeFolds)
    return found


def only_of(run_id: str) -> int | None:
    """Return the node of the search tree whose subgraph alone is shown, if there is one."""
    found: int | None = st.session_state.get("kg-only", {}).get(run_id)
    return found


def show_only(run_id: str, node: int) -> None:
    """Show the subgraph of one node of the search tree alone."""
    st.session_state.setdefault("kg-only", {})[run_id] = node


def show_whole(run_id: str) -> bool:
    """Show the whole subgraph again; tell whether it was one node's alone."""
    return st.session_state.get("kg-only", {}).pop(run_id, None) is not None


def want_hop(run_id: str, name: str) -> None:
    """Have the hop around an entity fetched when the drawings are drawn next."""
    st.session_state["hop-wanted"] = (run_id, name, 1)


def show_hop(seen: Seen, run_id: str) -> None:
    """Fetch the hop a person asked for, and say in one line what came of the last request."""
    wanted = st.session_state.get("hop-wanted")
    if wanted and wanted[0] == run_id:
        del st.session_state["hop-wanted"]
        entity = entity_of(seen, run_id, wanted[1])
        if entity is not None:
            with st.spinner(t("Asking the graphs about {name}…", name=plain(entity.name, 60))):
                _fetch(seen, run_id, entity, wanted[2])
    # A sentence of the language before is not shown any more.
    *said, text = st.session_state.get("hop-said", ("", "", ""))
    if said != [run_id, current()] or not text:
        return
    more = st.session_state.get("hop-more")
    if more is None:
        st.caption(text)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(text, width="content")
        st.button(
            t("Fetch more"),
            key=f"hop-more-{run_id}",
            type="tertiary",
            icon=":material/add_circle:",
            on_click=st.session_state.__setitem__,
            args=("hop-wanted", (run_id, *more)),
        )


def _fetch(seen: Seen, run_id: str, entity: Entity, times: int) -> None:
    subgraph, started = seen.view.subgraph, seen.view.started
    ids: Sequence[EntityId] = (entity.id,)
    if entity.id in subgraph:
        ids = tuple(dict.fromkeys((entity.id, *(m.id for m in subgraph.members(entity.id)))))
    names = [name for name, _ in started.kgs] if started else []
    try:
        found = one_hop.fetch(names, ids, times=times)
    except KGCoreError as error:
        say(run_id, told_here(plain(str(error), 300)))
        return
    growth = growth_of(run_id)
    if beside_of(run_id).expand(growth, entity, found.triples):
        say(run_id, full())
        return
    name = plain(entity.name, 60)
    if not found.triples:
        say(run_id, t("The graphs say nothing about {name}.", name=name))
        return
    told = [t("What is around {name} is no part of the run: it is drawn faintly.", name=name)]
    told += [one_hop.told(found), *(told_here(plain(note, 200)) for note in found.notes)]
    more = (entity.id, one_hop.MORE * times) if found.more else None
    say(run_id, " ".join(filter(None, told)), more)


def entity_of(seen: Seen, run_id: str, name: str) -> Entity | None:
    """Return an entity of the run, or of what was opened beside it."""
    if EntityId(name) in seen.view.subgraph:
        return seen.view.subgraph.entity(EntityId(name))
    return beside_of(run_id).entity(name)


def say(run_id: str, text: str, more: tuple[str, int] | None = None) -> None:
    """Keep what is said of the last act, and of which entity more can be fetched."""
    st.session_state["hop-said"] = (run_id, current(), text)
    st.session_state["hop-more"] = more


def full() -> str:
    """Return what is said where no more fits a drawing."""
    return t("No more than 1,500 nodes are drawn at once. Fold some of them first.")
