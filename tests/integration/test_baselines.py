"""The baselines in whole runs: a model behind a server on loopback, a graph, and passages of text.

The model is what a small language model may be: it reads the prompt it is sent and nothing else. From memory it takes
the wrong person for the director, so what it remembers and what it is shown lead to different answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.llm.litellm_model import LiteLLMModel
from kgcore.prompts.sets import FilePromptSet
from kgcore.ranking import StemRanker
from kgcore.reasoners import REASONERS, reasoner
from kgcore.reasoners.base import asks_sources
from kgcore.reasoners.workload import asks_of
from kgcore.runs import Budget, Edit, Launch, Ports, Run, RunView, lineage, replay
from kgcore.runs.asked import asked_in
from kgcore.runs.changes import changes_of_node, choosing
from kgcore.runs.offers import options_of
from kgcore.sources.spec import SourceSpec
from kgcore.views.captions import captions_of
from kgcore.views.details import calls_of
from kgcore.views.report import run_report
from kgcore.views.tree_network import tree_network
from pages.components.theme import LIGHT
from tests.servers.models import CANARY
from tests.servers.openai_server import OpenAIServer, Say, Status

QUESTION = "In which year was the director of El Tío Disparate born?"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
NAMES = {
    "film": "El Tío Disparate",
    "ortega": "Palito Ortega",
    "director": "director",
    "born": "date of birth",
}
PASSAGES = [
    ("El Tío Disparate", "El Tío Disparate is a film that was directed by Palito Ortega."),
    ("Palito Ortega", "Palito Ortega is a singer and film maker. Palito Ortega was born in 1941."),
    ("Fernando Ayala", "Fernando Ayala was a film director. Fernando Ayala was born in 1920."),
]
REMEMBERED = (
    "1: El Tío Disparate was directed by Fernando Ayala.\n2: Fernando Ayala was born in {year}."
)
# method → settings, its answer, whether that is model memory, requests on the wire
METHODS: Mapping[str, tuple[dict[str, Any], str, bool, int]] = {
    "io": ({}, "1920", True, 1),
    "chain-of-thought": ({}, "1920", True, 1),
    "chain-of-thought-sc": ({"samples": 3}, "1932", True, 1),
    "react": ({}, "1941", False, 5),
    "react-cot": ({"max_steps": 2, "samples": 3}, "1932", True, 4),
    "flare": ({"samples": 3}, "1941", False, 6),
    "verify-and-edit": ({"samples": 4}, "1920", False, 6),
}


def section(prompt: str, head: str) -> str:
    """Return what stands in a prompt below a line that begins with these words."""
    found = re.search(
        rf"^{re.escape(head)}[^\n]*:\n(.*?)(?:\n\n|\Z)", prompt, re.MULTILINE | re.DOTALL
    )
    return found[1] if found else ""


def think(prompt: str, n: int) -> list[str]:
    """Say what a model would say to a prompt, n times."""
    if "at once" in prompt:
        return ["Answer: 1920"]
    if "Write down at most" in prompt:
        years = ("1920", "1932", "1932") if n < 4 else ("1920", "1932", "1955", "1901")
        return [f"{REMEMBERED.format(year=year)}\nAnswer: {year}" for year in years[:n]]
    if "stand for? The candidates" in prompt:
        return ["Candidate: C1"]
    if "then take one step" in prompt:
        return [take_step(prompt)]
    if "write the next sentence" in prompt:
        return next_sentences(prompt, n)
    if "write one question" in prompt:
        rationale = re.search(r"Statement to verify: (.*)", prompt)
        assert rationale is not None
        person = re.match(r"(.*) was born", rationale[1])
        asked = f"When was {person[1]} born" if person else "Who directed El Tío Disparate"
        return [f"Question: {asked}?"]
    if "answer the verifying question" in prompt:
        return [edit(prompt)]
    assert "answer the question from these statements" in prompt, prompt
    years = re.findall(r"born in (\d{4})", section(prompt, "Statements"))
    return [f"Answer: {years[-1]}" if years else "Answer: I cannot tell"]


def take_step(prompt: str) -> str:
    facts, listed = section(prompt, "Facts"), section(prompt, "Relations that lead on")
    year = re.search(r"date of birth: (\d{4})", facts)
    if year:
        return f"Thought: the date is known.\nAnswer: {year[1]}"
    person = re.search(r"director: (E\d+)", facts)
    wanted = "date of birth" if person else "director"
    option = re.search(rf"^(R\d+) {wanted} →", listed, re.MULTILINE)
    if option:
        return f"Thought: I need the {wanted}.\nFollow: {option[1]}"
    return f"Thought: I have to look at it.\nSearch: {person[1] if person else 'El Tío Disparate'}"


def next_sentences(prompt: str, n: int) -> list[str]:
    """Write a sentence that differs from sample to sample, or what the knowledge says of the one wanted."""
    written, knowledge = section(prompt, "Sentences written"), section(prompt, "Knowledge found")
    director = re.search(r"directed by ([\w ]+)\.", written)
    if "born in" in written:
        return ["Statement: enough\nUnsure: none\nKnowledge: none"] * n
    what = (
        rf"{director[1]} was born in \d{{4}}\."
        if director
        else r"[\w ]+ that was directed by [\w ]+\."
    )
    for number, line in enumerate(knowledge.split("\n"), 1):
        said = re.search(what, line)
        if said:
            text = said[0].replace("is a film that ", "")
            return [f"Statement: {text}\nUnsure: none\nKnowledge: K{number}"]
    if director is None:
        names = ("Fernando Ayala", "Hugo del Carril", "Leopoldo Torre")
        drafts = [f"El Tío Disparate was directed by {names[i % 3]}." for i in range(n)]
    else:
        drafts = [f"{director[1]} was born in {1950 + i}." for i in range(n)]
    return [f"Statement: {text}\nUnsure: none\nKnowledge: none" for text in drafts]


def edit(prompt: str) -> str:
    asked = re.search(
        r"Question that verifies it: (When was|Who directed) (.*?)(?: born)?\?", prompt
    )
    assert asked is not None
    what = rf"{asked[2]} was born in \d{{4}}" if asked[1] == "When was" else "directed by [\\w ]+"
    for number, line in enumerate(section(prompt, "Knowledge found").split("\n"), 1):
        said = re.search(what, line)
        if said:
            text = said[0] if asked[1] == "When was" else f"{asked[2]} was {said[0]}"
            return f"Thought: it says so.\nKnowledge: K{number}\nStatement: {text}."
    return "Thought: it says nothing.\nKnowledge: none\nStatement: unchanged"


def reply(body: Mapping[str, Any]) -> Say:
    prompt = "\n".join(str(m["content"]) for m in body["messages"] if m["role"] == "user")
    return Say(texts=think(prompt, int(body.get("n") or 1)))


@dataclass
class World:
    """A studio with a graph and passages, and a model behind a server."""

    studio: Studio
    server: OpenAIServer

    def launch(self, method: str) -> Launch:
        model = LiteLLMModel(
            "openai/test-model",
            api_base=self.server.address,
            prompts=FilePromptSet(),
            api_key=lambda: CANARY,
        )
        ports = {"people": self.studio.source("people")}
        graph = self.studio.graph(("films",))
        return Launch(
            reasoner(method),
            Ports(graph, {"reason": model}, StemRanker(), ports),
            self.studio.store,
        )

    def config(self, method: str, **settings: Any) -> Any:
        config_class = reasoner(method).config_class
        values = {**METHODS[method][0], **settings}
        if asks_sources(config_class):
            values = {"sources": self.studio.sources(("people",)), **values}
        return config_class(**values)

    def ask(self, method: str, *, budget: Budget | None = None, **settings: Any) -> Run:
        run = lineage.ask(
            self.launch(method),
            QUESTION,
            self.config(method, **settings),
            budget=budget or Budget(),
        )
        run.drive()
        assert not run.problem
        return run


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    studio = build(tmp_path / "home", environ={})
    lines = [f'<http://x.org/{n}> {LABEL} "{label}" .' for n, label in NAMES.items()]
    lines.append("<http://x.org/film> <http://x.org/director> <http://x.org/ortega> .")
    lines.append('<http://x.org/ortega> <http://x.org/born> "1941" .')
    graph = tmp_path / "films.nt"
    graph.write_text("\n".join(lines) + "\n", "utf-8")
    studio.import_graph([graph], "films")
    passages = tmp_path / "people.jsonl"
    rows = [json.dumps({"title": title, "text": text}) for title, text in PASSAGES]
    passages.write_text("\n".join(rows) + "\n", "utf-8")
    studio.add_source(SourceSpec("people", "text", (str(passages),), ("factual",), "people"))
    with OpenAIServer([reply]) as server:
        yield World(studio, server)
    studio.store.close()


def view_of(run: Run) -> RunView:
    return RunView.of(run.journal.entries)


# every method


@pytest.mark.parametrize("method", METHODS)
def test_it_answers_and_counts_what_went_over_the_wire(world: World, method: str) -> None:
    _, expected, is_memory, n_requests = METHODS[method]
    run = world.ask(method)
    view = view_of(run)
    assert view.answer is not None and view.answer.text == expected
    assert view.answer.is_model_memory is is_memory
    assert world.server.n_requests == view.usage.llm_requests == n_requests
    assert run_report(view)["model_memory"] is is_memory


@pytest.mark.parametrize("method", METHODS)
def test_a_run_replays_strictly_and_every_prefix_folds(world: World, method: str) -> None:
    run = world.ask(method)
    assert replay(reasoner(method), run.journal) == view_of(run).answer
    entries = run.journal.entries
    for n in range(1, len(entries) + 1):
        RunView.of(entries[:n])


@pytest.mark.parametrize("method", METHODS)
def test_asking_again_with_memory_asks_nothing(world: World, method: str) -> None:
    run = world.ask(method)
    n_before = world.server.n_requests
    again = lineage.rerun(world.launch(method), run.id)
    again.drive()
    assert world.server.n_requests == n_before
    assert view_of(again).answer == view_of(run).answer


@pytest.mark.parametrize("method", [m for m in METHODS if METHODS[m][3] > 1])
def test_a_run_out_of_budget_goes_on_to_the_same_answer(world: World, method: str) -> None:
    whole = view_of(world.ask(method))
    n_before = world.server.n_requests
    run = world.ask(method, budget=Budget(calls=2))
    assert view_of(run).status == "budget"
    again = lineage.resume(world.launch(method), run.id, budget=Budget(calls=50))
    again.drive()
    assert view_of(again).answer == whole.answer
    assert world.server.n_requests - n_before == whole.usage.llm_requests


@pytest.mark.parametrize("method", METHODS)
def test_what_it_takes_lies_within_what_is_told_beforehand(world: World, method: str) -> None:
    config = world.config(method)
    told = asks_of(reasoner(method), config, 1)
    assert told is not None
    taken = view_of(world.ask(method)).usage.llm_requests
    assert sum(a.least for a in told) <= taken <= sum(a.most for a in told)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("method", METHODS)
def test_it_is_told_and_drawn_in_both_languages(world: World, method: str, language: str) -> None:
    run = world.ask(method)
    captions = captions_of(run.journal.entries, language)
    assert METHODS[method][1] in captions[-1].text
    drawn = tree_network(view_of(run), LIGHT, language=language)
    assert len(drawn.nodes) == len(view_of(run).nodes)
    assert any(METHODS[method][1] in node["label"] for node in drawn.nodes)


@pytest.mark.parametrize("method", METHODS)
def test_a_refused_key_ends_the_run_after_one_request(world: World, method: str) -> None:
    world.server.script = [Status(401, {}, {"error": {"message": f"no such key {CANARY}"}})]
    view = view_of(world.ask(method))
    assert view.status == "failed" and view.ended is not None
    assert "key" in view.ended.reason and CANARY not in view.ended.reason
    assert world.server.n_requests == 1


@pytest.mark.parametrize("method", METHODS)
def test_talk_instead_of_a_reply_never_breaks_a_run(world: World, method: str) -> None:
    talk = "Well. That is a long story, and before I tell it let me say something else. " * 8
    world.server.script = [Say(talk)]
    view = view_of(world.ask(method))
    assert view.status == "no_answer"
    assert view.warnings or view.rejected


# what each is known for


def test_a_walk_proves_its_answer_from_the_graph(world: World) -> None:
    view = view_of(world.ask("react"))
    assert view.answer is not None
    assert [t.relation.label for t in view.answer.proof] == ["director", "date of birth"]
    actions = [view.nodes[n].action for n in view.answer_path if view.nodes[n].action != "think"]
    assert actions == ["start", "search", "select_relation", "select_relation", "answer"]


def test_what_led_to_a_step_is_found_above_the_thought_before_it(world: World) -> None:
    run = world.ask("react")
    view, asked = view_of(run), asked_in(reasoner("react"), run.journal)
    for node in view.nodes.values():
        if node.parent is None:
            continue
        led = next(c for c in changes_of_node(view, asked, node) if c.kind == "instead")
        assert asked[led.address].request.template == "take_step"
        if node.action != "think":
            details = calls_of(view, node)
            [choice] = [c for c in details if c.part == "choice" and c.template]
            assert choice.template == "take_step" and "Move(" not in choice.replies[0].read_as


def test_a_walk_falls_back_to_what_most_lines_of_thought_say(world: World) -> None:
    view = view_of(world.ask("react-cot"))
    assert view.answer is not None and view.answer.is_fallback
    assert view.rationales.sampled is not None and view.rationales.sampled.counts[0] == ("1932", 2)


def test_a_sentence_is_searched_for_without_what_is_doubtful(world: World) -> None:
    view = view_of(world.ask("flare"))
    first, second = view.rationales.items
    assert first.queries[0].query == "El Tío Disparate was directed by."
    assert first.text == "El Tío Disparate was directed by Palito Ortega."
    assert second.draft.startswith("Palito Ortega was born")
    assert [r.status for r in view.rationales.items] == ["changed", "changed"]
    assert view.answer is not None and not view.answer.proof and len(view.answer.knowledge) == 2


def test_a_mistake_that_others_build_on_is_edited_too_late(world: World) -> None:
    """Each rationale is right by itself afterwards; that the second speaks of the wrong person nobody notices."""
    view = view_of(world.ask("verify-and-edit"))
    assert [r.text for r in view.rationales.items] == [
        "El Tío Disparate was directed by Palito Ortega.",
        "Fernando Ayala was born in 1920.",
    ]
    asked = [r.queries[0].query for r in view.rationales.items]
    assert asked == ["Who directed El Tío Disparate?", "When was Fernando Ayala born?"]


def test_another_step_of_a_walk_forks_the_run(world: World) -> None:
    run = world.ask("react")
    step = next(e for e in run.journal.entries if getattr(e.body, "step", {}).get("kind") == "Ask")
    edit_ = Edit(*step.address, replies=("Answer: 1777",))
    fork = lineage.fork(world.launch("react"), run.id, [edit_])
    fork.drive()
    view = view_of(fork)
    assert view.answer is not None and view.answer.text == "1777" and view.answer.is_model_memory


# without a model


@pytest.mark.parametrize("question", ["Who directed Inception?", "谁导演了盗梦空间？"])
@pytest.mark.parametrize("method", METHODS)
def test_the_matcher_ends_every_method_honestly(demo: Studio, method: str, question: str) -> None:
    run = demo.ask(Task(question, method=method, model="offline"))
    run.drive()
    view = demo.view(run.id)
    assert view.ended is not None and not run.problem
    if view.status == "answered":
        assert view.answer is not None and not view.answer.is_model_memory
        return
    assert view.status == "no_answer"
    assert view.ended.reason


def test_the_matcher_walks_through_the_demo_graphs(demo: Studio) -> None:
    run = demo.ask(
        Task("Where was the director of Inception born?", method="react", model="offline")
    )
    run.drive()
    view = demo.view(run.id)
    assert view.answer is not None and view.answer.text == "London" and len(view.answer.proof) == 2


def test_a_person_may_take_another_step_of_a_walk(demo: Studio) -> None:
    run = demo.ask(Task("Who directed Inception?", method="react", model="offline"))
    run.drive()
    view, asked = demo.view(run.id), asked_in(reasoner("react"), demo.journal(run.id))
    node = next(n for n in view.nodes.values() if n.argument == "director")
    led = next(c for c in changes_of_node(view, asked, node) if c.kind == "instead")
    offered = options_of(asked[led.address].request)
    labels = [option.label for option in offered]
    assert {"director", "composer", "look up:", "answer:"} <= set(labels)
    for label, text in (("composer", ""), ("look up:", "Memento"), ("answer:", "Somebody")):
        edit_ = choosing(
            asked[led.address], [offered[labels.index(label)]], text=text, node=node.id
        )
        fork = demo.fork(run.id, [edit_])
        fork.drive()
        arguments = [n.argument for n in demo.view(fork.id).nodes.values()]
        assert (text or label) in arguments


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    studio = build(tmp_path_factory.mktemp("demo"), environ={})
    studio.graphs()
    yield studio
    studio.store.close()


def test_all_baselines_are_here() -> None:
    compared = {
        name for name in REASONERS if type(reasoner(name)).__module__.endswith("baselines.methods")
    }
    assert compared == set(METHODS)
