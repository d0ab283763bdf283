"""What one hop reads round an entity, and what it says is left."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kgcore.bootstrap import build
from pages.components import one_hop

NS = "http://x.org/"
NAME = f'<{NS}hub> <http://www.w3.org/2000/01/rdf-schema#label> "The hub" .\n'
Fetch = Callable[[int], one_hop.Hop]


def line(one: str, relation: str, other: str) -> str:
    return f"<{NS}{one}> <{NS}{relation}> <{NS}{other}> .\n"


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Fetch]:
    """Import lines as a graph and return what reads a hop round the hub of it."""

    def take(*lines: str) -> Fetch:
        file = tmp_path / "few.nt"
        file.write_text(NAME + "".join(lines), "utf-8")
        studio = build(tmp_path / "home", environ={})
        studio.import_graph([file], "few")
        monkeypatch.setattr(one_hop, "studio", lambda: studio)
        hub = studio.graph(("few",)).link("The hub", limit=1).items[0].entity.id
        return lambda times: one_hop.fetch(("few",), (hub,), times=times)

    return take


def test_an_edge_to_itself_is_one_edge(imported: Callable[..., Fetch]) -> None:
    found = imported(line("hub", "knows", "hub"), line("hub", "knows", "ann"))(1)
    assert {triple.object.id.strip("<>")[-3:] for triple in found.triples} == {"hub", "ann"}
    assert found.more == 0
    assert one_hop.told(found) == ""


def test_what_is_left_is_told_and_fetched_on_a_wish(imported: Callable[..., Fetch]) -> None:
    lines = [line("hub", "knows", f"p{i}") for i in range(one_hop.EDGES + 3)]
    fetch = imported(*lines)
    found = fetch(1)
    assert (len(found.triples), found.more) == (one_hop.EDGES, 3)
    assert one_hop.told(found) == "3 more edges were not fetched."
    found = fetch(one_hop.MORE)
    assert (len(found.triples), found.more) == (len(lines), 0)
