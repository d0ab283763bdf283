"""The recorded runs that are shipped: each is what is recorded today, plays, says what made it, and tells its story."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kgcore.bootstrap import Studio, build
from kgcore.bootstrap.demo_recording import record
from kgcore.bootstrap.demo_runs import (
    DEMO_RUNS,
    FOLDER,
    DemoRun,
    demo_entries,
    demo_runs,
    entries_before,
    find_demo,
    keep_demo_run,
)
from kgcore.bootstrap.exporting import page_of
from kgcore.bootstrap.recordings import recording
from kgcore.errors import KGCoreError, UnknownRunError, VersionChangedError
from kgcore.model import to_dict
from kgcore.reasoners import reasoner
from kgcore.runs import Entry, Journal, RunView
from kgcore.runs import replay as strict_replay
from kgcore.runs.exchange import read_run
from kgcore.steps import AnswerProposed
from kgcore.views.captions import captions_of
from kgcore.views.deck import deck_of

each = pytest.mark.parametrize("demo", DEMO_RUNS, ids=lambda demo: demo.name)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs in it."""
    home = tmp_path_factory.mktemp("demo")
    build(home, environ={}).ensure_demo()
    return home


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    return build(tmp_path, environ={})


@pytest.fixture
def fresh(imported: Path, tmp_path: Path) -> Studio:
    """A studio with the demo graphs and nothing else, such as recordings are made in."""
    shutil.copytree(imported, tmp_path, dirs_exist_ok=True)
    return build(tmp_path, environ={})


@each
def test_every_prefix_of_a_demo_run_folds_and_its_end_has_an_answer(demo: DemoRun) -> None:
    entries = demo_entries(demo.id)
    for n in range(len(entries) + 1):
        RunView.of(entries[:n])
    view = RunView.of(entries)
    assert view.status == "answered"
    assert view.answer is not None
    assert view.answer.proof


@each
def test_a_demo_run_says_that_no_language_model_made_it(demo: DemoRun) -> None:
    started = Journal(demo_entries(demo.id)).started
    assert set(dict(started.models).values()) == {"offline-matcher"}
    deck = deck_of(demo_entries(demo.id))
    assert "offline matcher – no language model" in deck["facts"]
    assert deck["isOffline"]
    assert "offline matcher" in page_of(demo_entries(demo.id), "report-html", language="en")


VOLATILE = (
    "seq",
    "when",
    "seconds",
    "run_id",
    "parent",
    "lineage",
    "id",
    "correction",
    "key",
    "step_hash",
)


def told_again(entries: Sequence[Entry]) -> list[str]:
    """Return what entries say, without what every recording has of its own: times, ids of runs and corrections.

    Nor is the order kept: what is asked at the same time arrives in any.
    """
    corrections = {c.id for entry in entries[:1] for c in entry.body.corrections}
    return sorted(json.dumps(_steady(to_dict(entry), corrections)) for entry in entries)


def _steady(value: Any, corrections: set[str]) -> Any:
    if isinstance(value, list):
        return [_steady(item, corrections) for item in value]
    if not isinstance(value, dict):
        return value
    is_own = {"id": value.get("id") in corrections}
    return {
        name: _steady(part, corrections)
        for name, part in value.items()
        if name not in VOLATILE or not is_own.get(name, True)
    }


@each
def test_a_demo_run_is_what_is_recorded_today(demo: DemoRun, fresh: Studio) -> None:
    """Else it is to be recorded anew: `python bench/demo_runs.py`."""
    for file, run_id in record(fresh, demo).items():
        shipped = read_run(file.read_bytes())
        assert told_again(fresh.store.load(run_id)) == told_again(shipped), file.name


def test_no_other_file_lies_beside_the_recordings() -> None:
    files = {demo.file for demo in DEMO_RUNS}
    files |= {demo.file_before for demo in DEMO_RUNS if demo.is_corrected}
    assert set(FOLDER.glob("*")) == files


