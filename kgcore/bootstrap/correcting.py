"""What a studio does about wrong triples: challenge an answer, find and rerun what a correction affects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kgcore.bootstrap.studio import Studio
from kgcore.corrections import Correction, Proposal
from kgcore.corrections.claims import Rechecked, recheck
from kgcore.corrections.fitting import check_fit
from kgcore.errors import InputError
from kgcore.kg.vocabulary import Prefixes
from kgcore.runs import Run
from kgcore.runs.affected import Affected, affected
from kgcore.runs.challenge import Challenge, challenge
from kgcore.runs.comparison import Comparison, Side, compare


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
    compared = compare(studio.view(old), studio.view(new))
    return replace(compared, old=_timed(studio, compared.old), new=_timed(studio, compared.new))


def _timed(studio: Studio, side: Side) -> Side:
    """Return a side with the time of a run that is under way or held here: its journal does not say it yet."""
    run = studio.live(side.run_id)
    return side if run is None or run.join(0) else replace(side, seconds=run.meter.seconds)


def affected_runs(studio: Studio, correction_id: str) -> list[Affected]:
    """Return the runs whose proof holds the corrected triple, the newest first."""
    return affected(studio.store, studio.corrections.get(correction_id))


def rerun_affected(
    studio: Studio, correction_id: str, drive: Callable[[Run], object] = Run.drive
) -> Iterator[Comparison]:
    """Run all of them again, one after the other, but for those that were; yield each beside the old one."""
    for one in affected_runs(studio, correction_id):
        if not one.rerun:
            run = studio.rerun(one.record.id)
            drive(run)
            yield compare_runs(studio, one.record.id, run.id)


def approve_correction(
    studio: Studio, name: str, *, who: str = "local", revision: int | None = None, note: str = ""
) -> Proposal:
    """Put a correction in force if it fits its graph as that is now."""
    check_correction(studio, studio.corrections.get(name).correction)
    return studio.corrections.approve(name, who=who, revision=revision, note=note)


def import_corrections(
    studio: Studio, found: Sequence[Correction]
) -> tuple[tuple[Proposal, bool], ...]:
    """Propose what a file holds, each with whether it is new; nothing when one of them does not fit its graph."""
    store = studio.corrections
    known = [store.known(correction) for correction in found]
    for number, (correction, proposal) in enumerate(zip(found, known, strict=True), 1):
        if proposal is None:
            try:
                check_correction(studio, correction)
            except InputError as error:
                raise InputError(f"correction {number} of {len(found)}: {error}") from error
    kept: list[tuple[Proposal, bool]] = []
    names = {proposal.id for proposal in known if proposal is not None}
    for correction in found:
        proposal = store.propose(correction, what="import")
        kept.append((proposal, proposal.id not in names))
        names.add(proposal.id)
    return tuple(kept)


def check_correction(studio: Studio, correction: Correction) -> None:
    """Refuse a correction of a graph that is not there, or that says nothing of it."""
    graph = studio.corrected((correction.kg,))
    check_fit(correction, (graph, graph.graph))


def recheck_run(studio: Studio, run_id: str, *, asks_sources: bool = False) -> Rechecked:
    """Tell what of a run's answer is still supported with the corrections approved by now.

    With `asks_sources`, sources that have changed since are asked again whether they still say what it cites.
    """
    view = studio.view(run_id)
    if view.started is None or view.answer is None or not view.answer.is_answer:
        raise InputError(f"run {run_id} has no answer")
    seeds = [seed.entity for seed in view.seeds if seed.entity is not None]
    in_force = studio.corrections.in_force([name for name, _ in view.started.kgs])
    lost = studio.lost_knowledge(view.started, view.answer) if asks_sources else ()
    return recheck(view.answer, in_force, seeds, lost=lost)


def iri_in(studio: Studio, kg: str, identifier: str) -> str:
    """Return the IRI of an id of a graph, which may have prefixes of its own."""
    try:
        prefixes = getattr(studio.graph((kg,)), "prefixes", None)
    except InputError:  # the graph was removed
        prefixes = None
    return (prefixes or Prefixes()).expand(identifier)
