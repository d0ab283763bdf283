"""From what a person writes to a correction: ids or exact names are looked up, what is ambiguous is refused.

A subject or a new object that no graph knows gets an id of its own (`local:…`); what is to be retracted or replaced
must be there. The graph that is asked should be the corrected one, so that what a person sees can be corrected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kgcore.corrections.correction import Action, Correction, mint
from kgcore.corrections.graph import CorrectedGraph
from kgcore.corrections.proposal import checked
from kgcore.errors import InputError
from kgcore.kg import KnowledgeGraph, ListsRelations
from kgcore.kg.files.cells import looks_like_id, value_type
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Triple
from kgcore.prompts.wording import fold

LONGEST_NAME = 300  # characters of a thing that no graph knows
_CANDIDATES, _EDGES, _SHOWN = 50, 1_000, 8
_QUOTED = re.compile(
    r'"(?P<text>.*)"(?:@(?P<lang>[A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^(?P<type>\S+))?', re.S
)
IS_ID = re.compile(r"<\S+>|[A-Za-z][\w.-]*:\S+")
_UNIT = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wrote: ids or exact names, a value as it is or as `"text"@en`, `"1970"^^xsd:gYear`."""

    kg: str
    subject: str
    relation: str
    object: str
    action: Action
    new_object: str = ""
    author: str = "local"
    reason: str = ""
    evidence: str = ""


def understand(wish: Wish, graph: KnowledgeGraph) -> Correction:
    """Return the correction a person means; InputError says what is unknown or ambiguous."""
    is_added = wish.action == "add"
    subject = _entity(wish.subject, graph, may_mint=is_added)
    relation = _relation(wish, subject, graph)
    new: Entity | Literal | None = None
    if is_added:
        held = graph.edges((subject.id,), relation.id, "out", limit=_EDGES).triples
        end = new_end(wish.object, graph, [t.object for t in held])
        if any(t.object == end for t in held):
            raise InputError(f"{wish.kg} holds that triple already: {_named(held[0], end)}")
    else:
        end = _held_end(wish, subject, relation, graph)
        if wish.action == "replace":
            new = new_end(wish.new_object, graph, [end])
    return checked(
        Correction(
            "",
            wish.action,
            subject,
            relation,
            end,
            new,
            author=wish.author.strip() or "local",
            reason=wish.reason.strip(),
            kg=wish.kg,
            evidence=wish.evidence.strip(),
        )
    )


def correction_of(
    triple: Triple, action: Action, *, new_object: Entity | Literal | None = None, **said: str
) -> Correction:
    """Return the correction of a triple at hand: of a proof, of a graph on screen."""
    said.setdefault("kg", triple.kg)
    subject, relation = triple.subject, triple.relation
    return checked(Correction("", action, subject, relation, triple.object, new_object, **said))


def _entity(text: str, graph: KnowledgeGraph, *, may_mint: bool) -> Entity:
    text = text.strip()
    if not text:
        raise InputError("a name or an id is missing")
    if IS_ID.fullmatch(text):
        known = _by_id(text, graph)
        if known is not None:
            return known
    found = [c.entity for c in graph.link(text, limit=_CANDIDATES).items]
    named = [e for e in dict.fromkeys(found) if fold(e.label) == fold(text)]
    if len(named) == 1:
        return named[0]
    if named:
        raise InputError(f"{text!r} is the name of several: {_listed(e.id for e in named)}")
    if looks_like_id(text):
        raise InputError(f"{graph.id} has no entity {text}")
    if may_mint and len(text) > LONGEST_NAME:
        raise InputError(f"a name for a new thing has at most {LONGEST_NAME} characters")
    if may_mint:
        return mint(text)
    near = _listed(f"{e.name} ({e.id})" for e in dict.fromkeys(found))
    raise InputError(
        f"{graph.id} has nothing called {text!r}" + (f"; near: {near}" if near else "")
    )


def _by_id(text: str, graph: KnowledgeGraph) -> Entity | None:
    try:
        Prefixes().expand(text)
    except InputError:
        return None
    found = graph.describe((EntityId(text),)).entities
    return found[0] if found else None


