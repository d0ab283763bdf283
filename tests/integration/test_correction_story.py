"""Figure 4 of Think-on-Graph, end to end: a wrong stadium gives a wrong answer, and correcting it another one.

The graph is a real SPARQL server behind a proxy that counts, the model a real server that speaks the OpenAI
protocol (the offline matcher thinks for it). What is asked is counted where it arrives, not by the runs' own meter.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kgcore.corrections import CorrectionStore
from kgcore.corrections.claims import recheck
from kgcore.corrections.proposing import correction_of
from kgcore.kg.connections import Connection
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.sparql.graph import SparqlGraph
from kgcore.llm import LanguageModel, ModelReply
from kgcore.llm.offline import OfflineModel
from kgcore.prompts import TypedRequest
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import default_ranker
from kgcore.reasoners import reasoner
from kgcore.runs import Journal, Launch, Ports, Run, RunView, SqlRunStore, lineage
from kgcore.runs.affected import affected
from kgcore.runs.challenge import challenge
from kgcore.runs.comparison import compare
from kgcore.transport import Allowance
from kgcore.transport.transport import Transport
from tests.servers.counting_proxy import CountingProxy
from tests.servers.models import make
from tests.servers.openai_server import OpenAIServer, Say
from tests.servers.oxigraph_server import OxigraphServer

QUESTION = "What is the home venue of the team whose mascot is Rollo Bear?"
OLD, NEW = "Old Mill Field", "Harbour Park"
CLUBS = """\
@prefix s: <http://sport.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
s:reds rdfs:label "Ashford Reds"@en ; s:mascot s:rollo ; s:venue s:old ; s:league s:north ; s:coach s:jo .
s:blues rdfs:label "Dover Blues"@en ; s:mascot s:gull ; s:venue s:quay ; s:league s:north .
s:rollo rdfs:label "Rollo Bear"@en . s:gull rdfs:label "Captain Gull"@en . s:jo rdfs:label "Jo Ray"@en .
s:old rdfs:label "Old Mill Field"@en ; s:city s:ashford .
s:new rdfs:label "Harbour Park"@en ; s:city s:ashford .
s:quay rdfs:label "Quay Ground"@en ; s:city s:dover .
s:ashford rdfs:label "Ashford"@en . s:dover rdfs:label "Dover"@en . s:north rdfs:label "North League"@en .
s:mascot rdfs:label "mascot"@en . s:venue rdfs:label "home venue"@en . s:league rdfs:label "league"@en .
s:coach rdfs:label "head coach"@en . s:city rdfs:label "city"@en .
"""
LEAGUE = CLUBS.replace("s:venue s:old", "s:venue s:new")
METHODS = ("think-on-graph", "tree-of-traversals")


@dataclass
class Brain:
    """Thinks for the model server: knows which request a prompt was made of."""

    known: dict[str, TypedRequest] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, body: Mapping[str, Any]) -> Say:
        with self.lock:
            request = self.known[body["messages"][-1]["content"]]
        n = int(body.get("n") or 1)
        return Say(texts=OfflineModel(FilePromptSet()).answer(request, n=n).texts)


@dataclass
class Spoken:
    """The model of the server; notes what each prompt is made of before it is sent."""

    model: LanguageModel
    brain: Brain

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def prompts(self) -> Any:
        return self.model.prompts

    def answer(
        self,
        request: TypedRequest,
        *,
        n: int = 1,
        temperature: float = 0.0,
        allowance: Allowance | None = None,
    ) -> ModelReply:
        with self.brain.lock:
            self.brain.known[request.render(self.prompts).user] = request
        return self.model.answer(request, n=n, temperature=temperature, allowance=allowance)


@dataclass
class Story:
    """Everything a run needs, and what arrived at the two servers."""

    folder: Path
    graph: SparqlGraph
    other: LocalGraph
    model: Spoken
    proxy: CountingProxy
    server: OpenAIServer

    def __post_init__(self) -> None:
        self.store = SqlRunStore.open(self.folder)
        self.corrections = CorrectionStore(self.store.engine)

    def launch(self, method: str) -> Launch:
        ports = Ports(self.graph, {"reason": self.model}, default_ranker())
        return Launch(reasoner(method), ports, self.store)

    def in_force(self) -> Any:
        return self.corrections.in_force(["clubs"])

    def driven(self, run: Run) -> tuple[RunView, list[str], list[str]]:
        """Drive a run; return it with the graph queries and the prompts that arrived meanwhile."""
        n_queries, n_prompts = len(self.proxy.requests), self.server.n_requests
        run.drive()
        assert not run.problem, run.problem
        prompts = [received.prompt for received in self.server.received[n_prompts:]]
        return RunView.of(run.journal.entries), self.proxy.requests[n_queries:], prompts


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("clubs")
    (folder / "clubs.ttl").write_text(CLUBS, "utf-8")
    with OxigraphServer([folder / "clubs.ttl"], folder=folder) as server:
        yield server.address


@pytest.fixture
def story(clubs: str, tmp_path: Path) -> Iterator[Story]:
    (tmp_path / "league.ttl").write_text(LEAGUE, "utf-8")
    import_graph([tmp_path / "league.ttl"], home=tmp_path, name="league")
    with CountingProxy(clubs) as proxy, OpenAIServer() as server:
        brain = Brain()
        server.script = [brain]
        transport = Transport(user_agent="test", allow_private=True)  # nothing is cached
        graph = SparqlGraph(
            Connection("clubs", "sparql", proxy.address), transport, folder=tmp_path
        )
        model = Spoken(make(server, prompts=FilePromptSet()), brain)
        other = open_graph(tmp_path, "league")
        yield Story(tmp_path, graph, other, model, proxy, server)


def text_of(view: RunView) -> str:
    assert view.answer is not None
    return view.answer.text


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_stadium_is_found_corrected_and_brought_back(story: Story, method: str) -> None:
    launch = story.launch(method)
    config = launch.reasoner.config_class()
    first, queries, prompts = story.driven(lineage.ask(launch, QUESTION, config))
    assert text_of(first) == OLD
    assert queries
    assert prompts

    # The person says that it is wrong; the model names the edge, and changes nothing.
    both = FederatedGraph([story.graph, story.other])
    found = challenge(first, launch.ports, graph=both)
    suspect = found.suspects[0].triple
    assert (suspect.relation.label, suspect.object.name) == ("home venue", OLD)
    assert found.suspects[0].score > found.suspects[1].score
    assert NEW in found.suspects[0].reason
    assert story.corrections.list() == ()

    # The person replaces it; only what the edge touches is asked again.
    (harbour,) = (c.entity for c in story.graph.link(NEW, limit=1).items)
    proposal = story.corrections.propose(correction_of(suspect, "replace", new_object=harbour))
    story.corrections.approve(proposal.id)
    assert first.started is not None
    second, queries, prompts = story.driven(
        lineage.rerun(launch, first.started.run_id, corrections=story.in_force())
    )
    assert text_of(second) == NEW
    assert [q for q in queries if "sport.example/new" not in q] == []
    assert [p for p in prompts if NEW not in p] == []
    assert second.via["memory"] >= 5
    compared = compare(first, second)
    assert compared.is_changed
    assert [t.object.name for t in compared.dropped] == [OLD]
    assert [t.object.name for t in compared.gained] == [NEW]
    assert [c.id for c in compared.new_corrections] == [proposal.id]
    assert compared.new.usage.llm_requests == len(prompts)

    # The first run is listed as affected, and its claim as unsupported.
    (one,) = affected(story.store, story.corrections.get(proposal.id))
    assert (one.record.id, one.rerun) == (first.started.run_id, compared.new.run_id)
    seeds = [s.entity for s in first.seeds if s.entity is not None]
    assert first.answer is not None
    assert not recheck(first.answer, story.in_force(), seeds).is_supported

    # Undo brings the first answer back, without asking anybody.
    story.corrections.undo(proposal.id)
    third, queries, prompts = story.driven(
        lineage.rerun(launch, compared.new.run_id, corrections=story.in_force())
    )
    assert text_of(third) == OLD
    assert (queries, prompts) == ([], [])
    assert third.answer is not None
    assert recheck(third.answer, story.in_force(), seeds).is_supported


@pytest.mark.parametrize("method", METHODS)
def test_a_correction_that_the_run_does_not_touch_costs_nothing(story: Story, method: str) -> None:
    launch = story.launch(method)
    first, _, _ = story.driven(lineage.ask(launch, QUESTION, launch.reasoner.config_class()))
    (gull,) = (c.entity for c in story.other.link("Captain Gull", limit=1).items)
    (triple,) = story.other.edges((gull.id,), _id(story.other, gull.id), "in").triples
    proposal = story.corrections.propose(correction_of(triple, "retract", kg="clubs"))
    story.corrections.approve(proposal.id)
    assert first.started is not None
    again, queries, prompts = story.driven(
        lineage.rerun(launch, first.started.run_id, corrections=story.in_force())
    )
    assert text_of(again) == OLD
    assert (queries, prompts) == ([], [])
    assert affected(story.store, story.corrections.get(proposal.id)) == []


def _id(graph: LocalGraph, asked: Any) -> Any:
    (option,) = graph.relations((asked,)).items
    return option.relation.id


def test_a_correction_approved_elsewhere_does_not_change_a_run_under_way(story: Story) -> None:
    launch = story.launch("think-on-graph")
    run = lineage.ask(
        launch, QUESTION, launch.reasoner.config_class(), corrections=story.in_force()
    )
    first, _, _ = story.driven(lineage.ask(launch, QUESTION, launch.reasoner.config_class()))
    assert first.answer is not None
    (suspect,) = (t for t in first.answer.proof if t.object.name == OLD)
    story.corrections.approve(story.corrections.propose(correction_of(suspect, "retract")).id)
    view, _, _ = story.driven(run)
    assert text_of(view) == OLD
    assert Journal(view.entries).started.corrections == ()
