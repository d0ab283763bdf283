"""Turns the rows of a table into N-Triples, by its column mapping.

Terms are remembered, as names come up again and again; the memory is emptied when it is full, so that a table of any
size takes no more of it. What is repeated then is a label, which a graph holds once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from kgcore.kg import vocabulary as v
from kgcore.kg.files.cells import MAX_NAME, Namer, escape, iri, literal, restore, value_type
from kgcore.kg.files.table_mapping import Column, ColumnMapping, ObjectKind

NumberedRow = tuple[int, list[str]]  # the line on which a row starts, and its cells
MAX_REMEMBERED = 200_000
LABEL, TYPE = f"<{v.RDFS}label>", f"<{v.RDF}type>"
DESCRIPTION = f"<{v.SCHEMA}description>"
_IS_PROPERTY = f"{TYPE} <{v.RDF}Property> .\n"
ENTITY_DATATYPES = ("iri", "entity", "uri", "item")  # in a datatype column: the object is no value


class RowTriples:
    """Makes the lines of N-Triples for one row after another; ValueError says what is wrong with a row."""

    def __init__(self, mapping: ColumnMapping, namer: Namer, *, are_ids: bool = False) -> None:
        self._mapping, self._namer = mapping, namer
        self._names_entities = not (mapping.are_ids or are_ids)
        self._new: list[str] = []  # lines about terms that were made for the present row
        self._entities: dict[tuple[str, str], str] = {}
        self._subjects: dict[str, str] = {}  # the same terms, by the cell alone
        self._relations: dict[str, str] = {}
        self._objects: dict[str, str] = {}
        self._n_columns = len(mapping.columns)
        index = mapping.index
        self._first, self._second, self._third = (
            index("subject") or 0,
            index("relation") or 0,
            index("object") or 0,
        )
        self._id = index("id")
        self._kind = mapping.kind
        self._extra = [
            (position, column)
            for position, column in enumerate(mapping.columns)
            if column.role not in ("subject", "relation", "object", "id", "ignore")
        ]
        self._is_plain = self._kind == "triples" and not self._extra

    def lines(
        self, rows: Iterable[NumberedRow], refuse: Callable[[int, str], None] | None = None
    ) -> list[str]:
        """Return the lines for some rows; what is wrong with one is told to `refuse`, or raised as ValueError."""
        found: list[str] = []
        subjects, relations, objects = self._subjects, self._relations, self._objects
        first, second, third, width = self._first, self._second, self._third, self._n_columns
        is_plain, new = self._is_plain, self._new
        for line, row in rows:
            try:
                if not is_plain or len(row) != width:
                    found += self._row_lines(row)
                    continue
                one = subjects.get(row[first]) or self._first_met(row[first])
                along = relations.get(row[second]) or self.relation(row[second])
                end = objects.get(row[third]) or self.object(row[third])
            except ValueError as error:
                if refuse is None:
                    raise
                refuse(line, str(error))
                continue
            if new:
                found += new
                new.clear()
            found.append(f"{one} {along} {end} .\n")
        self._forget()
        return found

    def _first_met(self, cell: str) -> str:
        """Return the subject of a cell that was not met before."""
        term = self._subjects[cell] = self.entity(cell, self._mapping.columns[self._first].space)
        return term

    def _row_lines(self, row: list[str]) -> list[str]:
        if len(row) > self._n_columns and any(row[self._n_columns :]):
            raise ValueError(f"it has {len(row)} cells where {self._n_columns} are expected")
        found: list[str] = []
        if self._id is not None and self._cell(row, self._id):
            found += self._entity_lines(row, self._id)
        if self._kind in ("triples", "both"):
            found += self._edge_lines(row)
        if self._new:
            found = [*self._new, *found]
            self._new.clear()
        return found

    def _forget(self) -> None:
        memories: tuple[dict[Any, str], ...] = (
            self._entities, self._subjects, self._relations, self._objects,
        )  # fmt: skip
        for memory in memories:
            if len(memory) > MAX_REMEMBERED:
                memory.clear()

    # triples

    def _edge_lines(self, row: list[str]) -> list[str]:
        try:
            subject, relation, target = row[self._first], row[self._second], row[self._third]
        except IndexError:
            raise ValueError(
                f"it has {len(row)} cells where {self._n_columns} are expected"
            ) from None
        if not (subject and relation and (target or self._is_text(row))):
            if self._kind == "triples":
                raise ValueError("a subject, relation or object is empty")
            return []
        columns = self._mapping.columns
        one = self.entity(subject, columns[self._first].space)
        along = self.relation(relation)
        found: list[str] = []
        if self._extra:
            end, found = self._with_extra(row, one, along, target)
        else:
            end = self.object(target)
        found.append(f"{one} {along} {end} .\n")
        return found

    def _is_text(self, row: list[str]) -> bool:
        """True when a column says that the object is a value, which may be empty."""
        return any(
            column.role in ("datatype", "lang")
            and self._cell(row, position)
            and self._cell(row, position).casefold() not in ENTITY_DATATYPES
            for position, column in self._extra
        )

    def _with_extra(
        self, row: list[str], subject: str, relation: str, cell: str
    ) -> tuple[str, list[str]]:
        """Return the object as other columns say, and the lines that they add."""
        given: dict[str, str] = {
            c.role: self._cell(row, i) for i, c in self._extra if c.role not in ("type", "property")
        }
        if given.get("object_label") and not given.get("datatype"):
            given["datatype"] = ENTITY_DATATYPES[0]  # what has a label is no value
        end = self._typed(cell, given.get("datatype", ""), given.get("lang", ""))
        found = []
        for role, term in (
            ("subject_label", subject),
            ("relation_label", relation),
            ("object_label", end),
        ):
            name = given.get(role, "")
            if name and term[0] in "<_":
                found.append(f"{term} {LABEL} {literal(restore(name))} .\n")
        for position, column in self._extra:
            if column.role == "type" and self._id is None:
                found += self._type_lines(subject, column, self._cell(row, position))
        return end, found

    def _typed(self, cell: str, datatype: str, lang: str) -> str:
        if datatype.strip().casefold() in ENTITY_DATATYPES:
            return self._entity_object(cell)
        if lang.strip():
            return literal(restore(cell), lang=lang.strip())
        if not datatype.strip():
            return self.object(cell)
        given = self._namer.given(datatype)
        if given[:1] != "<":
            raise ValueError(f"{datatype[:40]!r} is no datatype; write it as xsd:date or as an IRI")
        return literal(restore(cell), given[1:-1])

    # entities

    def _entity_lines(self, row: list[str], position: int) -> list[str]:
        columns = self._mapping.columns
        cell = self._cell(row, position)
        has_label = any(c.role == "label" and self._cell(row, i) for i, c in self._extra)
        subject = self.entity(
            cell, columns[position].space, is_name=not has_label and not self._mapping.are_ids
        )
        found: list[str] = []
        for i, column in self._extra:
            value = self._cell(row, i)
            if not value.strip():
                continue
            if column.role == "label":
                found.append(f"{subject} {LABEL} {literal(restore(value))} .\n")
            elif column.role == "description":
                found.append(f"{subject} {DESCRIPTION} {literal(restore(value))} .\n")
            elif column.role == "type":
                found += self._type_lines(subject, column, value)
            elif column.role == "property":
                found += self._property_lines(subject, column, value)
        return found

    def _type_lines(self, subject: str, column: Column, cell: str) -> list[str]:
        return [
            f"{subject} {TYPE} {self.entity(name, is_name=True)} .\n"
            for name in _parts(cell, column)
        ]

    def _property_lines(self, subject: str, column: Column, cell: str) -> list[str]:
        along = self.relation(column.relation or column.name)
        return [
            f"{subject} {along} {self._value(part, column)} .\n" for part in _parts(cell, column)
        ]

    def _value(self, cell: str, column: Column) -> str:
        if column.datatype:
            return literal(restore(cell), column.datatype)
        return _by_kind(column.kind, cell, self._entity_object)

    # terms

    def entity(self, cell: str, space: str = "", *, is_name: bool | None = None) -> str:
        """Return the entity of a cell; when it is new and the cell is its name, its label is told."""
        known = self._entities.get((cell, space))
        if known is not None:
            return known
        name = restore(cell)
        term = self._namer.given(name) if not space else ""
        if not term:
            if not name.strip():
                raise ValueError("a name is empty")
            term = self._namer.entity(name, space)
            if self._names_entities if is_name is None else is_name:
                self._new.append(f"{term} {LABEL} {literal(name)} .\n")
        self._entities[cell, space] = term
        return term

    def relation(self, cell: str) -> str:
        """Return the relation of a cell; when it is new, it is declared with its label."""
        known = self._relations.get(cell)
        if known is not None:
            return known
        name = restore(cell)
        term = self._namer.given(name)
        if term[:1] == "_":
            raise ValueError("a blank node cannot be a relation")
        if not term:
            if not name.strip():
                raise ValueError("a relation is empty")
            term = self._namer.relation(name)
            self._new.append(f"{term} {_IS_PROPERTY}{term} {LABEL} {literal(name)} .\n")
        self._relations[cell] = term
        return term

    def object(self, cell: str) -> str:
        """Return the object of a triple."""
        known = self._objects.get(cell)
        if known is None:
            if not cell:
                raise ValueError("an object is empty")
            known = self._objects[cell] = _by_kind(self._mapping.objects, cell, self._entity_object)
        return known

    def _entity_object(self, cell: str) -> str:
        space = self._mapping.columns[self._third].space if self._kind != "entities" else ""
        return self.entity(cell, space)

    def _cell(self, row: list[str], position: int) -> str:
        return row[position] if position < len(row) else ""


def _by_kind(kind: ObjectKind, cell: str, entity: Callable[[str], str]) -> str:
    """Read a cell as a thing, as a value, or as what it looks like."""
    if kind == "entity":
        return entity(cell)
    text = restore(cell)
    datatype = value_type(text.strip())
    if datatype:
        return f'"{text.strip()}"^^{iri(datatype)}'
    if kind == "literal" or len(text) > MAX_NAME or "\n" in text:
        return f'"{escape(text)}"'
    return entity(cell)


def _parts(cell: str, column: Column) -> list[str]:
    if not column.separator:
        return [cell]
    return [part for part in re.split(f"[{re.escape(column.separator)}]", cell) if part.strip()]
