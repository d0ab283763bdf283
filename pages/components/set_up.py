"""What two runs are set up with, in words."""

from kgcore.views.run_settings import OPTIONS, VALUES
from pages.components.composer import model_name
from pages.components.language import mark, t, told_here
from pages.components.runs_filter import method_name

__all__ = ["name_of", "value_of"]

NAMES = {
    "Question": mark("Question"),
    "Method": mark("Method"),
    "Model": mark("Model"),
    "Other models": mark("Other models"),
    "Graphs": mark("Graphs"),
    "Data": mark("Data"),
    "Prompts": mark("Prompts"),
    "Corrections": mark("Corrections"),
    "Edits": mark("Edits"),
}


SWITCHED = {"True": mark("on"), "False": mark("off")}


def name_of(name: str) -> str:
    """Return how something a run is set up with is called; a setting is called as in the options."""
    return t(NAMES.get(name) or OPTIONS.get(name.replace(" ", "_"), name))


def value_of(name: str, value: str) -> str:
    """Return a value of it in words; a dash where there is none."""
    if name in ("Method", "Model"):
        return (method_name if name == "Method" else model_name)(value) or "–"
    if value in SWITCHED or value in VALUES:
        return t(SWITCHED.get(value) or VALUES[value])
    return told_here(value) or "–"
