"""Think-on-Graph in whole runs: what it costs, and how it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kgcore.llm import LanguageModel, ModelReply
from kgcore.llm.offline.model import OfflineModel
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import StemRanker
from kgcore.reasoners import reasoner
from kgcore.reasoners.think_on_graph import ThinkOnGraphConfig
from kgcore.runs import Launch, Ports, RunView, SqlRunStore, lineage
from kgcore.testing import MemoryGraph
from tests.servers.models import CANARY, make
from tests.servers.openai_server import OpenAIServer, Status

QUESTION = "Who is the director of Inception and Memento?"
METHODS = ("think-on-graph", "think-on-graph-r")
TRIPLES = [
    ("x:inception", "p:director", "x:nolan"),
    ("x:memento", "p:director", "x:nolan"),
    ("x:inception", "p:cast", "x:caine"),
    ("x:inception", "p:cast", "x:page"),
    ("x:nolan", "p:born", "x:london"),
    ("x:caine", "p:born", "x:london"),
    ("x:london", "p:country", "x:uk"),
]
LABELS = {
    "x:inception": "Inception",
    "x:memento": "Memento",
    "x:nolan": "Christopher Nolan",
    "x:caine": "Michael Caine",
    "x:page": "Elliot Page",
    "x:london": "London",
    "x:uk": "United Kingdom",
    "p:director": "director",
    "p:cast": "cast member",
    "p:born": "place of birth",
    "p:country": "country",
}


class Counted(OfflineModel):
    """The offline matcher; counts what it is asked."""

    n = 0

    def answer(self, request: Any, **options: Any) -> ModelReply:
        self.n += 1
        return super().answer(request, **options)


def asked(
    folder: Path, graph: MemoryGraph, model: LanguageModel, method: str, **settings: Any
) -> RunView:
    launch = Launch(
        reasoner(method), Ports(graph, {"reason": model}, StemRanker()), SqlRunStore.open(folder)
    )
    run = lineage.ask(launch, QUESTION, ThinkOnGraphConfig(**settings))
    run.drive()
    assert not run.problem
    return RunView.of(run.journal.entries)


@pytest.mark.parametrize("method", METHODS)
def test_both_modes_count_every_request_and_one_request_a_list_costs_more(
    tmp_path: Path, method: str
) -> None:
    n_model: list[int] = []
    for is_batched in (True, False):
        graph, model = MemoryGraph("films", TRIPLES, labels=LABELS), Counted(FilePromptSet())
        view = asked(tmp_path, graph, model, method, is_batched=is_batched, skip_single=False)
        assert view.answer is not None
        assert view.answer.text == "Christopher Nolan"
        assert view.usage.llm_requests == model.n
        steps = [name for name, _ in graph.requests if name != "same_as"]  # describe asks it itself
        assert view.usage.kg_requests == len(steps)
        n_model.append(model.n)
    together, apart = n_model
    assert together < apart


@pytest.mark.parametrize("method", METHODS)
def test_a_refused_key_ends_the_run_after_one_request(tmp_path: Path, method: str) -> None:
    graph = MemoryGraph("films", TRIPLES, labels=LABELS)
    with OpenAIServer([Status(401, {}, {"error": {"message": f"no such key {CANARY}"}})]) as server:
        view = asked(tmp_path, graph, make(server), method)
        assert server.n_requests == 1
    assert view.ended is not None
    assert view.status == "failed"
    assert "key" in view.ended.reason
    assert CANARY not in view.ended.reason
