"""Corrections as a CSV table that can be read back without loss and does no harm in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from kgcore.corrections.correction import LOCAL, Correction
from kgcore.corrections.proposal import checked
from kgcore.errors import ImportFileError, InputError
from kgcore.kg.files.cells import neutralise, restore
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId

MAX_BYTES = 16 * 1024 * 1024
_ENDS = ("object", "new_object")
_END_COLUMNS = ("", "_label", "_kind", "_datatype", "_lang", "_unit")  # kind: entity, new, value
COLUMNS = (
    "id",
    "graph",
    "action",
    *("subject", "subject_label", "subject_kind", "relation", "relation_label"),
    *(end + column for end in _ENDS for column in _END_COLUMNS),
    *("author", "when", "reason", "evidence"),
)
_KINDS = ("entity", "new", "value")


def write_csv(corrections: Iterable[Correction]) -> str:
    """Return the table."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for correction in corrections:
        row = _row(correction)
        writer.writerow([neutralise(row.get(column, "")) for column in COLUMNS])
    return out.getvalue().encode("utf-8", "replace").decode("utf-8")


def _row(correction: Correction) -> dict[str, str]:
    subject, relation = correction.subject, correction.relation
    row = {
        "id": correction.id,
        "graph": correction.kg,
        "action": correction.action,
        "subject": subject.id,
        "subject_label": subject.label,
        "subject_kind": _kind(subject),
        "relation": relation.id,
        "relation_label": relation.label,
    }
    for name in _ENDS:
        end = getattr(correction, name)
        if end is not None:
            row.update({name + column: text for column, text in _cells(end).items()})
    return row | {n: getattr(correction, n) for n in ("author", "when", "reason", "evidence")}


def _cells(end: Entity | Literal) -> dict[str, str]:
    if isinstance(end, Entity):
        return {"": end.id, "_label": end.label, "_kind": _kind(end)}
    return {
        "": end.value,
        "_kind": "value",
        "_datatype": end.datatype,
        "_lang": end.lang,
        "_unit": end.unit,
    }


def _kind(entity: Entity) -> str:
    return "new" if entity.kg == LOCAL else "entity"


def read_csv(data: bytes, file: str = "the file") -> tuple[Correction, ...]:
    """Read a table that `write_csv` wrote; ImportFileError names the line that cannot be read."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is no UTF-8 text") from error
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        missing = [c for c in COLUMNS if c not in (reader.fieldnames or ())]
        if missing:
            raise ImportFileError(file, 1, f"the column {missing[0]} is missing")
        return tuple(_correction(row, file, reader.line_num) for row in reader)
    except csv.Error as error:
        raise ImportFileError(file, reader.line_num, str(error)) from error


def _correction(row: dict[Any, Any], file: str, line: int) -> Correction:
    if None in row or None in row.values():
        raise ImportFileError(file, line, "the row has more or fewer cells than columns")
    cells = {name: restore(text) for name, text in row.items()}
    kg = cells["graph"]
    try:
        end = _end(cells, "object", kg)
        if end is None:
            raise InputError("the object is missing")
        subject = _entity(cells["subject"], cells["subject_label"], cells["subject_kind"], kg)
        return checked(
            Correction(
                cells["id"],
                cells["action"],  # type: ignore[arg-type]  # what it may be is checked
                subject,
                Relation(RelationId(cells["relation"]), cells["relation_label"], kg=kg),
                end,
                _end(cells, "new_object", kg),
                author=cells["author"] or "local",
                reason=cells["reason"],
                kg=kg,
                when=cells["when"][:40],
                evidence=cells["evidence"],
            )
        )
    except InputError as error:
        raise ImportFileError(file, line, str(error)) from error


def _end(cells: dict[str, str], name: str, kg: str) -> Entity | Literal | None:
    kind, text = cells[f"{name}_kind"], cells[name]
    if not kind and not text:
        return None
    if kind == "value":
        extra = [cells[f"{name}_{column}"] for column in ("datatype", "lang", "unit")]
        return Literal(text, *extra)
    return _entity(text, cells[f"{name}_label"], kind, kg)


def _entity(identifier: str, label: str, kind: str, kg: str) -> Entity:
    if kind not in ("entity", "new"):
        raise InputError(f"{kind[:40]!r} is none of {', '.join(_KINDS)}")
    return Entity(EntityId(identifier), label, kg=LOCAL if kind == "new" else kg)
