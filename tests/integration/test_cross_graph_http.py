"""The demo graphs behind two SPARQL servers answer questions that need both as the embedded graphs do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kgcore.bootstrap import Studio, Task, build
from kgcore.kg.connections import Connection
from kgcore.runs import RunView
from tests.servers.oxigraph_server import OxigraphServer

ROOT = Path(__file__).parents[2]
FILES = {
    name: ROOT / "assets" / "demo" / f"demo-{name}.ttl" for name in ("wikidata", "musicbrainz")
}


def questions() -> list[Any]:
    """Sample questions over both graphs that the offline matcher is expected to answer."""
    samples = yaml.safe_load((ROOT / "assets" / "questions.yaml").read_text("utf-8"))
    able = [s for s in samples if s["kind"] == "cross_graph" and not s.get("needs")]
    return [pytest.param(s["question"], id=s["id"]) for s in able]


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = build(tmp_path_factory.mktemp("local"), environ={})
    for name, file in FILES.items():
        studio.import_graph([file], name)
    yield studio
    studio.store.close()


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    environ = {"KGCORE_ALLOW_PRIVATE_ENDPOINTS": "1"}
    studio = build(tmp_path_factory.mktemp("remote"), environ=environ)
    folders = {name: tmp_path_factory.mktemp(name) for name in FILES}
    servers = [OxigraphServer([file], folder=folders[name]) for name, file in FILES.items()]
    with servers[0], servers[1]:
        for name, server in zip(FILES, servers, strict=True):
            assert studio.add_connection(Connection(name, "sparql", server.address)).is_up
            studio.graph((name,)).build_label_index()  # type: ignore[attr-defined]
        yield studio
    studio.store.close()


def asked(studio: Studio, question: str) -> RunView:
    run = studio.ask(Task(question, tuple(FILES), model="offline"))
    run.drive()
    return studio.view(run.id)


@pytest.mark.parametrize("question", questions())
def test_the_answer_is_the_same_through_files_and_through_http(
    local: Studio, remote: Studio, question: str
) -> None:
    here, there = asked(local, question), asked(remote, question)
    assert here.status == there.status == "answered"
    assert here.answer is not None
    assert there.answer is not None
    assert {p.value for p in there.answer.parts} == {p.value for p in here.answer.parts}
    assert {t.text for t in there.answer.proof} == {t.text for t in here.answer.proof}
    assert there.missing == []


def test_graphs_disagree_alike_through_files_and_through_http(
    local: Studio, remote: Studio
) -> None:
    told = [asked(studio, "When was Nirvana founded?") for studio in (local, remote)]
    for view in told:
        assert view.answer is not None
        assert [c.text for c in view.answer.conflicts] == [
            "inception of Nirvana is 1987 (wikidata) and 1988-01 (musicbrainz)"
        ]
