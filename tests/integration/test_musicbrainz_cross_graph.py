"""Questions that need MusicBrainz and a graph in Wikidata's shape together, answered by the offline matcher."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from kgcore.kg import KnowledgeGraph
from kgcore.kg.connections import Connection
from kgcore.kg.federation.graph import FederatedGraph
from kgcore.kg.files.importer import import_graph
from kgcore.kg.local.graph import open_graph
from kgcore.kg.musicbrainz import MusicBrainzGraph
from kgcore.llm.offline import OfflineModel
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import default_ranker
from kgcore.reasoners.traversals import TraversalConfig, TreeOfTraversals
from kgcore.runs import Launch, Ports, RunView, SqlRunStore, lineage
from kgcore.transport.cache import ResponseCache
from kgcore.transport.limits import HostLimit, Limits
from kgcore.transport.transport import Transport
from tests.servers import musicbrainz_world as world
from tests.servers.musicbrainz_data import MusicBrainzData
from tests.servers.musicbrainz_server import MusicBrainzServer

PER_SECOND = 20.0
COUNTRIES = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:P37 a wikibase:Property ; wikibase:directClaim wdt:P37 ; rdfs:label "official language"@en .
wd:P36 a wikibase:Property ; wikibase:directClaim wdt:P36 ; rdfs:label "capital"@en .
wd:P1303 a wikibase:Property ; wikibase:directClaim wdt:P1303 ; rdfs:label "instrument"@en .
wd:Q189 rdfs:label "Iceland"@en ; wdt:P37 wd:Q294 ; wdt:P36 wd:Q1764 .
wd:Q33 rdfs:label "Finland"@en ; wdt:P37 wd:Q1412 ; wdt:P36 wd:Q1757 .
wd:Q294 rdfs:label "Icelandic"@en . wd:Q1412 rdfs:label "Finnish"@en .
wd:Q1764 rdfs:label "Reykjavík"@en . wd:Q1757 rdfs:label "Helsinki"@en .
wd:Q200 rdfs:label "Bo Lind"@en ; wdt:P434 "%s" ; wdt:P1303 wd:Q46185 . wd:Q46185 rdfs:label "double bass"@en .
"""


def limited(server: MusicBrainzServer, folder: Path) -> Transport:
    """A transport that knows what the server allows."""
    host = server.address.removeprefix("http://")
    return Transport(
        user_agent="Tests/1 ( test@example.org )",
        allow_private=True,
        limits=Limits({host: HostLimit(2, per_second=PER_SECOND)}),
        cache=ResponseCache(folder / "replies.sqlite"),
    )


class Bench:
    """Asks questions of an embedded graph and MusicBrainz together."""

    def __init__(
        self, local: Sequence[Path], data: MusicBrainzData, folder: Path, *languages: str
    ) -> None:
        import_graph(local, home=folder, name="wikidata")
        self.server = MusicBrainzServer(data, per_second=PER_SECOND, burst=3)
        self.server.__enter__()
        connection = Connection("musicbrainz", "musicbrainz", self.server.address)
        self.local = open_graph(folder, "wikidata")
        remote = MusicBrainzGraph(
            connection, limited(self.server, folder), languages=languages or ("en",)
        )
        self.graph: KnowledgeGraph = FederatedGraph([self.local, remote])
        self.store = SqlRunStore.open(folder)

    def ask(self, question: str) -> RunView:
        ports = Ports(self.graph, {"reason": OfflineModel(FilePromptSet())}, default_ranker())
        run = lineage.ask(
            Launch(TreeOfTraversals(), ports, self.store), question, TraversalConfig()
        )
        run.drive()
        return RunView.of(self.store.load(run.id))

    def close(self) -> None:
        self.store.close()
        self.local.close()
        self.server.__exit__(None, None, None)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    file = tmp_path / "countries.ttl"
    file.write_text(COUNTRIES % world.BO, "utf-8")
    built = Bench([file], world.small_world(), tmp_path)
    yield built
    built.close()


@pytest.mark.parametrize(
    "question, answer",
    [
        ("What is the official language of the area of the artist The Quiet Ones?", "Icelandic"),
        ("What is the capital of the area of the label Northern Sound?", "Reykjavík"),
        ('Who composed "Morning Song"?', "Bo Lind"),
        ('Which instrument does the composer of "Morning Song" play?', "double bass"),
    ],
)
def test_a_question_that_needs_both_graphs_is_answered(
    bench: Bench, question: str, answer: str
) -> None:
    view = bench.ask(question)
    assert view.status == "answered"
    assert view.answer is not None
    assert view.answer.text == answer
    assert view.warnings == []
    assert bench.server.n_refused == 0
    assert bench.server.n_requests <= 15  # seconds, at musicbrainz.org


def test_the_same_question_again_costs_no_request(bench: Bench) -> None:
    question = "What is the official language of the area of the artist The Quiet Ones?"
    first = bench.ask(question)
    n_requests = bench.server.n_requests
    assert bench.ask(question).answer == first.answer
    assert bench.server.n_requests == n_requests


@pytest.mark.parametrize(
    "question, answer",
    [
        ("谁是《Morning Song》的作曲者？", "Bo Lind"),
        ("The Quiet Ones 的成员有谁？", "Ada Park、Bo Lind"),
        ("专辑《First Light》的首次发行日期是什么时候？", "1992-03"),
    ],
)
def test_a_question_in_chinese_is_answered(tmp_path: Path, question: str, answer: str) -> None:
    file = tmp_path / "countries.ttl"
    file.write_text(COUNTRIES % world.BO, "utf-8")
    bench = Bench([file], world.small_world(), tmp_path, "zh", "en")
    try:
        found = bench.ask(question).answer
        assert found is not None
        assert found.text == answer
    finally:
        bench.close()
