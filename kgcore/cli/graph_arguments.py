"""The arguments of `kg`."""

from __future__ import annotations

import argparse
from typing import Any

from kgcore.cli.argument_kinds import count, names, text, words
from kgcore.cli.arguments import FILE_FORMATS, Parser, add_command, add_export, add_graph_names


def add_graphs(group: Any) -> None:
    """Add the commands to a group."""
    _add_connections(group)
    _add_imports(group)
    export = add_command(
        group,
        "export",
        "files:export",
        "write a graph as a file: all of it, or what runs saw of a remote one",
    )
    export.add_argument("name", type=text, metavar="N")
    add_export(export, FILE_FORMATS, required=True)
    search = add_command(group, "search", "graphs:search", "find entities by their names")
    search.add_argument("text", type=text, metavar="TEXT")
    search.add_argument("--limit", type=count, default=10, metavar="N")
    relations = add_command(
        group, "relations", "graphs:relations", "list the relations of an entity"
    )
    relations.add_argument("id", type=text, metavar="ID")
    edges = add_command(group, "edges", "graphs:edges", "list the edges of an entity")
    edges.add_argument("id", type=text, metavar="ID")
    edges.add_argument("relation", nargs="?", default="", type=text, metavar="RELATION")
    edges.add_argument("--limit", type=count, default=50, metavar="N", help="of each relation")
    edges.add_argument("--direction", choices=("out", "in"), help="only edges from, or to, ID")
    for parser in (search, relations, edges):
        add_graph_names(parser)
    remove = add_command(group, "remove", "graphs:remove", "remove a graph")
    remove.add_argument("name", type=text, metavar="N")


def _add_imports(group: Any) -> None:
    load = add_command(group, "import", "files:import_files", "import files as one graph")
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
    columns = add_command(
        group, "columns", "files:show_columns", "show what a table's columns mean"
    )
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


def _add_connections(group: Any) -> None:
    listing = add_command(group, "list", "connections:list_graphs", "list the graphs")
    listing.add_argument("--check", action="store_true", help="ask each whether it answers")
    add = add_command(group, "add", "connections:add", "add a remote graph, if it answers")
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
        command = add_command(group, name, f"connections:{name}", about)
        command.add_argument("name", type=words, metavar="NAME")
