"""Settings in a report are called what the options of the Ask page call them."""

import ast
import dataclasses
from pathlib import Path

import pytest

from kgcore.reasoners import REASONERS
from kgcore.views.run_settings import OPTIONS, OPTIONS_OF, moment, settings_of
from tests.unit.views import hand_made as made

PAGES = Path(__file__).parents[3] / "pages" / "components"
OPTION_FILES = ("method_options.py", "baseline_options.py", "composer.py", "gate_options.py")


def said_by_the_options() -> set[str]:
    trees = (ast.parse((PAGES / name).read_text("utf-8")) for name in OPTION_FILES)
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_names_are_those_of_the_options() -> None:
    named = list(OPTIONS.values())
    named += [name for names in OPTIONS_OF.values() for name in names.values()]
    assert set(named) - said_by_the_options() == set()


def test_every_option_and_every_config_that_is_told_is_one_there_is() -> None:
    fields = {
        field.name
        for method in REASONERS.values()
        for field in dataclasses.fields(method.config_class)
    }
    assert set(OPTIONS) <= fields
    assert set(OPTIONS_OF) <= {method.config_class.__name__ for method in REASONERS.values()}


def test_what_is_chosen_is_told_in_words_and_the_rest_only_where_it_is_unusual() -> None:
    rows = dict(settings_of(made.view()))
    assert rows["Method"] == "Tree-of-Traversals"
    assert rows["Expansions"] == "20"
    assert rows["Without an answer, ask the model's memory"] == "off"
    assert "skip_single" not in rows
    assert not [name for name in rows if "_" in name]
    first, *rest = made.entries()
    config = dataclasses.replace(first.body.config, skip_single=False)
    changed = dataclasses.replace(first, body=dataclasses.replace(first.body, config=config))
    rows = dict(settings_of(made.RunView.of([changed, *rest])))
    assert rows["skip_single"] == "off"


def test_they_are_told_in_chinese() -> None:
    rows = dict(settings_of(made.view(), "zh"))
    assert rows["没有答案时询问模型的记忆"] == "关"


@pytest.mark.parametrize(
    "when, told",
    [("2026-11-30T16:03:31.031+00:00", "2026-11-30 16:03 UTC"), ("some day", "some day")],
)
def test_times_are_told_as_people_write_them(when: str, told: str) -> None:
    assert moment(when) == told
