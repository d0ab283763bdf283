"""How a prompt that is too long shrinks.

The subgraph shrinks first, then a list of options from its end, then the oldest steps. Nothing goes without
being counted, in the prompt itself and in what is told to the person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kgcore.model.text import estimate_tokens
from kgcore.prompts.wording import say

Facts = Callable[[int | None], tuple[str, int]]  # budget → text, number of triples left out


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a prompt that can shrink."""

    facts: Facts
    options: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    language: str = "en"
    keeps_last_option: bool = False  # "none of these" stays


@dataclass(frozen=True, slots=True)
class Fitted:
    """The parts as they fit, and in words what was left out."""

    facts: str
    options: str
    steps: str
    left_out: tuple[str, ...] = ()


def fit(parts: Parts, budget: int | None) -> Fitted:
    """Shrink the parts to `budget` tokens by the rule; the shortest form when even that is too long."""
    if budget is None:
        return _fitted(parts, None, len(parts.options), len(parts.steps))
    fixed = estimate_tokens(_options(parts, len(parts.options)) + _steps(parts, len(parts.steps)))
    room = budget - fixed - 2
    least = estimate_tokens(parts.facts(0)[0])
    if room >= least:
        return _fitted(parts, room, len(parts.options), len(parts.steps))
    n_options, n_steps = len(parts.options), len(parts.steps)
    room = budget - least - 2
    while n_options > 1 + parts.keeps_last_option and _size(parts, n_options, n_steps) > room:
        n_options -= 1
    while n_steps > 0 and _size(parts, n_options, n_steps) > room:
        n_steps -= 1
    return _fitted(parts, 0, n_options, n_steps)


def _fitted(parts: Parts, room: int | None, n_options: int, n_steps: int) -> Fitted:
    facts, n_facts = parts.facts(room)
    left_out: list[str] = []
    for count, one, many in (
        (n_facts, "fact of the subgraph", "facts of the subgraph"),
        (len(parts.options) - n_options, "option", "options"),
        (len(parts.steps) - n_steps, "earlier step", "earlier steps"),
    ):
        if count:
            left_out.append(f"{count} {one if count == 1 else many}")
    facts = facts or say(parts.language, "no_facts")
    return Fitted(facts, _options(parts, n_options), _steps(parts, n_steps), tuple(left_out))


def _size(parts: Parts, n_options: int, n_steps: int) -> int:
    return estimate_tokens(_options(parts, n_options) + _steps(parts, n_steps))


def _options(parts: Parts, n: int) -> str:
    if n >= len(parts.options):
        return "\n".join(parts.options)
    last = parts.options[-1:] if parts.keeps_last_option else ()
    shown = parts.options[: n - len(last)]
    more = say(parts.language, "more_options", n=len(parts.options) - n)
    return "\n".join([*shown, more, *last])


def _steps(parts: Parts, n: int) -> str:
    if not parts.steps:
        return say(parts.language, "no_steps")
    if n == len(parts.steps):
        return "\n".join(parts.steps)
    earlier = say(parts.language, "earlier_steps", n=len(parts.steps) - n)
    return "\n".join([earlier, *parts.steps[len(parts.steps) - n :]])
