"""`ask`: one question, one run."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from kgcore.bootstrap import Studio, Task, build
from kgcore.cli.approving import check_gate, gate_of
from kgcore.cli.break_arguments import unmet
from kgcore.cli.driving import budget_of, drive
from kgcore.cli.output import complain, show
from kgcore.cli.pausing import need_terminal_for
from kgcore.runs import Breakpoint
from kgcore.runs.breakpoints import checked
from kgcore.views.foretold import foretold, foretold_data, seen_before


def ask(arguments: Namespace) -> int:
    """Ask a question and print the answer with its proof."""
    gate = gate_of(arguments)
    points = checked(arguments.points)
    need_terminal_for(() if arguments.estimate else points)
    studio = build()
    kgs = tuple(arguments.kgs)
    if gate is not None:
        check_gate(gate, studio.graph(kgs))
    _check_points(points, studio, arguments)
    task = Task(
        question=arguments.question,
        kgs=kgs,
        method=arguments.method,
        model=arguments.model,
        api_base=arguments.api_base,
        settings=dict(arguments.settings),
        sources=tuple(arguments.sources),
        budget=budget_of(arguments, studio.budget),
        gate=gate,
        breakpoints=points,
    )
    if arguments.estimate:
        return _tell(studio, task, arguments)
    return drive(studio, studio.ask(task), arguments)


def _check_points(points: Sequence[Breakpoint], studio: Studio, arguments: Namespace) -> None:
    """Say which graphs of breakpoints are not asked."""
    graph = studio.graph(tuple(arguments.kgs))
    asked = [member.id for member in getattr(graph, "graphs", (graph,))]
    for name in unmet(points, [*asked, *arguments.sources]):
        complain(f"--break graph={name}: this question is asked of {', '.join(asked)}")


def _tell(studio: Studio, task: Task, arguments: Namespace) -> int:
    """Print what the run may take, and run nothing."""
    found = studio.estimate(task)
    if found is None:
        show(
            arguments, {"estimate": None}, [f"{task.method} does not tell beforehand what it takes"]
        )
        return 0
    lines = [line for line in (foretold(found), seen_before(found)) if line]
    show(arguments, {"estimate": foretold_data(found)}, lines)
    return 0
