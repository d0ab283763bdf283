"""A studio with knowledge sources: the demo's, one's own, and runs that ask them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.errors import InputError
from kgcore.kg.connections import Connection
from kgcore.model import SourceCard, wired
from kgcore.ranking import StemRanker
from kgcore.runs import Launch, Ports, lineage
from kgcore.runs.entries import StepDone
from kgcore.sources.spec import SourceSpec
from kgcore.steps import Answer, Lookup, Passages
from tests.servers.faulty_server import FaultyServer, Reply

METHOD = "chain-of-knowledge"
NOLAN = "SELECT ?d WHERE { <wd:Q25188> <wdt:P57> ?d }"


@pytest.fixture
def studio(tmp_home: Path) -> Iterator[Studio]:
    made = build(tmp_home, environ={})
    yield made
    made.store.close()


@pytest.fixture
def films(tmp_path: Path) -> Path:
    file = tmp_path / "films.csv"
    file.write_text("title,director\nInception,Christopher Nolan\nHeat,Michael Mann\n")
    return file


def table(file: Path, name: str = "films") -> SourceSpec:
    return SourceSpec(name, "table", (str(file),), ("factual",), "films and their directors")


def test_the_demo_sources_are_there_without_any_step(studio: Studio) -> None:
    names = [info.name for info in studio.source_infos()]
    assert names[:2] == ["demo-facts/demo-wikidata", "demo-facts/demo-musicbrainz"]
    assert all(info.is_built_in and not info.problem for info in studio.source_infos())
    cards = studio.sources()
    assert [card.id for card in cards] == names
    assert {domain for card in cards for domain in card.domains} <= {
        domain.name for domain in studio.domains()
    }
    for name in names:
        health = studio.check_source(name)
        assert health.is_up and health.n_items, (name, health)


def test_the_demo_sources_cannot_be_removed_or_replaced(studio: Studio, films: Path) -> None:
    with pytest.raises(InputError, match="stays"):
        studio.remove_source("demo-facts")
    with pytest.raises(InputError, match="demo"):
        studio.add_source(table(films, "demo-facts"))


def test_a_source_is_added_asked_and_removed(studio: Studio, films: Path) -> None:
    assert studio.add_source(table(films)).n_items == 2
    found = studio.source("films").run("SELECT director FROM films WHERE title = 'Heat'")
    assert isinstance(found, Passages)
    assert found.items[0].text == "director: Michael Mann"
    again = build(studio.home, environ={})
    assert [card.id for card in again.sources()] == ["films"]
    studio.remove_source("films")
    with pytest.raises(InputError, match="no source called 'films'"):
        studio.source("films")
    assert films.is_file()
    assert [p for p in (studio.home / "sources").iterdir() if p.name == "films"] == []


def test_a_source_that_cannot_be_asked_is_kept_only_anyway(studio: Studio, tmp_path: Path) -> None:
    gone = table(tmp_path / "gone.csv")
    assert not studio.add_source(gone).is_up
    assert studio.source_infos()[0].name != "films"
    assert not studio.add_source(gone, anyway=True).is_up
    assert studio.source_infos()[0].name == "films"


def test_a_broken_entry_is_listed_and_hides_nothing(studio: Studio, films: Path) -> None:
    studio.add_source(table(films))
    file = studio.home / "sources.yaml"
    file.write_text(file.read_text() + "- {name: broken, kind: table}\n")
    infos = {info.name: info for info in studio.source_infos()}
    assert infos["broken"].problem == "it has no where"
    assert [card.id for card in studio.sources()] == ["films"]
    with pytest.raises(InputError, match="it has no where"):
        studio.source("broken")
    studio.remove_source("broken")
    assert "broken" not in [info.name for info in studio.source_infos()]


def test_any_graph_can_be_asked_by_its_own_name(studio: Studio) -> None:
    found = studio.source("demo-wikidata").run(NOLAN)
    assert isinstance(found, Passages)
    assert found.items[0].text == "Inception – director – Christopher Nolan"
    with pytest.raises(InputError, match="stands for several graphs"):
        studio.source("demo-facts")


def test_the_same_source_is_opened_once_until_its_data_change(studio: Studio, films: Path) -> None:
    studio.add_source(table(films))
    first = studio.source("films")
    assert studio.source("films") is first
    films.write_text("title,director\nHeat,Michael Mann\n")
    assert studio.source("films").version != first.version
    assert isinstance(first.run("SELECT count(*) FROM films"), Passages)


def test_sources_behind_a_password_are_not_shared_between_sessions(studio: Studio) -> None:
    from kgcore.config import Secrets

    table_of_none = Reply(body=b'{"head": {"vars": ["s"]}, "results": {"bindings": []}}')
    with FaultyServer([table_of_none]) as server:
        closed = Connection("closed", "sparql", server.url("/sparql"), user="ann")
        studio.add_connection(closed, password="pw-1", anyway=True)
        mine = studio.source("closed")
        other = studio.with_secrets(Secrets({}))
        with pytest.raises(InputError, match="needs the password"):
            other.source("closed")
        mine.run("SELECT ?s { ?s ?p ?o }")
        assert any("authorization" in request.headers for request in server.received)


# --- runs


def test_a_run_pins_the_sources_it_may_ask(studio: Studio, films: Path) -> None:
    studio.add_source(table(films))
    run = studio.ask(Task("Who directed Heat?", method=METHOD, sources=("films", "demo-facts")))
    run.drive()
    started = studio.journal(run.id).started
    assert [card.id for card in started.config.sources] == [
        "films", "demo-facts/demo-wikidata", "demo-facts/demo-musicbrainz",
    ]  # fmt: skip
    assert [name for name, _ in started.kgs] == ["demo-wikidata", "demo-musicbrainz"]


def test_without_names_a_run_asks_all_that_were_added_and_its_graphs(
    studio: Studio, films: Path, tmp_path: Path
) -> None:
    studio.add_source(table(films))
    studio.add_source(table(tmp_path / "gone.csv", "gone"), anyway=True)
    run = studio.ask(Task("Who directed Heat?", kgs=("demo-wikidata",), method=METHOD))
    config = studio.journal(run.id).started.config
    assert [card.id for card in config.sources] == ["films", "demo-wikidata"]
    [left_out] = config.left_out
    assert left_out.startswith("the source gone is left out: ")
    run.drive()
    assert left_out in studio.view(run.id).warnings


def test_a_source_that_was_named_must_be_there(studio: Studio) -> None:
    with pytest.raises(InputError, match="no source called 'nobody'"):
        studio.ask(Task("Who?", method=METHOD, sources=("nobody",)))


def test_a_method_that_asks_no_sources_takes_none(studio: Studio) -> None:
    with pytest.raises(InputError, match="asks no knowledge sources"):
        studio.ask(Task("Who directed Heat?", sources=("demo-facts",)))
    assert studio.ask(Task("Who directed Heat?")).id


def test_a_question_is_answered_from_the_demo_sources(studio: Studio) -> None:
    run = studio.ask(Task("Who directed Inception?", method=METHOD))
    run.drive()
    view = studio.view(run.id)
    assert view.answer is not None
    assert view.answer.text == "Christopher Nolan"
    results = [
        e.body.result for e in studio.journal(run.id).entries if isinstance(e.body, StepDone)
    ]
    assert any(isinstance(result, Passages) and result.items for result in results)


def test_another_method_of_an_old_run_gets_the_sources_of_today(
    studio: Studio, films: Path
) -> None:
    run = studio.ask(Task("Who directed Inception?", model="offline"))
    run.drive()
    studio.add_source(table(films))
    again = studio.rerun(run.id, method=METHOD)
    config = studio.journal(again.id).started.config
    assert [card.id for card in config.sources] == ["films"]
    films.write_text("title,director,year\nInception,Christopher Nolan,2010\n")
    fresh = studio.rerun(again.id)
    assert "year" in studio.journal(fresh.id).started.config.sources[0].schema
    other = studio.rerun(again.id, sources=("demo-biology",))
    assert [c.id for c in studio.journal(other.id).started.config.sources] == ["demo-biology"]


@wired
@dataclass(frozen=True, slots=True)
class AsksOnceConfig:
    language: str = "en"
    sources: tuple[SourceCard, ...] = ()


@dataclass(frozen=True, slots=True)
class AsksOnce:
    """A method that puts its question to each of its sources, and answers with what the last one says."""

    name: str = "asks-once"
    version: str = "1"
    templates: tuple[str, ...] = ()
    config_class: type[AsksOnceConfig] = AsksOnceConfig

    def solve(self, question: str, config: AsksOnceConfig) -> Any:
        text = ""
        for card in config.sources:
            found = yield Lookup(card.id, question)
            text = found.items[0].text if isinstance(found, Passages) and found.items else "nothing"
        return Answer(text)


def test_a_source_that_is_down_does_not_lose_the_run(studio: Studio, tmp_path: Path) -> None:
    """What other sources said is kept, the run ends failed, and goes on when the source is back."""
    (tmp_path / "rome.txt").write_text("Rome is old.")
    studio.add_source(SourceSpec("notes", "text", (str(tmp_path / "rome.txt"),)))
    hit = {"title": "Rome", "snippet": "Rome is the capital of Italy"}
    good = Reply(body=json.dumps({"query": {"search": [hit]}}).encode())
    with FaultyServer([Reply(403), good]) as server:
        spec = SourceSpec("wiki", "wiki", (server.url("/w/api.php"),))
        studio.add_source(spec, anyway=True)
        server.received.clear()
        ids = ("notes", "wiki")
        sources = {name: studio.source(name) for name in ids}
        ports = Ports(studio.graph(), {"reason": studio.model("offline")}, StemRanker(), sources)
        launch = Launch(AsksOnce(), ports, studio.store)
        config = AsksOnceConfig(sources=studio.sources(ids))
        run = lineage.ask(launch, "Is Rome the capital?", config)
        run.drive()
        assert studio.view(run.id).status == "failed"
        lineage.resume(launch, run.id).drive()
        answered = studio.view(run.id)
    assert answered.answer is not None
    assert answered.answer.text == hit["snippet"]
    done = [e.body for e in studio.journal(run.id).entries if isinstance(e.body, StepDone)]
    assert [body.step["source"] for body in done] == ["notes", "wiki"]


def test_a_run_whose_source_was_removed_can_be_looked_at_and_taken_up(
    studio: Studio, films: Path
) -> None:
    studio.add_source(table(films))
    run = studio.ask(Task("Who directed Heat?", method=METHOD, sources=("films",)))
    run.drive()
    studio.remove_source("films")
    assert studio.view(run.id).started is not None
    studio.resume(run.id).drive()
    assert studio.view(run.id).started is not None
