"""How a node of the search is put into words: its question, subgraph and steps, and how they shrink to fit.

The rule for a prompt that is too long: the subgraph shrinks first (what shares words with the question stays
longest), then a list of options from its end, then the oldest steps. Nothing goes without being counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from kgcore.model import EntityId, Subgraph, Triple
from kgcore.model.render import entity_text, render_subgraph, render_triples
from kgcore.model.text import estimate_tokens, one_line
from kgcore.prompts.values import Taken
from kgcore.prompts.wording import say
from kgcore.ranking.stems import overlap
from kgcore.steps import RelationOption, Seed

THOUGHT_LIMIT = 800
EXAMPLE_LIMIT = 60
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


def facts_of(question: str, subgraph: Subgraph) -> Facts:
    """Return how the subgraph is rendered in a budget."""
    return lambda budget: render_subgraph(
        subgraph, max_tokens=budget, relevance=partial(overlap, question)
    )


def new_facts_of(question: str, subgraph: Subgraph, triples: Sequence[Triple]) -> Facts:
    """Return how some triples of a subgraph are rendered in a budget."""
    return lambda budget: render_triples(
        subgraph, triples, max_tokens=budget, relevance=partial(overlap, question)
    )


def seed_lines(subgraph: Subgraph, seeds: Sequence[Seed], language: str) -> str:
    """Write what the question's mentions stand for, a line each."""
    lines = []
    for seed in seeds:
        found = (
            names(subgraph, (seed.entity.id,))
            if seed.entity is not None and seed.entity.id in subgraph
            else one_line(seed.entity.name, 120)
            if seed.entity is not None
            else say(language, "not_linked")
        )
        lines.append(f"- “{one_line(seed.mention, 120)}”: {found}")
    return "\n".join(lines) or say(language, "no_seeds")


def names(subgraph: Subgraph, entities: Sequence[EntityId]) -> str:
    """Write handles and labels of some entities; an id that is not in the subgraph stands for itself."""
    return ", ".join(
        one_line(entity_text(subgraph, subgraph.entity(e))) if e in subgraph else one_line(e, 120)
        for e in entities
    )


def step_lines(subgraph: Subgraph, trajectory: Sequence[Taken], language: str) -> tuple[str, ...]:
    """Write the steps so far, numbered, a line each.

    The choice of entities says that the graph was expanded, and the choice of a relation from which entities,
    so the lines before them are left away.
    """
    told = [
        taken
        for taken, after in zip_longest(trajectory, trajectory[1:])
        if not (after and (taken.kind, after.kind) in _SAID_BY_NEXT)
    ]
    return tuple(f"{n}. {_step(subgraph, t, language)}" for n, t in enumerate(told, 1))


_SAID_BY_NEXT = {
    ("expand", "select_entities"),
    ("select_entities", "select_relation"),
}


def _step(subgraph: Subgraph, taken: Taken, language: str) -> str:
    text = one_line(taken.text, THOUGHT_LIMIT)
    if taken.kind == "select_relation" and taken.option is not None:
        relation = one_line(taken.option.phrase, 120)
        where = names(subgraph, taken.entities)
        return say(language, "select_relation", relation=relation, entities=where, n=taken.n_new)
    if taken.kind == "select_entities":
        where = names(subgraph, taken.entities) or text
        return say(language, "select_entities", entities=where)
    if taken.kind == "expand":
        return say(language, "expand")
    return say(language, taken.kind, text=text) if taken.kind in ("think", "answer") else text


def option_lines(
    subgraph: Subgraph,
    options: Sequence[RelationOption],
    entities: Sequence[EntityId],
    language: str,
    *,
    handles: Sequence[str],
) -> tuple[str, ...]:
    """Write relation options, a line each; two that read the same are told apart by their graph."""
    phrases = [option.phrase for option in options]
    lines = []
    for option, handle in zip(options, handles, strict=True):
        details = _details(subgraph, option, entities, language)
        if phrases.count(option.phrase) > 1 and option.relation.kg:
            details.insert(0, say(language, "in_graph", kg=one_line(option.relation.kg, 60)))
        lines.append(f"{handle} {one_line(option.phrase, 120)} → ({', '.join(details)})")
    return tuple(lines)


def _details(
    subgraph: Subgraph, option: RelationOption, entities: Sequence[EntityId], language: str
) -> list[str]:
    details = [say(language, "incoming")] if option.direction == "in" else []
    if option.is_at_least:
        details.append(say(language, "edges_at_least", n=option.count))
    else:
        details.append(say(language, "one_edge" if option.count == 1 else "edges", n=option.count))
    touched = {subgraph.canonical(e) for e in option.touches}
    wanted = tuple(dict.fromkeys(subgraph.canonical(e) for e in entities))
    if touched and not touched.issuperset(wanted):
        some = names(subgraph, [e for e in wanted if e in touched])
        details.append(say(language, "touches", entities=some))
    if option.targets:
        examples = ", ".join(one_line(t, EXAMPLE_LIMIT) for t in option.targets)
        details.append(say(language, "examples", examples=examples))
    elif option.target_types:
        types = ", ".join(one_line(t, EXAMPLE_LIMIT) for t in option.target_types)
        details.append(say(language, "target_types", types=types))
    return details
