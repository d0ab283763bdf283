"""Turns the rows of a table into N-Triples, by its column mapping.

Terms are remembered, as names come up again and again; the memory is emptied when it is full, so that a table of any
size takes no more of it. What is repeated then is a label, which a graph holds once.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kgcore.kg import vocabulary as v
from kgcore.kg.cells import MAX_NAME, Namer, escape, iri, literal, restore, value_type
from kgcore.kg.table_mapping import Column, ColumnMapping, ObjectKind

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
        self._relations: dict[str, str] = {}
        self._objects: dict[str, str] = {}
        self._n_columns = len(mapping.columns)
        index = mapping.index
        self._subject, self._relation, self._object = (
            index("subject"),
            index("relation"),
            index("object"),
        )
        self._id = index("id")
        self._extra = [
            (position, column)
            for position, column in enumerate(mapping.columns)
            if column.role not in ("subject", "relation", "object", "id", "ignore")
        ]

    @property
    def is_plain(self) -> bool:
        """True for tables that hold nothing but subject, relation and object."""
        return self._mapping.kind == "triples" and not self._extra

    def lines(self, row: list[str]) -> list[str]:
        """Return the lines for one row."""
        if len(row) > self._n_columns and any(row[self._n_columns :]):
            raise ValueError(f"it has {len(row)} cells where {self._n_columns} are expected")
        found: list[str] = []
        if self._id is not None and self._cell(row, self._id):
            found += self._entity_lines(row, self._id)
        if self._mapping.kind in ("triples", "both"):
            found += self._edge_lines(row, is_needed=self._mapping.kind == "triples")
        if self._new:
            found, self._new = self._new + found, []
            self._forget()
        return found

    def _forget(self) -> None:
        for memory in (self._entities, self._relations, self._objects):
            if len(memory) > MAX_REMEMBERED:
                memory.clear()

    # triples

    def _edge_lines(self, row: list[str], *, is_needed: bool) -> list[str]:
        assert self._subject is not None and self._relation is not None and self._object is not None
        try:
            subject, relation, target = row[self._subject], row[self._relation], row[self._object]
        except IndexError:
            raise ValueError(
                f"it has {len(row)} cells where {self._n_columns} are expected"
            ) from None
        if not (subject and relation and (target or self._is_text(row))):
            if is_needed:
                raise ValueError("a subject, relation or object is empty")
            return []
        columns = self._mapping.columns
        one = self.entity(subject, columns[self._subject].space)
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
        given = {
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
            name = given.get(role, "")  # type: ignore[call-overload]
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
            known = self._objects[cell] = _by_kind(self._mapping.objects, cell, self._entity_object)
        return known

    def _entity_object(self, cell: str) -> str:
        position = self._object
        return self.entity(
            cell, self._mapping.columns[position].space if position is not None else ""
        )

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
