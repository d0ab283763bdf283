"""Doing one leaf step for real: the only place where a run touches a model, a graph or a source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from kgcore.errors import InputError, KGCoreError, UnreadableReplyError
from kgcore.kg import KnowledgeGraph
from kgcore.llm import LanguageModel
from kgcore.prompts import Prompt, PromptSet, Repair, TypedRequest
from kgcore.ranking import Ranker
from kgcore.sources import KnowledgeSource
from kgcore.steps import (
    Ask,
    Describe,
    Edges,
    LeafStep,
    Link,
    Lookup,
    Rank,
    Relations,
    Replies,
    Reply,
    Result,
    Usage,
)
from kgcore.transport import Allowance, spending

_GRAPH_CALL = Usage(kg_requests=1)


@dataclass(frozen=True, slots=True)
class EditedPrompt(TypedRequest):
    """A request whose prompt a person rewrote; it is sent as written and read as the original is."""

    template: ClassVar[str] = "edited_prompt"
    original: TypedRequest
    text: str

    def render(self, prompts: PromptSet, *, max_tokens: int | None = None) -> Prompt:
        """Return the text as the person wrote it."""
        return Prompt("", self.text)

    def form(self, prompts: PromptSet) -> str:
        """Return the form of the reply that the original request asks for."""
        return self.original.form(prompts)

    def read(self, text: str) -> Any:
        """Read a reply as the original request does."""
        return self.original.read(text)


@dataclass(frozen=True, slots=True)
class Ports:
    """What a run works with. `models` has at least the role `reason`; other roles fall back to it."""

    graph: KnowledgeGraph
    models: Mapping[str, LanguageModel]
    ranker: Ranker
    sources: Mapping[str, KnowledgeSource] = field(default_factory=dict)

    def model(self, role: str) -> LanguageModel:
        """Return the model that plays this role."""
        return self.models.get(role, self.models["reason"])


def who(step: LeafStep, ports: Ports) -> str:
    """Name who answers a step, with everything of theirs that the answer depends on."""
    if isinstance(step, Ask):
        model, request = ports.model(step.role), step.request
        language = getattr(request, "language", "en")
        version = model.prompts.version(request.template, language)
        return f"{model.name}|{version}"
    if isinstance(step, Rank):
        return ports.ranker.name
    if isinstance(step, Lookup):
        source = ports.sources.get(step.source)
        return f"{step.source}@{source.version if source else ''}"
    return f"{ports.graph.id}@{ports.graph.version}"


def perform(
    step: LeafStep, ports: Ports, allowance: Allowance, *, prompt: str = ""
) -> tuple[Result, Usage]:
    """Do the step and return its raw result with what it cost; `prompt` is sent instead of an Ask's own."""
    if isinstance(step, Ask):
        return _ask(step, ports.model(step.role), allowance, prompt)
    if isinstance(step, Rank):
        return ports.ranker.rank(step.question, step.options), Usage()
    if isinstance(step, Lookup):
        source = ports.sources.get(step.source)
        if source is None:
            raise InputError(f"no knowledge source is called {step.source}")
        with spending(allowance):
            return source.run(step.query), _GRAPH_CALL
    with spending(allowance):
        return _graph_step(step, ports.graph), _GRAPH_CALL


def _graph_step(step: LeafStep, graph: KnowledgeGraph) -> Result:
    if isinstance(step, Link):
        return graph.link(
            step.text, context=step.context, limit=step.limit, is_question=step.is_question
        )
    if isinstance(step, Relations):
        return graph.relations(step.entities)
    if isinstance(step, Edges):
        return graph.edges(step.entities, step.relation, step.direction, limit=step.limit)
    assert isinstance(step, Describe)
    return graph.describe(step.entities)


def _ask(
    step: Ask, model: LanguageModel, allowance: Allowance, prompt: str
) -> tuple[Replies, Usage]:
    request = step.request
    assert isinstance(request, TypedRequest)
    sent = _edited(request, prompt) if prompt else request
    answer = model.answer(sent, n=step.n, temperature=step.temperature, allowance=allowance)
    usage, items = answer.usage, []
    for text in map(clean, answer.texts):
        reply = read_reply(request, text)
        if reply.problem:
            repair = Repair(request.question, sent, text, reply.problem, language=request.language)
            try:
                again = model.answer(repair, n=1, temperature=0.0, allowance=allowance)
            except KGCoreError as error:
                error.usage = usage + (error.usage if isinstance(error.usage, Usage) else Usage())
                raise
            usage = usage + again.usage
            mended = read_reply(request, clean(again.texts[0])) if again.texts else reply
            reply = replace(mended, is_repaired=True) if not mended.problem else reply
        items.append(reply)
    return Replies(tuple(items), answer.prompt, answer.left_out, usage), usage


def _edited(request: TypedRequest, prompt: str) -> EditedPrompt:
    return EditedPrompt(request.question, request, prompt, language=request.language)


def clean(text: str) -> str:
    """Return the text without lone surrogates, which no store and no page can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_reply(request: TypedRequest, text: str) -> Reply:
    """Read a reply's text; one that says something else keeps the text and the problem."""
    try:
        return Reply(text, request.read(text))
    except UnreadableReplyError as problem:
        return Reply(text, None, str(problem))


def edited_replies(request: TypedRequest, texts: tuple[str, ...]) -> Replies:
    """Return what a person wrote instead of a model's replies, read as the model's would be."""
    return Replies(tuple(read_reply(request, text) for text in texts))
