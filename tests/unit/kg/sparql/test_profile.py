"""Profiles: what they may say, and what is told of those that say something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgcore.errors import InputError
from kgcore.kg.sparql.profile import SHIPPED, load_profile, parse_profile, profiles

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_profile_can_be_read(name: str) -> None:
    profile = load_profile(name)
    assert profile.name == name
    assert all(iri.startswith(("http", "urn:")) for iri in profile.labels)


def test_curies_are_written_out(tmp_path: Path) -> None:
    profile = parse_profile("mine", b"labels: [rdfs:label, <urn:own:name>]\nwindow: 50\n")
    assert profile.labels == (LABEL, "urn:own:name")
    assert profile.window == 50


def test_ones_own_profile_comes_before_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "generic.yaml").write_text("labels: [<urn:own:name>]")
    (tmp_path / "profiles" / "mine.yaml").write_text("labels: [rdfs:label]")
    assert load_profile("generic", tmp_path).labels == ("urn:own:name",)
    assert profiles(tmp_path) == (*SHIPPED, "mine")
    assert load_profile("generic", tmp_path).content != load_profile("generic").content


@pytest.mark.parametrize(
    "text, words",
    [
        ("labels: [", "not valid YAML"),
        ("- a", "must be a table"),
        ("colour: red", "'colour' is no setting"),
        ("labels: rdfs:label", "labels must be a list"),
        ("labels: [no iri]", "is no id"),
        ("labels: []", "no property for labels"),
        ("window: 0", "'window' has an unusable value"),
        ("window: yes", "'window' has an unusable value"),
        ("only_declared: maybe", "'only_declared' has an unusable value"),
        ("only_declared: true", "no declarations"),
        ("mediator_type: fb:type", "or neither"),
        ("search: {url: 'file:///etc/passwd'}", "'search' has an unusable value"),
        ("a: &x [1]\nb: *x", "aliases"),
        ("x: !!python/object:os.system {}", "not valid YAML"),
        ("\x00", "not valid YAML"),
    ],
)
def test_a_profile_that_says_something_else_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        parse_profile("mine", text.encode())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["none", "../../etc/passwd", "", "a/b", "\x00", "x" * 300])
def test_a_profile_there_is_not_is_told_with_those_there_are(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are generic, wikidata, dbpedia, freebase"):
        load_profile(name, tmp_path)


def test_a_profile_that_is_no_text_or_too_large_is_refused() -> None:
    with pytest.raises(InputError, match="not valid YAML"):
        parse_profile("mine", b"\xff\xfe")
    with pytest.raises(InputError, match="too large"):
        parse_profile("mine", b"#" * 200_000)
