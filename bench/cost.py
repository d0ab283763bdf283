"""What a question costs: seconds, rounds, requests and prompt text, at k = 1 and k = 3.

    python bench/cost.py [--data FOLDER] [--questions 20] [--model-ms 300] [--graph-ms 150]

Runs questions of 2WikiMultihopQA over its graph with the offline matcher behind a fixed delay for each
request, once with the economy settings (the default) and once with all of them off, which is the procedure of the
paper. A round is what happens at the same time; the critical path is the sum over rounds of the slowest call.
The published code's figures, measured with the same delays and a scripted model, stand beside them; its model
gives other replies, so compare what an expansion costs, not the totals to the last digit.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.delays import SlowGraph, SlowModel
from kgcore.bootstrap import Studio
from kgcore.ranking.stems import StemRanker
from kgcore.reasoners import reasoner
from kgcore.runs import Launch, Ports, Run, StepDone, lineage
from kgcore.steps import GRAPH_STEPS, NodeExpanded, Replies

GRAPH_KINDS = {kind.__name__ for kind in GRAPH_STEPS}
PAPER = {
    "rate_together": False,
    "skip_single": False,
    "link_together": False,
    "spot_mentions": False,
}
PUBLISHED = """published code, sequential samples, k = 3   28.4 s   82.6 model   16.4 graph (18 % repeats)
published code, n in one request,   k = 3   13.8 s   35.8 model   16.4 graph
published code,                     k = 1    6.5 s   15.0 model   10.8 graph"""


@dataclass
class Row:
    """What one question cost."""

    seconds: float
    critical: float
    rounds: int
    expansions: int
    model: int
    graph: int
    repeats: int
    chars: int


def measure(run: Run, graph: SlowGraph) -> Row:
    """Drive the run and read its costs off the journal."""
    before = graph.n
    run.drive()
    live = [
        (e.position, e.body)
        for e in run.journal.entries
        if isinstance(e.body, StepDone) and e.body.via == "live"
    ]
    slowest: dict[int, float] = {}
    for position, done in live:
        slowest[position] = max(slowest.get(position, 0.0), done.seconds)
    keys = [d.key for _, d in live if d.step["kind"] in GRAPH_KINDS]
    ended = run.journal.ended
    assert ended is not None
    return Row(
        ended.seconds,
        sum(slowest.values()),
        len(slowest),
        sum(isinstance(f, NodeExpanded) for f in run.journal.facts.values()),
        run.journal.usage.llm_requests,
        graph.n - before,
        len(keys) - len(set(keys)),
        sum(len(d.result.prompt) for _, d in live if isinstance(d.result, Replies)),
    )


def show(name: str, rows: list[Row]) -> None:
    """Print the means of a setting."""

    def mean(field: str) -> float:
        return statistics.fmean(getattr(row, field) for row in rows)

    print(
        f"{name:<34}{mean('seconds'):7.1f} s (max {max(r.seconds for r in rows):.1f})"
        f"{mean('rounds'):7.1f} rounds{mean('expansions'):6.1f} exp.{mean('model'):7.1f} model"
        f"{mean('graph'):7.1f} graph{mean('repeats'):5.1f} rep.{mean('chars'):9.0f} chars"
        f"   wall / critical path {mean('seconds') / max(mean('critical'), 1e-9):.3f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--data", type=Path, default=root.parent / "shared" / "data")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--model-ms", type=float, default=300)
    parser.add_argument("--graph-ms", type=float, default=150)
    args = parser.parse_args()
    lines = (args.data / "2wiki" / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines[: args.questions]]
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Path(folder), environ={})
        studio.import_graph([args.data / "2wiki" / "kg.nt.gz"], "2wiki")
        graph = SlowGraph(studio.graph(["2wiki"]), args.graph_ms / 1000)
        model = SlowModel(studio.model("offline"), args.model_ms / 1000)
        ports = Ports(graph, {"reason": model}, StemRanker())  # type: ignore[arg-type]
        method = reasoner("tree-of-traversals")
        settings: list[tuple[str, dict[str, Any]]] = [
            ("economy, k = 3", {"k": 3}),
            ("economy, k = 1", {"k": 1}),
            ("as in the paper, k = 3", {"k": 3, **PAPER}),
            ("as in the paper, k = 1", {"k": 1, **PAPER}),
        ]
        print(
            f"{len(questions)} questions, {args.model_ms:g} ms a model request, {args.graph_ms:g} ms a graph request"
        )
        for name, values in settings:
            config = method.config_class(**values)
            launch = Launch(method, ports, studio.store)
            show(name, [measure(lineage.ask(launch, q, config), graph) for q in questions])
    print(PUBLISHED)


if __name__ == "__main__":
    main()
