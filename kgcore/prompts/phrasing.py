"""How a node of the search is put into words: what its names stand for, its facts, its steps, its options.

All text that comes from a graph or a model is kept to one line, since it is data.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from kgcore.model import EntityId, Subgraph, Triple
from kgcore.model.render import entity_text, render_subgraph, render_triples
from kgcore.model.text import one_line
from kgcore.prompts.fitting import Facts
from kgcore.prompts.values import Taken
from kgcore.prompts.wording import say
from kgcore.ranking.stems import overlap
from kgcore.steps import RelationOption, Seed

QUESTION_LIMIT = 4000
THOUGHT_LIMIT = 800
EXAMPLE_LIMIT = 60


def question_line(question: str) -> str:
    """Write the question on one line."""
    return one_line(question, QUESTION_LIMIT)


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
