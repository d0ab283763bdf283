"""Figures over the outcomes of a data set, and the tables that show them."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kgcore.evaluation.calibration import Calibration, calibrate
from kgcore.evaluation.causes import INCOMPLETE, WRONG
from kgcore.evaluation.evaluator import Outcome

ALL = "all"


@dataclass(frozen=True, slots=True)
class Row:
    """Means over some outcomes; failures count as wrong. The baseline's are None where it was not asked."""

    type: str
    n: int
    hits: float
    precision: float
    recall: float
    f1: float
    em_in: float
    n_no_answer: int
    baseline_hits: float | None
    baseline_f1: float | None
    baseline_recall: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """The outcomes of one data set."""

    name: str
    outcomes: tuple[Outcome, ...]
    peak_mb: float = 0.0

    def types(self) -> list[str]:
        """Return the types of its cases, sorted."""
        return sorted({o.case.type for o in self.outcomes})

    def of_type(self, type_: str) -> tuple[Outcome, ...]:
        """Return the outcomes of a type; of all for "all"."""
        return tuple(o for o in self.outcomes if type_ in (ALL, o.case.type))

    def row(self, type_: str = ALL) -> Row:
        """Return the means over a type."""
        chosen = self.of_type(type_)
        base = [o.baseline for o in chosen if o.baseline is not None]
        return Row(
            type_,
            len(chosen),
            mean(o.score.hit for o in chosen),
            mean(o.score.precision for o in chosen),
            mean(o.score.recall for o in chosen),
            mean(o.score.f1 for o in chosen),
            mean(o.score.em_in for o in chosen),
            sum(o.status == "no_answer" for o in chosen),
            mean(b.hit for b in base) if base else None,
            mean(b.f1 for b in base) if base else None,
            mean(b.recall for b in base) if base else None,
        )

    def rows(self) -> list[Row]:
        """Return a row for each type and one for all."""
        types = self.types()
        return [self.row(t) for t in (types if len(types) > 1 else [])] + [self.row()]

    def causes(self, type_: str = ALL) -> Counter[str]:
        """Count what was wrong with the outcomes of a type."""
        return Counter(o.cause.kind for o in self.of_type(type_) if o.cause is not None)

    def calibration(self) -> Calibration:
        """Return how values and right answers go together."""
        return calibrate(r for o in self.outcomes for r in o.rated)

    @property
    def median_s(self) -> float:
        """Median of the seconds a question took."""
        return statistics.median(o.seconds for o in self.outcomes) if self.outcomes else 0.0

    @property
    def p95_s(self) -> float:
        """The time that 95 of 100 questions stay under."""
        times = sorted(o.seconds for o in self.outcomes)
        return times[math.ceil(0.95 * len(times)) - 1] if times else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: rows, causes, calibration, times, and every case."""
        return {
            "name": self.name,
            "rows": [{name: getattr(row, name) for name in Row.__slots__} for row in self.rows()],
            "causes": {t: dict(self.causes(t)) for t in (*self.types(), ALL)},
            "calibration": self.calibration().to_dict(),
            "median_s": self.median_s,
            "p95_s": self.p95_s,
            "peak_mb": self.peak_mb,
            "cases": [o.to_dict() for o in self.outcomes],
        }


def mean(values: Iterable[float]) -> float:
    """Return the mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def results_table(reports: Sequence[Report]) -> str:
    """Return Hits@1, F1 and EM-in by data set and type, the baseline beside them."""
    head = ["set", "type", "n", "Hits@1", "F1", "prec", "rec", "EM-in", "no answer"]
    head += ["2-hop Hits@1", "2-hop F1", "2-hop rec"]
    lines = [head]
    for report in reports:
        for row in report.rows():
            shares = (row.hits, row.f1, row.precision, row.recall, row.em_in)
            base = (row.baseline_hits, row.baseline_f1, row.baseline_recall)
            lines.append(
                [report.name, row.type, str(row.n), *map(percent, shares)]
                + [str(row.n_no_answer), *map(percent, base)]
            )
    return table(lines)


