"""`runs`: list, show, replay, resume, rerun, challenge, check, export and import."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from kgcore.bootstrap import Studio, build
from kgcore.bootstrap.correcting import challenge_run, compare_runs, recheck_run
from kgcore.bootstrap.exporting import run_as_files
from kgcore.cli import files
from kgcore.cli.approving import need_terminal
from kgcore.cli.comparing import comparison_lines
from kgcore.cli.driving import budget_of, drive, report, wait_for_lease
from kgcore.cli.input_files import read_bytes
from kgcore.cli.output import plain, report_lines, show, table
from kgcore.cli.output_files import output_name, write_beside, write_text
from kgcore.cli.run_arguments import PAGES
from kgcore.errors import InputError, ReplayDivergedError, VersionChangedError
from kgcore.model import to_dict
from kgcore.reasoners import reasoner
from kgcore.runs import Journal, RunRecord
from kgcore.runs import replay as strict_replay
from kgcore.runs.exchange import MAX_BYTES, export_run, import_run
from kgcore.views.corrections import (
    challenge_dict,
    comparison_dict,
    correction_dict,
    rechecked_dict,
)
from kgcore.views.report import run_report


def list_runs(arguments: Namespace) -> int:
    """List the newest runs."""
    records = build().store.list(limit=arguments.limit)
    rows = [[r.id[:8], r.created[:16], r.status, r.question, r.answer] for r in records]
    lines = table(rows, (8, 16, 12, 60, 40)) or ["No runs yet."]
    show(arguments, [_record(r) for r in records], lines)
    return 0


def _record(record: RunRecord) -> dict[str, Any]:
    data = asdict(record)
    data["run_id"] = data.pop("id")
    return data


def show_run(studio: Studio, run_id: str) -> dict[str, Any]:
    """Return everything about a run: its report, where it comes from, its settings and its log."""
    view, record = studio.view(run_id), studio.store.record(run_id)
    assert view.started is not None
    return {
        **run_report(view, status=view.status if view.ended else record.status),
        "created": record.created,
        "kind": record.kind,
        "parent": record.parent,
        "name": record.name,
        "settings": to_dict(view.started.config),
        "budget": asdict(Journal(view.entries).budget),
        "corrections": [correction_dict(c) for c in view.started.corrections],
        "breakpoints": [{"at": p.words(), "is_on": p.is_on} for p in view.breakpoints],
        "log": [
            {
                "seq": line.seq,
                "at": _address(view.entries[line.seq].address),
                "when": line.when,
                "kind": line.kind,
                "text": line.text,
            }
            for line in view.log
        ],
    }


def _address(address: tuple[int, int]) -> str:
    return "" if address[0] < 0 else f"{address[0]}.{address[1]}"


def show_one(arguments: Namespace) -> int:
    """Show a run with its log."""
    studio = build()
    data = show_run(studio, studio.store.find(arguments.id))
    origin = f", {data['kind']} of {data['parent']}" if data["parent"] else ""
    log = [
        [line["at"] if line["kind"] in ("step", "human") else "", line["text"]]
        for line in data["log"]
    ]
    lines = [
        plain(data["question"]),
        f"{data['created']}{origin}",
        *(plain(f"with correction {c['id'][:8]}: {c['text']}") for c in data["corrections"]),
        *(plain(f"pauses at {p['at']}") for p in data["breakpoints"] if p["is_on"]),
        "",
        *report_lines(data),
        "",
        *table(log, (8, 200)),
    ]
    show(arguments, data, lines)
    return 0


def replay(arguments: Namespace) -> int:
    """Run the method on the journal alone, check that it does what it did, and print the report."""
    studio = build()
    run_id = studio.store.find(arguments.id)
    journal = studio.journal(run_id)
    started, method = journal.started, reasoner(journal.started.method)
    if started.reasoner_version != method.version:
        raise VersionChangedError(
            f"run {run_id} was made by {started.method} {started.reasoner_version}, this is "
            f"{method.version}; run it again with memory instead (rerun)"
        )
    answer = strict_replay(method, journal)
    ended = journal.ended
    if ended is not None and ended.status in ("answered", "no_answer") and answer != ended.answer:
        raise ReplayDivergedError(f"run {run_id} ends in another answer than the journal holds")
    report(studio, run_id, arguments)
    return 0


def resume(arguments: Namespace) -> int:
    """Take up a run again, with a larger budget if the arguments say so."""
    studio = build()
    run_id = studio.store.find(arguments.id)
    need_terminal(studio.journal(run_id).started.gate)
    wait_for_lease(studio.store, run_id)
    budget = budget_of(arguments, studio.journal(run_id).budget)
    return drive(studio, studio.resume(run_id, budget=budget), arguments)


def rerun(arguments: Namespace) -> int:
    """Start over with the lineage's memory, as a new run."""
    studio = build()
    run_id = studio.store.find(arguments.id)
    need_terminal(studio.journal(run_id).started.gate)
    run = studio.rerun(
        run_id,
        settings=dict(arguments.settings),
        kgs=arguments.kgs,
        budget=budget_of(arguments, studio.journal(run_id).budget),
    )
    return drive(studio, run, arguments, tell=_compared(run_id))


