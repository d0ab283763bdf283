"""The page Knowledge sources as a script: list, check, ask by hand, add, remove, and what it refuses."""

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, build
from kgcore.sources.spec import SourceSpec
from pages.components import frame, source_add

ROOT = Path(__file__).parents[2]
FILMS = b"title,director\nInception,Christopher Nolan\nHeat,Michael Mann\n"
DEMO = ("demo-facts/demo-wikidata", "demo-facts/demo-musicbrainz", "demo-tables", "demo-medicine",
        "demo-physics", "demo-biology")  # fmt: skip
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://example.org/x.png) **b** [y](javascript:alert(1))",
)


@pytest.fixture(autouse=True)
def inside_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "_shown", [True])


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs, to be copied."""
    home = tmp_path_factory.mktemp("prepared") / "home"
    build(home, environ={}).graphs()
    return home


@pytest.fixture
def studio(prepared: Path, tmp_home: Path) -> Studio:
    shutil.copytree(prepared, tmp_home)
    return build(tmp_home, environ={})


def open_page(**address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "sources.py"), default_timeout=120)
    for name, value in address.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, key: str) -> AppTest:
    next(b for b in page.button if b.key == key).click()
    page.run()
    assert not page.exception
    return page


def ask(name: str, query: str) -> AppTest:
    page = open_page(source=name)
    page.text_area(key=f"source-query-{name}").set_value(query)
    next(b for b in page.button if b.form_id == f"source-form-{name}").click()
    page.run()
    assert not page.exception
    return page


def add(kind: str, name: str, *files: tuple[str, bytes], about: str = "") -> AppTest:
    page = open_page(add="1")
    page.text_input(key=f"source-{kind}-name").set_value(name)
    page.text_input(key=f"source-{kind}-about").set_value(about)
    if files:
        box = page.file_uploader(key=f"source-{kind}-files")
        box.set_value([(file, content, "text/plain") for file, content in files])
    next(b for b in page.button if b.form_id == f"source-add-{kind}").click()
    page.run()
    assert not page.exception
    return page


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def problems(page: AppTest) -> list[str]:
    return [error.value for error in page.error]


def names(studio: Studio) -> list[str]:
    return [info.name for info in build(studio.home, environ={}).source_infos()]


def kept(studio: Studio) -> list[Path]:
    """Return what lies in the folder of uploads."""
    return sorted(source_add.uploads(studio).rglob("*"))


class Elements(HTMLParser):
    """Collects the tags of a piece of HTML, and the attributes that could do something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.acts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.acts += [name for name, _ in attrs if name.startswith("on") or name in ("src", "href")]


def assert_only_text(page: AppTest) -> None:
    """Assert that nothing of what a source says became an element or markup."""
    for block in page.get("html"):
        found = Elements()
        found.feed(block.proto.body)
        assert not found.tags & {"script", "img", "iframe", "a"} and not found.acts
    for element in (*page.button, *page.error):
        text = element.label if hasattr(element, "label") else element.value
        assert not re.search(r"(?<!\\)[<\[`*]", text)


# what there is


def test_the_sources_of_the_demo_are_listed_with_kind_and_domains(studio: Studio) -> None:
    page = open_page()
    opened = [b.key for b in page.button if b.key and b.key.startswith("sources-open-")]
    assert opened == [f"sources-open-{name}" for name in DEMO]
    told = html(page)
    assert "demo · tables · SQL" in told and "demo · texts · search words · medical" in told
    assert not [b for b in page.button if b.key == "source-remove"], "the demo stays"


@pytest.mark.parametrize("name", ["demo-tables", "demo-physics", "demo-facts/demo-wikidata"])
def test_a_check_tells_how_much_a_source_holds(studio: Studio, name: str) -> None:
    page = press(open_page(source=name), "source-check")
    size = studio.check_source(name)
    assert f"{size.n_items:,} {size.unit}" in html(page) and "<bdi>answers</bdi>" in html(page)


def test_the_shape_that_a_query_writer_is_told_is_shown(studio: Studio) -> None:
    codes = "\n".join(code.value for code in open_page(source="demo-tables").code)
    assert "planets(planet VARCHAR" in codes and "20 rows" in codes


def test_an_entry_that_cannot_be_read_is_listed_with_its_problem(studio: Studio) -> None:
    (studio.home / "sources.yaml").write_text("odd: {kind: telepathy, where: here}\n")
    page = open_page(source="odd")
    assert "<bdi>cannot be used</bdi>" in html(page) and len(problems(page)) == 1
    assert not [b for b in page.button if b.key == "source-check"]
    press(page, "source-remove")
    assert "odd" not in names(studio)


# a query by hand


@pytest.mark.parametrize(
    "name, query, found",
    [
        ("demo-tables", "SELECT symbol FROM elements WHERE element = 'tungsten'", "symbol: W"),
        (
            "demo-facts/demo-wikidata",
            "SELECT ?d WHERE { <wd:Q25188> <wdt:P57> ?d }",
            "Christopher Nolan",
        ),
        ("demo-medicine", "Alexander Fleming mould", "Penicillin was discovered by"),
    ],
)
def test_a_query_by_hand_shows_what_is_found_and_where(
    studio: Studio, name: str, query: str, found: str
) -> None:
    page = ask(name, query)
    assert found in html(page) and not problems(page)
    codes = [code.value for code in page.code]
    assert any(found.split(": ")[-1] in code for code in codes[1:]), "as it came back"


