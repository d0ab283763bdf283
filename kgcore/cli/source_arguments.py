"""The arguments of `sources`."""

from __future__ import annotations

from typing import Any

from kgcore.cli.argument_kinds import names, text, words
from kgcore.cli.arguments import add_command


def add_sources(group: Any) -> None:
    """Add the commands to a group."""
    listing = add_command(group, "list", "sources:list_sources", "list the knowledge sources")
    listing.add_argument("--check", action="store_true", help="look whether each can be asked")
    add = add_command(group, "add", "sources:add", "add a knowledge source, if it can be asked")
    add.add_argument("name", type=words, metavar="NAME")
    kind = add.add_mutually_exclusive_group(required=True)
    for name, metavar, about in (
        ("table", "FILE", "tables for SQL: CSV, Parquet, JSON, SQLite"),
        ("text", "PLACE", "files or folders to search: text, Markdown, JSONL, PDF"),
        ("graph", "KG", "graphs of the data folder, for SPARQL"),
    ):
        kind.add_argument(f"--{name}", nargs="+", type=text, metavar=metavar, help=about)
    kind.add_argument("--wiki", default="", type=text, metavar="URL", help="a MediaWiki to search")
    add.add_argument(
        "--domain", action="append", default=[], dest="domains", type=names, metavar="D", help=(
            "a field it serves (see sources domains); repeatable"
        )
    )  # fmt: skip
    add.add_argument("--description", default="", type=text, metavar="T", help="what it is about")
    add.add_argument("--rerank", action="store_true", help="order what is found by meaning, too")
    add.add_argument("--anyway", action="store_true", help="even if it cannot be asked now")
    query = add_command(group, "query", "sources:query", "put a query to a source, in its language")
    query.add_argument("name", type=words, metavar="NAME")
    query.add_argument("query", type=text, metavar="QUERY")
    remove = add_command(group, "remove", "sources:remove", "remove a source; its files stay")
    remove.add_argument("name", type=words, metavar="NAME")
    add_command(group, "domains", "sources:list_domains", "list the fields a source may serve")
