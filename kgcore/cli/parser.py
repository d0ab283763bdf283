"""The commands and their arguments. Importing and running this stays quick: commands are named, not imported."""

from __future__ import annotations

import argparse
from typing import Any

from kgcore.cli.argument_kinds import text, words
from kgcore.cli.arguments import Parser, add_budget, add_command, add_graph_names, add_settings
from kgcore.cli.correction_arguments import add_corrections
from kgcore.cli.graph_arguments import add_graphs
from kgcore.cli.run_arguments import add_runs
from kgcore.cli.source_arguments import add_sources

BREAK_HELP = (
    "pause there, in a terminal; repeatable: answer, error, backtrack, 'value<0.3', 'value>0.8', depth=2, "
    "action=NAME, step=NAME, entity=E, relation=R, graph=G (by id or label), budget=80%%, budget-calls=80%%"
)
METHODS = (
    "tree-of-traversals (default), chain-of-traversals, think-on-graph, think-on-graph-r, chain-of-knowledge; to compare "
    "with: io, chain-of-thought, chain-of-thought-sc, react, react-cot, flare, verify-and-edit"
)
_EPILOG = """\
commands:
  ask QUESTION [--break WHERE]            ask a question; pause where something is met
  kg list | import FILE... --name N       the graphs; read RDF, tables, GraphML, … as one
  kg add N --sparql URL | --musicbrainz   a remote graph; kg check | refresh | index N
  kg search TEXT | relations ID | edges ID [RELATION]
  kg columns FILE | export N --as F       what a table's columns mean; a graph as a file
  kg remove N
  runs list | show RUN                    what was asked; one run with its log
  runs replay RUN                         check that the journal gives the same answer, without any call
  runs resume RUN                         go on after an interruption, a stop or a spent budget
  runs fork RUN --at P[.I] | --node N     go on from a past step with another reply, choice, value, without a relation, …
  runs rerun RUN                          start over, asking only what has changed
  runs challenge RUN | check RUN          which edges of a proof are suspect; what of an answer still holds
  runs export RUN [--as F] | import FILE  one run as one JSON file, as a page that plays it, as a report, as triples
  corrections list | propose | approve | reject | undo | affected ID | export | import FILE
  sources list | add NAME --table FILE... | --text DIR... | --graph KG | --wiki URL
  sources query NAME QUERY | remove NAME | domains
  model check [NAME]                      is a model within reach?

COMMAND --help tells more; each takes --json. Data lies in KGCORE_HOME."""


def build_parser() -> Parser:
    """Return the parser of the whole command line; a command's function is `arguments.run`."""
    from kgcore import __version__

    parser = Parser(
        prog="python -m kgcore",
        description="Answer questions over knowledge graphs, and show the triples that prove it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    groups = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_ask(groups)
    add_graphs(_group(groups, "kg", "the graphs of the data folder"))
    add_runs(_group(groups, "runs", "the runs of the data folder"))
    add_corrections(_group(groups, "corrections", "corrections of triples, laid over the graphs"))
    add_sources(_group(groups, "sources", "knowledge sources: tables, texts, graphs, wikis"))
    models = _group(groups, "model", "language models")
    check = add_command(
        models, "check", "models:check", "send one tiny request and say what is wrong"
    )
    check.add_argument("name", nargs="?", default="", type=text, metavar="NAME")
    check.add_argument("--api-base", default="", type=text, metavar="URL")
    return parser


def _group(groups: Any, name: str, about: str) -> Any:
    parser = groups.add_parser(name, help=about, description=about)
    return parser.add_subparsers(metavar="COMMAND", required=True)


def _add_ask(groups: Any) -> None:
    ask = add_command(groups, "ask", "asking:ask", "ask a question")
    ask.add_argument("question", metavar="QUESTION", type=text)
    add_graph_names(ask)
    ask.add_argument("--method", default="tree-of-traversals", type=text, help=METHODS)
    ask.add_argument(
        "--model", default="", type=text, help="as litellm names it, or offline (default: settings)"
    )
    ask.add_argument("--api-base", default="", type=text, metavar="URL", help="of a model server")
    ask.add_argument("--estimate", action="store_true", help="say what it may cost, ask nothing")
    ask.add_argument(
        "--source",
        action="append",
        default=[],
        dest="sources",
        type=text,
        metavar="NAME",
        help="a knowledge source, for methods that ask them; repeatable (default: those you "
        "added, else the demo's)",
    )
    add_settings(ask)
    add_budget(ask)
    ask.add_argument(
        "--break",
        action="append",
        default=[],
        dest="points",
        type=_breakpoint,
        metavar="WHERE",
        help=BREAK_HELP,
    )
    _add_gate(ask)


def _breakpoint(value: str) -> Any:
    """Read a breakpoint; what knows how is imported when there is one."""
    from kgcore.cli.break_arguments import breakpoint_of

    return breakpoint_of(value)


def _add_gate(ask: Parser) -> None:
    ask.add_argument(
        "--gate", action="store_true", help="you approve fetched triples, batch by batch"
    )
    for name, metavar, about in (
        ("kg", "NAME", "only those from this graph; repeatable"),
        ("relation", "R", "only those of this relation, by id or exact label; repeatable"),
    ):
        ask.add_argument(
            f"--gate-{name}",
            action="append",
            default=[],
            dest=f"gate_{name}s",
            type=words,
            metavar=metavar,
            help=about,
        )
    ask.add_argument(
        "--gate-conflicts", action="store_true", help="only those another graph disagrees with"
    )
    ask.add_argument(
        "--ask-links",
        action="store_true",
        help="you say what a name stands for where two things are close",
    )
