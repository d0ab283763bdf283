"""The approval gate: triples wait for a person before the reasoner sees them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import InputError
from kgcore.model import Entity, Triple
from kgcore.runs import Gate, Run, RunView, lineage, replay
from kgcore.runs.entries import Edit
from kgcore.runs.exchange import export_run, import_run
from kgcore.runs.gate import decide
from kgcore.runs.journal import Journal
from kgcore.steps import Answer, Edges
from tests.unit.runs.toys import (
    BORN,
    CAST,
    DIRECTOR,
    TRIPLES,
    Bench,
    Toy,
    ToyConfig,
    birthplace,
    entity,
    everyone,
    names,
    wait_until,
)

NOLAN_DIRECTED = TRIPLES[0]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def ask(bench: Bench, run: Callable[..., Any], gate: Gate | None = None) -> Run:
    return lineage.ask(bench.launch(run), "?", ToyConfig(), gate=gate or Gate())


def decided(run: Run, *answers: dict[str, Any]) -> list[tuple[str, ...]]:
    """Drive a run, deciding on each batch in turn; return what was shown, in words."""
    shown = []
    run.start()
    for answer in answers:
        wait_until(lambda: bool(run.waiting) or run.join(0))
        batch = run.waiting
        shown.append(tuple(t.text for t in batch))
        run.decide(batch, **answer)
    assert run.join(5)
    return shown


def text_of(run: Run) -> str:
    ended = run.journal.ended
    assert ended is not None
    return ended.answer.text if ended.answer else ended.status


def test_a_batch_waits_and_the_run_says_so(bench: Bench) -> None:
    run = ask(bench, birthplace)
    run.start()
    wait_until(lambda: run.status == "waiting")
    assert run.waiting == (NOLAN_DIRECTED,)
    assert bench.model.n == 0
    run.stop()
    assert run.join(5)
    assert run.status == "stopped"


def test_what_is_approved_goes_on_unchanged(bench: Bench) -> None:
    run = ask(bench, birthplace)
    shown = decided(run, {}, {})
    assert shown == [("film – director – nolan",), ("nolan – born – london",)]
    assert text_of(run) == "london"


def test_what_is_rejected_the_model_never_sees(bench: Bench) -> None:
    def two(question: str, config: ToyConfig) -> Any:
        cast = yield Edges(("t:film",), CAST.id)
        again = yield Edges(("t:film", "t:nolan"), CAST.id)
        return Answer(f"{names(cast)} {names(again)}")

    run = ask(bench, two)
    leo = next(t for t in TRIPLES if t.object == entity("t:leo"))
    decided(run, {"rejected": [leo], "reason": "not in it"})
    assert text_of(run) == "('tom',) ('tom',)"
    (decision,) = RunView.of(run.journal.entries).decisions
    assert decision.corrections[0].reason == "not in it"


def test_what_is_edited_is_seen_as_edited_and_the_journal_keeps_the_source(bench: Bench) -> None:
    run = ask(bench, birthplace)
    decided(run, {"replaced": {NOLAN_DIRECTED: entity("t:welles")}}, {})
    assert text_of(run) == "kenosha"
    raw = run.journal.results[0, 0].result
    assert raw.triples == (NOLAN_DIRECTED,)
    assert "edited 1 triple" in " ".join(
        line.text.lower() for line in RunView.of(run.journal.entries).log
    )


def test_an_all_shows_its_batch_once_and_waits_as_a_whole(bench: Bench) -> None:
    run = ask(bench, everyone)
    (batch,) = decided(run, {})
    assert batch == (
        "film – cast – leo",
        "film – cast – tom",
        "nolan – born – london",
        "leo – born – la",
    )
    assert text_of(run) == "leo,tom | london | la"


def test_a_rule_lets_the_others_pass(bench: Bench) -> None:
    run = ask(bench, birthplace, Gate(relations=(BORN.id,)))
    assert decided(run, {}) == [("nolan – born – london",)]
    other = ask(bench, birthplace, Gate(kgs=("another",)))
    assert decided(other) == []
    assert text_of(other) == "london"


def test_only_conflicts_wait_where_that_is_the_rule() -> None:
    def triple(kg: str, year: str) -> Triple:
        from kgcore.model import Literal, Provenance

        return Triple(entity("t:leo"), BORN, Literal(year, "xsd:gYear"), Provenance(kg))

    from kgcore.steps import EdgeSet

    gate = Gate(only_conflicts=True)
    agreed = EdgeSet((triple("one", "1974"), triple("two", "1974")))
    disputed = EdgeSet((triple("one", "1974"), triple("two", "1975")))
    assert gate.batch([agreed], ()) == ()
    assert len(gate.batch([disputed], ())) == 2


def test_a_decision_must_be_about_what_waits(bench: Bench) -> None:
    run = ask(bench, birthplace)
    with pytest.raises(InputError, match="do not wait"):
        run.decide([NOLAN_DIRECTED])
    with pytest.raises(InputError, match="does not wait"):
        decide((NOLAN_DIRECTED,), rejected=[TRIPLES[1]])


def test_a_second_click_decides_nothing(bench: Bench) -> None:
    run = ask(bench, birthplace)
    run.start()
    wait_until(lambda: bool(run.waiting))
    batch = run.waiting
    run.decide(batch)
    with pytest.raises(InputError, match="any more"):
        run.decide(batch)
    wait_until(lambda: bool(run.waiting))
    with pytest.raises(InputError, match="any more"):
        run.decide(batch)
    run.stop()
    assert run.join(5)


def test_a_decision_survives_a_stop_and_is_not_asked_again(bench: Bench) -> None:
    run = ask(bench, birthplace)
    run.start()
    wait_until(lambda: bool(run.waiting))
    run.decide(run.waiting, replaced={NOLAN_DIRECTED: entity("t:welles")})
    wait_until(lambda: bool(run.waiting) and run.waiting != (NOLAN_DIRECTED,))
    run.stop()
    assert run.join(5)
    again = lineage.resume(bench.launch(birthplace), run.id)
    assert decided(again, {}) == [("welles – born – kenosha",)]
    assert text_of(again) == "kenosha"


def test_a_rerun_takes_decisions_from_memory_and_lists_them(bench: Bench) -> None:
    run = ask(bench, birthplace)
    decided(run, {"replaced": {NOLAN_DIRECTED: entity("t:welles")}}, {})
    again = lineage.rerun(bench.launch(birthplace), run.id)
    assert decided(again) == []
    assert text_of(again) == "kenosha"
    assert [d.via for d in RunView.of(again.journal.entries).decisions] == ["memory", "memory"]


def test_a_fork_keeps_the_decisions_before_it(bench: Bench) -> None:
    run = ask(bench, birthplace)
    decided(run, {"replaced": {NOLAN_DIRECTED: entity("t:welles")}}, {})
    fork = lineage.fork(bench.launch(birthplace), run.id, [Edit(2, replies=("other",))])
    assert decided(fork) == []
    assert text_of(fork) == "kenosha"


def test_a_journal_with_decisions_replays_at_every_prefix(bench: Bench) -> None:
    run = ask(bench, birthplace)
    decided(run, {"replaced": {NOLAN_DIRECTED: entity("t:welles")}}, {})
    entries = run.journal.entries
    for n in range(1, len(entries) + 1):
        answer = replay(Toy(birthplace), Journal(entries[:n]))
        assert answer is None or answer.text == "kenosha"
        RunView.of(entries[:n])
    assert replay(Toy(birthplace), Journal(entries)) is not None


def test_an_exported_run_brings_its_decisions(bench: Bench, tmp_path: Path) -> None:
    run = ask(bench, birthplace)
    decided(run, {"replaced": {NOLAN_DIRECTED: entity("t:welles")}}, {})
    other = Bench(tmp_path / "other")
    run_id = import_run(other.store, export_run(bench.store, run.id).encode())
    assert [d.corrections for d in Journal(other.store.load(run_id)).decisions.values()] == [
        d.corrections for d in run.journal.decisions.values()
    ]


def test_waiting_for_a_person_is_no_driving(bench: Bench) -> None:
    run = ask(bench, birthplace)
    run.start()
    wait_until(lambda: bool(run.waiting))
    before = run.meter.seconds
    threading.Event().wait(0.2)
    assert run.meter.seconds - before < 0.05
    run.stop()
    assert run.join(5)


def test_the_gate_is_part_of_the_first_entry(bench: Bench) -> None:
    gate = Gate(kgs=("toy",), relations=(DIRECTOR.id,))
    run = ask(bench, birthplace, gate)
    assert Journal(bench.store.load(run.id)).started.gate == gate
    assert isinstance(NOLAN_DIRECTED.object, Entity)
