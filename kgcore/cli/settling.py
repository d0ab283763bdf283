"""Linking that asks, in a terminal: what a name stands for is shown, and a person chooses."""

from __future__ import annotations

import sys

from kgcore.cli.output import complain, note
from kgcore.cli.terminal import is_stop
from kgcore.errors import InputError
from kgcore.runs import Run
from kgcore.runs.link_choice import LinkQuestion
from kgcore.steps import Candidate

_HELP = "a number chooses, 0 is none of these, Enter leaves it to the model, s stops the run"


def settle_link(run: Run) -> None:
    """Ask what the names that wait stand for, and tell the run."""
    asked = run.waiting_link
    if asked is None:
        return
    picks: list[int | None] = []
    for mention, candidates in zip(asked.mentions, asked.candidates, strict=True):
        note(f"“{mention}” may stand for:")
        for number, candidate in enumerate(candidates, 1):
            note(f"  {number:>3}  {_line(candidate)}")
        said = _ask(len(candidates))
        if said == "stop":
            run.stop()
            run.join()
            return
        if said == "leave":
            run.settle(asked, None)
            return
        picks.append(int(said) - 1 if int(said) else None)
    _tell(run, asked, picks)


def _tell(run: Run, asked: LinkQuestion, picks: list[int | None]) -> None:
    try:
        run.settle(asked, picks)
    except InputError as error:  # decided on the page meanwhile
        complain(str(error))


def _line(candidate: Candidate) -> str:
    entity = candidate.entity
    about = f" – {entity.description}" if entity.description else ""
    return f"{entity.name}{about}   [{entity.kg} {entity.id}, {candidate.score:.2f}]"


def _ask(most: int) -> str:
    """Return a number from 0 to `most`, "leave" or "stop"."""
    while True:
        note(_HELP)
        line = sys.stdin.readline()
        answer = line.strip().lower()
        if is_stop(line):
            return "stop"
        if not answer:
            return "leave"
        if answer.isdecimal() and int(answer) <= most:
            return answer
        complain(f"{answer!r} is not a number from 0 to {most}")
