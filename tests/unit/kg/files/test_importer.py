"""Importing files: formats, what a manifest says, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kgcore.errors import ImportFileError, InputError, UnknownGraphError
from kgcore.kg.files.importer import Progress, Skipped, import_graph, list_graphs, remove_graph
from kgcore.kg.local.graph import open_graph
from kgcore.model import EntityId, Literal, RelationId

A, B, P = EntityId("ex:a"), EntityId("ex:b"), RelationId("ex:p")
TURTLE = """@prefix ex: <http://ex.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:a rdfs:label "Anna"@en ; ex:p ex:b .
ex:b rdfs:label "Bert"@en .
"""
TRIPLES = """<http://ex.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Anna"@en .
<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> .
<http://ex.org/b> <http://www.w3.org/2000/01/rdf-schema#label> "Bert"@en .
"""
XML = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:ex="http://ex.org/">
<rdf:Description rdf:about="http://ex.org/a"><rdfs:label xml:lang="en">Anna</rdfs:label>
<ex:p rdf:resource="http://ex.org/b"/></rdf:Description>
<rdf:Description rdf:about="http://ex.org/b"><rdfs:label xml:lang="en">Bert</rdfs:label></rdf:Description>
</rdf:RDF>"""
JSON = """{"@context": {"label": "http://www.w3.org/2000/01/rdf-schema#label", "ex": "http://ex.org/"},
"@graph": [{"@id": "ex:a", "label": {"@value": "Anna", "@language": "en"}, "ex:p": {"@id": "ex:b"}},
{"@id": "ex:b", "label": {"@value": "Bert", "@language": "en"}}]}"""
QUADS = TRIPLES.replace(" .\n", " <http://ex.org/g> .\n") + TRIPLES
TRIG = TURTLE.replace("ex:a rdfs", "ex:g { ex:a rdfs") + "} ex:a ex:p ex:b ."
FILES = {
    "g.nt": TRIPLES,
    "g.ttl": TURTLE,
    "g.rdf": XML,
    "g.jsonld": JSON,
    "g.nq": QUADS,
    "g.trig": TRIG,
}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize("name", [*FILES, *(f"{name}.gz" for name in FILES)])
def test_every_format_is_read_packed_or_not(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, name, FILES[name.removesuffix(".gz")])
    manifest = import_graph([path], home=tmp_path, name="graph")
    assert (manifest.n_triples, manifest.n_entities, manifest.n_edges) == (3, 2, 1)
    graph = open_graph(tmp_path, "graph")
    anna = graph.link("Anna").items[0].entity.id
    (option,) = graph.relations([anna]).items
    (triple,) = graph.edges([anna], option.relation.id).triples
    assert triple.text == "Anna – p – Bert"
    graph.close()


@pytest.mark.parametrize("name", ["g.ttl", "g.trig", "g.rdf"])
def test_prefixes_of_the_file_make_the_ids(tmp_path: Path, name: str) -> None:
    import_graph([write(tmp_path, name, FILES[name])], home=tmp_path, name="graph")
    graph = open_graph(tmp_path, "graph")
    assert graph.edges([A], P).triples[0].object.name == "Bert"
    graph.close()


def test_several_files_make_one_graph_and_their_blank_nodes_stay_apart(tmp_path: Path) -> None:
    one = write(tmp_path, "1.nt", TRIPLES + '_:x <http://ex.org/q> "1" .\n')
    two = write(tmp_path, "2.nt", TRIPLES + '_:x <http://ex.org/q> "1" .\n')
    manifest = import_graph([one, two], home=tmp_path, name="graph")
    assert manifest.n_triples == 5
    assert manifest.files == ("1.nt", "2.nt")
    assert manifest.n_blank == 2


def test_the_manifest_says_what_is_there(tmp_path: Path) -> None:
    text = TURTLE + 'ex:a rdfs:label "安娜"@zh . ex:b ex:q 5 . [] ex:p ex:a .'
    manifest = import_graph([write(tmp_path, "g.ttl", text)], home=tmp_path, name="My graph")
    assert (manifest.name, manifest.files) == ("My graph", ("g.ttl",))
    assert (manifest.n_triples, manifest.n_relations, manifest.n_blank) == (6, 2, 1)
    assert manifest.languages == ("en", "zh")
    assert ("ex", "http://ex.org/") in manifest.prefixes
    assert list_graphs(tmp_path) == (manifest,)


