"""A deck holds every slide as the fold of a prefix, at places that never change, in any palette."""

import dataclasses
import json
import random

from kgcore.model import Entity, Provenance, Relation, Triple
from kgcore.runs import RunView
from kgcore.views.captions import captions_of
from kgcore.views.deck import TOKENS, colors_of, deck_of
from kgcore.views.growth import Growth
from kgcore.views.kg_network import kg_network
from kgcore.views.palettes import DARK, LIGHT
from kgcore.views.tree_network import tree_network
from tests.unit.views import hand_made as made


def states(deck: dict, pane: str) -> list[dict[str, list]]:
    """Rebuild what each slide shows, as the player does."""
    shown: dict[str, list] = {}
    found = []
    for slide in deck["slides"]:
        change = slide[pane]
        for number in change.get("gone", ()):
            del shown[deck["texts"][number]]
        for item in (*change.get("nodes", ()), *change.get("edges", ())):
            shown[deck["texts"][item[0]]] = item
        found.append(dict(shown))
    return found


def test_every_slide_shows_what_the_run_knew_then() -> None:
    entries = made.entries()
    deck, growth = deck_of(entries), Growth()
    captions = captions_of(entries)
    assert len(deck["slides"]) == len(captions)
    kg, tree = states(deck, "kg"), states(deck, "tree")
    for i, caption in enumerate(captions):
        view = RunView.of(entries[: caption.last + 1])
        for net, state in (
            (kg_network(view, TOKENS, growth=growth), kg),
            (tree_network(view, TOKENS), tree),
        ):
            assert set(state[i]) >= {str(n["id"]) for n in net.nodes}
            assert len(state[i]) == len(net.nodes) + len(net.edges)


def test_nothing_moves_between_slides() -> None:
    deck = deck_of(made.entries())
    for pane in ("kg", "tree"):
        places: dict[int, list[int]] = {}
        for slide in deck["slides"]:
            for item in slide[pane].get("nodes", ()):
                assert places.setdefault(item[0], item[1:3]) == item[1:3]
        assert len(places) > 4


def test_all_colours_are_roles_that_each_palette_has() -> None:
    deck = deck_of(made.entries())
    text = json.dumps([deck["styles"], deck["options"], deck["graphs"]])
    light, dark = colors_of(LIGHT), colors_of(DARK)
    used = {word.split('"')[0] for word in text.split('"@')[1:]}
    assert {f"@{name}" for name in used} <= light.keys() == dark.keys()
    assert len(used) > 8
    assert "#" not in text
    assert light["@answer"] == LIGHT.answer
    assert dark["@heat3"] == DARK.heat[3]


def test_a_prefix_of_a_run_is_a_deck_too() -> None:
    entries = made.entries()
    for n in random.Random(3).sample(range(1, len(entries)), 8):
        assert deck_of(entries[:n])["slides"]


def test_a_run_is_told_without_the_address_of_its_model() -> None:
    import dataclasses

    first, *rest = made.entries()
    secret = dataclasses.replace(first.body, api_base="http://models.internal/v1?key=sk-canary")
    deck = deck_of([dataclasses.replace(first, body=secret), *rest])
    assert "canary" not in json.dumps(deck)


def test_the_drawings_of_a_deck_name_what_the_journal_names_anywhere() -> None:
    bare = Entity(made.CAINE.id, kg=made.KG)
    cast = Triple(made.INCEPTION, Relation(made.CAST.id), bare, Provenance(made.KG))
    bodies = made.story()
    i = next(i for i, body in enumerate(bodies) if getattr(body, "node", None) == 4)
    bodies[i] = dataclasses.replace(bodies[i], triples=(cast,), same_as=())
    deck = deck_of(made.entries(bodies))
    assert made.CAINE.name in deck["texts"]
    drawn = {
        deck["texts"][item[4]]
        for slide in deck["slides"]
        for pane in ("kg", "tree")
        for item in slide[pane].get("nodes", ())
        if item[4] >= 0
    }
    assert made.CAINE.id not in drawn
