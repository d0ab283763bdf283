"""What a provider's reply holds: samples that can be used, samples that cannot and why, and what it cost.

The vendor's objects end here. A success on the wire may still be empty, refused, filtered or cut short; the
vendor library raises for none of these, so each choice is looked at.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import Any

from kgcore.errors import EmptyReplyError, FilteredError, ServiceError, UnreadableReplyError
from kgcore.model.text import estimate_tokens
from kgcore.prompts import TypedRequest
from kgcore.steps import Usage

MAX_CHARS = 200_000  # of one sample; what is longer is cut and counts as cut
_SLACK = 1_000  # tokens a provider may add of its own: wrappers, hidden instructions
_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_MAX_REFUSAL_CHARS = 400
# Declining to help, and only that: "I cannot answer this from the facts" is an answer.
_REFUSAL = re.compile(
    r"(?:(?:i'?m|i am) (?:very )?sorry,? (?:but )?)?(?:as an ai\b[^.,]*, )?"
    r"i(?: can(?:'|no| no)?t|(?:'m| am) (?:unable|not able) to| won't| will not)"
    r" (?:help|assist|comply|discuss|fulfil|engage|provide (?:that|this|such))"
    r"|(?:(?:很?抱歉|对不起)[，,]?\s*)?我?(?:无法|不能|不便)(?:协助|帮助|帮你|帮您|讨论|提供(?:此|该|这))",
    re.IGNORECASE,
)
_OPEN_THOUGHT = re.compile(r"^\s*<think(?:ing)?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sample:
    """One choice of a reply; `problem` is "", "empty", "cut", "filtered" or "refused"."""

    text: str
    problem: str = ""
    n_chars: int = 0  # as it came, whitespace and all


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars a token."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply as plain values; counts and cost are None where the provider gave none."""

    samples: tuple[Sample, ...]
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    prices: Prices | None = None


def read_completion(response: Any, model: str, litellm: Any) -> Completion:
    """Return the plain values of a litellm response."""
    usage = getattr(response, "usage", None)
    known = model_facts(litellm, model)
    return Completion(
        tuple(read_choice(choice) for choice in response.choices or ()),
        _count(getattr(usage, "prompt_tokens", None)),
        _count(getattr(usage, "completion_tokens", None)),
        _cost(litellm, response, model) if known else None,
        prices_of(known),
    )


def read_choice(choice: Any) -> Sample:
    """Return a sample for a choice, labelled when it is no complete reply."""
    message = getattr(choice, "message", None)
    text = getattr(message, "content", None) or ""
    n_chars = len(text)
    finish = str(getattr(choice, "finish_reason", "") or "")
    if finish == "content_filter":
        return Sample("", "filtered", n_chars)
    if _refusal(message):
        return Sample("", "refused", n_chars)
    text = _THOUGHTS.sub("", text[:MAX_CHARS], count=1).strip()
    if finish == "length" or _OPEN_THOUGHT.match(text):
        return Sample("" if _OPEN_THOUGHT.match(text) else text, "cut", n_chars)
    if text and n_chars > MAX_CHARS:
        return Sample(text, "cut", n_chars)
    return Sample(text, "" if text else "empty", n_chars)


def _refusal(message: Any) -> str:
    direct = getattr(message, "refusal", None)
    fields = getattr(message, "provider_specific_fields", None)
    nested = fields.get("refusal") if isinstance(fields, dict) else None
    return str(direct or nested or "")


def label_refusals(samples: list[Sample], request: TypedRequest) -> list[Sample]:
    """Label the samples that decline in plain text; a text that the request can read is no refusal."""
    return [
        Sample("", "refused", s.n_chars) if not s.problem and _declines(s.text, request) else s
        for s in samples
    ]


def _declines(text: str, request: TypedRequest) -> bool:
    plain = text.replace("’", "'")
    if len(plain) > _MAX_REFUSAL_CHARS or not _REFUSAL.match(plain):
        return False
    try:
        request.read(text)
    except UnreadableReplyError:
        return True
    return False


