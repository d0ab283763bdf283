"""Tables, GraphML, node-link JSON and dumps under fault and abuse: real files, real processes."""

from __future__ import annotations

import bz2
import csv
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Store

from kgcore.errors import ImportFileError, InputError, KGCoreError
from kgcore.kg.files.cells import neutralise, restore
from kgcore.kg.files.exports import export_triples
from kgcore.kg.files.importer import import_graph, list_graphs, remove_graph
from kgcore.kg.files.tables import preview, propose_mapping, read_head
from kgcore.kg.files.wikidata_json import Filters
from kgcore.kg.local.graph import open_graph
from kgcore.model import Entity, EntityId, Literal, Relation, RelationId, Triple

ROOT = Path(__file__).resolve().parents[2]
IMPORT = """
import sys
import time
from pathlib import Path
from kgcore.kg.files import dump_files, import_files
from kgcore.kg.files.importer import import_graph
dump_files.CHUNK_BYTES = 2**15
import_files.LARGE = 1000
held_at = int(sys.argv[3]) if len(sys.argv) > 3 else 0
told_of = []
def told(p):
    told_of.append(p)
    print(p.stage, flush=True)
    if len(told_of) == held_at:
        time.sleep(600)  # until it is killed
import_graph([Path(sys.argv[1])], home=Path(sys.argv[2]), name="graph", progress=told)
print("done", flush=True)
"""


def table(n: int, word: str) -> str:
    rows = "".join(f"{word} {i},next,{word} {(i * 7) % n}\n" for i in range(n))
    return f"subject,relation,object\n{rows}"


def network(n: int, word: str) -> nx.DiGraph:
    graph: nx.DiGraph = nx.DiGraph()
    for i in range(n):
        graph.add_node(f"n{i}", label=f"{word} {i}")
        graph.add_edge(f"n{i}", f"n{(i * 7) % n}", label="next")
    return graph


