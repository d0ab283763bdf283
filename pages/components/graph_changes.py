"""What a menu of a drawing changes: it opens the dialogs of changes and corrections, and sets breakpoints.

Nothing is changed by the menu itself: a dialog makes a fork or a correction, and a breakpoint only pauses.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st

from kgcore.errors import KGCoreError
from kgcore.model import Triple
from kgcore.runs import Breakpoint, NodeView, RunView, StepDone
from kgcore.runs.breakpoints import ACTIONS, MAX_TEXT
from kgcore.steps import RelationOptions, Replies
from kgcore.views.edge_ids import edges_by_id
from pages.components import breakpoints, change, correction_dialog, gate_waiting
from pages.components.frame import problem, tell
from pages.components.graph import Entries
from pages.components.language import current, mark, t
from pages.components.text import plain
from pages.components.watch import Seen

__all__ = [
    "act",
    "barred_in_kg",
    "barred_in_tree",
    "kg_entries",
    "redraw_for_dialog",
    "tree_entries",
]

_OPENED = "change-opened"
PAUSES: Mapping[str, tuple[str, str]] = {  # in the run, and where the run is over in the next one
    "pause-depth": (mark("Pause at this depth"), mark("Pause the next run at this depth")),
    "pause-action": (mark("Pause at such an action"), mark("Pause the next run at such an action")),
    "pause-entity": (mark("Pause at this entity"), mark("Pause the next run at this entity")),
    "pause-relation": (mark("Pause at this relation"), mark("Pause the next run at this relation")),
}
_CORRECT = (("correct", mark("Correct…")), ("retract", mark("Retract…")))


# what is offered


def tree_entries(seen: Seen) -> Entries:
    """Return what can be changed at a node of the search tree."""
    forks = (("change", t("Change…")), ("prune", t("Prune…")))
    return (*forks, *_pauses(seen, "depth", "action"))


def kg_entries(seen: Seen, run_id: str) -> dict[str, Entries]:
    """Return what can be changed in the knowledge graph, by kind of item."""
    fixes = () if seen.is_live else tuple((action, t(label)) for action, label in _CORRECT)
    ban = ("ban", t("Ban a relation…"))
    this = ("ban", t("Ban this relation…"))
    held = gate_waiting.entries(seen, run_id)
    return held | {
        "node": (*held.get("node", ()), ban, *_pauses(seen, "entity")),
        "edge": (*fixes, this, *_pauses(seen, "relation")),
        "value": fixes,
    }


def _pauses(seen: Seen, *kinds: str) -> Entries:
    n = 0 if seen.run is not None else 1
    return tuple((f"pause-{kind}", t(PAUSES[f"pause-{kind}"][n])) for kind in kinds)


def barred_in_tree(view: RunView) -> dict[str, list[str]]:
    """Return the nodes of the search tree at which an entry of the menu has nothing to do."""
    nodes = view.nodes.values()
    stuck = [str(node.id) for node in nodes if not _is_chosen(view, node)]
    roots = [
        str(node.id) for node in nodes if node.action not in ACTIONS
    ]  # each run has it at once
    return {"prune": stuck, "pause-depth": roots, "pause-action": roots}


def _is_chosen(view: RunView, node: NodeView) -> bool:
    """Whether a model's reply led to a node, so that it can be left out."""
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    if parent is None or node.is_pruned:
        return False
    if node.action == "beam":
        return node.value is not None
    bodies = (view.entry(seq).body for seq in parent.entries if seq < node.seq)
    return any(isinstance(body, StepDone) and isinstance(body.result, Replies) for body in bodies)


def barred_in_kg(seen: Seen, run_id: str) -> dict[str, list[str]]:
    """Return the entities and lines of which no relation was offered to a model, so that none can be banned.

    And the entities that nothing touches which waits at the gate.
    """
    view = seen.view
    offers = _offers(view)
    lines = edges_by_id(view.subgraph)
    entities = [e.id for e in view.subgraph.entities if offers.at(view, e.id) is None]
    edges = [key for key, x in lines.items() if x.relation.id not in offers.relations]
    return {"ban": [*entities, *edges], **gate_waiting.barred(seen, run_id)}


@dataclass(frozen=True, slots=True)
class _Offers:
    """The entries at which relations were offered: the latest one by entity, and the first one by relation."""

    entities: Mapping[str, int]
    relations: Mapping[str, int]

    def at(self, view: RunView, entity: str) -> int | None:
        """Return the entry at which an entity's relations were offered."""
        ids = (entity, *(member.id for member in view.subgraph.members(entity)))  # type: ignore[arg-type]
        return max((self.entities[i] for i in ids if i in self.entities), default=None)


