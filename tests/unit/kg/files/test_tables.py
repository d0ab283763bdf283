"""Tables: what their columns are taken for, how people change that, and which triples come of it."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import pytest

from kgcore.errors import ImportFileError, InputError
from kgcore.kg.files import converted
from kgcore.kg.files.importer import import_graph
from kgcore.kg.files.table_mapping import parse_columns
from kgcore.kg.files.tables import Table, preview, propose_mapping, read_head
from kgcore.model import Entity, EntityId, Triple


def write(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def roles(path: Path) -> list[str]:
    """The proposed roles, with the kind of a property where it is decided."""
    mapping = propose_mapping(read_head(path))
    kinds = {"auto": "", "entity": ":entity", "literal": ":literal"}
    return [c.role + (kinds[c.kind] if c.role == "property" else "") for c in mapping.columns]


def shown(triples: tuple[Triple, ...]) -> list[str]:
    return [triple.text for triple in triples]


def many(row: str, n: int = 30) -> str:
    return "".join(row.format(i=i, two=i % 2) for i in range(n))


TRIPLES = ["subject", "relation", "object"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("subject,relation,object\nHeat,by,Mann\n", TRIPLES),
        ("Subject;Predicate;Object\nHeat;by;Mann\n", TRIPLES),
        ("head\trel\ttail\nHeat\tby\tMann\n", TRIPLES),
        ("source,target,type\nHeat,Mann,by\n", ["subject", "object", "relation"]),
        ("Film,Verb,Who\nHeat,by,Mann\n", TRIPLES),
        ("person,relation,thing\nAnna,knows,Bob\n", TRIPLES),
        ("item,attribute,value\nHeat,by,Mann\n", TRIPLES),
        ("film,relation type,person\nHeat,by,Mann\n", TRIPLES),
        ("subject,how,whom\nHeat,by,Mann\n", TRIPLES),
        ("head,tail,how\nHeat,Mann,by\n", ["subject", "object", "relation"]),
        ("Heat,by,Mann\nAlien,by,Scott\n", TRIPLES),
        ("wd:Q1,wdt:P31,wd:Q2\n", TRIPLES),
        (many("film{i},by{two},person{i}\n"), TRIPLES),
        (many("film{i},person{i},by{two}\n"), ["subject", "object", "relation"]),
        ("film,verb,person\n" + many("film{i},by{two},person{i}\n"), TRIPLES),
        (
            "subject,subject_label,predicate,object,object_label,lang\n1,Heat,by,2,Mann,\n",
            ["subject", "subject_label", "relation", "object", "object_label", "lang"],
        ),
        ("id,name,born\n1,Tom,1956-07-09\n", ["id", "label", "property:literal"]),
        (
            "Title,Director,Year\nAlien,Scott,1979\nLegend,Scott,1985\n",
            ["id", "property", "property:literal"],
        ),
        ("name,site\nTom,https://ex.org/tom\n", ["id", "property"]),
        ("name,type,description\nTom,Actor,An actor\n", ["id", "type", "description"]),
    ],
)
def test_the_meaning_of_columns_is_read_off_the_head(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    assert roles(write(tmp_path, text)) == expected


@pytest.mark.parametrize(
    "text, has_header",
    [("a,b,c\n" + many("x{i},by{two},z{i}\n"), True), (many("x{i},by{two},z{i}\n"), False),
     ("x,1,2\n", False), ("Film,Verb,Who\nHeat,by,Mann\n", True), ("Heat,by,Mann\n", False),
     ("person,relation,thing\nAnna,knows,Bob\n", True), ("item,attribute,value\nAnna,size,small\n", True),
     ("subject,how,whom\nAnna,knows,Bob\n", True),
     ("film;director;actor\nHeat;Michael Mann;Al Pacino\nAlien;Ridley Scott;John Hurt\n", True),
     ("iPod,by,Apple\nHeat,by,Mann\nAlien,by,Scott\n", False), ("from,relation_name,person\nA,b,C\n", True), ("name,age\nTom,5\n", True), ("https://a.b/c,p,q\n", False)],
)  # fmt: skip
def test_a_header_is_told_from_a_row(tmp_path: Path, text: str, has_header: bool) -> None:
    assert read_head(write(tmp_path, text)).has_header is has_header


@pytest.mark.parametrize("packing", ["", ".gz", ".bz2"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_a_packed_table_reads_like_a_plain_one(tmp_path: Path, packing: str, start: bytes) -> None:
    data = start + "subject,relation,object\nÉmile,né à,Paris\n".encode()
    pack = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}[packing]
    path = tmp_path / f"t.csv{packing}"
    path.write_bytes(pack(data))
    mapping = propose_mapping(read_head(path))
    assert shown(preview(path, mapping)) == ["Émile – né à – Paris"]


def test_the_preview_shows_names_values_and_ids_as_they_will_be(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "subject,relation,object\nHeat,year,1995\nHeat,by,Mann\nwd:Q42,wdt:P31,wd:Q5\nHeat,rating,8.3\n"
        "Heat,released,1995-12-15\nHeat,<http://ex.org/p>,https://ex.org/o\nAlien: Covenant,number,007\n",
    )
    triples = preview(path, propose_mapping(read_head(path)), graph="films")
    ends = [
        getattr(t.object, "id", "") or getattr(t.object, "value", "") + getattr(t.object, "datatype", "")
        for t in triples
    ]  # fmt: skip
    assert ends == [
        "1995xsd:integer", "films:Mann", "wd:Q5", "8.3xsd:decimal", "1995-12-15xsd:date",
        "<https://ex.org/o>", "films:007",
    ]  # fmt: skip
    assert [t.subject.id for t in triples[::6]] == ["films:Heat", "films:Alien%3A%20Covenant"]
    assert [t.relation.id for t in triples[1:3]] == ["films:p:by", "wdt:P31"]


def test_numbers_on_both_sides_of_a_relation_are_ids(tmp_path: Path) -> None:
    path = write(tmp_path, "source,target,type\n1,2,knows\n2,3,knows\n")
    mapping = propose_mapping(read_head(path))
    assert [t.object for t in preview(path, mapping)] == [
        Entity(EntityId("graph:2")),
        Entity(EntityId("graph:3")),
    ]
    path = write(tmp_path, "subject,relation,object\nTom,age,5\n")
    assert propose_mapping(read_head(path)).objects == "auto"


def test_a_person_gives_columns_other_meanings(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b,c,d\n1,x,2,why\n")
    mapping = propose_mapping(read_head(path)).with_columns(
        parse_columns("subject=c,relation=b,object=1")
    )
    assert shown(preview(path, mapping)) == ["2 – x – 1"]
    assert mapping.with_columns([("lang", "d")]).kind == "triples"
    wide = propose_mapping(read_head(path)).with_columns(parse_columns("entity=d,ignore=b"))
    assert shown(preview(path, wide)) == ["1 – c – 2", "1 – d – why"]


@pytest.mark.parametrize(
    "columns, message",
    [("subject=a,relation=b,object=z", "no column 'z'"), ("subject=a", "columns for subject, relation"),
     ("colour=a", "cannot be 'colour'"), ("subject", "not of the form"), ("=a", "not of the form")],
)  # fmt: skip
def test_columns_that_cannot_be_are_told(tmp_path: Path, columns: str, message: str) -> None:
    path = write(tmp_path, "a,b,c\n1,x,2\n")
    with pytest.raises(InputError, match=message):
        propose_mapping(read_head(path)).with_columns(parse_columns(columns))


def test_a_column_name_with_a_comma_is_put_in_quotes() -> None:
    assert parse_columns('subject="Name, first",object=B') == (
        ("subject", "Name, first"),
        ("object", "B"),
    )


NEO4J_NODES = (
    "personId:ID(Person),name,born:int,tags:string[],:LABEL\np1,Tom,1956,a;b,Person;Actor\n"
)
NEO4J_EDGES = ":START_ID(Person),role,:END_ID(Movie),:TYPE\np1,Neo,1,ACTED_IN\n"
APOC = (
    '"_id","_labels","name","born","_start","_end","_type","roles"\n"0",":Person","Keanu","1964",,,,\n'
    '"1",":Movie","Matrix","",,,,\n,,,,"0","1","ACTED_IN","[""Neo""]"\n'
)


@pytest.mark.parametrize(
    "text, expected",
    [
        (NEO4J_NODES, ["Tom – born – 1956", "Tom – tags – a", "Tom – tags – b", "Tom – type – Person", "Tom – type – Actor"]),
        (NEO4J_EDGES, ["graph:Person/p1 – ACTED_IN – graph:Movie/1"]),
        (APOC, ["Keanu – type – Person", "Keanu – born – 1964", "Matrix – type – Movie", "Keanu – ACTED_IN – Matrix"]),
    ],
    ids=["nodes", "relationships", "one file"],
)  # fmt: skip
def test_exports_of_neo4j_are_known_by_their_header(
    tmp_path: Path, text: str, expected: list[str]
) -> None:
    path = write(tmp_path, text)
    mapping = propose_mapping(read_head(path))
    assert "Neo4j" in mapping.note
    assert shown(preview(path, mapping)) == expected


@pytest.mark.parametrize(
    "data, line",
    [(b"subject,relation,object\na,b,c\na,b\n", 3), (b"subject,relation,object\na,b,c,d\n", 2),
     (b"subject,relation,object\na,,c\n", 2), (b'subject,relation,object\n\na,b,"c\n\nd\n', 3),
     (b'subject,relation,object\na,b,"c"d\n', 2), (b"subject,relation,object\na,b,\xff\n", 2),
     (b"\xff\xfea\x00,\x00", 1), (b"subject,relation,object\na,b,http://[x\n", 2)],
)  # fmt: skip
def test_a_bad_table_is_told_with_its_line(tmp_path: Path, data: bytes, line: int) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(ImportFileError) as caught:
        preview(path, propose_mapping(read_head(path)))
    assert caught.value.line == line


def test_rows_know_the_line_they_start_on(tmp_path: Path) -> None:
    path = write(tmp_path, 'subject,relation,object\na,b,"c\n\nd"\n\ne,f,g\n')
    table = Table(path, propose_mapping(read_head(path)))
    with table.open() as data:
        assert [line for line, _ in table.rows(data)] == [2, 6]


def test_a_long_table_is_loaded_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "subject,relation,object\n" + many("a{i},by,b{i}\n", 2_000))
    whole = import_graph([path], home=tmp_path, name="whole")
    monkeypatch.setattr(converted, "PIECE_BYTES", 1_000)
    pieces = import_graph([path], home=tmp_path, name="pieces")
    assert (
        (pieces.n_triples, pieces.n_entities)
        == (whole.n_triples, whole.n_entities)
        == (6_002, 4_000)
    )
