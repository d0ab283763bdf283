"""One entity of a Wikidata dump as triples: values, ranks, and what filters keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgcore.kg.files.wikidata_json import Filters, entity_lines, value_term

XSD = "http://www.w3.org/2001/XMLSchema#"
WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"


def document(folder: Path, name: str) -> dict[str, Any]:
    path = folder / "wikidata_fixtures" / f"{name}.json"
    entities: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))["entities"]
    return entities[name]


def lines(entity: dict[str, Any], filters: Filters | None = None) -> set[str]:
    found = entity_lines(entity, filters or Filters())
    assert found is not None
    return {line.removesuffix(" .\n") for line in (*found.plain, *found.texts)}


def claim(
    value: Any, *, kind: str = "string", rank: str = "normal", snak: str = "value"
) -> dict[str, Any]:
    data = {"datavalue": {"type": kind, "value": value}} if snak == "value" else {}
    return {"rank": rank, "id": f"Q1${rank}{value}", "mainsnak": {"snaktype": snak, **data}}


def item(**claims: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "item", "id": "Q1", "labels": {}, "claims": claims}


@pytest.mark.parametrize(
    "time, precision, expected",
    [("+1990-00-00T00:00:00Z", 9, f'"1990"^^<{XSD}gYear>'), ("+1990-05-00T00:00:00Z", 10, f'"1990-05"^^<{XSD}gYearMonth>'),
     ("+1990-05-03T00:00:00Z", 11, f'"1990-05-03"^^<{XSD}date>'), ("-0044-03-15T00:00:00Z", 11, f'"-0044-03-15"^^<{XSD}date>'),
     ("+1990-01-01T00:00:00Z", 8, '"1990s"'), ("+1901-00-00T00:00:00Z", 7, '"20th century"'), ("-0500-00-00T00:00:00Z", 7, '"5th century BCE"'),
     ("+1500-00-00T00:00:00Z", 6, '"2nd millennium"'), ("-66000000-00-00T00:00:00Z", 3, '"about 66000000 BCE"'),
     ("+1990-05-00T00:00:00Z", 11, f'"1990-05"^^<{XSD}gYearMonth>'), ("+00000002013-01-01T00:00:00Z", 9, f'"2013"^^<{XSD}gYear>')],
)  # fmt: skip
def test_a_time_is_as_precise_as_it_was(time: str, precision: int, expected: str) -> None:
    assert value_term("time", "time", {"time": time, "precision": precision}) == expected


@pytest.mark.parametrize(
    "kind, value, expected",
    [("quantity", {"amount": "+5", "unit": "1"}, f'"5"^^<{XSD}integer>'),
     ("quantity", {"amount": "-1.50", "unit": "1"}, f'"-1.50"^^<{XSD}decimal>'),
     ("quantity", {"amount": "+8849", "unit": "http://www.wikidata.org/entity/Q11573"},
      f'"8849"^^<urn:kg:vocabulary:unit:{WD}Q11573>'),
     ("globecoordinate", {"latitude": 22.3, "longitude": 114.2, "globe": WD + "Q2"},
      '"Point(114.2 22.3)"^^<http://www.opengis.net/ont/geosparql#wktLiteral>'),
     ("globecoordinate", {"latitude": 1, "longitude": 2, "globe": WD + "Q405"}, ""),
     ("monolingualtext", {"text": 'say "x"', "language": "cbk-zam"}, '"say \\"x\\""@cbk-zam'),
     ("wikibase-entityid", {"entity-type": "item", "numeric-id": 5}, f"<{WD}Q5>"),
     ("wikibase-entityid", {"id": "L1-F2"}, f"<{WD}L1-F2>"), ("string", "a\nb", '"a\\nb"')],
)  # fmt: skip
def test_values_keep_kind_unit_and_language(kind: str, value: Any, expected: str) -> None:
    assert value_term("", kind, value) == expected


def test_the_best_rank_counts_and_deprecated_never_does() -> None:
    found = lines(
        item(
            P1=[claim("old", rank="deprecated"), claim("good"), claim("best", rank="preferred")],
            P2=[claim("a"), claim("b")],
            P3=[claim("wrong", rank="deprecated")],
        )
    )
    ends = {line.split("> ", 1)[1] for line in found}
    assert ends == {f'<{WDT}P1> "best"', f'<{WDT}P2> "a"', f'<{WDT}P2> "b"'}


def test_unknown_and_missing_values_are_told_apart() -> None:
    found = sorted(lines(item(P1=[claim("", snak="somevalue")], P2=[claim("", snak="novalue")])))
    assert found[0].endswith("<http://www.wikidata.org/prop/novalue/P2>")
    assert "/.well-known/genid/" in found[1]


def test_a_redirected_id_is_the_same_thing() -> None:
    entity = {**item(), "redirects": {"from": "Q9", "to": "Q1"}}
    assert lines(entity) == {f"<{WD}Q9> <http://www.w3.org/2002/07/owl#sameAs> <{WD}Q1>"}


@pytest.mark.parametrize(
    "entity",
    [{}, {"id": "Q1> <x"}, {"id": "Q1", "claims": {"P1> ": [claim("x")]}}, {"id": "Q1", "claims": "x"},
     {"id": "Q1", "claims": {"P1": [claim({"id": "Q1 x"}, kind="wikibase-entityid")]}},
     {"id": "Q1", "claims": {"P1": [claim({"time": "x"}, kind="time")]}},
     {"id": "Q1", "labels": {"en": {"language": 'en" .', "value": "x"}}},
     {"id": "Q1", "labels": {"en": {"language": "en", "value": "\ud800"}}}],
)  # fmt: skip
def test_what_is_no_entity_is_refused(entity: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        entity_lines(entity, Filters())


def test_a_real_document_is_read(shared_data: Path) -> None:
    found = lines(document(shared_data, "Q1299"))
    beatles = f"<{WD}Q1299>"
    assert f'{beatles} <http://www.w3.org/2000/01/rdf-schema#label> "The Beatles"@en' in found
    assert f'{beatles} <{WDT}P571> "1960"^^<{XSD}gYear>' in found
    assert f'{beatles} <{WDT}P434> "b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d"' in found
    assert f'{beatles} <{WDT}P1449> "The Fab Four"@en' in found
    assert f'{beatles} <{WDT}P856> "http://www.thebeatles.com"^^<{XSD}anyURI>' in found


def test_a_real_property_names_its_relation_and_tells_nothing_else(shared_data: Path) -> None:
    found = lines(document(shared_data, "P434"), Filters(languages=("en",), types=("Q5",)))
    about = f"<{WD}P434>"
    assert f"{about} <http://wikiba.se/ontology#directClaim> <{WDT}P434>" in found
    assert (
        f'{about} <http://www.w3.org/2000/01/rdf-schema#label> "MusicBrainz artist ID"@en' in found
    )
    assert not [line for line in found if f"<{WDT}P31>" in line]


def test_filters_keep_languages_properties_and_types(shared_data: Path) -> None:
    person = document(shared_data, "Q20145")
    found = lines(person, Filters(languages=("ko",), properties=("P31",), types=("Q5",)))
    assert {line.rsplit("@", 1)[1] for line in found if '"@' in line} == {"ko"}
    assert {line.split("> <")[1] for line in found if WDT in line} == {f"{WDT}P31"}
    assert entity_lines(person, Filters(types=("Q515",))) is None
    assert entity_lines(document(shared_data, "Q8646"), Filters(types=("Q515",))) is not None
