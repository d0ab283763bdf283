"""The arguments of `corrections`."""

from __future__ import annotations

from typing import Any

from kgcore.cli.argument_kinds import text, words
from kgcore.cli.arguments import Parser, add_command, add_graph_names

STATUSES = ("proposed", "approved", "rejected", "withdrawn")
EXPORTS = ("csv", "quickstatements", "sparql", "turtle")


def add_corrections(group: Any) -> None:
    """Add the commands to a group."""
    listing = add_command(group, "list", "corrections:list_corrections", "list corrections")
    listing.add_argument("--status", default="", choices=STATUSES, help="only these")
    propose = add_command(group, "propose", "corrections:propose", "propose a correction")
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
        decide = add_command(group, name, f"corrections:{name}", about)
        decide.add_argument("ids", nargs="+", type=words, metavar="ID", help="or how it starts")
        _add_who(decide)
    decide.add_argument("--withdraw", action="store_true", help="take proposals back instead")
    _add_who(propose)
    affected = add_command(
        group, "affected", "corrections:affected", "list the runs that rest on it"
    )
    affected.add_argument("id", type=words, metavar="ID", help="or how it starts")
    affected.add_argument("--rerun", action="store_true", help="run them all again")
    export = add_command(group, "export", "corrections:export", "write the approved corrections")
    export.add_argument("--format", default="csv", choices=EXPORTS)
    export.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    for parser in (listing, export):
        add_graph_names(parser, "a graph; repeatable (default: all)")
    load = add_command(group, "import", "corrections:import_file", "propose what a CSV file holds")
    load.add_argument("file", metavar="FILE")


def _add_who(parser: Parser) -> None:
    parser.add_argument("--by", default="local", type=words, metavar="NAME", help="who says so")
    parser.add_argument("--reason", default="", type=text, metavar="T")
