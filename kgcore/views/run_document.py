"""The report of a run to print or to hand on, as Markdown or as one HTML page.

It holds question, answer, proof, a picture of the paths, what the run depended on and what it cost; no prompt, no key, no
address of a model server. Text of graphs, models and people is escaped, and no picture is loaded from anywhere.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from kgcore.config import OFFLINE_MATCHER
from kgcore.i18n import mark, told, translate
from kgcore.model import Entity, Literal, SourceCard
from kgcore.runs import Journal, RunView
from kgcore.runs.acts import act_words
from kgcore.views.captions import captions_of
from kgcore.views.palettes import LIGHT
from kgcore.views.path_picture import path_picture
from kgcore.views.report import run_report
from kgcore.views.safe_text import short
from kgcore.views.trace import trace_of

_CELL, _TEXT = 200, 2_000
_PIECES = 3  # of knowledge shown for a rationale
_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&@=^])")
Row = tuple[str, ...]

STATUSES = {
    "answered": mark("answered"),
    "no_answer": mark("no answer"),
    "running": mark("running"),
    "paused": mark("paused"),
    "waiting": mark("waiting for you"),
    "stopped": mark("stopped"),
    "budget": mark("budget used up"),
    "failed": mark("failed"),
    "interrupted": mark("interrupted"),
}
COSTS = {
    "llm_requests": mark("model requests"),
    "completions": mark("completions"),
    "prompt_tokens": mark("tokens of prompts"),
    "completion_tokens": mark("tokens of replies"),
    "cost_usd": mark("cost in US dollars"),
    "kg_requests": mark("graph requests"),
    "wall_s": mark("seconds"),
}
Say = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: lines of text, a table with its head, or a picture as SVG."""

    title: str
    lines: tuple[str, ...] = ()
    head: Row = ()
    rows: tuple[Row, ...] = ()
    picture: str = ""
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class RunDocument:
    """What a report says, before it is written in some form."""

    language: str
    title: str
    sections: tuple[Section, ...]


def run_document(view: RunView, *, status: str = "", language: str = "en") -> RunDocument:
    """Return the report of a run; `status` stands instead of the journal's own."""

    def say(message: str) -> str:
        return translate(message, language)

    report = run_report(view, status=status)
    trace = trace_of(view, view.answer) if report["answer"] is not None and view.answer else None
    picture = path_picture(trace, report["kgs"]) if trace is not None else ""
    proof = tuple(
        (_name(t["subject"]), _name(t["relation"]), _name(t["object"]), t["kg"])
        for t in report["proof"]
    )
    started = view.started
    corrections = tuple(c.text for c in started.corrections) if started else ()
    acts = tuple(act_words(act, language) for act in view.acts)
    pair = (say("Name"), say("Value"))
    ends = (say("Subject"), say("Relation"), say("Object"), say("Graph"))
    steps = (say("Draft"), say("After correction"), say("Rests on"))
    notes = [told(note, language) for note in report["warnings"]]
    if report["model"] == OFFLINE_MATCHER:
        notes.append(say("Made with the offline matcher, which is no language model."))
    sections = [
        Section(say("Answer"), _answer(report, say)),
        Section(say("From the question to the answer"), picture=picture),
        Section(say("Proof"), head=ends, rows=proof),
        Section(say("Rationales"), head=steps, rows=_rationales(report)),
        Section(say("Corrections in force"), corrections, is_list=True),
        Section(say("Changed by people"), acts, is_list=True),
        Section(say("Notes"), tuple(notes), is_list=True),
        Section(say("What happened"), tuple(_course(view, language)), is_list=True),
        Section(say("Settings"), head=pair, rows=tuple(_settings(view, report, say))),
        Section(say("Cost"), head=pair, rows=tuple(_cost(report, say))),
    ]
    shown = tuple(s for s in sections if s.lines or s.rows or s.picture)
    return RunDocument(language, report["question"], shown)


def _name(term: dict[str, Any]) -> str:
    return str(term.get("label") or term.get("value") or term.get("id", ""))


def _rationales(report: dict[str, Any]) -> tuple[Row, ...]:
    """Return each rationale before and after, and the first of what it rests on."""
    rows: list[Row] = []
    for item in report.get("rationales", ()):
        pieces = [f"{k['source']}: {k['text']}" for k in item["knowledge"][:_PIECES]]
        after = "" if item["before"] == item["after"] else item["after"]
        rows.append((item["before"], after, "; ".join(pieces)))
    return tuple(rows)


def _answer(report: dict[str, Any], say: Say) -> tuple[str, ...]:
    status = say(STATUSES.get(report["status"], report["status"]))
    status = f"{say('Status')}{say(': ')}{status}"
    if report["answer"] is None:
        return (say("No answer was found"), status)
    memory = [_name(part) for part in report["answers"] if part["model_memory"]]
    lines = [report["answer"], say("rated {value:.2f}").format(value=report["value"])]
    lines += [f"{name} – {say('model memory: no triple supports it')}" for name in memory]
    return (*lines, status)


