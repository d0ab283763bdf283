"""Reading the source graphs, and deciding which of their ids and facts may be taken."""

from __future__ import annotations

import csv
import gzip
import html
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pyoxigraph as ox

from demo_graphs.facts import LABEL, MB, MBP, OWL, XSD, Fact, Source

WIKIDATA_GRAPHS = ("codex/kg.nt.gz", "2wiki/kg.nt.gz", "qald10/kg.nt.gz")
WIKIDATA_ID_SOURCES = (
    *WIKIDATA_GRAPHS,
    "codex/kg_unlabelled_rest.nt.gz",
    "2wiki/questions.jsonl",
    "qald10/questions.jsonl",
    "musicbrainz/wikidata_links.nt",
)
OPEN_LICENCES = ("MIT", "BSD-2-Clause", "Apache-2.0")
MBID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WIKIDATA_ID = re.compile(r"(?<![A-Za-z0-9])[QP][1-9][0-9]*(?![A-Za-z0-9])")


def read_bytes(path: Path) -> bytes:
    """Return a file's content, unpacked if its name says gzip."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def read_facts(path: Path) -> Iterator[Fact]:
    """Yield the facts of an N-Triples or Turtle file; blank nodes are not expected."""
    is_turtle = path.suffix == ".ttl"
    form = ox.RdfFormat.TURTLE if is_turtle else ox.RdfFormat.N_TRIPLES
    for triple in ox.parse(read_bytes(path), format=form):
        if not isinstance(triple.subject, ox.NamedNode):
            raise ValueError(f"{path}: blank node in {triple}")
        if not isinstance(triple.object, (ox.NamedNode, ox.Literal)):
            raise ValueError(f"{path}: blank node in {triple}")
        yield triple.subject.value, triple.predicate.value, triple.object


def read_source(paths: Iterable[Path]) -> Source:
    source = Source()
    for path in paths:
        for fact in read_facts(path):
            source.add(fact)
    return source


def read_labels(path: Path) -> dict[str, dict[str, str]]:
    """Read labels.tsv: id, English label (empty = as in the source), Chinese label."""
    labels: dict[str, dict[str, str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, english, chinese = (cell.strip() for cell in line.split("\t"))
        if name in labels:
            raise ValueError(f"{path}: {name} is there twice")
        labels[name] = {k: v for k, v in (("en", english), ("zh", chinese)) if v}
    return labels


def open_payloads(data: Path) -> dict[str, str]:
    """Return the text of each MusicBrainz payload that may be shipped, its request included."""
    payloads: dict[str, str] = {}
    with (data / "musicbrainz/index.tsv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            is_open = row["source_licence"] in OPEN_LICENCES
            if is_open and not row["has_tags_ratings_or_annotations"]:
                text = (data / "musicbrainz" / row["file"]).read_text("utf-8")
                text = html.unescape(text) if row["file"].endswith(".xml") else text
                if row["file"].endswith(".json"):
                    text = json.dumps(json.loads(text), ensure_ascii=False)
                payloads[row["file"]] = f"{row['request'] or ''}\n{text}"
    return payloads


def known_ids(data: Path, payloads: dict[str, str]) -> set[str]:
    """Return every Wikidata and MusicBrainz id that the source files mention."""
    known: set[str] = set()
    for name in WIKIDATA_ID_SOURCES:
        text = read_bytes(data / name).decode("utf-8")
        known.update(WIKIDATA_ID.findall(text))
        known.update(MBID.findall(text))
    for path in sorted((data / "wikidata_fixtures").glob("*.json")):
        text = path.read_text("utf-8")
        known.update(WIKIDATA_ID.findall(text), MBID.findall(text))
        known.update(f"Q{n}" for n in re.findall(r'"item","numeric-id":(\d+)', text))
    for text in payloads.values():
        known.update(MBID.findall(text))
        known.update(re.findall(r"wikidata\.org/wiki/(Q\d+)", text))
    return known


def open_musicbrainz(data: Path, payloads: dict[str, str]) -> Source:
    """Return the MusicBrainz facts for which one open payload mentions both ends."""
    where: dict[str, set[str]] = defaultdict(set)
    for name, text in payloads.items():
        for mbid in MBID.findall(text):
            where[mbid].add(name)
    source = Source()
    for fact in read_facts(data / "musicbrainz/kg.nt.gz"):
        subject, _, value = fact
        if not subject.startswith(MB):
            continue
        files = where.get(subject[-36:], set())
        if isinstance(value, ox.Literal):
            is_backed = any(value.value in payloads[name] for name in files)
        elif value.value.startswith(MB):
            is_backed = bool(files & where.get(value.value[-36:], set()))
        else:
            is_backed = bool(files)
        if is_backed:
            source.add(fact)
    for fact in read_facts(data / "musicbrainz/wikidata_links.nt"):
        if fact[1] == OWL + "sameAs":
            source.add(fact)
    return source


def track_facts(text: str) -> Iterator[Fact]:
    """Yield the recordings of a release payload with their names and lengths."""
    space = {"mb": "http://musicbrainz.org/ns/mmd-2.0#"}
    release = ElementTree.fromstring(text).find("mb:release", space)
    if release is None:
        raise ValueError("the payload holds no release")
    for track in release.iterfind(".//mb:track", space):
        recording = track.find("mb:recording", space)
        if recording is None:
            continue
        iri = f"{MB}recording/{recording.get('id')}"
        yield f"{MB}release/{release.get('id')}", MBP + "recording", ox.NamedNode(iri)
        yield iri, LABEL, ox.Literal(recording.findtext("mb:title", "", space), language="en")
        length = recording.findtext("mb:length", "", space)
        if length:
            integer = ox.NamedNode(XSD + "integer")
            yield iri, MBP + "length_in_ms", ox.Literal(length, datatype=integer)
