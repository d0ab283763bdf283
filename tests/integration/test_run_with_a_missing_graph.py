"""A run over a local graph and a SPARQL server that dies half-way: it goes on, says so, and can be asked again."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgcore.kg.connections import Connection
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import open_graph
from kgcore.kg.sparql.graph import SparqlGraph
from kgcore.llm.offline import OfflineModel
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import default_ranker
from kgcore.reasoners.traversals import TraversalConfig, TreeOfTraversals
from kgcore.runs import Launch, Ports, Run, RunView, SqlRunStore, lineage
from kgcore.runs.entries import StepDone
from kgcore.transport.breaker import Breaker
from kgcore.transport.retry import RetryPolicy
from kgcore.transport.transport import Transport
from kgcore.views.report import run_report
from tests.servers.faulty_server import Hang, Reset
from tests.servers.outage import Outage
from tests.servers.oxigraph_server import OxigraphServer

DIRECTED, BORN = "Who directed Inception?", "Where was the director of Inception born?"
PREFIXES = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:P57 a wikibase:Property ; wikibase:directClaim wdt:P57 ; rdfs:label "director"@en .
wd:P19 a wikibase:Property ; wikibase:directClaim wdt:P19 ; rdfs:label "place of birth"@en .
"""
FILMS = """
wd:Q25188 rdfs:label "Inception"@en ; wdt:P57 wd:Q25191 .
wd:Q25191 rdfs:label "Christopher Nolan"@en .
"""
PEOPLE = """
wd:Q25191 rdfs:label "Christopher Nolan"@en ; wdt:P19 wd:Q84 .
wd:Q84 rdfs:label "London"@en .
"""
GONE = "people did not answer: "


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the server that knows where people were born."""
    folder = tmp_path_factory.mktemp("people")
    (folder / "people.ttl").write_text(PREFIXES + PEOPLE, "utf-8")
    with OxigraphServer([folder / "people.ttl"], folder=folder) as server:
        yield server.address


@pytest.fixture
def outage(people: str) -> Iterator[Outage]:
    """The way to that server, which can be cut."""
    with Outage(people) as way:
        yield way


class Bench:
    """What runs are started with: films in the data folder, people behind the server."""

    def __init__(self, folder: Path, address: str) -> None:
        (folder / "films.ttl").write_text(PREFIXES + FILMS, "utf-8")
        import_graph([folder / "films.ttl"], home=folder, name="films")
        self.folder, self.address = folder, address
        self.store = SqlRunStore.open(folder)

    def launch(self, *, patience_s: float = 1.0) -> Launch:
        sender = Transport(
            user_agent="test",
            allow_private=True,
            retry=RetryPolicy(max_retries=1, base_s=0.01, cap_s=0.02),
            breaker=Breaker(after=1000),
        )
        remote = SparqlGraph(Connection("people", "sparql", self.address), sender)
        local = open_graph(self.folder, "films")
        graph = FederatedGraph([local, remote], patience_s=patience_s)
        ports = Ports(graph, {"reason": OfflineModel(FilePromptSet())}, default_ranker())
        return Launch(TreeOfTraversals(), ports, self.store)

    def view(self, run: Run) -> RunView:
        return RunView.of(self.store.load(run.id))


@pytest.fixture
def bench(tmp_path: Path, outage: Outage) -> Iterator[Bench]:
    built = Bench(tmp_path, outage.address)
    yield built
    built.store.close()


def graph_steps(view: RunView) -> list[StepDone]:
    bodies = [entry.body for entry in view.entries]
    return [b for b in bodies if isinstance(b, StepDone) and hasattr(b.result, "missing")]


def driven(run: Run) -> Run:
    run.drive()
    return run


def test_a_run_whose_graph_dies_half_way_is_answered_and_says_which_is_missing(
    bench: Bench, outage: Outage
) -> None:
    outage.failing, outage.lives_for = Reset(), 3
    view = bench.view(driven(lineage.ask(bench.launch(), DIRECTED, TraversalConfig())))
    steps = graph_steps(view)
    assert {s.result.is_partial for s in steps} == {True, False}, "it died between two steps"
    assert view.status == "answered"
    assert view.answer is not None
    assert view.answer.text == "Christopher Nolan"
    assert view.missing == ["people"]
    assert [w for w in view.warnings if w.startswith(GONE)] == view.warnings[:1]
    assert any(GONE in line.text for line in view.log if line.kind == "step")
    assert run_report(view)["warnings"][0].startswith(GONE)


def test_a_rerun_after_it_is_back_asks_again_what_was_partial_and_nothing_else(
    bench: Bench, outage: Outage
) -> None:
    outage.failing, outage.lives_for = Reset(), 3
    first = driven(lineage.ask(bench.launch(), BORN, TraversalConfig()))
    without = bench.view(first)
    assert without.status == "no_answer"
    assert without.warnings[0].startswith(GONE)
    outage.failing = None
    second = bench.view(driven(lineage.rerun(bench.launch(), first.id)))
    assert (second.status, second.missing, second.warnings) == ("answered", [], [])
    assert second.answer is not None
    assert second.answer.text == "London"
    whole = {s.key for s in graph_steps(without) if not s.result.is_partial}
    partial = {s.key for s in graph_steps(without)} - whole
    assert whole
    assert partial
    vias = {s.key: s.via for s in reversed(graph_steps(second))}  # of equal ones the first
    assert {vias[key] for key in whole if key in vias} == {"memory"}
    assert {vias[key] for key in partial if key in vias} == {"live"}


def test_a_stop_while_a_graph_hangs_is_seen_at_once_and_resume_asks_it_again(
    bench: Bench, outage: Outage
) -> None:
    outage.failing, outage.lives_for = Hang(), 3
    run = lineage.ask(bench.launch(patience_s=30), BORN, TraversalConfig())
    thread = threading.Thread(target=run.drive)
    thread.start()
    end = time.monotonic() + 20
    while outage.n_requests <= 3:
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.3)
    stopped_at = time.monotonic()
    run.stop()
    thread.join(10)
    assert time.monotonic() - stopped_at < 1.0
    assert bench.view(run).status == "stopped"
    outage.failing = None
    view = bench.view(driven(lineage.resume(bench.launch(), run.id)))
    assert (view.status, view.missing) == ("answered", [])
    assert view.answer is not None
    assert view.answer.text == "London"
