"""Which knowledge sources there are, before any is opened: as a person wrote them down, and the demo's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kgcore.bootstrap.graphs import ASSETS, DEMO_GRAPHS
from kgcore.errors import InputError
from kgcore.sources.spec import SourceSpec

_DEMO = ASSETS / "demo" / "sources"
_DEMO_PASSAGES = (
    ("medicine", "medical", "short cards on diseases, drugs and the human body"),
    ("physics", "physics", "short cards on the laws and quantities of physics"),
    ("biology", "biology", "short cards on cells, genes, plants and animals"),
)


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known of a source without opening it; `problem` says why it cannot be used.

    `kind` is table, text, graph or wiki, and empty for an entry of sources.yaml that cannot be read.
    """

    name: str
    kind: str = ""
    language: str = ""
    where: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    description: str = ""
    is_built_in: bool = False
    problem: str = ""


def demo_specs() -> tuple[SourceSpec, ...]:
    """Return the sources that come along, as far as their files are there."""
    about = "the demo graphs: films, people, places, music"
    found = [SourceSpec("demo-facts", "graph", DEMO_GRAPHS, ("factual",), about)]
    tables = tuple(str(file) for file in sorted((_DEMO / "tables").glob("*.csv")))
    if tables:
        domains = ("factual", "physics", "biology", "medical")
        found.append(SourceSpec("demo-tables", "table", tables, domains))
    for name, domain, about in _DEMO_PASSAGES:
        file = _DEMO / "passages" / f"{name}.jsonl"
        if file.is_file():
            found.append(SourceSpec(f"demo-{name}", "text", (str(file),), (domain,), about))
    return tuple(found)


def members(spec: SourceSpec) -> tuple[SourceSpec, ...]:
    """Return a source, or one for each of its graphs."""
    if spec.kind != "graph" or len(spec.where) == 1:
        return (spec,)
    return tuple(replace(spec, name=f"{spec.name}/{kg}", where=(kg,)) for kg in spec.where)


def info_of(spec: SourceSpec, *, is_built_in: bool = False) -> SourceInfo:
    return SourceInfo(
        spec.name,
        spec.kind,
        spec.language,
        spec.where,
        spec.domains,
        spec.description,
        is_built_in,
    )


def absolute(spec: SourceSpec) -> SourceSpec:
    """Write places on this machine so that they can be found from any folder."""
    if spec.kind not in ("table", "text"):
        return spec
    try:
        where = tuple(str(Path(place).expanduser().resolve()) for place in spec.where)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError("a place of a source cannot be found") from error
    return replace(spec, where=where)
