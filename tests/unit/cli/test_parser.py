"""Arguments: what is read, and what is wrong usage."""

from __future__ import annotations

import pytest

from kgcore.cli.parser import build_parser
from kgcore.errors import InputError
from kgcore.runs import Budget


def test_ask_reads_its_options() -> None:
    words = "ask Q? --kg a --kg b --set k=1 --set prompts=mine --model openai/x --budget-usd 0.5"
    arguments = build_parser().parse_args(words.split())
    assert (arguments.run, arguments.question, arguments.kgs) == ("asking:ask", "Q?", ["a", "b"])
    assert arguments.settings == [("k", "1"), ("prompts", "mine")]
    assert arguments.budget_usd == 0.5


def test_a_value_may_hold_an_equals_sign_or_be_empty() -> None:
    arguments = build_parser().parse_args(["ask", "Q", "--set", "a=b=c", "--set", "d="])
    assert arguments.settings == [("a", "b=c"), ("d", "")]


@pytest.mark.parametrize("given, expected", [("3", (3, 0)), ("3.2", (3, 2)), ("0", (0, 0))])
def test_an_address_is_a_position_and_an_index(given: str, expected: tuple[int, int]) -> None:
    arguments = build_parser().parse_args(["runs", "fork", "ab", "--at", given, "--ban", "r"])
    assert arguments.at == expected


@pytest.mark.parametrize(
    "words",
    [
        "",
        "dance",
        "ask",
        "ask Q more",
        "ask Q --set k",
        "ask Q --set =3",
        "ask Q --budget-calls -1",
        "ask Q --budget-calls 1.5",
        "ask Q --budget-calls many",
        "ask Q --budget-usd nan",
        "ask Q --budget-seconds inf",
        "ask Q --budget-tokens -0.1",
        "ask Q --jso",
        "ask Q --break",
        "ask Q --break luck",
        "ask Q --break value<3",
        "ask Q --break value=0.3",
        "ask Q --break value<nan",
        "ask Q --break depth=-1",
        "ask Q --break entity=",
        "ask Q --break step=dance",
        "ask Q --break budget=0",
        "ask Q --break budget-luck=5",
        "ask Q --break answer=3",
        "ask Q --break <<",
        "ask Q --kg",
        "ask \udc80",
        "kg",
        "kg import a.nt",
        "kg search x --limit 0",
        "kg edges x --direction up",
        "runs show",
        "runs fork ab --at 1",
        "runs fork ab --at -1 --ban r",
        "runs fork ab --at 1.x --ban r",
        "runs fork ab --at 1 --ban r --reply x",
        "runs fork ab --at 1 --node 2 --prune",
        "runs fork ab --node x --prune",
        "runs fork ab --node -1 --prune",
        "runs fork ab --node 2 --value 1.5",
        "runs fork ab --node 2 --value nan",
        "runs fork ab --node 2 --prune --value 0.5",
        "runs fork ab --prune",
    ],
)
def test_wrong_usage_is_one_line_and_code_2(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        build_parser().parse_args(words.split())
    captured = capsys.readouterr()
    assert left.value.code == 2
    assert captured.out == ""
    assert captured.err.count("\n") == 1, captured.err


def test_a_budget_option_changes_that_limit_alone() -> None:
    from kgcore.cli.driving import budget_of

    base = Budget(calls=200, usd=1.0)
    given = build_parser().parse_args(["ask", "Q", "--budget-calls", "none", "--budget-tokens=0"])
    assert budget_of(given, base) == Budget(calls=None, tokens=None, usd=1.0)
    assert budget_of(build_parser().parse_args(["ask", "Q"]), base) == base


def test_the_budget_itself_refuses_what_is_no_number() -> None:
    with pytest.raises(InputError):
        Budget(usd=float("nan"))
