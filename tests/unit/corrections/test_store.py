"""Proposing, deciding and undoing corrections; their history; who contradicts whom."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kgcore.corrections import Correction, CorrectionStore, Proposal
from kgcore.corrections.proposal import TRANSITIONS
from kgcore.errors import ConflictError, InputError, StoreError, UnknownCorrectionError
from kgcore.model import from_dict, to_dict
from kgcore.runs import SqlRunStore
from tests.unit.corrections.toys import BLUES, HOME, NEW, OLD, PARK, REDS, moves_home

MOVES = ("approve", "reject", "withdraw", "undo")


@pytest.fixture
def store(tmp_path: Path) -> CorrectionStore:
    return CorrectionStore.open(tmp_path)


def brought_to(store: CorrectionStore, status: str) -> Proposal:
    proposal = store.propose(moves_home())
    moves = {"approved": "approve", "rejected": "reject", "withdrawn": "withdraw"}
    return getattr(store, moves[status])(proposal.id) if status in moves else proposal


def test_a_proposal_is_kept_with_all_that_was_said(store: CorrectionStore) -> None:
    said = moves_home(author="Ann", reason="they moved", evidence="https://example.org/news?id=1")
    kept = store.propose(said)
    assert kept == store.get(kept.id)
    assert replace(kept.correction, id="", when="") == said
    assert kept.correction.when
    assert [(c.what, c.who) for c in kept.history] == [("propose", "Ann")]
    assert from_dict(to_dict(kept)) == kept


@pytest.mark.parametrize("status", ["proposed", "approved", "rejected", "withdrawn"])
@pytest.mark.parametrize("move", MOVES)
def test_each_move_leads_where_the_table_says(
    store: CorrectionStore, status: str, move: str
) -> None:
    before = brought_to(store, status)
    if (status, move) in TRANSITIONS:
        after = getattr(store, move)(before.id)
        assert after.status == TRANSITIONS[status, move]
        assert after.revision == before.revision + 1
        assert store.get(before.id) == after
    else:
        with pytest.raises(InputError, match=f"that is {status}"):
            getattr(store, move)(before.id)
        assert store.get(before.id) == before


def test_the_history_tells_who_did_what(store: CorrectionStore) -> None:
    name = store.propose(moves_home(author="Ann")).id
    store.approve(name, who="Bob", note="checked")
    store.undo(name, who="Cleo")
    store.revise(replace(store.get(name).correction, reason="better"), who="Ann", revision=3)
    history = store.get(name).history
    assert [(c.what, c.who, c.note) for c in history] == [
        ("propose", "Ann", ""),
        ("approve", "Bob", "checked"),
        ("undo", "Cleo", ""),
        ("revise", "Ann", ""),
    ]
    assert [c.correction.reason for c in history] == ["", "", "", "better"]
    assert [c.when for c in history] == sorted(c.when for c in history)


def test_only_approved_corrections_of_the_asked_graphs_are_in_force(store: CorrectionStore) -> None:
    mine = store.propose(moves_home())
    other = store.propose(moves_home(kg="other"))
    assert store.in_force(["toy"]) == ()
    store.approve(mine.id)
    store.approve(other.id)
    assert [c.id for c in store.in_force(["toy"])] == [mine.id]
    assert {c.id for c in store.in_force(["toy", "other"])} == {mine.id, other.id}
    store.undo(mine.id)
    assert store.in_force(["toy"]) == ()


def test_corrections_of_one_triple_are_kept_but_only_one_is_approved(
    store: CorrectionStore,
) -> None:
    ann = store.propose(moves_home(author="Ann"))
    bob = store.propose(replace(moves_home(author="Bob"), new_object=PARK))
    assert [p.id for p in store.conflicts(ann.correction)] == [bob.id]
    assert [p.id for p in store.conflicts(bob.correction)] == [ann.id]
    store.approve(ann.id)
    with pytest.raises(ConflictError, match=rf"{ann.id[:8]} of Ann .*undo it first"):
        store.approve(bob.id)
    assert store.get(bob.id) == bob
    store.undo(ann.id)
    assert store.approve(bob.id).is_in_force


CONTRADICT = {
    "two replace it": (moves_home(), replace(moves_home(), new_object=PARK)),
    "one retracts it": (moves_home(), Correction("", "retract", REDS, HOME, OLD, kg="toy")),
    "one takes away what the other puts in": (
        moves_home(),
        Correction("", "retract", REDS, HOME, NEW, kg="toy"),
    ),
    "one replaces what the other adds": (
        Correction("", "add", REDS, HOME, OLD, kg="toy"),
        moves_home(),
    ),
}
AGREE = {
    "another triple": (moves_home(), Correction("", "retract", BLUES, HOME, PARK, kg="toy")),
    "another graph": (moves_home(), replace(moves_home(kg="other"), new_object=PARK)),
    "both put the same in": (moves_home(), Correction("", "add", REDS, HOME, NEW, kg="toy")),
}


@pytest.mark.parametrize("case", CONTRADICT)
@pytest.mark.parametrize("is_turned", [False, True])
def test_what_contradicts_cannot_be_in_force_together(
    store: CorrectionStore, case: str, is_turned: bool
) -> None:
    pair = [store.propose(c).id for c in CONTRADICT[case]]
    first, second = reversed(pair) if is_turned else pair
    store.approve(first)
    with pytest.raises(ConflictError):
        store.approve(second)


@pytest.mark.parametrize("case", AGREE)
def test_what_does_not_contradict_can(store: CorrectionStore, case: str) -> None:
    for correction in AGREE[case]:
        store.approve(store.propose(correction).id)
    assert len(store.in_force(["toy", "other"])) == 2


def test_saying_the_same_twice_is_one_proposal(store: CorrectionStore) -> None:
    first = store.propose(moves_home(author="Ann"))
    assert store.propose(moves_home(author="Ann")) == first
    assert store.propose(moves_home(author="Bob")).id != first.id
    assert len(store.list()) == 2


WRONG = {
    "no graph": (moves_home(kg=""), "names the graph"),
    "nothing new": (replace(moves_home(), new_object=None), "another object"),
    "too much": (Correction("", "retract", REDS, HOME, OLD, NEW, kg="toy"), "another object"),
    "no change": (replace(moves_home(), new_object=OLD), "nothing would change"),
    "a script": (moves_home(evidence="javascript:alert(1)"), "link"),
    "a file": (moves_home(evidence="file:///etc/passwd"), "link"),
    "no host": (moves_home(evidence="http://"), "link"),
    "a space": (moves_home(evidence="http://a.org/ b"), "link"),
    "brackets": (moves_home(evidence="http://[::1"), "link"),
    "a quote": (moves_home(evidence='http://a.org/"onclick='), "link"),
    "a key": (moves_home(evidence="https://me:secret@a.org/"), "password"),
    "a long reason": (moves_home(reason="x" * 4001), "longer than 4,000"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_correction_is_refused_in_one_line(store: CorrectionStore, case: str) -> None:
    correction, message = WRONG[case]
    with pytest.raises(InputError, match=message) as refused:
        store.propose(correction)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)
    assert store.list() == ()


def test_lists_are_of_a_status_and_of_graphs(store: CorrectionStore) -> None:
    one, other = store.propose(moves_home()), store.propose(moves_home(kg="other"))
    store.reject(other.id)
    assert [p.id for p in store.list(status="proposed")] == [one.id]
    assert [p.id for p in store.list(kgs=["other"])] == [other.id]
    assert {p.id for p in store.list()} == {one.id, other.id}


def test_owners_do_not_see_each_other(tmp_path: Path) -> None:
    mine, theirs = (CorrectionStore.open(tmp_path, owner=o) for o in ("local", "else"))
    kept = mine.propose(moves_home())
    assert theirs.list() == ()
    for look in (theirs.get, theirs.approve, theirs.undo):
        with pytest.raises(UnknownCorrectionError):
            look(kept.id)
    theirs.approve(theirs.propose(replace(moves_home(), new_object=PARK)).id)
    assert mine.approve(kept.id).is_in_force


def test_an_id_is_found_by_its_start(store: CorrectionStore) -> None:
    name = store.propose(moves_home()).id
    assert store.find(name[:6]) == name
    with pytest.raises(UnknownCorrectionError):
        store.find("zzz")
    store.propose(moves_home(kg="other"))
    with pytest.raises(UnknownCorrectionError):
        store.find("")


def test_it_lies_in_the_database_of_the_runs(tmp_path: Path) -> None:
    runs = SqlRunStore.open(tmp_path)
    name = CorrectionStore(runs.engine).propose(moves_home()).id
    assert [f.name for f in tmp_path.glob("*.sqlite")] == ["runs.sqlite"]
    assert CorrectionStore.open(tmp_path).get(name).status == "proposed"
    assert runs.list() == []


def test_another_format_is_left_alone(tmp_path: Path) -> None:
    store = CorrectionStore.open(tmp_path)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE corrections_format SET version = 99")
    with pytest.raises(StoreError, match="format 99"):
        CorrectionStore.open(tmp_path)
