"""Driving a run while a person watches: progress, Ctrl-C, and the report at the end."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from kgcore.bootstrap import Studio
from kgcore.cli.approving import settle
from kgcore.cli.main import code_of
from kgcore.cli.output import complain, note, report_lines, show
from kgcore.cli.pausing import attend
from kgcore.cli.settling import settle_link
from kgcore.cli.terminal import is_terminal
from kgcore.errors import LeaseLostError
from kgcore.runs import Budget, Run, RunView, SqlRunStore
from kgcore.views.report import run_report

STOP_SECONDS = 4.0  # for calls in flight after Ctrl-C
_TICK = 0.05


Tell = Callable[[Studio, str, Namespace], int]


def drive(studio: Studio, run: Run, arguments: Namespace, *, tell: Tell | None = None) -> int:
    """Drive a run to its end, print its report (or what `tell` prints) and return the exit code."""
    watcher = _Watcher(run, is_on=sys.stderr.isatty())
    code = 0
    if not is_terminal():
        run.pauses.mute()  # nobody could go on from one
    try:
        run.start()
        while not run.join(_TICK):
            watcher.look()
            settle(run)
            settle_link(run)
            attend(run)
    except KeyboardInterrupt as interruption:
        code = code_of(interruption)
        _stop(studio, run, arguments, code)
    watcher.look()
    if run.problem:
        complain(run.problem)
        return code or 1
    return (tell or report)(studio, run.id, arguments) or code


def _stop(studio: Studio, run: Run, arguments: Namespace, code: int) -> None:
    """Let calls in flight end for a while; leave without them if they do not."""
    note("stopping; waiting for calls in flight")
    try:
        run.stop()
        if run.join(STOP_SECONDS):
            return
    except KeyboardInterrupt:
        pass  # a second one: at once
    run.abandon()
    report(studio, run.id, arguments)
    complain(f"interrupted; go on with: python -m kgcore runs resume {run.id}")
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process although threads still wait for replies."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def report(
    studio: Studio,
    run_id: str,
    arguments: Namespace,
    more: Mapping[str, Any] | None = None,
    more_lines: Sequence[str] = (),
) -> int:
    """Print the report of a run, and more; 1 if it failed."""
    view = studio.view(run_id)
    status = view.status if view.ended else studio.store.record(run_id).status
    data = run_report(view, status=status)
    has_failed = view.ended is not None and view.ended.status == "failed"
    told = data
    if view.ended is not None and has_failed:  # said once: as the complaint
        told = {**data, "warnings": [w for w in data["warnings"] if w != view.ended.reason]}
    show(arguments, {**data, **(more or {})}, [*report_lines(told), *more_lines])
    if view.ended is not None and has_failed:
        complain(f"the run failed: {view.ended.reason}")
        return 1
    return 0


def budget_of(arguments: Namespace, base: Budget) -> Budget:
    """Return the budget with the limits that the arguments name."""
    given = {n: f"budget_{n}" for n in ("calls", "tokens", "usd", "seconds")}
    values = {n: getattr(arguments, a) for n, a in given.items() if hasattr(arguments, a)}
    return replace(base, **values)


def wait_for_lease(store: SqlRunStore, run_id: str) -> None:
    """Wait until a driver that fell silent counts as gone; LeaseLostError when it is alive."""
    last = store.lease_left(run_id)
    if last > 0:
        note(f"waiting up to {last:.0f} s: the last driver of run {run_id} may still be alive")
    while last > 0:
        time.sleep(min(last + 0.01, 0.2))
        left = store.lease_left(run_id)
        if left > last:  # it sent a heartbeat
            raise LeaseLostError(f"run {run_id} is being driven by another process")
        last = left


class _Watcher:
    """Tells on standard error what happens in a run, in words."""

    def __init__(self, run: Run, *, is_on: bool) -> None:
        self._run, self._is_on = run, is_on
        self._view = RunView.of(run.journal.entries)  # what was there before is not told again
        self._waits: set[str] = set()

    def look(self) -> None:
        """Tell what is new."""
        if not self._is_on:
            return
        for entry in self._run.journal.entries[self._view.n_entries :]:
            self._view.add(entry)
            line = self._view.log[-1]
            note(f"  {'! ' if line.kind == 'error' else ''}{line.text}")
        waits = {why for _, _, why in self._run.in_flight if why}
        for why in sorted(waits - self._waits):
            note(f"  … {why}")
        self._waits = waits
