"""The engine's own time: a step with its durable append, and a whole search with a model that answers at once.

    python bench/engine.py [--data FOLDER]

Over the graph of CoDEx (394k triples). The search makes 20 expansions at k = 3 with a scripted model whose
choices never end it; prints seconds, milliseconds a step, and what the run takes in the store.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kgcore.bootstrap import Studio
from kgcore.model import Entity
from kgcore.prompts import ChooseAction, ChooseEntities, ChooseRelation, RateSiblings, TypedRequest
from kgcore.ranking.stems import StemRanker
from kgcore.reasoners import reasoner
from kgcore.runs import Entry, Launch, Ports, StepDone, lineage
from kgcore.steps import NodeExpanded
from kgcore.testing import ScriptedModel


def wanders(request: TypedRequest) -> list[str]:
    """Reply so that the search goes on: expand, other entities, other relations, middling values."""
    if isinstance(request, ChooseAction):
        if request.allowed == ("answer",):
            return ["Thought: no.\nAction: answer\nAnswer: cannot tell\nEntities: none"] * 3
        think = f"Thought: step {len(request.trajectory)}\nAction: think"
        return ["Thought: more\nAction: expand", think, "Thought: more\nAction: expand"]
    if isinstance(request, ChooseEntities):
        handles = [request.subgraph.handle(e.id) for e in request.subgraph.entities]
        return [f"Entities: {handles[i % len(handles)]}" for i in (0, -1, -2, 1, 2, 3)]
    if isinstance(request, ChooseRelation):
        n = len(request.options)
        return [f"Relation: R{1 + i % n}" for i in range(6)]
    if isinstance(request, RateSiblings):
        return ["\n".join(f"{i + 1}: 0.{7 - i}" for i in range(len(request.items)))]
    return ["Value: 0.7"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--data", type=Path, default=root.parent / "shared" / "data")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        studio = Studio(home, environ={})
        studio.import_graph([args.data / "codex" / "kg.nt.gz"], "codex")
        graph = studio.graph(["codex"])
        seeds = [c.entity for c in graph.link("Michael Caine", limit=1).items]
        if not seeds:
            raise SystemExit("the graph does not hold the entity to start from")
        model = ScriptedModel(wanders, prompts=studio.prompts())
        method = reasoner("tree-of-traversals")
        rows = [one(studio, graph, model, method, tuple(seeds)) for _ in range(args.runs)]
    print("20 expansions, k = 3, a model that answers at once, graph of 394k triples")
    for name, unit in (("seconds", "s"), ("step_ms", "ms a step"), ("kilobytes", "kB stored")):
        values = [row[name] for row in rows]
        print(f"{name:<12}median {statistics.median(values):9.2f} {unit}   max {max(values):.2f}")
    print(
        f"steps {rows[0]['steps']:g}, expansions {rows[0]['expansions']:g}, triples {rows[0]['triples']:g}"
    )


def one(
    studio: Studio, graph: Any, model: Any, method: Any, seeds: tuple[Entity, ...]
) -> dict[str, float]:
    """Drive one search and return its figures."""
    config = method.config_class(seeds=seeds, spot_mentions=False, max_depth=99)
    launch = Launch(method, Ports(graph, {"reason": model}, StemRanker()), studio.store)
    run = lineage.ask(launch, "What is this about?", config)
    size = stored(studio.home)
    ends: list[float] = []
    append = studio.store.append

    def timed(run_id: str, entries: Sequence[Entry], *, driver: str) -> None:
        append(run_id, entries, driver=driver)
        if isinstance(entries[-1].body, StepDone):
            ends.append(time.perf_counter())

    studio.store.append = timed  # type: ignore[method-assign]
    start = time.perf_counter()
    run.drive()
    seconds = time.perf_counter() - start
    studio.store.append = append  # type: ignore[method-assign]
    steps = [1000 * (end - begin) for begin, end in zip([start, *ends], ends, strict=False)]
    ended = run.journal.ended
    assert ended is not None and ended.status in ("no_answer", "answered"), ended
    return {
        "seconds": seconds,
        "steps": len(steps),
        "step_ms": statistics.median(steps),
        "kilobytes": (stored(studio.home) - size) / 1024,
        "expansions": sum(isinstance(f, NodeExpanded) for f in run.journal.facts.values()),
        "triples": len(studio.view(run.id).subgraph),
    }


def stored(home: Path) -> int:
    """Return the bytes of the rows and blobs in the run store."""
    import sqlite3

    connection = sqlite3.connect(home / "runs.sqlite")
    try:
        [(rows, blobs)] = connection.execute(
            "select (select coalesce(sum(length(body)), 0) + count(*) * 60 from entries),"
            " (select coalesce(sum(length(data)), 0) from blobs)"
        )
    finally:
        connection.close()
    return int(rows + blobs)


if __name__ == "__main__":
    main()
