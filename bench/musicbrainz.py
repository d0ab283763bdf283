"""Questions about music, asked of MusicBrainz's web service instead of an imported copy: answers, requests, seconds.

    python bench/musicbrainz.py [--data FOLDER] [--sample N] [--wrong]

A server on this machine replays real replies of MusicBrainz; the other graph (a part of Wikidata) is imported. The
questions are asked with the default set-up (the offline matcher). Prints Hits@1, and how many requests a question
takes, which at musicbrainz.org is how many seconds. Exit code 1 when Hits@1 misses its target.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Task, build
from kgcore.evaluation import Evaluator, Report
from kgcore.evaluation.datasets import read_dataset
from kgcore.evaluation.report import results_table, wrong_list
from kgcore.kg.connections import Connection
from kgcore.runs import RunView
from tests.servers.musicbrainz_data import shared_musicbrainz
from tests.servers.musicbrainz_server import MusicBrainzServer

LEAST_HITS = 0.50
LIVE = "musicbrainz"


def main() -> int:
    """Ask all questions, and print what they took."""
    options = _options()
    dataset = read_dataset("musicbrainz", options.data).sample(options.sample, 0)
    data = shared_musicbrainz(options.data / "musicbrainz")
    n_requests: list[int] = []
    with tempfile.TemporaryDirectory() as home, MusicBrainzServer(data) as server:
        studio = build(Path(home), environ={"KGCORE_ALLOW_PRIVATE_ENDPOINTS": "1"})
        for name, files in dataset.graphs.items():
            if name != LIVE:
                studio.import_graph(files, name)
        studio.add_connection(Connection(LIVE, "musicbrainz", server.address))
        names = tuple(dataset.graphs)

        def answer(question: str) -> RunView:
            before = server.n_requests
            run = studio.ask(Task(question, names, model="offline"))
            run.drive()
            n_requests.append(server.n_requests - before)
            return studio.view(run.id)

        evaluator = Evaluator(answer, studio.graph(names))
        report = Report("live", tuple(evaluator.evaluate(case) for case in dataset.cases))
    print(results_table([report]))
    print(
        f"\nrequests a question: median {statistics.median(n_requests):.0f}, most {max(n_requests)}, "
        f"{sum(n_requests)} for all {len(n_requests)} (replies are kept)"
    )
    if options.wrong:
        print(wrong_list(report))
    hits = report.row().hits
    print(f"Hits@1 {hits:.2f}  ≥ {LEAST_HITS:.2f}   {'met' if hits >= LEAST_HITS else 'NOT MET'}")
    return 0 if hits >= LEAST_HITS else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sample", type=int, default=0, help="questions to ask; 0: all")
    parser.add_argument("--wrong", action="store_true", help="print every wrong answer")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
