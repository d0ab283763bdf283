"""`ask`: one question, one run."""

from __future__ import annotations

from argparse import Namespace

from kgcore.bootstrap import Task, build
from kgcore.cli.approving import check_gate, gate_of
from kgcore.cli.driving import budget_of, drive


def ask(arguments: Namespace) -> int:
    """Ask a question and print the answer with its proof."""
    gate = gate_of(arguments)
    studio = build()
    kgs = tuple(arguments.kgs)
    if gate is not None:
        check_gate(gate, studio.graph(kgs))
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
    )
    return drive(studio, studio.ask(task), arguments)
