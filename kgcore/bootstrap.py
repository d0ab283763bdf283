"""The studio: everything wired together for one data folder. The only module that names concrete adapters.

The command line and the app do all they do through a `Studio`; adapters are imported when they are chosen.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kgcore import config
from kgcore.config import OFFLINE, Secrets, Settings
from kgcore.errors import InputError, LeaseLostError
from kgcore.kg import KnowledgeGraph
from kgcore.llm import LanguageModel
from kgcore.model import Entity
from kgcore.prompts.sets import BUILT_IN, FilePromptSet
from kgcore.ranking import default_ranker
from kgcore.reasoners import reasoner
from kgcore.reasoners.settings import read_settings
from kgcore.runs import (
    Breakpoint,
    Budget,
    Control,
    Edit,
    Journal,
    Launch,
    Ports,
    Run,
    RunView,
    SqlRunStore,
    Started,
    lineage,
)

if TYPE_CHECKING:
    from kgcore.kg.graph_folder import Manifest

ASSETS = Path(__file__).resolve().parent.parent / "assets"
DEMO_GRAPHS = ("demo-wikidata", "demo-musicbrainz")
_SET_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,63}")


@dataclass(frozen=True, slots=True)
class Task:
    """What a person asks for. Empty fields take the settings' values, no graphs the demo graphs."""

    question: str
    kgs: tuple[str, ...] = ()
    method: str = "tree-of-traversals"
    model: str = ""
    api_base: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget | None = None
    seeds: tuple[Entity, ...] = ()
    breakpoints: tuple[Breakpoint, ...] = ()
    is_paused: bool = False


