"""Corrections in a run over several graphs that have ids of their own for one thing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kgcore.corrections import Correction, CorrectionStore
from kgcore.corrections.claims import recheck
from kgcore.corrections.proposing import correction_of
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.llm.offline import OfflineModel
from kgcore.model import Entity, EntityId
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import default_ranker
from kgcore.reasoners import reasoner
from kgcore.runs import Launch, Ports, Run, SqlRunStore, lineage
from kgcore.runs.affected import affected
from kgcore.runs.challenge import challenge
from kgcore.runs.view import RunView
from kgcore.testing import MemoryGraph

QUESTION = "What is the home venue of the team that Ann Bell plays for?"
PLAYERS = MemoryGraph(
    "players",
    [("p:ann", "p:plays", "p:reds"), ("p:bob", "p:plays", "p:blues")],
    labels={
        "p:ann": "Ann Bell",
        "p:bob": "Bob Dee",
        "p:reds": "Ashford Reds",
        "p:blues": "Dover Blues",
        "p:plays": "plays for",
    },
    same_as=[("p:reds", "v:reds"), ("p:blues", "v:blues")],
)
VENUES = MemoryGraph(
    "venues",
    [("v:reds", "v:home", "v:old"), ("v:blues", "v:home", "v:quay"), ("v:new", "v:near", "v:old")],
    labels={
        "v:reds": "Ashford Reds",
        "v:blues": "Dover Blues",
        "v:old": "Old Mill Field",
        "v:new": "Harbour Park",
        "v:quay": "Quay Ground",
        "v:home": "home venue",
        "v:near": "near",
    },
)
NEW = Entity(EntityId("v:new"), "Harbour Park", kg="venues")
METHODS = ("think-on-graph", "tree-of-traversals")


def launch(folder: Path, method: str) -> Launch:
    graph = FederatedGraph([PLAYERS, VENUES])
    ports = Ports(graph, {"reason": OfflineModel(FilePromptSet())}, default_ranker())
    return Launch(reasoner(method), ports, SqlRunStore.open(folder))


def driven(run: Run) -> RunView:
    run.drive()
    return RunView.of(run.journal.entries)


def text_of(view: RunView) -> str:
    assert view.answer is not None
    return view.answer.text


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spelled", ["as the proof says it", "as the graph says it"])
def test_an_edge_of_one_graph_is_corrected_under_any_id_of_its_ends(
    tmp_path: Path, method: str, spelled: str
) -> None:
    start = launch(tmp_path, method)
    store = CorrectionStore(start.store.engine)
    first = driven(lineage.ask(start, QUESTION, start.reasoner.config_class()))
    assert text_of(first) == "Old Mill Field"
    assert first.answer is not None
    (wrong,) = (t for t in first.answer.proof if t.relation.id == "v:home")
    assert wrong.kg == "venues"
    if spelled == "as the proof says it":
        said = correction_of(wrong, "replace", new_object=NEW)
    else:
        (own,) = VENUES.edges((EntityId("v:reds"),), wrong.relation.id).triples
        said = correction_of(own, "replace", new_object=NEW)
    proposal = store.approve(store.propose(said).id)
    corrections = store.in_force(["players", "venues"])
    assert first.started is not None
    second = driven(lineage.rerun(start, first.started.run_id, corrections=corrections))
    (one,) = affected(start.store, proposal)
    assert one.record.id == first.started.run_id
    seeds = [s.entity for s in first.seeds if s.entity is not None]
    assert not recheck(first.answer, corrections, seeds).is_supported
    assert text_of(second) == "Harbour Park"
    assert second.usage.kg_requests == 0
    back = driven(lineage.rerun(start, first.started.run_id, corrections=()))
    assert text_of(back) == "Old Mill Field"


@pytest.mark.parametrize("method", METHODS)
def test_an_added_edge_is_walked_from_the_other_graph(tmp_path: Path, method: str) -> None:
    start = launch(tmp_path, method)
    (own,) = VENUES.edges((EntityId("v:reds"),), "v:home").triples  # type: ignore[arg-type]
    gone = Correction("a", "retract", own.subject, own.relation, own.object, kg="venues")
    new = Correction("b", "add", own.subject, own.relation, NEW, kg="venues")
    config = start.reasoner.config_class()
    view = driven(lineage.ask(start, QUESTION, config, corrections=(gone, new)))
    assert text_of(view) == "Harbour Park"
    view = driven(lineage.ask(start, QUESTION, config, corrections=(gone,)))
    assert text_of(view) != "Old Mill Field"


def test_both_graphs_are_asked_what_they_say_of_the_proof(tmp_path: Path) -> None:
    start = launch(tmp_path, "think-on-graph")
    first = driven(lineage.ask(start, QUESTION, start.reasoner.config_class()))
    found: Any = challenge(first, start.ports, right="Quay Ground")
    assert {t.kg for t in found.others} <= {"players", "venues"}
    assert found.usage.kg_requests > 0
    assert found.suspects[0].score >= found.suspects[-1].score