def _course(view: RunView, language: str) -> list[str]:
    told = captions_of(view.entries, language)
    return [f"{c.text} – {c.detail}" if c.detail else c.text for c in told if c.kind != "score"]


def _settings(view: RunView, report: dict[str, Any], say: Say) -> list[Row]:
    started = view.started
    if started is None:
        return []
    rows: list[Row] = [(say("run"), report["run_id"]), (say("method"), started.method)]
    rows += [(f"{say('model')}{say(': ')}{role}", model) for role, model in started.models]
    rows += [(say("graph"), f"{name}, {version}") for name, version in started.kgs]
    rows.append((say("begun"), view.entries[0].when))
    for values in (started.config, Journal(view.entries).budget):
        if dataclasses.is_dataclass(values):
            for item in dataclasses.fields(values):
                rows.append((item.name, _value(getattr(values, item.name))))
    return [row for row in rows if row[1]]


def _value(value: Any) -> str:
    if isinstance(value, Entity | Literal):
        return value.name
    if isinstance(value, SourceCard):
        return value.id
    if isinstance(value, tuple | list):
        return ", ".join(_value(item) for item in value)
    return "" if value is None else str(value)


def _cost(report: dict[str, Any], say: Say) -> list[Row]:
    usage = report["usage"]
    return [(say(COSTS.get(name, name)), str(value)) for name, value in usage.items()]


# Markdown


def as_markdown(document: RunDocument) -> str:
    """Return the report as Markdown; the picture is embedded as SVG."""
    parts = [f"# {_md(document.title)}"]
    for section in document.sections:
        parts.append(f"## {_md(section.title)}")
        lines = [_md(line, _TEXT) for line in section.lines]
        parts += ["\n".join(f"- {line}" for line in lines)] if section.is_list else lines
        if section.picture:
            data = base64.b64encode(section.picture.encode("utf-8", "replace")).decode("ascii")
            parts.append(f"![{_md(section.title)}](data:image/svg+xml;base64,{data})")
        if section.rows:
            head, *rows = (
                "| " + " | ".join(map(_md, r)) + " |" for r in (section.head, *section.rows)
            )
            parts.append("\n".join([head, "|" + " --- |" * len(section.head), *rows]))
    return "\n\n".join(parts) + "\n"


def _md(text: str, n: int = _CELL) -> str:
    """Return one line that Markdown shows as it is written: no link, no picture, no HTML."""
    return _MARKS.sub(r"\\\1", short(text, n))


# HTML

_CSS = f"""
body {{ font: 11pt/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans SC", sans-serif; color: {LIGHT.text};
  background: {LIGHT.background}; max-width: 46rem; margin: 2.5rem auto; padding: 0 1.5rem; }}
h1 {{ font-size: 1.6rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 1.2rem; }}
h2 {{ font-size: 1.05rem; margin: 1.7rem 0 .5rem; break-after: avoid; }}
p {{ margin: .2rem 0; color: {LIGHT.muted}; }}
section:first-of-type p:first-of-type {{ font-size: 1.35rem; font-weight: 600; color: {LIGHT.text}; border-left: 4px solid {LIGHT.answer};
  padding-left: .8rem; }}
li {{ margin: .15rem 0; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92em; }}
th {{ text-align: left; font-weight: 600; color: {LIGHT.muted}; }}
th, td {{ padding: .28rem .8rem .28rem 0; border-bottom: 1px solid {LIGHT.dimmed}; vertical-align: top;
  overflow-wrap: anywhere; }}
tr {{ break-inside: avoid; }}
svg {{ max-width: 100%; height: auto; }}
h1, p, li, td {{ unicode-bidi: plaintext; overflow-wrap: anywhere; }}
@page {{ margin: 18mm; }}
@media print {{ body {{ margin: 0; max-width: none; padding: 0; }} }}
"""


def as_html(document: RunDocument) -> str:
    """Return the report as one page without any script, ready to print."""
    digest = base64.b64encode(hashlib.sha256(_CSS.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    body = "".join(_html(section) for section in document.sections)
    title = escape(short(document.title, _TEXT))
    page = (
        f'<!doctype html>\n<html lang="{escape(document.language)}">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_CSS}</style></head>\n<body><h1>{title}</h1>{body}</body></html>\n"
    )
    return page.encode("utf-8", "replace").decode("utf-8")


def _html(section: Section) -> str:
    lines = [escape(short(line, _TEXT)) for line in section.lines]
    if section.is_list and lines:
        text = "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    else:
        text = "".join(f"<p>{line}</p>" for line in lines)
    return f"<section><h2>{escape(section.title)}</h2>{text}{section.picture}{_rows(section)}</section>"


def _rows(section: Section) -> str:
    if not section.rows:
        return ""

    def line(cells: Sequence[str], tag: str) -> str:
        return (
            "<tr>" + "".join(f"<{tag}>{escape(short(c, _CELL))}</{tag}>" for c in cells) + "</tr>"
        )

    body = "".join(line(row, "td") for row in section.rows)
    return f"<table><thead>{line(section.head, 'th')}</thead><tbody>{body}</tbody></table>"
