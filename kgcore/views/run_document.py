"""What the report of a run says, before it is written as Markdown or as an HTML page.

It holds question, answer, proof, a picture of the paths, what the run depended on and what it cost; no prompt, no key, no
address of a model server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from typing import Literal as OneOf

from kgcore.config import OFFLINE_MATCHER
from kgcore.i18n import mark, told, translate
from kgcore.runs import Entry, RunStatus, RunView
from kgcore.runs.acts import act_words
from kgcore.runs.comparison import compare
from kgcore.views.captions import captions_of
from kgcore.views.path_picture import path_picture, paths_of
from kgcore.views.report import run_report, term_name
from kgcore.views.run_settings import settings_of
from kgcore.views.trace import Trace, trace_of

CELL, TEXT = 200, 2_000
_PIECES = 3  # of knowledge shown for a rationale
Row = tuple[str, ...]

STATUSES: dict[RunStatus, str] = {
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
    "llm_requests": mark("Model requests"),
    "completions": mark("Replies"),
    "prompt_tokens": mark("Tokens of prompts"),
    "completion_tokens": mark("Tokens of replies"),
    "cost_usd": mark("Cost in US dollars"),
    "kg_requests": mark("Graph requests"),
    "wall_s": mark("Seconds"),
}
_MATCHER_CALLS = mark("Matcher calls")  # it is no model
_ALWAYS = ("llm_requests", "kg_requests", "wall_s")  # told even where they are nothing
Say = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: lines of text, a table with its head, or a picture as SVG and what it shows in words."""

    title: str
    lines: tuple[str, ...] = ()
    head: Row = ()
    rows: tuple[Row, ...] = ()
    picture: str = ""
    told: tuple[str, ...] = ()
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class RunDocument:
    """What a report says, before it is written in some form."""

    language: str
    title: str
    sections: tuple[Section, ...]


def run_document(
    view: RunView,
    *,
    status: RunStatus | OneOf[""] = "",
    language: str = "en",
    before: Iterable[Entry] = (),
) -> RunDocument:
    """Return the report of a run; `status` stands instead of the journal's own.

    `before` are the entries of the run that it was made again from, if it was.
    """

    def say(message: str) -> str:
        return translate(message, language)

    report = run_report(view, status=status)
    trace = trace_of(view, view.answer) if report["answer"] is not None and view.answer else None
    is_offline = report["model"] == OFFLINE_MATCHER
    sections = [
        Section(say("Answer"), _answer(report, say)),
        Section(say("Before the correction"), _before(before, view, say)),
        _paths(trace, report["kgs"], say),
        _proof(report, say),
        _rationales(report, say),
        Section(say("Corrections in force"), _corrections(view), is_list=True),
        Section(
            say("Changed by people"),
            tuple(act_words(act, language) for act in view.acts),
            is_list=True,
        ),
        Section(say("Notes"), _notes(report, language, is_offline=is_offline), is_list=True),
        Section(say("What happened"), tuple(_course(view, language)), is_list=True),
        Section(
            say("Settings"),
            head=(say("Setting"), say("Set to")),
            rows=tuple(settings_of(view, language)),
        ),
        Section(
            say("Cost"),
            head=(say("Kind"), say("Amount")),
            rows=tuple(_cost(report["usage"], say, is_offline=is_offline)),
        ),
    ]
    shown = tuple(s for s in sections if s.lines or s.rows or s.picture)
    return RunDocument(language, report["question"], shown)


def _paths(trace: Trace | None, kgs: list[str], say: Say) -> Section:
    title = say("From the question to the answer")
    if trace is None:
        return Section(title)
    said = tuple(", ".join(hop.text for hop in path) for path in paths_of(trace))
    return Section(title, picture=path_picture(trace, kgs), told=said)


def _proof(report: dict[str, Any], say: Say) -> Section:
    ends = (say("Subject"), say("Relation"), say("Object"), say("Graph"))
    rows = tuple(
        (term_name(t["subject"]), term_name(t["relation"]), term_name(t["object"]), t["kg"])
        for t in report["proof"]
    )
    return Section(say("Proof"), head=ends, rows=rows)


def _before(before: Iterable[Entry], view: RunView, say: Say) -> Row:
    """Return what the run before the corrections answered, where it was another answer."""
    earlier = RunView.of(before)
    compared = compare(earlier, view)
    if earlier.started is None or not compared.new_corrections or not compared.is_changed:
        return ()
    return (compared.old.text or say("no answer"),)


def _corrections(view: RunView) -> Row:
    return tuple(c.text for c in view.started.corrections) if view.started else ()


def _notes(report: dict[str, Any], language: str, *, is_offline: bool) -> Row:
    notes = [told(note, language) for note in report["warnings"]]
    if is_offline:
        matcher = "Made with the offline matcher, which is no language model."
        notes.append(translate(matcher, language))
    return tuple(notes)


def _rationales(report: dict[str, Any], say: Say) -> Section:
    """Return each rationale before and after, and the first of what it rests on."""
    rows: list[Row] = []
    for item in report.get("rationales", ()):
        pieces = [f"{k['source']}{say(': ')}{k['text']}" for k in item["knowledge"][:_PIECES]]
        after = "" if item["before"] == item["after"] else item["after"]
        rows.append((item["before"], after, "; ".join(pieces)))
    steps = (say("Draft"), say("After correction"), say("Rests on"))
    return Section(say("Rationales"), head=steps, rows=tuple(rows))


def _answer(report: dict[str, Any], say: Say) -> tuple[str, ...]:
    status = say(STATUSES.get(report["status"], report["status"]))
    status = f"{say('Status')}{say(': ')}{status}"
    if report["answer"] is None:
        return (say("No answer was found"), status)
    memory = [term_name(part) for part in report["answers"] if part["model_memory"]]
    lines = [report["answer"], say("rated {value:.2f}").format(value=report["value"])]
    lines += [f"{name} – {say('model memory: no triple supports it')}" for name in memory]
    return (*lines, status)


def _course(view: RunView, language: str) -> list[str]:
    captions = captions_of(view.entries, language)
    return [f"{c.text} – {c.detail}" if c.detail else c.text for c in captions if c.kind != "score"]


def _cost(usage: dict[str, Any], say: Say, *, is_offline: bool) -> list[Row]:
    """Return what was spent; not what there was none of."""
    names = {**COSTS, **({"llm_requests": _MATCHER_CALLS} if is_offline else {})}
    return [
        (say(names[name]), f"{value:,.1f}" if name == "wall_s" else f"{value:,}")
        for name, value in usage.items()
        if (value or name in _ALWAYS) and not (is_offline and name == "completions")
    ]
