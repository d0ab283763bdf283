"""What is known of a node of the search tree or an entry of the journal: calls as they were sent and as they were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kgcore.model import Entity, EntityId, Literal, Triple
from kgcore.model.text import estimate_tokens
from kgcore.prompts import (
    Corrected,
    ExpandKG,
    GiveAnswer,
    Move,
    Rating,
    Search,
    SelectEntities,
    SelectRelation,
    Sentence,
    Think,
    Thoughts,
)
from kgcore.runs import NodeView, RunView, StepDone, StepFailed
from kgcore.runs.changes import unowned_before
from kgcore.runs.entries import Ended, FactNoted
from kgcore.runs.standing import ANEW, Via
from kgcore.steps import (
    Answer,
    Backtracked,
    EdgeSet,
    Passages,
    QuestionLinked,
    Ranking,
    RelationOptions,
    Replies,
    Reply,
    Usage,
)


@dataclass(frozen=True, slots=True)
class ReplyLine:
    """One sample of a model: its text, what it was read as, and what was wrong with it.

    `votes` counts the samples that were read alike.
    """

    text: str
    read_as: str
    problem: str = ""
    is_repaired: bool = False
    votes: int = 1


@dataclass(frozen=True, slots=True)
class Call:
    """A step done for a node.

    `part` says which: choice (it led here), fetch (it brought its triples), rating, next (what to do here), or link.

    `result` is what came back, as it came; `problem` is why nothing did.
    """

    seq: int
    part: str
    text: str
    template: str = ""
    prompt: str = ""
    replies: tuple[ReplyLine, ...] = ()
    left_out: tuple[str, ...] = ()
    usage: Usage = field(default=Usage())
    seconds: float = 0.0
    via: Via = "live"
    result: Any = None
    options: tuple[str, ...] = ()  # of a ranking: what was ranked
    problem: str = ""

    @property
    def prompt_tokens(self) -> tuple[int, bool]:
        """How long the prompt was, and whether that is an estimate: who answers without a model counts nothing."""
        if self.usage.prompt_tokens:
            return self.usage.prompt_tokens, self.usage.is_estimated
        return estimate_tokens(self.prompt), True


def call_at(view: RunView, seq: int) -> Call | None:
    """Return the call that an entry of the journal holds; None for one that is no call."""
    body = view.entry(seq).body
    about = body.step.get("about", ()) if isinstance(body, StepDone | StepFailed) else ()
    node = view.nodes.get(about[0]) if about else None
    call = _call(view, node, seq, "next" if node is not None else "link")
    return _as_rating(call) if call is not None else None


@dataclass(frozen=True, slots=True)
class Things:
    """What an entry of the journal is about in both drawings: a node of the search tree, entities, triples."""

    node: int | None = None
    entities: tuple[EntityId, ...] = ()
    triples: tuple[Triple, ...] = ()


def things_at(view: RunView, seq: int) -> Things:
    """Return what an entry is about, as far as the run knows it at the moment of the view."""
    body, nodes = view.entry(seq).body, view.log[seq].nodes
    fact = body.fact if isinstance(body, FactNoted) else None
    if isinstance(fact, Backtracked):
        nodes = (fact.to,)
    answer = body.answer if isinstance(body, Ended) else getattr(fact, "answer", None)
    if isinstance(answer, Answer):
        nodes = (answer.node,)
    node = next((number for number in nodes if number in view.nodes), None)
    ids: list[EntityId] = []
    triples: tuple[Triple, ...] = getattr(fact, "triples", ())
    if isinstance(body, StepDone):
        ids = list(body.step.get("entities", ()))
        triples = body.result.triples if isinstance(body.result, EdgeSet) else ()
    elif isinstance(fact, QuestionLinked):
        ids = [seed.entity.id for seed in fact.seeds if seed.entity is not None]
    elif isinstance(answer, Answer):
        ids = [part.value.id for part in answer.parts if isinstance(part.value, Entity)]
        triples = answer.proof
    ids += list(getattr(fact, "selected", ()))
    known = dict.fromkeys(view.subgraph.canonical(i) for i in ids if i in view.subgraph)
    ends = {triple: _ends(triple) for triple in triples}
    held = tuple(t for t in triples if all(end in view.subgraph for end in ends[t]))
    return Things(node, tuple(known), held)


def _ends(triple: Triple) -> tuple[EntityId, ...]:
    end = triple.object
    return (triple.subject.id, end.id) if isinstance(end, Entity) else (triple.subject.id,)


def spent_on(calls: Iterable[Call]) -> tuple[Usage, float]:
    """Return what some calls cost together, and their seconds; what was taken over cost nothing."""
    paid = [call for call in calls if call.via in ANEW]
    return sum((call.usage for call in paid), Usage()), sum(call.seconds for call in paid)


def before_and_after(
    view: RunView, node: NodeView
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """Return the triples that a node added, and those that were known before it."""
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    known = tuple(parent.subgraph.triples) if parent is not None else ()
    return tuple(node.added), known


def calls_of(view: RunView, node: NodeView) -> list[Call]:
    """Return the calls about a node in the order of the journal: what led to it and brought its triples, rating, next."""
    found: list[Call] = []
    if node.parent is None:
        linking = unowned_before(view, node.seq)
        found.extend(c for seq in linking if (c := _call(view, None, seq, "link")))
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    if parent is not None:
        found.extend(_before(view, node, parent))
    for seq in node.entries:
        call = _call(view, node, seq, "next")
        if call is not None:
            found.append(_as_rating(call))
    return found


def _before(view: RunView, node: NodeView, parent: NodeView) -> list[Call]:
    """Return what was done at a node's parent for this node: the last question but ratings, and what fetched its triples."""
    seqs = [seq for seq in parent.entries if seq < node.seq]
    asked = [c for seq in seqs if (c := _call(view, parent, seq, "choice")) and c.template]
    led = [c for c in asked if _as_rating(c) is c]
    above = view.nodes.get(parent.parent) if parent.parent is not None else None
    is_thought = parent.action == "think"  # of the reply that brought this node too
    if not led and above is not None and is_thought:
        led = [c for c in _before(view, parent, above) if c.part == "choice"]
    added = set(node.added)
    fetched = [
        c
        for seq in seqs
        if (c := _call(view, parent, seq, "fetch")) and not added.isdisjoint(_brought(c.result))
    ]
    return sorted((*led[-1:], *fetched), key=lambda call: call.seq)