def usable(samples: list[Sample], service: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the complete texts and a note for what is left out; the reason as an error when none is left."""
    texts = tuple(s.text for s in samples if not s.problem)
    if not texts:
        raise _reason(samples[0].problem, service)
    notes = []
    for problem in sorted({s.problem for s in samples if s.problem}):
        n_left_out = sum(s.problem == problem for s in samples)
        notes.append(f"{n_left_out} of {len(samples)} samples left out: {_WORDS[problem]}")
    return texts, tuple(notes)


_WORDS = {
    "cut": "cut off before the end",
    "empty": "empty",
    "filtered": "withheld by the content filter",
    "refused": "the model refused",
}


def _reason(problem: str, service: str) -> ServiceError:
    error: ServiceError
    if problem == "filtered":
        return FilteredError(f"the content filter of {service} withheld the reply")
    if problem == "refused":
        error = FilteredError(f"the model at {service} refused to answer")
        error.kind = "refused"
        return error
    if problem == "cut":
        error = ServiceError(f"the reply of {service} was cut off before its end")
        error.kind = "cut"
        return error
    return EmptyReplyError(f"{service} sent an empty reply")


def model_facts(litellm: Any, model: str) -> dict[str, Any]:
    """Return what litellm's own table says of a model; empty when it does not know it.

    The table is read directly: for some providers litellm's functions would ask a server.
    """
    table: dict[str, dict[str, Any]] = litellm.model_cost
    if model in table:
        return table[model]
    provider, _, rest = model.partition("/")
    entry = table.get(rest, {})
    return entry if entry.get("litellm_provider") == provider else {}


def prices_of(known: dict[str, Any]) -> Prices | None:
    """Return the prices in what is known of a model; None where it names none."""
    prompt, completion = known.get("input_cost_per_token"), known.get("output_cost_per_token")
    if isinstance(prompt, (int, float)) and isinstance(completion, (int, float)):
        return Prices(float(prompt), float(completion))
    return None


def _cost(litellm: Any, response: Any, model: str) -> float | None:
    with contextlib.suppress(Exception):  # its price table has gaps of many kinds
        cost = litellm.completion_cost(completion_response=response, model=model)
        if isinstance(cost, (int, float)) and cost >= 0:
            return float(cost)
    return None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def usage_of(completion: Completion, prompt: str, max_tokens: int) -> Usage:
    """Return what one request cost, by the provider's counts where they can be true, else by our own.

    A count can be true when the text has so many bytes at all, and not absurdly few. Hidden reasoning makes a
    completion longer than its text, but never longer than the limit that was sent.
    """
    n_samples = max(1, len(completion.samples))
    n_reply_chars = sum(s.n_chars for s in completion.samples)
    own_prompt = estimate_tokens(prompt)
    own_completion = sum(
        max(estimate_tokens(s.text), -(-s.n_chars // 4)) for s in completion.samples
    )
    most_prompt = n_samples * (len(prompt.encode("utf-8", "replace")) + _SLACK)
    most_completion = max(n_samples * max_tokens, 4 * n_reply_chars) + _SLACK
    prompt_tokens = _believed(completion.prompt_tokens, own_prompt, most_prompt)
    completion_tokens = _believed(completion.completion_tokens, own_completion, most_completion)
    is_counted = prompt_tokens is not None and completion_tokens is not None
    prompt_tokens = own_prompt if prompt_tokens is None else prompt_tokens
    completion_tokens = own_completion if completion_tokens is None else completion_tokens
    cost = completion.cost_usd if is_counted else None
    is_priced = cost is not None
    if cost is None and completion.prices is not None:
        prices = completion.prices
        cost = prices.prompt * prompt_tokens + prices.completion * completion_tokens
    return Usage(
        llm_requests=1,
        completions=len(completion.samples),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost_usd=cost or 0.0,
        is_estimated=not (is_counted and is_priced),
    )


def _believed(count: int | None, own: int, most: int) -> int | None:
    """Return the provider's count when it can be true."""
    least = 1 if 0 < own < 20 else own // 10
    return count if count is not None and least <= count <= most else None
