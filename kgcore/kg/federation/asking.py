"""Asking the members of a federation: all at the same time, and without waiting for ever for one of them.

One call of the port may put several questions to the members: what is this linked to, what are its edges. What is
learnt of a member holds for the rest of that call: one that did not answer is not asked again. A member that a
healthy one has outrun by the federation's patience is given up. Its thread ends by the member's own deadline;
until then the member is not asked anything else. If it came to nothing, the member gets less time from then on,
until it answers again.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextvars import copy_context
from typing import Generic, TypeVar

from kgcore.errors import BadReplyError, ServiceError, TimedOutError, TooHeavyError
from kgcore.kg.base import KnowledgeGraph
from kgcore.steps import Candidates, Descriptions, EdgeSet, RelationOptions
from kgcore.transport import current_allowance

R = TypeVar("R")
Question = tuple[KnowledgeGraph, Callable[[KnowledgeGraph], R]]
PATIENCE_S = 20.0
_LEAST_S = 2.0  # even a graph that is always late is waited for so long
_GRACE_S = 1.0  # and so long after another one answered
_LOOK_S = 0.1  # how often a stop is looked for
_OF_THE_QUESTION = (TooHeavyError, BadReplyError)  # says nothing about the next question


class Members:
    """The graphs of a federation; remembers which of them are late."""

    def __init__(self, graphs: Sequence[KnowledgeGraph], *, patience_s: float = PATIENCE_S) -> None:
        self.graphs, self._patience_s = tuple(graphs), patience_s
        self._lock = threading.Lock()
        self._unfinished: Counter[str] = Counter()  # questions that were given up and still run
        self._late: Counter[str] = Counter()  # how often in a row

    def call(self) -> Call:
        """Begin a call of the port."""
        return Call(self)

    def patience(self, graph: KnowledgeGraph) -> float:
        """Return how many seconds a member has got; half as much for each late call that came to nothing."""
        with self._lock:
            shortened = self._patience_s / 2.0 ** self._late[graph.id]
        return max(min(_LEAST_S, self._patience_s), shortened)

    def is_busy(self, graph: KnowledgeGraph) -> bool:
        """Tell whether a member is still at a question on which it was given up."""
        with self._lock:
            return self._unfinished[graph.id] > 0

    def note_answer(self, graph: KnowledgeGraph) -> None:
        """Remember that a member answered in time."""
        with self._lock:
            self._late.pop(graph.id, None)

    def give_up(self, graph: KnowledgeGraph, futures: Sequence[Future[R]]) -> None:
        """Leave a late member to itself until its questions have ended."""
        with self._lock:
            self._late[graph.id] += 1
            self._unfinished[graph.id] += len(futures)
        for future in futures:
            future.add_done_callback(lambda ended: self._end(graph, ended))

    def _end(self, graph: KnowledgeGraph, ended: Future[R]) -> None:
        with self._lock:
            self._unfinished[graph.id] -= 1
            if ended.exception() is None:  # slow, but alive
                self._late.pop(graph.id, None)


def start(question: Question[R]) -> Future[R]:
    """Put a question to a member on a thread of its own, which sees the caller's context.

    It is a daemon: a member that hangs keeps no program from ending.
    """
    graph, ask = question
    future: Future[R] = Future()
    context = copy_context()

    def work() -> None:
        try:
            future.set_result(context.run(ask, graph))
        except Exception as error:  # noqa: BLE001  handed to the one who waits
            future.set_exception(error)

    threading.Thread(target=work, name=f"federated {graph.id}", daemon=True).start()
    return future


class Call:
    """One call of the port: what the members are asked in it, and who did not answer."""

    def __init__(self, members: Members) -> None:
        self._members, self._started = members, time.monotonic()
        self._errors: dict[str, ServiceError] = {}  # by name, in order of arrival
        self._is_down: set[str] = set()
        self._notes: dict[str, None] = {}
        self._is_cut = False

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the members that did not answer, in the federation's order."""
        return tuple(graph.id for graph in self._members.graphs if graph.id in self._errors)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why they did not, one sentence for each; then what the others noted."""
        reasons = [f"{name} did not answer: {_reason(self._errors[name])}" for name in self.missing]
        return tuple(dict.fromkeys((*reasons, *self._notes)))

    @property
    def is_partial(self) -> bool:
        """Whether something is missing so far."""
        return self._is_cut or bool(self._errors)

    def ask(
        self, ask: Callable[[KnowledgeGraph], R], graphs: Sequence[KnowledgeGraph] | None = None
    ) -> dict[str, R]:
        """Put one question to all members, or some; the answers by name, in the members' order."""
        asked = self._members.graphs if graphs is None else graphs
        found = self.ask_each([(graph, ask) for graph in asked])
        return {asked[number].id: answer for number, answer in found.items()}

    def ask_each(self, questions: Sequence[Question[R]]) -> dict[int, R]:
        """Put several questions to members; the answers by number of the question, in order.

        An error that is no ServiceError ends the call. So does a ServiceError when no member answered anything.
        """
        if len(self._members.graphs) == 1:
            found = {number: ask(graph) for number, (graph, ask) in enumerate(questions)}
        else:
            found = _Round(self, self._members, questions).answers()
        for answer in found.values():
            if isinstance(answer, Candidates | RelationOptions | EdgeSet | Descriptions):
                self._notes.update(dict.fromkeys(answer.notes))
                self._is_cut |= answer.is_partial
        if questions and not found and len(self._errors) == len(self._members.graphs):
            raise self._error()
        return dict(sorted(found.items()))

    def fail(self, graph: KnowledgeGraph, error: ServiceError) -> None:
        """Note that a member did not answer; the first reason stays."""
        self._errors.setdefault(graph.id, error)
        if not isinstance(error, _OF_THE_QUESTION):
            self._is_down.add(graph.id)

    def is_down(self, graph: KnowledgeGraph) -> bool:
        """Tell whether there is no use in asking a member anything more in this call."""
        return graph.id in self._is_down

    def deadline(self, graph: KnowledgeGraph) -> float:
        """Return when a member has used up the patience of this call, on time.monotonic()."""
        return self._started + self._members.patience(graph)

    def _error(self) -> ServiceError:
        first = self._errors[self.missing[0]]
        if len({str(error) for error in self._errors.values()}) == 1:
            return first
        return type(first)("; ".join(self.notes))


