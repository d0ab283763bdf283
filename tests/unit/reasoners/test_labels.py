"""The methods are named and ordered in one table."""

from kgcore.cli.parser import METHODS
from kgcore.reasoners import BASELINES, LABELS, REASONERS, USUAL_METHOD


def test_every_method_is_called_something_in_the_order_they_are_offered() -> None:
    assert list(LABELS) == list(REASONERS)
    assert list(LABELS)[-len(BASELINES) :] == list(BASELINES)
    assert USUAL_METHOD in LABELS


def test_the_command_line_tells_the_same_methods_in_the_same_order() -> None:
    systems, baselines = METHODS.replace(" (default)", "").split("; to compare with: ")
    assert [*systems.split(", "), *baselines.split(", ")] == list(LABELS)
    assert f"{USUAL_METHOD} (default)" in METHODS