@pytest.mark.parametrize(
    "name, query, told",
    [
        ("demo-tables", "DROP TABLE planets", "only SELECT"),
        ("demo-tables", "SELECT 1; SELECT 2", "one SELECT"),
        ("demo-tables", "SELECT * FROM read_text('/etc/passwd')", ""),
        ("demo-tables", "SELECT nothing FROM planets", "not found"),
        ("demo-facts/demo-wikidata", "DELETE WHERE { ?s ?p ?o }", "only one SELECT or ASK"),
        ("demo-tables", "  ", "the query is empty"),
    ],
)
def test_a_query_that_is_refused_gives_one_line(
    studio: Studio, name: str, query: str, told: str
) -> None:
    page = ask(name, query)
    (line,) = problems(page)
    assert told in line and "\n" not in line and "Traceback" not in line
    assert "root:" not in html(page)


def test_a_query_that_finds_nothing_says_so(studio: Studio) -> None:
    page = ask("demo-tables", "SELECT * FROM planets WHERE planet = 'Vulcan'")
    assert "Nothing was found." in html(page) and not problems(page)


def test_what_one_source_found_is_not_shown_at_another(studio: Studio) -> None:
    page = ask("demo-tables", "SELECT symbol FROM elements WHERE element = 'tungsten'")
    page = press(page, "sources-open-demo-physics")
    assert "symbol: W" not in html(page)


# add and remove


def test_a_table_is_added_asked_and_removed(studio: Studio) -> None:
    page = add("table", "films", ("films.csv", FILMS), about="films and directors")
    assert page.query_params["source"] in ("films", ["films"]) and not problems(page)
    assert "films.csv" in html(page) and str(studio.home) not in html(page)
    page = ask("films", "SELECT director FROM films WHERE title = 'Heat'")
    assert "director: Michael Mann" in html(page)
    assert [path.name for path in kept(studio) if path.is_file()] == ["films.csv"]
    press(open_page(source="films"), "source-remove")
    assert "films" not in names(studio) and kept(studio) == []


def test_texts_are_added_and_searched(studio: Studio) -> None:
    note = b"# Sagan\nCarl Sagan was born in Brooklyn.\n"
    page = add("text", "notes", ("notes.md", note))
    assert not problems(page)
    assert "Brooklyn" in html(ask("notes", "where was Sagan born"))


def test_a_graph_becomes_a_source(studio: Studio) -> None:
    page = open_page(add="1")
    page.text_input(key="source-graph-name").set_value("music")
    page.multiselect(key="source-graph-kgs").set_value(["demo-musicbrainz"])
    next(b for b in page.button if b.form_id == "source-add-graph").click()
    page.run()
    assert not page.exception and not problems(page)
    assert "music" in names(studio)


@pytest.mark.parametrize(
    "kind, name, files",
    [
        ("table", "bad", [("bad.parquet", b"no parquet")]),
        ("table", "bad", [("bad.sqlite", b"\x00\x01")]),
        ("table", "bad", [("empty.csv", b"")]),
        ("table", "bad", []),
        ("text", "bad", [("bad.pdf", b"%PDF-1.4 and no more")]),
        ("text", "bad", [("bad.jsonl", b"{")]),
        ("table", "", [("films.csv", FILMS)]),
        ("table", "../up", [("films.csv", FILMS)]),
        ("table", "demo-tables", [("films.csv", FILMS)]),
        ("table", "a/b", [("films.csv", FILMS)]),
    ],
)
def test_what_cannot_be_added_is_told_in_one_line_and_leaves_nothing(
    studio: Studio, kind: str, name: str, files: list[tuple[str, bytes]]
) -> None:
    page = add(kind, name, *files)
    (line,) = problems(page)
    assert line and "\n" not in line and "Traceback" not in line and str(studio.home) not in line
    assert names(studio) == list(DEMO) and kept(studio) == []


def test_an_address_that_is_none_is_no_wiki(studio: Studio) -> None:
    page = open_page(add="1")
    page.text_input(key="source-wiki-name").set_value("wiki")
    page.text_input(key="source-wiki-url").set_value("file:///etc/passwd")
    next(b for b in page.button if b.form_id == "source-add-wiki").click()
    page.run()
    assert not page.exception and len(problems(page)) == 1
    assert names(studio) == list(DEMO)


# what sources say is text


@pytest.mark.parametrize("text", HOSTILE)
def test_names_cells_and_descriptions_are_shown_as_text(
    studio: Studio, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "odd.csv"
    file.write_text(f'name,note\n"{text}","{text}"\n')
    studio.add_source(SourceSpec("odd", "table", (str(file),), description=text))
    page = ask("odd", "SELECT * FROM odd")
    assert_only_text(page)
    assert re.sub(r"[<>]", "", text)[:10] in html(page).replace("&lt;", "").replace("&gt;", "")
    page = ask("odd", f'SELECT "{text}" FROM odd')
    assert len(problems(page)) == 1
    assert_only_text(page)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_in_the_file_of_sources_is_shown_as_text(studio: Studio, text: str) -> None:
    (studio.home / "sources.yaml").write_text(f"'{text}': {{kind: '{text}', where: x}}\n")
    assert_only_text(open_page())
    assert_only_text(open_page(source=text))