def _relation(wish: Wish, subject: Entity, graph: KnowledgeGraph) -> Relation:
    """Return the relation of a subject; one that is to be added may be known from the object, or by name or id."""
    text, is_added = wish.relation.strip(), wish.action == "add"
    own = [o.relation for o in graph.relations((subject.id,)).items if o.direction == "out"]
    leading = _leading_to(wish.object, graph) if is_added else []
    known = list(dict.fromkeys([*own, *leading]))
    by_id = [r for r in known if r.id == text]
    named = by_id or [r for r in known if fold(r.label) == fold(text)]
    if len(named) == 1:
        return named[0]
    if named:
        raise InputError(f"{text!r} is the name of several: {_listed(r.id for r in named)}")
    if is_added and IS_ID.fullmatch(text):
        return Relation(RelationId(text), kg=graph.id)
    called = _called(text, graph) if is_added else []
    if len(called) == 1:
        return called[0]
    if called:
        raise InputError(f"{text!r} is the name of several: {_listed(r.id for r in called)}")
    there = _listed(f"{r.name} ({r.id})" for r in own) or "none"
    hint = "; give the id of another one" if is_added else ""
    raise InputError(f"{subject.name} has no relation {text!r}; it has: {there}{hint}")


def _called(text: str, graph: KnowledgeGraph) -> list[Relation]:
    """Return the relations of this name anywhere in a graph that keeps a list of them."""
    inner = graph.graph if isinstance(graph, CorrectedGraph) else graph
    listed = inner.all_relations() if isinstance(inner, ListsRelations) else ()
    return [relation for relation in listed if fold(relation.label) == fold(text)]


def _leading_to(text: str, graph: KnowledgeGraph) -> list[Relation]:
    """Return the relations that lead to what a text names, where it names something."""
    try:
        end = _entity(text, graph, may_mint=False)
    except InputError:
        return []
    return [o.relation for o in graph.relations((end.id,)).items if o.direction == "in"]


def _held_end(
    wish: Wish, subject: Entity, relation: Relation, graph: KnowledgeGraph
) -> Entity | Literal:
    """Return the end of the triple that is to be retracted or replaced."""
    text = wish.object.strip()
    held = graph.edges((subject.id,), relation.id, "out", limit=_EDGES).triples
    ends = list(dict.fromkeys(t.object for t in held))
    fits: list[Entity | Literal] = [e for e in ends if isinstance(e, Entity) and e.id == text]
    fits = fits or [e for e in ends if _is_called(e, text)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise InputError(f"{text!r} is the name of several: {_listed(map(_told, fits))}")
    there = _listed(map(_told, ends)) or "nothing"
    raise InputError(
        f"{wish.kg} has no triple {subject.name} – {relation.name} – {text}; it says: {there}"
    )


def _is_called(end: Entity | Literal, text: str) -> bool:
    if isinstance(end, Entity):
        return fold(end.name) == fold(text)
    quoted = _QUOTED.fullmatch(text)
    return text in (end.value, end.name) or (quoted is not None and _literal(quoted) == end)


def new_end(text: str, graph: KnowledgeGraph, like: Sequence[Entity | Literal]) -> Entity | Literal:
    """Read a new object from a text: a value where it looks like one or the old object is one, else an entity."""
    text = text.strip()
    quoted = _QUOTED.fullmatch(text)
    if quoted is not None:
        return _literal(quoted)
    values = [end for end in like if isinstance(end, Literal)]
    kind = value_type(text)
    if values and len(values) == len(like) and not looks_like_id(text):
        return _like(text, kind, values[0])
    if kind and not any(isinstance(end, Entity) for end in like):
        return Literal(text, Prefixes().shorten(kind))
    return _entity(text, graph, may_mint=True)


def _like(text: str, kind: str, old: Literal) -> Literal:
    """Return a value of the kind of another one, where it can be of that kind."""
    number, _, unit = text.partition(" ")
    if old.unit and unit and value_type(number):
        return Literal(number, old.datatype, unit=_UNIT.sub(" ", unit))
    if not old.datatype or not kind:
        return Literal(text, "" if old.datatype else old.datatype, old.lang)
    found = Prefixes().shorten(kind)
    is_date = "date" in old.datatype.lower() or "gyear" in old.datatype.lower()
    if is_date and re.fullmatch(r"-?\d{4}", text):
        return Literal(text, "xsd:gYear")
    keeps_kind = not is_date and found == "xsd:integer"  # a whole number is of any kind of number
    return Literal(text, old.datatype if keeps_kind else found, unit=old.unit)


def _literal(quoted: re.Match[str]) -> Literal:
    if not quoted["text"]:
        raise InputError("a value is not empty")
    kind = quoted["type"] or ""
    if kind:
        kind = Prefixes().shorten(Prefixes().expand(kind))
    return Literal(quoted["text"], kind, quoted["lang"] or "")


def _told(end: Entity | Literal) -> str:
    return f"{end.name} ({end.id})" if isinstance(end, Entity) else end.name


def _named(triple: Triple, end: Entity | Literal) -> str:
    return f"{triple.subject.name} – {triple.relation.name} – {end.name}"


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more
