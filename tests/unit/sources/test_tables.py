"""SQL over tables: what is run, what is refused, how tables are shown."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.sources.spec import SourceSpec
from kgcore.sources.tables.guard import allowed_functions
from kgcore.sources.tables.source import TableSource, open_tables
from kgcore.steps import BadQuery, Passages

FILMS = "title,year,director,budget\nInception,2010,Christopher Nolan,160.5\nHeat,1995,Michael Mann,\n盗梦空间,2010,诺兰,1\n"

ALLOWED = {
    "SELECT count(*) FROM films": "count: 3",
    "select title from films where director like '%Nolan%'": "title: Inception",
    "SELECT max(year) - min(year) AS span FROM films;": "span: 15",
    "WITH old AS (SELECT * FROM films WHERE year < 2000) SELECT title FROM old": "title: Heat",
    "SELECT a.title FROM films a JOIN films b USING (director) ORDER BY 1 LIMIT 1": "title: Heat",
    "SELECT title FROM films UNION SELECT 'Rome' ORDER BY 1 DESC LIMIT 1": "title: 盗梦空间",
    "SELECT upper(substr(title, 1, 2)) AS two FROM films WHERE year = 1995": "two: HE",
    "SELECT title, rank() OVER (ORDER BY year) AS place FROM films LIMIT 1": "title: Heat, place: 1",
    "SELECT title FROM main.films WHERE year BETWEEN 1990 AND 1999": "title: Heat",
    "SELECT CASE WHEN budget IS NULL THEN 'none' ELSE 'some' END AS b FROM films WHERE title = 'Heat'": "b: none",
    "SELECT (SELECT count(*) FROM films f WHERE f.year = g.year) AS n FROM films g LIMIT 1": "n: 2",
    "SELECT title FROM films WHERE 'read_csv(''x'')' <> title AND year = 1995": "title: Heat",
    "VALUES (1)": "col0: 1",
}

HOSTILE = {
    "SELECT 1; SELECT 2": "one SELECT",
    "SELECT 1; DROP TABLE films": "one SELECT",
    "": "one SELECT",
    "-- nothing": "one SELECT",
    "ATTACH '/etc/passwd' AS x": "not ATTACH",
    "COPY films TO '/tmp/stolen.csv'": "not COPY",
    "COPY (SELECT 1) TO '/tmp/stolen.csv'": "not COPY",
    "EXPORT DATABASE '/tmp/stolen'": "not EXPORT",
    "IMPORT DATABASE '/tmp/stolen'": "only SELECT",
    "INSTALL httpfs": "not LOAD",
    "LOAD httpfs": "not LOAD",
    "PRAGMA database_list": "not PRAGMA",
    "CALL pragma_version()": "not CALL",
    "SET threads = 64": "not SET",
    "RESET memory_limit": "only SELECT",
    "USE films": "only SELECT",
    "CREATE TABLE x (a INT)": "not CREATE",
    "CREATE MACRO f(x) AS x": "not CREATE",
    "INSERT INTO films VALUES ('x', 1, 'y', 2)": "not INSERT",
    "UPDATE films SET year = 1": "not UPDATE",
    "DELETE FROM films": "not DELETE",
    "DROP TABLE films": "not DROP",
    "PREPARE p AS SELECT 1": "not PREPARE",
    "EXECUTE p": "not EXECUTE",
    "EXPLAIN ANALYZE SELECT 1": "not EXPLAIN",
    "CHECKPOINT": "only SELECT",
    "VACUUM": "only SELECT",
    "SHOW TABLES": "not run here",
    "DESCRIBE films": "not run here",
    "SUMMARIZE films": "not run here",
    "PIVOT films ON year USING count(*)": "only SELECT",
    "SELECT * FROM read_csv('/etc/passwd')": "read_csv",
    "SELECT * FROM read_text('/etc/passwd')": "read_text",
    "SELECT * FROM read_blob('/etc/*')": "read_blob",
    "SELECT * FROM parquet_scan('x')": "parquet_scan",
    "SELECT * FROM glob('/etc/*')": "glob",
    "SELECT * FROM '/etc/passwd'": "no table",
    "FROM '/etc/passwd'": "no table",
    "SELECT * FROM 'https://example.org/x.csv'": "no table",
    "SELECT * FROM films, '/etc/passwd'": "no table",
    "SELECT * FROM films WHERE EXISTS (FROM 'x.csv')": "no table",
    "SELECT (SELECT content FROM read_text('/etc/passwd'))": "read_text",
    "WITH x AS (SELECT * FROM read_text('/etc/passwd')) SELECT * FROM x": "read_text",
    "WITH x AS MATERIALIZED (FROM glob('*')) SELECT 1 FROM films ORDER BY (SELECT count(*) FROM x)": "glob",
    "SELECT * FROM films LIMIT (SELECT count(*) FROM glob('*'))": "glob",
    "SELECT getenv('HOME')": "getenv",
    "SELECT \"getenv\"('HOME')": "getenv",
    "SELECT system.main.getenv('HOME')": "getenv",
    "SELECT current_setting('home_directory')": "current_setting",
    "SELECT * FROM duckdb_settings()": "duckdb_settings",
    "SELECT * FROM duckdb_secrets": "no table",
    "SELECT * FROM information_schema.tables": "no table",
    "SELECT * FROM sqlite_master": "no table",
    "SELECT * FROM pg_catalog.pg_class": "no table",
    "SELECT * FROM query('SELECT 1')": "query",
    "SELECT * FROM query_table('films')": "query_table",
    "SELECT * FROM json_execute_serialized_sql('{}')": "json_execute",
    "SELECT nextval('x')": "nextval",
    "SELECT pg_sleep(1000)": "pg_sleep",
    "SELECT sleep_ms(1000000)": "sleep_ms",
    "SELECT write_log('x')": "write_log",
    "SELECT repeat('x', 1000000000)": "repeat",
    "SELECT lpad('x', 1000000000, 'y')": "lpad",
    "SELECT list_sum(range(1000000000))": "range",
    "SELECT * FROM range(1000000000000)": "range",
    "SELECT * FROM generate_series(1, 1000000000000)": "generate_series",
    "SELECT printf('%1000000000d', 1)": "printf",
    "WITH RECURSIVE t AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM t) SELECT max(x) FROM t": "RECURSIVE",
    "WITH RECURSIVE t AS (SELECT 'xx' AS x UNION ALL SELECT x || x FROM t) SELECT 1 FROM t": "RECURSIVE",
    "WITH x AS (INSERT INTO films VALUES ('x', 1, 'y', 2) RETURNING *) SELECT * FROM x": "SELECT",
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000: "depth",
    "SELECT 1 -- " + "x" * 30_000: "too long",
    "SELECT \x00 FROM films": "",
    "SELECT nobody FROM films": "not found",
    "SELECT title FROM film": "films",
    "SELEC title": "syntax",
    "SELECT * FROM films WHERE year = ?": "",
    "SELECT CAST(title AS INTEGER) FROM films": "Inception",
}


EVENTS = "name,day,n,tags\nA,2020-01-02,3,x;y\nB,2021-05-06,4,z\n"
USUAL = [
    "select * from ev where name ilike 'a%'",
    "select extract(year from day) as y from ev",
    "select year(day), month(day) from ev",
    "select count(distinct name) filter (where n > 3) from ev",
    "select name from ev where name similar to '[A-B]'",
    "select * exclude (tags) from ev",
    "select day + interval 1 day from ev",
    "select distinct on (name) * from ev",
    "select try_cast(name as int) from ev",
    "select name[1:1] from ev",
    "select list_contains(string_split(tags, ';'), 'x') from ev",
    "select u from (select unnest(string_split(tags, ';')) as u from ev)",
    "select t.u from ev, unnest(string_split(ev.tags, ';')) as t(u)",
    "select * from ev group by all",
    "select name, row_number() over (order by n) r from ev qualify r = 1",
    "select * from ev where (name, n) in (select name, max(n) from ev group by 1)",
    "select coalesce(name, 'x'), nullif(n, 3), greatest(n, 2) from ev",
    "select cast(n as varchar) || ' items' from ev",
    "select * from ev order by n desc nulls last limit 1 offset 1",
    "select date_diff('day', min(day), max(day)) from ev",
    "select round(avg(n), 2), stddev(n), median(n) from ev",
    "select strftime(day, '%Y') from ev",
    "select * from ev union all by name select * from ev",
    "select * from ev except select * from ev",
    "select * from ev e left join ev f on e.n < f.n",
    "select * from ev natural join ev f",
    "select exists(select 1 from ev)",
    "select not (n > 3) and n is distinct from 4 from ev",
    "select regexp_extract(name, '[A-Z]') from ev",
    'select * from "ev" as "E" where "E"."n" = 3',
    "select n % 2, n // 2, n ** 2, -n, n ^ 2 from ev",
    "select case n when 3 then 'a' else 'b' end from ev",
    "select string_agg(name, ', ' order by n) from ev",
    "select substring(name from 1 for 1), position('A' in name), trim(both ' ' from name) from ev",
    "select current_date > day from ev",
    "select sum(n) over (partition by name order by day rows between 1 preceding and current row) from ev",
    "select * from (values (1,'a'),(2,'b')) t(x,y)",
    "select json_extract('{\"a\":1}', '$.a')",
    "select grouping(name), count(*) from ev group by rollup (name)",
    "from ev select name where n = 3",
    "select * from ev where day >= date '2020-01-01'",
    "select name from ev where n = (select max(n) from ev)",
    "select any_value(name), arg_max(name, n) from ev",
]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableSource]:
    folder = tmp_path_factory.mktemp("films")
    (folder / "films.csv").write_text(FILMS, "utf-8")
    spec = SourceSpec("films", "table", (str(folder / "films.csv"),))
    source = open_tables(spec, folder / "home")
    yield source
    source.close()


def texts(result: Passages | BadQuery) -> list[str]:
    assert isinstance(result, Passages), result
    return [item.text for item in result.items]


@pytest.mark.parametrize("query", ALLOWED)
def test_a_select_is_run(films: TableSource, query: str) -> None:
    assert texts(films.run(query))[0].startswith(ALLOWED[query])


def test_what_people_usually_write_in_sql_is_run(tmp_path: Path, tmp_home: Path) -> None:
    (tmp_path / "ev.csv").write_text(EVENTS)
    source = open_tables(SourceSpec("ev", "table", (str(tmp_path / "ev.csv"),)), tmp_home)
    results = {query: source.run(query) for query in USUAL}
    assert {q: r.message for q, r in results.items() if isinstance(r, BadQuery)} == {}
    source.close()


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: query[:60])
def test_a_hostile_or_wrong_query_is_refused_with_one_line(films: TableSource, query: str) -> None:
    result = films.run(query)
    assert isinstance(result, BadQuery), result
    assert HOSTILE[query].lower() in result.message.lower()
    assert result.message and "\n" not in result.message and len(result.message) < 600


def test_hostile_queries_from_many_threads_harm_nothing(films: TableSource) -> None:
    good = "SELECT count(*) FROM films"
    queries = [query for bad in HOSTILE for query in (bad, good)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(films.run, queries))
    assert all(isinstance(result, BadQuery) for result in results[::2])
    assert all(texts(result) == ["count: 3"] for result in results[1::2])


def test_no_function_that_reads_the_machine_is_allowed() -> None:
    duckdb = pytest.importorskip("duckdb")
    with closing(duckdb.connect()) as db:
        found = db.execute("SELECT DISTINCT function_name, function_type FROM duckdb_functions()")
        kinds: dict[str, set[str]] = {}
        for name, kind in found.fetchall():
            kinds.setdefault(name, set()).add(kind)
    computing = {"scalar", "aggregate", "macro", "window"}
    others = {n for n in allowed_functions() if n in kinds and not kinds[n] & computing}
    assert others <= {"unnest"}
    dangerous = ("read", "scan", "getenv", "setting", "pragma", "glob", "query", "sleep", "repeat")
    assert [n for n in allowed_functions() for word in dangerous if word in n] == []


def test_a_huge_join_is_ended(tmp_path: Path, tmp_home: Path) -> None:
    (tmp_path / "n.csv").write_text("n\n" + "\n".join(map(str, range(2_000))))
    spec = SourceSpec("n", "table", (str(tmp_path / "n.csv"),))
    source = open_tables(spec, tmp_home, time_limit_s=1.5)
    bomb = "SELECT count(*) FROM n a, n b, n c, n d WHERE a.n * b.n = c.n * d.n + 1"
    for query in (bomb, "SELECT list(a.n || b.n || c.n) FROM n a, n b, n c"):
        result = source.run(query)
        assert isinstance(result, BadQuery)
        assert "ask for less" in result.message or "memory" in result.message
    assert texts(source.run("SELECT count(*) FROM n")) == ["count: 2000"]
    source.close()


def test_rows_above_the_limit_are_counted_not_shown(tmp_path: Path, tmp_home: Path) -> None:
    (tmp_path / "n.csv").write_text("n\n" + "\n".join(map(str, range(1_000))))
    spec = SourceSpec("n", "table", (str(tmp_path / "n.csv"),))
    source = open_tables(spec, tmp_home, most=20)
    result = source.run("SELECT n FROM n ORDER BY n")
    assert isinstance(result, Passages)
    assert (len(result.items), result.n_more, result.is_partial) == (20, 1, False)
    assert result.notes == ("n shows the first 20 rows; there are more",)
    exact = source.run("SELECT n FROM n WHERE n < 20")
    assert isinstance(exact, Passages)
    assert (len(exact.items), exact.n_more, exact.notes) == (20, 0, ())
    source.close()


def test_the_schema_shows_types_and_three_rows(films: TableSource) -> None:
    assert films.card().schema.splitlines() == [
        "films(title VARCHAR, year BIGINT, director VARCHAR, budget DOUBLE)  -- 3 rows",
        "  Inception | 2010 | Christopher Nolan | 160.5",
        "  Heat | 1995 | Michael Mann | ",
        "  盗梦空间 | 2010 | 诺兰 | 1.0",
    ]


def test_evidence_is_a_sentence_with_its_row(films: TableSource) -> None:
    result = films.run("SELECT * FROM films WHERE title = 'Heat'")
    assert isinstance(result, Passages)
    (item,) = result.items
    assert item.text == "title: Heat, year: 1995, director: Michael Mann"
    assert json.loads(item.raw)["budget"] is None
    assert item.origin == "films, row 1"


def test_names_of_tables_need_no_quotes_and_never_clash(tmp_path: Path, tmp_home: Path) -> None:
    for name in ("My Films (2020).csv", "my-films-2020.csv", "2020.csv", "电影.csv", "select.csv"):
        (tmp_path / name).write_text("a,a,b c\n1,2,3\n")
    spec = SourceSpec("many", "table", tuple(str(f) for f in sorted(tmp_path.glob("*.csv"))))
    source = open_tables(spec, tmp_home)
    schema = source.card().schema
    for name in ("my_films_2020", "my_films_2020_2", "t_2020", "电影"):
        assert texts(source.run(f"SELECT count(*) FROM {name}")) == ["count: 1"], schema
    assert texts(source.run('SELECT count(*) FROM "select"')) == ["count: 1"]
    source.close()


def test_sqlite_is_read_and_not_touched(tmp_path: Path, tmp_home: Path) -> None:
    file = tmp_path / "people.db"
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE people (name TEXT, age INTEGER, size REAL, picture BLOB, odd)")
        rows = [('Ann, the "first"\nof them', 31, 1.5, b"\x00\xff", "x"), (None, None, 2, None, 7)]
        db.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", rows)
        db.execute("CREATE VIEW names AS SELECT name FROM people")
    before = file.read_bytes()
    source = open_tables(SourceSpec("people", "table", (str(file),)), tmp_home)
    result = source.run("SELECT * FROM people ORDER BY age NULLS LAST")
    assert isinstance(result, Passages)
    first, second = (json.loads(item.raw) for item in result.items)
    assert first == {"name": rows[0][0], "age": 31, "size": 1.5, "picture": "00ff", "odd": "x"}
    assert second == {"name": None, "age": None, "size": 2.0, "picture": None, "odd": "7"}
    assert file.read_bytes() == before
    assert sorted(p.name for p in tmp_path.glob("people*")) == ["people.db"]
    source.close()


def test_a_changed_file_is_another_version_and_the_old_source_still_answers(
    tmp_path: Path, tmp_home: Path
) -> None:
    file = tmp_path / "n.csv"
    file.write_text("n\n1\n")
    spec = SourceSpec("n", "table", (str(file),))
    old = open_tables(spec, tmp_home)
    file.write_text("n\n1\n2\n")
    new = open_tables(spec, tmp_home)
    assert new.version != old.version
    assert texts(old.run("SELECT count(*) FROM n")) == ["count: 1"]
    assert texts(new.run("SELECT count(*) FROM n")) == ["count: 2"]
    file.write_text("n\n1\n")
    assert open_tables(spec, tmp_home).version == old.version
    old.close()
    new.close()


def test_what_is_no_table_is_refused(tmp_path: Path, tmp_home: Path) -> None:
    with pytest.raises(InputError, match="there is no file"):
        open_tables(SourceSpec("n", "table", (str(tmp_path / "gone.csv"),)), tmp_home)
    (tmp_path / "n.xlsx").write_text("x")
    with pytest.raises(InputError, match="is no table"):
        open_tables(SourceSpec("n", "table", (str(tmp_path / "n.xlsx"),)), tmp_home)


def test_every_table_of_fetaqa_loads_and_answers(shared_data: Path, tmp_path: Path) -> None:
    """Tables from Wikipedia: odd headers, several of one name, marks, footnotes."""
    import csv

    records = (shared_data / "cok" / "fetaqa.jsonl").read_text("utf-8").splitlines()
    files, shapes = [], []
    for record in map(json.loads, records):
        file = tmp_path / f"table_{record['id']}.csv"
        with file.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(record["table"])
        files.append(str(file))
        shapes.append((len(record["table"]) - 1, len(record["table"][0])))
    source = open_tables(SourceSpec("fetaqa", "table", tuple(files)), tmp_path / "home")
    for file, (n_rows, n_columns) in zip(files, shapes, strict=True):
        result = source.run(f"SELECT * FROM {Path(file).stem}")
        assert isinstance(result, Passages), result
        assert len(result.items) == min(n_rows, 50)
        assert len(json.loads(result.items[0].raw)) == n_columns
    source.close()
