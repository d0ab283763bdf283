"""What a person does with the two drawings of a run, beside looking: menus, hops, folds, undo.

An entry of a menu is a line of a table: (action, label, what it does with the run and the item's id). To add one –
for forks, say – add a line; the drawing knows nothing of actions.
"""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.model import Entity, EntityId
from kgcore.runs import RunView
from kgcore.views.beside import Beside, leaves_of, needed_of
from kgcore.views.edge_ids import edge_id, edges_by_id
from kgcore.views.finding import folded_of, reveal_step
from kgcore.views.growth import Fold, fold_id
from kgcore.views.palettes import LIGHT
from kgcore.views.tree_folds import TreeFolds
from kgcore.views.tree_network import tree_network
from pages.components import finding, graph_changes, one_hop
from pages.components.graph import Entries
from pages.components.language import current, mark, t, told_here
from pages.components.selection import growth_of, on_kg_event, on_tree_event, pick
from pages.components.text import plain
from pages.components.watch import Seen

__all__ = [
    "beside_of",
    "folds_of",
    "kg_menus",
    "kg_undo",
    "only_of",
    "show_hop",
    "take_kg",
    "take_tree",
    "tree_menus",
    "tree_undo",
]

Act = Callable[[Seen, str, str], None]
KEPT = 8  # runs whose state is kept in a session
UNDO = {
    "expand": mark("one hop around {name}"),
    "collapse": mark("closing what was around {name}"),
    "open": mark("opening “+n” at {name}"),
    "fold": mark("folding what hangs on {name}"),
}


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


# menus


def _know(seen: Seen, run_id: str, name: str) -> None:
    _take_click(seen, run_id, "edge" if name.startswith("-\t") else "node", name)


def _expand(seen: Seen, run_id: str, name: str) -> None:
    if _entity(seen, run_id, name) is not None:
        _know(seen, run_id, name)
        st.session_state["hop-wanted"] = (run_id, name, 1)


def _collapse(seen: Seen, run_id: str, name: str) -> None:
    entity, beside = _entity(seen, run_id, name), beside_of(run_id)
    if entity is None or beside.collapse(entity):
        return
    leaves = leaves_of(seen.view.subgraph, entity.id, kept=needed_of(seen.view))
    if not beside.fold(growth_of(run_id), entity, leaves):
        _say(run_id, t("Nothing hangs on {name} alone.", name=plain(entity.name, 60)))


def _open(seen: Seen, run_id: str, name: str) -> None:
    growth = growth_of(run_id)
    folds: dict[str, Fold] = {fold_id(fold): fold for fold in growth.folds}
    if name not in folds:
        return
    anchor = _entity(seen, run_id, folds[name][0])
    if not beside_of(run_id).open(growth, folds[name], anchor.name if anchor else ""):
        _say(run_id, _full())


def _look_into(seen: Seen, run_id: str, name: str) -> None:
    on_tree_event(run_id, {"type": "node", "id": name})


def _show_only(seen: Seen, run_id: str, name: str) -> None:
    if name.isdigit():
        pick(run_id, "tree", name)
        st.session_state.setdefault("kg-only", {})[run_id] = int(name)


def _toggle_branch(seen: Seen, run_id: str, name: str) -> None:
    if name.isdigit() and any(node.parent == int(name) for node in seen.view.nodes.values()):
        folds_of(run_id).toggle(int(name))


def _open_branch(seen: Seen, run_id: str, name: str) -> None:
    if name[1:].isdigit():
        folds_of(run_id).open(int(name[1:]))


_KNOW = ("know", mark("What is known"), _know)
_HOP = ("expand", mark("Show one hop around it"), _expand)
KG_ENTRIES: dict[str, tuple[tuple[str, str, Act], ...]] = {
    "node": (_KNOW, _HOP, ("collapse", mark("Fold what hangs on it"), _collapse)),
    "extra": (_KNOW, _HOP, ("collapse", mark("Close what is around it"), _collapse)),
    "fold": (("open", mark("Show what is folded"), _open),),
    **dict.fromkeys(("value", "edge", "extra value", "extra edge"), (_KNOW,)),
}
TREE_ENTRIES: dict[str, tuple[tuple[str, str, Act], ...]] = {
    "node": (
        ("know", mark("Look into this step"), _look_into),
        ("subgraph", mark("Show its subgraph alone"), _show_only),
        ("fold", mark("Fold or unfold its branch"), _toggle_branch),
    ),
    "fold": (("open", mark("Show what is folded"), _open_branch),),
    "rejection": (("know", mark("Look into this step"), _look_into),),
}


def kg_menus(seen: Seen) -> dict[str, Entries]:
    """Return the menus of the knowledge graph."""
    more = graph_changes.kg_entries(seen)
    return {kind: [*lines, *more.get(kind, ())] for kind, lines in _told(KG_ENTRIES).items()}


def tree_menus(seen: Seen) -> dict[str, Entries]:
    """Return the menus of the search tree."""
    told = _told(TREE_ENTRIES)
    return told | {"node": [*told["node"], *graph_changes.tree_entries(seen)]}


def _told(table: dict[str, tuple[tuple[str, str, Act], ...]]) -> dict[str, Entries]:
    return {kind: [(a, t(label)) for a, label, _ in lines] for kind, lines in table.items()}


def kg_undo(run_id: str) -> str:
    """Return what an undo in the knowledge graph would take back, in words."""
    only, last = only_of(run_id), beside_of(run_id).last
    if only is not None:
        return t("the subgraph of #{n} alone", n=only)
    return t(UNDO[last.kind], name=last.name) if last else ""


def tree_undo(run_id: str) -> str:
    """Return what an undo in the search tree would take back, in words."""
    return t("the last folding") if folds_of(run_id).acts else ""


