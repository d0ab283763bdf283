"""Records the demo runs anew with the offline matcher: `python bench/demo_runs.py`.

Writes assets/demo/runs, in every language. To be run again when a method, the matcher, the demo graphs or the form of a
journal changes: an old recording still plays, but a resume is refused once the versions differ.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import build
from kgcore.bootstrap.demo_recording import record
from kgcore.bootstrap.demo_runs import DEMO_RUNS, FOLDER
from kgcore.runs.exchange import export_run
from kgcore.views.captions import captions_of


def main() -> None:
    """Record all; files of recordings that there are no more go."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    written: set[Path] = set()
    for demo in DEMO_RUNS:
        with (
            tempfile.TemporaryDirectory() as home
        ):  # of its own: what is corrected would hold for the others
            studio = build(Path(home), environ={})
            for file, run_id in record(studio, demo).items():
                file.write_text(export_run(studio.store, run_id), "utf-8")
                written.add(file)
                view = studio.view(run_id)
                n, answer = len(captions_of(view.entries)), view.answer
                text = answer.text if answer and answer.is_answer else view.status
                print(f"{file.stem}: {n} captions, {len(view.backtracks)} times back, {text}")
    for file in set(FOLDER.glob("*.json")) - written:
        file.unlink()


if __name__ == "__main__":
    main()
