"""Typed requests to a model: what each asks, how it is worded, how its reply is read.

A request is a frozen value. `fields(budget)` gives the texts that its template needs; `render` fills the
template of a prompt set; `read` turns a reply into the value the reasoner works with. Templates are data, one
file per request and language (`templates/en/choose_action.txt`), with the stable part first so that provider
prompt caches hit: question, subgraph and steps so far stand at the same place in every request about a node,
and what to do now comes last, after a line `---`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from kgcore.errors import ContextWindowError, InputError
from kgcore.model import Subgraph, to_dict
from kgcore.model.text import estimate_tokens

SYSTEM = "system"  # the template that every request shares
KNOWLEDGE_SYSTEM = "system_knowledge"  # in its place where statements are checked
ON_KNOWLEDGE = frozenset(
    (
        "sample_rationales",
        "choose_domains",
        "write_sparql",
        "write_sql",
        "write_sentence",
        "mend_query",
        "correct_rationale",
        "next_rationale",
        "answer_from_rationales",
        "answer_directly",
        "next_sentence",
        "verifying_question",
        "edit_rationale",
    )
)
_FIELD = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_FORM = re.compile(r"^---\s*$\n?", re.MULTILINE)


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

    @property
    def n_tokens(self) -> int:
        """How long the prompt is, estimated."""
        return estimate_tokens(self.system) + estimate_tokens(self.user) + 8  # for the two roles


class PromptSet(Protocol):
    """A named set of templates; see kgcore.prompts.sets for the one that reads files."""

    @property
    def name(self) -> str:
        """Name of the set."""

    def template(self, name: str, language: str) -> str:
        """Return the template's text; the English one where the language has none."""

    def examples(self, name: str, language: str) -> str:
        """Return the worked examples shown with a request; "" where there are none."""

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
        """Fill the template so that the prompt fits `max_tokens`; ContextWindowError when it cannot.

        The subgraph shrinks first, then lists of options from their end, then the oldest steps.
        """
        prompt = self._filled(prompts, None)
        if max_tokens is None or prompt.n_tokens <= max_tokens:
            return prompt
        budget = max_tokens - self._overhead(prompts)
        for _ in range(8):  # estimates of parts do not add up exactly
            prompt = self._filled(prompts, budget)
            too_many = prompt.n_tokens - max_tokens
            if too_many <= 0:
                return prompt
            if budget <= 0:
                break
            budget -= too_many
        raise ContextWindowError(
            f"the request {self.template} needs about {prompt.n_tokens} tokens at its shortest, "
            f"the model takes {max_tokens}"
        )

    def _filled(self, prompts: PromptSet, budget: int | None) -> Prompt:
        fields, left_out = self.fields(budget)
        user, form = split_form(prompts.template(self.template, self.language))
        where = f"prompts/{prompts.name}/{self.language}/{self.template}.txt"
        text = fill(f"{user}\n\n{form}" if form else user, fields, where=where)
        return Prompt(self._system(prompts), text.strip(), left_out)

    def _system(self, prompts: PromptSet) -> str:
        name = system_of(self.template)
        where = f"prompts/{prompts.name}/{self.language}/{name}.txt"
        text = fill(prompts.template(name, self.language), {}, where=where).strip()
        examples = prompts.examples(self.template, self.language)
        return f"{text}\n\n{examples}" if examples else text

    def _overhead(self, prompts: PromptSet) -> int:
        """Tokens of the prompt without its fields."""
        template = _FIELD.sub("", prompts.template(self.template, self.language))
        return Prompt(self._system(prompts), template).n_tokens

    def form(self, prompts: PromptSet) -> str:
        """Return what the template says on the form of the reply."""
        _, form = split_form(prompts.template(self.template, self.language))
        where = f"prompts/{prompts.name}/{self.language}/{self.template}.txt"
        return fill(form, self.fields(0)[0], where=where).strip() if form else ""

    def read(self, text: str) -> Any:
        """Return the value a reply stands for; UnreadableReplyError when it says something else."""
        raise NotImplementedError


def system_of(template: str) -> str:
    """Return the name of the system text that is sent with a template."""
    return KNOWLEDGE_SYSTEM if template in ON_KNOWLEDGE else SYSTEM


def split_form(template: str) -> tuple[str, str]:
    """Split a template at its line `---` into what is asked and the form of the reply."""
    parts = _FORM.split(template, maxsplit=1)
    return parts[0].rstrip(), parts[1].strip() if len(parts) > 1 else ""


def fill(template: str, fields: Mapping[str, str], *, where: str) -> str:
    """Replace every `{{field}}` in one pass, so that text put in is never read as a template."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in fields:
            known = ", ".join(sorted(fields)) or "none"
            raise InputError(f"{where}: unknown field {{{{{name}}}}} (known here: {known})")
        return fields[name]

    return _FIELD.sub(value, template)


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
