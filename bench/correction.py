"""Does challenging an answer find the wrong edge, and does correcting do harm?

    python bench/correction.py [--data FOLDER] [--home FOLDER] [--cases N] [--seed N] [--method NAME]
                               [--model NAME [--api-base URL]] [--condition NAME]...

Asks the questions of 2WikiMultihopQA on their own graph. Of the right answers, N get one edge of their proof
replaced by a wrong one: a hard negative of CoDEx where there is one for the subject and the relation, else what the
relation leads to elsewhere. Where the answer becomes wrong, it is challenged: the edges of its proof are ranked by
the offline matcher, or by the model named. Another N right answers are left alone and challenged too.

Conditions: alone (the graph itself), witness (CoDEx is asked too), told (the right answer is said), both.

    first     the wrong edge is ranked first; `chance` is the share that picking any edge would have
    repaired  the person puts the first suspect right if it is wrong, and leaves it if it is right; run again
    flagged   of the answers left alone: the first suspect stands out (above 0.5)
    harmed    … and the answer is no longer right when that edge is retracted without looking; a person who looks
              keeps it, and does no harm
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kgcore.bootstrap import Studio, Task, build
from kgcore.corrections import CorrectedGraph, Correction
from kgcore.evaluation import Case, Dataset
from kgcore.evaluation.comparing import Names
from kgcore.evaluation.datasets import read_dataset
from kgcore.evaluation.metrics import score_answer
from kgcore.kg.federated import FederatedGraph
from kgcore.kg.vocabulary import Prefixes
from kgcore.model import Entity, EntityId, Literal, Triple
from kgcore.runs import Ports, RunView
from kgcore.runs.challenge import Challenge, challenge

GRAPH, WITNESS = "2wiki", "codex"
CONDITIONS = ("alone", "witness", "told", "both")
_STANDS_OUT = 0.5
_CLAIM = re.compile(r"<([^>]*)> <(http://www\.wikidata\.org/prop/direct/[^>]*)> (.*) \.\s*$")
_VALUE = re.compile(r'"(.*)"\^\^<(.*)>$')
End = EntityId | Literal


@dataclass
class Claims:
    """What the graphs say, to choose wrong ends from: ends by relation, and those that are true of a subject."""

    by_relation: dict[str, set[End]] = field(default_factory=lambda: defaultdict(set))
    true_of: dict[tuple[str, str], set[End]] = field(default_factory=lambda: defaultdict(set))
    hard: dict[tuple[str, str], list[EntityId]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Tally:
    """Counts of one condition."""

    n: int = 0
    first: int = 0
    chance: float = 0.0
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

    def is_right(self, view: RunView, case: Case) -> bool:
        """Judge an answer by what it names first."""
        return score_answer(view.answer, case, self.names).hit == 1.0

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
        dataset = read_dataset("2wiki", options.data)
        bench = _bench(home, dataset, options)
        n_right, n_hard, unchanged, silent = _measure(bench, dataset)
    print(
        f"{n_right} right answers were used; one edge of their proof was replaced in some, as asked"
    )
    print(f"wrong ends: {n_hard} hard negatives of CoDEx, the others from elsewhere in the graph")
    print(f"not challenged: {unchanged} answers stayed right, {silent} became 'no answer'\n")
    _print(bench.tallies, options)
    print(f"\n{time.perf_counter() - start:.0f} s in all")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
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


def _bench(home: Path, dataset: Dataset, options: argparse.Namespace) -> Bench:
    studio = build(home)
    held = {graph.name for graph in studio.graphs()}
    for name in (GRAPH, WITNESS):
        if name not in held:
            studio.import_graph(dataset.graphs[name], name)
    claims = Claims()
    for name in (GRAPH, WITNESS):
        _read_claims(dataset.graphs[name], claims, is_own=name == GRAPH)
    for line in (options.data / "codex" / "fact_check.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        subject, relation, end = record["triple"]
        if record["answer"] == "no":
            claims.hard[f"wd:{subject}", f"wdt:{relation}"].append(EntityId(f"wd:{end}"))
    tallies = {name: Tally() for name in options.condition or CONDITIONS}
    names = Names(studio.graph((GRAPH,)).same_as)
    return Bench(studio, claims, options, tallies, names, random.Random(options.seed))


def _read_claims(files: tuple[Path, ...], claims: Claims, *, is_own: bool) -> None:
    prefixes = Prefixes()
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for match in filter(None, map(_CLAIM.match, lines)):
                end = _end(match[3], prefixes)
                subject, relation = prefixes.shorten(match[1]), prefixes.shorten(match[2])
                claims.true_of[subject, relation].add(end)
                if is_own:
                    claims.by_relation[relation].add(end)


def _end(text: str, prefixes: Prefixes) -> End:
    if text.startswith("<"):
        return prefixes.shorten(text[1:-1])
    value = _VALUE.match(text)
    return Literal(value[1], prefixes.shorten(value[2])) if value else Literal(text.strip('"'))


def _measure(bench: Bench, dataset: Dataset) -> tuple[int, int, int, int]:
    """Go through the questions until there are enough of both kinds; return the counts of what happened."""
    wanted = bench.options.cases
    cases = list(dataset.cases)
    bench.rng.shuffle(cases)
    counts = dict.fromkeys(("right", "hard", "unchanged", "silent", "spoilt", "alone"), 0)
    for case in cases:
        if counts["spoilt"] >= wanted and counts["alone"] >= wanted:
            break
        view = _asked(bench, case)
        if not bench.is_right(view, case) or view.answer is None or not view.answer.proof:
            continue
        counts["right"] += 1
        if counts["alone"] < min(wanted, counts["spoilt"] + 1):
            _left_alone(bench, case, view)
            counts["alone"] += 1
            continue
        counts[_spoilt(bench, case, view, counts)] += 1
        print(f"\r{counts['spoilt']} spoilt, {counts['alone']} left alone", end="", file=sys.stderr)
    print(file=sys.stderr)
    return counts["right"], counts["hard"], counts["unchanged"], counts["silent"]


def _asked(bench: Bench, case: Case) -> RunView:
    task = Task(case.question, (GRAPH,), method=bench.options.method, model="offline")
    run = bench.studio.ask(task)
    run.drive()
    return RunView.of(run.journal.entries)


def _spoilt(bench: Bench, case: Case, view: RunView, counts: dict[str, int]) -> str:
    """Replace an edge of the proof; challenge and repair where that makes the answer wrong."""
    assert view.answer is not None
    triples = list(view.answer.proof)
    bench.rng.shuffle(triples)
    for triple in triples:
        end, is_hard = _wrong_end(bench, triple)
        if end is not None:
            break
    else:
        return "unchanged"
    spoil = Correction(
        "spoil", "replace", triple.subject, triple.relation, triple.object, end, kg=GRAPH
    )
    wrong = bench.rerun(view, spoil)
    if wrong.answer is None or not wrong.answer.is_answer or not wrong.answer.proof:
        return "silent"
    if bench.is_right(wrong, case):
        return "unchanged"
    counts["hard"] += is_hard
    false = replace(triple, object=end)
    for name, tally in bench.tallies.items():
        found = _challenged(bench, name, wrong, case)
        first = found.suspects[0].triple
        tally.n += 1
        tally.first += first == false
        tally.chance += (false in wrong.answer.proof) / len(found.suspects)
        tally.requests += found.usage.kg_requests
        if first == false:
            repair = Correction(
                "repair", "replace", triple.subject, triple.relation, end, triple.object, kg=GRAPH
            )
            tally.repaired += bench.is_right(bench.rerun(wrong, spoil, repair), case)
    return "spoilt"


def _wrong_end(bench: Bench, triple: Triple) -> tuple[Entity | Literal | None, bool]:
    """Return an end that is false for the subject and the relation, and whether it is a hard negative."""
    key = (triple.subject.id, triple.relation.id)
    true = bench.claims.true_of[key]
    hard = [name for name in bench.claims.hard[key] if name not in true]
    kind = type(triple.object)
    others = bench.claims.by_relation[triple.relation.id] - true
    fits = [e for e in others if isinstance(e, Literal) == (kind is Literal)]
    chosen: list[End] = [*hard] or sorted(fits, key=str)
    bench.rng.shuffle(chosen)
    graph = bench.studio.graph((GRAPH,))
    for end in chosen[:10]:
        if isinstance(end, Literal):
            return end, False
        known = graph.describe((end,)).entities
        if known and known[0].label:
            return known[0], bool(hard)
    return None, False


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
            blind = Correction("b", "retract", gone.subject, gone.relation, gone.object, kg=GRAPH)
            tally.harmed += not bench.is_right(bench.rerun(view, blind), case)


def _challenged(bench: Bench, condition: str, view: RunView, case: Case) -> Challenge:
    assert view.started is not None
    own = bench.studio.launch_of(view.started).ports
    model = bench.studio.model(bench.options.model, api_base=bench.options.api_base)
    graph = None
    if condition in ("witness", "both"):
        seen = CorrectedGraph(own.graph, view.started.corrections)
        graph = FederatedGraph([seen, bench.studio.graph((WITNESS,))])
    right = case.texts[0] if condition in ("told", "both") and case.texts else ""
    ports = Ports(own.graph, {"reason": model}, own.ranker)
    return challenge(view, ports, right=right, graph=graph)


def _print(tallies: dict[str, Tally], options: argparse.Namespace) -> None:
    print(f"Suspects ranked by {options.model}, answers by {options.method}, seed {options.seed}")
    print(
        f"{'':<10}{'wrong':>7}{'first':>9}{'chance':>9}{'repaired':>10}"
        f"{'requests':>10}{'alone':>8}{'flagged':>9}{'harmed':>8}"
    )
    for name, t in tallies.items():
        n, alone = max(1, t.n), t.left_alone
        right = f"{alone:>8}{t.flagged:>9}{t.harmed:>8}" if alone else f"{'–':>8}{'–':>9}{'–':>8}"
        print(
            f"{name:<10}{t.n:>7}{t.first / n:>9.1%}{t.chance / n:>9.1%}{t.repaired / n:>10.1%}"
            f"{t.requests / n:>10.1f}{right}"
        )


if __name__ == "__main__":
    sys.exit(main())