# events


def take_kg(seen: Seen, run_id: str, event: dict[str, Any] | None) -> None:
    """Take what was done with the knowledge graph."""
    if not event:
        return
    kind, name = str(event.get("type")), str(event.get("id") or "")
    if kind == "find":
        finding.ask(f"kg-{run_id}", event)
        return
    if kind in ("undo", "open", "menu", "reveal"):
        _say(run_id, "")  # what was said of the act before may hold no more
    if kind == "undo":
        if st.session_state.get("kg-only", {}).pop(run_id, None) is None:
            beside_of(run_id).undo(growth_of(run_id))
    elif kind == "reveal":
        _reveal_entity(seen, run_id, name)
    elif kind == "several":
        pick(run_id, "several", "\n".join(map(str, event.get("ids") or ())))
    elif name.startswith("+\t") and kind in ("node", "open", "menu"):
        _open(seen, run_id, name)
    elif kind == "open":
        _expand(seen, run_id, name)
    elif kind == "menu":
        _do(KG_ENTRIES, seen, run_id, event)
    else:
        _take_click(seen, run_id, kind, name)


def take_tree(seen: Seen, run_id: str, event: dict[str, Any] | None) -> None:
    """Take what was done with the search tree."""
    if not event:
        return
    kind, name = str(event.get("type")), str(event.get("id") or "")
    if kind == "find":
        finding.ask(f"tree-{run_id}", event)
    elif kind == "reveal":
        _reveal_step(seen, run_id, name)
    elif kind == "undo":
        folds_of(run_id).undo()
    elif name.startswith("+") and kind in ("node", "open", "menu"):
        _open_branch(seen, run_id, name)
    elif kind == "open":
        _toggle_branch(seen, run_id, name)
    elif kind == "menu":
        _do(TREE_ENTRIES, seen, run_id, event)
    elif kind != "several":
        on_tree_event(run_id, event)


def _reveal_entity(seen: Seen, run_id: str, name: str) -> None:
    """Draw what was found behind a "+n" node, or beyond the subgraph that alone is shown, and pick it."""
    st.session_state.get("kg-only", {}).pop(run_id, None)
    growth = growth_of(run_id)
    fold = folded_of(growth, name)
    if fold is not None:
        _open(seen, run_id, fold_id(fold))
    if not growth.is_shown(name):
        _say(run_id, _full())
        return
    on_kg_event(run_id, {"type": "node", "id": name})


def _reveal_step(seen: Seen, run_id: str, name: str) -> None:
    """Draw a node of the search tree that is folded away, and pick it."""
    if not name.isdigit() or int(name) not in seen.view.nodes:
        return
    folds = folds_of(run_id)
    for _ in range(2):  # a branch that was folded may lie beyond what is drawn
        drawn = drawn_steps(seen.view, folds)
        if name not in drawn:
            reveal_step(seen.view, folds, int(name), drawn)
    if name in drawn_steps(seen.view, folds):
        pick(run_id, "tree", name)
    else:
        _say(run_id, _full())


def drawn_steps(view: RunView, folds: TreeFolds) -> set[str]:
    """Return the nodes of the search tree that are drawn."""
    return {str(node["id"]) for node in tree_network(view, LIGHT, folds=folds).nodes}


def _do(
    table: dict[str, tuple[tuple[str, str, Act], ...]],
    seen: Seen,
    run_id: str,
    event: dict[str, Any],
) -> None:
    acts = {action: act for lines in table.values() for action, _, act in lines}
    action, name = str(event.get("action")), str(event.get("id") or "")
    if action in acts:
        acts[action](seen, run_id, name)
    else:
        graph_changes.act(seen, run_id, action, name)


def _take_click(seen: Seen, run_id: str, kind: str, name: str) -> None:
    lines = {edge_id(x) for triples in beside_of(run_id).hops.values() for x in triples}
    is_extra = name in growth_of(run_id).extra or (
        name in lines and name not in edges_by_id(seen.view.subgraph)
    )
    if is_extra:
        pick(run_id, "extra", name)
    else:
        on_kg_event(run_id, {"type": kind, "id": name})


# one hop


def show_hop(seen: Seen, run_id: str) -> None:
    """Fetch the hop a person asked for, and say in one line what came of the last request."""
    wanted = st.session_state.get("hop-wanted")
    if wanted and wanted[0] == run_id:
        del st.session_state["hop-wanted"]
        entity = _entity(seen, run_id, wanted[1])
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
        _say(run_id, told_here(plain(str(error), 300)))
        return
    growth = growth_of(run_id)
    if beside_of(run_id).expand(growth, entity, found.triples):
        _say(run_id, _full())
        return
    name = plain(entity.name, 60)
    if not found.triples:
        _say(run_id, t("The graphs say nothing about {name}.", name=name))
        return
    told = [t("What is around {name} is no part of the run: it is drawn faintly.", name=name)]
    told += [one_hop.told(found), *(told_here(plain(note, 200)) for note in found.notes)]
    more = (entity.id, one_hop.MORE * times) if found.more else None
    _say(run_id, " ".join(filter(None, told)), more)


def _entity(seen: Seen, run_id: str, name: str) -> Entity | None:
    if name in seen.view.subgraph:
        return seen.view.subgraph.entity(EntityId(name))
    return beside_of(run_id).entity(name)


def _say(run_id: str, text: str, more: tuple[str, int] | None = None) -> None:
    """Keep what is said of the last act, and of which entity more can be fetched."""
    st.session_state["hop-said"] = (run_id, current(), text)
    st.session_state["hop-more"] = more


def _full() -> str:
    return t("No more than 1,500 nodes are drawn at once. Fold some of them first.")
