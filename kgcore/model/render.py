"""A subgraph as compact YAML text for a prompt.

Entities come in the order of growth, each once, with its edges grouped by relation. An edge is written under
whichever of its two entities came first, read backwards if need be, so that text already written moves little
as a subgraph grows. An entity that only ends edges is named where they lead. Under a token budget, relevance
decides what is left out; the order stays, and every omission is counted in the text:

    E1 Inception – 2010 film:
      director: E3 Christopher Nolan
      cast member: [E4 Leonardo DiCaprio, E5 Tom Hardy, + 12 more]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from kgcore.model.subgraph import Subgraph
from kgcore.model.terms import Direction, Entity, EntityId, Literal, Triple
from kgcore.model.text import cut, estimate_tokens, token_weight, yaml_scalar

LABEL_LIMIT = 120
DESCRIPTION_LIMIT = 100
VALUE_LIMIT = 300
DESCRIBED_TARGETS = 3  # of so few targets a description is shown as well
Relevance = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class _Edge:
    """A triple as it is written: under `owner`, along `phrase`, to `target`; an entity of its own has no phrase."""

    owner: EntityId
    phrase: str
    target: str
    end: EntityId | None
    text: str
    rank: int  # its place in its group


@dataclass(slots=True)
class _Layout:
    """All edges of a subgraph in the order they are written, and what was not fetched."""

    headers: dict[EntityId, str] = field(default_factory=dict)
    edges: list[_Edge] = field(default_factory=list)
    unfetched: dict[EntityId, Counter[str]] = field(default_factory=dict)


def render_subgraph(
    subgraph: Subgraph, *, max_tokens: int | None = None, relevance: Relevance | None = None
) -> tuple[str, int]:
    """Return the text and how many triples had to be left out to stay within `max_tokens`.

    `relevance` scores a triple in words. Of equally relevant triples the first of each relation stay longest.
    Even where nothing fits, the text says how much there is.
    """
    layout = _lay_out(subgraph, subgraph.triples, subgraph.entities)
    return _render(layout, max_tokens, relevance)


def render_triples(
    subgraph: Subgraph,
    triples: Iterable[Triple],
    *,
    max_tokens: int | None = None,
    relevance: Relevance | None = None,
) -> tuple[str, int]:
    """Render some triples of a subgraph in the same way, with its handles."""
    layout = _lay_out(subgraph, tuple(triples), ())
    layout.unfetched.clear()
    return _render(layout, max_tokens, relevance)


def entity_text(subgraph: Subgraph, entity: Entity) -> str:
    """Return handle and label, as the targets of edges are written; the label alone outside the subgraph."""
    label = cut(entity.name, LABEL_LIMIT)
    return f"{subgraph.handle(entity.id)} {label}" if entity.id in subgraph else label


def _lay_out(
    subgraph: Subgraph, triples: tuple[Triple, ...], entities: tuple[Entity, ...]
) -> _Layout:
    order = {entity.id: number for number, entity in enumerate(subgraph.entities)}
    layout = _Layout({e.id: _header(subgraph, e) for e in subgraph.entities})
    placed = [_place(triple, order) for triple in triples]
    sizes = Counter((owner, phrase) for owner, phrase, _ in placed)
    described = {owner for owner, _, _ in placed}
    same_label = Counter(entity.name for entity in subgraph.entities)
    ranks: Counter[tuple[EntityId, str]] = Counter()
    seen: set[EntityId] = set()
    for triple, (owner, phrase, end) in zip(triples, placed, strict=True):
        if isinstance(end, Entity):
            is_few = sizes[owner, phrase] <= DESCRIBED_TARGETS and end.id not in described
            is_long = is_few or same_label[end.name] > 1
            target = layout.headers[end.id] if is_long else entity_text(subgraph, end)
            described.add(end.id)
            seen.add(end.id)
        else:
            target = cut(end.name, VALUE_LIMIT)
        end_id = end.id if isinstance(end, Entity) else None
        rank = ranks[owner, phrase]
        layout.edges.append(_Edge(owner, phrase, target, end_id, triple.text, rank))
        ranks[owner, phrase] += 1
        seen.add(owner)
    layout.unfetched = _unfetched(subgraph)
    for entity in entities:
        if entity.id not in seen and entity.id not in layout.unfetched:
            layout.edges.append(_Edge(entity.id, "", "", None, "", -1))
    return layout


def _place(triple: Triple, order: Mapping[EntityId, int]) -> tuple[EntityId, str, Entity | Literal]:
    """Return where a triple is written: under which entity, along which words, to what."""
    owner, end = triple.subject.id, triple.object
    direction: Direction = "out"
    if isinstance(end, Entity) and order[end.id] < order[owner]:
        owner, end, direction = end.id, triple.subject, "in"
    return owner, cut(triple.relation.phrase(direction), LABEL_LIMIT), end


def _header(subgraph: Subgraph, entity: Entity) -> str:
    text = entity_text(subgraph, entity)
    return f"{text} – {cut(entity.description, DESCRIPTION_LIMIT)}" if entity.description else text


def _unfetched(subgraph: Subgraph) -> dict[EntityId, Counter[str]]:
    """Count the edges that exist and were not fetched, by entity and relation in words."""
    relations = {t.relation.id: t.relation for t in reversed(subgraph.triples)}
    counts: dict[EntityId, Counter[str]] = {}
    for (entity_id, relation_id, direction), count in subgraph.more.items():
        if entity_id not in subgraph or count <= 0:
            continue
        relation = relations.get(relation_id)
        phrase = relation.phrase(direction) if relation else str(relation_id)
        owner = subgraph.canonical(entity_id)
        counts.setdefault(owner, Counter())[cut(phrase, LABEL_LIMIT)] += count
    return counts


def _render(
    layout: _Layout, max_tokens: int | None, relevance: Relevance | None
) -> tuple[str, int]:
    text = _write(layout, layout.edges, is_whole=True)
    if max_tokens is None or estimate_tokens(text) <= max_tokens:
        return text, 0
    kept = _choose(layout, max_tokens, relevance)
    text = _in_order(layout, kept)
    while kept and estimate_tokens(text) > max_tokens:
        kept = kept[: len(kept) * 9 // 10]
        text = _in_order(layout, kept)
    n_shown = sum(1 for i in kept if layout.edges[i].phrase)
    return text, sum(1 for edge in layout.edges if edge.phrase) - n_shown


def _in_order(layout: _Layout, kept: list[int]) -> str:
    return _write(layout, [layout.edges[i] for i in sorted(kept)], is_whole=False)


def _choose(layout: _Layout, max_tokens: int, relevance: Relevance | None) -> list[int]:
    """Return the edges that fit, most relevant first."""
    scores = {
        i: relevance(edge.text) if relevance and edge.phrase else 0.0
        for i, edge in enumerate(layout.edges)
    }
    first = sorted(
        scores, key=lambda i: (layout.edges[i].rank >= 0, -scores[i], layout.edges[i].rank, i)
    )
    room = max_tokens - 8.0  # for the line that counts what is not shown
    kept: list[int] = []
    open_groups: set[tuple[EntityId, str]] = set()
    open_entities: set[EntityId] = set()
    for i in first:
        edge = layout.edges[i]
        cost = token_weight(edge.target) + 0.5
        if (edge.owner, edge.phrase) not in open_groups:
            cost += token_weight(edge.phrase) + 4
        if edge.owner not in open_entities:
            cost += token_weight(layout.headers[edge.owner]) + 5
        if cost > room:
            continue
        room -= cost
        kept.append(i)
        open_groups.add((edge.owner, edge.phrase))
        open_entities.add(edge.owner)
    return kept


def _write(layout: _Layout, edges: list[_Edge], *, is_whole: bool) -> str:
    """Write some of the edges; of a whole subgraph the edges not fetched are counted by relation."""
    shown: dict[EntityId, dict[str, dict[str, str]]] = {}
    for edge in edges:
        targets = shown.setdefault(edge.owner, {}).setdefault(edge.phrase, {})
        targets.setdefault(edge.end or f"={edge.target}", edge.target)
    missing = _missing(layout, edges)
    owners = set(shown) | (set(missing) if is_whole else set())
    lines: list[str] = []
    for entity_id, header in layout.headers.items():
        if entity_id not in owners:
            continue
        lines.append(f"{yaml_scalar(header)}:")
        lines.extend(
            _group_lines(shown.get(entity_id, {}), missing.pop(entity_id, Counter()), is_whole)
        )
    n_missing = sum(count for counts in missing.values() for count in counts.values())
    if n_missing:
        lines.append(f"not shown: + {n_missing} more")
    return "\n".join(lines)


def _missing(layout: _Layout, edges: list[_Edge]) -> dict[EntityId, Counter[str]]:
    """Count what exists beyond these edges, fetched or not, by entity and relation."""
    missing = {owner: Counter(counts) for owner, counts in layout.unfetched.items()}
    for edge in layout.edges:
        if edge.phrase:
            missing.setdefault(edge.owner, Counter())[edge.phrase] += 1
    for edge in edges:
        if edge.phrase:
            missing[edge.owner][edge.phrase] -= 1
    return {owner: +counts for owner, counts in missing.items() if +counts}


def _group_lines(
    groups: Mapping[str, Mapping[str, str]], missing: Counter[str], is_whole: bool
) -> Iterable[str]:
    for phrase, targets in groups.items():
        if not phrase:
            continue
        n_more = missing.pop(phrase, 0)
        items = [*targets.values(), *([f"+ {n_more} more"] if n_more else [])]
        if len(items) == 1:
            yield f"  {yaml_scalar(phrase)}: {yaml_scalar(items[0])}"
        else:
            flow = ", ".join(yaml_scalar(item, is_flow=True) for item in items)
            yield f"  {yaml_scalar(phrase)}: [{flow}]"
    if is_whole:
        for phrase, count in missing.items():
            yield f"  {yaml_scalar(phrase)}: + {count} more"
    elif missing:
        yield f"  not shown: + {sum(missing.values())} more"
