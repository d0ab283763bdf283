"""The page Knowledge graphs as a script: list, add, check, refresh, remove, browse, and what it refuses."""

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kgcore.bootstrap import Studio, build
from kgcore.kg.connection_files import Connections
from kgcore.kg.connections import Connection, Health
from kgcore.kg.files.export_formats import SUFFIXES
from pages.components import frame, graph_export
from pages.components import studio as page_studio
from pages.components.studio import shared
from pages.components.theme import LIGHT
from tests.servers.oxigraph_server import OxigraphServer

ROOT = Path(__file__).parents[2]
CANARY = "pw-canary-0a1b2c3d4e5f"
NOBODY = "http://127.0.0.1:9/sparql"
TOY = """\
@prefix t: <http://toy.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
t:film rdfs:label "Night Train" ; t:director t:ann ; t:length 90 .
t:ann rdfs:label "Ann Lee" ; t:born t:rome .
t:rome rdfs:label "Rome" .
t:director rdfs:label "director" . t:born rdfs:label "born in" . t:length rdfs:label "length" .
"""
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://example.org/x.png) **b** [y](http://example.org)",
    "javascript:alert(1)",
)


@pytest.fixture(autouse=True)
def inside_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "_shown", [True])


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo graphs and a small one, to be copied."""
    home = tmp_path_factory.mktemp("prepared") / "home"
    file = home.parent / "toy.ttl"
    file.write_text(TOY)
    studio = build(home, environ={})
    studio.import_graph([file], "toy")
    studio.graphs()
    return home


@pytest.fixture
def studio(prepared: Path, tmp_home: Path) -> Studio:
    """A data folder with a small graph of its own."""
    shutil.copytree(prepared, tmp_home)
    return build(tmp_home, environ={})


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A SPARQL server that holds the small graph."""
    folder = tmp_path_factory.mktemp("oxigraph")
    file = folder / "toy.ttl"
    file.write_text(TOY)
    with OxigraphServer([file], folder=folder) as server:
        yield server.address


def open_page(**address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "graphs.py"), default_timeout=60)
    for name, value in address.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(b for b in page.button if b.label.startswith(label)).click()
    page.run()
    assert not page.exception
    return page


def looked_at(page: AppTest) -> str:
    given = page.query_params["graph"]
    return given if isinstance(given, str) else given[0]


def html(page: AppTest) -> str:
    return "\n".join(block.proto.body for block in page.get("html"))


def problems(page: AppTest) -> str:
    return " ".join(error.value for error in page.error)


def names(studio: Studio) -> set[str]:
    return {graph.name for graph in build(studio.home, environ={}).graphs()}


def fill_sparql(page: AppTest, address: str, *, user: str = "", password: str = "") -> AppTest:
    page.text_input(key="kg-sparql-name").set_value("far")
    page.text_input(key="kg-sparql-address").set_value(address)
    page.text_input(key="kg-sparql-user").set_value(user)
    page.text_input(key="kg-sparql-password").set_value(password)
    next(b for b in page.button if b.form_id == "kg-sparql").click()
    page.run()
    assert not page.exception
    return page


def test_every_graph_is_listed_with_its_size_and_source(studio: Studio) -> None:
    page = open_page(graph="toy")
    assert {"demo-musicbrainz", "demo-wikidata", "toy"} <= {
        b.label.replace("\\", "") for b in page.button
    }
    assert "<bdi>on disk</bdi>: <bdi>toy.ttl</bdi>" in html(page)
    assert "9 triples" in html(page)


def test_a_damaged_graph_is_listed_and_can_be_removed(studio: Studio) -> None:
    (studio.home / "graphs" / "toy" / "manifest.json").write_text("{")
    page = open_page(graph="toy")
    assert "✗ damaged" in html(page) and "cannot be opened" in problems(page)
    press(page, "Remove it")
    assert "toy" not in names(studio)


def test_a_graph_is_removed_only_when_asked_twice(studio: Studio) -> None:
    page = open_page(graph="toy")
    assert [b.label for b in page.button if b.key == "kg-remove-toy"] == ["Remove it"]
    assert "toy" in names(studio)
    press(page, "Remove it")
    assert "toy" not in names(studio)


def test_a_graph_of_the_demo_cannot_be_removed(studio: Studio) -> None:
    page = open_page(graph="demo-wikidata")
    assert not [b for b in page.button if b.label == "Remove it"]


def test_an_endpoint_that_answers_is_added_and_browsed(studio: Studio, endpoint: str) -> None:
    page = fill_sparql(open_page(add="1"), endpoint)
    assert looked_at(page) == "far"
    assert "✓ answers" in html(page) and "9 triples" in html(page)
    page.text_input(key="kg-text").set_value("Night Train")
    page = press(page, "Search")
    page = press(page, "Night Train")
    assert "http://toy.example/film" in html(page)
    page = press(page, "director")
    page = press(page, "Check")
    assert "answers in" in html(page)


