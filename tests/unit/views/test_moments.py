"""Looking back: each moment is the fold of a prefix, found without folding from the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

from kgcore.bootstrap.demo_runs import DEMO_RUNS, demo_entries
from kgcore.model import Subgraph
from kgcore.runs import Entry, RunView
from kgcore.steps import (
    NodeExpanded,
    QueryWritten,
    RationaleCorrected,
    RationaleDrafted,
    Warned,
)
from kgcore.views.captions import captions_of
from kgcore.views.growth import Growth
from kgcore.views.kg_network import kg_network
from kgcore.views.moments import KEPT_EVERY, Moments, copied, keep_places, room_of
from kgcore.views.palettes import LIGHT
from kgcore.views.tree_network import tree_network
from tests.unit.views import hand_made as made

BARE = Subgraph()


def moments_of(entries: Sequence[Entry]) -> Moments:
    moments = Moments()
    for entry in entries:
        moments.add(entry)
    return moments


def long_story() -> list[Entry]:
    """The story with many warnings in between: longer than what is kept between two copies."""
    bodies: list[Any] = []
    for body in made.story():
        bodies += [body, *(Warned(f"warning {n}") for n in range(10))]
    return made.entries(bodies[:-10])


def assert_same(one: RunView, other: RunView) -> None:
    for field in fields(RunView):
        if field.name not in ("words", "subgraph", "nodes"):
            assert getattr(one, field.name) == getattr(other, field.name), field.name
    assert one.subgraph.digest == other.subgraph.digest
    assert nodes_of(one) == nodes_of(other)


def nodes_of(view: RunView) -> list[object]:
    """The nodes, their subgraphs as what tells equal ones."""
    return [(replace(n, subgraph=BARE), n.subgraph.digest) for n in view.nodes.values()]


def test_every_moment_is_the_fold_of_its_prefix() -> None:
    entries = long_story()
    assert len(entries) > 3 * KEPT_EVERY
    moments = moments_of(entries)
    for n in range(1, len(entries) + 1):
        assert_same(moments.at(n), RunView.of(entries[:n]))


def test_a_moment_costs_no_more_late_in_a_run_than_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = moments_of(long_story())
    folded: list[Entry] = []
    add = RunView.add

    def counted(view: RunView, entry: Entry) -> None:
        folded.append(entry)
        add(view, entry)

    monkeypatch.setattr(RunView, "add", counted)
    for n in range(1, len(moments.kinds) + 1):
        folded.clear()
        moments.at(n)
        assert len(folded) < KEPT_EVERY


def test_a_moment_stays_as_it_was_while_the_run_goes_on() -> None:
    entries = long_story()
    moments = moments_of(entries[:100])
    before = moments.at(90)
    known = (len(before.nodes), len(before.log), len(before.decisions), before.words.name("x:3"))
    for entry in entries[100:]:
        moments.add(entry)
    after = (len(before.nodes), len(before.log), len(before.decisions), before.words.name("x:3"))
    assert after == known
    assert_same(moments.at(90), before)


def test_a_copy_shares_nothing_that_the_fold_changes() -> None:
    view = RunView.of(long_story())
    for field in fields(RunView):
        value = getattr(view, field.name)
        can_change = value.__hash__ is None
        assert not (can_change and getattr(copied(view), field.name) is value), field.name


def test_looking_back_forgets_what_came_later_of_a_rationale() -> None:
    told: list[Any] = [RationaleDrafted(1, 1, "It rains.")]
    for number in range(KEPT_EVERY):
        told.append(QueryWritten(1, 1, f"source {number}", "sql", "SELECT 1", "SELECT 1"))
    told.append(RationaleCorrected(1, 1, "It rains.", "It snows."))
    entries = made.entries([made.story()[0], *told])
    moments = moments_of(entries)
    for n in range(len(entries), 0, -1):
        assert_same(moments.at(n), RunView.of(entries[:n]))
    assert_same(moments.now, RunView.of(entries))


def test_words_tell_what_happened_last_at_a_moment() -> None:
    entries = made.entries(made.story())
    moments = moments_of(entries[:6])
    caption = captions_of(entries)[1]
    before = moments.said(caption.last + 1)
    assert before == caption.text
    for entry in entries[6:]:
        moments.add(entry)
    assert moments.said(caption.last + 1) == before
    assert moments.said(4) == moments.now.log[3].text == "Expands #0", "inside of a caption"
    assert "Michael Caine" in moments.said(len(entries))
    assert moments.said(caption.last + 1, "zh") != before
    assert moments.said(0) == moments.said(len(entries) + 1) == ""


def test_expansions_are_found_after_a_moment() -> None:
    moments = moments_of(made.entries(made.story()))
    expansions = [i + 1 for i, body in enumerate(made.story()) if isinstance(body, NodeExpanded)]
    assert moments.expansion_after(1) == expansions[0]
    assert moments.expansion_after(expansions[0]) == expansions[1]
    assert moments.expansion_after(expansions[-1]) == len(moments.kinds)


def test_the_paths_of_a_beam_are_one_expansion() -> None:
    first, *_ = made.story()
    bodies = [first, NodeExpanded(1, 1), NodeExpanded(2, 2), Warned("x"), NodeExpanded(1, 3)]
    moments = moments_of(made.entries([*bodies, Warned("y")]))
    assert moments.expansion_after(1) == 3


@pytest.mark.parametrize("run_id", [demo.id for demo in DEMO_RUNS])
def test_every_moment_of_a_recorded_run_is_drawn_where_the_whole_draws_it(run_id: str) -> None:
    entries = demo_entries(run_id)
    moments = moments_of(entries)
    growth = Growth.of(entries)
    kg = positions(kg_network(moments.now, LIGHT, growth=growth))
    whole = tree_network(moments.now, LIGHT)
    tree = positions(whole)
    for n in range(1, len(entries), 3):
        view = moments.at(n)
        there = positions(kg_network(view, LIGHT, growth=growth))
        assert {name: kg[name] for name in there if name in kg} == {
            name: at for name, at in there.items() if name in kg
        }
        net = tree_network(view, LIGHT)
        room = keep_places(net, whole)
        assert positions(net).items() <= tree.items()
        assert room == room_of(tree.values())


def positions(net: Any) -> dict[str, tuple[float, float]]:
    return {str(node["id"]): (node["x"], node["y"]) for node in net.nodes}


def test_there_is_no_room_of_nothing() -> None:
    assert room_of(()) == ()
