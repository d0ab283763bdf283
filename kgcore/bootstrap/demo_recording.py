"""How the demo runs were recorded: real questions to the demo graphs, answered by the offline matcher.

`bench/demo_runs.py` writes what this returns to assets/demo/runs, and a test records them anew to compare.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kgcore.bootstrap.correcting import approve_correction
from kgcore.bootstrap.demo_runs import DemoRun
from kgcore.bootstrap.studio import Studio, Task
from kgcore.corrections.proposing import Wish, understand


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is asked, of which method, and what a person corrects before it is asked again."""

    question: str
    method: str = "tree-of-traversals"
    wish: Wish | None = None


# The graph holds India's census of 2011 and China's of 2020. Since 2023 India has more people.
_NEWER = Wish(
    "demo-wikidata",
    "wd:Q668",
    "wdt:P1082",
    '"1210854977"^^xsd:integer',
    "replace",
    '"1450935791"^^xsd:integer',
    author="presenter",
    evidence="https://population.un.org/wpp/",
)

RECIPES: Mapping[str, Recipe] = {
    "tree-of-traversals": Recipe("Which awards did the film directed by Bong Joon-ho win?"),
    "tree-of-traversals-zh": Recipe("奉俊昊执导的电影获得了哪些奖项？"),
    "think-on-graph-corrected": Recipe(
        "Which has more inhabitants, China or India?",
        "think-on-graph",
        replace(
            _NEWER, reason="The graph holds the census of 2011; this is the UN's figure for 2024."
        ),
    ),
    "think-on-graph-corrected-zh": Recipe(
        "中国和印度哪个人口更多？",
        "think-on-graph",
        replace(_NEWER, reason="图谱中是 2011 年人口普查的数字；这是联合国 2024 年的数字。"),
    ),
    "across-graphs": Recipe("Which band was the spouse of Courtney Love a member of?"),
    "across-graphs-zh": Recipe("科特妮·洛芙的配偶是哪支乐队的成员？"),
}


def record(studio: Studio, demo: DemoRun) -> dict[Path, str]:
    """Make the runs of a demo in a studio of their own; return their ids by the file to keep each in."""
    recipe = RECIPES[demo.name]
    run = studio.ask(Task(recipe.question, method=recipe.method))
    run.drive()
    if recipe.wish is None:
        return {demo.file: run.id}
    graph = studio.corrected((recipe.wish.kg,), language=demo.language)  # the labels it is told in
    correction = understand(recipe.wish, graph)
    proposal = studio.corrections.propose(correction)
    approve_correction(studio, proposal.id, who="presenter")
    again = studio.rerun(run.id)
    again.drive()
    return {demo.file_before: run.id, demo.file: again.id}
