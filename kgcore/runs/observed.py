"""What earlier runs took, as a range: those of the store with the same method, models, graphs and settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgcore.runs.entries import Started
from kgcore.runs.estimate import Observed, Range
from kgcore.runs.store import SqlRunStore
from kgcore.steps import Usage

LEAST, MOST = 3, 30  # fewer runs tell nothing; more need not be read
_OF_THE_QUESTION = ("seeds", "language", "sources")


@dataclass(frozen=True, slots=True)
class Kind:
    """What runs have in common whose costs can be compared."""

    method: str
    config: Any
    models: tuple[tuple[str, str], ...]
    kgs: frozenset[str]
    prompt_set: str

    @classmethod
    def of(cls, started: Started) -> Kind:
        """Return the kind of a run."""
        return cls.like(
            started.method,
            started.config,
            models=dict(started.models),
            kgs=[name for name, _ in started.kgs],
            prompt_set=started.prompt_set,
        )

    @classmethod
    def like(
        cls,
        method: str,
        config: Any,
        *,
        models: Mapping[str, str],
        kgs: Iterable[str],
        prompt_set: str,
    ) -> Kind:
        """Return the kind of a run that is not there yet."""
        alone = settings_alone(config)
        return cls(method, alone, tuple(sorted(models.items())), frozenset(kgs), prompt_set)


def settings_alone(config: Any) -> Any:
    """Return the settings without what a question brings along."""
    usual = {f.name: f.default for f in dataclasses.fields(config) if f.name in _OF_THE_QUESTION}
    return dataclasses.replace(config, **usual)


def observed(
    store: SqlRunStore, kind: Kind, spent: Callable[[str], Usage], *, owner: str = "local"
) -> Observed | None:
    """Return what the newest runs of a kind took; None where there are too few.

    Only runs count that asked everything themselves and came to an end of their own.
    """
    same = [
        record.id
        for record, started, ended in store.endings(owner=owner)
        if started.kind == "ask"
        and ended.status in ("answered", "no_answer")
        and Kind.of(started) == kind
    ]
    if len(same) < LEAST:
        return None
    usages = [spent(run_id) for run_id in same[:MOST]]
    return Observed(
        len(usages),
        _middle([u.llm_requests for u in usages]),
        _middle([u.tokens for u in usages]),
        _middle([u.cost_usd for u in usages]),
    )


def _middle(values: Sequence[float]) -> Range:
    """Return the 10th and the 90th percentile, each a value that was seen."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return Range(ordered[round(0.1 * last)], ordered[round(0.9 * last)])


class Spent:
    """Reads what runs took, each once; a run that has ended takes nothing more."""

    def __init__(self, read: Callable[[str], Usage]) -> None:
        self._read = read
        self._known: dict[str, Usage] = {}

    def __call__(self, run_id: str) -> Usage:
        """Return what a run took."""
        if run_id not in self._known:
            self._known[run_id] = self._read(run_id)
        return self._known[run_id]
