"""What a model costs and how it gives samples, as litellm knows it."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.errors import ServiceError
from kgcore.llm import vendor
from kgcore.llm.samples import Prices, model_facts, prices_of


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model; None where nothing is. `is_loading`: it will be known in a moment."""

    prices: Prices | None = None
    takes_n: bool | None = None
    is_loading: bool = False


def are_here() -> bool:
    """Whether what can be known of models is known without waiting."""
    return vendor.is_loaded() or vendor.has_failed()


def facts_of(name: str, *, waits: bool = True) -> ModelFacts:
    """Return what litellm knows of a model. Without `waits`, nothing is known until litellm is imported, which then begins."""
    if not waits and not are_here():
        vendor.warm()
        return ModelFacts(is_loading=True)
    try:
        litellm = vendor.load()
    except ServiceError:
        return ModelFacts()
    return ModelFacts(prices_of(model_facts(litellm, name)), vendor.takes_n(name))
