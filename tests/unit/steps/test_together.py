"""Branches in lockstep."""

from __future__ import annotations

from typing import Any

from kgcore.steps import All, Link, Warned, gather, together


def branch(name: str, n: int) -> Any:
    heard = []
    for i in range(n):
        yield Warned(f"{name}{i}")
        heard.append((yield Link(f"{name}{i}")))
    return heard


def play(generator: Any) -> tuple[list[Any], Any]:
    items, sent = [], None
    try:
        while True:
            item = generator.send(sent)
            items.append(item)
            if isinstance(item, All):
                sent = tuple(f"got {leaf.text}" for leaf in item.steps)
            elif isinstance(item, Link):
                sent = f"got {item.text}"
            else:
                sent = None
    except StopIteration as stop:
        return items, stop.value


def test_branches_of_different_length_advance_in_lockstep() -> None:
    items, values = play(together(branch("a", 1), branch("b", 3), branch("c", 2)))
    rounds = [i for i in items if not isinstance(i, Warned)]
    assert rounds == [
        All((Link("a0"), Link("b0"), Link("c0"))),
        All((Link("b1"), Link("c1"))),
        Link("b2"),
    ]
    assert values == [["got a0"], ["got b0", "got b1", "got b2"], ["got c0", "got c1"]]


def test_facts_of_branches_pass_through_in_order() -> None:
    items, _ = play(together(branch("a", 1), branch("b", 1)))
    assert [i.message for i in items if isinstance(i, Warned)] == ["a0", "b0"]


def test_an_all_inside_a_branch_joins_the_round_and_gets_its_own_results() -> None:
    def both() -> Any:
        return (yield All((Link("x"), Link("y"))))

    items, values = play(together(both(), branch("a", 1)))
    assert [i for i in items if isinstance(i, All)] == [All((Link("x"), Link("y"), Link("a0")))]
    assert values == [("got x", "got y"), ["got a0"]]


def test_no_branches_and_no_leaves_yield_nothing() -> None:
    assert play(together()) == ([], [])
    assert play(gather([])) == ([], ())


def test_a_single_leaf_is_no_all() -> None:
    step = Link("only")
    items, value = play(gather([step]))
    assert (items, value) == ([step], ("got only",))
