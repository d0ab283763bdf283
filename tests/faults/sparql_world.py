"""A small graph in the shape of Wikidata, with all that makes real data awkward."""

from __future__ import annotations

RTL = "\u202eevil\u202c"
LONG = "long " * 2000
LABELS = {  # label by id of a film; all are films of wd:Q900
    "wd:Q901": "مدينة",
    "wd:Q902": "עִיר",
    "wd:Q903": "東京物語",
    "wd:Q904": "🎬🇯🇵",
    "wd:Q905": "e\u0301tude",
    "wd:Q906": RTL,
    "wd:Q907": LONG.strip(),
    "wd:Q908": 'quote " brace } backslash \\ newline \n tab \t',
}
PROPERTIES = {
    "P19": "place of birth",
    "P22": "father",
    "P26": "spouse",
    "P27": "country of citizenship",
    "P31": "instance of",
    "P40": "child",
    "P57": "director",
    "P361": "part of",
    "P569": "date of birth",
    "P571": "inception",
    "P1082": "population",
    "P2048": "height",
    "P625": "coordinate location",
}
_PREFIXES = """\
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ps: <http://www.wikidata.org/prop/statement/> .
@prefix psv: <http://www.wikidata.org/prop/statement/value/> .
@prefix s: <http://www.wikidata.org/entity/statement/> .
@prefix v: <http://www.wikidata.org/value/> .
@prefix wdno: <http://www.wikidata.org/prop/novalue/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
"""
_FACTS = """\
wd:Q1 rdfs:label "Ada"@en, "Ада"@ru ; schema:description "mathematician"@en ; wdt:P31 wd:Q5 .
wd:Q5 rdfs:label "human"@en .
wd:Q1 wdt:P569 "1815-01-01T00:00:00Z"^^xsd:dateTime ; p:P569 s:birth .
s:birth a wikibase:BestRank ; wikibase:rank wikibase:NormalRank ;
  ps:P569 "1815-01-01T00:00:00Z"^^xsd:dateTime ; psv:P569 v:birth .
v:birth wikibase:timeValue "1815-01-01T00:00:00Z"^^xsd:dateTime ; wikibase:timePrecision 9 .
wd:Q1 wdt:P2048 1.7 ; p:P2048 s:height .
s:height wikibase:rank wikibase:NormalRank ; ps:P2048 1.7 ; psv:P2048 v:height .
v:height wikibase:quantityAmount 1.7 ; wikibase:quantityUnit wd:Q11573 .
wd:Q11573 rdfs:label "metre"@en .
wd:Q1 wdt:P22 <http://www.wikidata.org/.well-known/genid/8f3c> ; p:P22 s:father .
s:father wikibase:rank wikibase:NormalRank ; ps:P22 <http://www.wikidata.org/.well-known/genid/8f3c> .
wd:Q1 wdt:P26 [] .
wd:Q1 a wdno:P40 .
wd:Q1 wdt:P19 wd:Q2 ; wdt:P27 wd:Q3 .
wd:Q2 rdfs:label "Лондон"@ru .
wd:Q10 rdfs:label "Town"@en ; wdt:P1082 5 ; p:P1082 s:now, s:then, s:wrong .
s:now wikibase:rank wikibase:PreferredRank ; ps:P1082 5 .
s:then wikibase:rank wikibase:NormalRank ; ps:P1082 4 .
s:wrong wikibase:rank wikibase:DeprecatedRank ; ps:P1082 7 .
wd:Q10 wdt:P571 "-0044-03-15T00:00:00Z"^^xsd:dateTime ;
  wdt:P625 "Point(-0.1275 51.507222)"^^geo:wktLiteral .
wd:Q99 owl:sameAs wd:Q1 .
wd:Q4 rdfs:label "Springfield"@en ; wdt:P31 wd:Q515 .
wd:Q6 rdfs:label "Springfield"@en ; wdt:P31 wd:Q515 .
wd:Q7 rdfs:label "wd:Q4"@en ; wdt:P361 wd:Q7, wd:Q8 .
wd:Q8 rdfs:label "loop"@en ; wdt:P361 wd:Q7 .
wd:Q515 rdfs:label "city"@en ; skos:altLabel "town"@en .
wd:Q900 rdfs:label "Director"@en .
wd:P31 wdt:P31 wd:Q515 .
"""


def world() -> str:
    """The graph as Turtle."""
    lines = [_PREFIXES, _FACTS]
    for name, label in PROPERTIES.items():
        lines.append(
            f'wd:{name} a wikibase:Property ; rdfs:label "{label}"@en ;'
            f" wikibase:directClaim wdt:{name} ; wikibase:claim p:{name} ;"
            f" wikibase:statementProperty ps:{name} ; wikibase:statementValue psv:{name} ;"
            f" wikibase:novalue wdno:{name} ."
        )
    for identifier, label in LABELS.items():
        escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        escaped = escaped.replace("\t", "\\t")
        lines.append(f'{identifier} rdfs:label "{escaped}"@en ; wdt:P57 wd:Q900 .')
    return "\n".join(lines)
