"""Faults around corrections: two tabs on one correction, many hands at once, and texts that files must survive."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from kgcore.corrections import Correction, CorrectionStore, mint
from kgcore.corrections.exchange import export_corrections, read_csv
from kgcore.errors import ConflictError, InputError
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId
from tests.unit.corrections.toys import PARK, moves_home


def test_a4_the_second_of_two_tabs_gets_a_conflict_and_nothing_is_lost(tmp_path: Path) -> None:
    one, other = CorrectionStore.open(tmp_path), CorrectionStore.open(tmp_path)
    name = one.propose(moves_home(author="Ann")).id
    seen_by_one, seen_by_other = one.get(name), other.get(name)
    first = one.revise(
        replace(seen_by_one.correction, reason="first tab"),
        who="Ann",
        revision=seen_by_one.revision,
    )
    with pytest.raises(ConflictError, match=r"changed meanwhile \(revise by Ann\)"):
        other.revise(
            replace(seen_by_other.correction, reason="second tab"),
            who="Ann",
            revision=seen_by_other.revision,
        )
    with pytest.raises(ConflictError):
        other.approve(name, revision=seen_by_other.revision)
    assert other.get(name) == first
    assert [c.correction.reason for c in first.history] == ["", "first tab"]


def test_a4_of_many_hands_at_once_one_wins_each_time(tmp_path: Path) -> None:
    stores = [CorrectionStore.open(tmp_path) for _ in range(6)]
    proposal = stores[0].propose(moves_home())
    name = proposal.id

    def revise(number: int) -> str:
        try:
            mine = replace(proposal.correction, reason=f"tab {number}")
            stores[number].revise(mine, who=f"tab {number}", revision=1)
        except ConflictError:
            return "refused"
        return f"tab {number}"

    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(revise, range(6)))
    assert outcomes.count("refused") == 5
    (winner,) = (o for o in outcomes if o != "refused")
    kept = stores[0].get(name)
    assert (kept.correction.reason, kept.revision, len(kept.history)) == (winner, 2, 2)


def test_a4_of_corrections_that_contradict_only_one_is_ever_approved(tmp_path: Path) -> None:
    stores = [CorrectionStore.open(tmp_path) for _ in range(6)]
    names = [
        stores[n].propose(replace(moves_home(author=f"p{n}"), new_object=PARK)).id for n in range(6)
    ]

    def approve(number: int) -> bool:
        try:
            return stores[number].approve(names[number], who=f"p{number}").is_in_force
        except ConflictError:
            return False

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(approve, range(6))) == 1
    assert len(stores[0].in_force(["toy"])) == 1
    assert len(stores[0].list()) == 6


ACTIONS: list[Callable[[CorrectionStore, str], object]] = [
    lambda store, name: store.approve(name),
    lambda store, name: store.reject(name),
    lambda store, name: store.undo(name),
]


@pytest.mark.parametrize(
    "name", ["../../etc", "a\x00b", "CON", "'; DROP TABLE corrections --", "%"]
)
@pytest.mark.parametrize("action", range(len(ACTIONS)))
def test_s17_an_id_is_only_ever_an_id(tmp_path: Path, name: str, action: int) -> None:
    store = CorrectionStore.open(tmp_path)
    kept = store.propose(moves_home())
    with pytest.raises(InputError):
        ACTIONS[action](store, store.find(name))
    assert store.get(kept.id) == kept


RISKY = "=+-@\t\n\r'\"|,;: aé中"


@pytest.mark.parametrize("seed", range(30))
def test_s20_what_is_exported_is_harmless_and_comes_back_equal(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)

    def text() -> str:
        return "".join(rng.choice(RISKY) for _ in range(rng.randint(1, 8)))

    mine = CorrectionStore.open(tmp_path / "mine")
    said = moves_home(author="Ann", reason=text())
    said = replace(
        said,
        subject=replace(said.subject, label=text()),
        object=Literal(text(), rng.choice(("", "xsd:string")), unit=rng.choice(("", text()))),
        new_object=mint(text()),
    )
    mine.approve(mine.propose(said).id)
    (kept,) = mine.in_force(["toy"])
    written = export_corrections([kept], "csv").text
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    assert [cell for cell in cells if cell[:1] in tuple("=+-@\t\n\r")] == []
    theirs = CorrectionStore.open(tmp_path / "theirs")
    (read,) = (theirs.propose(c, what="import") for c in read_csv(written.encode("utf-8")))
    assert read.correction == kept
    assert read.correction.subject.label == kept.subject.label
    commands = export_corrections([kept], "quickstatements").text
    assert commands == "", "the toy graph's ids are none of Wikidata's"


@pytest.mark.parametrize("seed", range(30))
def test_s20_a_quickstatement_is_one_line_of_plain_fields_or_is_left_out(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choice(RISKY) for _ in range(rng.randint(1, 6)))
    thing, relation = Entity(EntityId("wd:Q1"), text), Relation(RelationId("wdt:P1"), text)
    said = Correction("c", "add", thing, relation, Literal(text), kg="wikidata", reason=text)
    exported = export_corrections([said], "quickstatements")
    if exported.n:
        assert exported.text == f'Q1\tP1\t"{text}"\n'
        assert not set(text) & set('\t\n\r|"')
    else:
        assert exported.text == ""
        assert set(text) & set('\t\n\r|"')
