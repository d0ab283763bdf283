"""Records the demo runs anew with the offline matcher: `python bench/demo_runs.py`.

Writes assets/demo/runs. To be run again when a method, the demo graphs or the form of a journal changes: an old
recording still plays, but a resume is refused once the versions differ.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Studio, Task, build
from kgcore.bootstrap.demo_runs import DEMO_RUNS
from kgcore.corrections.proposing import Wish, understand
from kgcore.runs.exchange import export_run

TURNS_BACK = "Did Leonardo DiCaprio star in Gladiator?"
MISSING = "What is the population of Reykjavík?"
FACT = Wish(
    "demo-wikidata",
    "wd:Q1764",
    "wdt:P1082",
    '"139875"^^xsd:integer',
    "add",
    author="presenter",
    reason="The demo graph has no population for this city.",
    evidence="https://www.wikidata.org/wiki/Q1764",
)
ACROSS = "Which cast member of The Prestige released the album Blackstar?"


def main() -> None:
    """Record all three."""
    with tempfile.TemporaryDirectory() as home:
        studio = build(Path(home), environ={})
        back = asked(studio, TURNS_BACK, "tree-of-traversals")
        across = asked(studio, ACROSS, "tree-of-traversals")
        runs = (back, corrected(studio), across)  # what is corrected holds in every later run
        for demo, run_id in zip(DEMO_RUNS, runs, strict=True):
            demo.file.parent.mkdir(parents=True, exist_ok=True)
            demo.file.write_text(export_run(studio.store, run_id), "utf-8")
            view = studio.view(run_id)
            n = len(view.entries)
            print(f"{demo.name}: {view.status}, {n} entries, {len(view.backtracks)} times back")


def asked(studio: Studio, question: str, method: str) -> str:
    """Ask a question and return the run."""
    run = studio.ask(Task(question, method=method))
    run.drive()
    return run.id


def corrected(studio: Studio) -> str:
    """Ask what the graph does not know, add the fact, and return the run that was made again."""
    first = asked(studio, MISSING, "think-on-graph")
    fact = understand(FACT, studio.corrected((FACT.kg,)))
    fact = replace(fact, relation=replace(fact.relation, label="population"))
    proposal = studio.corrections.propose(fact)
    studio.corrections.approve(proposal.id, who="presenter", note="Looked up.")
    again = studio.rerun(first)
    again.drive()
    return again.id


if __name__ == "__main__":
    main()
