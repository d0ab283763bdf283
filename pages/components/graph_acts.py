"""What a person does with the two drawings of a run, beside looking: menus, hops, folds, undo.

An entry of a menu is a line of a table: (action, label, what it does with the run and the item's id). To add one –
for forks, say – add a line; the drawing knows nothing of actions.
"""

from collections.abc import Callable
from typing import Any

from kgcore.runs import RunView
from kgcore.views.beside import leaves_of, needed_of
from kgcore.views.edge_ids import edge_id, edges_by_id
from kgcore.views.finding import folded_of, reveal_step
from kgcore.views.growth import Fold, fold_id
from kgcore.views.palettes import LIGHT
from kgcore.views.tree_folds import TreeFolds
from kgcore.views.tree_network import tree_network
from pages.components import finding, gate_waiting, graph_changes
from pages.components.graph import Entries
from pages.components.graph_beside import (
    beside_of,
    entity_of,
    folds_of,
    full,
    only_of,
    say,
    show_hop,
    show_only,
    show_whole,
    want_hop,
)
from pages.components.language import mark, t
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
UNDO = {
    "expand": mark("one hop around {name}"),
    "collapse": mark("closing what was around {name}"),
    "open": mark("opening “+n” at {name}"),
    "fold": mark("folding what hangs on {name}"),
}


# menus


def _know(seen: Seen, run_id: str, name: str) -> None:
    _take_click(seen, run_id, "edge" if name.startswith("-\t") else "node", name)


def _expand(seen: Seen, run_id: str, name: str) -> None:
    if entity_of(seen, run_id, name) is not None:
        _know(seen, run_id, name)
        want_hop(run_id, name)


def _collapse(seen: Seen, run_id: str, name: str) -> None:
    entity, beside = entity_of(seen, run_id, name), beside_of(run_id)
    if entity is None or beside.collapse(entity):
        return
    leaves = leaves_of(seen.view.subgraph, entity.id, kept=needed_of(seen.view))
    if not beside.fold(growth_of(run_id), entity, leaves):
        say(run_id, t("Nothing hangs on {name} alone.", name=plain(entity.name, 60)))


def _open(seen: Seen, run_id: str, name: str) -> None:
    growth = growth_of(run_id)
    folds: dict[str, Fold] = {fold_id(fold): fold for fold in growth.folds}
    if name not in folds:
        return
    anchor = entity_of(seen, run_id, folds[name][0])
    if not beside_of(run_id).open(growth, folds[name], anchor.name if anchor else ""):
        say(run_id, full())


def _look_into(seen: Seen, run_id: str, name: str) -> None:
    on_tree_event(run_id, {"type": "node", "id": name})


def _show_only(seen: Seen, run_id: str, name: str) -> None:
    if name.isdigit():
        pick(run_id, "tree", name)
        show_only(run_id, int(name))


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
    **dict.fromkeys(
        ("value", "edge", "extra value", "extra edge", "waiting", "waiting edge"), (_KNOW,)
    ),
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


def kg_menus(seen: Seen, run_id: str) -> dict[str, Entries]:
    """Return the menus of the knowledge graph."""
    more = graph_changes.kg_entries(seen, run_id)
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
        say(run_id, "")  # what was said of the act before may hold no more
    if kind == "undo":
        if not show_whole(run_id):
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
    show_whole(run_id)
    growth = growth_of(run_id)
    fold = folded_of(growth, name)
    if fold is not None:
        _open(seen, run_id, fold_id(fold))
    if not growth.is_shown(name):
        say(run_id, full())
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
        say(run_id, full())


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
    if is_extra and not gate_waiting.is_waiting(seen, run_id, name):
        pick(run_id, "extra", name)
    else:
        on_kg_event(run_id, {"type": kind, "id": name})
