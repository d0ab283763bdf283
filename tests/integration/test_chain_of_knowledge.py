"""Chain-of-Knowledge in whole runs: a scripted model, real sources, and the offline matcher on the demo's sources."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.corrections import Correction
from kgcore.errors import ServiceError
from kgcore.prompts import TypedRequest
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import StemRanker
from kgcore.reasoners import reasoner
from kgcore.reasoners.chain_of_knowledge import ChainOfKnowledgeConfig
from kgcore.runs import Budget, Edit, Launch, Ports, Run, RunView, lineage, replay
from kgcore.sources import KnowledgeSource
from kgcore.sources.spec import SourceSpec
from kgcore.steps import BadQuery, Passages
from kgcore.testing import ScriptedModel
from kgcore.views.captions import captions_of
from kgcore.views.report import run_report

QUESTION = "In which year was the director of El Tío Disparate born?"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
NAMES = {
    "film": "El Tío Disparate",
    "ortega": "Palito Ortega",
    "ayala": "Fernando Ayala",
    "director": "director",
    "born": "date of birth",
}
FACTS = [("film", "director", "ortega")]
PASSAGES = [
    ("Palito Ortega", "Palito Ortega is an Argentine singer and film maker. He was born in 1941."),
    ("Fernando Ayala", "Fernando Ayala was an Argentine film director. He was born in 1920."),
    ("Buenos Aires", "Buenos Aires is the capital of Argentina."),
]


@dataclass
class World:
    """A studio with a graph that knows who directed what, and passages that know when who was born."""

    studio: Studio
    names: tuple[str, ...] = ("films", "people")

    def launch(self, script: Callable[[TypedRequest], Any], **sources: KnowledgeSource) -> Launch:
        model = ScriptedModel(script, prompts=FilePromptSet())
        ports = {name: self.studio.source(name) for name in self.names} | sources
        graph = self.studio.graph(("films",))
        return Launch(
            reasoner("chain-of-knowledge"),
            Ports(graph, {"reason": model}, StemRanker(), ports),
            self.studio.store,
        )

    def ask(
        self,
        script: Callable[[TypedRequest], Any] | None = None,
        question: str = QUESTION,
        **settings: Any,
    ) -> Run:
        values = {"samples": 3, "sources": self.studio.sources(self.names), **settings}
        run = lineage.ask(
            self.launch(script or Model()), question, ChainOfKnowledgeConfig(**values)
        )
        run.drive()
        return run


@pytest.fixture
def world(tmp_path: Path) -> World:
    studio = build(tmp_path / "home", environ={})
    lines = [f'<http://x.org/{n}> {LABEL} "{label}" .' for n, label in NAMES.items()]
    lines += [f"<http://x.org/{s}> <http://x.org/{p}> <http://x.org/{o}> ." for s, p, o in FACTS]
    graph = tmp_path / "films.nt"
    graph.write_text("\n".join(lines) + "\n", "utf-8")
    studio.import_graph([graph], "films")
    passages = tmp_path / "people.jsonl"
    rows = [json.dumps({"title": title, "text": text}) for title, text in PASSAGES]
    passages.write_text("\n".join(rows) + "\n", "utf-8")
    studio.add_source(SourceSpec("films", "graph", ("films",), ("factual",), "films"))
    studio.add_source(SourceSpec("people", "text", (str(passages),), ("factual",), "people"))
    return World(studio)


class Model:
    """What a language model might say: it remembers the wrong director, and reads what it is shown.

    It knows nothing of the sources; it only writes queries for the statement it is given.
    """

    def __call__(self, request: TypedRequest) -> str | list[str]:
        return getattr(self, request.template)(request)

    def sample_rationales(self, request: Any) -> list[str]:
        thought = "1: El Tío Disparate was directed by Fernando Ayala.\n2: Fernando Ayala was born in 1920."
        return [f"{thought}\nAnswer: {year}" for year in ("1920", "1921", "1932")]

    def write_sparql(self, request: Any) -> str:
        if "directed" in request.rationale:
            return "Query: SELECT ?x WHERE { <El Tío Disparate> <director> ?x }"
        return "Query: none"

    def write_sentence(self, request: Any) -> str:
        born = re.match(r"(.*) was born", request.rationale)
        return f"Query: when was {born[1]} born" if born else "Query: none"

    def correct_rationale(self, request: Any) -> str:
        name = re.match(r"(.*) was born", request.rationale)
        for number, piece in enumerate(request.knowledge, 1):
            director = re.search(r"director – ([\w ]+)", piece.text)
            year = re.search(r"born in (\d{4})", piece.text)
            if director and "directed" in request.rationale:
                told = f"El Tío Disparate was directed by {director[1]}."
                return f"Knowledge: K{number}\nStatement: {told}"
            if year and name and name[1] in piece.text:
                return f"Knowledge: K{number}\nStatement: {name[1]} was born in {year[1]}."
        return "Knowledge: none\nStatement: unchanged"

    def next_rationale(self, request: Any) -> str:
        directed = re.search(r"directed by (.*)\.", " ".join(request.checked))
        if len(request.checked) > 1 or directed is None:
            return "Statement: enough"
        return f"Statement: {directed[1]} was born in 1950."

    def answer_from_rationales(self, request: Any) -> str:
        years = re.findall(r"\d{4}", " ".join(r.after for r in request.rationales))
        return f"Answer: {years[-1]}" if years else "Answer: I cannot tell"


# the paper's example


def test_step_by_step_a_wrong_director_is_corrected_before_his_birth_is_looked_up(
    world: World,
) -> None:
    run = world.ask()
    view = RunView.of(run.journal.entries)
    assert view.answer is not None
    assert view.answer.text == "1941"
    assert not view.answer.is_model_memory
    first, second = view.answer.rationales
    assert (first.before, first.after) == (
        "El Tío Disparate was directed by Fernando Ayala.",
        "El Tío Disparate was directed by Palito Ortega.",
    )
    assert second.before == "Palito Ortega was born in 1950."
    assert [k.source for r in (first, second) for k in r.knowledge] == ["films", "people"]
    assert [t.object.name for t in view.answer.proof] == ["Palito Ortega"]


def test_all_at_once_the_second_rationale_is_about_the_wrong_person(world: World) -> None:
    run = world.ask(mode="parallel")
    view = RunView.of(run.journal.entries)
    assert view.answer is not None
    assert view.answer.text == "1920"
    assert view.answer.rationales[0].after == "El Tío Disparate was directed by Palito Ortega."


# what a watcher sees


def test_a_view_holds_the_gate_the_queries_and_what_they_found(world: World) -> None:
    run = world.ask()
    view = RunView.of(run.journal.entries).rationales
    assert view.sampled is not None
    assert dict(view.sampled.counts) == {"1920": 1, "1921": 1, "1932": 1}
    assert view.domains is not None
    assert view.domains.sources == ("films", "people")
    first, second = view.items
    assert (first.status, second.status) == ("changed", "changed")
    assert [(q.source, q.status) for q in first.queries] == [("films", "found"), ("people", "none")]
    graph = first.queries[0]
    assert "<El Tío Disparate>" in graph.written and "<El Tío Disparate>" not in graph.query
    assert [link.label for link in graph.links] == ["El Tío Disparate", "director"]
    assert graph.evidence[0].raw and graph.evidence[0].text
    assert second.queries[1].evidence[0].origin.startswith("Palito Ortega")


def test_triples_that_were_found_join_the_subgraph_and_every_prefix_folds(world: World) -> None:
    entries = world.ask().journal.entries
    for size in range(len(entries) + 1):
        RunView.of(entries[:size])
    view = RunView.of(entries)
    assert [t.text for t in view.subgraph.triples] == [
        "El Tío Disparate – director – Palito Ortega"
    ]
    assert [view.nodes[n].action for n in view.answer_path] == [
        "start",
        "draft",
        "correct",
        "draft",
        "correct",
        "answer",
    ]
    assert not run_report(view)["model_memory"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_captions_tell_the_gate_and_the_correction(world: World, language: str) -> None:
    told = captions_of(world.ask().journal.entries, language)
    text = "\n".join(caption.text for caption in told)
    assert "33%" in text and "Palito Ortega" in text
    assert any(c.is_stop and "Fernando Ayala" in c.detail for c in told)


# the journal


def test_a_run_replays_strictly(world: World) -> None:
    for mode in ("step", "parallel"):
        run = world.ask(mode=mode)
        answer = RunView.of(run.journal.entries).answer
        assert replay(reasoner("chain-of-knowledge"), run.journal) == answer


def test_a_run_out_of_budget_holds_what_it_remembers_and_goes_on(world: World) -> None:
    launch = world.launch(Model())
    config = ChainOfKnowledgeConfig(samples=3, sources=world.studio.sources(world.names))
    run = lineage.ask(launch, QUESTION, config, budget=Budget(calls=3))
    run.drive()
    view = RunView.of(run.journal.entries)
    assert view.status == "budget"
    assert view.answer is not None and view.answer.is_model_memory
    again = lineage.resume(launch, run.id, budget=Budget(calls=50))
    again.drive()
    after = RunView.of(again.journal.entries)
    assert after.answer is not None and after.answer.text == "1941"


def test_an_edited_query_forks_the_run(world: World) -> None:
    run = world.ask()
    query = RunView.of(run.journal.entries).rationales.items[1].queries[1]
    assert query.source == "people" and query.address is not None
    edit = Edit(*query.address, replies=("Query: Buenos Aires",))
    fork = lineage.fork(world.launch(Model()), run.id, [edit])
    fork.drive()
    view = RunView.of(fork.journal.entries)
    assert view.rationales.items[1].queries[1].query == "Buenos Aires"
    assert view.answer is not None and view.answer.text == "1950"


def test_a_retracted_triple_is_no_knowledge_and_little_is_asked_again(world: World) -> None:
    run = world.ask()
    [triple] = RunView.of(run.journal.entries).subgraph.triples
    wrong = Correction("c1", "retract", triple.subject, triple.relation, triple.object, kg="films")
    again = lineage.rerun(world.launch(Model()), run.id, corrections=[wrong])
    again.drive()
    view = RunView.of(again.journal.entries)
    assert view.rationales.items[0].text == "El Tío Disparate was directed by Fernando Ayala."
    assert view.answer is not None and view.answer.text == "1920"
    assert view.via["memory"] >= 5


def test_a_replaced_triple_changes_the_answer(world: World) -> None:
    run = world.ask()
    [triple] = RunView.of(run.journal.entries).subgraph.triples
    [ayala] = [c.entity for c in world.studio.graph(("films",)).link("Fernando Ayala").items][:1]
    other = Correction(
        "c1", "replace", triple.subject, triple.relation, triple.object, ayala, kg="films"
    )
    again = lineage.rerun(world.launch(Model()), run.id, corrections=[other])
    again.drive()
    view = RunView.of(again.journal.entries)
    assert [t.object.name for t in view.subgraph.triples] == ["Fernando Ayala"]
    assert view.answer is not None and view.answer.text == "1920"


# sources that fail


class Faulty:
    """A source that answers as a test says."""

    def __init__(self, like: KnowledgeSource, answer: Callable[[str], Passages | BadQuery]) -> None:
        self.id, self.version, self._like, self._answer = like.id, like.version, like, answer

    def card(self) -> Any:
        return self._like.card()

    def run(self, query: str) -> Passages | BadQuery:
        return self._answer(query)


def test_a_source_that_is_down_loses_nothing_and_resuming_asks_it_again(world: World) -> None:
    def down(query: str) -> Passages:
        raise ServiceError("people does not answer")

    config = ChainOfKnowledgeConfig(samples=3, sources=world.studio.sources(world.names))
    broken = Faulty(world.studio.source("people"), down)
    run = lineage.ask(world.launch(Model(), people=broken), QUESTION, config)
    run.drive()
    view = RunView.of(run.journal.entries)
    assert view.status == "failed" and "people does not answer" in (
        view.ended.reason if view.ended else ""
    )
    assert view.rationales.items[0].status == "changed"
    again = lineage.resume(world.launch(Model()), run.id)
    again.drive()
    after = RunView.of(again.journal.entries)
    assert after.answer is not None and after.answer.text == "1941"


@pytest.mark.parametrize("answer", [Passages(), BadQuery("this is not my language")])
def test_a_source_that_finds_nothing_or_refuses_ends_nothing(
    world: World, answer: Passages | BadQuery
) -> None:
    config = ChainOfKnowledgeConfig(samples=3, sources=world.studio.sources(world.names))
    broken = Faulty(world.studio.source("people"), lambda query: answer)

    class Patient(Model):
        def mend_query(self, request: Any) -> str:
            return "Query: birth"

    run = lineage.ask(world.launch(Patient(), people=broken), QUESTION, config)
    run.drive()
    view = RunView.of(run.journal.entries)
    assert view.status == "answered"
    assert [q.status for q in view.rationales.items[1].queries if q.source == "people"] == [
        "bad" if isinstance(answer, BadQuery) else "empty"
    ] * 2


# published questions


def samples_differ(request: Any) -> list[str]:
    return [f"1: {request.question}\nAnswer: {n}" for n in ("one", "two", "three")]


def reads_what_it_finds(request: TypedRequest) -> str | list[str]:
    """A model that asks with the question itself and takes over the first thing that it finds."""
    match request.template:
        case "sample_rationales":
            return samples_differ(request)
        case "write_sentence":
            return f"Query: {request.question}"
        case "write_sql":
            table = re.search(r'^("[^"]+"|\w+)\(', request.card.schema)  # type: ignore[attr-defined]
            assert table is not None
            return f"Query: SELECT * FROM {table[1]} LIMIT 5"
        case "correct_rationale":
            text = request.knowledge[0].text.split("\n")[0][:200]  # type: ignore[attr-defined]
            return f"Knowledge: K1\nStatement: {text}"
        case "next_rationale":
            return "Statement: enough"
        case "answer_from_rationales":
            return f"Answer: {request.rationales[0].after[:60]}"  # type: ignore[attr-defined]
    raise AssertionError(request.template)


def records(file: Path, n: int) -> list[Any]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()[:n]]


@pytest.fixture(scope="module")
def hotpot(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("hotpot")
    text = gzip.decompress((shared_data / "cok" / "hotpotqa_passages.jsonl.gz").read_bytes())
    (folder / "passages.jsonl").write_bytes(text)
    (folder / "a.nt").write_text(f'<http://x.org/a> {LABEL} "A" .\n')
    studio = build(folder / "home", environ={})
    studio.import_graph([folder / "a.nt"], "films")
    studio.add_source(SourceSpec("wiki", "text", (str(folder / "passages.jsonl"),), ("factual",)))
    return World(studio, ("wiki",))


def test_hotpotqa_questions_find_their_passages(hotpot: World, shared_data: Path) -> None:
    asked = records(shared_data / "cok" / "hotpotqa.jsonl", 8)
    n_found = 0
    for record in asked:
        run = hotpot.ask(reads_what_it_finds, record["question"])
        view = RunView.of(run.journal.entries)
        assert view.status == "answered" and view.answer is not None and view.answer.knowledge
        [query] = view.rationales.items[0].queries
        titles = {title for title, _ in record["supporting_facts"]}
        n_found += any(e.origin.startswith(t) for e in query.evidence for t in titles)
    assert n_found >= len(asked) * 0.8


def test_fetaqa_tables_are_asked_in_sql(shared_data: Path, tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text(f'<http://x.org/a> {LABEL} "A" .\n')
    studio = build(tmp_path / "home", environ={})
    studio.import_graph([tmp_path / "a.nt"], "films")
    for number, record in enumerate(records(shared_data / "cok" / "fetaqa.jsonl", 2)):
        file = tmp_path / f"table{number}.csv"
        rows = [",".join('"' + c.replace('"', '""') + '"' for c in row) for row in record["table"]]
        file.write_text("\n".join(rows) + "\n", "utf-8")
        studio.add_source(SourceSpec(f"table{number}", "table", (str(file),), ("factual",)))
        run = World(studio, (f"table{number}",)).ask(reads_what_it_finds, record["question"])
        view = RunView.of(run.journal.entries)
        assert view.status == "answered" and view.answer is not None
        assert view.answer.knowledge[0].evidence.raw.startswith("{")


@pytest.mark.parametrize("name", ["fever", "medmcqa", "mmlu_bio", "mmlu_phy"])
def test_other_questions_go_through_the_gate_and_the_sources(
    hotpot: World, shared_data: Path, name: str
) -> None:
    for record in records(shared_data / "cok" / f"{name}.jsonl", 3):
        question = record.get("question") or f"Is this true: {record['statement']}"
        if "options" in record:
            question += " " + " ".join(
                f"{c}: {o}" for c, o in zip("ABCDE", record["options"], strict=False)
            )
        run = hotpot.ask(reads_what_it_finds, question)
        view = RunView.of(run.journal.entries)
        assert view.status == "answered"
        sure = hotpot.ask(lambda request: ["Answer: B"] * 3, question)
        assert RunView.of(sure.journal.entries).usage.kg_requests == 0


# the offline matcher


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    return build(tmp_path_factory.mktemp("demo"), environ={})


@pytest.mark.parametrize(
    "question, answer, source",
    [
        ("Who directed Inception?", "Christopher Nolan", "demo-facts/demo-wikidata"),
        ("Where was the director of Inception born?", "London", "demo-facts/demo-wikidata"),
        ("How many chromosomes does the chimpanzee have?", "48", "demo-tables"),
        ("Which planet has the largest mean radius?", "Jupiter", "demo-tables"),
        ("Which hormone lowers blood glucose?", "Insulin", "demo-medicine"),
        ("What is the unit of force?", "newton", "demo-physics"),
    ],
)
def test_the_offline_matcher_answers_from_the_demo_sources(
    demo: Studio, question: str, answer: str, source: str
) -> None:
    run = demo.ask(Task(question, method="chain-of-knowledge", model="offline"))
    run.drive()
    view = demo.view(run.id)
    assert view.answer is not None
    assert answer in view.answer.text
    assert source in {k.source for k in view.answer.knowledge}
    assert view.rationales.sampled is not None
    assert view.rationales.sampled.agreement == 0  # it remembers nothing, and says so


def test_the_offline_matcher_does_not_pretend(demo: Studio) -> None:
    task = Task(
        "What did my neighbour eat yesterday?", method="chain-of-knowledge", model="offline"
    )
    run = demo.ask(task)
    run.drive()
    view = demo.view(run.id)
    assert view.status == "no_answer"
