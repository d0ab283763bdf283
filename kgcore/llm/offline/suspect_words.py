"""What labels of relations tell of dates and people, and how reasons are worded; read from cues/suspects.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from kgcore.prompts.wording import fold


@dataclass(frozen=True, slots=True)
class SuspectWords:
    """What labels of relations tell of dates, and how reasons are worded."""

    begins: frozenset[str]
    ends: frozenset[str]
    parents: frozenset[str]
    children: frozenset[str]
    contemporaries: frozenset[str]
    births: frozenset[str]
    both_ways: frozenset[str]
    says: dict[str, str]

    def tell(self, name: str, **values: object) -> str:
        """Return a reason in words."""
        return self.says[name].format(**values)


@cache
def suspect_words(language: str) -> SuspectWords:
    """Return the words of a language; the labels are those of all languages."""
    data: Any = yaml.safe_load(
        files("kgcore.llm.offline").joinpath("cues", "suspects.yaml").read_text("utf-8")
    )
    lists = {n: frozenset(map(fold, data[n])) for n in data if n != "says"}
    return SuspectWords(**lists, says=data["says"].get(language.split("-")[0], data["says"]["en"]))
