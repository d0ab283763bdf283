"""The approval gate in a terminal: a batch of fetched triples is shown, and a person says what becomes of it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from kgcore.cli.output import complain, note
from kgcore.errors import InputError
from kgcore.model import Triple
from kgcore.runs import Gate, Run

_HELP = "Enter approves all, numbers (2 or 1,3-5) reject those, s stops the run"


def gate_of(arguments: Namespace) -> Gate | None:
    """Return the gate that the arguments ask for; InputError where nobody could be asked."""
    kgs, relations = tuple(arguments.gate_kgs), tuple(arguments.gate_relations)
    holds = bool(arguments.gate or kgs or relations or arguments.gate_conflicts)
    if not (holds or arguments.ask_links):
        return None
    if not _is_terminal():
        raise InputError(
            "with --gate and --ask-links a run waits for a person, and there is no terminal to ask in; "
            "leave them out, or decide on the Ask page"
        )
    return Gate(kgs, relations, arguments.gate_conflicts, triples=holds, links=arguments.ask_links)


def settle(run: Run) -> None:
    """Ask about the triples that wait, and tell the run; without a terminal it is stopped."""
    batch = run.waiting
    if not batch:
        return
    if not _is_terminal():
        complain(
            "triples wait for approval, and there is no terminal to ask in; the run is stopped. Go on with: "
            f"python -m kgcore runs resume {run.id}, in a terminal or on the Ask page"
        )
        run.stop()
        run.join()
        return
    note(f"{len(batch)} triple{'' if len(batch) == 1 else 's'} for you to approve:")
    for number, triple in enumerate(batch, 1):
        note(f"  {number:>3}  {triple.text}   [{triple.kg}]")
    rejected = _ask(batch)
    if rejected is None:
        run.stop()
        run.join()
    else:
        run.decide(batch, rejected=rejected)


def _ask(batch: Sequence[Triple]) -> list[Triple] | None:
    """Return what a person rejects; None to stop."""
    while True:
        note(_HELP)
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if not line or answer in ("s", "stop", "q", "quit"):
            return None
        try:
            return [batch[number - 1] for number in read_numbers(answer, len(batch))]
        except InputError as error:
            complain(str(error))


def read_numbers(text: str, most: int) -> list[int]:
    """Read `2`, `1,3-5` or nothing as numbers from 1 to `most`; InputError for what is none."""
    found: list[int] = []
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        if not (first.isdecimal() and (last.isdecimal() or not dash)):
            raise InputError(f"{word!r} is no number of a triple")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= most:
            raise InputError(f"{word} is not between 1 and {most}")
        found += range(low, high + 1)
    return list(dict.fromkeys(found))


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
