"""Asks the questions of a data set and judges the runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kgcore.errors import KGCoreError
from kgcore.evaluation.baseline import Neighbourhood, score_baseline
from kgcore.evaluation.calibration import Rated, rated_answers
from kgcore.evaluation.case import Case
from kgcore.evaluation.causes import Cause, find_cause
from kgcore.evaluation.comparing import Names
from kgcore.evaluation.metrics import WRONG, Score, score_answer
from kgcore.evaluation.seen import Seen
from kgcore.kg import KnowledgeGraph
from kgcore.model import EntityId
from kgcore.runs import RunStatus, RunView


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case. `cause` says what was wrong with it, None when nothing was."""

    case: Case
    status: RunStatus
    answer: str = ""
    value: float | None = None
    seconds: float = 0.0
    score: Score = WRONG
    cause: Cause | None = None
    rated: tuple[Rated, ...] = ()
    run_id: str = ""
    baseline: Score | None = field(default=None, kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, for a file."""
        case, score = self.case, self.score
        return {
            "id": case.id,
            "type": case.type,
            "subtype": case.subtype,
            "question": case.question,
            "gold": list(case.texts),
            "status": self.status,
            "answer": self.answer,
            "value": self.value,
            **_plain(score),
            "cause": self.cause.kind if self.cause else None,
            "cause_detail": self.cause.detail if self.cause else "",
            "cause_note": self.cause.note if self.cause else "",
            "seconds": round(self.seconds, 3),
            "rated": [[r.value, r.is_right] for r in self.rated],
            "baseline": _plain(self.baseline) if self.baseline else None,
        }


def _plain(score: Score) -> dict[str, Any]:
    return {
        "hit": score.hit,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "em_in": score.em_in,
    }


class Evaluator:
    """Judges runs over one graph. `answer` asks a question and returns the view of the ended run."""

    def __init__(self, answer: Callable[[str], RunView], graph: KnowledgeGraph) -> None:
        self._answer, self._graph = answer, graph
        self._names = Names(graph.same_as)
        self._around = Neighbourhood(graph)

    def evaluate(self, case: Case) -> Outcome:
        """Ask a case and judge the run; an error of ours is a wrong answer."""
        start = time.perf_counter()
        try:
            view = self._answer(case.question)
        except KGCoreError as error:
            seconds = time.perf_counter() - start
            cause = Cause("failed", type(error).__name__, str(error))
            return Outcome(case, "failed", seconds=seconds, cause=cause)
        return self.judge(case, view, time.perf_counter() - start)

    def judge(self, case: Case, view: RunView, seconds: float = 0.0) -> Outcome:
        """Judge a run that has ended."""
        gold_ids = [g.id for g in case.gold if g.id is not None]
        labels = tuple(e.label for e in self._graph.describe(gold_ids).entities if e.label)
        topics = [t for t in case.topics if self._is_held(t)]
        answer = view.answer
        score = score_answer(answer, case, self._names, labels)
        rated = rated_answers(view, case, self._names, labels)
        return Outcome(
            case,
            view.status,
            answer.text if answer is not None and answer.is_answer else "",
            answer.value if answer is not None and answer.is_answer else None,
            seconds,
            score,
            find_cause(Seen(case, view, self._names), score, topics=topics, rated=rated),
            rated,
            view.started.run_id if view.started else "",
        )

    def score_baseline(self, case: Case) -> Score:
        """Score naming everything within two hops of what the question is about."""
        return score_baseline(case, self._around, self._names)

    def _is_held(self, entity: EntityId) -> bool:
        return bool(self._graph.describe(sorted(self._names.of(entity))).entities)
