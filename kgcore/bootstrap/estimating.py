"""What a run may take, told before it starts: the method's bounds with the models and prompts it would use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgcore.bootstrap.graphs import DEMO_GRAPHS
from kgcore.bootstrap.models import Models
from kgcore.config import is_offline
from kgcore.errors import StoreError
from kgcore.llm import LanguageModel
from kgcore.llm.prices import facts_of
from kgcore.reasoners import reasoner
from kgcore.reasoners.base import asks_sources
from kgcore.reasoners.settings import read_settings
from kgcore.reasoners.workload import asks_of
from kgcore.runs import Budget, Journal, SqlRunStore
from kgcore.runs.estimate import FREE, Estimate, Observed, Terms, Wording, estimate
from kgcore.runs.observed import Kind, Spent, observed

if TYPE_CHECKING:
    from kgcore.bootstrap.studio import Task


class Foresight:
    """Makes estimates. Safe to share between threads."""

    def __init__(self, models: Models, store: SqlRunStore) -> None:
        self._models, self._store = models, store
        self._spent = Spent(lambda run_id: Journal(store.load(run_id)).usage)

    def of(
        self, task: Task, language: str, budget: Budget, *, n_sources: int, waits: bool = True
    ) -> Estimate | None:
        """Return what a run may take; None where the method does not tell. Without `waits` no price is waited for.

        `n_sources` are the knowledge sources that a method which asks some would ask.
        """
        method, values = reasoner(task.method), dict(task.settings)
        prompts = self._models.prompt_set(values)
        values.setdefault("language", language)
        config = read_settings(method.config_class, values)
        kgs = tuple(dict.fromkeys(task.kgs)) or DEMO_GRAPHS
        n_places = n_sources if asks_sources(method.config_class) else len(kgs)
        asks = asks_of(method, config, n_places)
        if asks is None:
            return None
        names = self._models.names(task.model)
        base = self._models.address(names["reason"], task.api_base)
        models = self._models.of_roles(names, base, prompts)
        return estimate(
            asks,
            Wording(models["reason"].prompts, values["language"], task.question),
            {role: _terms(name, waits=waits) for role, name in names.items()},
            budget=budget,
            observed=self._observed(method.name, config, models, kgs),
            is_offline=all(is_offline(name) for name in names.values()),
        )

    def _observed(
        self, method: str, config: Any, models: Mapping[str, LanguageModel], kgs: tuple[str, ...]
    ) -> Observed | None:
        """Return what earlier runs like this took; None where there are few, or the store cannot be read."""
        kind = Kind.like(
            method,
            config,
            models={role: model.name for role, model in models.items()},
            kgs=kgs,
            prompt_set=models["reason"].prompts.name,
        )
        try:
            return observed(self._store, kind, self._spent)
        except StoreError:
            return None


def _terms(name: str, *, waits: bool) -> Terms:
    """Return what the model of this name takes."""
    if is_offline(name):
        return FREE
    facts = facts_of(name, waits=waits)
    prices = facts.prices
    if prices is None:
        return Terms(takes_n=facts.takes_n, is_loading=facts.is_loading)
    return Terms(prices.prompt, prices.completion, facts.takes_n)
