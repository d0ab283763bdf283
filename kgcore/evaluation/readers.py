"""From the records of published question sets to cases; one function a format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kgcore.evaluation.case import AnswerKind, Case, Gold, GoldEdge
from kgcore.kg.vocabulary import WD, WDT, Prefixes
from kgcore.model import Direction, EntityId, Literal, RelationId
from kgcore.prompts.literals import parse_date

Record = Mapping[str, Any]
_PREFIXES = Prefixes()
_METAQA, _PATHQUESTION = "urn:kg:metaqa:p:", "urn:kg:pathquestion:"
_METAQA_RELATIONS = {
    "director": "directed_by",
    "writer": "written_by",
    "actor": "starred_actors",
    "year": "release_year",
    "genre": "has_genre",
    "language": "in_language",
    "tags": "has_tags",
    "tag": "has_tags",
    "imdbrating": "has_imdb_rating",
    "imdbvotes": "has_imdb_votes",
}
_MOVIE = "movie"
_TOKEN = re.compile(
    r"\"[^\"]*\"\S*|<[^>\s]*>|[.;,](?=\s|$)|[{}()]|[^\s{}()]+?(?=[.;,]?(?:[\s{}()]|$))"
)


def from_2wiki(record: Record) -> Case:
    """Read a record of 2WikiMultihopQA; its evidence triples are the path."""
    edges = (
        GoldEdge(_relation(WDT + p), _entity(WD + s), _end(o), "out")
        for s, p, o in record["gold_triples"]
    )
    return _case(record, record["type"], tuple(edges))


def from_metaqa(record: Record) -> Case:
    """Read a record of MetaQA; its question type names the path."""
    words = record["qtype"].split("_to_")
    edges = []
    for here, there in pairwise(words):
        name = _METAQA_RELATIONS[there if here == _MOVIE else here]
        direction: Direction = "out" if here == _MOVIE else "in"
        edges.append(GoldEdge(_relation(_METAQA + name), direction=direction))
    return _case(record, f"{record['hops']}-hop", tuple(edges), record["qtype"])


def from_pathquestion(record: Record) -> Case:
    """Read a record of PathQuestion, entities and relations of its path in turn."""
    path = record["gold_path"]
    edges = (
        GoldEdge(
            _relation(f"{_PATHQUESTION}p:{path[i + 1]}"),
            _entity(_PATHQUESTION + path[i]),
            _entity(_PATHQUESTION + path[i + 2]) if i + 3 < len(path) else None,
            "out",
        )
        for i in range(0, len(path) - 2, 2)
    )
    return _case(record, f"{record['hops']}-hop", tuple(edges))


def from_qald10(record: Record) -> Case:
    """Read a record of QALD-10; the patterns of its SPARQL are the path."""
    return _case(record, record["answer_kind"], edges_of(record["sparql"]))


def from_freebase(record: Record) -> Case:
    """Read a question over Freebase; its SPARQL is of the whole of Freebase, so it names no path."""
    return _case(record, record["dataset"])


def from_musicbrainz(record: Record) -> Case:
    """Read a generated question over MusicBrainz, or over MusicBrainz and Wikidata."""
    return _case(record, record["kind"])


def from_sample(record: Record, language: str) -> Case | None:
    """Read a sample question in a language; None when it is not worded in it."""
    field = "question" if language == "en" else f"question_{language}"
    if field not in record:
        return None
    rows = record["answers"]
    gold = tuple(_sample_gold(row) for row in rows)
    kind: AnswerKind = "entity" if gold and gold[0].id else "value"
    if record["kind"] == "yes_no":
        kind, gold = "boolean", (Gold(texts=(str(rows[0]["label"]),)),)
    if not gold:
        kind = "none"
    return Case(
        id=f"{record['id']}-{language}",
        question=record[field],
        answer_kind=kind,
        type=record["kind"],
        gold=gold,
        texts=tuple(text for g in gold for text in g.texts),
        topics=tuple(EntityId(i) for i in record.get("topic_entities", ())),
        path=edges_of(record["gold"]) if gold else (),
        language=language,
        is_for_model="needs" in record,
    )


def _sample_gold(row: Record) -> Gold:
    if "id" in row:
        return Gold(EntityId(row["id"]), (str(row["label"]),))
    return Gold(texts=(str(row["value"]),))


def edges_of(sparql: str) -> tuple[GoldEdge, ...]:
    """Return the triple patterns of a query whose relation is given; paths and filters are passed over.

    Identity links are no relation that a search follows, so they are left out.
    """
    start = sparql.find("{")
    edges: dict[GoldEdge, None] = {}
    for subject, predicate, end in _patterns(_TOKEN.findall(sparql[start + 1 :])):
        if re.fullmatch(r"[A-Za-z]\w*:[\w/-]+", predicate) and predicate != "owl:sameAs":
            edges[GoldEdge(RelationId(_plain(predicate)), _known(subject), _known(end))] = None
    return tuple(edges)


def _patterns(tokens: Sequence[str]) -> Iterable[tuple[str, str, str]]:
    """Yield subject, predicate and object of each pattern, `;` and `,` written out."""
    pattern: list[str] = []
    for token in tokens:
        if token in (".", ";", ",", "{", "}", "(", ")"):
            if len(pattern) == 3:
                yield (pattern[0], pattern[1], pattern[2])
            keep = {";": 1, ",": 2}.get(token, 0)
            pattern = pattern[:keep]
        else:
            pattern.append(token)


def _plain(curie: str) -> str:
    return curie.replace("\\", "")


def _known(term: str) -> EntityId | None:
    return EntityId(_plain(term)) if re.fullmatch(r"[A-Za-z]\w*:\S+", term) else None


def _case(record: Record, type_: str, path: tuple[GoldEdge, ...] = (), subtype: str = "") -> Case:
    """Read what all sets have in common."""
    kind: AnswerKind = "value"
    if record["answer_kind"] in ("entity", "boolean"):
        kind = record["answer_kind"]
    texts = tuple(record["answers"])
    return Case(
        id=record["id"],
        question=record["question"],
        answer_kind=kind,
        type=type_,
        gold=_gold(kind, record["answer_nodes"], texts),
        texts=texts,
        topics=tuple(_entity(topic["iri"]) for topic in record["topic_entities"]),
        path=path,
        subtype=subtype,
    )


def _gold(kind: AnswerKind, nodes: Sequence[str], texts: tuple[str, ...]) -> tuple[Gold, ...]:
    """Pair nodes of the graph with texts: one by one, or the only node with all of them."""
    if kind == "boolean":
        return (Gold(texts=texts),)
    spellings: list[tuple[str, ...]] = [()] * len(nodes)
    if len(nodes) == 1:
        spellings = [texts]
    elif len(nodes) == len(texts):
        spellings = [(text,) for text in texts]
    if kind == "entity":
        return tuple(Gold(_entity(n), t) for n, t in zip(nodes, spellings, strict=True))
    return tuple(Gold(texts=(n, *t)) for n, t in zip(nodes, spellings, strict=True))


def _entity(iri: str) -> EntityId:
    return _PREFIXES.shorten(iri)


def _relation(iri: str) -> RelationId:
    return RelationId(_PREFIXES.shorten(iri))


def _end(item: str) -> EntityId | Literal:
    """Return the object of an evidence triple: a date as it is, else an item by its bare name."""
    return _entity(WD + item) if parse_date(item) is None else Literal(item, "xsd:dateTime")
