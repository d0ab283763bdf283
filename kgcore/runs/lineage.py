"""Starting runs: new ones, resumed ones, forks, and reruns with memory.

A fork copies the journal up to an address and goes on live with an edit; a rerun starts from the beginning and
takes every step whose key is unchanged from memory. Both name their parent, and both keep it untouched.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgcore.corrections import Correction
from kgcore.errors import InputError, UnknownRunError, VersionChangedError
from kgcore.reasoners.base import Reasoner
from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.budget import Budget
from kgcore.runs.control import Control
from kgcore.runs.driver import Run
from kgcore.runs.entries import Edit, Entry, FactNoted, Resumed, Started, StepDone
from kgcore.runs.gate import Decided, Gate
from kgcore.runs.journal import Journal
from kgcore.runs.memory import Memory
from kgcore.runs.perform import Ports, clean
from kgcore.runs.store import SqlRunStore
from kgcore.transport.sql import now

MAX_QUESTION = 2_000  # characters


@dataclass(frozen=True, slots=True)
class Launch:
    """What every way of starting a run needs."""

    reasoner: Reasoner
    ports: Ports
    store: SqlRunStore
    breakpoints: tuple[Breakpoint, ...] | None = None  # None: those of the run
    control: Control | None = None
    api_base: str = ""


def ask(
    launch: Launch,
    question: str,
    config: Any,
    *,
    budget: Budget | None = None,
    corrections: Sequence[Correction] = (),
    gate: Gate | None = None,
) -> Run:
    """Create a run for a question; nothing happens until it is driven. With a gate, triples wait for approval."""
    question = clean(" ".join(question.split()))
    if not question:
        raise InputError("the question is empty")
    if len(question) > MAX_QUESTION:
        raise InputError(f"the question is longer than {MAX_QUESTION:,} characters")
    started = _started(launch, question, config, budget or Budget(), corrections)
    return _create(launch, replace(started, gate=gate), ())


def resume(launch: Launch, run_id: str, *, budget: Budget | None = None) -> Run:
    """Take up a run that was interrupted or has ended, with a larger budget if need be."""
    journal = Journal(launch.store.load(run_id))
    check_versions(launch, journal)
    run = _run(launch, journal)
    run.resuming = Resumed(budget or journal.budget)
    return run


def fork(launch: Launch, run_id: str, edits: Sequence[Edit]) -> Run:
    """Copy the run up to the first edited address and go on from there with the edits."""
    if not edits:
        raise InputError("a fork needs an edit")
    parent = Journal(launch.store.load(run_id))
    check_versions(launch, parent)
    for edit in edits:
        _check_edit(parent, edit)
    first = min(e.position for e in edits)
    if not any(address[0] >= first for address in parent.results):
        raise InputError(f"run {run_id} has no step {first}")
    kept = [e for e in parent.started.edits if e.is_input or e.position <= first]
    replaced = {e.address for e in edits if not e.is_input}
    kept = [e for e in kept if e.is_input or e.address not in replaced]
    started = replace(
        _inherit(parent.started, "fork"),
        budget=parent.budget,
        edits=(*kept, *edits),
        breakpoints=_points(launch, parent),
    )
    return _create(launch, started, _prefix(parent, edits))


def _check_edit(parent: Journal, edit: Edit) -> None:
    """Refuse replies and prompts where no model was asked."""
    asked = [a for a, done in parent.results_in_yield_order() if done.step.get("kind") == "Ask"]
    if (edit.replies or edit.prompt) and edit.address not in asked:
        there = ", ".join(f"{position}.{index}" for position, index in asked[:20]) or "none"
        raise InputError(f"at {edit.position}.{edit.index} no model was asked; it was at: {there}")


def rerun(
    launch: Launch,
    run_id: str,
    *,
    corrections: Sequence[Correction] | None = None,
    config: Any = None,
    budget: Budget | None = None,
) -> Run:
    """Run again from the start with the lineage's memory: only what has changed is asked again.

    `corrections` replaces those of the parent; None keeps them.
    """
    parent = Journal(launch.store.load(run_id))
    old = parent.started
    started = _started(
        launch,
        old.question,
        config if config is not None else old.config,
        budget or parent.budget,
        old.corrections if corrections is None else corrections,
    )
    started = replace(
        started,
        parent=old.run_id,
        lineage=(old.run_id, *old.lineage),
        kind="rerun",
        gate=old.gate,
        breakpoints=_points(launch, parent),
        edits=tuple(e for e in old.edits if e.is_input),
    )
    return _create(launch, started, ())


def check_versions(launch: Launch, journal: Journal) -> None:
    """Refuse to continue a journal that another reasoner, template or model set made."""
    old = journal.started
    if old.reasoner_version != launch.reasoner.version:
        raise VersionChangedError(
            f"run {old.run_id} was made by {old.method} {old.reasoner_version}, this is "
            f"{launch.reasoner.version}; run it again with memory instead (rerun)"
        )
    current = dict(_templates(launch, old.config))
    for name, version in old.templates:
        if current.get(name) != version:
            raise VersionChangedError(
                f"run {old.run_id} used version {version} of the template {name}, now it is "
                f"{current.get(name)}; run it again with memory instead (rerun)"
            )
    if dict(old.models) != _models(launch):
        raise VersionChangedError(
            f"run {old.run_id} used {_words(old.models)}, now the model is "
            f"{_words(tuple(_models(launch).items()))}; run it again with memory instead (rerun)"
        )


def _words(models: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{role}: {name}" for role, name in models)


def _models(launch: Launch) -> dict[str, str]:
    return {role: model.name for role, model in sorted(launch.ports.models.items())}


def _templates(launch: Launch, config: Any) -> tuple[tuple[str, str], ...]:
    prompts = launch.ports.model("reason").prompts
    language = getattr(config, "language", "en")
    return tuple((name, prompts.version(name, language)) for name in launch.reasoner.templates)


def _started(
    launch: Launch,
    question: str,
    config: Any,
    budget: Budget,
    corrections: Sequence[Correction],
) -> Started:
    graph = launch.ports.graph
    members = getattr(graph, "graphs", (graph,))
    return Started(
        run_id=uuid.uuid4().hex,
        question=question,
        method=launch.reasoner.name,
        reasoner_version=launch.reasoner.version,
        config=config,
        kgs=tuple((g.id, g.version) for g in members),
        models=tuple(_models(launch).items()),
        templates=_templates(launch, config),
        prompt_set=launch.ports.model("reason").prompts.name,
        api_base=launch.api_base,
        budget=budget,
        corrections=tuple(corrections),
        breakpoints=launch.breakpoints or (),
    )


def _points(launch: Launch, old: Journal) -> tuple[Breakpoint, ...]:
    return old.breakpoints if launch.breakpoints is None else launch.breakpoints


def _inherit(old: Started, kind: str) -> Started:
    return replace(
        old,
        run_id=uuid.uuid4().hex,
        parent=old.run_id,
        lineage=(old.run_id, *old.lineage),
        kind=kind,
    )


def _prefix(parent: Journal, edits: Sequence[Edit]) -> list[Entry]:
    """Copy what happened before the first edit: earlier steps, unedited siblings, the facts told by then."""
    first = min(e.position for e in edits)
    is_whole = all(e.is_input for e in edits if e.position == first)
    changed = {e.address for e in edits if not e.is_input}
    entries: list[Entry] = []
    for entry in parent.entries[1:]:
        body = entry.body
        if isinstance(body, FactNoted) and entry.position <= first:
            pass
        elif isinstance(body, StepDone) and (
            entry.position < first
            or (entry.position == first and (is_whole or entry.address not in changed))
        ):
            body = replace(body, via="parent")
        elif isinstance(body, Decided) and entry.position < first:
            pass
        else:
            continue
        entries.append(Entry(len(entries) + 1, now(), body, entry.position, entry.index))
    return entries


def _create(launch: Launch, started: Started, entries: Sequence[Entry]) -> Run:
    launch.store.create(started, entries=entries)
    return _run(launch, Journal(launch.store.load(started.run_id)))


def _run(launch: Launch, journal: Journal) -> Run:
    lineage = [Journal(launch.store.load(run_id)) for run_id in _kept(launch, journal)]
    return Run(
        launch.reasoner,
        launch.ports,
        launch.store,
        journal,
        memory=Memory(lineage),
        breakpoints=launch.breakpoints,
        control=launch.control,
    )


def _kept(launch: Launch, journal: Journal) -> list[str]:
    """Return the ancestors that were not deleted since."""
    kept = []
    for run_id in journal.started.lineage:
        try:
            launch.store.record(run_id)
        except UnknownRunError:
            continue
        kept.append(run_id)
    return kept
