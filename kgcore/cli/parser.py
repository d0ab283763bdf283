"""The commands and their arguments. Importing and running this stays quick: commands are named, not imported."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from kgcore.cli.argument_kinds import (
    NO_LIMIT,
    address,
    assignment,
    count,
    limit,
    names,
    share,
    text,
    whole,
    whole_limit,
    words,
)
from kgcore.cli.source_arguments import add_sources

METHODS = (
    "tree-of-traversals (default), chain-of-traversals, think-on-graph, think-on-graph-r or chain-of-knowledge"
)
STATUSES = ("proposed", "approved", "rejected", "withdrawn")
EXPORTS = ("csv", "quickstatements", "sparql", "turtle")
PAGES, LANGUAGES = ("html", "report-md", "report-html"), ("en", "zh")
FILE_FORMATS = ("turtle", "nquads", "graphml", "csv")
_EPILOG = """\
commands:
  ask QUESTION                            ask a question
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


class Parser(argparse.ArgumentParser):
    """Tells a wrong usage in one line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(*args, **options)

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with code 2."""
        line = " ".join(message.split())
        self.exit(2, f"{self.prog}: {line} (see {self.prog} --help)\n")


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
    _add_graphs(_group(groups, "kg", "the graphs of the data folder"))
    _add_runs(_group(groups, "runs", "the runs of the data folder"))
    _add_corrections(_group(groups, "corrections", "corrections of triples, laid over the graphs"))
    sources = _group(groups, "sources", "knowledge sources: tables, texts, graphs, wikis")
    add_sources(sources, _command)
    models = _group(groups, "model", "language models")
    check = _command(models, "check", "models:check", "send one tiny request and say what is wrong")
    check.add_argument("name", nargs="?", default="", type=text, metavar="NAME")
    check.add_argument("--api-base", default="", type=text, metavar="URL")
    return parser


def _group(groups: Any, name: str, about: str) -> Any:
    parser = groups.add_parser(name, help=about, description=about)
    return parser.add_subparsers(metavar="COMMAND", required=True)


def _command(group: Any, name: str, run: str, about: str) -> Parser:
    parser: Parser = group.add_parser(name, help=about, description=about)
    parser.set_defaults(run=run)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    return parser


def _add_ask(groups: Any) -> None:
    ask = _command(groups, "ask", "asking:ask", "ask a question")
    ask.add_argument("question", metavar="QUESTION", type=text)
    _add_graph_names(ask)
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
        help="a knowledge source, for methods that ask them; repeatable (default: all)",
    )
    _add_settings(ask)
    _add_budget(ask)
    _add_gate(ask)


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


def _add_graph_names(
    parser: Parser, about: str = "a graph; repeatable (default: the demo)"
) -> None:
    parser.add_argument(
        "--kg", action="append", default=[], dest="kgs", type=text, metavar="NAME", help=about
    )


def _add_settings(parser: Parser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        type=assignment,
        metavar="KEY=VALUE",
        help="a setting of the method, prompts=NAME for an own prompt set, or shots=N worked examples (0-6); repeatable",
    )


def _add_budget(parser: Parser) -> None:
    for name, metavar, kind in (
        ("calls", "N", whole_limit),
        ("tokens", "N", whole_limit),
        ("usd", "X", limit),
        ("seconds", "S", limit),
    ):
        parser.add_argument(
            f"--budget-{name}",
            default=argparse.SUPPRESS,
            type=kind,
            metavar=metavar,
            help=f"spend at most so many {name}, or {NO_LIMIT}",
        )