def _brought(result: Any) -> tuple[Triple, ...]:
    """Return the triples that a result brought."""
    if isinstance(result, Passages):
        return tuple(t for item in result.items for t in item.triples)
    return result.triples if isinstance(result, EdgeSet) else ()


def _as_rating(call: Call) -> Call:
    return replace(call, part="rating") if call.template.startswith("rate") else call


def rejections_of(view: RunView, node: int) -> list[tuple[str, str]]:
    """Return what was tried at a node and rejected: the text, and why."""
    return [(r.text, r.reason) for r in view.rejected if r.node == node]


def _call(view: RunView, node: NodeView | None, seq: int, part: str) -> Call | None:
    body, line = view.entry(seq).body, view.log[seq]
    if isinstance(body, StepFailed):
        return Call(seq, part, line.text, usage=body.usage, problem=body.message)
    if not isinstance(body, StepDone):
        return None
    call = Call(
        seq,
        part,
        line.text,
        str(body.step.get("template", "")),
        usage=body.usage,
        seconds=body.seconds,
        via=body.via,
        result=body.result,
        options=tuple(body.step.get("options", ())),
    )
    if not isinstance(body.result, Replies):
        return call
    options = _options(view, node, seq) if node is not None else {}
    lines = [_reply(reply, view, options) for reply in body.result.items]
    votes = Counter(line.read_as for line in lines if not line.problem)
    replies = tuple(replace(line, votes=max(1, votes[line.read_as])) for line in lines)
    return replace(call, prompt=body.result.prompt, replies=replies, left_out=body.result.left_out)


def _options(view: RunView, node: NodeView, before: int) -> Mapping[int, str]:
    """Return the relations that were offered at a node, by number; none where it is not known which."""
    config = view.started.config if view.started else None
    most = getattr(config, "max_options", 0)
    is_ranked = getattr(config, "rank_options", False) or getattr(config, "shortlist", 0)
    phrases: list[str] = []
    for seq in node.entries:
        body = view.entry(seq).body
        if seq >= before or not isinstance(body, StepDone):
            continue
        if isinstance(body.result, RelationOptions):
            phrases = [option.phrase for option in body.result.items]
        elif isinstance(body.result, Ranking) and len(body.result.order) == len(phrases):
            order = body.result.order[: most or None]
            phrases = [phrases[i] for i in (order if is_ranked else sorted(order))]
    return {} if most and len(phrases) > most else dict(enumerate(phrases))


def _reply(reply: Reply, view: RunView, options: Mapping[int, str]) -> ReplyLine:
    read = "" if reply.problem else value_words(reply.value, view, options)
    return ReplyLine(reply.text, read, reply.problem, reply.is_repaired)


def value_words(value: Any, view: RunView, options: Mapping[int, str] | None = None) -> str:
    """Return what a reply was read as, in words."""
    if isinstance(value, Think):
        return f"think: {value.text}"
    if isinstance(value, Move):
        return value_words(value.action, view, options)
    if isinstance(value, Search):
        return f"look up {value.name or view.words.names(value.entities)}"
    if isinstance(value, Sentence | Corrected):
        return value.text or "nothing follows"
    if isinstance(value, Thoughts):
        return "; ".join((*value.rationales, value_words(value.answer, view)))
    if isinstance(value, ExpandKG):
        return "expand: look further into the graph"
    if isinstance(value, SelectEntities):
        return f"pick {view.words.names(value.entities)}"
    if isinstance(value, SelectRelation):
        return f"follow {(options or {}).get(value.option, f'option {value.option + 1}')}"
    if isinstance(value, GiveAnswer):
        return "cannot tell" if value.is_unknown else f"answer: {value.text}"
    if isinstance(value, Rating):
        return f"{value.value:.2f}" + (f" – {value.reason}" if value.reason else "")
    if isinstance(value, Literal | Entity):
        return value.name
    if isinstance(value, list | tuple):
        return "; ".join(value_words(item, view, options) for item in value) or "none"
    return "none" if value is None else str(value)