def causes_table(reports: Sequence[Report]) -> str:
    """Return how many answers are wrong, and why; then how many are right and incomplete, and why."""
    lines = [["set", "type", "n", "complete", *WRONG, "|", *INCOMPLETE]]
    for report in reports:
        for row in report.rows():
            causes = report.causes(row.type)
            complete = row.n - sum(causes.values())
            lines.append(
                [report.name, row.type, str(row.n), str(complete)]
                + [str(causes[kind] or ".") for kind in WRONG]
                + ["|"]
                + [str(causes[kind] or ".") for kind in INCOMPLETE]
            )
    return table(lines)


def details_table(reports: Sequence[Report], n: int = 8) -> str:
    """Return what shows the causes most often, the n commonest of each data set."""
    lines = [["set", "cause", "what shows it", "n"]]
    for report in reports:
        causes = [o.cause for o in report.outcomes if o.cause is not None]
        shown = Counter((c.kind, c.detail) for c in causes if c.detail)
        for (kind, detail), count in sorted(shown.items(), key=lambda item: (-item[1], item[0]))[
            :n
        ]:
            lines.append([report.name, kind, detail, str(count)])
    return table(lines, 3)


def wrong_list(report: Report) -> str:
    """Return every wrong or incomplete answer on a line: cause, question, gold, answer."""
    lines = []
    for o in report.outcomes:
        if o.cause is not None:
            gold = "; ".join(o.case.texts[:3]) + (" …" if len(o.case.texts) > 3 else "")
            given = o.answer[:80] or o.status
            lines.append(
                [report.name, o.case.subtype or o.case.type, o.cause.kind]
                + [f"{o.case.question} → {gold} | {given} | {o.cause.detail} {o.cause.note}"]
            )
    return table(lines, 4) if lines else ""


def calibration_table(reports: Sequence[Report]) -> str:
    """Return the share of right answers by value, with the number of answers, and the AUC."""
    found = [(report.name, report.calibration()) for report in reports]
    if len(reports) > 1:
        every = calibrate(r for report in reports for o in report.outcomes for r in o.rated)
        found.append((ALL, every))
    head = ["set"]
    for bucket in found[0][1].buckets if found else ():
        head += [f"{bucket.low:.1f}–{bucket.high:.1f}", "n"]
    lines = [[*head, "AUC", "AUC in a question"]]
    for name, calibration in found:
        cells = [name]
        for bucket in calibration.buckets:
            cells += [percent(bucket.share), str(bucket.n)]
        lines.append([*cells, decimal(calibration.auc), decimal(calibration.auc_within)])
    return table(lines, 1)


def time_table(reports: Sequence[Report]) -> str:
    """Return seconds a question and the most memory."""
    lines = [["set", "n", "median s", "p95 s", "peak MB"]]
    for r in reports:
        n, peak = str(len(r.outcomes)), f"{r.peak_mb:.0f}"
        lines.append([r.name, n, f"{r.median_s:.2f}", f"{r.p95_s:.2f}", peak])
    return table(lines, 1)


def percent(share: float | None) -> str:
    """Write a share as percent; a dash for none."""
    return "–" if share is None else f"{100 * share:.1f}"


def decimal(number: float | None) -> str:
    """Write a number with two places; a dash for none."""
    return "–" if number is None else f"{number:.2f}"


def table(lines: Sequence[Sequence[str]], n_left: int = 2) -> str:
    """Align the cells of lines of equal length: the first columns left, the rest right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    rows = []
    for line in lines:
        sized = list(zip(line, widths, strict=True))
        cells = [cell.ljust(width) for cell, width in sized[:n_left]]
        cells += [cell.rjust(width) for cell, width in sized[n_left:]]
        rows.append("  ".join(cells).rstrip())
    return "\n".join(rows)
