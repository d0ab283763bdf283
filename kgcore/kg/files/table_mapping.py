"""What the columns of a table mean: read off its head, shown to a person, changed by them, then imported.

A row can say two things. With `subject`, `relation` and `object` columns it is a triple. With an `id` column it is
an entity, and each `property` column gives it facts. One-file exports of Neo4j mix both kinds of rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal as OneOf
from typing import get_args

from kgcore.errors import InputError

Role = OneOf[
    "subject", "relation", "object", "subject_label", "relation_label", "object_label",
    "type", "datatype", "lang", "id", "label", "description", "property", "ignore",
]  # fmt: skip
ObjectKind = OneOf["auto", "entity", "literal"]
ROLES: tuple[Role, ...] = get_args(Role)
KINDS: tuple[ObjectKind, ...] = get_args(ObjectKind)
TRIPLE: tuple[Role, ...] = ("subject", "relation", "object")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what it is for, and how its cells are read."""

    name: str
    role: Role = "ignore"
    kind: ObjectKind = "auto"  # of a property: things, values, or decided cell by cell
    datatype: str = ""  # IRI of the datatype of a property's values
    relation: str = ""  # of a property, where it differs from the name
    separator: str = ""  # between several values in one cell: each of its characters
    space: str = ""  # ids of one kind of thing, apart from those of others


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """How a table is read; `propose_mapping` makes one, `with_columns` changes it."""

    columns: tuple[Column, ...]
    has_header: bool = True
    delimiter: str = ","
    is_quoted: bool = True
    objects: ObjectKind = "auto"  # the cells of the object column
    are_ids: bool = False  # subjects and objects are ids, not names: they are no labels
    note: str = ""  # one sentence for a person

    @property
    def kind(self) -> str:
        """What a row says: `triples`, `entities`, `both`, or nothing."""
        is_entity = self.has("id")
        if all(self.has(role) for role in TRIPLE):
            return "both" if is_entity else "triples"
        return "entities" if is_entity else ""

    def has(self, role: Role) -> bool:
        """True when some column has this role."""
        return any(column.role == role for column in self.columns)

    def index(self, role: Role) -> int | None:
        """Return the position of the column that has this role."""
        for position, column in enumerate(self.columns):
            if column.role == role:
                return position
        return None

    def check(self) -> ColumnMapping:
        """Return the mapping itself; InputError when it cannot be imported."""
        if not self.kind:
            names = ", ".join(column.name for column in self.columns)
            raise InputError(
                "a table needs columns for subject, relation and object, or one for the id of an "
                f"entity; its columns are: {names}"
            )
        for role in ROLES:
            if role not in ("property", "ignore", "type"):
                named = [column.name for column in self.columns if column.role == role]
                if len(named) > 1:
                    raise InputError(f"only one column can be {role}, not {' and '.join(named)}")
        return self

    def with_columns(self, roles: Sequence[tuple[str, str]]) -> ColumnMapping:
        """Give columns other roles, as pairs of role and column name (or number, from 1).

        A role is one of ROLES, or `entity` or `literal` for a property whose cells are things or values. When
        subject, relation and object are given, columns that are not named are ignored.
        """
        columns = list(self.columns)
        given = {role for role, _ in roles}
        if given >= set(TRIPLE):
            columns = [replace(column, role="ignore") for column in columns]
        for role, name in roles:
            position = self._position(name)
            columns[position] = _with_role(columns[position], role)
            if role not in ("property", "entity", "literal", "ignore", "type"):
                for other, column in enumerate(columns):
                    if other != position and column.role == role:
                        columns[other] = replace(column, role="ignore")
        return replace(self, columns=tuple(columns), note="").check()

    def _position(self, name: str) -> int:
        for position, column in enumerate(self.columns):
            if column.name == name:
                return position
        if name.isdecimal() and 1 <= int(name) <= len(self.columns):
            return int(name) - 1
        known = ", ".join(column.name for column in self.columns)
        raise InputError(f"there is no column {name!r}; the columns are: {known}")


def _with_role(column: Column, role: str) -> Column:
    if role in ("entity", "literal"):
        kind: ObjectKind = "entity" if role == "entity" else "literal"
        return replace(column, role="property", kind=kind)
    for known in ROLES:
        if role == known:
            return replace(column, role=known)
    raise InputError(f"a column cannot be {role!r}; choose of: {', '.join(ROLES)}, entity, literal")


def parse_columns(text: str) -> tuple[tuple[str, str], ...]:
    """Read `subject=A,relation=B,object=C`; a name with a comma in it is put in double quotes."""
    import csv

    try:
        (cells,) = csv.reader([re.sub(r'(^|,)\s*(\w+)="', r'\1"\2=', text)], strict=True)
    except (ValueError, csv.Error):
        raise InputError(f"{text!r} is not of the form subject=A,relation=B,object=C") from None
    found = []
    for cell in cells:
        role, equals, name = cell.partition("=")
        if not equals or not role.strip() or not name:
            raise InputError(f"{cell!r} is not of the form role=column")
        found.append((role.strip(), name))
    return tuple(found)


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Give each column a name of its own: empty ones a number, repeated ones a count."""
    seen: dict[str, int] = {}
    found = []
    for number, name in enumerate(names, 1):
        base = name.strip() or f"column {number}"
        seen[base] = seen.get(base, 0) + 1
        found.append(base if seen[base] == 1 else f"{base} ({seen[base]})")
    return tuple(found)


def known_role(name: str, table: Mapping[str, Role]) -> Role | None:
    """Look the usual name of a column up, written in any way."""
    return table.get(re.sub(r"[\s_-]+", "", name.strip().casefold()))
