"""What a person decides in a run, as a script: the dialog that makes a fork, and the choice of what a name means."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.runs import Gate
from pages.components import change
from pages.components.studio import shared
from tests.browser.test_link_choice import QUESTION, TOWNS
from tests.ui.test_ask_page import address, html, open_page, wait_for_end


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs and a graph of two towns of one name."""
    home = tmp_path_factory.mktemp("changing-home")
    studio = build(home, environ={})
    studio.ensure_demo()
    file = tmp_path_factory.mktemp("towns") / "towns.ttl"
    file.write_text(TOWNS, "utf-8")
    studio.import_graph([file], "towns")
    studio.store.close()
    return home


@pytest.fixture
def studio(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("KGCORE_HOME", str(home))
    opened = build(home, environ={})
    yield opened
    for record in opened.store.list():
        opened.store.delete(record.id)
    opened.store.close()


def test_another_choice_is_made_in_a_fork_and_the_run_stays(studio: Studio) -> None:
    run = studio.ask(Task("Who directed Casablanca?", model="offline"))
    run.drive()
    before = studio.store.load(run.id)
    page = open_page(run.id)
    page.button(key="change-node").click().run()
    kinds = next(g for g in page.get("button_group") if g.key == "change-form-kind")
    assert kinds.options == ["Instead of this step", "Set its value", "Prune it", "Edit a reply"]
    page.radio[0].set_value(0).run()
    text = next(box for box in page.text_area if box.label == "In your words")
    text.set_value("mind the <b>year</b>")
    page.button(key="change-start").click().run()
    assert not page.exception
    assert address(page) != run.id
    page.run()
    assert "chose otherwise at #" in html(page) and "<b>year</b>" not in html(page)
    assert studio.store.load(run.id) == before


def test_a_name_waits_for_a_choice_and_the_run_goes_on_with_it(studio: Studio) -> None:
    task = Task(QUESTION, ("towns",), model="offline", gate=Gate(triples=False, links=True))
    run = shared().studio.ask(task)
    run.start()
    deadline = time.monotonic() + 30
    while run.waiting_link is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    page = open_page(run.id)
    assert "A name may mean several things" in html(page)
    (radio,) = [r for r in page.radio if r.key.startswith("link-")]
    assert radio.options[-1] == "none of these" and len(radio.options) == 3
    radio.set_value(1)
    next(b for b in page.button if b.key.endswith("-take")).click().run()
    assert not page.exception
    assert run.join(30)
    seeds = studio.view(run.id).subgraph.entities
    assert any(entity.name == "Elmton" for entity in seeds)
    assert run.status == "answered"


def test_a_fork_takes_a_name_for_another_thing_of_the_graph(studio: Studio) -> None:
    run = studio.ask(Task(QUESTION, ("towns",), model="offline"))
    run.drive()
    page = open_page(run.id)
    page.session_state["change-target"] = change.Target(run.id, node=0, kind="link")
    page.run()
    (radio,) = [r for r in page.radio if r.key.startswith("change-form-link")]
    assert radio.options[-1] == "none of these" and len(radio.options) == 3
    radio.set_value(-1).run()
    (box,) = [b for b in page.text_input if b.label == "Another name, or an id"]
    box.set_value("Nowhere").run()
    assert [e.value for e in page.error] == ["nothing is found for “Nowhere” in towns"]
    page.button(key="change-start").click().run()
    assert "nothing is chosen for “Elmton” yet" in page.error[-1].value
    box = next(b for b in page.text_input if b.label == "Another name, or an id")
    box.set_value("Port Oak").run()
    page.button(key="change-start").click().run()
    assert not page.exception and not page.error
    fork = address(page)
    assert fork != run.id
    wait_for_end(studio, fork)
    view = studio.view(fork)
    assert next(e.name for e in view.subgraph.entities) == "Port Oak"
    assert view.ended is not None and view.ended.answer is not None
    assert view.ended.answer.text == "Cat Roe"
    page = open_page(fork)
    assert "took “Elmton” for Port Oak (town on the" in html(page)
