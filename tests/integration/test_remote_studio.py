"""A studio with remote graphs, against real servers: questions, what is kept, passwords of sessions, dead graphs."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from kgcore.bootstrap import ASSETS, Studio, Task, build
from kgcore.config import Secrets
from kgcore.errors import InputError, UnknownGraphError
from kgcore.kg.connections import Connection, password_name
from tests.servers.musicbrainz_server import MusicBrainzServer
from tests.servers.musicbrainz_world import small_world
from tests.servers.oxigraph_server import OxigraphServer

CANARY = "pw-canary-0a1b2c3d4e5f"
CASABLANCA = "Who directed Casablanca?"


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A SPARQL server that holds the films of the demo."""
    folder = tmp_path_factory.mktemp("oxigraph")
    with OxigraphServer([ASSETS / "demo" / "demo-wikidata.ttl"], folder=folder) as server:
        yield server.address


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    studio = build(tmp_path / "home", environ={})
    yield studio
    studio.store.close()


@pytest.fixture
def far(studio: Studio, endpoint: str) -> Connection:
    """The endpoint, added under the name `far`."""
    assert studio.add_connection(Connection("far", "sparql", endpoint)).is_up
    (connection,) = studio.connections()
    return connection


def answer_to(studio: Studio, question: str, *kgs: str) -> str:
    run = studio.ask(Task(question, kgs=kgs, model="offline"))
    run.drive()
    answer = studio.view(run.id).answer
    return answer.text if answer is not None else ""


@pytest.mark.usefixtures("far")
def test_a_question_is_answered_over_an_endpoint(studio: Studio) -> None:
    assert answer_to(studio, CASABLANCA, "far") == "Michael Curtiz"


@pytest.mark.usefixtures("far")
def test_an_endpoint_and_an_embedded_graph_are_asked_as_one(studio: Studio) -> None:
    graph = studio.graph(("far", "demo-musicbrainz"))
    assert graph.id == "far+demo-musicbrainz"
    assert answer_to(studio, CASABLANCA, "far", "demo-musicbrainz") == "Michael Curtiz"


@pytest.mark.usefixtures("far")
def test_replies_are_kept_until_a_person_refreshes_or_removes(studio: Studio) -> None:
    version = studio.graph(("far",)).version
    studio.graph(("far",)).link("Casablanca")
    assert studio.cache_size()[0] == studio.cache_size("far")[0] > 0
    assert studio.cache_size("fa") == studio.cache_size("g") == (0, 0)
    studio.refresh("far")
    assert studio.cache_size()[0] == 0
    assert studio.graph(("far",)).version != version
    studio.graph(("far",)).link("Casablanca")
    studio.remove_graph("far")
    assert studio.cache_size()[0] == 0
    with pytest.raises(UnknownGraphError):
        studio.graph(("far",))


@pytest.mark.usefixtures("far")
def test_nothing_is_kept_where_a_person_wants_that(studio: Studio) -> None:
    studio.save_settings(replace(studio.settings, cache_mb=0))
    assert studio.graph(("far",)).link("Casablanca").items
    assert studio.cache_size() == (0, 0)


def test_a_graph_removed_and_added_again_has_data_nobody_kept(
    studio: Studio, far: Connection
) -> None:
    studio.remove_graph("far")
    studio.add_connection(Connection("far", "sparql", far.address))
    (again,) = studio.connections()
    assert again.data_version != far.data_version


@pytest.mark.usefixtures("far")
def test_names_are_read_and_go_when_the_graph_goes(studio: Studio) -> None:
    told: list[int] = []
    n = studio.index_names("far", told.append)
    assert n > 1000 and told[-1] == n
    found = studio.graph(("far",)).link("who directed casablanca", is_question=True)
    assert "Casablanca" in [c.entity.label for c in found.items]
    indexes = {path for path in studio.home.rglob("*.sqlite") if "cache" not in path.parts}
    studio.remove_graph("far")
    left = {path for path in studio.home.rglob("*.sqlite") if "cache" not in path.parts}
    assert len(indexes - left) == 1


def test_musicbrainz_is_added_and_asked_like_any_graph(studio: Studio) -> None:
    with MusicBrainzServer(small_world()) as server:
        connection = Connection("music", "musicbrainz", server.address)
        assert studio.add_connection(connection).is_up
        with pytest.raises(InputError, match="search of its own"):
            studio.index_names("music")
        graph = studio.graph(("music",))
        found = graph.link("The Quiet Ones").items
        assert found and graph.relations((found[0].entity.id,)).items
        n_requests = server.n_requests
        again = build(studio.home, environ={}).graph(("music",))
        assert again.relations((found[0].entity.id,)).items
        assert server.n_requests == n_requests, "another process finds what was kept"


