"""Embedded graphs under fault and abuse: real files, real processes."""

from __future__ import annotations

import gzip
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal as OxLiteral
from pyoxigraph import NamedNode, Quad, RdfFormat, serialize

from kgcore.errors import ImportFileError, InputError, KGCoreError, ServiceError
from kgcore.kg.files.importer import import_graph, list_graphs, remove_graph
from kgcore.kg.local.graph import LocalGraph, open_graph
from kgcore.kg.vocabulary import NO_VALUE, UNKNOWN_VALUE
from kgcore.model import Entity, EntityId, Literal, RelationId

LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
P = RelationId("<http://ex.org/p>")
Load = Callable[..., LocalGraph]
IMPORT = """
import sys
import time
from pathlib import Path
from kgcore.kg.files.importer import import_graph
def told(p):
    print(p.stage, flush=True)
    if [p.stage] == sys.argv[3:]:
        time.sleep(600)  # until it is killed
import_graph([Path(sys.argv[1])], home=Path(sys.argv[2]), name="graph", progress=told)
print("done", flush=True)
"""


def thing(name: object) -> str:
    return f"http://ex.org/{name}"


def ident(name: object) -> EntityId:
    return EntityId(f"<{thing(name)}>")


def triples(n: int, word: str = "thing") -> str:
    lines = []
    for i in range(n):
        lines.append(f'<{thing(i)}> <{LABEL.value}> "{word} {i}"@en .')
        lines.append(f"<{thing(i)}> <{thing('p')}> <{thing((i * 7) % n)}> .")
    return "\n".join(lines) + "\n"


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    opened: list[LocalGraph] = []

    def load(content: str | bytes, file: str = "g.nt") -> LocalGraph:
        import_graph([write(tmp_path / file, content)], home=tmp_path, name="graph")
        opened.append(open_graph(tmp_path, "graph"))
        return opened[-1]

    yield load
    for graph in opened:
        graph.close()


def outcome(call: Callable[[], object]) -> tuple[object, KGCoreError | None]:
    """What a call returns, or the error of ours that it raises."""
    try:
        return call(), None
    except KGCoreError as error:
        return None, error


def stored_bytes(home: Path) -> int:
    return sum(p.stat().st_size for p in (home / "graphs").rglob("*") if p.is_file())


# --- A2


def start_import(file: Path, home: Path, *, held_at: str = "") -> subprocess.Popen[str]:
    """Start an import; one that is `held_at` a stage waits there to be killed."""
    return subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(file), str(home), held_at],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )


def kill_after(process: subprocess.Popen[str], stage: str, delay_s: float) -> bool:
    """Kill an import some time after it reached a stage; True when it was not done by then."""
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen = line.strip()
        if seen in (stage, "done"):
            break
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read()
    process.wait()
    process.stdout.close()
    return "done" not in (seen, *rest.split())


@pytest.mark.parametrize("has_old", [True, False], ids=["over an old graph", "over none"])
def test_A2_a_killed_import_leaves_the_old_graph_or_the_new_one(
    tmp_path: Path, has_old: bool
) -> None:
    old = write(tmp_path / "old.nt", triples(50, "old"))
    new = write(tmp_path / "new.nt", triples(8_000, "new"))
    chance = random.Random(2)
    for round_ in range(5):
        home = tmp_path / f"home{round_}"
        if has_old:
            import_graph([old], home=home, name="graph")
        stage = ("reading", "indexing")[round_ % 2]
        held_at = stage if round_ < 2 else ""
        process = start_import(new, home, held_at=held_at)
        assert kill_after(process, stage, chance.uniform(0, 0.2)) or not held_at
        before = {m.n_triples for m in list_graphs(home)}
        assert before <= {100, 16_000}
        assert before or not has_old
        if before:
            graph = open_graph(home, "graph")
            assert len(graph._store) in before
            assert graph.link("old 7" if before == {100} else "new 7").items[0].entity.id == ident(
                7
            )
            graph.close()
        # nothing but the graph that counts is left on the disk
        staging = list((home / "graphs" / ".staging").iterdir())
        assert sum(p.stat().st_size for p in staging if p.is_file()) == 0
        assert not any(p.is_dir() for p in staging)
        assert import_graph([new], home=home, name="graph").n_triples == 16_000


