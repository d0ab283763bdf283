"""Does challenging an answer find the wrong edge, and does correcting do harm?

    python bench/correction.py [--set codex|2wiki] [--data FOLDER] [--home FOLDER] [--cases N] [--seed N]
                               [--method NAME] [--model NAME [--api-base URL]] [--condition NAME]...

Asks questions over two edges of CoDEx (made here), or those of 2WikiMultihopQA on their own graph. Right answers
are left alone and challenged; then an edge of their proof, any with the same chance, is replaced by a wrong one: a
hard negative of CoDEx where there is one for the subject and the relation, else what the relation leads to
elsewhere in the graph. Where that makes the answer wrong, it is challenged too: the edges of its proof are ranked by
the offline matcher, or by the model named.

Conditions: alone (the graph itself), witness (the graph of the other set is asked too), told (the right answer is
said), both.

    first     the wrong edge is ranked first; `chance` is the share that picking any edge would have, `last` that
              of picking the one nearest to the answer
    repaired  the person puts the first suspect right if it is wrong, and leaves it if it is right; run again
    flagged   of the answers left alone: the first suspect stands out (above 0.5)
    harmed    … and the answer is no longer right when that edge is retracted without looking; a person who looks
              keeps it, and does no harm
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from correction_cases import Claims, chains

from kgcore.bootstrap import Studio, Task, build
from kgcore.corrections import CorrectedGraph, Correction
from kgcore.evaluation import Case
from kgcore.evaluation.comparing import Names
from kgcore.evaluation.datasets import read_dataset
from kgcore.evaluation.metrics import score_answer
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.model import Entity, Literal, Triple
from kgcore.runs import Ports, RunView
from kgcore.runs.challenge import Challenge, challenge

WITNESS = {"codex": "2wiki", "2wiki": "codex"}
CONDITIONS = ("alone", "witness", "told", "both")
_STANDS_OUT = 0.5
_TRIES = 4  # wrong ends tried for an edge until the answer becomes wrong


@dataclass
class Tally:
    """Counts of one condition."""

    n: int = 0
    first: int = 0
    chance: float = 0.0
    last: int = 0
    repaired: int = 0
    left_alone: int = 0
    flagged: int = 0
    harmed: int = 0
    requests: int = 0


@dataclass
class Bench:
    """Everything the measurement needs."""

    studio: Studio
    claims: Claims
    options: argparse.Namespace
    tallies: dict[str, Tally]
    names: Names
    rng: random.Random

    @property
    def kg(self) -> str:
        """The graph that is asked."""
        return str(self.options.set)

    def is_right(self, view: RunView, case: Case) -> bool:
        """Judge an answer: all it names is right."""
        return score_answer(view.answer, case, self.names).precision == 1.0

    def rerun(self, view: RunView, *corrections: Correction) -> RunView:
        """Run again with these corrections, the lineage remembered."""
        assert view.started is not None
        run = self.studio.rerun(view.started.run_id, corrections=corrections)
        run.drive()
        return RunView.of(run.journal.entries)


def main() -> int:
    """Measure and print."""
    options = _options()
    start = time.perf_counter()
    with _home(options.home) as home:
        bench, cases = _bench(home, options)
        counts = _measure(bench, cases)
    print(
        f"{options.set}: {counts['asked']} questions asked, {counts['right']} answered rightly with a proof; "
        f"one edge replaced in each: {counts['spoilt']} became wrong ({counts['hard']} by hard negatives "
        f"of CoDEx), {counts['kept']} stayed right or without an answer"
    )
    _print(bench.tallies, options)
    print(f"{time.perf_counter() - start:.0f} s in all")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--set", default="codex", choices=sorted(WITNESS))
    parser.add_argument("--home", type=Path, help="keep the imported graphs here")
    parser.add_argument("--cases", type=int, default=100, help="of each kind, at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--method", default="tree-of-traversals")
    parser.add_argument("--model", default="offline", help="ranks the suspects")
    parser.add_argument("--api-base", default="", help="of that model")
    parser.add_argument("--condition", action="append", choices=CONDITIONS)
    return parser.parse_args()


@contextmanager
def _home(path: Path | None) -> Iterator[Path]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _bench(home: Path, options: argparse.Namespace) -> tuple[Bench, list[Case]]:
    """Import the graphs that are missing, read their claims, and return the cases in a random order."""
    studio, dataset = build(home), read_dataset("2wiki", options.data)
    held = {graph.name for graph in studio.graphs()}
    claims, rng = Claims(), random.Random(options.seed)
    for name, files in dataset.graphs.items():
        if name not in held:
            studio.import_graph(files, name)
        claims.read(files, is_own=name == options.set)
    claims.read_hard(options.data / "codex" / "fact_check.jsonl")
    graph = studio.graph((options.set,))
    is_own = options.set == "codex"
    cases = list(chains(claims, graph, rng, 6 * options.cases) if is_own else dataset.cases)
    if not is_own:  # those made here come with the hard negatives first
        rng.shuffle(cases)
    tallies = {name: Tally() for name in options.condition or CONDITIONS}
    return Bench(studio, claims, options, tallies, Names(graph.same_as), rng), cases


def _measure(bench: Bench, cases: list[Case]) -> Counter[str]:
    """Go through the questions until enough answers became wrong; return the counts of what happened."""
    counts: Counter[str] = Counter()
    for case in cases:
        if counts["spoilt"] >= bench.options.cases:
            break
        counts["asked"] += 1
        view = _asked(bench, case)
        if not bench.is_right(view, case) or view.answer is None or not view.answer.proof:
            continue
        counts["right"] += 1
        if counts["right"] <= bench.options.cases:
            _left_alone(bench, case, view)
        counts[_spoilt(bench, case, view, counts)] += 1
        print(f"\r{counts['spoilt']} of {bench.options.cases}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return counts


def _asked(bench: Bench, case: Case) -> RunView:
    task = Task(case.question, (bench.kg,), method=bench.options.method, model="offline")
    run = bench.studio.ask(task)
    run.drive()
    return RunView.of(run.journal.entries)


def _spoilt(bench: Bench, case: Case, view: RunView, counts: Counter[str]) -> str:
    """Replace an edge of the proof; challenge and repair where that makes the answer wrong."""
    assert view.answer is not None
    triples = list(view.answer.proof)
    bench.rng.shuffle(triples)
    graph = bench.studio.graph((bench.kg,))
    for triple in triples:
        for end, is_hard in bench.claims.wrong_ends(triple, graph, bench.rng, _TRIES):
            spoil = _replace("spoil", triple, triple.object, end, bench.kg)
            wrong = bench.rerun(view, spoil)
            is_answer = wrong.answer is not None and wrong.answer.is_answer
            if is_answer and not bench.is_right(wrong, case):
                counts["hard"] += is_hard
                _challenge_wrong(bench, case, wrong, spoil, triple)
                return "spoilt"
    return "kept"


def _replace(
    name: str, triple: Triple, old: Entity | Literal, new: Entity | Literal, kg: str
) -> Correction:
    return Correction(name, "replace", triple.subject, triple.relation, old, new, kg=kg)


def _challenge_wrong(
    bench: Bench, case: Case, wrong: RunView, spoil: Correction, true: Triple
) -> None:
    """Challenge a wrong answer under each condition, and repair it where the first suspect is the wrong edge."""
    assert wrong.answer is not None
    assert spoil.new_object is not None
    false = replace(true, object=spoil.new_object)
    for name, tally in bench.tallies.items():
        tally.n += 1
        if not wrong.answer.proof:  # what it rests on is not told
            continue
        found = _challenged(bench, name, wrong, case)
        first = found.suspects[0].triple
        tally.first += first == false
        tally.chance += (false in wrong.answer.proof) / len(found.suspects)
        tally.last += wrong.answer.proof[-1] == false
        tally.requests += found.usage.kg_requests
        if first == false:
            repair = _replace("repair", true, spoil.new_object, true.object, bench.kg)
            tally.repaired += bench.is_right(bench.rerun(wrong, spoil, repair), case)


def _left_alone(bench: Bench, case: Case, view: RunView) -> None:
    """Challenge a right answer; see what following the ranking without looking would do."""
    for name, tally in bench.tallies.items():
        if name in ("told", "both"):  # nobody says that another answer is right
            continue
        found = _challenged(bench, name, view, case)
        tally.left_alone += 1
        first = found.suspects[0]
        if first.score > _STANDS_OUT:
            tally.flagged += 1
            gone = first.triple
            blind = Correction(
                "b", "retract", gone.subject, gone.relation, gone.object, kg=bench.kg
            )
            tally.harmed += not bench.is_right(bench.rerun(view, blind), case)


def _challenged(bench: Bench, condition: str, view: RunView, case: Case) -> Challenge:
    assert view.started is not None
    own = bench.studio.launch_of(view.started).ports
    model = bench.studio.model(bench.options.model, api_base=bench.options.api_base)
    graph = None
    if condition in ("witness", "both"):
        seen = CorrectedGraph(own.graph, view.started.corrections)
        graph = FederatedGraph([seen, bench.studio.graph((WITNESS[bench.kg],))])
    right = ", ".join(case.texts[:4]) if condition in ("told", "both") else ""
    ports = Ports(own.graph, {"reason": model}, own.ranker)
    return challenge(view, ports, right=right, graph=graph)


def _print(tallies: dict[str, Tally], options: argparse.Namespace) -> None:
    print(f"Suspects ranked by {options.model}, answers by {options.method}, seed {options.seed}")
    print(
        f"{'':<10}{'wrong':>7}{'first':>9}{'chance':>9}{'last':>9}{'repaired':>10}"
        f"{'requests':>10}{'alone':>8}{'flagged':>9}{'harmed':>8}"
    )
    for name, t in tallies.items():
        n, alone = max(1, t.n), t.left_alone
        right = f"{alone:>8}{t.flagged:>9}{t.harmed:>8}" if alone else f"{'–':>8}{'–':>9}{'–':>8}"
        print(
            f"{name:<10}{t.n:>7}{t.first / n:>9.1%}{t.chance / n:>9.1%}{t.last / n:>9.1%}"
            f"{t.repaired / n:>10.1%}"
            f"{t.requests / n:>10.1f}{right}"
        )


if __name__ == "__main__":
    sys.exit(main())