def test_an_endpoint_that_does_not_answer_is_added_only_when_a_person_says_so(
    studio: Studio,
) -> None:
    page = fill_sparql(open_page(add="1"), NOBODY)
    assert "far does not answer" in problems(page) and "far" not in names(studio)
    press(page, "Add it anyway")
    assert "far" in names(studio)


def test_an_address_in_a_private_network_is_refused_where_the_operator_says_so(
    studio: Studio, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGCORE_ALLOW_PRIVATE_ENDPOINTS", "0")
    for address in (
        endpoint,
        "http://10.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
    ):
        page = fill_sparql(open_page(add="1"), address)
        assert problems(page) and not [b for b in page.button if b.label == "Add it anyway"]
    assert "far" not in names(studio)


def test_the_link_local_network_is_refused_always(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGCORE_ALLOW_PRIVATE_ENDPOINTS", "1")
    for address in ("http://169.254.169.254/latest", "file:///etc/passwd", "gopher://127.0.0.1/"):
        assert problems(fill_sparql(open_page(add="1"), address))
    assert "far" not in names(studio)


@pytest.mark.parametrize("name", ["demo-wikidata", "toy", "", "a\nb"])
def test_a_name_that_is_taken_or_is_none_is_refused(studio: Studio, name: str) -> None:
    page = open_page(add="1")
    page.text_input(key="kg-sparql-name").set_value(name)
    page.text_input(key="kg-sparql-address").set_value(NOBODY)
    next(b for b in page.button if b.form_id == "kg-sparql").click()
    page.run()
    assert problems(page) and Connections(studio.home).all() == ()


def test_a_password_is_never_kept_on_the_page_or_on_disk(studio: Studio) -> None:
    page = fill_sparql(open_page(add="1"), NOBODY, user="me", password=CANARY)
    press(page, "Add it anyway")
    page = page.run()
    shown = [e.value for e in (*page.text_input, *page.caption, *page.markdown)]
    assert CANARY not in html(page) + repr(shown) + repr(page.session_state)
    files = [path.read_bytes() for path in studio.home.rglob("*") if path.is_file()]
    assert not any(CANARY.encode() in data for data in files)
    assert page.session_state["secrets"].key("SPARQL_FAR_PASSWORD") == CANARY


def test_a_refresh_gives_the_data_a_new_version(studio: Studio) -> None:
    studio.add_connection(Connection("far", "sparql", NOBODY), anyway=True)
    (before,) = studio.connections()
    press(open_page(graph="far"), "Refresh")
    (after,) = studio.connections()
    assert after == replace(before, data_version=after.data_version) != before


def test_an_entity_is_found_opened_and_its_relations_followed(studio: Studio) -> None:
    page = open_page(graph="toy")
    page.text_input(key="kg-text").set_value("Night Train")
    page = press(press(page, "Search"), "Night Train")
    assert "<td><bdi>length</bdi></td><td><bdi>90</bdi>" in html(page)
    page = press(page, "director")
    explored = next(iter(page.session_state["kg-explored"].values()))
    assert {e.label for e in explored.subgraph.entities} == {"Night Train", "Ann Lee"}
    drawn = [node["label"] for node in explored.network(LIGHT).nodes]
    assert sorted(drawn) == ["Ann Lee", "Night Train"], "values stand in the table"


def test_the_address_leads_back_to_an_entity(studio: Studio) -> None:
    film = studio.graph(("toy",)).link("Night Train").items[0].entity.id
    page = open_page(graph="toy", entity=film)
    assert "Night Train" in html(page)
    page = open_page(graph="toy", entity="x:nothing")
    assert "has no entity" in problems(page)


@pytest.mark.parametrize("kind", ["turtle", "nquads", "graphml", "csv"])
def test_a_graph_is_exported_as_it_was_imported(studio: Studio, tmp_path: Path, kind: str) -> None:
    data = graph_export.exported(studio, "toy", kind)
    file = tmp_path / f"again{SUFFIXES[kind]}"
    file.write_bytes(data)
    studio.import_graph([file], "again")
    found = studio.graph(("again",)).link("Night Train").items
    assert [c.entity.label for c in found] == ["Night Train"]


@pytest.mark.parametrize(
    "address, is_local",
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("[::1]", True), ("0.0.0.0", False),
     ("", False), ("192.168.1.5", False), ("example.org", False), (None, False)],
)  # fmt: skip
def test_private_addresses_are_open_only_where_this_machine_alone_reaches_the_app(
    monkeypatch: pytest.MonkeyPatch, address: str | None, is_local: bool
) -> None:
    monkeypatch.setattr("streamlit.get_option", {"server.address": address}.get)
    assert page_studio._is_for_this_machine() is is_local


class Elements(HTMLParser):
    """Collects the tags and attributes of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


OURS = set("a b bdi div h1 h2 p span strong style table tbody td th thead tr".split())


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_graphs_is_shown_as_text(studio: Studio, tmp_path: Path, text: str) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    file = tmp_path / "bad.ttl"
    file.write_text(TOY.replace("Night Train", quoted).replace('"director"', f'"{quoted}"'))
    studio.import_graph([file], text)
    film = studio.graph((text,)).link(text).items[0].entity.id
    connections = Connections(studio.home)
    far = Connection("far " + text, "sparql", NOBODY, user=text.replace(":", ""))
    connections.save(far)
    connections.keep_health(far.name, Health(False, problem=text, label_relations=(text,)))
    for address in ({"graph": text, "entity": film}, {"graph": far.name}):
        page = open_page(**address)
        found = Elements()
        found.feed(html(page))
        assert found.tags <= OURS
        assert not [name for name, _ in found.attributes if name.startswith("on")]
        assert all(v.startswith("http") for n, v in found.attributes if n in ("href", "src"))
        assert all(v == "noopener noreferrer" for n, v in found.attributes if n == "rel")
        for element in page.button:
            ours_removed = element.label.replace(":gray[", "")
            assert not re.search(r"(?<!\\)[<\[`*]", ours_removed)
        assert all(text not in block.value for block in (*page.markdown, *page.caption))


def wait_for_job(seconds: float = 30.0) -> str:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        (job,) = shared().imports.all()
        if not job.is_running:
            return job.state
        time.sleep(0.05)
    raise AssertionError("the import did not end")


def upload(name: str, content: bytes) -> AppTest:
    page = open_page(add="1")
    page.file_uploader[0].set_value([(name, content, "text/plain")])
    page.run()
    assert not page.exception
    return page


def test_files_are_imported_once_however_often_the_button_is_pressed(studio: Studio) -> None:
    page = upload("films.ttl", TOY.encode())
    button = next(b for b in page.button if b.label == "Import")
    button.click()
    page.run()
    assert not page.exception and wait_for_job() == "done"
    page.run()
    assert "films" in names(studio)
    assert not [b for b in page.button if b.label == "Import"]
    press(page, "Open")
    assert looked_at(page) == "films"


def test_a_graph_is_replaced_only_under_a_button_that_says_so(studio: Studio) -> None:
    page = upload("toy.ttl", TOY.replace("Rome", "Paris").encode())
    box = next(t for t in page.text_input if t.label == "Name of the graph")
    assert box.value == "toy-2" and any(b.label == "Import" for b in page.button)
    box.set_value("toy")
    page.run()
    assert "will be replaced" in " ".join(w.value for w in page.warning)
    assert not any(b.label == "Import" for b in page.button)
    press(page, "Replace it")
    assert wait_for_job() == "done"
    graph = build(studio.home, environ={}).graph(("toy",))
    assert [c.entity.label for c in graph.link("Paris").items] == ["Paris"]


def test_a_table_is_imported_as_its_columns_were_mapped(studio: Studio) -> None:
    page = upload("roles.csv", b"who,what,whom\nAnn Lee,directed,Night Train\n")
    page.toggle[0].set_value(True).run()
    assert [box.label for box in page.selectbox[:3]] == ["who", "what", "whom"]
    for box, role in zip(page.selectbox[:3], ("object", "relation", "subject"), strict=True):
        box.set_value(role)
    page.run()
    assert (
        "<td><bdi>Night Train</bdi></td><td><bdi>directed</bdi></td><td><bdi>Ann Lee</bdi></td>"
        in html(page)
    )
    press(page, "Import")
    assert wait_for_job() == "done"
    graph = build(studio.home, environ={}).graph(("roles",))
    (train,) = [c.entity.id for c in graph.link("Night Train").items]
    assert [o.direction for o in graph.relations((train,)).items] == ["out"]


@pytest.mark.parametrize(
    "name, content", [("empty.ttl", b""), ("bad.nt", b"no triples"), ("x.exe", b"MZ")]
)
def test_a_file_that_is_none_is_told_in_one_line_and_leaves_nothing(
    studio: Studio, name: str, content: bytes
) -> None:
    page = upload(name, content)
    if any(b.label == "Import" for b in page.button):
        press(page, "Import")
        assert wait_for_job() == "failed"
        page.run()
        told = " ".join(m.value for m in page.markdown if "was not imported" in m.value)
    else:
        told = problems(page)
    assert told and "kgcore-" not in told and "Traceback" not in told
    assert names(studio) == {"toy", "demo-wikidata", "demo-musicbrainz"}


@pytest.mark.parametrize("name", ["../../etc/passwd", "CON", "x" * 300, "a\0b"])
def test_a_name_of_a_graph_stays_in_the_data_folder(studio: Studio, name: str) -> None:
    page = upload("films.ttl", TOY.encode())
    next(t for t in page.text_input if t.label == "Name of the graph").set_value(name)
    press(page, "Import")
    if shared().imports.all():
        wait_for_job()
    outside = studio.home.parent / "etc"
    assert not outside.exists()
    assert {p.parent for p in studio.home.rglob("manifest.json")} <= set(
        (studio.home / "graphs").iterdir()
    )
