"""The forms of the dialog that changes something: each draws its fields and returns what makes the edit."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from kgcore.errors import InputError
from kgcore.runs import Edit, NodeView, RunView, StepDone
from kgcore.runs import changes as made
from kgcore.runs.asked import Asked
from kgcore.runs.changes import Change, Followed
from kgcore.runs.entries import Address
from kgcore.runs.offers import WORDS, Option, options_of, takes_several
from kgcore.runs.pruning import pruning
from kgcore.views.details import value_words
from pages.components import change_links, change_texts, correction_dialog
from pages.components.graph import short
from pages.components.language import t, told_here
from pages.components.text import distinct, plain

__all__ = ["show"]

Make = Callable[[str], Edit]
FEW = 7  # options that are listed at once
NONE = -1


def show(
    kind: str,
    possible: Sequence[Change],
    view: RunView,
    asked: Mapping[Address, Asked],
    *,
    relation: str = "",
) -> Make:
    """Draw the form of a kind of change and return what makes the edit for an author.

    `relation` is the one that the form to ban one begins with.
    """
    change = _which(possible, view)
    node = view.nodes.get(change.node)
    if kind == "triple" and node is not None:
        return _triple(view, node)
    if kind == "ban":
        return _ban(change, view, node, relation)
    if kind == "value" and node is not None:
        return _value(view, asked, node)
    if kind == "prune" and node is not None:
        return lambda author: pruning(view, asked, node, author=author)
    one = asked[change.address]
    if kind == "link":
        return change_links.link(one, view)
    if kind == "thought":
        return change_texts.thought(one, change)
    if kind == "reply":
        return change_texts.reply(one, change, view)
    if kind == "prompt":
        return change_texts.prompt(one, change)
    return _choice(one, change, view)


def _which(possible: Sequence[Change], view: RunView) -> Change:
    """Return the change meant; of several steps a person chooses one."""
    if len(possible) == 1:
        return possible[0]
    seqs = {e.address: e.seq for e in view.entries if isinstance(e.body, StepDone)}
    names = {
        c: told_here(view.log[seqs[c.address]].text) if c.address in seqs else "" for c in possible
    }
    chosen = st.selectbox(
        t("At which step"),
        possible,
        format_func=lambda c: f"{names[c]} ({c.address[0]}.{c.address[1]})",
        key=f"change-form-step-{possible[0].kind}",
    )
    return chosen if chosen is not None else possible[0]


def _key(change: Change, name: str) -> str:
    return f"change-form-{change.kind}-{change.address[0]}-{change.address[1]}-{change.node}-{name}"


# a choice among what was offered


def _choice(asked: Asked, change: Change, view: RunView) -> Make:
    options = options_of(asked.request)
    places, key = range(len(options)), _key(change, "option")
    name = distinct(map(_told, options)).__getitem__
    line = distinct(map(_line, options)).__getitem__  # boxes read no markdown
    label = t("From what was offered")
    if takes_several(asked.request):
        chosen: list[int] = st.multiselect(
            label, places, format_func=line, key=key, placeholder=t("Choose")
        )
    elif len(options) <= FEW:
        picked = st.radio(label, places, format_func=name, key=key, index=None)
        chosen = [picked] if picked is not None else []
    else:
        picked = st.selectbox(
            label, places, format_func=line, key=key, index=None, placeholder=t("Choose")
        )
        chosen = [picked] if picked is not None else []
    text = ""
    if any(options[place].needs_text for place in chosen):
        text = st.text_area(t("In your words"), key=_key(change, "text"), max_chars=2_000) or ""
    _show_now(asked, view, options)

    def make(author: str) -> Edit:
        picks = [options[place] for place in chosen]
        return made.choosing(
            asked, picks, text=text, author=author, node=change.node, kind=change.kind
        )

    return make


def _line(option: Option) -> str:
    return short(" – ".join(filter(None, (_name_of(option), option.about))), 120)


def _told(option: Option) -> str:
    about = f" :gray[{plain(option.about, 90)}]" if option.about else ""
    return plain(_name_of(option), 80) + about


def _name_of(option: Option) -> str:
    return t(option.label).rstrip(":：") if option.label in WORDS else option.label


def _show_now(asked: Asked, view: RunView, options: Sequence[Option]) -> None:
    """Say what the model chose."""
    names = {n: option.label for n, option in enumerate(options)}
    read = [reply.value for reply in asked.replies.items if not reply.problem]
    values = dict.fromkeys(value_words(value, view, names) for value in read)
    if values:
        words = "; ".join(list(values)[:4])
        st.caption(t("The model chose: {words}", words=plain(words, 240)))


# values, names, relations, triples


def _value(view: RunView, asked: Mapping[Address, Asked], node: NodeView) -> Make:
    value = st.number_input(
        t("Value between 0 and 1"),
        0.0,
        1.0,
        round(node.value or 0.0, 2),
        0.05,
        key=f"change-form-value-{node.id}",
    )
    return lambda author: made.valuing(view, asked, node, float(value), author=author)


def _ban(change: Change, view: RunView, node: NodeView | None, relation: str) -> Make:
    offered: Sequence[Followed] = made.relations_at(view, node) if node is not None else ()
    if not offered or offered[0].address != change.address:
        seq = next(
            e.seq
            for e in view.entries
            if e.address == change.address and isinstance(e.body, StepDone)
        )
        offered = made.relations_in(view, seq)
    argument = node.argument if node is not None else ""
    names = [one.option.relation.id for one in offered]
    usual = next(
        (n for n, one in enumerate(offered) if argument.startswith(one.option.phrase)), None
    )
    usual = names.index(relation) if relation in names else usual
    place = st.selectbox(
        t("Relation"),
        range(len(offered)),
        index=usual,
        format_func=distinct(one.option.relation.name for one in offered).__getitem__,
        key=_key(change, "relation"),
        placeholder=t("one of those that were offered"),
    )

    def make(author: str) -> Edit:
        if place is None:
            raise InputError("nothing was chosen")
        chosen = offered[place].option.relation
        return made.banning(
            change.address[0], chosen.id, label=chosen.name, author=author, node=change.node
        )

    return make


def _triple(view: RunView, node: NodeView) -> Make:
    """Lead on to the dialog that corrects a triple."""
    triples = node.added
    place = st.selectbox(
        t("Triple"),
        range(len(triples)),
        format_func=distinct(triple.text for triple in triples).__getitem__,
        key=f"change-form-triple-{node.id}",
    )
    if st.button(t("Correct it"), key="change-correct", type="primary", icon=":material/edit:"):
        correction_dialog.open_for(triples[place or 0], "replace", view)
        st.session_state.pop("change-target", None)
        st.rerun()

    def make(author: str) -> Edit:
        raise InputError("a triple is corrected in a dialog of its own")

    return make
