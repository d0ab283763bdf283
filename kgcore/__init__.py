"""Reasoning over knowledge graphs with language models.

The public names, imported when they are first used so that `import kgcore` stays quick. `kgcore.bootstrap` is
not among them: it wires the adapters of an installation together and is imported by those who want that.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "kgcore.errors": ("KGCoreError",),
    "kgcore.model": ("Entity", "Literal", "Provenance", "Relation", "Subgraph", "Triple"),
    "kgcore.kg": ("KnowledgeGraph",),
    "kgcore.llm": ("LanguageModel",),
    "kgcore.prompts": ("Prompt", "PromptSet", "TypedRequest"),
    "kgcore.ranking": ("Ranker",),
    "kgcore.reasoners": ("REASONERS", "Reasoner", "reasoner"),
    "kgcore.corrections": ("Correction",),
    "kgcore.runs": (
        "Breakpoint",
        "Budget",
        "Edit",
        "Entry",
        "Journal",
        "Launch",
        "Ports",
        "Run",
        "RunView",
        "SqlRunStore",
        "replay",
    ),
    "kgcore.steps": ("Answer", "AnswerPart", "Usage"),
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__version__ = "0.1.0"
__all__ = ["__version__", *sorted(_WHERE)]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module kgcore has no attribute {name}")
    return getattr(importlib.import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
