"""Looking back: the fold of every prefix of a journal, cheap enough to drag through.

A moment n of a run is what its first n entries say. The whole is folded once, entry by entry; every few entries a copy
of the fold is kept, so that a moment is the copy before it and a few entries more, not the run from its start. Entries
and log lines of a moment are the first n of the whole.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from kgcore.i18n import told
from kgcore.runs import Entry, RunView
from kgcore.runs.acts import pruned_texts
from kgcore.runs.entries import Started
from kgcore.views.captions import captions_of
from kgcore.views.timeline import EXPANSION, kind_of
from kgcore.views.wording import Caption

if TYPE_CHECKING:
    from pyvis.network import Network

KEPT_EVERY = 64  # entries
WIDE, HIGH = 80.0, 45.0  # about half the size of a node with its label


class Moments:
    """A run as it grows, and as it was at each moment."""

    def __init__(self) -> None:
        self.now = RunView()  # the fold of all entries; `add` goes on changing it
        self.kinds = ""  # one letter an entry
        self._pruned = frozenset[str]()  # what a person took out of the search
        self._kept = [RunView()]
        # by language: up to where captions were made, and these
        self._told: dict[str, tuple[int, tuple[Caption, ...]]] = {}

    def add(self, entry: Entry) -> None:
        """Take the next entry."""
        self.now.add(entry)
        if isinstance(entry.body, Started):
            self._pruned = pruned_texts(entry.body)
        self.kinds += kind_of(entry.body, self._pruned)
        if len(self.kinds) % KEPT_EVERY == 0:
            self._kept.append(_apart(replace(self.now, log=[], entries=[])))

    def at(self, n: int) -> RunView:
        """Return the fold of the first n entries, 1 ≤ n ≤ all; nothing changes it later."""
        n = max(0, min(n, len(self.kinds)))
        view = _apart(self._kept[n // KEPT_EVERY])
        for entry in self.now.entries[n - n % KEPT_EVERY : n]:
            view.add(entry)
        return replace(view, log=self.now.log[:n], entries=self.now.entries[:n])

    def said(self, n: int, language: str = "en") -> str:
        """Return what happened last at a moment, in plain words: a caption, or the log's line inside of one."""
        if not 1 <= n <= len(self.kinds):
            return ""
        until, captions = self._told.get(language, (0, ()))
        if n > until:
            captions = captions_of(self.now.entries, language)
            self._told[language] = (len(self.now.entries), captions)
        ends = {caption.last + 1: caption.text for caption in captions}
        return ends.get(n) or told(self.now.log[n - 1].text, language)

    def expansion_after(self, n: int) -> int:
        """Return the moment of the next expansion after n; the last moment where there is none."""
        last = len(self.kinds)
        return next((i for i in range(n + 1, last) if self._is_expansion(i)), last)

    def _is_expansion(self, n: int) -> bool:
        """Whether an expansion has just begun; those of a beam begin together, the last of them counts."""
        return self.kinds[n - 1] == EXPANSION and self.kinds[n : n + 1] != EXPANSION


def keep_places(net: Network, whole: Network) -> tuple[float, ...]:
    """Draw an earlier moment at the places that the drawing of the whole gives its nodes; return the whole's room."""
    places = {node["id"]: (node["x"], node["y"]) for node in whole.nodes}
    for node in net.nodes:
        node["x"], node["y"] = places.get(node["id"], (node["x"], node["y"]))
    return room_of(places.values())


def room_of(places: Iterable[tuple[float, float]]) -> tuple[float, ...]:
    """Return left, top, right and bottom of places with what stands round them; nothing where there are none."""
    known = list(places)
    if not known:
        return ()
    xs, ys = zip(*known, strict=True)
    return (min(xs) - WIDE, min(ys) - HIGH, max(xs) + WIDE, max(ys) + HIGH)


def _apart(view: RunView) -> RunView:
    """Return a view that can be folded further by itself: the names it knows are its own too."""
    return replace(copied(view), words=copy.deepcopy(view.words))


def copied(view: RunView) -> RunView:
    """Return a view that stays as it is while the fold goes on."""
    return replace(
        view,
        nodes=dict(view.nodes),
        expansions=list(view.expansions),
        backtracks=list(view.backtracks),
        rejected=list(view.rejected),
        decisions=list(view.decisions),
        via=dict(view.via),
        warnings=list(view.warnings),
        missing=list(view.missing),
        rationales=view.rationales.copy(),
        log=list(view.log),
        entries=list(view.entries),
    )
