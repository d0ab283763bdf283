"""A run as one file: the round trip, and what an import refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgcore.errors import InputError
from kgcore.runs import Edit, RunView, SqlRunStore, lineage
from kgcore.runs.exchange import MAX_BYTES, export_run, import_run, read_run
from tests.unit.runs.toys import Bench, ToyConfig, birthplace, everyone, three_samples

Change = Callable[[list[dict[str, Any]]], None]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "here")


@pytest.fixture
def elsewhere(tmp_path: Path) -> SqlRunStore:
    return SqlRunStore.open(tmp_path / "elsewhere")


@pytest.fixture
def exported(bench: Bench) -> str:
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    run.drive()
    return export_run(bench.store, run.id)


def changed(exported: str, change: Change) -> bytes:
    data = json.loads(exported)
    change(data["entries"])
    return json.dumps(data).encode()


@pytest.mark.parametrize("reasoner", [birthplace, everyone, three_samples])
def test_a_run_comes_back_as_it_was(bench: Bench, elsewhere: SqlRunStore, reasoner: Any) -> None:
    run = lineage.ask(bench.launch(reasoner), "Wo? 在哪里？ <b>\u202e\x1b[0m", ToyConfig())
    run.drive()
    text = export_run(bench.store, run.id)
    assert import_run(elsewhere, text.encode()) == run.id
    assert elsewhere.load(run.id) == bench.store.load(run.id)
    assert elsewhere.record(run.id) == bench.store.record(run.id)
    assert export_run(elsewhere, run.id) == text


def test_an_imported_run_names_no_server_to_send_a_key_to(
    bench: Bench, elsewhere: SqlRunStore
) -> None:
    launch = replace(bench.launch(birthplace), api_base="http://elsewhere.example/v1")
    run = lineage.ask(launch, "where", ToyConfig())
    run.drive()
    imported = import_run(elsewhere, export_run(bench.store, run.id).encode())
    assert "elsewhere.example" not in export_run(elsewhere, imported)
    assert elsewhere.load(imported)[1:] == bench.store.load(run.id)[1:]


def test_a_fork_comes_back_without_its_parent(bench: Bench, elsewhere: SqlRunStore) -> None:
    parent = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    parent.drive()
    fork = lineage.fork(bench.launch(birthplace), parent.id, [Edit(1, replies=("x",))])
    fork.drive()
    import_run(elsewhere, export_run(bench.store, fork.id).encode())
    assert elsewhere.load(fork.id) == bench.store.load(fork.id)


def test_an_unfinished_run_reads_interrupted(bench: Bench, elsewhere: SqlRunStore) -> None:
    run = lineage.ask(bench.launch(birthplace), "where", ToyConfig())
    import_run(elsewhere, export_run(bench.store, run.id).encode())
    assert elsewhere.record(run.id).status == "interrupted"


def test_a_taken_id_is_replaced(bench: Bench, exported: str) -> None:
    [original] = bench.store.list()
    copy = import_run(bench.store, exported.encode())
    assert copy != original.id
    first, *rest = bench.store.load(original.id)
    assert bench.store.load(copy) == [replace(first, body=replace(first.body, run_id=copy)), *rest]


def test_an_imported_run_can_be_run_again(
    bench: Bench, elsewhere: SqlRunStore, exported: str
) -> None:
    run_id = import_run(elsewhere, exported.encode())
    asked = bench.model.n, sum(bench.graph.calls.values())
    launch = replace(bench.launch(birthplace), store=elsewhere)
    again = lineage.rerun(launch, run_id)
    again.drive()
    assert again.status == "answered"
    assert (bench.model.n, sum(bench.graph.calls.values())) == asked, "memory answers all of it"


def drop(number: int) -> Change:
    return lambda entries: entries.pop(number) and None


def put(number: int, value: Any, *path: str) -> Change:
    def change(entries: list[dict[str, Any]]) -> None:
        place: Any = entries[number]
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = value

    return change


def twice(number: int) -> Change:
    def change(entries: list[dict[str, Any]]) -> None:
        entries.insert(number, dict(entries[number]))
        for seq, entry in enumerate(entries):
            entry["seq"] = seq

    return change


def ends_early(entries: list[dict[str, Any]]) -> None:
    entries[1], entries[-1] = (
        {**entries[-1], "seq": 1},
        {**entries[1], "seq": len(entries) - 1},
    )


REFUSED: dict[str, tuple[Change, str]] = {
    "an entry is missing": (drop(2), "has the number"),
    "the first entry is missing": (drop(0), "has the number 1"),
    "a number is text": (put(1, "1", "seq"), "unusable seq"),
    "a number is true": (put(1, True, "seq"), "unusable seq"),
    "an address is impossible": (put(1, 10**12, "position"), "impossible address"),
    "an unknown class": (put(1, "os.system", "body", "@"), "unknown kind of value"),
    "an entity for an entry": (put(1, {"@": "Entity", "id": "t:x"}, "body"), "unusable body"),
    "a second start": (lambda e: put(1, e[0]["body"], "body")(e), "starts with its first entry"),
    "an id that is a path": (put(0, "../../../etc/passwd", "body", "run_id"), "run's id"),
    "an id in capitals": (put(0, "A" * 32, "body", "run_id"), "run's id"),
    "a parent that is a path": (put(0, "../x", "body", "parent"), "came from"),
    "an ancestor that is none": (put(0, ["x' OR 1=1"], "body", "lineage"), "came from"),
    "a question that is a number": (put(0, 7, "body", "question"), "unusable question"),
    "an empty question": (put(0, " ", "body", "question"), "no question"),
    "settings that are none": (put(0, "k=3", "body", "config"), "settings"),
    "settings of another method": (
        put(0, "tree-of-traversals", "body", "method"),
        "settings are not those",
    ),
    "a budget below zero": (put(0, {"@": "Budget", "calls": -1}, "body", "budget"), "budget"),
    "a result that is a text": (put(1, "rm", "body", "result"), "no result"),
    "a step that is unknown": (
        put(1, {"@": "dict", "items": [["kind", "Shell"]]}, "body", "step"),
        "no known step",
    ),
    "a step without its arguments": (
        put(1, {"@": "dict", "items": [["kind", "Edges"]]}, "body", "step"),
        "do not fit together",
    ),
    "an origin that is unknown": (put(1, "magic", "body", "via"), "no result"),
    "a time that is none": (put(1, "yesterday", "when"), "no time"),
    "an end that is unknown": (put(-1, "won", "body", "status"), "cannot end as"),
    "something after the end": (ends_early, "after the end"),
    "a result told twice": (twice(1), "told twice"),
    "a character that is none": (put(0, "\ud800", "body", "question"), "characters"),
}


@pytest.mark.parametrize("change, reason", REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_not_right_is_refused(
    elsewhere: SqlRunStore, exported: str, change: Change, reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as error:
        import_run(elsewhere, changed(exported, change))
    assert "\n" not in str(error.value)
    assert elsewhere.list() == []


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "no JSON"),
        (b'{"format": "traversal-studio-run",\n"version": 1,\n"entries": [', "line 3"),
        (b"\xff\xfe{}", "no UTF-8"),
        (b"[]", "no exported run"),
        (b'{"format": "traversal-studio-run", "version": 2, "entries": []}', "version 2"),
        (b'{"format": "traversal-studio-run", "version": 1, "entries": []}', "no entries"),
        (b'{"format": "traversal-studio-run", "version": 1, "entries": [NaN]}', "form"),
        (b'{"format": "traversal-studio-run", "version": 1, "entries": [1]}', "no journal entry"),
        (b"[" * 100_000, "form"),
        (b" " * (MAX_BYTES + 1), "larger than"),
    ],
    ids=["empty", "cut", "bytes", "list", "version", "nothing", "nan", "number", "deep", "large"],
)
def test_a_file_that_is_no_run_is_refused(elsewhere: SqlRunStore, data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        import_run(elsewhere, data)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in nested lists and dicts."""
    inner: Any = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for name, item in inner:
        found.append((*path, name))
        if isinstance(item, (dict, list)):
            found += places(item, (*path, name))
    return found


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just([]), st.just({}),
    st.just({"@": "Usage"}), st.just({"@": "dict"}), st.just([["a"]]),
)  # fmt: skip


@given(data=st.data())
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_file_with_one_odd_value_is_refused_or_can_be_shown(
    exported: str, data: st.DataObject
) -> None:
    content = json.loads(exported)
    *path, last = data.draw(st.sampled_from(places(content)))
    place = content
    for name in path:
        place = place[name]
    place[last] = data.draw(ODD)
    try:
        entries = read_run(json.dumps(content).encode())
    except InputError:
        return
    assert RunView.of(entries).n_entries == len(entries)
