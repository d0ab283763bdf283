"""Drives a toy run in a process of its own, to be killed in the middle of an All.

Writes a line to the calls file when a graph call starts and another when it has answered; the call for t:leo
never answers.
"""

import sys
import time
from pathlib import Path

from kgcore.runs import lineage
from tests.unit.runs.toys import Bench, ToyConfig, ToyGraph, everyone


def main(folder: Path) -> None:
    calls = folder / "calls.txt"

    def on_edges(name: str) -> None:
        with calls.open("a") as file:
            file.write(f"{name}\n")
        if name == "t:leo":
            time.sleep(600)

    bench = Bench(folder, ToyGraph(on_edges))
    run = lineage.ask(bench.launch(everyone), "who", ToyConfig())
    (folder / "run.txt").write_text(run.id)
    run.drive()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
