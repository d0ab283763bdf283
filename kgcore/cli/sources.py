"""`sources add | list | query | remove | domains`: what a run may look things up in, beside the graphs."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import Any, get_args

from kgcore.bootstrap import build
from kgcore.bootstrap.source_specs import SourceInfo
from kgcore.cli.output import complain, counted, plain, show, table
from kgcore.sources.spec import Kind, SourceHealth, SourceSpec
from kgcore.steps import BadQuery, Evidence


def add(arguments: Namespace) -> int:
    """Add a source, if it can be asked; 1 when it cannot."""
    kind: Kind = next(kind for kind in get_args(Kind) if getattr(arguments, kind))
    given = getattr(arguments, kind)
    spec = SourceSpec(
        arguments.name,
        kind,
        (given,) if isinstance(given, str) else tuple(given),
        domains=tuple(dict.fromkeys(name for names in arguments.domains for name in names)),
        description=arguments.description,
        rerank=arguments.rerank,
    )
    health = build().add_source(spec, anyway=arguments.anyway)
    is_added = health.is_up or arguments.anyway
    if not is_added and not arguments.json:
        complain(f"{_health_line(spec.name, health)}; --anyway adds it all the same")
        return 1
    lines = [_health_line(spec.name, health), *map(plain, health.notes)]
    data = {"name": spec.name, "added": is_added, "health": asdict(health)}
    show(arguments, data, [*lines, f"{plain(spec.name)} was added"])
    return 0 if is_added else 1


def list_sources(arguments: Namespace) -> int:
    """List the sources, and those that cannot be read."""
    studio = build()
    found = studio.source_infos()
    health = {s.name: studio.check_source(s.name) for s in found if arguments.check and s.kind}
    rows = [_row(info, health.get(info.name)) for info in found]
    data = [_data(info, health.get(info.name)) for info in found]
    show(arguments, data, table(rows, (30, 6, 30, 24, 300)))
    return 0


def query(arguments: Namespace) -> int:
    """Put a query to a source; 1 when it is not run."""
    source = build().source(arguments.name)
    found = source.run(arguments.query)
    if isinstance(found, BadQuery):
        if not arguments.json:
            complain(found.message)
        else:
            show(arguments, {"source": source.id, "problem": found.message}, [])
        return 1
    lines = [line for item in found.items for line in _evidence_lines(item)]
    data = {
        "source": source.id,
        "version": source.version,
        "query": found.query,
        "items": [_evidence(item) for item in found.items],
        "n_more": found.n_more,
        "is_partial": found.is_partial,
        "notes": found.notes,
    }
    notes = [plain(f"Note: {note}") for note in found.notes]
    show(arguments, data, [*(lines or ["Nothing was found."]), *notes])
    return 0


def remove(arguments: Namespace) -> int:
    """Remove a source; its files stay where they are."""
    build().remove_source(arguments.name)
    show(arguments, {"removed": arguments.name}, [f"{plain(arguments.name)} was removed"])
    return 0


def list_domains(arguments: Namespace) -> int:
    """List the fields of knowledge a source may serve."""
    found = build().domains()
    data = [{"name": domain.name, "texts": dict(domain.texts)} for domain in found]
    show(arguments, data, table([[d.name, d.description()] for d in found], (40, 400)))
    return 0


def _row(info: SourceInfo, health: SourceHealth | None) -> list[str]:
    if info.problem:
        return [info.name, info.kind or "?", "", "cannot be used", info.problem]
    state = ""
    if health is not None:
        state = _size(health) if health.is_up else "fails"
    about = "; ".join(filter(None, (health.problem if health else "", info.description)))
    place = ", ".join(info.where)
    return [info.name, info.kind, ", ".join(info.domains), state, about or place]


def _data(info: SourceInfo, health: SourceHealth | None) -> dict[str, Any]:
    return {**asdict(info), **({} if health is None else {"health": asdict(health)})}


def _health_line(name: str, health: SourceHealth) -> str:
    if not health.is_up:
        return plain(f"{name} cannot be asked: {health.problem}")
    return plain(f"{name} answers in {health.seconds:.1f} s, {_size(health)}")


def _size(health: SourceHealth) -> str:
    if health.n_items is None:
        return "size unknown"
    return counted(health.n_items, health.unit.removesuffix("s"))


def _evidence_lines(item: Evidence) -> list[str]:
    score = f", score {item.score:.2f}" if item.score else ""
    origin = f"   [{item.origin}{score}]" if item.origin else ""
    proof = [f"  {triple.text}" for triple in item.triples]
    return [plain(item.text + origin), *map(plain, proof)]


def _evidence(item: Evidence) -> dict[str, Any]:
    from kgcore.views.report import triple_dict

    triples = [triple_dict(triple) for triple in item.triples]
    return {
        "text": item.text, "raw": item.raw, "origin": item.origin, "score": item.score,
        "triples": triples,
    }  # fmt: skip
