"""What a studio does about wrong triples: challenge an answer, find and rerun what a correction affects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgcore.bootstrap.studio import Studio
from kgcore.corrections.claims import Rechecked, recheck
from kgcore.errors import InputError
from kgcore.kg.vocabulary import Prefixes
from kgcore.runs.affected import Affected, affected
from kgcore.runs.challenge import Challenge, challenge
from kgcore.runs.comparison import Comparison, compare


def challenge_run(
    studio: Studio, run_id: str, *, right: str = "", kgs: Sequence[str] = ()
) -> Challenge:
    """Rank the edges of a run's proof by how suspect they are; `kgs` are further graphs to ask."""
    view = studio.view(run_id)
    assert view.started is not None
    language = getattr(view.started.config, "language", "en")
    names = [name for name, _ in view.started.kgs]
    graph = studio.corrected([*names, *kgs], language=language) if kgs else None
    return challenge(view, studio.launch_of(view.started).ports, right=right, graph=graph)


def compare_runs(studio: Studio, old: str, new: str) -> Comparison:
    """Return two runs of one question side by side."""
    return compare(studio.view(old), studio.view(new))


def affected_runs(studio: Studio, correction_id: str) -> list[Affected]:
    """Return the runs whose proof holds the corrected triple, the newest first."""
    return affected(studio.store, studio.corrections.get(correction_id))


def rerun_affected(studio: Studio, correction_id: str) -> Iterator[Comparison]:
    """Run all of them again, one after the other, but for those that were; yield each beside the old one."""
    for one in affected_runs(studio, correction_id):
        if not one.rerun:
            run = studio.rerun(one.record.id)
            run.drive()
            yield compare_runs(studio, one.record.id, run.id)


def recheck_run(studio: Studio, run_id: str) -> Rechecked:
    """Tell what of a run's answer is still supported with the corrections approved by now."""
    view = studio.view(run_id)
    if view.started is None or view.answer is None or not view.answer.is_answer:
        raise InputError(f"run {run_id} has no answer")
    seeds = [seed.entity for seed in view.seeds if seed.entity is not None]
    in_force = studio.corrections.in_force([name for name, _ in view.started.kgs])
    return recheck(view.answer, in_force, seeds)


def iri_in(studio: Studio, kg: str, identifier: str) -> str:
    """Return the IRI of an id of a graph, which may have prefixes of its own."""
    try:
        prefixes = getattr(studio.graph((kg,)), "prefixes", None)
    except InputError:  # the graph was removed
        prefixes = None
    return (prefixes or Prefixes()).expand(identifier)
