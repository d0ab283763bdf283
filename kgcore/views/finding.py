"""Finding by name what a drawing does not show: nodes behind "+n" nodes, of a knowledge graph or a search tree."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

from kgcore.model import EntityId, Subgraph
from kgcore.runs import RunView
from kgcore.views.growth import Fold, Growth
from kgcore.views.tree_folds import TreeFolds
from kgcore.views.tree_network import node_label

__all__ = ["Found", "folded_of", "hidden_entities", "hidden_steps", "matching", "reveal_step"]

MOST = 12
Found = tuple[str, str]  # id of the node, its label


def _plain(text: str) -> str:
    """Return a text without case and accents, so that "lea" finds "Léa"."""
    letters = unicodedata.normalize("NFD", text)
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())


def matching(text: str, items: Iterable[Found], *, most: int = MOST) -> list[Found]:
    """Return what has the text in its label, best first: where it stands early, then by the alphabet."""
    wanted = _plain(text)
    if not wanted:
        return []
    plain = [(_plain(label), label, name) for name, label in items]
    found = sorted((bare.find(wanted), bare, label, name) for bare, label, name in plain)
    return [(name, label) for at, _, label, name in found if at >= 0][:most]


def hidden_entities(
    subgraph: Subgraph, growth: Growth, drawn: Collection[str] = ()
) -> dict[str, str]:
    """Return entities and literals that are known and not drawn, with their names.

    With `drawn`, where only a part is shown, all that is beyond it counts as well.
    """
    hidden: dict[str, str] = {}
    for nodes in growth.folds.values():
        for name in nodes:
            if not growth.is_shown(name) and (label := _label(subgraph, name)):
                hidden[name] = label
    if drawn:
        hidden |= {e.id: e.name for e in subgraph.entities if e.id not in drawn}
    return hidden


def _label(subgraph: Subgraph, name: str) -> str:
    """Return the label of a node; "" where it is not known at this moment."""
    if EntityId(name) in subgraph:
        return subgraph.entity(EntityId(name)).name
    kind, _, rest = name.partition("\t")
    subject, _, literal = rest.partition("\t")
    return literal.split("\t")[1] if kind == "=" and EntityId(subject) in subgraph else ""


def folded_of(growth: Growth, name: str) -> Fold | None:
    """Return the "+n" node that a node waits behind."""
    found = (fold for fold, nodes in growth.folds.items() if name in nodes)
    return next(found, None) if not growth.is_shown(name) else None


def hidden_steps(view: RunView, drawn: Collection[str], language: str = "en") -> dict[str, str]:
    """Return the nodes of a search tree that are not drawn, by what their boxes would say in one line."""
    return {
        str(node.id): " ".join(node_label(node, language=language).split())
        for node in view.nodes.values()
        if str(node.id) not in drawn
    }


def reveal_step(view: RunView, folds: TreeFolds, node: int, drawn: Collection[str]) -> None:
    """Open what hides a node of the search tree: branches that a person folded, else the "+n" node above it."""
    above = []
    parent = view.nodes[node].parent
    while parent is not None:
        above.append(parent)
        parent = view.nodes[parent].parent
    folded = folds.folded.intersection(above)
    anchor = next((number for number in above if str(number) in drawn), None)
    folds.reveal(folded, None if folded else anchor)
