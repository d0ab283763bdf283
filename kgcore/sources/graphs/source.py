"""A knowledge graph as a source: asked in SPARQL with the ids the graph gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph
from kgcore.kg import vocabulary as v
from kgcore.kg.files.importer import STORE
from kgcore.kg.local.graph import LocalGraph
from kgcore.kg.local.graph_folder import GraphFolders
from kgcore.kg.sparql import SparqlGraph
from kgcore.model import SourceCard
from kgcore.sources.graphs.asking import Asking, AskingLocal, AskingRemote, Pattern, Row
from kgcore.sources.graphs.proof import Proof
from kgcore.sources.graphs.query import prepare
from kgcore.sources.graphs.rows import of_ask, to_evidence
from kgcore.sources.graphs.schema import schema_of
from kgcore.sources.spec import SourceHealth, SourceSpec
from kgcore.steps import BadQuery, Passages

_MOST_DETAILS = 200


def open_graph_source(
    spec: SourceSpec,
    graph: KnowledgeGraph,
    home: Path,
    *,
    most: int = 50,
    time_limit_s: float = 15.0,
    memory_mb: int = 1_000,
) -> GraphSource:
    """Open a graph as a source; InputError for one that cannot be asked in SPARQL."""
    asking: Asking
    if isinstance(graph, LocalGraph):
        store = GraphFolders(home).data(graph.manifest) / STORE
        asking = AskingLocal(store, time_limit_s=time_limit_s, memory_mb=memory_mb)
        prefixes = graph.prefixes
    elif isinstance(graph, SparqlGraph):
        asking, prefixes = AskingRemote(graph, time_limit_s=time_limit_s), graph.prefixes
    else:
        raise InputError(f"the graph {graph.id!r} cannot be asked in SPARQL")
    return GraphSource(spec, graph, asking, prefixes, home, most=most)


class GraphSource:
    """One graph, asked in SPARQL; open one with `open_graph_source`. Safe to share between threads."""

    def __init__(
        self,
        spec: SourceSpec,
        graph: KnowledgeGraph,
        asking: Asking,
        prefixes: v.Prefixes,
        home: Path,
        *,
        most: int,
    ) -> None:
        self.spec, self.graph = spec, graph
        self._asking, self._prefixes, self._home, self._most = asking, prefixes, home, most
        self._card: list[SourceCard] = []  # made when it is asked for

    @property
    def id(self) -> str:
        """The name the person gave it."""
        return self.spec.name

    @property
    def version(self) -> str:
        """The version of the graph."""
        return self.graph.version

    def card(self) -> SourceCard:
        """Return what a reasoner has to know; the schema lists the most frequent relations."""
        if not self._card:
            card = SourceCard(
                self.id,
                "sparql",
                domains=self.spec.domains,
                description=self.spec.description or f"the knowledge graph {self.graph.id}",
                schema=schema_of(self.graph, self._asking, self.id, self._home),
                version=self.version,
                kg=self.graph.id,
            )
            self._card.append(card)
        return self._card[0]

    def run(self, query: str) -> Passages | BadQuery:
        """Run one SELECT or ASK; rows come as sentences, with the edges behind them."""
        try:
            prepared = prepare(query, self._prefixes, most=self._most, most_details=_MOST_DETAILS)
            answer = self._asking.select(prepared.text, self._most + 1)
            rows = answer.rows[: self._most]
            missing = _variables(answer.patterns) - set(answer.variables)
            details: list[Row] = []
            if rows and missing:
                query = prepared.detail(missing)
                details = list(self._asking.select(query, _MOST_DETAILS).rows)
        except InputError as error:
            return BadQuery(str(error))
        proof = Proof(self.graph, self._prefixes, answer.patterns, prepared.text)
        proof.look([*rows, *details], rows)
        if prepared.is_ask:
            return Passages((of_ask(rows, proof, self.graph.id),), prepared.text)
        items = to_evidence(rows, details, proof, self.graph.id, is_counted=prepared.is_counted)
        has_more = len(answer.rows) > self._most
        notes = answer.notes if answer.is_cut and not has_more else ()
        if has_more:
            notes = (f"{self.id} shows the first {self._most:,} rows; there are more",)
        is_partial = answer.is_cut and not has_more
        return Passages(items, prepared.text, int(has_more), is_partial, notes)

    def health(self) -> SourceHealth:
        """Look whether a query runs."""
        found = self.run("SELECT ?s WHERE { ?s ?p ?o } LIMIT 1")
        if isinstance(found, BadQuery):
            return SourceHealth(False, problem=found.message)
        if isinstance(self.graph, LocalGraph):
            return SourceHealth(True, n_items=self.graph.manifest.n_triples, unit="triples")
        return SourceHealth(True, unit="triples")

    def close(self) -> None:
        """End the processes that wait for queries."""
        self._asking.close()


def _variables(patterns: Sequence[Pattern]) -> set[str]:
    """Names of the variables in patterns."""
    return {term["value"] for p in patterns for term in p if term["type"] == "variable"}
