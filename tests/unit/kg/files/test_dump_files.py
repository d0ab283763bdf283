"""Dumps: read in chunks, filtered, and gone on with where an import stopped."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kgcore.errors import ImportFileError, InputError
from kgcore.kg.files import dump_files
from kgcore.kg.files.cells import Namer
from kgcore.kg.files.importer import Progress, import_graph
from kgcore.kg.files.triples_dump import TriplesDump
from kgcore.kg.files.wikidata_dump import WikidataDump
from kgcore.kg.files.wikidata_json import Filters
from kgcore.kg.local.graph import open_graph
from kgcore.kg.vocabulary import UNKNOWN_VALUE
from kgcore.model import EntityId, Literal, RelationId

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def entity(number: int, **more: Any) -> dict[str, Any]:
    target = {"type": "wikibase-entityid", "value": {"id": f"Q{number % 7 + 1}"}}
    claims = {"P31": [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": target}}]}
    labels = {"en": {"language": "en", "value": f"thing {number}"}}
    return {"type": "item", "id": f"Q{number}", "labels": labels, "claims": claims, **more}


def dump(path: Path, n: int, pack: Any = bytes) -> Path:
    rows = ",\n".join(json.dumps(entity(i)) for i in range(1, n + 1))
    path.write_bytes(pack(f"[\n{rows}\n]\n".encode()))
    return path


@pytest.mark.parametrize(
    "ending, pack", [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress)]
)
def test_a_dump_is_a_graph(tmp_path: Path, ending: str, pack: Any) -> None:
    stages: list[Progress] = []
    path = dump(tmp_path / f"wd.json{ending}", 50, pack)
    manifest = import_graph([path], home=tmp_path, name="wd", progress=stages.append)
    assert (manifest.n_triples, manifest.n_entities) == (100, 50)
    assert {p.stage for p in stages} == {"reading", "indexing"}
    graph = open_graph(tmp_path, "wd")
    assert graph.link("thing 9").items[0].entity.id == "wd:Q9"
    assert (
        graph.edges([EntityId("wd:Q9")], RelationId("wdt:P31")).triples[0].object.name == "thing 3"
    )
    graph.close()


def test_a_quantity_shows_the_label_of_its_unit(tmp_path: Path) -> None:
    value = {"type": "quantity", "value": {"amount": "+8849", "unit": WD + "Q2"}}
    claims = {"P1": [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": value}}]}
    rows = [
        entity(1, claims=claims),
        entity(2, labels={"en": {"language": "en", "value": "metre"}}),
    ]
    path = tmp_path / "wd.json"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    import_graph([path], home=tmp_path, name="wd")
    graph = open_graph(tmp_path, "wd")
    (triple,) = graph.edges([EntityId("wd:Q1")], RelationId("wdt:P1")).triples
    assert triple.object == Literal("8849", "xsd:decimal", unit="metre")
    (option,) = (o for o in graph.relations([EntityId("wd:Q1")]).items if o.relation.id == "wdt:P1")
    assert option.target_types == ("number",)
    graph.close()


TRUTHY = f"""\
<{WD}Q1> <{WDT}P31> <{WD}Q5> .
<{WD}Q1> <{WDT}P569> "1990"^^<http://www.w3.org/2001/XMLSchema#gYear> .
<{WD}Q1> <{LABEL}> "Tom"@en .
<{WD}Q1> <{LABEL}> "Thomas"@de .
<{WD}Q1> <http://www.w3.org/2004/02/skos/core#prefLabel> "Tom"@en .
<{WD}Q1> <{WDT}P570> _:b1 .
<{WD}Q2> <{LABEL}> "Town"@en .
<{WD}Q2> <{WDT}P31> <{WD}Q515> .
# a remark
<{WD}P569> <http://wikiba.se/ontology#directClaim> <{WDT}P569> .
<{WD}P569> <{LABEL}> "born"@en .
<{WD}P569> <http://wikiba.se/ontology#statements> "5" .
"""


def kept(folder: Path, filters: Filters) -> list[str]:
    path = folder / "truthy.nt.bz2"
    path.write_bytes(bz2.compress(TRUTHY.encode()))
    file = TriplesDump(path, Namer("big"), filters)
    with file.open() as data:
        text = b"".join(
            t for chunk in file.chunks(data, 0, 0, None) for t in chunk.triples
        ).decode()
    short = text.replace(WDT, "").replace(WD, "").replace(LABEL, "label")
    return [line.removesuffix(" .") for line in short.splitlines()]


def test_triples_are_filtered_subject_by_subject(tmp_path: Path) -> None:
    everything = kept(tmp_path, Filters())
    assert '<Q1> <label> "Thomas"@de' in everything
    assert not [line for line in everything if "prefLabel" in line or "statements" in line]
    assert "<Q1> <P570> <urn:kg:big:/.well-known/genid/b1>" in everything
    assert kept(tmp_path, Filters(("en",), ("P569",), ("Q5",))) == [
        '<Q1> <P569> "1990"^^<http://www.w3.org/2001/XMLSchema#gYear>', '<Q1> <label> "Tom"@en',
        "<P569> <http://wikiba.se/ontology#directClaim> <P569>", '<P569> <label> "born"@en',
    ]  # fmt: skip


def test_a_filtered_file_of_triples_is_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "truthy.nt"
    path.write_text(TRUTHY)
    import_graph([path], home=tmp_path, name="wd", filters=Filters(types=("Q5",)))
    graph = open_graph(tmp_path, "wd")
    assert (
        graph.edges([EntityId("wd:Q1")], RelationId("wdt:P570")).triples[0].object == UNKNOWN_VALUE
    )
    assert graph.describe([EntityId("wd:Q2")]).entities == ()
    graph.close()


@pytest.mark.parametrize("kind", ["json", "nt"])
def test_every_stop_is_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(dump_files, "CHUNK_BYTES", 300)
    path = tmp_path / f"d.{kind}"
    if kind == "json":
        dump(path, 20)
    else:
        path.write_text("".join(f'<{WD}Q{i}> <{LABEL}> "thing {i}" .\n' for i in range(40)))
    file = (WikidataDump if kind == "json" else TriplesDump)(path, Namer("wd"), Filters())

    def read(offset: int, line: int) -> list[tuple[bytes, int, int]]:
        with file.open() as data:
            chunks = file.chunks(data, offset, line, None)
            return [(b"".join(c.triples), c.offset, c.line) for c in chunks]

    whole = read(0, 0)
    assert len(whole) > 5
    for number, (_, offset, line) in enumerate(whole):
        rest = read(offset, line)
        assert b"".join(t for t, _, _ in rest) == b"".join(t for t, _, _ in whole[number + 1 :])
        assert rest[-1][1:] == whole[-1][1:]


BROKEN = {
    "wd.json": (json.dumps(entity(1)) + ",\n{broken,\n" + json.dumps(entity(2)) + "\n", 2),
    "no.json": (json.dumps(entity(1)) + ",\n\n" + '{"type":"item","id":"x","labels":{}}\n', 3),
    "t.nt": (
        f'<{WD}Q1> <{LABEL}> "a" .\n# x\n<{WD}Q1> "no predicate" .\n<{WD}Q2> <{LABEL}> "b" .\n',
        3,
    ),
    "u.nt": (
        f'<{WD}Q1> <{LABEL}> "a" .\n<{WD}Q1> <{LABEL}> "bad \\q" .\n<{WD}Q2> <{LABEL}> "b" .\n',
        2,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_line_is_named_or_skipped(tmp_path: Path, name: str) -> None:
    text, line = BROKEN[name]
    path = tmp_path / name
    path.write_text(text)
    filters = Filters(properties=("P31",)) if name.endswith("nt") else None
    with pytest.raises(ImportFileError) as caught:
        import_graph([path], home=tmp_path, name="wd", filters=filters)
    assert caught.value.line == line
    assert not list((tmp_path / "graphs" / ".staging").glob("resume*"))
    skipped: list[int | None] = []
    manifest = import_graph(
        [path],
        home=tmp_path,
        name="wd",
        filters=filters,
        skip_errors=True,
        on_skip=lambda s: skipped.append(s.line),
    )
    assert (skipped, manifest.n_skipped) == ([line], 1)


def test_filters_are_for_dumps_only(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n")
    with pytest.raises(InputError, match="filters"):
        import_graph([path], home=tmp_path, name="wd", filters=Filters(types=("Q5",)))