def _offers(view: RunView) -> _Offers:
    """Return what was offered; found once for as long as nothing new happens."""
    run_id = view.started.run_id if view.started else ""
    key, kept = (run_id, view.n_entries), st.session_state.get("relations-offered")
    if kept is not None and kept[0] == key:
        found: _Offers = kept[1]
        return found
    entities: dict[str, int] = {}
    relations: dict[str, int] = {}
    for seq, offered in _listings(view):
        for option in offered.items:
            relations.setdefault(option.relation.id, seq)
            entities |= dict.fromkeys(option.touches, seq)
    found = _Offers(entities, relations)
    st.session_state["relations-offered"] = (key, found)
    return found


def _listings(view: RunView) -> Iterator[tuple[int, RelationOptions]]:
    for entry in view.entries:
        body = entry.body
        if isinstance(body, StepDone) and isinstance(body.result, RelationOptions):
            yield entry.seq, body.result


# what is done


def act(seen: Seen, run_id: str, action: str, name: str) -> None:
    """Do what an entry of a menu says with a node of the search tree, an entity or a line."""
    if gate_waiting.act(seen, run_id, action, name):
        return
    if action in ("change", "prune"):
        if name.isdigit() and int(name) in seen.view.nodes:
            kind = "prune" if action == "prune" else ""
            _open(change.Target(run_id, node=int(name), kind=kind))
    elif action in ("correct", "retract"):
        triple = _triple(seen.view, name)
        if triple is not None and not seen.is_live:
            wanted = "replace" if action == "correct" else "retract"
            correction_dialog.open_for(triple, wanted, seen.view)
    elif action == "ban":
        _ban(seen.view, run_id, name)
    else:
        point = _point(seen.view, action, name)
        if point is not None:
            _pause(seen, point)


def _open(target: change.Target) -> None:
    change.open_for(target)
    st.session_state[_OPENED] = True


def redraw_for_dialog() -> None:
    """Draw the page anew where a menu asked for a dialog that stands outside of what is followed live."""
    if st.session_state.pop(_OPENED, False):
        st.rerun()


def _ban(view: RunView, run_id: str, name: str) -> None:
    offers, triple = _offers(view), edges_by_id(view.subgraph).get(name)
    if triple is None:
        seq, relation = offers.at(view, name), ""
    else:
        relation = triple.relation.id
        seq = offers.relations.get(relation)
    if seq is not None:
        _open(change.Target(run_id, seq=seq, kind="ban", relation=relation))


def _triple(view: RunView, name: str) -> Triple | None:
    """Return the triple of a line, or that of the box of a value."""
    if name.startswith("=\t"):
        subject, relation = name.split("\t")[1:3]
        name = "\t".join(("-", subject, relation, name))
    return edges_by_id(view.subgraph).get(name)


def _point(view: RunView, action: str, name: str) -> Breakpoint | None:
    """Return the breakpoint that an entry of a menu asks for."""
    node = view.nodes.get(int(name)) if name.isdigit() else None
    if node is not None and action == "pause-depth":
        return Breakpoint("depth", number=float(node.depth))
    if node is not None and action == "pause-action":
        return Breakpoint("action", node.action)
    if action == "pause-entity" and name in view.subgraph:
        known = view.subgraph.entities
        return Breakpoint("entity", _called(name, {e.id: e.name for e in known}))
    triple = _triple(view, name) if action == "pause-relation" else None
    if triple is None:
        return None
    relations = {x.relation.id: x.relation.name for x in view.subgraph.triples}
    return Breakpoint("relation", _called(triple.relation.id, relations))


def _called(name: str, labels: Mapping[str, str]) -> str:
    """Return the label of an id where it is of no other, and else the id."""
    label = labels.get(name, "").strip()
    is_own = all(its.strip() != label for other, its in labels.items() if other != name)
    return label if label and is_own and len(label) <= MAX_TEXT else name


def _pause(seen: Seen, point: Breakpoint) -> None:
    try:
        breakpoints.put(seen.run, point)
    except KGCoreError as error:
        problem(error)
        return
    words = plain(point.words(current()), 120)
    if seen.run is not None:
        tell(t("This run pauses at: {point}", point=words), icon=":material/adjust:")
    else:
        tell(t("The next run pauses at: {point}", point=words), icon=":material/adjust:")
