"""The sample questions of the demo: over its graphs, and over its knowledge sources."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pages.components.language import mark

__all__ = ["KINDS", "Sample", "samples"]

ASSETS = Path(__file__).parents[2] / "assets"
KINDS = {
    "one_hop": mark("one hop"),
    "composition": mark("several hops"),
    "intersection": mark("what two things share"),
    "comparison_date": mark("comparing dates"),
    "comparison_number": mark("comparing numbers"),
    "yes_no": mark("yes or no"),
    "count": mark("how many"),
    "inverse": mark("the other way round"),
    "cross_graph": mark("across both graphs"),
    "no_answer": mark("not in the graphs"),
    "tables": mark("tables"),
    "medicine": mark("texts on medicine"),
    "physics": mark("texts on physics"),
    "biology": mark("texts on biology"),
    "graph": mark("knowledge graph"),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A question as a person would type it, in one language."""

    text: str
    kind: str
    language: str
    needs: str = ""

    @property
    def needs_model(self) -> bool:
        """Whether matching words is not enough."""
        return self.needs == "language model"


@cache
def samples(*, of_sources: bool = False) -> tuple[Sample, ...]:
    """Return the sample questions over the graphs or the sources, each wording on its own, in the file's order."""
    file = ASSETS / ("source_questions.yaml" if of_sources else "questions.yaml")
    found: list[Sample] = []
    for item in yaml.safe_load(file.read_text("utf-8")):
        found.extend(_wordings(item))
    return tuple(found)


def _wordings(item: dict[str, Any]) -> list[Sample]:
    kind, needs = str(item.get("kind") or item["field"]), str(item.get("needs") or "")
    texts = {"en": item.get("question"), "zh": item.get("question_zh")}
    return [Sample(str(t), kind, language, needs) for language, t in texts.items() if t]
