"""What the commands print: JSON for machines, or lines for people in which no control character gets through."""

from __future__ import annotations

import contextlib
import json
import sys
import unicodedata
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any

_LONGEST = 1_000  # characters of one text
_PIECE = 160  # columns of a piece of knowledge
# Controls, direction marks, lone surrogates, line separators.
_HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"  # parts of words in some scripts, and of emoji


def show(arguments: Namespace, data: Any, lines: Iterable[str]) -> None:
    """Print the data as JSON if the arguments say so, else the lines."""
    if arguments.json:
        print(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        for line in lines:
            print(line)


def note(text: str) -> None:
    """Print one line to standard error, if anybody reads that."""
    with contextlib.suppress(OSError, ValueError):
        print(plain(text), file=sys.stderr, flush=True)


def complain(message: str) -> None:
    """Print what went wrong as one line to standard error."""
    note(f"kgcore: {' '.join(message.split())}")


def plain(text: str) -> str:
    """Return text that is safe to print on a terminal: one line, without controls, not endlessly long."""
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    text = text.replace("\r\n", " ").replace("\n", " ").replace("\t", " ")
    return "".join(
        c
        if unicodedata.category(c) not in _HIDDEN or c in _JOINERS
        else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def table(rows: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    """Return rows as lines with columns of at most these widths; the last column is as wide as it is."""
    cut = [[_cut(plain(cell), width) for cell, width in zip(r, widths, strict=True)] for r in rows]
    fit = [max((_width(row[i]) for row in cut), default=0) for i in range(len(widths) - 1)]
    lines = []
    for row in cut:
        padded = [cell + " " * (n - _width(cell)) for cell, n in zip(row, fit, strict=False)]
        lines.append("  ".join([*padded, row[-1]]).rstrip())
    return lines


def _width(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    kept = ""
    for c in text:
        if _width(kept + c) >= width:
            break
        kept += c
    return kept + "…"


def report_lines(report: dict[str, Any]) -> list[str]:
    """Return the report of a run in words: answer, proof, warnings, what it cost."""
    lines = [plain(report["answer"] if report["answer"] is not None else "No answer.")]
    if report["value"] is not None:
        lines[0] += f"   (rated {report['value']:.2f})"
    if report.get("below_threshold"):
        why = f": {report['reason']}" if report["reason"] else ""
        lines.append(plain(f"best so far, below the threshold {report['below_threshold']:g}{why}"))
    for part in report["answers"]:
        name, origin = part.get("label", part.get("value", "")), part.get("id", "")
        memory = "   (model memory)" if part["model_memory"] else ""
        lines.append(f"  {plain(name)}" + (f"   {plain(origin)}" if origin else "") + memory)
    lines += _rationale_lines(report.get("rationales", ()))
    if report["proof"]:
        lines += ["", "Proof", *(f"  {triple_text(triple)}" for triple in report["proof"])]
    if report.get("human_acts"):
        lines += ["", *(f"✎ {plain(act['text'])}" for act in report["human_acts"])]
    if report["warnings"]:
        lines += ["", *(f"Note: {plain(text)}" for text in report["warnings"])]
    return [*lines, "", *_cost_lines(report)]


def _rationale_lines(rationales: Sequence[dict[str, Any]]) -> list[str]:
    """Return rationales as they stand now, with what they were before and what they rest on."""
    lines = ["", "Rationales"] if rationales else []
    for number, rationale in enumerate(rationales, 1):
        lines.append(plain(f"  {number}. {rationale['after']}"))
        if rationale["before"] != rationale["after"]:
            lines.append(plain(f"     before: {rationale['before']}"))
        for piece in rationale["knowledge"]:
            text = _cut(" ".join(piece["text"].split()), _PIECE)
            where = f"{piece['source']}: {piece['origin']}" if piece["origin"] else piece["source"]
            lines.append(plain(f"     {text}   [{where}]"))
    return lines


def _cost_lines(report: dict[str, Any]) -> list[str]:
    usage = report["usage"]
    tokens = usage["prompt_tokens"] + usage["completion_tokens"]
    spent = [
        counted(usage["llm_requests"], "model request"),
        counted(usage["kg_requests"], "graph request"),
        *([f"{tokens:,} tokens"] if tokens else []),
        *([f"${usage['cost_usd']:.4f}"] if usage["cost_usd"] else []),
        f"{usage['wall_s']:.1f} s",
    ]
    kgs = ", ".join(report.get("sources") or report["kgs"])
    return [
        f"Status: {report['status'].replace('_', ' ')}   {', '.join(spent)}",
        plain(f"Run:    {report['run_id']}   {report['method']}, {report['model']}, on {kgs}"),
    ]


def counted(n: int, thing: str) -> str:
    """Return a count in words: 1 triple, 2 triples."""
    return f"{n:,} {thing}" + ("" if n == 1 else "s")


def triple_text(triple: dict[str, Any]) -> str:
    """Return a triple of a report in words."""
    from kgcore.views.report import term_name  # most commands print no triples, and start sooner

    names = [term_name(triple[part]) for part in ("subject", "relation", "object")]
    return plain(" – ".join(names)) + (f"   [{plain(triple['kg'])}]" if triple["kg"] else "")
