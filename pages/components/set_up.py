"""What two runs are set up with, in words."""

from pages.components.composer import model_name
from pages.components.language import mark, t
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


def name_of(name: str) -> str:
    """Return how something a run is set up with is called."""
    return t(NAMES.get(name, name))


def value_of(name: str, value: str) -> str:
    """Return a value of it in words; a dash where there is none."""
    told = {"Method": method_name, "Model": model_name}.get(name, str)
    return told(value) or "–"
