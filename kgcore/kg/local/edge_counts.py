"""Counts the edges along one predicate, node by node, while the label index is built.

Within a predicate the store is ordered by object, so the edges that enter a node come in one run; only the
counts of edges that leave nodes are held in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from pyoxigraph import Literal as OxLiteral
from pyoxigraph import NamedNode, Store

from kgcore.kg import vocabulary as v
from kgcore.kg.local.rdf_terms import is_unknown, lacking

OUT, IN = 0, 1
_EXAMPLES, EXAMPLE_LENGTH = 3, 80
SAY_NOTHING = (v.RDF, v.RDFS, v.OWL)  # classes of theirs, such as owl:NamedIndividual


@dataclass(slots=True)
class Group:
    """The edges of one node along one relation in one direction."""

    n: int = 0
    examples: list[int | str] = field(default_factory=list)  # nodes, or texts of literals
    kinds: set[str] = field(default_factory=set)  # kinds of literals

    def add(self, end: int | str, kind: str = "") -> None:
        """Count an edge to a node, or to a literal of a kind."""
        self.n += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(end)
        if kind:
            self.kinds.add(kind)

    @property
    def packed(self) -> tuple[int, str, str]:
        """Count, examples and kinds as the index holds them."""
        examples = json.dumps(self.examples) if self.kinds else str(self.examples)
        return self.n, examples, ",".join(sorted(self.kinds))


class EdgeCounter:
    """Counts along one predicate. After `count`, `leaving` and `entering` hold groups by node number."""

    def __init__(
        self,
        store: Store,
        number: Callable[[str], int],
        *,
        hidden: Collection[str],
        labelled: Collection[str],
    ) -> None:
        self._store, self._number = store, number
        self._hidden, self._labelled = hidden, labelled
        self.leaving: dict[int, Group] = {}
        self.entering: dict[int, Group] = {}
        self.pairs: list[tuple[int, int]] = []  # of things and their classes
        self.n_blank = 0

    def count(self, predicate: str) -> None:
        """Go through all edges along a predicate."""
        tells_class = predicate in v.TYPE_PROPERTIES
        is_type = predicate == v.RDF + "type"
        unknown: set[str] = set()
        for quad in self._store.quads_for_pattern(None, NamedNode(predicate), None, None):
            source, target = quad.subject, quad.object
            if not isinstance(source, NamedNode):
                self.n_blank += 1
            elif source.value in self._hidden:
                continue
            elif isinstance(target, OxLiteral):
                kind = v.literal_kind(target.datatype.value)
                self._leave(source.value).add(target.value[:EXAMPLE_LENGTH], kind)
            elif is_unknown(self._store, target):
                unknown.add(source.value)
            elif not isinstance(target, NamedNode):
                self.n_blank += 1
            else:
                is_labelled = target.value in self._labelled
                if is_labelled or not is_type:
                    self._join(source.value, target.value)
                if tells_class and (is_labelled or not target.value.startswith(SAY_NOTHING)):
                    self.pairs.append((self._number(source.value), self._number(target.value)))
        for iri in sorted(unknown):
            self._leave(iri).add(v.UNKNOWN_VALUE.value, "unknown")
        for iri in lacking(self._store, predicate):
            self._leave(iri).add(v.NO_VALUE.value, "none")

    def _leave(self, iri: str) -> Group:
        return self.leaving.setdefault(self._number(iri), Group())

    def _join(self, source: str, target: str) -> None:
        one, other = self._number(source), self._number(target)
        self._leave(source).add(other)
        self.entering.setdefault(other, Group()).add(one)
