"""What a person changes in a run that was really made: each change is a fork, and the run itself stays as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, Task, build
from kgcore.cli.output import report_lines
from kgcore.errors import InputError
from kgcore.model import from_dict, to_dict
from kgcore.reasoners import reasoner
from kgcore.runs import Edit, Journal, NodeView, RunView
from kgcore.runs.acts import act_of, act_words
from kgcore.runs.asked import Asked, asked_in
from kgcore.runs.changes import (
    KINDS,
    banning,
    changes_of_entry,
    changes_of_node,
    choosing,
    prompting,
    relations_at,
    replying,
    settling,
    thinking,
    valuing,
)
from kgcore.runs.entries import Address
from kgcore.runs.offers import mentions_of, options_of
from kgcore.runs.pruning import pruning
from kgcore.steps import Replies
from kgcore.views.document_markdown import as_markdown
from kgcore.views.report import run_report
from kgcore.views.run_document import run_document
from kgcore.views.tables import tree_text
from kgcore.views.tree_network import node_label
from tests.unit.runs.films_of_one_name import FILMS, FIRST, QUESTION, SECOND

ONE_HOP, TWO_HOPS = "Who directed Inception?", "Where was the director of Inception born?"
TREE, CHAIN, BEAM = "tree-of-traversals", "chain-of-traversals", "think-on-graph"


@dataclass(frozen=True, slots=True)
class Made:
    """A run that has ended, and what the model was asked in it."""

    studio: Studio
    id: str
    view: RunView
    asked: Mapping[Address, Asked]

    def fork(self, *edits: Edit) -> RunView:
        before = self.studio.store.load(self.id)
        run = self.studio.fork(self.id, edits)
        run.drive()
        assert self.studio.store.load(self.id) == before, "the parent is as it was"
        return self.studio.view(run.id)

    def node(self, action: str, argument: str = "") -> NodeView:
        return next(
            n for n in self.view.nodes.values() if n.action == action and argument in n.argument
        )

    def change(self, node: NodeView, kind: str) -> Asked:
        found = [c for c in changes_of_node(self.view, self.asked, node) if c.kind == kind]
        return self.asked[found[0].address]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Studio:
    made = build(tmp_path_factory.mktemp("changes"), environ={})
    made.graphs()
    return made


def made(
    studio: Studio, question: str = ONE_HOP, method: str = TREE, kgs: tuple[str, ...] = ()
) -> Made:
    run = studio.ask(Task(question, kgs, method=method, model="offline"))
    run.drive()
    journal = studio.journal(run.id)
    return Made(studio, run.id, studio.view(run.id), asked_in(reasoner(method), journal))


@pytest.fixture(scope="module")
def tree(studio: Studio) -> Made:
    return made(studio)


@pytest.fixture(scope="module")
def beam(studio: Studio) -> Made:
    return made(studio, TWO_HOPS, BEAM)


def answer_of(view: RunView) -> str:
    assert view.answer is not None
    return view.answer.text


def test_every_question_to_the_model_is_found_again_without_a_call(tree: Made) -> None:
    journal = tree.studio.journal(tree.id)
    replied = {a for a, done in journal.results.items() if isinstance(done.result, Replies)}
    assert set(tree.asked) == replied
    for one in tree.asked.values():
        for reply in one.replies.items:
            assert reply.problem or one.request.read(reply.text) == reply.value


def test_another_choice_leads_elsewhere(tree: Made) -> None:
    node = tree.node("select_relation", "director")
    asked = tree.change(node, "instead")
    option = next(o for o in options_of(asked.request) if o.label == "composer")
    edit = choosing(asked, [option], author="ana", node=2, kind="instead")
    fork = tree.fork(edit)
    taken = [n for n in fork.nodes.values() if n.action == "select_relation"]
    assert [n.argument for n in taken] == ["composer"]
    assert [a.kind for a in taken[0].acts] == ["instead"]
    assert act_words(act_of(edit)) == "ana chose otherwise at #2: composer"
    assert answer_of(tree.view) == "Christopher Nolan" != answer_of(fork)


def test_an_action_can_be_forced_and_says_what_the_person_wrote(tree: Made) -> None:
    asked = tree.change(tree.view.nodes[0], "next")
    option = next(o for o in options_of(asked.request) if o.label == "answer:")
    fork = tree.fork(choosing(asked, [option], text="Emma Thomas", node=0))
    assert next(n.argument for n in fork.nodes.values() if n.action == "answer") == "Emma Thomas"


def test_an_action_without_its_text_is_refused(tree: Made) -> None:
    asked = tree.change(tree.view.nodes[0], "next")
    for option in options_of(asked.request):
        if option.needs_text:
            with pytest.raises(InputError, match="a text is needed"):
                choosing(asked, [option])


def test_a_thought_is_added_beside_what_the_model_wants(tree: Made) -> None:
    asked = tree.change(tree.view.nodes[0], "thought")
    fork = tree.fork(thinking(asked, "the  producers may\nknow", node=0))
    below = {n.action: n for n in fork.nodes.values() if n.parent == 0}
    assert below["think"].argument == "the producers may know"
    assert [a.kind for a in below["think"].acts] == ["thought"]
    assert "expand" in below and not below["expand"].acts
    assert answer_of(fork) == answer_of(tree.view)


@pytest.mark.parametrize("value", [0.0, 0.07, 1.0])
def test_a_value_is_set_and_the_node_is_marked(tree: Made, value: float) -> None:
    node = tree.node("select_relation")
    fork = tree.fork(valuing(tree.view, tree.asked, node, value, author="ana"))
    assert fork.nodes[node.id].value == pytest.approx(value)
    assert "ana" in fork.nodes[node.id].reason
    assert [a.kind for a in fork.nodes[node.id].acts] == ["value"]
    assert not any(n.acts for n in fork.nodes.values() if n.id != node.id)


def test_a_value_among_siblings_leaves_theirs_as_they_are(studio: Studio, tree: Made) -> None:
    first = tree.fork(thinking(tree.change(tree.view.nodes[0], "thought"), "think first", node=0))
    assert first.started is not None
    journal = studio.journal(first.started.run_id)
    forked = Made(studio, first.started.run_id, first, asked_in(reasoner(TREE), journal))
    think, other = forked.node("think"), forked.node("expand")
    again = forked.fork(valuing(first, forked.asked, think, 0.9))
    assert again.nodes[think.id].value == 0.9
    assert again.nodes[other.id].value == other.value
    assert [a.kind for a in again.nodes[think.id].acts] == ["thought", "value"]
    assert [n.id for n in again.nodes.values() if n.order == 2] == [think.id], "it comes next"


def test_a_value_out_of_bounds_is_refused(tree: Made) -> None:
    for value in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError):
            valuing(tree.view, tree.asked, tree.node("select_relation"), value)


def test_what_is_pruned_does_not_come_into_being(tree: Made) -> None:
    node = tree.node("select_relation", "director")
    fork = tree.fork(pruning(tree.view, tree.asked, node))
    assert not [n for n in fork.nodes.values() if "director" in n.argument]
    assert node.parent is not None
    assert [a.kind for a in fork.nodes[node.parent].acts] == ["prune"]
    assert not [line.text for line in fork.log if line.kind == "error"]
    assert answer_of(fork) != answer_of(tree.view)


def test_a_banned_relation_is_not_offered_from_there_on(tree: Made) -> None:
    node = tree.node("select_entities")
    banned = next(r for r in relations_at(tree.view, node) if r.option.phrase == "director")
    edit = banning(banned.address[0], banned.option.relation.id, label="director", node=node.id)
    fork = tree.fork(edit)
    taken = [n.argument for n in fork.nodes.values() if n.action == "select_relation"]
    assert "director" not in taken and taken
    assert [a.kind for a in fork.nodes[node.id].acts] == ["ban"]
    assert act_words(act_of(edit)) == "local banned the relation “director”"


def test_an_edited_reply_is_read_before_anything_is_started(tree: Made) -> None:
    asked = tree.change(tree.node("select_relation"), "reply")
    with pytest.raises(InputError, match="cannot be read"):
        replying(asked, ["no value at all"])
    with pytest.raises(InputError, match="as it was"):
        replying(asked, asked.texts)
    with pytest.raises(InputError, match="is empty"):
        replying(asked, [" \n"])
    with pytest.raises(InputError, match="longer than"):
        replying(asked, ["0.5 " * 10_000])


def test_one_of_several_replies_can_be_edited(tree: Made) -> None:
    asked = tree.change(tree.view.nodes[0], "reply")
    texts = ["Action: think\nThought: <b>who</b> made it?", *asked.texts[1:]]
    fork = tree.fork(replying(asked, texts, node=0))
    assert {n.action: n.votes for n in fork.nodes.values() if n.parent == 0} == {
        "think": 1,
        "expand": 2,
    }


def test_the_matcher_is_offered_no_other_prompt(tree: Made) -> None:
    for node in tree.view.nodes.values():
        assert "prompt" not in {c.kind for c in changes_of_node(tree.view, tree.asked, node)}


def test_a_prompt_has_to_be_another_one(tree: Made) -> None:
    asked = tree.change(tree.view.nodes[0], "reply")
    with pytest.raises(InputError, match="as it was"):
        prompting(asked, asked.replies.prompt)
    edit = prompting(asked, " What would you do? ", author="ana")
    assert (edit.prompt, edit.address) == ("What would you do?", asked.address)
    assert act_words(act_of(edit)) == "ana edited a prompt"


def test_a_chain_offers_no_value_for_what_it_does_not_rate(studio: Studio) -> None:
    chain = made(studio, method=CHAIN)
    kinds = {
        c.kind for c in changes_of_node(chain.view, chain.asked, chain.node("select_relation"))
    }
    assert "value" not in kinds and {"next", "instead", "thought", "ban"} <= kinds


def test_changes_come_in_one_order_each_once(tree: Made, beam: Made) -> None:
    for run in (tree, beam):
        for node in run.view.nodes.values():
            found = changes_of_node(run.view, run.asked, node)
            assert len(set(found)) == len(found)
            places = [KINDS.index(change.kind) for change in found]
            assert places == sorted(places)


def test_what_an_entry_offers_is_what_it_is_about(tree: Made) -> None:
    journal = tree.studio.journal(tree.id)
    for entry in journal.entries:
        kinds = {c.kind for c in changes_of_entry(tree.view, tree.asked, entry.seq)}
        assert ("reply" in kinds) == isinstance(getattr(entry.body, "result", None), Replies)


# a beam


def test_a_beam_follows_what_it_is_told(beam: Made) -> None:
    asked = beam.change(beam.node("beam"), "instead")
    option = next(o for o in options_of(asked.request) if o.label == "composer")
    fork = beam.fork(choosing(asked, [option], node=0, kind="instead"))
    first = [n for n in fork.nodes.values() if n.depth == 1 and n.action == "beam"]
    assert {n.argument.partition(" → ")[0] for n in first} == {"composer"}
    assert all([a.kind for a in n.acts] == ["instead"] for n in first)


@pytest.mark.parametrize("value", [0.3, 0.05])
def test_the_value_of_a_path_is_set_by_its_score(beam: Made, value: float) -> None:
    node = beam.node("beam", "director")
    fork = beam.fork(valuing(beam.view, beam.asked, node, value))
    same = next(n for n in fork.nodes.values() if n.argument == node.argument)
    assert same.value == pytest.approx(value, abs=0.006)
    assert [a.kind for a in same.acts] == ["value"]


def test_a_pruned_path_is_not_gone_on_with(beam: Made) -> None:
    node = beam.node("beam", "director")
    fork = beam.fork(pruning(beam.view, beam.asked, node))
    kept = [n for n in fork.nodes.values() if n.argument == node.argument and not n.is_pruned]
    assert not kept
    assert answer_of(fork) != answer_of(beam.view)


def test_a_beam_takes_no_thought(beam: Made) -> None:
    for node in beam.view.nodes.values():
        assert "thought" not in {c.kind for c in changes_of_node(beam.view, beam.asked, node)}


# names


def test_a_settled_name_leads_to_another_answer(studio: Studio, tmp_path: Path) -> None:
    file = tmp_path / "films.ttl"
    file.write_text(FILMS, "utf-8")
    studio.import_graph([file], "films")
    run = made(studio, QUESTION, kgs=("films",))
    linked = [one for one in run.asked.values() if mentions_of(one.request, one.replies.value)]
    mention = mentions_of(linked[0].request, linked[0].replies.value)[0]
    assert len(mention.candidates) == 2 and mention.chosen is not None
    edit = settling(linked[0], 0, 1 - mention.chosen, author="ana")
    fork = run.fork(edit)
    assert {answer_of(run.view), answer_of(fork)} == {FIRST, SECOND}
    assert [a.kind for a in fork.nodes[0].acts] == ["link"]
    assert act_words(act_of(edit)).startswith("ana took “Solaris” for Solaris (")
    none = run.fork(settling(linked[0], 0, None))
    assert not any(seed.entity for seed in none.seeds)
    with pytest.raises(InputError, match="no such candidate"):
        settling(linked[0], 0, 2)


# what stays with the run


def test_an_edit_with_its_act_goes_through_a_file(tree: Made) -> None:
    edit = valuing(tree.view, tree.asked, tree.node("select_relation"), 0.2, author="安娜")
    assert from_dict(to_dict(edit)) == edit


def test_every_prefix_of_a_fork_folds_with_its_marks(tree: Made) -> None:
    node = tree.node("select_relation")
    fork = tree.fork(valuing(tree.view, tree.asked, node, 0.2))
    assert fork.started is not None
    entries = tree.studio.store.load(fork.started.run_id)
    for n in range(1, len(entries) + 1):
        part = RunView.of(entries[:n])
        assert len(part.acts) == 1
        if node.id in part.nodes and part.nodes[node.id].value is not None:
            assert part.nodes[node.id].acts


def test_a_paused_run_can_be_forked(studio: Studio) -> None:
    run = studio.ask(Task(ONE_HOP, method=TREE, model="offline", is_paused=True))
    run.start()
    for _ in range(6):
        while not run.control.is_holding:
            run.join(0.01)
        run.step()
        while run.control.mode != "pause":
            run.join(0.01)
    while not run.control.is_holding:
        run.join(0.01)
    journal: Journal = studio.journal(run.id)
    asked = asked_in(reasoner(TREE), journal)
    first = next(one for one in asked.values() if one.about == (0,))
    fork = studio.fork(run.id, [thinking(first, "wait", node=0)])
    fork.drive()
    assert run.control.is_holding, "the run itself still waits"
    assert any(n.action == "think" for n in studio.view(fork.id).nodes.values())
    run.stop()
    assert run.join(20)


def test_what_people_did_is_counted_and_told_everywhere(tree: Made) -> None:
    node = tree.node("select_relation")
    fork = tree.fork(valuing(tree.view, tree.asked, node, 0.2, author="ana"))
    said = "ana set the value of #3 to 0.20"
    assert [act["text"] for act in run_report(fork)["human_acts"]] == [said]
    assert "human_acts" not in run_report(tree.view)
    assert [line.text for line in fork.log if line.kind == "human"] == [said]
    assert f"✎ {said}" in report_lines(run_report(fork))
    (marked,) = [line for line in tree_text(fork).splitlines() if "✎" in line]
    assert marked.endswith("#3 follow ✎ · director · value 0.20")
    assert said in as_markdown(run_document(fork)).replace("\\", "")
    assert "ana 将 #3 的评分设为 0.20" in as_markdown(run_document(fork, language="zh")).replace(
        "\\", ""
    )
    label = node_label(fork.nodes[node.id])
    assert "✎" in label and "✎" not in node_label(fork.nodes[0])
