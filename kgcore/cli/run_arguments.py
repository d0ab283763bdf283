"""The arguments of `runs`."""

from __future__ import annotations

from typing import Any

from kgcore.cli.argument_kinds import address, count, share, text, whole, words
from kgcore.cli.arguments import (
    FILE_FORMATS,
    Parser,
    add_budget,
    add_command,
    add_export,
    add_graph_names,
    add_settings,
)

PAGES, LANGUAGES = ("html", "report-md", "report-html"), ("en", "zh")


def add_runs(group: Any) -> None:
    """Add the commands to a group."""
    listing = add_command(group, "list", "runs:list_runs", "list the newest runs")
    listing.add_argument("--limit", type=count, default=20, metavar="N")
    _run_command(group, "show", "runs:show_one", "show a run: answer, proof and what happened")
    _run_command(group, "replay", "runs:replay", "run the method on the journal alone, strictly")
    add_budget(_run_command(group, "resume", "runs:resume", "take up a run again"))
    _add_fork(group)
    rerun = _run_command(group, "rerun", "runs:rerun", "start over, asking only what has changed")
    add_settings(rerun)
    add_graph_names(rerun, "a graph; repeatable (default: those of the run)")
    add_budget(rerun)
    challenge = _run_command(
        group, "challenge", "runs:challenge", "which edge of the proof is wrong?"
    )
    challenge.add_argument(
        "--right", default="", type=text, metavar="ANSWER", help="if you know it"
    )
    add_graph_names(challenge, "a further graph to ask; repeatable")
    _run_command(group, "check", "runs:check", "does the answer still rest on what it cites?")
    export = _run_command(
        group,
        "export",
        "runs:export",
        "write a run, a page that plays it, a report, or the triples it saw",
    )
    add_export(export, ("json", *PAGES, *FILE_FORMATS))
    export.add_argument(
        "--lang", choices=LANGUAGES, help="of captions and reports (default: the question's)"
    )
    load = add_command(group, "import", "runs:import_file", "read an exported run")
    load.add_argument("file", metavar="FILE")


def _add_fork(group: Any) -> None:
    fork = _run_command(group, "fork", "forking:fork", "go on from a past step with an edit")
    place = fork.add_mutually_exclusive_group(required=True)
    place.add_argument("--at", type=address, metavar="P[.I]", help="the step")
    place.add_argument("--node", type=whole, metavar="N", help="the node of the search tree")
    fork.add_argument("--by", default="local", type=words, metavar="NAME", help="who does it")
    edit = fork.add_mutually_exclusive_group(required=True)
    edit.add_argument("--reply", nargs="+", type=text, metavar="TEXT", help="instead of the model")
    edit.add_argument("--prompt", metavar="FILE", help="send this text instead of the prompt")
    edit.add_argument("--ban", type=text, metavar="RELATION", help="offer it no more")
    edit.add_argument("--choose", type=words, metavar="OPTION", help="one that was offered")
    edit.add_argument("--think", type=words, metavar="TEXT", help="add a thought")
    edit.add_argument("--value", type=share, metavar="X", help="give the node this value")
    edit.add_argument("--prune", action="store_true", help="leave the node out")


def _run_command(group: Any, name: str, run: str, about: str) -> Parser:
    parser = add_command(group, name, run, about)
    parser.add_argument("id", type=words, metavar="RUN", help="its id or how it starts")
    return parser
