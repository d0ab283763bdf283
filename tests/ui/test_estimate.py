"""The line beside the question box that tells what a run may take."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, Task, build
from kgcore.errors import ServiceError
from kgcore.llm import vendor
from kgcore.runs import Budget
from kgcore.steps import Usage
from kgcore.views.palettes import LIGHT
from pages.components.estimate import meter

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs, imported once."""
    home = tmp_path_factory.mktemp("demo-home")
    build(home).graphs()
    return home


@pytest.fixture
def studio(demo_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("KGCORE_HOME", str(demo_home))
    st.cache_data.clear()  # estimates are kept for a while
    made = build(demo_home)
    yield made
    for record in made.store.list():
        made.store.delete(record.id)
    made.store.close()


def page(**state: object) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in state.items():
        app.session_state[name.replace("_", "-")] = value
    return app.run()


def lines(app: AppTest) -> list[str]:
    """Return the estimates on the page: one below the box, one among the options."""
    assert not app.exception
    bodies = [item.proto.body for item in app.get("html")]
    return [body for body in bodies if "ts-estimate" in body]


def most_calls(line: str) -> int:
    return int(line.partition(" matcher call")[0].rpartition("–")[2].replace(",", ""))


def test_the_matcher_costs_nothing(studio: Studio) -> None:
    below, among = lines(page())
    assert below == among
    assert "matcher calls · no cost" in below
    assert "$" not in below


def test_the_estimate_follows_the_settings(studio: Studio) -> None:
    app = page(ask_exp=5)
    few = most_calls(lines(app)[0])
    app.number_input(key="ask-exp").set_value(40).run()
    assert most_calls(lines(app)[0]) > few + 30


def test_the_budget_stands_beside_what_it_cuts(studio: Studio) -> None:
    app = page()
    app.number_input(key="ask-budget-calls").set_value(7).run()
    assert "at most 7 calls by your budget" in lines(app)[0]


def test_while_prices_are_loaded_nothing_is_guessed(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vendor, "_loaded", [])
    monkeypatch.setattr(vendor, "warm", lambda: None)  # it takes as long as it takes
    told = lines(page(ask_model="openai/gpt-4.1-mini"))[0]
    assert "loading prices…" in told and "calls" not in told
    monkeypatch.undo()
    monkeypatch.setenv("KGCORE_HOME", str(studio.home))
    vendor.load()
    told = lines(page(ask_model="openai/gpt-4.1-mini"))[0]
    assert "calls" in told and "$" in told


def test_a_library_that_cannot_be_loaded_is_not_waited_for(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = threading.Event()
    broken.set()
    monkeypatch.setattr(vendor, "_loaded", [])
    monkeypatch.setattr(vendor, "_failed", broken)
    monkeypatch.setattr(vendor, "_import", _fails)
    assert "price unknown" in lines(page(ask_model="openai/gpt-4.1-mini"))[0]


def _fails() -> None:
    raise ServiceError("it cannot be imported")


def test_a_model_nobody_knows_has_no_price(studio: Studio) -> None:
    vendor.load()
    assert "price unknown" in lines(page(ask_model="openai/nobody-knows-this-one"))[0]


def test_earlier_runs_stand_beside_the_bounds(studio: Studio) -> None:
    questions = ("Who directed Casablanca?", "Where was Björk born?", "Who directed Inception?")
    taken = []
    for question in questions:
        run = studio.ask(Task(question, model="offline"))
        run.drive()
        taken.append(run.journal.usage.llm_requests)
    line = lines(page())[0]
    low, high = min(taken), max(taken)
    told = f"{low}" if low == high else f"{low}–{high}"
    assert f"3 earlier runs like this: {told} calls" in line


def test_it_speaks_chinese(studio: Studio) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["lang"] = "zh"
    assert "匹配器调用 · 不收费" in lines(app.run())[0]


def test_the_meter_shows_the_limit_that_is_nearest() -> None:
    budget, usage = Budget(calls=200, usd=0.5), Usage(llm_requests=20, cost_usd=0.2)
    bar = meter(budget, usage, 3.0, LIGHT)
    assert "40 % of the budget (money)" in bar
    assert "width:40%" in bar


def test_without_limits_there_is_no_meter() -> None:
    assert meter(Budget(), Usage(llm_requests=20), 3.0, LIGHT) == ""


def test_what_is_in_flight_never_makes_the_bar_longer_than_its_track() -> None:
    assert "width:100%" in meter(Budget(tokens=10), Usage(prompt_tokens=25), 0.0, LIGHT)
