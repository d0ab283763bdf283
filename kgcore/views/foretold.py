"""In words, what a run may take: requests, tokens and money as ranges, with the budget's limit and earlier runs beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kgcore.i18n import plural, translate
from kgcore.runs.budget import Budget
from kgcore.runs.estimate import Estimate, Range

__all__ = ["foretold", "foretold_data", "seen_before"]


def foretold(estimate: Estimate, language: str = "en") -> str:
    """Return the bounds as one line; without prices that are being loaded, nothing is guessed."""
    if estimate.is_loading:
        return translate("loading prices…", language)
    parts = [_calls(estimate, language)]
    if estimate.is_offline:
        parts.append(translate("no cost", language))
    else:
        parts.append(translate("{n} tokens", language, n=_range(estimate.tokens, _tokens)))
        parts.append(_money(estimate, language))
    line = " · ".join(parts)
    limits = _limits(estimate.budget, estimate, language)
    if limits:
        said = translate("at most {limits} by your budget", language, limits=", ".join(limits))
        line = translate("{line}; {limits}", language, line=line, limits=said)
    return f"≈ {line}"


def seen_before(estimate: Estimate, language: str = "en") -> str:
    """Return as one line what earlier runs like this took; "" where there are too few."""
    seen = estimate.observed
    if seen is None:
        return ""
    calls = translate("{n} calls", language, n=_range(seen.requests, _whole))
    parts = [calls]
    if seen.tokens.most:
        parts.append(translate("{n} tokens", language, n=_range(seen.tokens, _tokens)))
    if seen.usd.most:
        parts.append(_range(seen.usd, _dollars))
    return translate(
        "{n} earlier runs like this: {spent}", language, n=seen.n, spent=" · ".join(parts)
    )


def foretold_data(estimate: Estimate) -> dict[str, Any]:
    """Return the estimate as plain data; `usd` is null where a price is unknown."""
    seen = estimate.observed
    return {
        "requests": _pair(estimate.requests),
        "tokens": _pair(estimate.tokens),
        "usd": None if estimate.usd is None else _pair(estimate.usd),
        "is_offline": estimate.is_offline,
        "budget": {
            name: getattr(estimate.budget, name) for name in ("calls", "tokens", "usd", "seconds")
        },
        "observed": None
        if seen is None
        else {
            "runs": seen.n,
            "requests": _pair(seen.requests),
            "tokens": _pair(seen.tokens),
            "usd": _pair(seen.usd),
        },
    }


def _calls(estimate: Estimate, language: str) -> str:
    n, most = _range(estimate.requests, _whole), round(estimate.requests.most)
    if estimate.is_offline:
        return plural("{range} matcher call", "{range} matcher calls", most, language, range=n)
    return plural("{range} model call", "{range} model calls", most, language, range=n)


def _money(estimate: Estimate, language: str) -> str:
    if estimate.usd is None:
        return translate("price unknown", language)
    if not estimate.usd.most:
        return translate("no cost", language)
    return _range(estimate.usd, _dollars)


def _limits(budget: Budget, estimate: Estimate, language: str) -> list[str]:
    """Return those limits of the budget that the run may run into."""
    limits = []
    if budget.calls is not None and budget.calls < estimate.requests.most:
        limits.append(translate("{n} calls", language, n=f"{budget.calls:,}"))
    if estimate.is_offline:
        return limits
    if budget.tokens is not None and budget.tokens < estimate.tokens.most:
        limits.append(translate("{n} tokens", language, n=f"{budget.tokens:,}"))
    if budget.usd is not None and (estimate.usd is None or budget.usd < estimate.usd.most):
        limits.append(_dollars(budget.usd))
    return limits


def _range(values: Range, told: Callable[[float], str]) -> str:
    """Return a range in words: one value where both ends read alike, a unit once where both have it."""
    least, most = told(values.least), told(values.most)
    if least == most:
        return most
    if least.startswith("$"):
        return f"{least}–{most[1:]}"
    if least.endswith(" k") and most.endswith(" k"):
        return f"{least[:-2]}–{most}"
    return f"{least}–{most}"


def _whole(value: float) -> str:
    return f"{round(value):,}"


def _tokens(value: float) -> str:
    """Return a number of tokens, rounded as an estimate is: 840, 9.4 k, 120 k."""
    if value < 1000:
        return f"{round(value, -1):.0f}"
    thousands = value / 1000
    return f"{thousands:.1f} k" if thousands < 10 else f"{thousands:,.0f} k"


def _dollars(value: float) -> str:
    if value < 0.01:
        return f"${value:.4f}"
    return f"${value:.3f}" if value < 0.1 else f"${value:,.2f}"


def _pair(values: Range) -> list[float]:
    return [round(values.least, 6), round(values.most, 6)]
