"""`runs fork`: go on from a past step, or from a node of the search tree, with something changed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping

from kgcore.bootstrap import Studio, build
from kgcore.cli.approving import need_terminal
from kgcore.cli.driving import drive
from kgcore.cli.input_files import read_bytes
from kgcore.errors import InputError
from kgcore.model import RelationId
from kgcore.reasoners import reasoner
from kgcore.runs import Edit, NodeView, RunView
from kgcore.runs.asked import Asked, asked_in
from kgcore.runs.changes import banning as ban
from kgcore.runs.changes import changes_of_node, choosing, relations_at, thinking, valuing
from kgcore.runs.entries import Act, Address
from kgcore.runs.offers import Option, options_of
from kgcore.runs.pruning import pruning

MAX_BYTES = 1_000_000  # of a file with a prompt


def fork(arguments: Namespace) -> int:
    """Go on with one change, as a new run."""
    studio = build()
    run_id = studio.store.find(arguments.id)
    need_terminal(studio.journal(run_id).started.gate)
    edit = _at_node(studio, run_id, arguments) if arguments.node is not None else None
    edit = edit or _at_step(studio, run_id, arguments)
    return drive(studio, studio.fork(run_id, [edit]), arguments)


def _at_step(studio: Studio, run_id: str, arguments: Namespace) -> Edit:
    """Return the edit at an address."""
    if arguments.at is None:
        raise InputError("a reply and a prompt need the step they are for: --at P.I")
    (position, index), author = arguments.at, arguments.by
    if arguments.reply:
        act = Act("reply", author, to=arguments.reply[0])
        return Edit(position, index, replies=tuple(arguments.reply), act=act)
    if arguments.prompt:
        text = read_bytes(arguments.prompt, MAX_BYTES).decode("utf-8", "replace").strip()
        if not text:
            raise InputError(f"{arguments.prompt} is empty")
        return Edit(position, index, prompt=text, act=Act("prompt", author))
    if arguments.ban:
        return ban(position, RelationId(arguments.ban), author=author)
    view, asked = _told(studio, run_id)
    one = asked.get((position, index))
    if one is None:
        raise InputError(f"at {position}.{index} no model was asked")
    node = one.about[0] if one.about else -1
    if arguments.think is not None:
        return thinking(one, arguments.think, author=author, node=node)
    if arguments.choose is not None:
        return _choosing(one, arguments.choose, author, node)
    if len(one.about) != 1:
        raise InputError("say which node is meant: --node N")
    return _about(view, asked, _node(view, node), arguments)


def _at_node(studio: Studio, run_id: str, arguments: Namespace) -> Edit | None:
    """Return the edit at a node; None for one that is given by its step."""
    if arguments.reply or arguments.prompt:
        return None
    view, asked = _told(studio, run_id)
    node, author = _node(view, arguments.node), arguments.by
    if arguments.ban:
        offered = [r for r in relations_at(view, node) if r.option.relation.id == arguments.ban]
        if not offered:
            raise InputError(f"{arguments.ban} was not offered at #{node.id}")
        relation = offered[0].option.relation
        position = offered[0].address[0]
        return ban(position, relation.id, label=relation.name, author=author, node=node.id)
    kind = "thought" if arguments.think is not None else "next"
    if arguments.think is None and arguments.choose is None:
        return _about(view, asked, node, arguments)
    found = [c for c in changes_of_node(view, asked, node) if c.kind == kind]
    if not found:
        raise InputError(f"at #{node.id} there is no such choice")
    one = asked[found[0].address]
    if arguments.think is not None:
        return thinking(one, arguments.think, author=author, node=node.id)
    return _choosing(one, arguments.choose, author, node.id)


def _about(
    view: RunView, asked: Mapping[Address, Asked], node: NodeView, arguments: Namespace
) -> Edit:
    if arguments.prune:
        return pruning(view, asked, node, author=arguments.by)
    return valuing(view, asked, node, arguments.value, author=arguments.by)


def _choosing(asked: Asked, wanted: str, author: str, node: int) -> Edit:
    """Return the edit that chooses what is called so; `answer: X` and `think: X` bring a text of their own."""
    options = options_of(asked.request)
    name, _, text = wanted.partition(":")
    found: list[Option] = [o for o in options if o.label == wanted]
    found = found or [o for o in options if o.label.partition(":")[0] == name.strip()]
    if not found:
        known = ", ".join(f"“{o.label.rstrip(':')}”" for o in options[:12]) or "nothing"
        raise InputError(f"“{wanted}” was not offered here; there is {known}")
    return choosing(asked, found[:1], text=text, author=author, node=node)


def _told(studio: Studio, run_id: str) -> tuple[RunView, Mapping[Address, Asked]]:
    journal = studio.journal(run_id)
    return RunView.of(journal.entries), asked_in(reasoner(journal.started.method), journal)


def _node(view: RunView, number: int) -> NodeView:
    if number not in view.nodes:
        raise InputError(f"the search tree has no node {number}")
    return view.nodes[number]