def test_A2_two_imports_of_one_name_leave_one_whole_graph(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{i}.nt", triples(5_000 + i)) for i in range(3)]
    running = [start_import(file, tmp_path) for file in files]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.read().endswith("done\n")
        assert process.wait() == 0
        process.stdout.close()
    (manifest,) = list_graphs(tmp_path)
    graph = open_graph(tmp_path, "graph")
    assert len(graph._store) == manifest.n_triples in {10_000, 10_002, 10_004}
    assert len(list((tmp_path / "graphs" / "graph").glob("data-*"))) == 1
    graph.close()


def test_A2_a_reader_keeps_its_version_while_the_graph_is_replaced_and_removed(
    tmp_path: Path, load: Load
) -> None:
    graph = load(triples(2_000, "old"))
    load(triples(300, "new"))
    remove_graph(tmp_path, "graph")
    assert graph.link("old 7").items[0].entity.id == ident(7)
    assert graph.edges([ident(7)], P).triples[0].object.name == "old 49"
    found = [graph.edges([ident(i)], P).triples for i in range(2_000)]
    assert all(found)


def test_A2_a_full_disk_is_told_and_the_old_graph_stays(tmp_path: Path) -> None:
    home = tmp_path / "home"
    import_graph([write(tmp_path / "old.nt", triples(50))], home=home, name="graph")
    new = write(tmp_path / "new.nt", triples(30_000))
    limit = (
        "import resource, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", limit + IMPORT, str(new), str(home)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
        check=False,
    )
    assert done.returncode == 1
    assert "ServiceError: the graph 'graph' could not be stored" in done.stderr
    assert [m.n_triples for m in list_graphs(home)] == [100]
    assert stored_bytes(home) < 2_000_000


# --- readers in several processes


def read_in_process(home: str) -> tuple[str, int, str]:
    graph = open_graph(Path(home), "graph")
    found = graph.link("thing 7").items[0].entity.id
    edges = graph.edges([found], P)
    graph.close()
    return found, len(edges.triples), graph.version


def test_many_processes_read_one_graph_also_while_it_is_imported_anew(tmp_path: Path) -> None:
    import_graph([write(tmp_path / "g.nt", triples(3_000))], home=tmp_path, name="graph")
    again = start_import(tmp_path / "g.nt", tmp_path)
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        results = set(pool.map(read_in_process, [str(tmp_path)] * 24))
    assert again.wait() == 0
    assert again.stdout is not None
    again.stdout.close()
    assert results == {(ident(7), 1, open_graph(tmp_path, "graph").version)}


def test_a_graph_on_a_read_only_folder_can_be_read(tmp_path: Path, load: Load) -> None:
    load(triples(10)).close()
    folders = list((tmp_path / "graphs").rglob("*"))
    for path in folders:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        graph = open_graph(tmp_path, "graph")
        assert graph.link("thing 7").items[0].entity.id == ident(7)
        graph.close()
    finally:
        for path in folders:
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.mark.parametrize("part", ["labels.sqlite", "store/CURRENT", "manifest.json", "store"])
def test_a_damaged_graph_is_told_in_words(tmp_path: Path, part: str) -> None:
    import_graph([write(tmp_path / "g.nt", triples(10))], home=tmp_path, name="graph")
    (data,) = (tmp_path / "graphs" / "graph").glob("data-*")
    path = data.parent / part if part == "manifest.json" else data / part
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.write_bytes(b"\x00damaged")

    def use() -> None:
        graph = open_graph(tmp_path, "graph")
        try:
            graph.link("thing 7")
            graph.edges([ident(7)], P)
        finally:
            graph.close()

    with pytest.raises((ServiceError, InputError), match=r"cannot be (opened|read)") as caught:
        use()
    assert "\n" not in str(caught.value)
    assert import_graph([tmp_path / "g.nt"], home=tmp_path, name="graph").n_triples == 20


# --- K9 … K16

HOSTILE = [
    "مرحبا بالعالم", "שלום", "盗梦空间", "👩‍👩‍👧‍👦 family", "e\u0301 combining", "right\u202eleft", "nul\x00inside",
    "x" * 10_000, "<script>alert(1)</script>", '" . } DROP ALL ; #', "*", "a\nb\tc\r", "'", "%_", "\\u0041", "NEAR(a b)",
    "\ufeffbom", "\U0010ffff", " ", "🏳️‍🌈",
]  # fmt: skip


def test_K9_labels_survive_byte_for_byte(load: Load) -> None:
    quads = [Quad(NamedNode(thing(i)), LABEL, OxLiteral(text)) for i, text in enumerate(HOSTILE)]
    quads += [
        Quad(NamedNode(thing("all")), NamedNode(thing("p")), NamedNode(thing(i)))
        for i in range(len(HOSTILE))
    ]
    graph = load(serialize(quads, format=RdfFormat.N_TRIPLES))  # type: ignore[arg-type]
    for i, text in enumerate(HOSTILE):
        assert graph.describe([ident(i)]).entities[0].label == text
    shown = {
        t.object.id: t.object.label
        for t in graph.edges([ident("all")], P).triples
        if isinstance(t.object, Entity)
    }
    assert shown == {ident(i): text for i, text in enumerate(HOSTILE)}


def test_K9_hostile_names_can_be_found_and_break_nothing(load: Load) -> None:
    quads = [Quad(NamedNode(thing(i)), LABEL, OxLiteral(text)) for i, text in enumerate(HOSTILE)]
    graph = load(serialize(quads, format=RdfFormat.N_TRIPLES))
    for i, text in enumerate(HOSTILE):
        found = [c.entity.id for c in graph.link(text, limit=30).items]
        assert found[:1] == [ident(i)] or not text.strip(), text[:20]
        graph.link(f"What is {text}?", is_question=True)


def test_K10_a_thing_without_label_is_shown_by_its_id_and_others_by_a_fixed_fallback(
    load: Load,
) -> None:
    text = (
        f'<{thing(1)}> <{LABEL.value}> "Москва"@ru .\n<{thing(1)}> <{LABEL.value}> "Moskau"@de .\n'
        f"<{thing(1)}> <{thing('p')}> <{thing(2)}> .\n"
    )
    graph = load(text)
    (triple,) = graph.edges([ident(1)], P).triples
    assert triple.subject.name == "Moskau"
    assert triple.object.name == ident(2)


def test_K11_namesakes_and_a_label_that_is_anothers_id_stay_apart(load: Load) -> None:
    lines = [
        f'<{thing(i)}> <{LABEL.value}> "Springfield" .\n<{thing(i)}> <{thing("p")}> <{thing(f"s{i}")}> .'
        for i in (1, 2)
    ]
    lines.append(f'<{thing(3)}> <{LABEL.value}> "{ident(1)}" .')
    graph = load("\n".join(lines))
    assert {c.entity.id for c in graph.link("Springfield").items} == {ident(1), ident(2)}
    for i in (1, 2):
        (triple,) = graph.edges([ident(i)], P).triples
        assert isinstance(triple.object, Entity)
        assert triple.object.id == ident(f"s{i}")
    assert graph.describe([ident(1)]).entities[0].label == "Springfield"
    assert {c.entity.id for c in graph.link(ident(1)).items} == {ident(1), ident(3)}


@pytest.mark.parametrize(
    "value, datatype",
    [("-0044-03-15", "date"), ("1990", "gYear"), ("-0001", "gYear"), ("1e400", "double"), ("-0", "integer"),
     ("-0.0", "double"), ("01.500", "decimal"), ("+5", "integer"), ("2010-00-00T00:00:00Z", "dateTime"),
     ("99999999999999999999999999", "integer"), ("0.30000000000000000000000000001", "decimal"), ("NaN", "float"),
     ("12010-01-01T24:00:00Z", "dateTime"), ("300", "byte"), ("1", "boolean"), ("not a number", "integer")],
)  # fmt: skip
def test_K12_values_keep_lexical_form_and_datatype(load: Load, value: str, datatype: str) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    graph = load(f'<{thing(1)}> <{thing("p")}> "{value}"^^<{xsd}{datatype}> .')
    (triple,) = graph.edges([ident(1)], P).triples
    assert triple.object == Literal(value, f"xsd:{datatype}")
    assert graph.relations([ident(1)]).items[0].targets == (value,)


def test_K13_unknown_and_missing_values_are_shown_and_never_asked_for_again(load: Load) -> None:
    wd, wdt = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
    graph = load(
        f"<{wd}Q1> <{wdt}P570> <http://www.wikidata.org/.well-known/genid/abc> .\n"
        f"<{wd}Q2> <{wdt}P570> _:unknown .\n<{wd}Q2> <{wdt}P570> _:unknown2 .\n"
        f"<{wd}Q3> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.wikidata.org/prop/novalue/P570> .\n"
        f'<{wd}Q4> <{wdt}P570> _:address .\n_:address <{thing("street")}> "Main St" .\n'
    )
    died = RelationId("wdt:P570")
    for name, value in (("Q1", UNKNOWN_VALUE), ("Q2", UNKNOWN_VALUE), ("Q3", NO_VALUE)):
        (triple,) = graph.edges([EntityId(f"wd:{name}")], died).triples
        assert triple.object == value
        (option,) = graph.relations([EntityId(f"wd:{name}")]).items
        assert (option.relation.id, option.count) == (died, 1)
    assert graph.relations([EntityId("wd:Q4")]).items == ()
    assert graph.manifest.n_blank == 2
    assert graph.link("unknown value").items == ()


def test_K16_cycles_self_loops_and_repeats_end_and_count_once(load: Load) -> None:
    lines = [
        f"<{thing('a')}> <{thing('p')}> <{thing('a')}> .",
        f"<{thing('a')}> <{thing('p')}> <{thing('b')}> .",
    ] * 50
    lines += [
        f"<{thing('b')}> <{thing('p')}> <{thing('a')}> .",
        f"<{thing('a')}> <http://www.w3.org/2002/07/owl#sameAs> <{thing('a')}> .",
    ]
    graph = load("\n".join(lines))
    assert len(graph.edges([ident("a")], P).triples) == 2
    assert len(graph.edges([ident("a")], P, "in").triples) == 2
    assert [(o.direction, o.count) for o in graph.relations([ident("a")]).items] == [
        ("in", 2),
        ("out", 2),
    ]
    assert graph.same_as([ident("a")]) == ()


def test_K16_ten_thousand_parallel_edges_are_bounded(load: Load) -> None:
    lines = [f"<{thing('a')}> <{thing(f'p{i}')}> <{thing('b')}> ." for i in range(2_000)]
    lines += [f"<{thing('a')}> <{thing('p')}> <{thing(i)}> ." for i in range(10_000)]
    graph = load("\n".join(lines))
    assert len(graph.relations([ident("a")]).items) == 2_001
    edges = graph.edges([ident("a")], P)
    assert (len(edges.triples), edges.more) == (50, ((ident("a"), 9_950),))


# --- S3


@settings(max_examples=400, deadline=None)
@given(text=st.text(max_size=60))
def test_S3_no_text_given_as_an_id_reaches_a_query(hostile_graph: LocalGraph, text: str) -> None:
    for identifier in (text, f"<{text}>", f"wd:{text}", f"<http://ex.org/{text}>"):
        for ask in (
            lambda i: hostile_graph.edges([EntityId(i)], P).triples,
            lambda i: hostile_graph.edges([ident("a")], RelationId(i)).triples,
            lambda i: hostile_graph.relations([EntityId(i)]).items,
            lambda i: hostile_graph.describe([EntityId(i)]).entities,
        ):
            found, error = outcome(lambda a=ask, i=identifier: a(i))  # type: ignore[misc]
            assert not found or text in ("a", "p", "secret", "b")
            assert error is None or "is no id" in str(error)


@pytest.fixture(scope="module")
def hostile_graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGraph]:
    home = tmp_path_factory.mktemp("s3")
    text = f'<{thing("a")}> <{thing("p")}> <{thing("b")}> .\n<{thing("secret")}> <{thing("q")}> "hidden" .\n'
    import_graph([write(home / "g.nt", text)], home=home, name="graph")
    graph = open_graph(home, "graph")
    yield graph
    graph.close()


