"""What a person can change in a run, and the edits that do it.

Every change goes through a fork. A choice, a thought, a value, a pruned branch or a settled name is a reply at the
address of the question it answers, so the engine knows of none of them; a ban is an input from a position on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgcore.config import OFFLINE_MATCHER
from kgcore.errors import InputError
from kgcore.model import EntityId, RelationId
from kgcore.model.text import one_line
from kgcore.prompts.linking import Pick, picked
from kgcore.runs.asked import Asked, asked_by
from kgcore.runs.entries import Act, Address, Edit, StepDone
from kgcore.runs.offers import (
    Option,
    is_by_hand,
    mentions_of,
    options_of,
    read_or_raise,
    reply_choosing,
    reply_linking,
    thought_option,
)
from kgcore.runs.perform import clean
from kgcore.runs.pruning import can_prune, choice_of
from kgcore.runs.scoring import reply_scoring, score_of
from kgcore.runs.view import NodeView, RunView
from kgcore.steps import RelationOption, RelationOptions, Replies

KINDS = ("next", "instead", "thought", "value", "prune", "link", "ban", "reply", "prompt")
MAX_TEXT = 20_000  # characters of a reply or a prompt that a person writes


@dataclass(frozen=True, slots=True)
class Change:
    """A change that can be made: its kind, the step it is made at, and the node it is about (-1 for none)."""

    kind: str
    address: Address
    node: int = -1


@dataclass(frozen=True, slots=True)
class Followed:
    """A relation that was offered at a step, and so can be banned from there on."""

    address: Address
    option: RelationOption
    entities: tuple[EntityId, ...] = ()


# what can be changed


def changes_of_node(
    view: RunView, asked: Mapping[Address, Asked], node: NodeView
) -> tuple[Change, ...]:
    """Return what can be changed at a node, by kind in the order of KINDS."""
    found = [c for seq in node.entries for c in _at_entry(view, asked, seq, node.id)]
    led = choice_of(view, asked, node)
    if led is not None and options_of(led.request):
        found.append(Change("instead", led.address, node.parent if node.parent is not None else -1))
    score, pruned = score_of(view, asked, node), can_prune(view, asked, node)
    if score is not None:
        found.append(Change("value", score.asked.address, node.id))
    if pruned is not None:
        found.append(Change("prune", pruned, node.id))
    if node.parent is None:
        found += [c for seq in unowned_before(view, node.seq) for c in _at_entry(view, asked, seq)]
    followed = relations_at(view, node)
    if followed:
        found.append(Change("ban", followed[0].address, node.id))
    return _sorted(found)


def changes_of_entry(view: RunView, asked: Mapping[Address, Asked], seq: int) -> tuple[Change, ...]:
    """Return what can be changed at one entry of the journal."""
    body, address = view.entry(seq).body, view.entry(seq).address
    about = body.step.get("about", ()) if isinstance(body, StepDone) else ()
    found = _at_entry(view, asked, seq, about[0] if about else -1)
    if isinstance(body, StepDone) and isinstance(body.result, RelationOptions):
        found.append(Change("ban", address, about[0] if about else -1))
    return _sorted(found)


def unowned_before(view: RunView, seq: int) -> list[int]:
    """Return the numbers of the entries before this one that are about no node: how the question was linked."""
    steps = ((entry.seq, entry.body) for entry in view.entries[:seq])
    return [n for n, body in steps if isinstance(body, StepDone) and not body.step.get("about")]


def _at_entry(
    view: RunView, asked: Mapping[Address, Asked], seq: int, node: int = -1
) -> list[Change]:
    one = asked_by(asked, view.entry(seq))
    if one is None:
        return []
    kinds = ["reply"] if _answers_without_prompt(view, seq) else ["reply", "prompt"]
    if mentions_of(one.request, one.replies.value):
        kinds.append("link")
    elif options_of(one.request):
        kinds.append("next")
    if thought_option(one.request) is not None:
        kinds.append("thought")
    return [Change(kind, one.address, node) for kind in kinds]


def _answers_without_prompt(view: RunView, seq: int) -> bool:
    """Whether an entry's reply came from the offline matcher, which reads no prompts."""
    body, models = view.entry(seq).body, dict(view.started.models) if view.started else {}
    role = str(body.step.get("role", "")) if isinstance(body, StepDone) else ""
    return models.get(role, models.get("reason", "")) == OFFLINE_MATCHER


def relations_at(view: RunView, node: NodeView) -> tuple[Followed, ...]:
    """Return the relations that were offered at a node, or else where the choice was made that led to it."""
    parent = view.nodes.get(node.parent) if node.parent is not None else None
    for place, before in ((node, len(view.entries)), (parent, node.seq)):
        for seq in reversed(place.entries if place is not None else ()):
            body = view.entry(seq).body
            if seq >= before or not isinstance(body, StepDone):
                continue
            if isinstance(body.result, RelationOptions):
                return relations_in(view, seq)
    return ()