def test_the_version_follows_the_content_and_nothing_else(tmp_path: Path) -> None:
    def version(name: str, file: str, text: str) -> str:
        manifest = import_graph([write(tmp_path, file, text)], home=tmp_path, name=name)
        return manifest.version

    first = version("one", "a.nt", TRIPLES)
    assert version("one", "a.nt", TRIPLES) == first
    assert version("two", "b.nt.gz", TRIPLES) == first
    assert version("one", "a.nt", TRIPLES.replace("Bert", "Berta")) != first


def test_labels_in_another_language_are_another_version(tmp_path: Path) -> None:
    import_graph([write(tmp_path, "g.ttl", TURTLE)], home=tmp_path, name="graph")
    english, chinese = (open_graph(tmp_path, "graph", languages=(x,)) for x in ("en", "zh"))
    assert english.version != chinese.version
    assert english.version == open_graph(tmp_path, "graph", languages=("en",)).version


def test_importing_again_replaces_the_graph_and_leaves_one_folder(tmp_path: Path) -> None:
    import_graph([write(tmp_path, "g.ttl", TURTLE)], home=tmp_path, name="graph")
    import_graph(
        [write(tmp_path, "h.ttl", TURTLE.replace("Bert", "Ben"))], home=tmp_path, name="graph"
    )
    assert open_graph(tmp_path, "graph").describe([B]).entities[0].label == "Ben"
    assert len(list((tmp_path / "graphs" / "graph").glob("data-*"))) == 1


def test_a_removed_graph_is_gone(tmp_path: Path) -> None:
    import_graph([write(tmp_path, "g.ttl", TURTLE)], home=tmp_path, name="graph")
    remove_graph(tmp_path, "graph")
    assert list_graphs(tmp_path) == ()
    for call in (open_graph, remove_graph):
        with pytest.raises(UnknownGraphError, match="no graph called 'graph'"):
            call(tmp_path, "graph")


def test_nothing_is_listed_where_nothing_was_imported(tmp_path: Path) -> None:
    assert list_graphs(tmp_path / "nowhere") == ()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "name, text, line, reason",
    [
        ("g.nt", TRIPLES + "<http://ex.org/a> broken .\n", 4, "predicate"),
        ("g.nt.gz", TRIPLES + '<http://ex.org/a> <http://ex.org/p> "x\n', 4, "string|literal|file"),
        ("g.nq", TRIPLES + "<a> <b> <c> .\n", 4, "IRI"),
        ("g.ttl", TURTLE + "ex:a ex:p nope:b .\n", 5, "nope"),
        ("g.trig", TURTLE + "ex:g { ex:a ex:p }\n", 5, "object"),
        ("g.rdf", XML.replace("</rdf:RDF>", ""), 7, "no element|unclosed"),
        ("g.jsonld", '{"@id": "http://ex.org/a",\n"http://ex.org/p":', 2, "end of file"),
    ],
)
def test_a_broken_file_is_named_with_line_and_reason(
    tmp_path: Path, name: str, text: str, line: int, reason: str
) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(ImportFileError, match=reason) as caught:
        import_graph([path], home=tmp_path, name="graph")
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert list_graphs(tmp_path) == ()


def test_a_broken_import_leaves_the_old_graph_and_no_rest(tmp_path: Path) -> None:
    kept = import_graph([write(tmp_path, "g.ttl", TURTLE)], home=tmp_path, name="graph")
    broken = write(tmp_path, "h.nt", TRIPLES + "broken\n")
    with pytest.raises(ImportFileError):
        import_graph([broken], home=tmp_path, name="graph")
    assert list_graphs(tmp_path) == (kept,)
    assert not [p for p in (tmp_path / "graphs" / ".staging").iterdir() if p.stat().st_size]


@pytest.mark.parametrize(
    "name, text, n_triples, lines",
    [
        ("g.nt", "broken\n" + TRIPLES + "<a> <b> <c> .\n\n# done\n", 3, [1, 5]),
        ("g.ttl", TURTLE + 'ex:a ex:p nope:b ; ex:p ex:c .\nex:b ex:p "x" .\n', 4, [5]),
        ("g.nq.gz", TRIPLES + "<broken\n" + TRIPLES, 3, [4]),
    ],
)
def test_errors_can_be_skipped_and_are_told(
    tmp_path: Path, name: str, text: str, n_triples: int, lines: list[int]
) -> None:
    told: list[Skipped] = []
    manifest = import_graph(
        [write(tmp_path, name, text)],
        home=tmp_path,
        name="graph",
        skip_errors=True,
        on_skip=told.append,
    )
    assert (manifest.n_triples, manifest.n_skipped) == (n_triples, len(lines))
    assert [skipped.line for skipped in told] == lines
    assert all(skipped.reason and skipped.file.endswith(name) for skipped in told)