class Studio:
    """Graphs, models, runs and settings of one data folder. Safe to share between threads."""

    def __init__(self, home: Path, *, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        self.home = home
        self.secrets = Secrets(environ)
        self._settings = [config.load_settings(home)]  # one place for all views of the studio
        try:
            home.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            raise InputError(f"the data folder {home} is no folder") from None
        self._stores: list[SqlRunStore] = []  # opened on first use; one for all views of the studio
        self._open_store = partial(
            SqlRunStore.open,
            is_sync_full=config.is_full_sync(environ),
            lease_seconds=config.lease_seconds(environ),
        )
        self._graphs: dict[tuple[str, tuple[str, ...], str], KnowledgeGraph] = {}
        self._live: dict[str, Run] = {}
        self._lock = threading.RLock()

    def with_secrets(self, secrets: Secrets) -> Studio:
        """Return the same studio, graphs, runs and all, that takes keys from another person's session."""
        view = copy.copy(self)
        view.secrets = secrets
        return view

    @property
    def store(self) -> SqlRunStore:
        """The run store; graphs and models can be used where it cannot be opened."""
        with self._lock:
            if not self._stores:
                self._stores.append(self._open_store(self.settings.database_url or self.home))
            return self._stores[0]

    # settings

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings[0]

    def save_settings(self, settings: Settings) -> None:
        """Keep the settings for this and later programs."""
        config.save_settings(self.home, settings)
        self._settings[0] = settings

    @property
    def budget(self) -> Budget:
        """The default budget; a limit of 0 is none."""
        s = self.settings
        return Budget(
            s.budget_calls or None,
            s.budget_tokens or None,
            s.budget_usd or None,
            s.budget_seconds or None,
        )

    # graphs

    def graphs(self) -> tuple[Manifest, ...]:
        """Return the graphs of the data folder; the demo graphs are imported on first use."""
        from kgcore.kg.importer import list_graphs

        self.ensure_demo()
        return list_graphs(self.home)

    def ensure_demo(self) -> None:
        """Import the demo graphs that are missing, or whose files are not those imported before."""
        from kgcore.kg.graph_folder import INDEX_FORMAT
        from kgcore.kg.importer import import_graph, list_graphs

        with self._lock:
            record = self.home / "demo.json"
            files = {n: ASSETS / "demo" / f"{n}.ttl" for n in DEMO_GRAPHS}
            wanted = {
                n: f"{INDEX_FORMAT} {hashlib.sha256(f.read_bytes()).hexdigest()}"
                for n, f in files.items()
            }
            imported: Any = None
            with contextlib.suppress(OSError, ValueError):
                imported = json.loads(record.read_text("utf-8"))
            known = imported if isinstance(imported, dict) else {}
            present = {manifest.name for manifest in list_graphs(self.home)}
            stale = [n for n in files if n not in present or known.get(n) != wanted[n]]
            for name in stale:
                import_graph((files[name],), home=self.home, name=name)
            if stale:
                record.write_text(json.dumps(wanted), "utf-8")

    def graph(self, names: Sequence[str] = (), *, language: str = "en") -> KnowledgeGraph:
        """Return one graph, or several as one; UnknownGraphError for a name nobody imported."""
        from kgcore.kg.federated import FederatedGraph

        names = tuple(dict.fromkeys(names)) or DEMO_GRAPHS
        if set(names) & set(DEMO_GRAPHS):
            self.ensure_demo()
        members = [self._open(name, tuple(dict.fromkeys((language, "en")))) for name in names]
        return members[0] if len(members) == 1 else FederatedGraph(members)

    def _open(self, name: str, languages: tuple[str, ...]) -> KnowledgeGraph:
        from kgcore.kg.graph_folder import GraphFolders
        from kgcore.kg.local import open_graph

        with self._lock:
            version = GraphFolders(self.home).manifest(name).version
            known = self._graphs.get((name, languages, version))
            if known is None:
                known = open_graph(self.home, name, languages=languages)
                self._graphs[name, languages, version] = known
            return known

    def import_graph(self, files: Sequence[Path], name: str, **options: Any) -> Manifest:
        """Import files as a graph of this name; an older one of that name is replaced whole."""
        from kgcore.kg.importer import import_graph

        if name in DEMO_GRAPHS:
            raise InputError(f"{name} is the name of a graph of the demo; choose another one")
        return import_graph(files, home=self.home, name=name, **options)

    def remove_graph(self, name: str) -> None:
        """Delete a graph from the data folder."""
        from kgcore.kg.importer import remove_graph

        with self._lock:
            for key in [k for k in self._graphs if k[0] == name]:
                del self._graphs[key]
            remove_graph(self.home, name)

    # models

    def prompts(self, name: str = "") -> FilePromptSet:
        """Return a prompt set: the built-in one, with the user's own templates in place of some."""
        name = name or self.settings.prompts
        if name in ("", BUILT_IN):
            return FilePromptSet()
        if not _SET_NAME.fullmatch(name):
            raise InputError(f"a prompt set has a plain name, not {name!r}")
        return FilePromptSet(name, self.home / "prompts" / name)

    def model(self, name: str = "", *, api_base: str = "", prompts: str = "") -> LanguageModel:
        """Return a model by its litellm name, or the offline matcher."""
        name = name or self.settings.model
        if name.startswith(OFFLINE):
            from kgcore.llm.offline import OfflineModel

            return OfflineModel(self.prompts(prompts))
        from kgcore.llm.litellm_model import LiteLLMModel

        base = self._address(name, api_base)
        model = LiteLLMModel(
            name,
            prompts=self.prompts(prompts),
            api_base=base or None,
            api_key=lambda: self.secrets.key(key_name(name, base)),
            timeout_s=self.settings.timeout_seconds,
            context_tokens=self.settings.context_tokens or None,
            user_agent=user_agent(self.settings.contact),
        )
        model.warm()
        return model

    def _address(self, name: str, api_base: str) -> str:
        """Return where a model is asked: at `api_base`, else where the settings say of their own model."""
        if name.startswith(OFFLINE):
            return ""
        base = api_base or (self.settings.api_base if name == self.settings.model else "")
        _check_address(base)
        return base

    def _models(
        self, names: Mapping[str, str], api_base: str, prompts: str
    ) -> dict[str, LanguageModel]:
        """Return the model of each role; `api_base` is where the reasoning model is, and no other one."""
        bases = {role: api_base if name == names["reason"] else "" for role, name in names.items()}
        return {
            role: self.model(name, api_base=bases[role], prompts=prompts)
            for role, name in names.items()
        }

    def _model_names(self, task: Task) -> dict[str, str]:
        if task.model:
            return {"reason": task.model}
        s = self.settings
        names = {"reason": s.model, "evaluate": s.evaluate_model, "query": s.query_model}
        return {role: name for role, name in names.items() if name}

    # runs

    def ask(self, task: Task) -> Run:
        """Prepare a run; drive it with `run.drive()` here, or in the background with `launch`."""
        method = reasoner(task.method)
        values = dict(task.settings)
        prompts = str(values.pop("prompts", ""))
        values.setdefault("language", language_of(task.question))
        settings = read_settings(method.config_class, {"seeds": task.seeds, **values})
        graph = self.graph(task.kgs, language=values["language"])
        names = self._model_names(task)
        base = self._address(names["reason"], task.api_base)
        launch = Launch(
            method,
            Ports(graph, self._models(names, base, prompts), default_ranker()),
            self.store,
            breakpoints=task.breakpoints,
            control=Control("pause" if task.is_paused else "run"),
            api_base=base,
        )
        return self._keep(
            lineage.ask(launch, task.question, settings, budget=task.budget or self.budget)
        )

    def launch_of(self, started: Started, *, kgs: Sequence[str] = (), prompts: str = "") -> Launch:
        """Return what it takes to drive a run of the store again: its method, graphs and models.

        `kgs` and `prompts` stand instead of the run's own.
        """
        settings = started.config
        models = self._models(
            dict(started.models), started.api_base, prompts or started.prompt_set or BUILT_IN
        )
        graph = self.graph(
            kgs or [name for name, _ in started.kgs], language=getattr(settings, "language", "en")
        )
        ports = Ports(graph, models, default_ranker())
        return Launch(reasoner(started.method), ports, self.store, api_base=started.api_base)

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
        settings: Mapping[str, Any] | None = None,
        kgs: Sequence[str] = (),
        **options: Any,
    ) -> Run:
        """Run again with the lineage's memory; only what has changed is asked again."""
        started = self.journal(run_id).started
        values = dict(settings or {})
        launch = self.launch_of(started, kgs=kgs, prompts=str(values.pop("prompts", "")))
        if values:
            read = read_settings(launch.reasoner.config_class, values)
            options["config"] = replace(
                started.config, **{name: getattr(read, name) for name in values}
            )
        return self._keep(lineage.rerun(launch, run_id, **options))

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