class _Round(Generic[R]):
    """Questions that are asked at the same time."""

    def __init__(self, call: Call, members: Members, questions: Sequence[Question[R]]) -> None:
        self._call, self._members, self._questions = call, members, questions
        self._pending: dict[Future[R], int] = {}
        self._found: dict[int, R] = {}
        self._last_answer = time.monotonic()

    def answers(self) -> dict[int, R]:
        """Return what came back; who did not answer is noted in the call."""
        self._start()
        while self._pending:
            done, _ = wait(self._pending, _LOOK_S, FIRST_COMPLETED)
            for future in done:
                self._take(future)
            if self._pending:
                current_allowance().check()
                self._give_up_late()
        return self._found

    def _start(self) -> None:
        for number, question in enumerate(self._questions):
            graph, _ = question
            if self._call.is_down(graph):
                continue
            if self._members.is_busy(graph):
                self._call.fail(graph, TimedOutError("it is still busy with an earlier question"))
                continue
            self._pending[start(question)] = number

    def _take(self, future: Future[R]) -> None:
        graph, number = self._asked(future), self._pending.pop(future)
        try:
            self._found[number] = future.result()
        except ServiceError as error:
            self._call.fail(graph, error)
        else:
            self._members.note_answer(graph)
            self._last_answer = time.monotonic()

    def _give_up_late(self) -> None:
        """Give up members that are past their time, as long as there is a healthy one to go on with."""
        now = time.monotonic()
        waiting = {graph.id: graph for graph in map(self._asked, self._pending)}
        healthy = [
            g for g in self._members.graphs if g.id not in waiting and not self._call.is_down(g)
        ]
        if not healthy or now - self._last_answer < _GRACE_S:
            return
        for graph in waiting.values():
            if now >= self._call.deadline(graph):
                self._give_up(graph)

    def _give_up(self, graph: KnowledgeGraph) -> None:
        late = [future for future in self._pending if self._asked(future).id == graph.id]
        for future in late:
            del self._pending[future]
        seconds = self._members.patience(graph)
        self._members.give_up(graph, late)
        self._call.fail(graph, TimedOutError(f"nothing came within {seconds:.0f} s"))

    def _asked(self, future: Future[R]) -> KnowledgeGraph:
        return self._questions[self._pending[future]][0]


def _reason(error: ServiceError) -> str:
    return " ".join(str(error).split()).rstrip(".") or "no reason was given"
