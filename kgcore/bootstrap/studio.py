"""The studio: graphs, models, runs and settings of one data folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kgcore import config
from kgcore.bootstrap import run_sources
from kgcore.bootstrap.estimating import Foresight
from kgcore.bootstrap.resources import Resources
from kgcore.errors import LeaseLostError
from kgcore.model import Entity
from kgcore.prompts.sets import BUILT_IN
from kgcore.ranking import Ranker, ranker_called
from kgcore.reasoners import USUAL_METHOD, reasoner
from kgcore.reasoners.base import asks_sources
from kgcore.reasoners.settings import read_settings
from kgcore.runs import (
    Breakpoint,
    Budget,
    Control,
    Edit,
    Gate,
    Journal,
    Launch,
    Ports,
    Run,
    RunView,
    Started,
    lineage,
)
from kgcore.runs.estimate import Estimate
from kgcore.steps import Answer, Knowledge


@dataclass(frozen=True, slots=True)
class Task:
    """What a person asks for. Empty fields take the settings' values, no graphs the demo graphs.

    `sources` names knowledge sources, for methods that ask them; empty: all that were added, else the demo's.
    `settings` are the method's, and `prompts` and `shots`, which name the prompt set and how many examples it shows.
    """

    question: str
    kgs: tuple[str, ...] = ()
    method: str = USUAL_METHOD
    model: str = ""
    api_base: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget | None = None
    seeds: tuple[Entity, ...] = ()
    sources: tuple[str, ...] = ()
    breakpoints: tuple[Breakpoint, ...] = ()
    is_paused: bool = False
    gate: Gate | None = None


class Studio(Resources):
    """Graphs, models, runs and settings of one data folder. Safe to share between threads."""

    def __init__(
        self, home: Path, *, environ: Mapping[str, str] | None = None, allows_private: bool = True
    ) -> None:
        super().__init__(home, environ=environ, allows_private=allows_private)
        self._live: dict[str, Run] = {}  # runs that this program drives or has driven
        self._foresight: Foresight | None = None

    # runs

    def ask(self, task: Task) -> Run:
        """Prepare a run; drive it with `run.drive()` here, or in the background with `launch`."""
        method = reasoner(task.method)
        values = dict(task.settings)
        prompts = self._models.prompt_set(values)
        values.setdefault("language", language_of(task.question))
        language = values["language"]
        sources = run_sources.asked_by(
            method.config_class, self._sources, task.sources, language=language, kgs=task.kgs
        )
        values |= sources.setting
        settings = read_settings(method.config_class, {"seeds": task.seeds, **values})
        graph = self.graph(sources.with_graphs(task.kgs), language=language)
        names = self._models.names(task.model)
        base = self._models.address(names["reason"], task.api_base)
        models = self._models.of_roles(names, base, prompts)
        launch = Launch(
            method,
            Ports(graph, models, _ranker_for(settings), sources.ports),
            self.store,
            breakpoints=task.breakpoints,
            control=Control("pause" if task.is_paused else "run"),
            api_base=base,
        )
        return self._keep(
            lineage.ask(
                launch,
                task.question,
                settings,
                budget=task.budget or self.budget,
                corrections=self._in_force(graph),
                gate=task.gate,
            )
        )

    def estimate(self, task: Task, *, waits: bool = True) -> Estimate | None:
        """Return what a run of a task may take; None where its method does not tell.

        Without `waits` no price is waited for that is still being looked up.
        """
        foresight = self._foresight or Foresight(self._models, self.store)
        self._foresight = foresight
        language = language_of(task.question)
        n_sources = len(task.sources)
        if not n_sources and asks_sources(reasoner(task.method).config_class):
            n_sources = sum(not info.problem for info in self._sources.infos())
        budget = task.budget or self.budget
        return foresight.of(task, language, budget, n_sources=n_sources, waits=waits)

    def launch_of(self, started: Started, *, kgs: Sequence[str] = (), prompts: str = "") -> Launch:
        """Return what it takes to drive a run of the store again: its method, graphs, models and sources.

        `kgs` and `prompts` stand instead of the run's own.
        """
        settings = started.config
        models = self._models.of_roles(
            dict(started.models), started.api_base, prompts or started.prompt_set or BUILT_IN
        )
        language = getattr(settings, "language", "en")
        sources = run_sources.pinned(settings, self._sources, language)
        graph = self.graph(
            sources.with_graphs(kgs) if kgs else [name for name, _ in started.kgs],
            language=language,
        )
        ports = Ports(graph, models, _ranker_for(settings), sources.ports)
        return Launch(
            reasoner(started.method),
            ports,
            self.store,
            api_base=started.api_base,
        )

    def resume(self, run_id: str, *, budget: Budget | None = None) -> Run:
        """Take up a run again; LeaseLostError while this program is driving it."""
        live = self.live(run_id)
        if live is not None and live.is_under_way:
            raise LeaseLostError(f"run {run_id} is being driven already")
        started = self.journal(run_id).started
        return self._keep(lineage.resume(self.launch_of(started), run_id, budget=budget))

    def fork(self, run_id: str, edits: Sequence[Edit]) -> Run:
        """Go on from a past step with edits; the run itself stays as it is."""
        launch = self.launch_of(self.journal(run_id).started)
        return self._keep(lineage.fork(launch, run_id, edits))

    def rerun(
        self,
        run_id: str,
        *,
        method: str = "",
        model: str = "",
        settings: Mapping[str, Any] | None = None,
        kgs: Sequence[str] = (),
        sources: Sequence[str] = (),
        **options: Any,
    ) -> Run:
        """Run again with the lineage's memory; only what has changed is asked again.

        The corrections approved by now are in force, unless others are given, and sources are as they are now.
        Another method begins with its usual settings; another model stands for all roles.
        """
        started = self.journal(run_id).started
        if method and method != started.method:
            started = _by_method(started, method)
            options["config"] = started.config
        if model:
            names, base = self._models.names(model), self._models.address(model, "")
            started = replace(started, models=tuple(names.items()), api_base=base)
        values = dict(settings or {})
        prompts = self._models.prompt_set(values, started.prompt_set)
        if values:
            read = read_settings(reasoner(started.method).config_class, values)
            options["config"] = replace(
                started.config, **{name: getattr(read, name) for name in values}
            )
            started = replace(started, config=options["config"])
        fresh = run_sources.refreshed(started.config, self._sources, sources)
        if fresh != started.config:
            options["config"] = fresh
            started = replace(started, config=fresh)
        launch = self.launch_of(started, kgs=kgs, prompts=prompts)
        options.setdefault("corrections", self._in_force(launch.ports.graph))
        return self._keep(lineage.rerun(launch, run_id, **options))

    def lost_knowledge(self, started: Started, answer: Answer) -> tuple[Knowledge, ...]:
        """Return the rows and passages that an answer cites and that their sources do not say any more."""
        return run_sources.lost(started.config, self._sources, answer.knowledge)

    def journal(self, run_id: str) -> Journal:
        """Return a run's journal as the store holds it."""
        return Journal(self.store.load(run_id))

    def live(self, run_id: str) -> Run | None:
        """Return the run if this program is driving it or has driven it."""
        return self._live.get(run_id)

    def view(self, run_id: str) -> RunView:
        """Fold a run's journal."""
        return RunView.of(self.store.load(run_id))

    def _keep(self, run: Run) -> Run:
        with self._lock:
            self._live[run.id] = run
            while len(self._live) > 200:
                done = next((i for i, r in self._live.items() if r.join(0)), None)
                if done is None:
                    break
                del self._live[done]
        return run


def _by_method(started: Started, method: str) -> Started:
    """Return a run's start by another method: question, language and seeds stay, other settings are usual."""
    kind, old = reasoner(method).config_class, started.config
    kept = {name: getattr(old, name) for name in ("language", "seeds") if hasattr(old, name)}
    return replace(started, method=method, config=read_settings(kind, kept))


def _ranker_for(settings: Any) -> Ranker:
    """Return the ranker that the settings of a method name, where they name one."""
    return ranker_called(getattr(settings, "pruner", ""))


def build(
    home: Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    allows_private: bool = True,
) -> Studio:
    """Return the studio of a data folder (default: KGCORE_HOME or the platform's place).

    `allows_private` says whether remote graphs may lie at private addresses where the operator has not said.
    """
    environ = os.environ if environ is None else environ
    home = home or config.default_home(environ)
    return Studio(home, environ=environ, allows_private=allows_private)


def language_of(question: str) -> str:
    """Return zh for a question that holds Chinese characters, else en."""
    return "zh" if any("一" <= c <= "鿿" for c in question) else "en"
