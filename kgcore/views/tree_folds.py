"""Which branches of a search tree a person folded."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(slots=True)
class TreeFolds:
    """Branches a person folded, and nodes whose "+n" node was opened; the last change can be taken back."""

    folded: set[int] = field(default_factory=set)
    opened: set[int] = field(default_factory=set)
    acts: list[tuple[set[int], set[int]]] = field(default_factory=list)  # as it was before

    def toggle(self, node: int) -> None:
        """Fold what hangs below a node, or show it again."""
        self._remember()
        self.folded ^= {node}

    def open(self, node: int) -> None:
        """Show what waits behind the "+n" node of a node."""
        self._remember()
        if node in self.folded:
            self.folded.discard(node)
        else:
            self.opened.add(node)

    def reveal(self, folded: Collection[int], anchor: int | None) -> None:
        """Show the branches of some nodes again, and what waits behind the "+n" node of another."""
        self._remember()
        self.folded -= set(folded)
        if anchor is not None:
            self.opened.add(anchor)

    def undo(self) -> None:
        """Take back the last change."""
        if self.acts:
            self.folded, self.opened = self.acts.pop()

    def _remember(self) -> None:
        self.acts.append((set(self.folded), set(self.opened)))
