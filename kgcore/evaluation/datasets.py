"""The data sets: which files hold their questions and the graphs to ask.

Paths are relative to the folder of data sets. A graph that several sets use has one name, so it is imported once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from kgcore.errors import InputError
from kgcore.evaluation.case import Case, Dataset
from kgcore.evaluation.readers import (
    Record,
    from_2wiki,
    from_freebase,
    from_metaqa,
    from_musicbrainz,
    from_pathquestion,
    from_qald10,
    from_sample,
)

_CODEX = {"codex": ("codex/kg.nt.gz",)}


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a set lies; `keep` chooses among its records."""

    read: Callable[[Record], Case]
    questions: str
    graphs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keep: Callable[[Record], bool] = lambda record: True


SOURCES: Mapping[str, _Source] = {
    "2wiki": _Source(from_2wiki, "2wiki/questions.jsonl", {"2wiki": ("2wiki/kg.nt.gz",), **_CODEX}),
    "metaqa": _Source(from_metaqa, "metaqa/questions.jsonl", {"metaqa": ("metaqa/kg.nt.gz",)}),
    "pathquestion": _Source(
        from_pathquestion,
        "pathquestion/questions.jsonl",
        {"pathquestion": ("pathquestion/kg.nt.gz",)},
    ),
    "qald10": _Source(
        from_qald10,
        "qald10/questions.jsonl",
        {"qald10": ("qald10/kg.nt.gz",), **_CODEX},
        lambda record: bool(record["gold_facts_in_kg"]),
    ),
    "freebase": _Source(
        from_freebase, "freebase/questions.jsonl", {"freebase": ("freebase/kg.nt.gz",)}
    ),
    "musicbrainz": _Source(
        from_musicbrainz,
        "musicbrainz/questions.jsonl",
        {"musicbrainz": ("musicbrainz/kg.nt.gz", "musicbrainz/wikidata_links.nt"), **_CODEX},
    ),
}


def read_dataset(name: str, folder: Path) -> Dataset:
    """Read a set from the folder of data sets; InputError when it is unknown or not there."""
    source = SOURCES.get(name)
    if source is None:
        raise InputError(f"there is no data set called {name!r}, only {', '.join(SOURCES)}")
    path = folder / source.questions
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"the questions of {name} cannot be read: {path}") from error
    records = [json.loads(line) for line in lines if line.strip()]
    cases = tuple(source.read(record) for record in records if source.keep(record))
    graphs = {kg: tuple(folder / file for file in files) for kg, files in source.graphs.items()}
    return Dataset(name, cases, graphs)


def read_samples(path: Path, language: str = "en") -> Dataset:
    """Read the sample questions over the demo graphs that are worded in a language."""
    records = yaml.safe_load(path.read_text(encoding="utf-8"))
    cases = [from_sample(record, language) for record in records]
    graphs: dict[str, tuple[Path, ...]] = {kg: () for record in records for kg in record["kgs"]}
    name = "demo" if language == "en" else f"demo-{language}"
    return Dataset(name, tuple(case for case in cases if case is not None), graphs, language)
