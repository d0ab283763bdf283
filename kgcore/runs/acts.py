"""What people did in a run, in words: "ana set the value of #3 to 0.20"."""

from __future__ import annotations

from kgcore.i18n import mark, translate
from kgcore.model.text import one_line
from kgcore.runs.entries import Act, Edit, Started

_LIMIT = 120  # characters of a text that somebody wrote
_SENTENCES = {
    "next": mark("{author} chose what to do at {node}: {to}"),
    "instead": mark("{author} chose otherwise at {node}: {to}"),
    "thought": mark("{author} added a thought at {node}: {to}"),
    "value": mark("{author} set the value of {what} to {to}"),
    "prune": mark("{author} took {what}, and what follows from it, out of the search"),
    "link": mark("{author} took “{what}” for {to}"),
    "ban": mark("{author} banned the relation “{what}”"),
    "reply": mark("{author} edited a reply: {to}"),
    "prompt": mark("{author} edited a prompt"),
    "result": mark("{author} put another result in its place"),
    "correction": mark("{author} corrected a triple: {what}"),
    "triples": mark("{author} decided on fetched triples: {what}"),
    "decided": mark("{author} answered instead of the model"),
}
ROOT, SOMEBODY = mark("the question"), mark("a person")


def act_of(edit: Edit) -> Act:
    """Return what an edit is for; of one that does not say, what it changes."""
    if edit.act is not None:
        return edit.act
    if edit.correction is not None:
        return Act("correction", edit.correction.author or "local", what=edit.correction.text)
    if edit.banned is not None:
        return Act("ban", what=edit.banned)
    if edit.prompt:
        return Act("prompt")
    return Act("reply", to=edit.replies[0]) if edit.replies else Act("result")


def acts_of(started: Started, parent: Started | None = None) -> tuple[Act, ...]:
    """Return what the edits of a run are for; of a fork only its own, where its parent is known."""
    inherited = parent.edits if parent is not None else ()
    return tuple(act_of(edit) for edit in started.edits if edit not in inherited)


def pruned_texts(started: Started) -> frozenset[str]:
    """Return what a person took out of a run's search, as the search tells of it."""
    acts = (act_of(edit) for edit in started.edits)
    return frozenset(act.what for act in acts if act.kind == "prune")


def act_words(act: Act, language: str = "en") -> str:
    """Return an act as a sentence."""
    sentence = _SENTENCES.get(act.kind, _SENTENCES["result"])
    node = f"#{act.node}" if act.node >= 0 else translate(ROOT, language)
    return translate(
        sentence,
        language,
        author=one_line(act.author, 40) or translate(SOMEBODY, language),
        node=node,
        what=one_line(act.what, _LIMIT) or node,
        to=translate(one_line(" ".join(act.to.split()), _LIMIT), language) or "–",
    )
