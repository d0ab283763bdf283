"""What the arguments of several commands have in common."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from kgcore.cli.argument_kinds import NO_LIMIT, assignment, limit, text, whole_limit

FILE_FORMATS = ("turtle", "nquads", "graphml", "csv")


class Parser(argparse.ArgumentParser):
    """Tells a wrong usage in one line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(*args, **options)

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with code 2."""
        line = " ".join(message.split())
        self.exit(2, f"{self.prog}: {line} (see {self.prog} --help)\n")


def add_command(group: Any, name: str, run: str, about: str) -> Parser:
    """Add a command to a group: `run` names its module and function."""
    parser: Parser = group.add_parser(name, help=about, description=about)
    parser.set_defaults(run=run)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    return parser


def add_graph_names(parser: Parser, about: str = "a graph; repeatable (default: the demo)") -> None:
    """Add `--kg`."""
    parser.add_argument(
        "--kg", action="append", default=[], dest="kgs", type=text, metavar="NAME", help=about
    )


def add_settings(parser: Parser) -> None:
    """Add `--set`."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        type=assignment,
        metavar="KEY=VALUE",
        help="a setting of the method, prompts=NAME for an own prompt set, or shots=N worked examples (0-6); repeatable",
    )


def add_budget(parser: Parser) -> None:
    """Add `--budget-calls` and its like."""
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
            help=f"spend at most so many {name}; 0 or {NO_LIMIT} is no limit",
        )


def add_export(parser: Parser, formats: tuple[str, ...], *, required: bool = False) -> None:
    """Add the form and the file of what is written."""
    parser.add_argument(
        "--as",
        dest="format",
        choices=formats,
        required=required,
        default=formats[0],
        help="how it is written",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
