"""Guesses what the columns of a table mean, from its header and first rows; a person sees the guess and corrects it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kgcore.kg.files import neo4j_columns
from kgcore.kg.files.cells import is_value, looks_like_id
from kgcore.kg.files.table_mapping import (
    TRIPLE,
    Column,
    ColumnMapping,
    ObjectKind,
    Role,
    known_role,
)

if TYPE_CHECKING:
    from kgcore.kg.files.tables import TableHead

Row = Sequence[str]
_MANY = 10  # rows that tell something
_FEW_SHARE = 0.5  # of distinct names among those of a relation, at most
_TEXT_LENGTH = 60  # cells longer than this are texts, not names


def _roles(names: Mapping[Role, str]) -> Mapping[str, Role]:
    return {word: role for role, words in names.items() for word in words.split()}


_TRIPLE_NAMES = _roles(
    {
        "subject": "subject subj s head headid h source src from start node1 entity1 subjectid sourceid subjectiri",
        "relation": "relation predicate property p r rel edge edgetype relationship relationtype verb propertyid "
        "predicateid attribute relationname relationshiptype predicatename propertyname",
        "object": "object obj o tail tailid t target dst dest to end node2 entity2 value objectid targetid objectiri",
        "subject_label": "subjectlabel headlabel sourcelabel",
        "relation_label": "relationlabel predicatelabel propertylabel",
        "object_label": "objectlabel taillabel targetlabel",
        "type": "subjecttype",
        "datatype": "datatype objecttype valuetype",
        "lang": "lang language languagetag",
    }
)
_SURE_NAMES = _roles(  # no row says these of anything
    {
        "subject": "subject",
        "relation": "relation predicate relationship verb attribute relationname relationtype relationshiptype "
        "predicatename propertyname",
        "object": "object",
    }
)
_WEAK_RELATION = ("type", "label")  # what Gephi and others call it, beside source and target
_ENTITY_NAMES = _roles(
    {
        "id": "id identifier key iri uri url qid mbid code entity entityid node nodeid",
        "label": "name label title fullname preflabel entitylabel",
        "type": "type types class category kind instanceof",
        "description": "description abstract summary",
    }
)


def propose_mapping(head: TableHead) -> ColumnMapping:
    """Propose what each column is for; pure. The proposal may be incomplete: `kind` is then empty."""
    columns = (
        neo4j_columns.propose(head.columns, has_header=head.has_header)
        or _named_triples(head)
        or _bare_triples(head)
        or _entities(head)
    )
    is_neo4j = neo4j_columns.is_export(head.columns)
    has_names = any(c.role == "subject_label" for c in columns)
    return ColumnMapping(
        columns,
        has_header=head.has_header,
        delimiter=head.delimiter,
        is_quoted=head.is_quoted,
        objects="entity" if is_neo4j or _are_numbered(head, columns) else "auto",
        are_ids=is_neo4j or has_names,
        note=neo4j_columns.NOTE if is_neo4j else "",
    )


def _are_numbered(head: TableHead, columns: Sequence[Column]) -> bool:
    """True when subjects and objects alike are numbers: then they are ids of things."""
    ends = [i for i, column in enumerate(columns) if column.role in ("subject", "object")]
    cells = [row[i] for row in head.rows for i in ends if i < len(row)]
    return len(ends) == 2 and bool(cells) and all(cell.strip().isdecimal() for cell in cells)


def has_header(rows: Sequence[Row]) -> bool:
    """Tell whether the first row names the columns."""
    if not rows or any(is_value(cell) or looks_like_id(cell) for cell in rows[0] if cell):
        return False
    first = list(rows[0])
    if neo4j_columns.is_export(first) or len(_found(first)) >= 2:
        return True
    if len(first) == 3 and any(known_role(name, _SURE_NAMES) for name in first):
        return True
    if any(known_role(name, _ENTITY_NAMES) for name in first) and len(first) != 3:
        return True
    if len(set(first)) < len(first) or any(len(name) > _TEXT_LENGTH for name in first):
        return False
    if any(known_role(name, _ENTITY_NAMES) in ("id", "label") for name in first[:1]):
        return True
    columns = list(zip(*[row for row in rows[1:] if len(row) == len(first)], strict=True))
    if any(c and all(is_value(x) or looks_like_id(x) for x in c if x) and any(c) for c in columns):
        return True  # numbers, dates or addresses under a word
    if sum(map(_is_small_above_capitals, first, columns)) > 1 or len(first) != 3:
        return len(first) > 1
    relation = _relation_column(rows[1:])
    return relation is not None and first[relation] not in columns[relation]


def _is_small_above_capitals(name: str, column: Sequence[str]) -> bool:
    """True for a word without a capital above names that all have one."""
    return name[:1].islower() and len(column) > 1 and all(cell[:1].isupper() for cell in column)


def _found(names: Sequence[str]) -> dict[Role, int]:
    """The columns of a triple among these names; of several that fit, the first."""
    found: dict[Role, int] = {}
    for position, name in enumerate(names):
        role = known_role(name, _TRIPLE_NAMES)
        if role is not None:
            found.setdefault(role, position)
    if "relation" not in found and {"subject", "object"} <= found.keys():
        for position, name in enumerate(names):
            if name.strip().casefold() in _WEAK_RELATION:
                found.setdefault("relation", position)
    return found


def _named_triples(head: TableHead) -> tuple[Column, ...]:
    if not head.has_header:
        return ()
    found = _found(head.columns)
    missing = [role for role in TRIPLE if role not in found]
    rest = [i for i in range(len(head.columns)) if i not in found.values()]
    is_sure = len(missing) == 1 or any(known_role(n, _SURE_NAMES) for n in head.columns)
    if missing and not (len(head.columns) == 3 and len(rest) == len(missing) and is_sure):
        return ()
    found.update(zip(missing, rest, strict=False))
    roles: dict[int, Role] = {position: role for role, position in found.items()}
    return tuple(Column(name, roles.get(i, "ignore")) for i, name in enumerate(head.columns))


def _bare_triples(head: TableHead) -> tuple[Column, ...]:
    """Three columns of which one repeats a few names are triples: that one is the relation."""
    if len(head.columns) != 3:
        return ()
    if head.has_header and any(known_role(name, _ENTITY_NAMES) for name in head.columns):
        return ()
    relation = _relation_column(head.rows)
    if relation is None:
        if head.has_header or len(head.rows) >= _MANY:
            return ()
        relation = 1
    roles: list[Role] = ["subject", "object"]
    roles.insert(relation, "relation")
    return tuple(Column(name, role) for name, role in zip(head.columns, roles, strict=True))


def _relation_column(rows: Sequence[Row]) -> int | None:
    """The column with clearly fewer distinct names than rows, the middle one if it is among the fewest."""
    whole = [row for row in rows if len(row) == 3]
    if len(whole) < _MANY:
        return None
    counts = [len({row[i] for row in whole}) for i in range(3)]
    best = min((1, 2), key=lambda i: counts[i])
    if counts[best] > _FEW_SHARE * len(whole) or any(is_value(row[best]) for row in whole):
        return None
    return best


def _entities(head: TableHead) -> tuple[Column, ...]:
    roles: dict[Role, int] = {}
    for position, name in enumerate(head.columns if head.has_header else ()):
        role = known_role(name, _ENTITY_NAMES)
        if role is not None:
            roles.setdefault(role, position)
    if "id" not in roles:  # a name serves as the id
        roles["id"] = roles.pop("label", 0)
    by_position: dict[int, Role] = {position: role for role, position in roles.items()}
    return tuple(
        Column(name, by_position[i])
        if i in by_position
        else Column(name, "property", _property_kind(head, i))
        for i, name in enumerate(head.columns)
    )


def _property_kind(head: TableHead, position: int) -> ObjectKind:
    """Cells are values when all look like values or some like text; things when names come up again."""
    cells = [row[position].strip() for row in head.rows if position < len(row)]
    cells = [cell for cell in cells if cell]
    if not cells or any(looks_like_id(cell) for cell in cells):
        return "auto"
    if all(is_value(cell) for cell in cells) or any(_is_text(cell) for cell in cells):
        return "literal"
    everywhere = {cell for row in head.rows for i, cell in enumerate(row) if i != position}
    repeats = len(set(cells)) < len(cells) or any(cell in everywhere for cell in cells)
    return "auto" if repeats else "literal"


def _is_text(cell: str) -> bool:
    return len(cell) > _TEXT_LENGTH or "\n" in cell or bool(re.search(r"@\w+\.\w", cell))
