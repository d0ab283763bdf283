"""Build the two demo graphs from public source graphs, hand-written facts and a selection.

    python bench/build_demo.py --data ../shared/data

reads assets/demo/selection.yaml, labels.tsv and hand-*.ttl, and writes demo-wikidata.ttl,
demo-musicbrainz.ttl and checked_ids.txt beside them.  The output depends on the inputs alone:
subjects, predicates and objects are sorted, so a rebuild of unchanged inputs changes nothing.

Two rules keep the graphs honest.  A Wikidata or MusicBrainz id that occurs in none of the source
files stops the build.  A MusicBrainz fact is taken only when one payload from a permissively
licensed repository, without tags, ratings or annotations, mentions both of its ends.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import html
import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyoxigraph as ox
import yaml

log = logging.getLogger("build_demo")

WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
MB = "https://musicbrainz.org/"
MBP = "urn:kg:musicbrainz:p:"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "http://schema.org/"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {
    "wd": WD,
    "wdt": WDT,
    "mb": MB,
    "mbp": MBP,
    "demo": "urn:kg:demo:",
    "kg": "urn:kg:vocabulary:",
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "schema": SCHEMA,
    "owl": OWL,
    "xsd": XSD,
    "wikibase": "http://wikiba.se/ontology#",
}
LABEL, ALIAS, DESCRIPTION = RDFS + "label", SKOS + "altLabel", SCHEMA + "description"
INSTANCE_OF = WDT + "P31"

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
MAX_ALIASES = 2
EARLIEST_ONLY = {"P577", "P569", "P570", "P571", "P576", "P2031", "P2032"}

Fact = tuple[str, str, ox.NamedNode | ox.Literal]


@dataclass(slots=True)
class Source:
    """Facts by subject, kept in file order and without repeats."""

    facts: dict[str, dict[tuple[str, ox.NamedNode | ox.Literal], None]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def add(self, fact: Fact) -> None:
        subject, predicate, value = fact
        self.facts[subject][predicate, value] = None

    def values(self, subject: str, predicate: str) -> list[ox.NamedNode | ox.Literal]:
        return [value for name, value in self.facts.get(subject, {}) if name == predicate]

    def label(self, subject: str, lang: str = "en") -> str | None:
        for value in self.values(subject, LABEL):
            if isinstance(value, ox.Literal) and value.language == lang:
                return value.value
        return None

    def __iter__(self) -> Iterator[Fact]:
        for subject, pairs in self.facts.items():
            for predicate, value in pairs:
                yield subject, predicate, value


# --- reading ---------------------------------------------------------------------------------


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


def expand(curie: str) -> str:
    prefix, _, local = curie.partition(":")
    return PREFIXES[prefix] + local


# --- what may be taken -----------------------------------------------------------------------


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


# --- choosing --------------------------------------------------------------------------------


def choose_wikidata(source: Source, wanted: dict[str, Any], named: set[str]) -> Source:
    """Return the selected neighbourhood: seeds, what they follow to, and claims among them.

    Entities named in the hand-written facts are in as well, people with the claims of a cast.
    """
    rules: dict[str, dict[str, bool]] = {}
    for kind, properties in (
        ("films", "film_properties"),
        ("people", "person_properties"),
        ("groups", "group_properties"),
        ("countries", "place_properties"),
        ("places", "place_properties"),
    ):
        rules.update({WD + name: wanted[properties] for name in wanted[kind]})
    humans = {s for s in source.facts if ox.NamedNode(WD + "Q5") in source.values(s, INSTANCE_OF)}
    for film in [WD + name for name in wanted["films"]]:
        for prop in ("P57", "P86", "P161"):
            for person in source.values(film, WDT + prop):
                if person.value in humans and person.value not in wanted["never"]:
                    is_cast = prop == "P161"
                    which = "cast_properties" if is_cast else "person_properties"
                    rules.setdefault(person.value, wanted[which])
    for entity in named & humans:
        rules.setdefault(entity, wanted["cast_properties"])
    included = set(rules) | named | {WD + name for name in wanted["leaves"]}
    for subject, properties in rules.items():
        for prop, is_followed in properties.items():
            if is_followed:
                included.update(v.value for v in source.values(subject, WDT + prop))
    included = {s for s in included if source.label(s)} - {WD + name for name in wanted["never"]}
    chosen = Source()
    for subject in sorted(included):
        films = [WD + name for name in wanted["films"]]
        describe(source, subject, chosen, wanted["types"], is_film=subject in films)
        for prop in sorted(rules.get(subject, wanted["far_properties"])):
            claims = kept_values(source.values(subject, WDT + prop), included)
            for value in claims[:1] if prop in EARLIEST_ONLY else claims:
                chosen.add((subject, WDT + prop, value))
    return chosen


def kept_values(
    values: list[ox.NamedNode | ox.Literal], included: set[str]
) -> list[ox.NamedNode | ox.Literal]:
    """Return known objects and dates, dates first in time first."""
    dates = sorted(
        (v for v in values if isinstance(v, ox.Literal)),
        key=lambda v: v.value,
    )
    objects = [v for v in values if isinstance(v, ox.NamedNode) and v.value in included]
    return [*(day_or_year(d) for d in dates), *objects]


def day_or_year(value: ox.Literal) -> ox.Literal:
    """Give a date the precision it is known to have: 1 January may stand for a year alone."""
    match = re.fullmatch(r"(\d{4})-(\d\d-\d\d)T00:00:00Z", value.value)
    if not match:
        return value
    if match[2] == "01-01":
        return ox.Literal(match[1], datatype=ox.NamedNode(XSD + "gYear"))
    return ox.Literal(f"{match[1]}-{match[2]}", datatype=ox.NamedNode(XSD + "date"))


def describe(
    source: Source, subject: str, chosen: Source, preferred: list[str], *, is_film: bool
) -> None:
    """Copy label, description, a few aliases and one type of an entity."""
    label = source.label(subject)
    if label is None:
        raise ValueError(f"{subject} has no English label")
    chosen.add((subject, LABEL, ox.Literal(label, language="en")))
    for value in source.values(subject, DESCRIPTION)[:1]:
        chosen.add((subject, DESCRIPTION, value))
    aliases = [
        v
        for v in source.values(subject, ALIAS)
        if isinstance(v, ox.Literal) and len(v.value) <= 40 and "[" not in v.value
    ]
    is_human = ox.NamedNode(WD + "Q5") in source.values(subject, INSTANCE_OF)
    for value in aliases[: 1 if is_human else MAX_ALIASES]:
        chosen.add((subject, ALIAS, value))
    types = [v for v in source.values(subject, INSTANCE_OF) if source.label(v.value)]
    types = [v for v in types if is_film or v.value != WD + "Q11424"]
    liked = [v for name in preferred for v in types if v.value == WD + name]
    for value in (liked or types)[:1]:
        chosen.add((subject, INSTANCE_OF, value))
        chosen.add((value.value, LABEL, ox.Literal(source.label(value.value) or "", language="en")))


def choose_musicbrainz(source: Source, wanted: dict[str, Any], named: set[str]) -> Source:
    """Return what the roots reach through the listed relations, in the listed directions."""
    never = {MB + name for name in wanted["never"]}
    forward = {MBP + name for name in wanted["forward"]}
    backward = {MBP + name for name in wanted["backward"]}
    users: dict[str, list[str]] = defaultdict(list)
    for subject, predicate, value in source:
        if predicate in backward and isinstance(value, ox.NamedNode):
            users[value.value].append(subject)
    included: set[str] = set()
    frontier = [*(MB + name for name in wanted["roots"]), *sorted(named)]
    while frontier:
        entity = frontier.pop()
        if entity in included or entity in never or not source.label(entity):
            continue
        included.add(entity)
        frontier += [v.value for p, v in source.facts[entity] if p in forward]
        frontier += users[entity]
    literals = {LABEL, ALIAS, DESCRIPTION, *(MBP + name for name in wanted["literals"])}
    chosen = Source()
    for subject, predicate, value in source:
        if subject not in included:
            continue
        if isinstance(value, ox.NamedNode):
            is_kept = value.value in included or predicate in (RDF + "type", OWL + "sameAs")
        else:
            is_kept = predicate in literals
        is_own_name = predicate == ALIAS and value.value == source.label(subject)
        is_later = predicate == MBP + "first_release_date" and any(
            str(other) < str(value) for other in source.values(subject, predicate)
        )
        if is_kept and not is_own_name and not is_later:
            chosen.add((subject, predicate, value))
    for subject in sorted(entity for entity in included if entity.startswith(MB)):
        kind = subject[len(MB) :].partition("/")[0].replace("-", "_")
        chosen.add((subject, RDF + "type", ox.NamedNode(f"{MBP}class:{kind}")))
    return chosen


def link_graphs(graphs: dict[str, Source], hands: dict[str, Source]) -> None:
    """Keep the same-as links whose both ends are in, and state each in both graphs."""
    known = {s for source in (*graphs.values(), *hands.values()) for s in source.facts}
    links = set()
    for source in (*graphs.values(), *hands.values()):
        for subject, predicate, value in list(source):
            if predicate == OWL + "sameAs":
                if value.value in known:
                    links.add((subject, value.value))
                else:
                    del source.facts[subject][predicate, value]
    for name, base in (("wikidata", WD), ("musicbrainz", MB)):
        here = {s for source in (graphs[name], hands[name]) for s in source.facts}
        for pair in sorted(links):
            for one, other in (pair, pair[::-1]):
                if one in here and not other.startswith(base) and other not in here:
                    fact = (one, OWL + "sameAs", ox.NamedNode(other))
                    target = graphs if one in graphs[name].facts else hands
                    target[name].add(fact)


# --- writing ---------------------------------------------------------------------------------


def relabel(chosen: Source, labels: dict[str, dict[str, str]]) -> None:
    """Put the labels of labels.tsv in; an English label that is replaced stays as an alias."""
    for name, by_lang in labels.items():
        subject = expand(name)
        if subject not in chosen.facts:
            continue
        for lang, text in by_lang.items():
            old = chosen.label(subject, lang)
            if old and old != text:
                del chosen.facts[subject][LABEL, ox.Literal(old, language=lang)]
                chosen.add((subject, ALIAS, ox.Literal(old, language=lang)))
            chosen.add((subject, LABEL, ox.Literal(text, language=lang)))


def turtle_name(iri: str) -> str:
    """Write an IRI with its prefix; a slash inside a local name is escaped, as Turtle asks."""
    for prefix, base in PREFIXES.items():
        if iri.startswith(base):
            local = iri[len(base) :].replace("/", "\\/")
            if re.fullmatch(r"[\w:\\/-]+", local):
                return f"{prefix}:{local}"
    return f"<{iri}>"


def turtle_value(value: ox.NamedNode | ox.Literal) -> str:
    if isinstance(value, ox.NamedNode):
        return turtle_name(value.value)
    if value.datatype.value.startswith(XSD) and value.datatype.value != XSD + "string":
        return f'"{value.value}"^^{turtle_name(value.datatype.value)}'
    return str(value)


def predicate_order(predicate: str) -> tuple[int, int, str]:
    """Names first, then types, then claims by property number."""
    first = [LABEL, DESCRIPTION, ALIAS, RDF + "type", INSTANCE_OF]
    number = re.search(r"\d+$", predicate)
    rank = first.index(predicate) if predicate in first else len(first)
    return rank, int(number[0]) if number else 0, predicate


def subject_order(subject: str) -> tuple[str, int, str]:
    match = re.fullmatch(re.escape(WD) + r"([A-Z])(\d+)", subject)
    return ("wd" + match[1], int(match[2]), "") if match else (subject, 0, "")


def render_subject(source: Source, names: Source, subject: str) -> str:
    """Write one subject as a block of a fact a line, objects named in a comment."""
    lines = []
    facts = sorted(
        source.facts[subject],
        key=lambda fact: (predicate_order(fact[0]), str(fact[1])),
    )
    for position, (predicate, value) in enumerate(facts):
        end = "." if position == len(facts) - 1 else ";"
        name = "a" if predicate == RDF + "type" else turtle_name(predicate)
        comment = names.label(value.value) if isinstance(value, ox.NamedNode) else None
        note = f"  # {comment}" if comment else ""
        lines.append(f"    {name} {turtle_value(value)} {end}{note}")
    return f"{turtle_name(subject)}\n" + "\n".join(lines) + "\n"


def render(title: str, chosen: Source, hand: Source, names: Source) -> str:
    """Write a whole graph: the prefixes it uses, facts from the sources, facts by hand."""
    parts = []
    for heading, source in (
        ("Taken from the source graphs", chosen),
        ("Added by hand: relation names, labels and facts; sources in the hand-*.ttl files", hand),
    ):
        parts.append(f"# --- {heading}\n")
        for subject in sorted(source.facts, key=subject_order):
            if source.facts[subject]:
                parts.append(render_subject(source, names, subject))
    body = "\n".join(parts)
    used = {prefix for prefix in PREFIXES if re.search(rf"(?<![\w:]){prefix}:", body)}
    head = [f"@prefix {p}: <{iri}> ." for p, iri in PREFIXES.items() if p in used]
    return (
        f"# {title}\n# Built by bench/build_demo.py; see NOTICE.md.\n"
        + "\n".join(head)
        + f"\n\n{body}"
    )


def without(source: Source, other: Source) -> Source:
    """Return the facts that the other source does not already state."""
    rest = Source()
    for subject, predicate, value in source:
        if (predicate, value) not in other.facts.get(subject, {}):
            rest.add((subject, predicate, value))
    return rest


def merged(*sources: Source) -> Source:
    both = Source()
    for source in sources:
        for fact in source:
            both.add(fact)
    return both


def named_in(source: Source, base: str) -> set[str]:
    """Return the entities of a graph that the facts mention, properties apart."""
    iris = {s for s in source.facts}
    iris.update(v.value for _, _, v in source if isinstance(v, ox.NamedNode))
    return {iri for iri in iris if iri.startswith(base) and not iri.startswith(WD + "P")}


def keep_hand_values(chosen: Source, hand: Source) -> None:
    """Drop a date or description that the hand-written facts state as well, and better."""
    single = {DESCRIPTION, *(WDT + name for name in EARLIEST_ONLY)}
    for subject, predicate, value in list(chosen):
        if predicate in single and hand.values(subject, predicate):
            del chosen.facts[subject][predicate, value]


def used_ids(sources: Iterable[Source]) -> set[str]:
    """Return the Wikidata and MusicBrainz ids that the graphs mention as IRIs."""
    used: set[str] = set()
    for source in sources:
        for subject, predicate, value in source:
            for iri in (subject, predicate, value.value if isinstance(value, ox.NamedNode) else ""):
                if iri.startswith((WD, WDT)):
                    used.add(iri.rpartition("/")[2])
                elif iri.startswith(MB):
                    used.add(iri[-36:])
    return used


def build(data: Path, home: Path) -> None:
    """Read everything, choose, check the ids and write the three files."""
    wanted = yaml.safe_load((home / "selection.yaml").read_text("utf-8"))
    labels = read_labels(home / "labels.tsv")
    payloads = open_payloads(data)
    wikidata = read_source(data / name for name in WIKIDATA_GRAPHS)
    musicbrainz = open_musicbrainz(data, payloads)
    for release in wanted["musicbrainz"]["track_lists"]:
        for fact in track_facts((data / "musicbrainz" / release).read_text("utf-8")):
            musicbrainz.add(fact)
    hands = {name: read_source([home / f"hand-{name}.ttl"]) for name in ("wikidata", "musicbrainz")}
    graphs = {
        "wikidata": choose_wikidata(wikidata, wanted["wikidata"], named_in(hands["wikidata"], WD)),
        "musicbrainz": choose_musicbrainz(
            merged(musicbrainz, hands["musicbrainz"]),
            wanted["musicbrainz"],
            named_in(hands["musicbrainz"], MB),
        ),
    }
    graphs["musicbrainz"] = without(graphs["musicbrainz"], hands["musicbrainz"])
    link_graphs(graphs, hands)
    names = Source()
    for name in graphs:
        keep_hand_values(graphs[name], hands[name])
        relabel(graphs[name], labels)
        hands[name] = without(hands[name], graphs[name])
        relabel(
            hands[name], {k: v for k, v in labels.items() if expand(k) not in graphs[name].facts}
        )
        for source in (graphs[name], hands[name]):
            for fact in source:
                if fact[1] == LABEL:
                    names.add(fact)
    used = used_ids([*graphs.values(), *hands.values()])
    unknown = sorted(used - known_ids(data, payloads))
    if unknown:
        raise SystemExit(f"ids that occur in no source file: {', '.join(unknown)}")
    for name in graphs:
        text = render(f"demo-{name}", graphs[name], hands[name], names)
        (home / f"demo-{name}.ttl").write_text(text, "utf-8")
        counts = [sum(len(f) for f in s.facts.values()) for s in (graphs[name], hands[name])]
        log.info("demo-%s: %d facts taken, %d by hand", name, *counts)
    (home / "checked_ids.txt").write_text("\n".join(sorted(used)) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the demo graphs.")
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("--data", type=Path, default=root.parent / "shared/data")
    parser.add_argument("--home", type=Path, default=root / "assets/demo")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    build(arguments.data, arguments.home)


if __name__ == "__main__":
    main()
