"""What a run may take, told before it starts: requests, tokens and money as ranges.

The bounds come from the method's settings (`kgcore.reasoners.workload`), the length of a request from the templates
in force, and what a request holds besides from what runs on the demo graphs held (typical.yaml, which
bench/estimates.py measures and writes). Beside the bounds stands what earlier runs like this one really took.
Repeated requests – a reply that could not be read, a provider that did not answer – come on top.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from kgcore.model.text import estimate_tokens
from kgcore.prompts import PromptSet
from kgcore.prompts.base import system_of
from kgcore.reasoners.workload import Asks
from kgcore.runs.budget import Budget

_FIELD = re.compile(r"\{\{\s*\w+\s*\}\}")
_ROLES = 8  # tokens that the two roles of a prompt take


@dataclass(frozen=True, slots=True)
class Range:
    """From `least` to `most`."""

    least: float
    most: float

    def __add__(self, other: Range) -> Range:
        return Range(self.least + other.least, self.most + other.most)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a model takes: dollars a token of prompt and reply, None where unknown; and whether it gives n samples at once.

    `is_loading`: both will be known in a moment.
    """

    prompt_usd: float | None = None
    reply_usd: float | None = None
    takes_n: bool | None = None
    is_loading: bool = False


FREE = Terms(0.0, 0.0, takes_n=True)


@dataclass(frozen=True, slots=True)
class Observed:
    """What earlier runs with the same method, model and settings took: the middle eight of ten, of n runs."""

    n: int
    requests: Range
    tokens: Range
    usd: Range


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run may take; `usd` is None where a price is unknown, `is_offline` where no model is asked.

    `is_loading` says that prices, and how samples are asked for, will be known in a moment.
    """

    requests: Range
    tokens: Range
    usd: Range | None
    budget: Budget
    observed: Observed | None = None
    is_offline: bool = False
    is_loading: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """In which words requests are made: the prompt set, the language, the question."""

    prompts: PromptSet
    language: str
    question: str


@dataclass(frozen=True, slots=True)
class _Part:
    requests: Range
    prompt: Range
    reply: Range
    usd: Range | None


def estimate(
    asks: Sequence[Asks],
    wording: Wording,
    terms: Mapping[str, Terms],
    *,
    budget: Budget,
    observed: Observed | None = None,
    is_offline: bool = False,
) -> Estimate:
    """Return the sum over all points at which a model is asked; `terms` are those of each role's model."""
    parts = [_part(one, wording, terms.get(one.role, terms["reason"])) for one in asks]
    nothing = Range(0, 0)
    usd: Range | None = nothing
    for part in parts:
        usd = None if usd is None or part.usd is None else usd + part.usd
    return Estimate(
        sum((part.requests for part in parts), nothing),
        sum((part.prompt + part.reply for part in parts), nothing),
        usd,
        budget,
        observed,
        is_offline,
        any(one.is_loading for one in terms.values()),
    )


def _part(asks: Asks, wording: Wording, terms: Terms) -> _Part:
    """Return what one point takes. Without n samples at once, each sample is a request with the whole prompt."""
    sizes = [_size(name, wording) for name in asks.templates]
    prompt = Range(min(p.least for p, _ in sizes), max(p.most for p, _ in sizes))
    reply = Range(min(r.least for _, r in sizes), max(r.most for _, r in sizes))
    at_least = 1 if terms.takes_n is not False else asks.samples
    at_most = 1 if terms.takes_n else asks.samples
    requests = Range(asks.least * at_least, asks.most * at_most)
    prompts = Range(requests.least * prompt.least, requests.most * prompt.most)
    n_replies = asks.least * asks.samples, asks.most * asks.samples
    replies = Range(n_replies[0] * reply.least, n_replies[1] * reply.most)
    usd = None
    if terms.prompt_usd is not None and terms.reply_usd is not None:
        usd = Range(
            prompts.least * terms.prompt_usd + replies.least * terms.reply_usd,
            prompts.most * terms.prompt_usd + replies.most * terms.reply_usd,
        )
    return _Part(requests, prompts, replies, usd)


def _size(template: str, wording: Wording) -> tuple[Range, Range]:
    """Return how long a request is, and one reply to it, in tokens."""
    fixed = fixed_tokens(template, wording)
    held = typical().get(template, {})
    least, most = held.get("prompt", (0, 0))
    return Range(fixed + least, fixed + most), Range(*held.get("reply", (1, 0)))


def fixed_tokens(template: str, wording: Wording) -> int:
    """Return the tokens of a request without what its fields hold, but with the question."""
    prompts, language = wording.prompts, wording.language
    parts = (
        prompts.template(system_of(template), language),
        prompts.examples(template, language),
        _FIELD.sub("", prompts.template(template, language)),
        wording.question,
    )
    return sum(estimate_tokens(part) for part in parts) + _ROLES


@cache
def typical() -> Mapping[str, Mapping[str, tuple[int, int]]]:
    """Return, by template, the tokens that fields and replies usually take: from the 5th to the 95th percentile."""
    file = resources.files("kgcore.runs") / "typical.yaml"
    data: dict[str, dict[str, list[int]]] = yaml.safe_load(file.read_text("utf-8")) or {}
    return {
        name: {kind: (low, high) for kind, (low, high) in sizes.items()}
        for name, sizes in data.items()
    }
