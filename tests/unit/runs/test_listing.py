"""Which runs a list shows, and how families of forks and reruns are arranged."""

from __future__ import annotations

import pytest

from kgcore.runs import RunRecord
from kgcore.runs.listing import RunFilter, arrange, matching, tags_of


def record(name: str, *, parent: str = "", day: int = 1, **values: object) -> RunRecord:
    known: dict[str, object] = {
        "id": name,
        "owner": "local",
        "created": f"2026-03-{day:02}T10:00:00Z",
        "question": f"Who made {name}?",
        "method": "tree-of-traversals",
        "model": "offline",
        "kgs": ("films",),
        "parent": parent,
        "kind": "fork" if parent else "ask",
        "status": "answered",
        "answer": "Ann",
        "name": "",
        "tags": (),
        "is_starred": False,
        "deleted_at": None,
    }
    return RunRecord(**(known | values))  # type: ignore[arg-type]


def lines(*records: RunRecord) -> list[str]:
    return ["-" * row.depth + row.run.id for row in arrange(records)]


def test_forks_stand_below_the_run_they_came_from() -> None:
    fork, other = record("a1", parent="a", day=4), record("a2", parent="a", day=5)
    inner = record("a11", parent="a1", day=6)
    newest_first = (inner, other, fork, record("b", day=3), record("a", day=1))
    assert lines(*newest_first) == ["a", "-a1", "--a11", "-a2", "b"]


def test_a_run_whose_parent_is_not_shown_stands_alone_and_says_so() -> None:
    rows = arrange([record("child", parent="gone"), record("alone")])
    assert [(row.run.id, row.depth, row.is_orphan) for row in rows] == [
        ("child", 0, True),
        ("alone", 0, False),
    ]


@pytest.mark.parametrize("ring", [("a",), ("a", "b"), ("a", "b", "c")])
def test_a_ring_of_parents_loses_no_run(ring: tuple[str, ...]) -> None:
    parents = (*ring[1:], ring[0])
    records = [record(name, parent=above) for name, above in zip(ring, parents, strict=True)]
    assert sorted(row.run.id for row in arrange(records)) == sorted(ring)


def test_a_long_line_of_forks_is_arranged() -> None:
    chain = [record(f"{n}", parent=f"{n - 1}" if n else "") for n in range(3000)]
    assert [row.depth for row in arrange(chain[::-1])] == list(range(3000))


@pytest.mark.parametrize(
    "chosen, takes",
    [
        (RunFilter(), True),
        (RunFilter(text="WHO tower"), True),
        (RunFilter(text="who bridge"), False),
        (RunFilter(text="ÉTÉ"), True),
        (RunFilter(methods=("think-on-graph",)), False),
        (RunFilter(models=("offline", "x")), True),
        (RunFilter(kgs=("music",)), True),
        (RunFilter(kgs=("other",)), False),
        (RunFilter(statuses=("failed",)), False),
        (RunFilter(tags=("demo",)), True),
        (RunFilter(tags=("demo", "été", "none")), False),
        (RunFilter(since="2026-03-02", until="2026-03-02"), True),
        (RunFilter(since="2026-03-03"), False),
        (RunFilter(until="2026-03-01"), False),
        (RunFilter(is_starred=True), False),
    ],
)
def test_a_filter_takes_what_it_names(chosen: RunFilter, takes: bool) -> None:
    run = record("tower", day=2, kgs=("films", "music"), tags=("demo", "été"))
    assert bool(matching([run], chosen)) == takes


@pytest.mark.parametrize(
    "text, tags",
    [
        ("", ()),
        (" demo , talk,demo,, ", ("demo", "talk")),
        ("two\n words", ("two words",)),
        ("电影，待查、two", ("电影", "待查", "two")),
        ("x" * 90, ("x" * 40,)),
        (",".join(map(str, range(50))), tuple(map(str, range(20)))),
    ],
)
def test_tags_are_read_from_a_line(text: str, tags: tuple[str, ...]) -> None:
    assert tags_of(text) == tags