def _add_graphs(group: Any) -> None:
    _add_connections(group)
    _add_imports(group)
    export = _command(
        group,
        "export",
        "files:export",
        "write a graph as a file: all of it, or what runs saw of a remote one",
    )
    export.add_argument("name", type=text, metavar="N")
    _add_export(export, FILE_FORMATS, required=True)
    search = _command(group, "search", "graphs:search", "find entities by their names")
    search.add_argument("text", type=text, metavar="TEXT")
    search.add_argument("--limit", type=count, default=10, metavar="N")
    relations = _command(group, "relations", "graphs:relations", "list the relations of an entity")
    relations.add_argument("id", type=text, metavar="ID")
    edges = _command(group, "edges", "graphs:edges", "list the edges of an entity")
    edges.add_argument("id", type=text, metavar="ID")
    edges.add_argument("relation", nargs="?", default="", type=text, metavar="RELATION")
    edges.add_argument("--limit", type=count, default=50, metavar="N", help="of each relation")
    edges.add_argument("--direction", choices=("out", "in"), help="only edges from, or to, ID")
    for parser in (search, relations, edges):
        _add_graph_names(parser)
    remove = _command(group, "remove", "graphs:remove", "remove a graph")
    remove.add_argument("name", type=text, metavar="N")


def _add_imports(group: Any) -> None:
    load = _command(group, "import", "files:import_files", "import files as one graph")
    load.add_argument("files", nargs="+", metavar="FILE")
    load.add_argument("--name", required=True, type=text, metavar="N")
    load.add_argument(
        "--skip-errors", action="store_true", help="skip and count what cannot be read"
    )
    for name, metavar, about in (
        ("languages", "en,zh", "keep texts in these languages only"),
        ("properties", "P31,P569", "keep these properties only"),
        ("types", "Q5", "keep things of these classes only"),
    ):
        load.add_argument(
            f"--{name}", default=(), type=names, metavar=metavar, help=f"of a dump: {about}"
        )
    columns = _command(group, "columns", "files:show_columns", "show what a table's columns mean")
    columns.add_argument("file", metavar="FILE")
    for parser in (load, columns):
        _add_columns(parser)


def _add_columns(parser: Parser) -> None:
    parser.add_argument(
        "--columns",
        default="",
        type=text,
        metavar="ROLE=NAME,…",
        help="what columns of a table are: subject=A,relation=B,object=C, or id=A,label=B,entity=C,literal=D",
    )
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="the first row names the columns, or does not (default: as it looks)",
    )
    parser.add_argument(
        "--objects",
        choices=("auto", "entity", "literal"),
        default="auto",
        help="objects of a table are things, values, or decided cell by cell",
    )