def entity(number: int, word: str) -> str:
    value = {"type": "wikibase-entityid", "value": {"id": f"Q{number * 7 % 50 + 1}"}}
    claims = {"P1": [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": value}}]}
    labels = {"en": {"language": "en", "value": f"{word} {number}"}}
    return json.dumps({"type": "item", "id": f"Q{number}", "labels": labels, "claims": claims})


def make(folder: Path, kind: str, n: int, word: str) -> Path:
    """Write a file of a kind with `n` things that have names."""
    path = folder / f"{word}.{kind}"
    if kind == "csv":
        path.write_text(table(n, word), "utf-8")
    elif kind == "graphml":
        nx.write_graphml(network(n, word), path)
    elif kind == "json":
        path.write_text(json.dumps(nx.node_link_data(network(n, word), edges="links")), "utf-8")
    elif kind == "jsonl":
        path.write_text("".join(entity(i, word) + "\n" for i in range(1, n + 1)), "utf-8")
    else:
        label = "<http://www.w3.org/2000/01/rdf-schema#label>"
        lines = (
            f'<http://e/{i}> {label} "{word} {i}" .\n<http://e/{i}> <http://e/p> <http://e/{i * 7 % n}> .\n'
            for i in range(n)
        )
        path.write_text("".join(lines), "utf-8")
    return path


def start(file: Path, home: Path, *, held_at: int = 0) -> subprocess.Popen[str]:
    """Start an import; one that is `held_at` a report of its progress waits there to be killed."""
    return subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(file), str(home), str(held_at)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def kill_after(process: subprocess.Popen[str], delay_s: float) -> bool:
    """Kill an import some time after it began to read; True when it was not done by then."""
    assert process.stdout is not None
    first = process.stdout.readline().strip()
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()
    process.wait()
    process.stdout.close()
    return "done" not in (first, *rest.split())


def outcome(call: Callable[[], object]) -> KGCoreError | None:
    """The error of ours that a call raises, if any."""
    try:
        call()
    except KGCoreError as error:
        return error
    return None


def staged(home: Path) -> list[Path]:
    return [p for p in (home / "graphs" / ".staging").iterdir() if p.is_dir()]


# --- A2


@pytest.mark.parametrize("kind", ["csv", "graphml", "json"])
def test_A2_a_killed_import_leaves_the_old_graph_or_the_new_one(tmp_path: Path, kind: str) -> None:
    old, new = make(tmp_path, kind, 20, "old"), make(tmp_path, kind, 4_000, "new")
    chance = random.Random(5)
    for held_at in (1, 0, 0):
        home = tmp_path / f"home{len(list(tmp_path.iterdir()))}"
        before = import_graph([old], home=home, name="graph").version
        is_killed = kill_after(start(new, home, held_at=held_at), chance.uniform(0, 0.4))
        assert is_killed or not held_at
        (manifest,) = list_graphs(home)
        word = "old" if manifest.version == before else "new"
        graph = open_graph(home, "graph")
        assert graph.link(f"{word} 7").items[0].entity.label == f"{word} 7"
        graph.close()
        assert staged(home) == []


@pytest.mark.parametrize("kind", ["jsonl", "nt"])
def test_A2_a_killed_import_of_a_dump_goes_on_where_it_stopped(tmp_path: Path, kind: str) -> None:
    dump, home = make(tmp_path, kind, 12_000, "new"), tmp_path / "home"
    whole = subprocess.run(
        [sys.executable, "-c", IMPORT, str(dump), str(tmp_path / "whole")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert whole.stdout.endswith("done\n")
    before = import_graph([make(tmp_path, "csv", 20, "old")], home=home, name="graph").version
    chance, offsets = random.Random(3), [0]
    for _ in range(2):
        process = start(dump, home, held_at=2)
        while done_bytes(home) <= offsets[-1]:
            time.sleep(0.002)
        assert kill_after(process, chance.uniform(0, 0.02))
        assert [m.version for m in list_graphs(home)] == [before]
        offsets.append(done_bytes(home))
    assert offsets == sorted(set(offsets))
    last = start(dump, home)
    assert last.stdout is not None
    assert last.stdout.read().endswith("done\n")
    assert last.wait() == 0
    last.stdout.close()
    (manifest,), (expected,) = list_graphs(home), list_graphs(tmp_path / "whole")
    assert (manifest.version, manifest.n_triples, manifest.n_edges) == (
        expected.version, expected.n_triples, expected.n_edges,
    )  # fmt: skip
    one, other = open_graph(home, "graph"), open_graph(tmp_path / "whole", "graph")
    assert {str(q) for q in one.quads()} == {str(q) for q in other.quads()}
    one.close()
    other.close()
    assert staged(home) == []
    check_no_orphans(home, manifest.folder, tmp_path)


def done_bytes(home: Path) -> int:
    """How far a stopped import has read its dump."""
    for note in (home / "graphs" / ".staging").glob("resume.*/resume.json"):
        return int(json.loads(note.read_text())["offset"])
    return 0


def check_no_orphans(home: Path, folder: str, scratch: Path) -> None:
    """Every file that holds triples is one the store refers to: a backup has it too."""
    data = home / "graphs" / "graph" / folder
    assert {p.name for p in data.iterdir()} == {"store", "labels.sqlite"}
    store = Store(str(data / "store"))
    store.optimize()
    store.backup(str(scratch / "backup"))
    del store
    kept = {p.name for p in (scratch / "backup").glob("*.sst")}
    assert {p.name for p in (data / "store").glob("*.sst")} == kept


def test_A2_what_a_stopped_import_left_goes_with_the_graph_or_after_a_week(tmp_path: Path) -> None:
    dump, home = make(tmp_path, "jsonl", 6_000, "new"), tmp_path / "home"
    small = make(tmp_path, "csv", 5, "old")

    def stop() -> Path:
        import_graph([small], home=home, name="graph")
        assert kill_after(start(dump, home, held_at=2), 0.1)
        (folder,) = staged(home)
        return folder

    folder = stop()
    assert list_graphs(home)
    assert folder.is_dir()
    long_ago = time.time() - 8 * 86_400
    os.utime(folder, (long_ago, long_ago))
    list_graphs(home)
    assert staged(home) == []
    stop()
    remove_graph(home, "graph")
    assert staged(home) == []


# --- S12, S14, S15

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
BOMBS = {
    "billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]>{GRAPHML}<graph><node id="&l9;"/></graph></graphml>',
    "external entity": f'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>{GRAPHML}<graph><node id="&x;"/></graph></graphml>',
    "behind a long comment": f'<!-- {"x" * 600_000} --><!DOCTYPE r [<!ENTITY x "y">]>{GRAPHML}</graphml>',
    "deep nesting": GRAPHML + "<graph><node>" * 200_000,
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("file", ["g.graphml", "g.xml"])
def test_S12_bombs_in_graphml_are_refused_before_they_are_parsed(
    tmp_path: Path, name: str, file: str
) -> None:
    path = tmp_path / file
    path.write_text(f'<?xml version="1.0"?>{BOMBS[name]}', "utf-8")
    memory, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(ImportFileError, match=r"DOCTYPE and ENTITY are refused|nested more than"):
        import_graph([path], home=tmp_path, name="graph")
    assert time.process_time() - begun < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 50_000


def test_S12_deep_nesting_in_json_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    path.write_text('{"nodes": [' + "[" * 200_000, "utf-8")
    with pytest.raises(ImportFileError, match=r"nested too deep|no JSON"):
        import_graph([path], home=tmp_path, name="graph")


@pytest.mark.parametrize("file", ["t.csv.bz2", "t.nt.bz2", "t.graphml.bz2", "t.jsonl.bz2"])
def test_S14_a_packed_bomb_is_refused(tmp_path: Path, file: str) -> None:
    path = tmp_path / file
    line = (
        b'{"type":"item","id":"Q1","labels":{},"claims":{}}\n'
        if "json" in file
        else b"a,b,%s\n" % (b"c" * 40)
    )
    if "nt" in file:
        line = b"<http://e/1> <http://e/p> <http://e/2> .\n"
    path.write_bytes(bz2.compress(line * 300_000))
    begun = time.process_time()
    with pytest.raises(ImportFileError, match=r"unpacks to far more|syntax error"):
        import_graph([path], home=tmp_path, name="graph")
    assert time.process_time() - begun < 2
    assert list_graphs(tmp_path) == ()


def test_S14_a_cut_off_bz2_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.bz2"
    path.write_bytes(bz2.compress(table(5_000, "x").encode())[:-50])
    with pytest.raises(ImportFileError, match="cannot be unpacked"):
        import_graph([path], home=tmp_path, name="graph")


@pytest.mark.parametrize("file", ["g.graphml", "g.json"])
def test_S15_a_huge_file_of_a_kind_that_is_read_whole_is_refused_at_once(
    tmp_path: Path, file: str
) -> None:
    path = tmp_path / file
    start = GRAPHML if "graphml" in file else '{"nodes": [], "links": ['
    with path.open("w") as out:
        out.write(start)
        out.truncate(5 * 2**30)  # a hole: takes no room
    memory, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(ImportFileError, match="larger than 128 MB"):
        import_graph([path], home=tmp_path, name="graph")
    assert time.process_time() - begun < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 50_000


@pytest.mark.parametrize(
    "file", ["e.csv", "e.tsv", "e.graphml", "e.json", "e.csv.gz", "e.jsonl", "e.txt", "e"]
)
def test_S15_an_empty_file_is_told_in_one_line(tmp_path: Path, file: str) -> None:
    path = tmp_path / file
    path.write_bytes(b"")
    with pytest.raises(InputError) as caught:
        import_graph([path], home=tmp_path, name="graph")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ending", ["csv", "graphml", "json", "nt", "jsonl"])
def test_S15_a_picture_under_another_name_is_told_in_one_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"picture.{ending}"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(5_000))
    with pytest.raises(InputError) as caught:
        import_graph([path], home=tmp_path, name="graph")
    assert str(caught.value).isprintable()


# --- S16

GOOD = {
    "csv": table(4, "x").encode() + b'"quoted, cell",p,"two\nlines"\n',
    "tsv": table(4, "x").replace(",", "\t").encode(),
    "graphml": "".join(nx.generate_graphml(network(4, "x"))).encode(),
    "json": json.dumps(nx.node_link_data(network(4, "x"), edges="links"), indent=1).encode(),
    "jsonl": "".join(entity(i, "x") + "\n" for i in range(1, 5)).encode(),
}
KNOWS_NO_LINE = ("unpacked", "no list of", "is no object", "has no source", "has no target", "no node-link",
                 "no graph of GraphML", "no GraphML", "neither text nor number", "node ", "the edge from", "the table is empty",
                 "nested", "unknown kind")  # fmt: skip


@pytest.fixture(scope="module")
def old_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("old")
    import_graph([make(home, "csv", 5, "old")], home=home, name="old")
    return home


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), kind=st.sampled_from(sorted(GOOD)), skip=st.booleans())
def test_S16_malformed_files_end_in_an_error_with_a_line_or_in_a_graph(
    old_home: Path, data: st.DataObject, kind: str, skip: bool
) -> None:
    content = bytearray(GOOD[kind])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        content[place : place + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
    file = old_home / f"new.{kind}"
    file.write_bytes(bytes(content))
    skip = skip and kind in ("csv", "tsv", "jsonl")
    error = outcome(lambda: import_graph([file], home=old_home, name="new", skip_errors=skip))
    if isinstance(error, ImportFileError):
        assert error.reason.isprintable()
        assert error.line or any(text in error.reason for text in KNOWS_NO_LINE), error
    elif error is not None:
        told = ("no triples", "columns", "can be", "a file of")
        assert any(text in str(error) for text in told), error
    graph = open_graph(old_home, "old")
    assert graph.link("old 1").items[0].entity.label == "old 1"
    graph.close()


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=300))
def test_S16_any_text_is_a_table_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    error = outcome(lambda: preview(path, propose_mapping(read_head(path))))
    assert error is None or str(error).isprintable()


BAD_ROWS = 'subject,relation,object\na,p,b\nonly one\nc,p,"d"e\nf,p,http://[x\ng,p,h\n'


def test_S16_bad_rows_are_skipped_counted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(BAD_ROWS.encode() + b"i,p,\xff\nj,p,k\n")
    lines: list[Any] = []
    manifest = import_graph(
        [path],
        home=tmp_path,
        name="graph",
        skip_errors=True,
        on_skip=lambda s: lines.append(s.line),
    )
    assert (sorted(lines), manifest.n_skipped) == ([3, 4, 5, 7], 4)
    graph = open_graph(tmp_path, "graph")
    assert {
        t.object.name
        for t in graph.edges(
            [EntityId("<urn:kg:graph:j>"), EntityId("<urn:kg:graph:g>")], RelationId("graph:p:p")
        ).triples
    } == {"k", "h"}
    graph.close()


# --- S17


@pytest.mark.parametrize(
    "name",
    ["../../escape", "CON", "x" * 100, "wd", "vocabulary", "demo", "a:b", "é ~"],
)
def test_S17_names_of_graphs_are_safe_in_minted_ids_too(tmp_path: Path, name: str) -> None:
    file, home = make(tmp_path, "csv", 5, "x"), tmp_path / "home"
    import_graph([file], home=home, name=name)
    graph = open_graph(home, name)
    (found,) = graph.link("x 3", limit=1).items
    assert graph.describe([found.entity.id]).entities[0].label == "x 3"
    assert not found.entity.id.startswith(("wd:", "kg:", "demo:"))
    graph.close()
    assert {p.name for p in tmp_path.iterdir()} == {"home", file.name}


# --- S20


@settings(max_examples=400, deadline=None)
@given(text=st.text(st.sampled_from("=+-@\t\r\n'\"|,;a1 "), max_size=8) | st.text(max_size=20))
def test_S20_a_cell_made_harmless_is_restored_to_the_letter(text: str) -> None:
    cell = neutralise(text)
    assert cell[:1] not in tuple("=+-@\t\r\n") or not cell
    assert restore(cell) == text


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    texts=st.lists(
        st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
        min_size=1,
        max_size=6,
        unique=True,
    )
)
def test_S20_any_text_comes_back_from_a_table(tmp_path: Path, texts: list[str]) -> None:
    subject, along = Entity(EntityId("wd:Q1"), "one"), Relation(RelationId("wdt:P1"))
    path = tmp_path / "t.csv"
    with path.open("wb") as out:
        export_triples((Triple(subject, along, Literal(text)) for text in texts), out, "csv")
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
    assert not [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t\r\n") and cell]
    import_graph([path], home=tmp_path, name="graph")
    graph = open_graph(tmp_path, "graph")
    found = graph.edges([EntityId("wd:Q1")], RelationId("wdt:P1")).triples
    assert sorted(t.object.value for t in found if isinstance(t.object, Literal)) == sorted(texts)
    graph.close()


def test_S20_hostile_ids_in_filters_find_nothing(tmp_path: Path) -> None:
    dump = make(tmp_path, "nt", 5, "x")
    for evil in ("P31> <x", "P1\n", '"', "{}", "P31 . } DROP"):
        with pytest.raises((InputError, ValueError)) as caught:
            import_graph([dump], home=tmp_path, name="graph", filters=Filters(properties=(evil,)))
        assert isinstance(caught.value, InputError)
