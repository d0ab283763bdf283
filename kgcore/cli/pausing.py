"""A run that pauses in a terminal: where it stands, and what the person does about it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from kgcore.cli.output import complain, note, triple_text
from kgcore.cli.terminal import is_terminal
from kgcore.errors import InputError
from kgcore.runs import Breakpoint, NodeView, Run, RunView
from kgcore.runs.pauses import why
from kgcore.views.details import Call, calls_of
from kgcore.views.report import triple_dict
from kgcore.views.tables import node_line, tree_text

HELP = (
    "Enter continues, s does one step, o goes on to the next expansion, i shows this node (i 4: node 4), "
    "p its prompts, t the search tree, r runs on without pausing, x stops"
)
_WORDS = re.compile(r"(?P<what>[a-z]+)?\s*#?(?P<node>\d{1,6})?")
_ALIASES = {
    "": "c", "continue": "c", "step": "s", "over": "o", "inspect": "i", "prompt": "p", "tree": "t",
    "run": "r", "stop": "x", "q": "x", "quit": "x", "help": "h",
}  # fmt: skip
_SHOWN, _LINES = 20, 400  # triples of a node; lines of a prompt or a tree


def need_terminal_for(points: Sequence[Breakpoint]) -> None:
    """Refuse breakpoints where nobody could go on from one."""
    if points and not is_terminal():
        raise InputError(
            "with --break a run waits for a person, and there is no terminal to ask in; leave it out, or set the "
            "breakpoint on the Ask page"
        )


def attend(run: Run) -> None:
    """Where the run has paused, say where it stands and do what the person says."""
    if not (run.control.is_holding and run.control.mode == "pause"):
        return
    view = RunView.of(run.journal.entries)
    at = _node_at(run, view)
    for line in _standing(run, view, at):
        note(line)
    while True:
        note(HELP)
        line = sys.stdin.readline()
        if not line:  # nobody is there any more
            _stop(run)
            return
        said = _WORDS.fullmatch(line.strip().lower())
        what = _ALIASES.get(said["what"] or "", said["what"] or "") if said else "?"
        if _go(run, what):
            return
        if what in ("i", "p"):
            _show(view, int(said["node"]) if said and said["node"] else at, is_prompt=what == "p")
        elif what == "t":
            _tell(tree_text(view).splitlines())
        elif what != "h":
            complain(f"{line.strip()[:40]!r} is none of these")


def _go(run: Run, what: str) -> bool:
    """Let the run go on, or stop it; False for a word that does neither."""
    if what == "r":
        run.pauses.mute()
    deeds = {"c": run.go_on, "r": run.go_on, "s": run.step, "o": run.step_over}
    if what in deeds:
        deeds[what]()
        return True
    if what == "x":
        _stop(run)
    return what == "x"


def _stop(run: Run) -> None:
    run.stop()
    run.join()
    note(f"stopped; go on with: python -m kgcore runs resume {run.id}")


def _node_at(run: Run, view: RunView) -> int | None:
    """Return the node it paused at, else the one that is being expanded."""
    hit = run.control.hit
    return hit.node if hit is not None and hit.node in view.nodes else view.current


def _standing(run: Run, view: RunView, at: int | None) -> Iterator[str]:
    yield f"paused: {why(run.control) or run.control.reason or 'before the next step'}"
    usage, n = view.usage, len(view.expansions)
    parts = [f"entry {view.n_entries}", f"{n} expansion{'' if n == 1 else 's'}"]
    parts += [f"{usage.llm_requests} model requests", f"{usage.tokens:,} tokens"]
    parts += [f"${usage.cost_usd:.4f}"] if usage.cost_usd else []
    yield f"  {', '.join(parts)}, {run.meter.seconds:.1f} s"
    if at is not None:
        yield f"  {node_line(view.nodes[at])}"
    if view.answer is not None and view.answer.is_answer:
        yield f"  best answer so far: {view.answer.text}"


# looking closer


def _show(view: RunView, number: int | None, *, is_prompt: bool) -> None:
    node = view.nodes.get(number) if number is not None else None
    if node is None:
        complain("no node is there yet" if number is None else f"there is no node {number}")
        return
    calls = calls_of(view, node)
    _tell([node_line(node), *(_prompts(calls) if is_prompt else _facts(node, calls))])


def _facts(node: NodeView, calls: Sequence[Call]) -> Iterator[str]:
    if node.reason:
        yield f"  why this value: {node.reason}"
    for triple in node.added[:_SHOWN]:
        yield f"  + {triple_text(triple_dict(triple))}"
    if len(node.added) > _SHOWN:
        yield f"  + {len(node.added) - _SHOWN} more"
    for call in calls:
        yield f"  {call.text}"
        for reply in call.replies:
            how = (
                f"cannot be read: {reply.problem}" if reply.problem else f"read as {reply.read_as}"
            )
            yield f"    “{' '.join(reply.text.split())}” – {how}"


def _prompts(calls: Sequence[Call]) -> Iterator[str]:
    asked = [call for call in calls if call.prompt]
    for call in asked:
        n, is_estimated = call.prompt_tokens
        yield f"  {call.text}, {'≈ ' if is_estimated else ''}{n:,} tokens"
        yield from (f"    {line}" for line in call.prompt.splitlines())
    if not asked:
        yield "  no prompt was sent for it yet"


def _tell(lines: Sequence[str]) -> None:
    for line in lines[:_LINES]:
        note(line)
    if len(lines) > _LINES:
        note(f"… {len(lines) - _LINES} more lines")
