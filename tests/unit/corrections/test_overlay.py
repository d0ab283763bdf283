"""Corrections as a view over raw results."""

from __future__ import annotations

from kgcore.corrections import Correction, corrected
from kgcore.model import Entity, Relation, Triple
from kgcore.steps import Edges, EdgeSet, RelationOption, RelationOptions, Relations

HOME, PLAYS = Relation("t:home", "home venue"), Relation("t:plays", "plays for")
TEAM, OLD, NEW, MAN = (Entity(f"t:{n}", n) for n in ("team", "old", "new", "man"))
RAW = EdgeSet((Triple(TEAM, HOME, OLD), Triple(MAN, PLAYS, TEAM)))
ASK_OUT = Edges((TEAM.id,), HOME.id)


def test_a_replaced_object_stands_where_the_old_one_stood() -> None:
    seen = corrected(ASK_OUT, RAW, [Correction("c", "replace", TEAM, HOME, OLD, NEW)])
    assert isinstance(seen, EdgeSet)
    assert [t.text for t in seen.triples] == ["team – home venue – new", "man – plays for – team"]
    assert seen.triples[0].provenance is not None
    assert seen.triples[0].provenance.correction == "c"
    assert RAW.triples[0].object == OLD, "the raw result is untouched"


def test_a_retracted_triple_is_gone_and_an_undone_correction_restores_it() -> None:
    retract = Correction("c", "retract", TEAM, HOME, OLD)
    seen = corrected(ASK_OUT, RAW, [retract])
    assert isinstance(seen, EdgeSet)
    assert [t.subject for t in seen.triples] == [MAN]
    assert corrected(ASK_OUT, RAW, []) == RAW


def test_an_added_triple_shows_only_where_it_is_asked_for() -> None:
    add = Correction("c", "add", TEAM, HOME, NEW)
    seen = corrected(ASK_OUT, EdgeSet(), [add])
    assert isinstance(seen, EdgeSet)
    assert [t.object for t in seen.triples] == [NEW]
    inward = corrected(Edges((NEW.id,), HOME.id, "in"), EdgeSet(), [add])
    assert isinstance(inward, EdgeSet)
    assert len(inward.triples) == 1
    elsewhere = corrected(Edges((MAN.id,), HOME.id), EdgeSet(), [add])
    assert elsewhere == EdgeSet()
    other = corrected(Edges((TEAM.id,), PLAYS.id), EdgeSet(), [add])
    assert other == EdgeSet()


def test_relation_options_follow_the_corrections() -> None:
    ask = Relations((TEAM.id,))
    raw = RelationOptions((RelationOption(HOME, "out", 1, (TEAM.id,)),))
    gone = corrected(ask, raw, [Correction("c", "retract", TEAM, HOME, OLD)])
    assert gone == RelationOptions(())
    same = corrected(ask, raw, [Correction("c", "replace", TEAM, HOME, OLD, NEW)])
    assert isinstance(same, RelationOptions)
    assert [(o.relation, o.count) for o in same.items] == [(HOME, 1)]
    more = corrected(ask, raw, [Correction("c", "add", MAN, PLAYS, TEAM)])
    assert isinstance(more, RelationOptions)
    assert [(o.relation.id, o.direction) for o in more.items] == [
        ("t:home", "out"),
        ("t:plays", "in"),
    ]
