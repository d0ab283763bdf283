"""An embedded graph: a pyoxigraph store on disk with a label index beside it, opened read-only.

Any number of processes and threads may read one graph, also while it is being imported anew: a reader keeps
the version it opened. Counts come from the index, edges from the store; both leave out what is not shown (blank
nodes, facts about properties and articles), so counts are exact. Ids reach the store as terms, never as text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyoxigraph import Quad, Store

from kgcore.errors import ServiceError
from kgcore.kg import vocabulary as v
from kgcore.kg.edges import edge_triple, query_for_people
from kgcore.kg.files.cells import Namer
from kgcore.kg.files.importer import INDEX, STORE
from kgcore.kg.linking import link, link_question
from kgcore.kg.local.edge_reader import EdgeReader
from kgcore.kg.local.graph_folder import GraphFolders
from kgcore.kg.local.index_reader import IndexReader
from kgcore.kg.local.labels import Count, LabelIndex, Node
from kgcore.kg.local.manifest import Manifest
from kgcore.kg.local.names import NameIndex
from kgcore.kg.local.rdf_terms import STORE_ERRORS
from kgcore.model import (
    Direction,
    EntityId,
    Literal,
    Provenance,
    Relation,
    RelationId,
)
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOption, RelationOptions

_TRIES = 3
_EXAMPLES = 3


def open_graph(home: Path, name: str, *, languages: Sequence[str] = ("en",)) -> LocalGraph:
    """Open an embedded graph; UnknownGraphError when there is none of this name.

    Labels are shown in the first of `languages` that a thing has a label in, then in any.
    """
    folders = GraphFolders(home)
    for attempt in range(_TRIES):
        manifest = folders.manifest(name)
        data = folders.data(manifest)
        try:
            store, reader = Store.read_only(str(data / STORE)), IndexReader(data / INDEX)
        except (*STORE_ERRORS, ServiceError) as error:  # perhaps another version took its place
            if attempt + 1 < _TRIES:
                continue
            raise ServiceError(f"the graph {name!r} cannot be opened: {error}") from error
        return LocalGraph(manifest, store, reader, languages=languages)
    raise AssertionError("unreachable")


class LocalGraph:
    """A graph on this machine; open one with `open_graph`."""

    def __init__(
        self,
        manifest: Manifest,
        store: Store,
        reader: IndexReader,
        *,
        languages: Sequence[str] = ("en",),
    ) -> None:
        self.manifest = manifest
        self.prefixes = v.Prefixes(dict(manifest.prefixes))
        self._reader = reader
        self.labels = LabelIndex(self._reader, manifest.name, self.prefixes, languages=languages)
        self.names = NameIndex(self.labels)
        self._store = store
        self._edges = EdgeReader(manifest.name, store, self.labels)
        self._namer = Namer(manifest.name)
        content = f"{manifest.version} {' '.join(languages)}"
        self._version = hashlib.blake2b(content.encode(), digest_size=8).hexdigest()

    @property
    def id(self) -> str:
        """The name under which the graph was imported."""
        return self.manifest.name

    @property
    def version(self) -> str:
        """Hash of the data and of the wanted languages."""
        return self._version

    def close(self) -> None:
        """Let go of the label index; the store goes with the object."""
        self._reader.close()

    def link(
        self, text: str, *, context: str = "", limit: int = 10, is_question: bool = False
    ) -> Candidates:
        """Find entities by name, in any language, typing errors allowed."""
        find = link_question if is_question else link
        return find(self.names, text, context, limit)

    def describe(self, entities: Sequence[EntityId]) -> Descriptions:
        """Look labels, descriptions and types up in the index."""
        known = self._known(entities)
        described = self.labels.entities(known.values())
        found = tuple(described[node.id] for node in known.values())
        return Descriptions(found, self.same_as(entities))

    def same_as(self, entities: Sequence[EntityId]) -> tuple[tuple[EntityId, EntityId], ...]:
        """Look identity links up in the index."""
        return tuple(self.labels.same_as(n.number for n in self._known(entities).values()))

    def has_relation(self, relation: RelationId) -> bool:
        """True when some edge of this graph is of this relation."""
        return self._relation(relation) is not None

    def relation_name(self, relation: RelationId) -> str:
        """Return the name that an import made a relation of; empty for one that has an id of its own."""
        number = self._relation(relation)
        if number is None:
            return ""
        known = self.labels.relations[number]
        return known.label if self.relation_named(known.label) == known.id else ""

    def relation_named(self, name: str) -> RelationId | None:
        """Return the relation that an import made of a name, if there is one."""
        iri = self._namer.relation(name).strip("<>")
        found = RelationId(self.prefixes.shorten(iri))
        return found if found in self.labels.relation_numbers else None

    def all_relations(self) -> tuple[Relation, ...]:
        """Return the relations of all its edges, by id."""
        return tuple(sorted(self.labels.relations.values(), key=lambda relation: relation.id))

    def relations(self, entities: Sequence[EntityId]) -> RelationOptions:
        """Read counts and examples from the index."""
        asked = self._asked(entities)
        groups: dict[tuple[RelationId, Direction], list[Count]] = {}
        for count in self.labels.counts(asked):
            relation = self.labels.relations[count.relation]
            groups.setdefault((relation.id, count.direction), []).append(count)
        examples = {
            end for counts in groups.values() for end in _examples(counts) if isinstance(end, int)
        }
        labels, types = self.labels.labels(examples), self.labels.types(examples)
        options = []
        for (_, direction), counts in sorted(groups.items()):
            ends = _examples(counts)
            numbers = [end for end in ends if isinstance(end, int)]
            kinds = [t for n in numbers for t in types.get(n, ())[:1]]
            kinds += [kind for count in counts for kind in count.kinds]
            written = self._written(counts)
            shown = [labels.get(e, "") if isinstance(e, int) else written.get(e, e) for e in ends]
            options.append(
                RelationOption(
                    self.labels.relations[counts[0].relation],
                    direction,
                    sum(count.n for count in counts),
                    tuple(i for count in counts for i in asked[count.node]),
                    targets=tuple(dict.fromkeys(text for text in shown if text))[:_EXAMPLES],
                    target_types=tuple(dict.fromkeys(kinds))[:_EXAMPLES],
                )
            )
        return RelationOptions(tuple(options))

    def edges(
        self,
        entities: Sequence[EntityId],
        relation: RelationId,
        direction: Direction = "out",
        *,
        limit: int = 50,
    ) -> EdgeSet:
        """Fetch edges: ends with many edges first, then by id; literals after entities."""
        known = self._known(entities)
        number = self._relation(relation)
        if number is None or limit < 0:
            return EdgeSet()
        found: list[tuple[Node, EntityId | Literal]] = []
        more: list[tuple[EntityId, int]] = []
        for asked, node in known.items():
            total = self.labels.count(node.number, number, direction)
            ends = (
                self._edges.ends(node, number, direction, total=total, limit=limit) if total else []
            )
            found += [(node, end) for end in ends]
            if total > len(ends):
                more.append((asked, total - len(ends)))
        new = {end for _, end in found if not isinstance(end, Literal)}
        nodes = {**{n.id: n for n in known.values()}, **self.labels.nodes(new)}
        described = self.labels.entities(nodes.values())
        kind = self.labels.relations[number]
        origins = {node.id: self._provenance(node, kind, direction) for node, _ in found}
        made = [
            edge_triple(
                described[node.id],
                kind,
                end if isinstance(end, Literal) else described[end],
                direction,
                origins[node.id],
            )
            for node, end in found
        ]
        links = self.labels.same_as(node.number for node in nodes.values())
        return EdgeSet(tuple(dict.fromkeys(made)), tuple(links), tuple(more))

    def _written(self, counts: list[Count]) -> dict[str, str]:
        """Map texts of literals, as the store returns them, to how they were written."""
        return {
            stored.value: written.value
            for count in counts
            if count.kinds
            for stored, written in self.labels.exact_literals(count.node, count.relation).items()
        }

    # --- ids

    def _known(self, entities: Sequence[EntityId]) -> dict[EntityId, Node]:
        """Find the asked things, by the id they were asked by, each thing once."""
        ids = {asked: self._id(asked) for asked in entities}
        nodes = self.labels.nodes(ids.values())
        first: dict[EntityId, EntityId] = {}
        for asked, identifier in ids.items():
            first.setdefault(identifier, asked)
        return {asked: nodes[i] for i, asked in first.items() if i in nodes}

    def _asked(self, entities: Sequence[EntityId]) -> dict[int, list[EntityId]]:
        """Map the number of each asked thing to the ids it was asked by."""
        ids = {asked: self._id(asked) for asked in entities}
        nodes = self.labels.nodes(ids.values())
        found: dict[int, list[EntityId]] = {}
        for asked, identifier in ids.items():
            if identifier in nodes:
                found.setdefault(nodes[identifier].number, []).append(asked)
        return found

    def _id(self, identifier: str) -> EntityId:
        return self.prefixes.shorten(self.prefixes.expand(identifier))

    def _relation(self, relation: RelationId) -> int | None:
        return self.labels.relation_numbers.get(RelationId(self._id(relation)))

    def quads(self) -> Iterator[Quad]:
        """Go through all triples, as the store returns them."""
        return iter(self._store)

    def _provenance(self, node: Node, relation: Relation, direction: Direction) -> Provenance:
        thing, along = self.prefixes.expand(node.id), self.prefixes.expand(relation.id)
        query = query_for_people(thing, along, direction)
        return Provenance(self.id, query, self.manifest.created)


def _examples(counts: list[Count]) -> list[int | str]:
    """A few other ends, of each asked thing in turn."""
    longest = max(len(count.examples) for count in counts)
    mixed = [c.examples[i] for i in range(longest) for c in counts if i < len(c.examples)]
    return list(dict.fromkeys(mixed))[:_EXAMPLES]