@pytest.mark.parametrize("name", ["g.rdf", "g.jsonld"])
def test_errors_cannot_be_skipped_where_statements_have_no_end(tmp_path: Path, name: str) -> None:
    with pytest.raises(ImportFileError, match="only in N-Triples"):
        import_graph(
            [write(tmp_path, name, FILES[name])], home=tmp_path, name="g", skip_errors=True
        )


@pytest.mark.parametrize(
    "name, text, reason",
    [
        ("g.docx", TRIPLES, r"known are \.csv .*\.graphml .*\.ttl"),
        ("g", TRIPLES, "unknown kind of file"),
        ("g.gz", TRIPLES, "unknown kind of file"),
        ("g.nt", "# nothing\n", "no triples"),
        ("g.nt", "", "no triples"),
    ],
)
def test_files_without_a_graph_are_refused(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        import_graph([write(tmp_path, name, text)], home=tmp_path, name="graph")
    assert list_graphs(tmp_path) == ()


@pytest.mark.parametrize("name", ["", "n" * 101, "a\nb", "a\u202eb"])
def test_a_graph_gets_a_name_that_fits_on_a_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="a graph needs a name"):
        import_graph([write(tmp_path, "g.nt", TRIPLES)], home=tmp_path, name=name)
    assert list_graphs(tmp_path) == ()


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.nt", tmp_path):
        with pytest.raises(ImportFileError, match=r"No such file|Is a directory"):
            import_graph([path], home=tmp_path, name="graph")
    with pytest.raises(InputError, match="at least one file"):
        import_graph([], home=tmp_path, name="graph")


def test_progress_goes_to_the_end_and_never_back(tmp_path: Path) -> None:
    lines = "".join(f'<http://ex.org/{i}> <http://ex.org/p> "{i}" .\n' for i in range(30_000))
    paths = [write(tmp_path, "a.nt", lines), write(tmp_path, "b.nt.gz", lines)]
    told: list[Progress] = []
    import_graph(paths, home=tmp_path, name="graph", progress=told.append)
    reading = [p for p in told if p.stage == "reading"]
    assert len(reading) > 3
    assert [p.done for p in reading] == sorted(p.done for p in reading)
    assert reading[-1].done == reading[-1].total == sum(path.stat().st_size for path in paths)
    assert [p.stage for p in told] == sorted((p.stage for p in told), reverse=True)


def test_relative_ids_do_not_depend_on_the_machine(tmp_path: Path) -> None:
    path = write(tmp_path, "g.ttl", '<a> <http://ex.org/p> "x" .')
    import_graph([path], home=tmp_path, name="graph")
    graph = open_graph(tmp_path, "graph")
    (entity,) = graph.describe([EntityId(f"<urn:kg:file:{'g-ttl'}/a>")]).entities or (None,)
    found = graph.labels.reader.select("SELECT key FROM node")
    assert str(tmp_path) not in str(found)
    assert entity is None or entity.id
    graph.close()


def test_a_prefix_another_graph_uses_otherwise_is_not_taken(tmp_path: Path) -> None:
    import_graph([write(tmp_path, "g.ttl", TURTLE)], home=tmp_path, name="one")
    other = TURTLE.replace("http://ex.org/", "http://other.org/")
    import_graph([write(tmp_path, "h.ttl", other)], home=tmp_path, name="two")
    graph = open_graph(tmp_path, "two")
    assert graph.describe([A]).entities == ()
    (entity,) = graph.describe([EntityId("<http://other.org/a>")]).entities
    assert (entity.id, entity.label) == ("<http://other.org/a>", "Anna")
    graph.close()


def test_literals_keep_their_exact_form(tmp_path: Path) -> None:
    text = (
        TURTLE + 'ex:a ex:q "01.50"^^<http://www.w3.org/2001/XMLSchema#decimal>, "x"@zh-Hant, "x" .'
    )
    import_graph([write(tmp_path, "g.ttl", text)], home=tmp_path, name="graph")
    graph = open_graph(tmp_path, "graph")
    ends = [t.object for t in graph.edges([A], RelationId("ex:q")).triples]
    assert ends == [Literal("01.50", "xsd:decimal"), Literal("x"), Literal("x", lang="zh-hant")]
    graph.close()