@pytest.mark.parametrize("language", ["en", "zh"])
def test_turning_back_brings_a_better_answer_than_the_branch_before(language: str) -> None:
    view = RunView.of(demo_entries("demo:tree-of-traversals", language))
    entries = demo_entries("demo:tree-of-traversals", language)
    facts = [getattr(entry.body, "fact", None) for entry in entries]
    proposed = [fact.answer for fact in facts if isinstance(fact, AnswerProposed)]
    assert len(view.backtracks) == 1
    assert view.answer is not None
    assert view.answer == proposed[-1]
    assert proposed[0].text != view.answer.text
    assert proposed[0].value < 0.7 < 0.9 < view.answer.value
    assert len(view.answer.proof) == 3


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_corrected_edge_turns_a_wrong_answer_into_the_right_one(language: str) -> None:
    before, after = (
        RunView.of(found("demo:think-on-graph-corrected", language))
        for found in (entries_before, demo_entries)
    )
    assert before.started is not None and after.started is not None
    assert before.answer is not None and after.answer is not None
    assert after.started.parent == before.started.run_id
    assert not before.started.corrections
    (correction,) = after.started.corrections
    assert correction.action == "replace" and correction.reason
    assert any(t.object == correction.object for t in before.answer.proof)
    assert any(t.object == correction.new_object for t in after.answer.proof)
    assert before.answer.text != after.answer.text
    assert after.via.get("memory", 0) > 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_across_graphs_rests_on_both(language: str) -> None:
    across = RunView.of(demo_entries("demo:across-graphs", language))
    assert across.answer is not None
    assert len({t.kg for t in across.answer.proof}) == 2


@each
def test_a_demo_run_is_in_one_language_and_short_enough_for_a_talk(demo: DemoRun) -> None:
    started = Journal(demo_entries(demo.id)).started
    assert started.config.language == demo.language
    is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in started.question)
    assert is_chinese == (demo.language == "zh")
    both = [*captions_of(entries_before(demo.id)), *captions_of(demo_entries(demo.id))]
    assert 15 <= len(both) <= 40


def test_an_id_stands_for_the_recording_in_a_person_s_language_or_for_the_one_it_names() -> None:
    assert find_demo("demo:across-graphs").language == "en"
    assert find_demo("demo:across-graphs", "zh").language == "zh"
    assert find_demo("demo:across-graphs-zh", "en").language == "zh"
    assert find_demo("demo:across-graphs", "xx").language == "en"
    assert [demo.language for demo in demo_runs("zh")] == ["zh"] * 3
    assert [demo.language for demo in demo_runs("xx")] == ["en"] * 3


def test_a_kept_demo_run_still_has_the_run_before_its_correction(studio: Studio) -> None:
    run_id = keep_demo_run(studio, "demo:think-on-graph-corrected", "zh")
    kept = recording(studio, run_id)
    assert (
        RunView.of(kept.before).answer
        == RunView.of(entries_before("demo:think-on-graph-corrected-zh")).answer
    )
    studio.store.delete(studio.journal(run_id).started.parent)
    assert recording(studio, run_id).before == ()


@each
def test_a_demo_run_is_kept_once_and_then_replays_or_says_that_versions_differ(
    demo: DemoRun, studio: Studio
) -> None:
    run_id = keep_demo_run(studio, demo.id)
    assert keep_demo_run(studio, demo.id) == run_id
    assert len(studio.store.list(limit=10)) == 1 + demo.is_corrected
    journal = studio.journal(run_id)
    method = reasoner(journal.started.method)
    if method.version == journal.started.reasoner_version:
        ended = journal.ended
        assert ended is not None
        assert strict_replay(method, journal) == ended.answer


@each
def test_resuming_a_demo_run_asks_nothing_new_or_names_both_versions(
    demo: DemoRun, studio: Studio
) -> None:
    run_id = keep_demo_run(studio, demo.id)
    before, refusal = studio.view(run_id), ""
    started = before.started
    assert started is not None
    try:
        studio.resume(run_id).drive()
    except VersionChangedError as error:
        refusal = str(error)
    if refusal:  # then it names what was in force when the run was recorded
        recorded = (started.reasoner_version, *dict(started.templates).values())
        assert any(version in refusal for version in recorded)
        return
    after = studio.view(run_id)
    assert after.status == "answered"
    assert after.answer == before.answer
    assert after.usage == before.usage


def test_an_unknown_demo_run_is_refused(studio: Studio) -> None:
    with pytest.raises(UnknownRunError):
        demo_entries("demo:../../etc/passwd")
    with pytest.raises(KGCoreError):
        keep_demo_run(studio, "demo:")
