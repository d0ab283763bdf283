"""What is known of one node of the search tree: every call made for it, as it was sent and as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kgcore.model import Literal
from kgcore.prompts import (
    ExpandKG,
    GiveAnswer,
    Rating,
    SelectEntities,
    SelectRelation,
    Think,
)
from kgcore.runs import NodeView, RunView, StepDone, StepFailed
from kgcore.steps import Ranking, RelationOptions, Replies, Reply, Usage


@dataclass(frozen=True, slots=True)
class ReplyLine:
    """One sample of a model: its text, what it was read as, and what was wrong with it."""

    text: str
    read_as: str
    problem: str = ""
    is_repaired: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A step done for a node. `part` says which: choice (it led here), rating, or next (what to do here)."""

    seq: int
    part: str
    text: str
    template: str = ""
    prompt: str = ""
    replies: tuple[ReplyLine, ...] = ()
    left_out: tuple[str, ...] = ()
    usage: Usage = field(default=Usage())
    seconds: float = 0.0
    via: str = "live"


def calls_of(view: RunView, node: NodeView) -> list[Call]:
    """Return the calls about a node in the order of the journal: the choice that led to it, rating, next."""
    found: list[Call] = []
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    if parent is not None:
        asked = [c for seq in parent.entries if (c := _call(view, parent, seq, "choice"))]
        before = [c for c in asked if c.seq < node.seq and c.template.startswith("choose")]
        found.extend(before[-1:])
    for seq in node.entries:
        call = _call(view, node, seq, "next")
        if call is not None:
            is_rating = call.template.startswith("rate")
            found.append(replace(call, part="rating") if is_rating else call)
    return found


def rejections_of(view: RunView, node: int) -> list[tuple[str, str]]:
    """Return what was tried at a node and rejected: the text, and why."""
    return [(r.text, r.reason) for r in view.rejected if r.node == node]


def _call(view: RunView, node: NodeView, seq: int, part: str) -> Call | None:
    body, line = view.entry(seq).body, view.log[seq]
    if isinstance(body, StepFailed):
        return Call(seq, part, line.text, usage=body.usage)
    if not isinstance(body, StepDone):
        return None
    template = str(body.step.get("template", ""))
    if not isinstance(body.result, Replies):
        return Call(seq, part, line.text, seconds=body.seconds, via=body.via)
    options = _options(view, node, seq)
    replies = tuple(_reply(reply, view, options) for reply in body.result.items)
    return Call(
        seq,
        part,
        line.text,
        template,
        body.result.prompt,
        replies,
        body.result.left_out,
        body.usage,
        body.seconds,
        body.via,
    )


def _options(view: RunView, node: NodeView, before: int) -> Mapping[int, str]:
    """Return the relations that were offered at a node, by number; none where it is not known which."""
    config = view.started.config if view.started else None
    most = getattr(config, "max_options", 0)
    is_ranked = getattr(config, "rank_options", False) or getattr(config, "shortlist", 0)
    phrases: list[str] = []
    for seq in node.entries:
        body = view.entry(seq).body
        if seq >= before or not isinstance(body, StepDone):
            continue
        if isinstance(body.result, RelationOptions):
            phrases = [option.phrase for option in body.result.items]
        elif isinstance(body.result, Ranking) and len(body.result.order) == len(phrases):
            order = body.result.order[: most or None]
            phrases = [phrases[i] for i in (order if is_ranked else sorted(order))]
    return {} if most and len(phrases) > most else dict(enumerate(phrases))


def _reply(reply: Reply, view: RunView, options: Mapping[int, str]) -> ReplyLine:
    read = "" if reply.problem else value_words(reply.value, view, options)
    return ReplyLine(reply.text, read, reply.problem, reply.is_repaired)


def value_words(value: Any, view: RunView, options: Mapping[int, str] | None = None) -> str:
    """Return what a reply was read as, in words."""
    if isinstance(value, Think):
        return f"think: {value.text}"
    if isinstance(value, ExpandKG):
        return "expand: look further into the graph"
    if isinstance(value, SelectEntities):
        return f"pick {view.words.names(value.entities)}"
    if isinstance(value, SelectRelation):
        return f"follow {(options or {}).get(value.option, f'option {value.option + 1}')}"
    if isinstance(value, GiveAnswer):
        return "cannot tell" if value.is_unknown else f"answer: {value.text}"
    if isinstance(value, Rating):
        return f"{value.value:.2f}" + (f" – {value.reason}" if value.reason else "")
    if isinstance(value, Literal):
        return value.name
    if isinstance(value, list | tuple):
        return "; ".join(value_words(item, view, options) for item in value) or "none"
    return "none" if value is None else str(value)
