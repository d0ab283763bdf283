"""The recorded runs that are shipped: each still plays, says what made it, and resumes or says why not."""

from pathlib import Path

import pytest

from kgcore.bootstrap import Studio, build
from kgcore.bootstrap.demo_runs import DEMO_RUNS, DemoRun, demo_entries, keep_demo_run
from kgcore.bootstrap.exporting import page_of
from kgcore.errors import KGCoreError, UnknownRunError, VersionChangedError
from kgcore.reasoners import reasoner
from kgcore.runs import Journal, RunView
from kgcore.runs import replay as strict_replay
from kgcore.views.deck import deck_of

each = pytest.mark.parametrize("demo", DEMO_RUNS, ids=lambda demo: demo.name)


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
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
    assert "offline-matcher" in deck_of(demo_entries(demo.id))["facts"]
    assert "offline matcher" in page_of(demo_entries(demo.id), "report-html", language="en")


def test_the_demo_runs_show_what_their_titles_say() -> None:
    back, corrected, across = (RunView.of(demo_entries(demo.id)) for demo in DEMO_RUNS)
    assert back.backtracks
    assert corrected.started is not None
    assert len(corrected.started.corrections) == 1
    assert corrected.answer is not None
    assert across.answer is not None
    assert any(t.provenance and t.provenance.correction for t in corrected.answer.proof)
    assert len({t.kg for t in across.answer.proof}) == 2


@each
def test_a_demo_run_is_kept_once_and_then_replays_or_says_that_versions_differ(
    demo: DemoRun, studio: Studio
) -> None:
    run_id = keep_demo_run(studio, demo.id)
    assert keep_demo_run(studio, demo.id) == run_id
    assert len(studio.store.list(limit=10)) == 1
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
