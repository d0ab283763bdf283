"""Ids: CURIEs where there is a prefix, IRIs where there is none, lossless both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgcore.errors import InputError
from kgcore.kg import vocabulary as v
from kgcore.kg.vocabulary import Prefixes, declared_prefixes, local_name, pick_language

LEGAL = st.text(
    st.characters(
        exclude_characters='<>"{}|^`\\\x7f', exclude_categories=("Cs",), min_codepoint=0x21
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    "iri, identifier",
    [
        ("http://www.wikidata.org/entity/Q42", "wd:Q42"),
        ("http://www.wikidata.org/entity/statement/q42-1", "wds:q42-1"),
        ("https://musicbrainz.org/artist/5b11f4ce", "mb:artist/5b11f4ce"),
        ("urn:kg:musicbrainz:p:class:artist", "mbp:class:artist"),
        ("urn:x:1", "<urn:x:1>"),
        ("wd:Q42", "<wd:Q42>"),
    ],
)
def test_the_longest_namespace_makes_the_id(iri: str, identifier: str) -> None:
    assert Prefixes().shorten(iri) == identifier
    assert Prefixes().expand(identifier) == iri or identifier.startswith("<wd:")


@given(st.sampled_from([*v.DEFAULT_PREFIXES.values(), "urn:x:", "http://other.example/"]), LEGAL)
def test_iri_to_id_and_back_is_lossless(namespace: str, local: str) -> None:
    table = Prefixes({"ex": "http://other.example/a#"})
    iri = namespace + local
    assert table.expand(table.shorten(iri)) == iri


def test_a_graph_adds_prefixes_and_never_changes_the_common_ones() -> None:
    table = Prefixes(
        {"ex": "http://ex/", "wd": "http://elsewhere/", "wikidata": v.WD, "": "urn:e:"}
    )
    assert table.shorten("http://ex/a") == "ex:a"
    assert table.shorten(v.WD + "Q1") == "wd:Q1"
    assert table.shorten("http://elsewhere/Q1") == "<http://elsewhere/Q1>"
    assert table.shorten("urn:e:1") == "<urn:e:1>"


def test_an_iri_may_be_given_for_an_id() -> None:
    table = Prefixes()
    assert table.shorten(table.expand("http://www.wikidata.org/entity/Q42")) == "wd:Q42"


@pytest.mark.parametrize("bad", ["", "Q42", "a b:c", "wd:Q1\n", "wd:\ud800", "<>", "<Q42>", "1:2"])
def test_what_is_neither_is_refused(bad: str) -> None:
    with pytest.raises(InputError, match="is no id"):
        Prefixes().expand(bad)


def test_a_long_wrong_id_is_named_in_short() -> None:
    with pytest.raises(InputError) as caught:
        Prefixes().expand("x" * 10_000)
    assert len(str(caught.value)) < 200


def test_declared_prefixes_are_read_from_turtle_and_xml() -> None:
    text = (
        "@prefix ex: <http://ex/> .\nPREFIX  B2: <urn:b:>\n# @prefix no: <urn:no:>\n"
        "<rdf:RDF xmlns:foo=\"http://foo/\" xmlns='http://x/'>"
    )
    assert declared_prefixes(text) == {"ex": "http://ex/", "B2": "urn:b:", "foo": "http://foo/"}


@pytest.mark.parametrize(
    "iri, label",
    [
        ("http://dbpedia.org/ontology/birthPlace", "birth place"),
        ("http://ex.org/prop#has_part", "has part"),
        ("http://rdf.freebase.com/ns/film.film.genre", "genre"),
        ("urn:kg:metaqa:p:release_year", "release year"),
        ("http://ex.org/isbn13Number", "isbn13 number"),
        ("http://ex.org/URL", "url"),
    ],
)
def test_a_local_name_is_made_readable(iri: str, label: str) -> None:
    assert local_name(iri) == label


def test_languages_are_preferred_with_their_variants() -> None:
    tags = ["de", "zh-hant", "en-gb", "", "zh", "en", "fr"]
    order = pick_language(tags, ("zh", "en"))
    assert order == ("zh", "zh-hant", "en", "en-gb", "", "de", "fr")


def test_articles_are_known_by_their_address() -> None:
    assert v.is_sitelink("https://en.wikipedia.org/wiki/Inception")
    assert v.is_sitelink("https://zh.wikipedia.org/wiki/盗梦空间")
    assert not v.is_sitelink("https://example.org/wiki/Inception")
