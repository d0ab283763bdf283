"""What a run that is held will do next, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgcore.i18n import mark, told, translate
from kgcore.model import Relation, RelationId
from kgcore.runs.words import ASKED, Words

_STEPS: Mapping[str, str] = {
    "Ask": mark("asks the model {what}"),
    "Link": mark("looks up names"),
    "Relations": mark("lists the relations of {what}"),
    "Edges": mark("fetches “{relation}” of {what}"),
    "Describe": mark("looks up {what}"),
    "Rank": mark("ranks options by relevance"),
    "Lookup": mark("queries {what}"),
}
_MORE = mark("{what}, and {n} more at once")


def coming(steps: Sequence[Mapping[str, Any]], words: Words, language: str = "en") -> str:
    """Return what the steps of a round, as the journal would tell them, are going to do; "" for none."""
    if not steps:
        return ""
    first = _step(steps[0], words, language)
    n = len(steps) - 1
    return translate(_MORE, language, what=first, n=n) if n else first


def _step(step: Mapping[str, Any], words: Words, language: str) -> str:
    kind = str(step.get("kind"))
    relation = ""
    if kind == "Ask":
        template = str(step.get("template"))
        what = told(ASKED.get(template, template.replace("_", " ")), language)
    elif kind == "Lookup":
        what = str(step.get("source", ""))
    else:
        what = words.names(step.get("entities", ()))
    if kind == "Edges":
        name = RelationId(str(step.get("relation")))
        relation = Relation(name, words.name(name)).phrase(step.get("direction", "out"))
    return translate(_STEPS.get(kind, kind), language, what=what, relation=relation)
