"""The addresses of many entities, as few words for the browser."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any


def links_of(addresses: Mapping[str, str]) -> dict[str, Any]:
    """Return how to make the address of each id, "" for those that have none.

    What an id and its address end alike in is left out, so most entities of a graph share one of the `heads`, which
    are (start of the id, start of the address) pairs; the others are in `own`, by id.
    """
    web = {i: a for i, a in addresses.items() if a.lower().startswith(("http://", "https://"))}
    starts: dict[str, str] = {}
    for name, address in web.items():
        n = _common_end(name, address)
        starts.setdefault(name[: len(name) - n], address[: len(address) - n])
    heads = {
        head: start
        for head, start in starts.items()
        if all(web.get(i) == start + i[len(head) :] for i in addresses if i.startswith(head))
    }
    own = {i: a for i, a in web.items() if not any(i.startswith(head) for head in heads)}
    return {"heads": sorted(heads.items()), "own": own} if web else {}


def _common_end(one: str, other: str) -> int:
    pairs = zip(reversed(one), reversed(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
