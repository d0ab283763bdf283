"""`runs fork` by the names of what is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgcore.bootstrap import Task, build
from kgcore.cli.main import main


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forking")


@pytest.fixture(scope="module")
def made(home: Path) -> str:
    run = build(home, environ={}).ask(Task("Who directed Inception?", model="offline"))
    run.drive()
    return run.id


@pytest.fixture
def parent(made: str, home: Path, tmp_home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("KGCORE_HOME", str(home))
    return made


def forked(capsys: pytest.CaptureFixture[str], *argv: str) -> list[str]:
    assert main(["runs", "fork", *argv, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    return [act["text"] for act in data["human_acts"]]


@pytest.mark.parametrize(
    "argv, said",
    [
        (("--node", "3", "--value", "0.2"), "ana set the value of #3 to 0.20"),
        (
            ("--node", "3", "--prune"),
            "ana took #3 “director”, and what follows from it, out of the search",
        ),
        (
            ("--node", "0", "--think", "ask who made it"),
            "ana added a thought at #0: ask who made it",
        ),
        (("--node", "2", "--choose", "composer"), "ana chose what to do at #2: composer"),
        (("--node", "0", "--choose", "answer: Bob"), "ana chose what to do at #0: answer: Bob"),
        (("--node", "2", "--ban", "wdt:P57"), "ana banned the relation “director”"),
    ],
)
def test_each_change_is_told_with_its_author(
    parent: str, argv: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert forked(capsys, parent, *argv, "--by", "ana") == [said]


@pytest.mark.parametrize(
    "argv, said",
    [
        (("--node", "2", "--choose", "nothing"), "“nothing” was not offered here"),
        (("--node", "99", "--prune"), "no node 99"),
        (("--node", "0", "--value", "0.2"), "was not rated"),
        (("--node", "0", "--prune"), "prune the step before it"),
        (("--node", "1", "--think", "x"), "no such choice"),
        (("--node", "2", "--reply", "x"), "--at P.I"),
        (("--at", "0", "--think", "x"), "no model was asked"),
        (("--node", "2", "--ban", "wdt:P0"), "was not offered at #2"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    parent: str, argv: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", "fork", parent, *argv]) == 1
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