def relations_in(view: RunView, seq: int) -> tuple[Followed, ...]:
    """Return the relations that the response of an entry offered, each once."""
    body, address = view.entry(seq).body, view.entry(seq).address
    if not isinstance(body, StepDone) or not isinstance(body.result, RelationOptions):
        return ()
    first = {option.relation.id: option for option in reversed(body.result.items)}
    options = (o for o in body.result.items if first[o.relation.id] is o)
    return tuple(Followed(address, option, option.touches) for option in options)


def _sorted(found: Sequence[Change]) -> tuple[Change, ...]:
    return tuple(dict.fromkeys(sorted(found, key=lambda change: KINDS.index(change.kind))))


# the edits


def choosing(
    asked: Asked,
    chosen: Sequence[Option],
    *,
    text: str = "",
    author: str = "local",
    node: int = -1,
    kind: str = "next",
) -> Edit:
    """Return the edit that makes this choice, and no other, at a question."""
    reply = reply_choosing(asked.request, chosen, text)
    told = ", ".join(option.label for option in chosen)
    words = text.strip() if chosen[0].needs_text else ""
    act = Act(kind, author, node, to=f"{told} {words}".strip())
    return Edit(*asked.address, replies=(reply,), act=act)


def thinking(asked: Asked, text: str, *, author: str = "local", node: int = -1) -> Edit:
    """Return the edit that adds a thought to what the model wants to do; its own choices stay."""
    option = thought_option(asked.request)
    if option is None:
        raise InputError("no thought can be added here")
    reply = reply_choosing(asked.request, (option,), text)
    act = Act("thought", author, node, to=read_or_raise(asked.request, reply).text)
    return Edit(*asked.address, replies=(reply, *asked.texts), act=act)


def valuing(
    view: RunView,
    asked: Mapping[Address, Asked],
    node: NodeView,
    value: float,
    *,
    author: str = "local",
) -> Edit:
    """Return the edit that gives a node this value."""
    score = score_of(view, asked, node)
    if score is None:
        raise InputError(f"#{node.id} was not rated by a model: it has no value to set")
    reply = reply_scoring(score, value, f"set by {author}")
    what = "" if node.action != "beam" else node.argument
    act = Act("value", author, node.id if node.action != "beam" else -1, what, f"{value:.2f}")
    return Edit(*score.asked.address, replies=(reply,), act=act)


def settling(asked: Asked, number: int, pick: Pick, *, author: str = "local") -> Edit:
    """Return the edit that takes a name of the question for another candidate or entity, None for none of them."""
    value = asked.replies.value
    reply = reply_linking(asked.request, value, number, pick)
    mention = mentions_of(asked.request, value)[number]
    named = picked(pick, mention.candidates)
    about = f"{named.name} ({named.description or named.id})" if named is not None else ""
    act = Act("link", author, -1, mention.name, about)
    if is_by_hand(reply.value):
        return Edit(*asked.address, result=Replies((reply,), asked.replies.prompt), act=act)
    return Edit(*asked.address, replies=(reply.text,), act=act)


def banning(
    position: int, relation: RelationId, *, label: str = "", author: str = "local", node: int = -1
) -> Edit:
    """Return the edit that takes a relation out of what is offered, from a position on."""
    return Edit(position, banned=relation, act=Act("ban", author, node, what=label or relation))


def replying(asked: Asked, texts: Sequence[str], *, author: str = "local", node: int = -1) -> Edit:
    """Return the edit that puts these replies in place of the model's; InputError for one that cannot be read."""
    texts = tuple(_checked(text) for text in texts)
    if texts == asked.texts:
        raise InputError("the reply is as it was")
    for text in texts:
        read_or_raise(asked.request, text)
    new = next((text for text in texts if text not in asked.texts), texts[0])
    return Edit(
        *asked.address, replies=texts, act=Act("reply", author, node, to=one_line(new, 300))
    )


def prompting(asked: Asked, text: str, *, author: str = "local", node: int = -1) -> Edit:
    """Return the edit that sends this text instead of the prompt."""
    text = _checked(text)
    if text == asked.replies.prompt.strip():
        raise InputError("the prompt is as it was")
    return Edit(*asked.address, prompt=text, act=Act("prompt", author, node))


def _checked(text: str) -> str:
    text = clean(text).strip()
    if not text:
        raise InputError("this text is empty")
    if len(text) > MAX_TEXT:
        raise InputError(f"this text is longer than {MAX_TEXT:,} characters")
    return text
