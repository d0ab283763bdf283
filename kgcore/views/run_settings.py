"""The settings of a run in words, called as the options of the Ask page call them.

What a person chooses there is always told; all else only where it is not as usual, by the name it is set with.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from kgcore.config import OFFLINE_MATCHER
from kgcore.i18n import LANGUAGES, mark, translate
from kgcore.model import Entity, Literal, SourceCard
from kgcore.reasoners import LABELS
from kgcore.runs import Journal, RunView
from kgcore.runs.budget import Budget

# What options are called, by the name of the config's field; those of one method where it calls them otherwise.
OPTIONS: Mapping[str, str] = {
    "k": "k",
    "max_depth": mark("Depth"),
    "max_expansions": mark("Expansions"),
    "threshold": mark("Threshold"),
    "fallback": mark("Without an answer, ask the model's memory"),
    "width": mark("Width N"),
    "pruner": mark("Relations and entities scored by"),
    "is_batched": mark("Score all lists of a step in one request"),
    "own_knowledge": mark(
        "Where the paths do not suffice, answer with the model's own knowledge too (marked as such)"
    ),
    "samples": mark("Times sampled"),
    "max_rationales": mark("Rationales"),
    "max_sentences": mark("Sentences"),
    "max_steps": mark("Steps"),
    "mode": mark("Rationales are checked"),
    "only_text": mark("Ask only sources of text, as in the paper"),
    "sources": mark("Knowledge sources"),
    "seeds": mark("Start from"),
}
OPTIONS_OF: Mapping[str, Mapping[str, str]] = {
    "ThinkOnGraphConfig": {"max_depth": mark("Depth D")},
    "ChainOfKnowledgeConfig": {
        "samples": mark("Lines of thought"),
        "threshold": mark("Agreement"),
    },
    "FlareConfig": {"threshold": mark("Agreement")},
    "VerifyAndEditConfig": {"threshold": mark("Agreement")},
}
VALUES = {
    "model": mark("the language model"),
    "words": mark("matching words (no calls)"),
    "bm25": mark("BM25 (no calls)"),
    "embedding": mark("nearness in meaning (no calls)"),
    "step": mark("one after another (the paper's method)"),
    "parallel": mark("all at once (the paper's comparison)"),
}
LIMITS = {
    "calls": mark("Calls"),
    "tokens": mark("Tokens"),
    "usd": mark("US$"),
    "seconds": mark("Seconds"),
}
ROLES = {"reason": mark("Model"), "evaluate": mark("Model that rates"), "query": mark("Model that writes queries")}  # fmt: skip
MATCHER = mark("offline matcher – no language model")
Row = tuple[str, str]


def settings_of(view: RunView, language: str = "en") -> list[Row]:
    """Return the names and values of what a run was set to, in the order a person chooses them."""
    started = view.started
    if started is None:
        return []

    def say(text: str) -> str:
        return translate(text, language)

    rows: list[Row] = [(say("Method"), say(LABELS.get(started.method, started.method)))]
    for role, model in started.models:
        name = say(MATCHER) if model == OFFLINE_MATCHER else model
        rows.append((say(ROLES.get(role, role)), name))
    told = translate("{name}, version {version}", language, name="{name}", version="{version}")
    rows += [(say("Graph"), told.format(name=n, version=v)) for n, v in started.kgs]
    if dataclasses.is_dataclass(started.config):
        rows += _options(started.config, language)
    rows += [(say("Language"), LANGUAGES.get(getattr(started.config, "language", "en"), "English"))]
    rows.append((say("Begun"), moment(view.entries[0].when)))
    if limits := _limits(Journal(view.entries).budget, language):
        rows.append((say("Budget"), limits))
    rows.append((say("Run"), started.run_id))
    return [row for row in rows if row[1]]


def moment(when: str) -> str:
    """Return an ISO time to the minute, as people write it; the text itself where it is none."""
    try:
        return f"{datetime.fromisoformat(when):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return when


def _options(config: Any, language: str) -> list[Row]:
    named = {**OPTIONS, **OPTIONS_OF.get(type(config).__name__, {})}
    chosen, other = list[Row](), list[Row]()
    for item in dataclasses.fields(config):
        value = getattr(config, item.name)
        if item.name == "language":
            continue
        if item.name in named:
            chosen.append((translate(named[item.name], language), _value(value, language)))
        elif value != item.default:
            other.append((item.name, _value(value, language)))
    return chosen + other


def _limits(budget: Budget, language: str) -> str:
    """Return the limits that were set; empty where there are none."""
    set_ = [(name, getattr(budget, field)) for field, name in LIMITS.items()]
    colon = translate(": ", language)
    said = [f"{translate(name, language)}{colon}{value:g}" for name, value in set_ if value]
    return translate(", ", language).join(said)


def _value(value: Any, language: str) -> str:
    if isinstance(value, bool):
        return translate("on", language) if value else translate("off", language)
    if isinstance(value, Entity | Literal):
        return value.name
    if isinstance(value, SourceCard):
        return value.id
    if isinstance(value, tuple | list):
        return translate(", ", language).join(_value(item, language) for item in value)
    return "" if value is None else translate(VALUES.get(str(value), str(value)), language)
