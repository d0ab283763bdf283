"""What is foretold of a run: bounds that hold, prices that are known or said to be unknown, and earlier runs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kgcore.bootstrap import Studio, Task
from kgcore.prompts.sets import FilePromptSet
from kgcore.reasoners import REASONERS
from kgcore.reasoners.workload import Asks, asks_of
from kgcore.runs import Budget, Run
from kgcore.runs.estimate import FREE, Estimate, Terms, Wording, estimate, typical
from kgcore.views.foretold import foretold, foretold_data, seen_before

ROOT = Path(__file__).parents[3]
ENTRIES = yaml.safe_load((ROOT / "assets" / "questions.yaml").read_text("utf-8"))
QUESTIONS = [entry["question"] for entry in ENTRIES][::6]
WORDING = Wording(FilePromptSet(), "en", "Who directed Casablanca?")
SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "tree-of-traversals": ({}, {"k": 2, "max_expansions": 4, "rate_together": False}),
    "chain-of-traversals": ({}, {"max_depth": 2, "fallback": True}),
    "think-on-graph": ({}, {"is_batched": False, "width": 2}, {"pruner": "words"}),
    "think-on-graph-r": ({}, {"is_batched": False, "max_depth": 2}),
    "chain-of-knowledge": ({}, {"mode": "parallel", "samples": 2}),
    "react": ({}, {"max_steps": 3}),
    "react-cot": ({}, {"max_steps": 2, "samples": 2}),
    "flare": ({}, {"only_text": False}, {"samples": 1, "max_sentences": 1}),
}


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    made = Studio(tmp_path_factory.mktemp("home"), environ={})
    made.graphs()
    yield made
    made.store.close()


def driven(studio: Studio, task: Task) -> Run:
    run = studio.ask(task)
    run.drive()
    assert run.journal.ended is not None
    assert run.journal.ended.status in ("answered", "no_answer")
    return run


def test_every_method_tells_what_it_asks() -> None:
    for reasoner in REASONERS.values():
        assert asks_of(reasoner, reasoner.config_class(), 2)


def test_every_request_of_a_method_is_one_it_has_named() -> None:
    for reasoner in REASONERS.values():
        told = asks_of(reasoner, reasoner.config_class(), 2) or ()
        named = {name for asks in told for name in asks.templates}
        assert named <= set(reasoner.templates)
        assert named <= typical().keys()


@pytest.mark.parametrize("method", REASONERS)
def test_what_runs_take_lies_within_what_was_foretold(studio: Studio, method: str) -> None:
    for settings in SETTINGS.get(method, ({},)):
        for question in QUESTIONS:
            task = Task(question, method=method, model="offline", settings=settings)
            told = studio.estimate(task)
            assert told is not None
            taken = driven(studio, task).journal.usage.llm_requests
            assert told.requests.least <= taken <= told.requests.most, (question, settings)


def test_more_of_everything_is_never_less() -> None:
    def most(method: str, **settings: Any) -> int:
        reasoner = REASONERS[method]
        told = asks_of(reasoner, reasoner.config_class(**settings), 2) or ()
        return sum(one.most for one in told)

    assert most("tree-of-traversals", max_expansions=40) > most("tree-of-traversals")
    assert most("tree-of-traversals", rate_together=False) > most("tree-of-traversals")
    assert most("tree-of-traversals", fallback=True) == most("tree-of-traversals") + 1
    assert most("chain-of-traversals") < most("tree-of-traversals")
    assert most("think-on-graph", max_depth=5) > most("think-on-graph")
    assert most("think-on-graph", is_batched=False) > most("think-on-graph")
    assert most("think-on-graph", pruner="bm25") < most("think-on-graph-r") < most("think-on-graph")


def one(terms: Terms, *, budget: Budget | None = None, samples: int = 1) -> Estimate:
    asks = (Asks(("choose_action",), 1, 10, samples),)
    return estimate(asks, WORDING, {"reason": terms}, budget=budget or Budget())


def test_money_is_tokens_times_their_price() -> None:
    told = one(Terms(1e-6, 1e-6, takes_n=True))
    assert told.usd is not None
    assert told.usd.least == pytest.approx(told.tokens.least * 1e-6)
    assert told.usd.most == pytest.approx(told.tokens.most * 1e-6)


def test_an_unknown_price_is_said_to_be_unknown() -> None:
    told = one(Terms(takes_n=True))
    assert told.usd is None
    assert "price unknown" in foretold(told)
    assert foretold_data(told)["usd"] is None


def test_one_role_without_a_price_leaves_the_whole_unknown() -> None:
    asks = (Asks(("choose_action",), 1, 2), Asks(("rate_state",), 1, 2, role="evaluate"))
    terms = {"reason": Terms(1e-6, 1e-6, True), "evaluate": Terms()}
    assert estimate(asks, WORDING, terms, budget=Budget()).usd is None


def test_samples_are_requests_of_their_own_where_a_provider_takes_one_at_a_time() -> None:
    assert one(FREE, samples=6).requests.most == 10
    assert one(Terms(takes_n=False), samples=6).requests.least == 6
    unknown = one(Terms(), samples=6).requests
    assert (unknown.least, unknown.most) == (1, 60)


def test_worked_examples_make_requests_longer() -> None:
    asks = (Asks(("choose_action",), 1, 1),)
    with_shots = Wording(FilePromptSet(shots=3), "en", WORDING.question)
    short, long = (
        estimate(asks, wording, {"reason": FREE}, budget=Budget()).tokens
        for wording in (WORDING, with_shots)
    )
    assert long.least > short.least + 100


def test_only_limits_that_may_be_met_are_told() -> None:
    assert "budget" not in foretold(one(FREE, budget=Budget(calls=10)))
    assert "at most 9 calls by your budget" in foretold(one(FREE, budget=Budget(calls=9)))
    assert "at most 50 tokens" in foretold(one(Terms(), budget=Budget(tokens=50)))


def test_too_few_runs_tell_nothing_and_others_of_another_kind_do_not_count(tmp_path: Path) -> None:
    studio = Studio(tmp_path, environ={})
    task = Task("Who directed Casablanca?", model="offline")
    for n in range(4):
        told = studio.estimate(task)
        assert told is not None
        assert (told.observed is not None) == (n >= 3)
        assert bool(seen_before(told)) == (n >= 3)
        driven(studio, task)
    other = studio.estimate(Task(task.question, model="offline", settings={"k": 5}))
    assert other is not None
    assert other.observed is None
    seen = studio.estimate(task)
    assert seen is not None
    assert seen.observed is not None
    assert seen.observed.n == 4
    studio.store.close()


def test_nothing_is_asked_for_an_estimate(studio: Studio) -> None:
    before = len(studio.store.list())
    assert studio.estimate(Task("Where was Björk born?", model="offline")) is not None
    assert len(studio.store.list()) == before