@pytest.fixture
def guarded(httpserver: HTTPServer) -> str:
    """The address of an endpoint that answers only those who know the password."""

    def answer(request: Request) -> Response:
        if request.authorization is None or request.authorization.password != CANARY:
            return Response("who are you?", 401)
        body = {"head": {"vars": ["n"]}, "results": {"bindings": []}}
        return Response(json.dumps(body), content_type="application/sparql-results+json")

    httpserver.expect_request("/sparql").respond_with_handler(answer)
    return httpserver.url_for("/sparql")


def test_a_password_is_of_the_session_that_gave_it(studio: Studio, guarded: str) -> None:
    mine, other = studio.with_secrets(Secrets({})), studio.with_secrets(Secrets({}))
    connection = Connection("mine", "sparql", guarded, user="me")
    assert not mine.add_connection(connection, password="wrong").is_up
    assert mine.secrets.key(password_name("mine")) is None, "what was refused is not kept"
    assert mine.add_connection(connection, password=CANARY).is_up
    assert mine.graph(("mine",)).link("anything").items == ()
    with pytest.raises(InputError, match=password_name("mine")):
        other.graph(("mine",))
    assert not other.check("mine").is_up
    mine.remove_graph("mine")
    assert mine.secrets.key(password_name("mine")) is None


def test_a_password_in_the_keyring_goes_with_the_graph(studio: Studio, guarded: str) -> None:
    keyring = pytest.importorskip("keyring")
    pytest.importorskip("keyring.backends.null")
    before, ring = keyring.get_keyring(), keyring.backends.null.Keyring()
    kept: dict[tuple[str, str], str] = {}
    ring.set_password = lambda service, name, value: kept.update({(service, name): value})
    ring.get_password = lambda service, name: kept.get((service, name))
    keyring.set_keyring(ring)
    try:
        connection = Connection("mine", "sparql", guarded, user="me")
        assert studio.add_connection(connection, password=CANARY, place="keyring").is_up
        assert CANARY in kept.values()
        later = build(studio.home, environ={})
        assert later.check("mine").is_up, "the next program finds it"
        later.remove_graph("mine")
        assert CANARY not in kept.values()
    finally:
        keyring.set_keyring(before)


def test_no_password_without_a_user(studio: Studio, guarded: str) -> None:
    with pytest.raises(InputError, match="user"):
        studio.add_connection(Connection("mine", "sparql", guarded), password=CANARY)
    assert studio.connections() == ()


def test_private_addresses_are_refused_unless_somebody_allows_them(
    tmp_path: Path, endpoint: str
) -> None:
    strict = build(tmp_path / "strict", environ={}, allows_private=False)
    with pytest.raises(InputError, match="KGCORE_ALLOW_PRIVATE_ENDPOINTS"):
        strict.add_connection(Connection("far", "sparql", endpoint), anyway=True)
    assert strict.connections() == ()
    allowed = {"KGCORE_ALLOW_PRIVATE_ENDPOINTS": "1"}
    told = build(tmp_path / "told", environ=allowed, allows_private=False)
    assert told.add_connection(Connection("far", "sparql", endpoint)).is_up


def test_a_connection_written_by_hand_is_guarded_too(tmp_path: Path, endpoint: str) -> None:
    open_one = build(tmp_path / "home", environ={})
    assert open_one.add_connection(Connection("far", "sparql", endpoint)).is_up
    strict = build(tmp_path / "home", environ={}, allows_private=False)
    assert not strict.check("far").is_up
    with pytest.raises(InputError):
        strict.graph(("far",)).link("Casablanca")


def test_a_run_goes_on_without_a_graph_that_does_not_answer(studio: Studio) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{probe.getsockname()[1]}/sparql"
    studio.add_connection(Connection("gone", "sparql", nobody), anyway=True)
    run = studio.ask(Task(CASABLANCA, kgs=("demo-wikidata", "gone"), model="offline"))
    run.drive()
    view = studio.view(run.id)
    assert view.answer is not None and view.answer.text == "Michael Curtiz"
    assert any("gone" in line.text for line in view.log)


def test_a_contact_of_the_settings_is_told_to_the_endpoint(
    studio: Studio, httpserver: HTTPServer
) -> None:
    agents: list[str] = []

    def answer(request: Request) -> Response:
        agents.append(request.headers["User-Agent"])
        return Response("no", 500)

    httpserver.expect_request("/sparql").respond_with_handler(answer)
    connection = Connection("far", "sparql", httpserver.url_for("/sparql"))
    studio.save_settings(replace(studio.settings, contact="me@example.org"))
    studio.add_connection(connection, anyway=True)
    assert agents and all("TraversalStudio" in a and "me@example.org" in a for a in agents)
