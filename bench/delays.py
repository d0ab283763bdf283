"""A graph and a model that take a fixed time for each request, for measuring how well work overlaps."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kgcore.kg import KnowledgeGraph
from kgcore.llm import LanguageModel, ModelReply
from kgcore.prompts import TypedRequest
from kgcore.transport import Allowance


class SlowGraph:
    """A graph whose every method takes `seconds` longer; counts its requests."""

    def __init__(self, graph: KnowledgeGraph, seconds: float) -> None:
        self._graph, self._seconds, self.n = graph, seconds, 0
        self.id, self.version = graph.id, graph.version

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._graph, name)

        def slowed(*args: Any, **options: Any) -> Any:
            self.n += 1
            time.sleep(self._seconds)
            return method(*args, **options)

        return slowed


class SlowModel:
    """A model whose every request takes `seconds` longer; a provider that takes n in one request."""

    def __init__(self, model: LanguageModel, seconds: float) -> None:
        self._model, self._seconds = model, seconds
        self.name, self.prompts = model.name, model.prompts

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        """Answer after the delay."""
        time.sleep(self._seconds)
        return self._model.answer(request, n=n, temperature=temperature, allowance=allowance)