def build(home: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Studio:
    """Return the studio of a data folder (default: KGCORE_HOME or the platform's place)."""
    environ = os.environ if environ is None else environ
    return Studio(home or config.default_home(environ), environ=environ)


def language_of(question: str) -> str:
    """Return zh for a question that holds Chinese characters, else en."""
    return "zh" if any("一" <= c <= "鿿" for c in question) else "en"


def key_name(model: str, api_base: str = "") -> str:
    """Return the name under which a model's key is kept: OPENAI_API_KEY for `openai/…` and bare names."""
    provider = model.partition("/")[0] if "/" in model else "openai"
    return f"{provider.replace('-', '_').upper()}_API_KEY"


def user_agent(contact: str) -> str:
    """Return the User-Agent for public services, with the contact a person gave, as far as a header takes it."""
    fit = "".join(c for c in contact if " " <= c <= "~").strip()
    return "TraversalStudio/0.1" + (f" ({fit})" if fit else "")


def _check_address(base: str) -> None:
    """Refuse an address that is none, or that carries a key: addresses are kept in runs, keys are not."""
    try:
        parts = urlsplit(base)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is no number
        is_address = False
    if base and not is_address:
        raise InputError("the address of a model server starts with http:// or https://")
    if parts.username or parts.password:
        raise InputError("an address must not hold a name or a key; set the key in the environment")
    if parts.query or parts.fragment:
        raise InputError("an address ends with its path; a key belongs in the environment")
