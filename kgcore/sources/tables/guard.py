"""Which SQL is run: one SELECT over the source's own tables, with functions that only compute.

DuckDB's own parser says what a query is; its tree is walked here, and what is not known to be harmless is refused.
The engine's locks (read-only, no access to files, no change of settings) and the limits of the process are the
walls behind this door.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from kgcore.errors import InputError

_REFERENCES = frozenset(("BASE_TABLE", "SUBQUERY", "JOIN", "EMPTY", "EXPRESSION_LIST"))
_NODES = frozenset(("SELECT_NODE", "SET_OPERATION_NODE", "CTE_NODE"))


def check_tree(tree: Mapping[str, Any], tables: Sequence[str]) -> list[str]:
    """Return the tables a query reads, of those named; InputError for a query that is not run."""
    known = {name.lower() for name in tables} | {name.lower() for name in _named_parts(tree)}
    read: set[str] = set()
    for part in _parts(tree):
        kind = str(part.get("type", ""))
        if kind.endswith("_NODE") and kind not in _NODES:
            raise InputError(_why_not(kind))
        if "from_table" in part or "left" in part:
            _check_sources(part)
        if kind == "BASE_TABLE":
            read.add(_check_table(part, known))
        if "function_name" in part:
            _check_function(str(part["function_name"]))
    return [name for name in tables if name.lower() in read]


def _why_not(kind: str) -> str:
    if kind == "RECURSIVE_CTE_NODE":
        return "WITH RECURSIVE is not run here: it may never end"
    return "only one SELECT is run here"


def _check_sources(part: Mapping[str, Any]) -> None:
    """See that rows come from tables, and from nothing that makes them."""
    for name in ("from_table", "left", "right"):
        source = part.get(name)
        if not isinstance(source, dict) or "class" in source:
            continue  # the sides of a comparison
        kind = str(source.get("type", ""))
        if kind.endswith("_NODE"):
            continue  # the sides of a UNION
        if kind == "TABLE_FUNCTION":
            called = str(source.get("function", {}).get("function_name", "it"))
            if called.lower() != "unnest":
                raise InputError(f"{called}(…) is not allowed here: rows come from the tables only")
        elif kind not in _REFERENCES:
            raise InputError(f"{kind.replace('_', ' ').lower()} is not run here; write a SELECT")


def _check_table(part: Mapping[str, Any], known: Collection[str]) -> str:
    """Return the name of a table in lower case; InputError for one that is not among the known."""
    name = str(part.get("table_name", ""))
    if name.lower() not in known or part.get("schema_name") not in ("", "main", None):
        whole = ".".join(filter(None, (str(part.get("schema_name") or ""), name)))
        raise InputError(f"there is no table {whole!r}; there are {', '.join(sorted(known))}")
    return name.lower()


def _check_function(name: str) -> None:
    is_word = name.replace("_", "").isalnum()  # others are operators, such as ||
    if is_word and name.lower() not in allowed_functions():
        raise InputError(f"the function {name} is not allowed here")


def _named_parts(tree: Mapping[str, Any]) -> Iterator[str]:
    """Names that the query itself gives, by WITH."""
    for part in _parts(tree):
        named = part.get("cte_map")
        if isinstance(named, dict):
            yield from (str(entry.get("key", "")) for entry in named.get("map", ()))


def _parts(tree: Any) -> Iterator[Mapping[str, Any]]:
    """All objects of a tree, in no order that matters; without recursion, for trees may be deep."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


@cache
def allowed_functions() -> frozenset[str]:
    """Names of the functions a query may use."""
    text = (resources.files("kgcore.sources.tables") / "functions.txt").read_text("utf-8")
    lines = (line.partition("#")[0] for line in text.splitlines())
    return frozenset(name for line in lines for name in line.split())
