"""Runs a prepared query: on an embedded store in a process of its own, or at an endpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kgcore.errors import BadReplyError, InputError, TimedOutError, TooHeavyError
from kgcore.kg.sparql import SparqlGraph
from kgcore.sources.worker.pool import EngineSpec, Workers
from kgcore.transport import current_allowance

Bound = Mapping[str, str]  # a term, as the JSON of SPARQL results writes it
Row = Mapping[str, Bound]
Pattern = Sequence[Bound]  # subject, relation, object; a variable is of the type "variable"
_LOOK_S, _LOOK_MB = 10.0, 500


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows, the variables they may bind, and the triple patterns of the query."""

    rows: Sequence[Row]
    variables: Sequence[str] = ()
    patterns: Sequence[Pattern] = ()
    notes: tuple[str, ...] = ()
    is_cut: bool = False


class Asking(Protocol):
    """Runs queries of one graph. InputError for a query that the graph does not take or finish."""

    def select(self, query: str, most: int) -> Answer:
        """Return at most so many rows."""

    def close(self) -> None:
        """End what waits for queries."""


class AskingLocal:
    """Runs queries on the store of an embedded graph."""

    def __init__(self, store: Path, *, time_limit_s: float, memory_mb: int) -> None:
        engine = EngineSpec("kgcore.sources.graphs.engine", "GraphEngine", {"store": str(store)})
        self._workers = Workers(engine, time_limit_s=time_limit_s, memory_mb=memory_mb)

    def select(self, query: str, most: int) -> Answer:
        """Run a query in the process."""
        reply = self._workers.ask({"query": query, "most": most})
        return Answer(reply["rows"], reply["variables"], reply["patterns"])

    def close(self) -> None:
        """End the processes."""
        self._workers.close()


class AskingRemote:
    """Runs queries at an endpoint; a process here looks at them first."""

    def __init__(self, graph: SparqlGraph, *, time_limit_s: float) -> None:
        self._graph, self._time_limit_s = graph, time_limit_s
        engine = EngineSpec("kgcore.sources.graphs.engine", "GraphEngine")
        self._workers = Workers(engine, time_limit_s=_LOOK_S, memory_mb=_LOOK_MB)

    def select(self, query: str, most: int) -> Answer:
        """Send a query that is SPARQL; one that the endpoint gives up is the query's fault, not the endpoint's."""
        looked: dict[str, Any] = self._workers.ask({"query": query, "most": 1})
        name = self._graph.id
        try:
            found = self._graph.select(query, most=most, timeout_s=self._time_limit_s)
        except TooHeavyError as error:
            raise InputError(f"{error}; ask for less") from error
        except TimedOutError as error:
            if current_allowance().seconds_left(1.0) <= 0.0:  # the run's time, not the query's
                raise
            raise InputError(f"{name} did not finish the query in time; ask for less") from error
        except BadReplyError as error:
            if "does not understand" in str(error):
                raise InputError(str(error)) from error
            raise
        names, patterns = looked["variables"], looked["patterns"]
        return Answer(found.items, names, patterns, found.notes, found.is_cut)

    def close(self) -> None:
        """End the process."""
        self._workers.close()