@pytest.mark.parametrize(
    "evil",
    ["<http://ex.org/a> } UNION { ?s ?p ?o", "http://ex.org/a> <http://ex.org/q", 'wd:Q1" ; DROP ALL',
     "' OR 1=1 --", "wd:Q1\n", "ex:a/**/", "<http://ex.org/a>#", "_:b0", "?x", "wd:Q1 wd:Q2"],
)  # fmt: skip
def test_S3_injection_is_refused_or_finds_nothing(hostile_graph: LocalGraph, evil: str) -> None:
    for call in (
        lambda: hostile_graph.edges([EntityId(evil)], P, "in").triples,
        lambda: hostile_graph.relations([EntityId(evil)]).items,
    ):
        found, error = outcome(call)
        assert not found
        assert error is None or isinstance(error, InputError)
    assert all(c.entity.id != ident("secret") for c in hostile_graph.link(evil).items)


# --- S6, S12, S14


@pytest.fixture
def recorder() -> Iterator[tuple[str, list[str]]]:
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"@context": {}}')

        def log_message(self, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", hits
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("context", ['"{}/c"', '["{}/c", {{}}]', '{{"@import": "{}/c"}}'])
def test_S6_a_remote_context_is_refused_without_a_request(
    tmp_path: Path, recorder: tuple[str, list[str]], context: str
) -> None:
    address, hits = recorder
    text = f'{{"@context": {context.format(address)}, "@id": "{thing(1)}", "{thing("p")}": "x"}}'
    json.loads(text)
    with pytest.raises(ImportFileError, match="nothing is fetched"):
        import_graph([write(tmp_path / "g.jsonld", text)], home=tmp_path, name="graph")
    assert hits == []


def test_S6_imports_of_an_ontology_are_not_followed(
    load: Load, recorder: tuple[str, list[str]]
) -> None:
    address, hits = recorder
    load(
        f'<{thing(1)}> <http://www.w3.org/2002/07/owl#imports> <{address}/o> .\n<{thing(1)}> <{thing("p")}> "x" .'
    )
    assert hits == []


RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"'
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
BOMBS = {
    "billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><rdf:RDF {RDF}><rdf:Description rdf:about="{thing(1)}"><e:p>&l9;</e:p></rdf:Description></rdf:RDF>',
    "external entity": f'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rdf:RDF {RDF}><rdf:Description rdf:about="{thing(1)}"><e:p>&x;</e:p></rdf:Description></rdf:RDF>',
    "external document type": f'<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><rdf:RDF {RDF}/>',
    "behind a long comment": f'<!-- {"x" * 600_000} --><!DOCTYPE r [<!ENTITY x "y">]><rdf:RDF {RDF}/>',
    "deep nesting": f"<rdf:RDF {RDF}>" + "<rdf:Description><e:p>" * 200_000,
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_S12_xml_bombs_are_refused_before_they_are_parsed(
    tmp_path: Path, name: str, encoding: str
) -> None:
    path = write(
        tmp_path / "g.rdf",
        f'<?xml version="1.0" encoding="{encoding}"?>{BOMBS[name]}'.encode(encoding),
    )
    memory, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(ImportFileError, match=r"DOCTYPE and ENTITY are refused|nested more than"):
        import_graph([path], home=tmp_path, name="graph")
    assert time.process_time() - start < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 50_000
    assert list_graphs(tmp_path) == ()


def test_S12_a_doctype_inside_a_text_is_only_text(load: Load) -> None:
    graph = load(
        f'<rdf:RDF {RDF}><rdf:Description rdf:about="{thing(1)}"><e:p><![CDATA[<!DOCTYPE html>]]></e:p></rdf:Description></rdf:RDF>',
        "g.rdf",
    )  # fmt: skip
    assert graph.edges([ident(1)], RelationId("e:p")).triples[0].object == Literal(
        "<!DOCTYPE html>"
    )


DEEP = {
    "g.ttl": f"<{thing(1)}> <{thing('p')}> " + f"[<{thing('p')}> " * 100_000,
    "h.ttl": f"<{thing(1)}> <{thing('p')}> " + "(" * 100_000,
    "g.jsonld": f'{{"{thing("p")}":' * 100_000,
    "h.jsonld": '{"@context":' + "[" * 100_000,
    "g.nt": "<< " * 100_000,
}


@pytest.mark.parametrize("file", DEEP)
def test_S12_deep_nesting_of_other_formats_ends_in_an_error(tmp_path: Path, file: str) -> None:
    start = time.process_time()
    with pytest.raises(ImportFileError):
        import_graph([write(tmp_path / file, DEEP[file])], home=tmp_path, name="graph")
    assert time.process_time() - start < 5


@pytest.mark.parametrize("lies", [False, True], ids=["honest", "lying about its size"])
def test_S14_a_gzip_bomb_is_refused(tmp_path: Path, lies: bool) -> None:
    line = f'<{thing(1)}> <{thing("p")}> "1" .\n'.encode()
    packed = gzip.compress(line * 6_000_000, 6)
    path = write(tmp_path / "g.nt.gz", packed[:-4] + b"\0\0\0\0" if lies else packed)
    start = time.process_time()
    with pytest.raises(ImportFileError, match="unpacks to far more"):
        import_graph([path], home=tmp_path, name="graph")
    assert time.process_time() - start < 1.5
    assert list_graphs(tmp_path) == ()
    assert stored_bytes(tmp_path) == 0


@pytest.mark.parametrize("cut", [1, 100, 5_000])
def test_S14_a_cut_off_gzip_file_is_an_error(tmp_path: Path, cut: int) -> None:
    path = write(tmp_path / "g.nt.gz", gzip.compress(triples(5_000).encode())[:-cut])
    with pytest.raises(ImportFileError, match="cannot be unpacked"):
        import_graph([path], home=tmp_path, name="graph")


def test_S14_a_link_is_read_and_never_written_through(tmp_path: Path) -> None:
    target = write(tmp_path / "real.nt", triples(5))
    link = tmp_path / "link.nt"
    link.symlink_to(target)
    before = target.read_bytes()
    assert import_graph([link], home=tmp_path / "home", name="graph").n_triples == 10
    remove_graph(tmp_path / "home", "graph")
    assert target.read_bytes() == before


# --- S16, S17


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data(), suffix=st.sampled_from(["nt", "ttl", "rdf", "jsonld", "nq", "trig"]))
def test_S16_malformed_files_end_in_an_error_or_a_graph(
    tmp_path: Path, data: st.DataObject, suffix: str
) -> None:
    good = {"jsonld": f'{{"@id": "{thing(1)}", "{thing("p")}": ["x", "y"]}}',
            "rdf": f'<rdf:RDF {RDF}><rdf:Description rdf:about="{thing(1)}"><e:p>x</e:p></rdf:Description></rdf:RDF>'}  # fmt: skip
    content = bytearray(good.get(suffix, triples(3)).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        content[place : place + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=6))
    home = tmp_path / "home"
    if not list_graphs(home):
        import_graph([write(tmp_path / "old.nt", triples(3, "old"))], home=home, name="old")
    file = write(tmp_path / f"g.{suffix}", bytes(content))
    _, error = outcome(lambda: import_graph([file], home=home, name="new"))
    if isinstance(error, ImportFileError):
        assert suffix in ("rdf", "jsonld") or error.line or "unpacked" in error.reason
        assert error.reason.isprintable()
    else:
        assert error is None or "no triples" in str(error)
    graph = open_graph(home, "old")
    assert graph.link("old 1").items[0].entity.id == ident(1)
    graph.close()


@pytest.mark.parametrize(
    "name",
    ["../../escape", "/etc/passwd", "..", "a/../../b", "CON", "x" * 100, "..\\..\\b", ".staging"],
)  # fmt: skip
def test_S17_any_graph_name_stays_in_the_data_folder(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home" / "data"
    file = write(tmp_path / "g.nt", triples(3))
    before = {p for p in tmp_path.rglob("*") if home not in p.parents}
    manifest = import_graph([file], home=home, name=name)
    assert manifest.name == name
    assert [m.name for m in list_graphs(home)] == [name]
    assert open_graph(home, name).id == name
    after = {p for p in tmp_path.rglob("*") if home not in p.parents and p != home}
    assert after - before <= {home.parent}
    remove_graph(home, name)
    assert list_graphs(home) == ()
    assert os.listdir(home) == ["graphs"]
