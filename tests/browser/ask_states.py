"""The states the Ask page can be in, made for real: runs of every kind and end in one data folder."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from kgcore.bootstrap import Studio, Task, build
from kgcore.config import Settings, save_settings
from kgcore.corrections.proposing import Wish, understand
from kgcore.errors import KGCoreError
from kgcore.model import Relation, RelationId
from kgcore.runs import Edit, Ended, Run
from kgcore.runs.entries import Act
from kgcore.steps import Answer, AnswerPart
from tests.servers.openai_server import OpenAIServer, Status
from tests.unit.views import hand_made as made

SHORT = "Which actor starred in both Inception and Interstellar?"
SHORT_ZH = "哪位演员同时出演了《盗梦空间》和《星际穿越》？"
BORN = "Where was the director of Inception born?"
LONG = (
    "Of all the actors who played in a film that Christopher Nolan directed between 2005 and 2014 and that won at "
    "least one award, who also played in another film whose music was written by Hans Zimmer, and in which year was "
    "that film published?"
)
VENUE = "What is the home venue of the team whose mascot is Rollo Bear?"
TOWN = "Who is the mayor of Elmton?"
KEY = "sk-states-000000000000000000000000000000"
CLUBS = """\
@prefix s: <http://sport.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
s:reds rdfs:label "Ashford Reds"@en ; s:mascot s:rollo ; s:venue s:old ; s:league s:north .
s:blues rdfs:label "Dover Blues"@en ; s:mascot s:gull ; s:venue s:quay ; s:league s:north .
s:rollo rdfs:label "Rollo Bear"@en . s:gull rdfs:label "Captain Gull"@en .
s:old rdfs:label "Old Mill Field"@en . s:new rdfs:label "Harbour Park"@en .
s:quay rdfs:label "Quay Ground"@en . s:north rdfs:label "North League"@en .
s:mascot rdfs:label "mascot"@en . s:venue rdfs:label "home venue"@en . s:league rdfs:label "league"@en .
"""
TOWNS = """\
@prefix t: <http://towns.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
t:mayor rdfs:label "mayor" .
t:ann rdfs:label "Ann Lee" . t:bea rdfs:label "Bea Kim" .
t:north rdfs:label "Elmton" ; schema:description "town in the north hills" ; t:mayor t:ann .
t:south rdfs:label "Elmton" ; schema:description "town by the southern sea" ; t:mayor t:bea .
"""
FILMOGRAPHY = Relation(RelationId("x:film"), "notable work that was published in this year")


@dataclass(slots=True)
class States:
    """The runs that were made: the name of a state and the query of its address."""

    queries: dict[str, str] = field(default_factory=dict)

    def keep(self, name: str, run: Run | str, more: str = "") -> str:
        """Keep a run under a name; return its id."""
        run_id = run if isinstance(run, str) else run.id
        self.queries[name] = f"?run={run_id}{more}"
        return run_id


def make(home: Path) -> States:
    """Make the runs that are over; return where each can be looked at."""
    home.mkdir(parents=True, exist_ok=True)
    studio = build(home, environ={"OPENAI_API_KEY": KEY})
    studio.ensure_demo()
    for name, text in (("clubs", CLUBS), ("towns", TOWNS)):
        file = home / f"{name}.ttl"
        file.write_text(text, "utf-8")
        studio.import_graph([file], name)
        file.unlink()
    states = States()
    _make_answers(studio, states)
    _make_lists(studio, states)
    _make_failures(studio, states)
    _make_versions(studio, states)
    studio.store.close()
    return states


def _drive(studio: Studio, task: Task) -> Run:
    run = studio.ask(task)
    run.drive()
    return run


def _make_answers(studio: Studio, states: States) -> None:
    short = states.keep("short", _drive(studio, Task(SHORT, model="offline")))
    states.queries["past"] = f"?run={short}&at=14"
    states.keep("long-question", _drive(studio, Task(LONG, model="offline")))
    states.keep("chinese-question", _drive(studio, Task(SHORT_ZH, model="offline")))
    states.keep(
        "rationales", _drive(studio, Task(BORN, method="chain-of-knowledge", model="offline"))
    )
    beam = Task(SHORT, method="think-on-graph", model="offline", settings={"max_depth": 3})
    states.keep("beams", _drive(studio, beam))


def _make_lists(studio: Studio, states: States) -> None:
    """Make runs by hand whose answers are long: thirty works, and one of a very long name."""
    works = [made.entity(100 + i, f"Notable work number {i} of the long list") for i in range(30)]
    proof = tuple(made.fact(made.NOLAN, FILMOGRAPHY, work) for work in works)
    parts = tuple(AnswerPart(work) for work in works)
    listed = Answer(", ".join(w.name for w in works), parts, 0.8, proof, node=6)
    states.keep("list", _by_hand(studio, "a" * 32, listed, "answered"))
    none = Answer("", (), 0.0, (), is_answer=False, limit="the search is exhausted")
    states.keep("no-answer", _by_hand(studio, "b" * 32, none, "no_answer"))


def _by_hand(studio: Studio, run_id: str, answer: Answer, status: str) -> str:
    bodies = made.story()
    bodies[0] = replace(bodies[0], run_id=run_id)
    grown = next(
        i for i, body in enumerate(bodies) if getattr(body, "triples", ()) == made.CAST_OF_OTHER
    )
    bodies[grown] = replace(bodies[grown], triples=answer.proof or made.CAST_OF_OTHER)
    bodies[-2:] = [Ended(status, answer.limit, answer if answer.is_answer else None, 3.2)]
    first, *rest = made.entries(bodies)
    studio.store.create(first.body, entries=rest)  # type: ignore[arg-type]
    return run_id


def _make_failures(studio: Studio, states: States) -> None:
    """Make runs whose model cannot be reached, refuses the key, or was never let to answer."""
    gone = Task(SHORT, model="openai/test", api_base="http://127.0.0.1:9/v1")
    states.keep("unreachable", _failed(studio, gone))
    refusal = {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
    with OpenAIServer([Status(401, {}, refusal)]) as model:
        refused = Task(SHORT, model="openai/test", api_base=model.address)
        states.keep("bad-key", _failed(studio, refused))
    stopped = studio.ask(Task(SHORT, model="offline", is_paused=True))
    stopped.start()
    stopped.step_over()
    stopped.stop()
    stopped.join(30)
    states.keep("stopped", stopped)


def _failed(studio: Studio, task: Task) -> Run:
    run = studio.ask(task)
    with contextlib.suppress(KGCoreError):
        run.drive()
    return run


def _make_versions(studio: Studio, states: States) -> None:
    """Make a run, a fork that ends the same, one that does not, and a rerun with a correction."""
    old = _drive(studio, Task(VENUE, ("clubs",), model="offline"))
    states.keep("answered-clubs", old)
    done = old.journal.results_in_yield_order()
    asked = next(address for address, step in done if step.step["kind"] == "Ask")
    same = studio.fork(
        old.id, [Edit(*asked, banned=RelationId("s:league"), act=Act("ban", what="league"))]
    )
    same.drive()
    states.keep("fork-same", same)
    other = studio.fork(
        old.id, [Edit(*asked, replies=("nonsense",), act=Act("reply", to="nonsense"))]
    )
    other.drive()
    states.keep("fork-other", other)
    wish = Wish("clubs", "Ashford Reds", "home venue", "Old Mill Field", "replace", "Harbour Park")
    kept = studio.corrections.propose(understand(wish, studio.graph(("clubs",))))
    studio.corrections.approve(kept.id)
    states.queries["recheck"] = states.queries["answered-clubs"]
    again = studio.rerun(old.id)
    again.drive()
    states.keep("again", again)


def use_model(home: Path, address: str) -> None:
    """Let the model of this data folder be one at an address."""
    home.mkdir(parents=True, exist_ok=True)
    save_settings(home, Settings(model="openai/test", api_base=address))