def _compared(parent: str) -> Callable[[Studio, str, Namespace], int]:
    """Return what tells of a run and of what has changed since another one."""

    def tell(studio: Studio, run_id: str, arguments: Namespace) -> int:
        compared = compare_runs(studio, parent, run_id)
        lines = ["", *comparison_lines(compared)]
        return report(studio, run_id, arguments, {"compared": comparison_dict(compared)}, lines)

    return tell


def challenge(arguments: Namespace) -> int:
    """Rank the edges of a run's proof by how suspect they are; nothing is changed."""
    studio = build()
    run_id = studio.store.find(arguments.id)
    found = challenge_run(studio, run_id, right=arguments.right, kgs=arguments.kgs)
    lines = [plain(f"Suspects for “{found.answer}”")]
    for suspect in found.suspects:
        lines.append(plain(f"  {suspect.score:.2f}  {suspect.triple.text}   [{suspect.triple.kg}]"))
        lines.append(plain(f"        {suspect.reason}"))
    if not found.standing_out:
        lines.append("  no edge stands out")
    lines += [plain(f"Note: {note}") for note in (*found.notes, found.problem) if note]
    show(arguments, challenge_dict(found), lines)
    return 0


def check(arguments: Namespace) -> int:
    """Tell whether an answer still rests on what it cites, with the corrections approved by now; 1 if it does not."""
    studio = build()
    checked = recheck_run(studio, studio.store.find(arguments.id), asks_sources=True)
    word = "supported" if checked.is_supported else "unsupported"
    lines = [plain(f"{word}: {checked.text}")]
    if len(checked.parts) > 1:  # of one part the first line says it
        lines += [plain(f"  unsupported: {part.value.name}") for part in checked.unsupported]
    lines += [plain(f"  no longer holds: {triple.text}") for triple in checked.gone]
    lines += [
        plain(f"  no longer holds: {piece.text}   [{piece.source}]") for piece in checked.lost
    ]
    show(arguments, rechecked_dict(checked), lines)
    return 0 if checked.is_supported else 1


def export(arguments: Namespace) -> int:
    """Write a run as one JSON file, as a page that plays it, as a report, or the triples it saw."""
    studio = build()
    run_id = studio.store.find(arguments.id)
    if arguments.format in PAGES:
        name, language = output_name(arguments), arguments.lang or ""
        pages = run_as_files(studio, run_id, arguments.format, name=name, language=language)
        text, pictures = pages.pop(name), pages
    elif arguments.format == "json":
        text, pictures = export_run(studio.store, run_id), {}
    else:
        return files.export_run(arguments, studio, run_id)
    file = write_text(arguments, text, is_json=arguments.format == "json")
    if file is not None:
        beside = write_beside(file, pictures)
        told = {"pictures": [str(picture) for picture in beside]} if beside else {}
        names = ", ".join(plain(str(one)) for one in (file, *beside))
        show(arguments, {"run_id": run_id, "file": str(file), **told}, [f"{run_id} → {names}"])
    return 0


def import_file(arguments: Namespace) -> int:
    """Read an exported run and print its id."""
    studio = build()
    data = read_bytes(arguments.file, MAX_BYTES)
    try:
        run_id = import_run(studio.store, data)
    except InputError as error:
        raise InputError(f"{arguments.file}: {error}") from error
    show(arguments, {"run_id": run_id}, [run_id])
    return 0
