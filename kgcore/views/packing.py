"""A drawing's data as they travel: what many nodes and edges share is sent once.

Of a node its name, texts and place are its own, everything else is a look that it shares with others; an edge names its
ends by their positions among the nodes. `assets/components/packing.js` puts it together again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["packed"]

OWN = frozenset({"id", "label", "title", "x", "y", "from", "to"})


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a payload with each look once, in `looks`; all else stays as it is."""
    looks: dict[str, int] = {}
    nodes = [_with_look(node, looks) for node in data["nodes"]]
    place = {node["id"]: i for i, node in enumerate(nodes)}
    edges = [
        _with_look(edge, looks) | {"from": place[edge["from"]], "to": place[edge["to"]]}
        for edge in data["edges"]
    ]
    return {**data, "nodes": nodes, "edges": edges, "looks": [json.loads(look) for look in looks]}


def _with_look(item: Mapping[str, Any], looks: dict[str, int]) -> dict[str, Any]:
    own = {name: value for name, value in item.items() if name in OWN}
    look = json.dumps(_rest(item.items()), ensure_ascii=False)
    own["look"] = looks.setdefault(look, len(looks))
    return own


def _rest(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if name not in OWN}