def _add_export(parser: Parser, formats: tuple[str, ...], *, required: bool = False) -> None:
    parser.add_argument(
        "--as",
        dest="format",
        choices=formats,
        required=required,
        default=formats[0],
        help="how it is written",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")


def _add_connections(group: Any) -> None:
    listing = _command(group, "list", "connections:list_graphs", "list the graphs")
    listing.add_argument("--check", action="store_true", help="ask each whether it answers")
    add = _command(group, "add", "connections:add", "add a remote graph, if it answers")
    add.add_argument("name", type=words, metavar="NAME")
    kind = add.add_mutually_exclusive_group(required=True)
    kind.add_argument("--sparql", default="", type=text, metavar="URL", help="a SPARQL endpoint")
    kind.add_argument("--musicbrainz", action="store_true", help="MusicBrainz' web service")
    add.add_argument("--profile", default="", type=text, metavar="P", help="how it is read")
    add.add_argument("--user", default="", type=text, metavar="U", help="a password is asked for")
    add.add_argument("--host", default="", type=text, metavar="URL", help="another MusicBrainz")
    add.add_argument("--anyway", action="store_true", help="even if it does not answer")
    for name, about in (
        ("check", "look whether a graph answers, and what it holds"),
        ("refresh", "forget what was kept of a remote graph"),
        ("index", "read all names of a SPARQL endpoint, to find them in questions"),
    ):
        command = _command(group, name, f"connections:{name}", about)
        command.add_argument("name", type=words, metavar="NAME")


def _add_runs(group: Any) -> None:
    listing = _command(group, "list", "runs:list_runs", "list the newest runs")
    listing.add_argument("--limit", type=count, default=20, metavar="N")
    _run_command(group, "show", "runs:show_one", "show a run: answer, proof and what happened")
    _run_command(group, "replay", "runs:replay", "run the method on the journal alone, strictly")
    _add_budget(_run_command(group, "resume", "runs:resume", "take up a run again"))
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
    rerun = _run_command(group, "rerun", "runs:rerun", "start over, asking only what has changed")
    _add_settings(rerun)
    _add_graph_names(rerun, "a graph; repeatable (default: those of the run)")
    _add_budget(rerun)
    challenge = _run_command(
        group, "challenge", "runs:challenge", "which edge of the proof is wrong?"
    )
    challenge.add_argument(
        "--right", default="", type=text, metavar="ANSWER", help="if you know it"
    )
    _add_graph_names(challenge, "a further graph to ask; repeatable")
    _run_command(group, "check", "runs:check", "does the answer still rest on what it cites?")
    export = _run_command(
        group,
        "export",
        "runs:export",
        "write a run, a page that plays it, a report, or the triples it saw",
    )
    _add_export(export, ("json", *PAGES, *FILE_FORMATS))
    export.add_argument(
        "--lang", choices=LANGUAGES, help="of captions and reports (default: the question's)"
    )
    load = _command(group, "import", "runs:import_file", "read an exported run")
    load.add_argument("file", metavar="FILE")


def _add_corrections(group: Any) -> None:
    listing = _command(group, "list", "corrections:list_corrections", "list corrections")
    listing.add_argument("--status", default="", choices=STATUSES, help="only these")
    propose = _command(group, "propose", "corrections:propose", "propose a correction")
    propose.add_argument("--kg", required=True, type=words, metavar="G", help="the graph")
    for name in ("subject", "relation", "object"):
        about = "id or exact name" + (", or a value" if name == "object" else "")
        propose.add_argument(f"--{name}", required=True, type=words, metavar="X", help=about)
    change = propose.add_mutually_exclusive_group(required=True)
    change.add_argument("--replace-with", type=words, metavar="X", help="the object it should have")
    change.add_argument("--retract", action="store_true", help="the triple is wrong")
    change.add_argument("--add", action="store_true", help="the triple is missing")
    propose.add_argument("--evidence", default="", type=text, metavar="URL", help="http or https")
    for name, about in (
        ("approve", "put corrections in force"),
        ("reject", "decide against corrections"),
        ("undo", "make corrections proposals again"),
    ):
        decide = _command(group, name, f"corrections:{name}", about)
        decide.add_argument("ids", nargs="+", type=words, metavar="ID", help="or how it starts")
        _add_who(decide)
    decide.add_argument("--withdraw", action="store_true", help="take proposals back instead")
    _add_who(propose)
    affected = _command(group, "affected", "corrections:affected", "list the runs that rest on it")
    affected.add_argument("id", type=words, metavar="ID", help="or how it starts")
    affected.add_argument("--rerun", action="store_true", help="run them all again")
    export = _command(group, "export", "corrections:export", "write the approved corrections")
    export.add_argument("--format", default="csv", choices=EXPORTS)
    export.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    for parser in (listing, export):
        _add_graph_names(parser, "a graph; repeatable (default: all)")
    load = _command(group, "import", "corrections:import_file", "propose what a CSV file holds")
    load.add_argument("file", metavar="FILE")


def _add_who(parser: Parser) -> None:
    parser.add_argument("--by", default="local", type=words, metavar="NAME", help="who says so")
    parser.add_argument("--reason", default="", type=text, metavar="T")


def _run_command(group: Any, name: str, run: str, about: str) -> Parser:
    parser = _command(group, name, run, about)
    parser.add_argument("id", type=words, metavar="RUN", help="its id or how it starts")
    return parser
