"""`corrections`: list, propose, decide, undo, export and import."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from kgcore.bootstrap import Studio, build
from kgcore.bootstrap.correcting import (
    affected_runs,
    approve_correction,
    import_corrections,
    iri_in,
    rerun_affected,
)
from kgcore.cli.approving import drive_settling
from kgcore.cli.comparing import comparison_lines
from kgcore.cli.input_files import read_bytes
from kgcore.cli.output import counted, note, plain, show, table
from kgcore.cli.output_files import write_text
from kgcore.corrections import CorrectionStore, Proposal
from kgcore.corrections.proposing import Wish, understand
from kgcore.errors import InputError
from kgcore.views.corrections import affected_dict, comparison_dict, proposal_dict


def list_corrections(arguments: Namespace) -> int:
    """List corrections, the newest first, with what contradicts each."""
    studio = build()
    store = studio.corrections
    _check_graphs(studio, arguments.kgs)
    found = store.list(kgs=arguments.kgs, status=arguments.status)
    rows = [
        [p.id[:8], p.status, p.correction.kg, p.correction.author, p.correction.text] for p in found
    ]
    lines = table(rows, (8, 10, 20, 16, 200)) or ["No corrections."]
    show(arguments, [_proposal(p, store) for p in found], lines)
    return 0


def propose(arguments: Namespace) -> int:
    """Propose a correction; ids or exact names say what it is about."""
    studio = build()
    is_added, new = arguments.add, arguments.replace_with
    wish = Wish(
        arguments.kg,
        arguments.subject,
        arguments.relation,
        arguments.object,
        "add" if is_added else "replace" if new is not None else "retract",
        new or "",
        author=arguments.by,
        reason=arguments.reason,
        evidence=arguments.evidence,
    )
    correction = understand(wish, studio.corrected((arguments.kg,)))
    return _tell(arguments, studio.corrections, studio.corrections.propose(correction))


def approve(arguments: Namespace) -> int:
    """Put corrections in force, those that fit their graphs."""
    studio = build()
    return _decide(arguments, studio, partial(approve_correction, studio))


def reject(arguments: Namespace) -> int:
    """Decide against corrections."""
    studio = build()
    return _decide(arguments, studio, studio.corrections.reject)


def undo(arguments: Namespace) -> int:
    """Make corrections that were decided on proposals again."""
    studio = build()
    store = studio.corrections
    return _decide(arguments, studio, store.withdraw if arguments.withdraw else store.undo)


def _decide(arguments: Namespace, studio: Studio, move: Callable[..., Proposal]) -> int:
    store = studio.corrections
    names = [store.find(start) for start in arguments.ids]  # all are known before one is changed
    moved = [move(name, who=arguments.by, note=arguments.reason) for name in names]
    show(arguments, [_proposal(p, store) for p in moved], [_line(p) for p in moved])
    return 0


def _tell(arguments: Namespace, store: CorrectionStore, proposal: Proposal) -> int:
    lines = [_line(proposal)]
    for entity in proposal.correction.minted:
        lines.append(plain(f"  new:       {entity.name}, from now on {entity.id}"))
    for other in store.conflicts(proposal.correction):
        lines.append(plain(f"  conflicts: {_line(other)}, by {other.correction.author}"))
    show(arguments, _proposal(proposal, store), lines)
    return 0


def _line(proposal: Proposal) -> str:
    return plain(f"{proposal.id[:8]} {proposal.status}: {proposal.correction.text}")


def _proposal(proposal: Proposal, store: CorrectionStore) -> dict[str, Any]:
    return proposal_dict(proposal, store.conflicts(proposal.correction))


def affected(arguments: Namespace) -> int:
    """List the runs whose proof holds the corrected triple; rerun them all if the arguments say so."""
    studio = build()
    name = studio.corrections.find(arguments.id)
    status = studio.corrections.get(name).status
    if arguments.rerun:
        compared = list(rerun_affected(studio, name, drive_settling))
        lines = [line for one in compared for line in comparison_lines(one)]
        show(arguments, [comparison_dict(one) for one in compared], lines or ["Nothing to rerun."])
        return 0
    found = affected_runs(studio, name)
    rows = [[a.record.id[:8], a.rerun[:8], a.record.question, a.record.answer] for a in found]
    lines = [_WHY_AFFECTED[status], *table(rows, (8, 8, 60, 60))] if found else [_NONE[status]]
    show(arguments, [affected_dict(one) for one in found], lines)
    return 0


_WHY_AFFECTED = {
    "proposed": "The correction is proposed. Were it approved, these runs would rest on a wrong triple:",
    "approved": "The correction is approved. These runs rest on what it changes (second column: run again since):",
    "rejected": "The correction is rejected. These runs were made while it was in force, and rest on it:",
    "withdrawn": "The correction is withdrawn. These runs were made while it was in force, and rest on it:",
}
_NONE = {
    "proposed": "No run is affected: no proof holds the triple.",
    "approved": "No run is affected: no proof holds the triple.",
    "rejected": "No run is affected: the correction is rejected, all triples count as the graph has them.",
    "withdrawn": "No run is affected: the correction is withdrawn, all triples count as the graph has them.",
}


def _check_graphs(studio: Studio, names: Iterable[str]) -> None:
    """Refuse a name that is neither of a graph nor in any correction."""
    for name in names:
        if not studio.corrections.list(kgs=[name]):  # of a removed graph, they are still there
            studio.graph((name,))


def export(arguments: Namespace) -> int:
    """Write the approved corrections of some graphs, or of all, in one of four forms."""
    from kgcore.corrections.exchange import export_corrections

    studio = build()
    _check_graphs(studio, arguments.kgs)
    approved = studio.corrections.list(kgs=arguments.kgs, status="approved")
    found = [p.correction for p in reversed(approved)]
    exported = export_corrections(found, arguments.format, partial(iri_in, studio))
    file = write_text(arguments, exported.text)
    for text in exported.left_out:
        note(f"left out: {text}")
    if not found:
        note("nothing is exported: no correction is approved" + _of(arguments.kgs))
    if file is not None:
        data = {"file": str(file), "n": exported.n, "left_out": list(exported.left_out)}
        show(arguments, data, [plain(f"{exported.n} → {file}")])
    return 0


def import_file(arguments: Namespace) -> int:
    """Propose the corrections of a CSV file that an export wrote."""
    from kgcore.corrections.exchange import MAX_BYTES, read_csv

    data = read_bytes(arguments.file, MAX_BYTES)
    studio = build()
    try:
        kept = import_corrections(studio, read_csv(data, arguments.file))
    except InputError as error:
        raise InputError(f"{arguments.file}: {error}") from error
    _show_imported(arguments, studio.corrections, kept)
    return 0


def _of(kgs: Sequence[str]) -> str:
    return f" of {', '.join(kgs)}" if kgs else ""


def _show_imported(
    arguments: Namespace, store: CorrectionStore, kept: Sequence[tuple[Proposal, bool]]
) -> None:
    lines = [_line(p) if is_new else _known_line(p) for p, is_new in kept]
    n_new = sum(is_new for _, is_new in kept)
    if kept:
        known = f", {len(kept) - n_new} known before" if n_new < len(kept) else ""
        lines.append(f"{counted(n_new, 'correction')} proposed{known}")
    data = [{**_proposal(p, store), "is_new": is_new} for p, is_new in kept]
    show(arguments, data, lines or ["The file holds no corrections."])


def _known_line(proposal: Proposal) -> str:
    return plain(f"{proposal.id[:8]} known before, {proposal.status}: {proposal.correction.text}")
