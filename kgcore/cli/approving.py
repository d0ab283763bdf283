"""The approval gate in a terminal: a batch of fetched triples is shown, and a person says what becomes of it."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field

from kgcore.cli.output import complain, note
from kgcore.cli.settling import settle_link
from kgcore.cli.terminal import is_stop, is_terminal
from kgcore.corrections.proposing import new_end
from kgcore.errors import InputError, KGCoreError
from kgcore.kg import KnowledgeGraph, ListsRelations
from kgcore.model import Entity, Literal, Triple
from kgcore.runs import Gate, Run

_HELP = (
    "Enter approves all, numbers (2 or 1,3-5) reject those, r2 rejects all with the relation of 2, "
    "e2 TEXT puts another end in 2, s stops the run"
)
_EDIT = re.compile(r"[eE]\s*(?P<number>\d+)\s+(?P<text>.*\S)")
_TICK = 0.05


def gate_of(arguments: Namespace) -> Gate | None:
    """Return the gate that the arguments ask for; InputError where nobody could be asked."""
    kgs, relations = tuple(arguments.gate_kgs), tuple(arguments.gate_relations)
    holds = bool(arguments.gate or kgs or relations or arguments.gate_conflicts)
    if not (holds or arguments.ask_links):
        return None
    if not is_terminal():
        raise InputError(
            "with --gate and --ask-links a run waits for a person, and there is no terminal to ask in; "
            "leave them out, or decide on the Ask page"
        )
    return Gate(kgs, relations, arguments.gate_conflicts, triples=holds, links=arguments.ask_links)


def check_gate(gate: Gate, graph: KnowledgeGraph) -> None:
    """Refuse a gate for graphs that are not asked; a relation that no graph has is told."""
    members: Sequence[KnowledgeGraph] = getattr(graph, "graphs", (graph,))
    asked = [member.id for member in members]
    for name in gate.kgs:
        if name not in asked:
            raise InputError(f"--gate-kg {name}: this question is asked of {', '.join(asked)}")
    listing = [member for member in members if isinstance(member, ListsRelations)]
    if len(listing) < len(members):
        return
    listed = [relation for member in listing for relation in member.all_relations()]
    known = {name for relation in listed for name in (relation.id, relation.label)}
    for name in gate.relations:
        if name not in known:
            complain(f"no graph has a relation {name!r}; no triple will wait because of it")


def need_terminal(gate: Gate | None) -> None:
    """Refuse to go on with a run that waits for a person where nobody could be asked."""
    if gate is not None and not is_terminal():
        raise InputError(
            "this run waits for a person to approve triples, and there is no terminal to ask in; go on in a "
            "terminal or on the Ask page"
        )


def drive_settling(run: Run) -> None:
    """Drive a run to its end; triples that wait on the way are asked about."""
    run.start()
    while not run.join(_TICK):
        settle(run)
        settle_link(run)


def settle(run: Run) -> None:
    """Ask about the triples that wait, and tell the run; without a terminal it is stopped."""
    batch = run.waiting
    if not batch:
        return
    if not is_terminal():
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
    said = _ask(batch, run.ports.graph)
    if said is None:
        run.stop()
        run.join()
        return
    try:
        run.decide(batch, rejected=said.rejected, replaced=said.replaced)
    except InputError as error:  # decided on the page meanwhile
        complain(str(error))


@dataclass(slots=True)
class Said:
    """What a person says of a batch: triples to reject, and other ends for some."""

    rejected: list[Triple] = field(default_factory=list)
    replaced: dict[Triple, Entity | Literal] = field(default_factory=dict)


def _ask(batch: Sequence[Triple], graph: KnowledgeGraph) -> Said | None:
    """Return what a person decides; None to stop."""
    said = Said()
    while True:
        note(_HELP)
        line = sys.stdin.readline()
        answer = line.strip()
        if is_stop(line):
            return None
        try:
            edit = _EDIT.fullmatch(answer)
            if edit is None:
                said.rejected += read_rejected(answer, batch)
                return said
            triple = batch[read_numbers(edit["number"], len(batch))[0] - 1]
            said.replaced[triple] = new_end(edit["text"], graph, [triple.object])
            note(f"  {edit['number']:>3}  {triple.text} → {said.replaced[triple].name}")
        except KGCoreError as error:
            complain(str(error))


def read_rejected(text: str, batch: Sequence[Triple]) -> list[Triple]:
    """Read which triples are rejected: `2`, `1,3-5`, or `r2` for all with the relation of the second."""
    rejected: list[Triple] = []
    for word in text.replace(",", " ").split():
        is_relation = word[:1] in "rR" and word[1:].isdecimal()
        for number in read_numbers(word[1:] if is_relation else word, len(batch)):
            one = batch[number - 1]
            relation = one.relation.id
            rejected += [t for t in batch if t.relation.id == relation] if is_relation else [one]
    return list(dict.fromkeys(rejected))


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
