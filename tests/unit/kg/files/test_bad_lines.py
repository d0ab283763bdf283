"""Importing N-Triples and N-Quads with bad lines, long statements, byte order marks and wrong names."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import re
from pathlib import Path

import pytest
from pyoxigraph import Store

from kgcore.errors import ImportFileError
from kgcore.kg.files.good_lines import MAX_LINE
from kgcore.kg.files.importer import STORE, Skipped, import_graph, list_graphs
from kgcore.kg.local.graph import open_graph
from kgcore.kg.local.graph_folder import GraphFolders
from tests.unit.kg.files.test_importer import FILES, TRIPLES, TURTLE

MIB = 2**20
GOOD = [f'<http://ex.org/{i}> <http://ex.org/p> "{i} é" .\n'.encode() for i in range(1000)]
OPEN = b'<http://ex.org/a> <http://ex.org/p> "unterminated .\n'
LATIN = '<http://ex.org/a> <http://ex.org/p> "Björk" .\n'.encode("latin-1")
NO_STOP = b'<http://ex.org/a> <http://ex.org/p> "x"\n'


def import_skipping(path: Path, home: Path) -> tuple[int, list[Skipped]]:
    """Import a file without its bad lines: how many triples were kept, and what was skipped."""
    told: list[Skipped] = []
    manifest = import_graph([path], home=home, name="graph", skip_errors=True, on_skip=told.append)
    assert manifest.n_skipped == len(told)
    assert {skipped.file for skipped in told} <= {str(path)}
    return manifest.n_triples, told


@pytest.mark.parametrize("name", ["g.nt", "g.nq", "g.nt.gz"])
@pytest.mark.parametrize(
    "bad, reason",
    [
        (OPEN, "does not end on its line"),
        (LATIN, "UTF-8"),
        (NO_STOP, "dot"),
        (b'"""\n', "subject|Line"),
    ],
)
def test_one_bad_line_costs_one_line(tmp_path: Path, name: str, bad: bytes, reason: str) -> None:
    data = b"".join([*GOOD[:500], bad, *GOOD[500:]])
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    n_triples, told = import_skipping(path, tmp_path)
    assert (n_triples, [skipped.line for skipped in told]) == (1000, [501])
    assert re.search(reason, told[0].reason)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_bad_line_is_told_in_order(tmp_path: Path, end: bytes) -> None:
    lines, bad = [], []
    for number in range(1, 20_001):
        is_bad = number % 997 == 0 or number in (1, 20_000)
        bad += [number] if is_bad else []
        lines.append((OPEN if is_bad else GOOD[0].replace(b"/0>", b"/%d>" % number)).strip() + end)
    path = tmp_path / "g.nt"
    path.write_bytes(b"".join(lines))
    n_triples, told = import_skipping(path, tmp_path)
    assert (n_triples, [skipped.line for skipped in told]) == (20_000 - len(bad), bad)


def test_a_blank_node_stays_one_across_bad_lines(tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    spread = [b"_:x <http://ex.org/p> <http://ex.org/%d> .\n" % i for i in range(5000)]
    path.write_bytes(b"".join([*spread[:2500], OPEN, *spread[2500:]]))
    n_triples, told = import_skipping(path, tmp_path)
    assert (n_triples, len(told)) == (5000, 1)
    store = Store.read_only(str(GraphFolders(tmp_path).data(list_graphs(tmp_path)[0]) / STORE))
    assert len({quad.subject for quad in store}) == 1


def long_line(n_bytes: int) -> bytes:
    """A statement of exactly so many bytes, with the end of its line."""
    start, end = b'<http://ex.org/long> <http://ex.org/p> "', b'" .\n'
    return start + b"x" * (n_bytes - len(start) - len(end)) + end


@pytest.mark.parametrize("name", ["g.nt", "g.nq", "g.ttl", "g.trig"])
def test_a_statement_too_long_to_parse_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(long_line(50 * MIB))
    with pytest.raises(ImportFileError, match="a statement longer than 16 MiB") as caught:
        import_graph([path], home=tmp_path, name="graph")
    assert caught.value.file == str(path)
    assert list_graphs(tmp_path) == ()


@pytest.mark.parametrize("n_bytes", [MAX_LINE + 1, 16 * MIB + 1, 50 * MIB])
def test_a_statement_too_long_to_parse_can_be_skipped(tmp_path: Path, n_bytes: int) -> None:
    path = tmp_path / "g.nt"
    path.write_bytes(b"".join([*GOOD[:500], long_line(n_bytes), *GOOD[500:], OPEN]))
    n_triples, told = import_skipping(path, tmp_path)
    assert (n_triples, [skipped.line for skipped in told]) == (1000, [501, 1002])
    assert told[0].reason == "a statement longer than 16 MiB"


def test_the_longest_line_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    path.write_bytes(b"".join([*GOOD, long_line(MAX_LINE), *GOOD[:1]]))
    assert import_skipping(path, tmp_path) == (1001, [])


@pytest.mark.parametrize("name", [*FILES, *(f"{name}.gz" for name in FILES)])
def test_a_byte_order_mark_is_left_out(tmp_path: Path, name: str) -> None:
    data = codecs.BOM_UTF8 + FILES[name.removesuffix(".gz")].encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    manifest = import_graph([path], home=tmp_path, name="graph")
    assert (manifest.n_triples, manifest.n_entities, manifest.n_edges) == (3, 2, 1)
    with contextlib.closing(open_graph(tmp_path, "graph")) as graph:
        assert graph.link("Anna").items[0].entity.label == "Anna"


@pytest.mark.parametrize(
    "text",
    [
        TURTLE,
        "PREFIX ex: <http://ex.org/>\nex:a ex:p ex:b .\n",
        TRIPLES + "<http://ex.org/a> ex:p ex:b .\n",
        TRIPLES + '<http://ex.org/a> <http://ex.org/p> "1"^^xsd:integer .\n',
        "# none\n:a :p :b .\n",
    ],
)
def test_turtle_called_nt_is_recognised(tmp_path: Path, text: str) -> None:
    path = tmp_path / "g.nt"
    path.write_text(text, "utf-8")
    with pytest.raises(ImportFileError, match=r"looks like Turtle.*\.ttl"):
        import_graph([path], home=tmp_path, name="graph")
    path.write_text(TRIPLES + text, "utf-8")
    _, told = import_skipping(path, tmp_path)
    assert ["Turtle" in skipped.reason for skipped in told][:2] in ([True], [True, False])


@pytest.mark.parametrize(
    "line",
    [
        "broken",
        '<http://ex.org/a> <http://ex.org/p> "see ex:b .',
        "<http://ex.org/a b:c> <http://ex.org/p> _:b .",
        '<http://ex.org/a> <http://ex.org/p> "x" # not ex:b',
    ],
)
def test_broken_triples_are_not_taken_for_turtle(tmp_path: Path, line: str) -> None:
    path = tmp_path / "g.nt"
    path.write_text(f"{line}\n{TRIPLES}", "utf-8")
    with pytest.raises(ImportFileError) as caught:
        import_graph([path], home=tmp_path, name="graph")
    assert "Turtle" not in str(caught.value)
