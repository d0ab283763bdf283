"""Typed requests to a model: what each asks, how it is worded, how its reply is read.

A request is a frozen value. `fields(budget)` gives the texts that its template needs; `render` fills the
template of a prompt set; `read` turns a reply into the value the reasoner works with. Templates are data, one
file per request and language (`templates/en/choose_action.txt`), with the stable part first so that provider
prompt caches hit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from kgcore.model import Subgraph, to_dict


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a model: a system text, a user text, and in words what had to be left out."""

    system: str
    user: str
    left_out: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Both parts, as a person may read them."""
        return f"{self.system}\n\n{self.user}".strip()


class PromptSet(Protocol):
    """A named set of templates; see kgcore.prompts.sets for the one that reads files."""

    @property
    def name(self) -> str:
        """Name of the set."""

    def template(self, name: str, language: str) -> str:
        """Return the template's text; the English one where the language has none."""

    def version(self, name: str, language: str) -> str:
        """Return a short hash of that text; part of the key of every Ask."""


@dataclass(frozen=True, slots=True)
class TypedRequest:
    """Base of all requests: every one is about a question, in a language."""

    template: ClassVar[str] = ""
    question: str
    language: str = dataclasses.field(default="en", kw_only=True)

    def key(self) -> Any:
        """Return plain data that determines the request; a subgraph counts by its digest."""
        data: dict[str, Any] = {"template": self.template}
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            data[item.name] = value.digest if isinstance(value, Subgraph) else plain(value)
        return data

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Return the template's fields and what was left out to stay within `budget` tokens."""
        raise NotImplementedError

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        """Fill the template; a subgraph or a list of options shrinks until the prompt fits `max_tokens`."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """Return the value a reply stands for; UnreadableReplyError when it says something else."""
        raise NotImplementedError


def plain(value: Any) -> Any:
    """Return plain data for any value a request may hold, subgraphs by digest."""
    if isinstance(value, Subgraph):
        return value.digest
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__] + [
            plain(getattr(value, f.name)) for f in dataclasses.fields(value)
        ]
    return to_dict(value)
