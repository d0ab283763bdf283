"""The queries of a short look at an endpoint; see probe.py."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.kg.sparql.terms import iri

COUNTED = 1_000_000  # triples that are counted where counting all takes too long
_SAMPLE = 2_000

ANYTHING = "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 1"
COUNT_ALL = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
COUNT_SOME = f"SELECT (COUNT(*) AS ?n) {{ SELECT ?s ?p ?o {{ ?s ?p ?o }} LIMIT {COUNTED} }}"


def labels_query(properties: Sequence[str]) -> str:
    """Ask how often each property is used, by language, in a sample of its uses: ?p, ?lang, ?n."""
    samples = " UNION ".join(
        f"{{ SELECT ({iri(p)} AS ?p) (LANG(?l) AS ?lang)"
        f" {{ ?s {iri(p)} ?l . FILTER(isLiteral(?l)) }} LIMIT {_SAMPLE} }}"
        for p in properties
    )
    return f"SELECT ?p ?lang (COUNT(*) AS ?n) {{ {samples} }} GROUP BY ?p ?lang LIMIT 1000"
