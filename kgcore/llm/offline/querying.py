"""Write queries for knowledge sources by matching words of the question with what a source says it holds.

A SPARQL query follows the question's clues from its mentions, each by the relation of the schema that it fits best;
a SELECT takes the table and columns whose names the question shares, and looks for the question's names in them; a
search takes the question's words that mean something. Where nothing matches, no query is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.lexicon import Pick, label_stems, language_of, lexicon
from kgcore.llm.offline.mentions import find_mentions
from kgcore.llm.offline.question import Analysis, analyse
from kgcore.prompts import MendQuery, NamedQuery, WriteQuery, WriteSentence, WriteSparql, WriteSql
from kgcore.prompts.named_query import Pattern, Term
from kgcore.ranking.stems import has_cjk, stem, stems, stop_words, words

_FITS = 0.55  # how alike a clue and a relation must be
_MAX_ROWS = 10
_NUMERIC = ("INT", "DOUBLE", "FLOAT", "DECIMAL", "HUGEINT", "REAL")
_TABLE = re.compile(r"^(?P<table>\"(?:[^\"]|\"\")+\"|\w+)\((?P<columns>.*)\)(?:\s*--.*)?$")
_COLUMN = re.compile(r"(?P<name>\"(?:[^\"]|\"\")+\"|\w+)\s+(?P<kind>[A-Z]\w*)")


def queries(request: WriteQuery | MendQuery) -> list[NamedQuery | str]:
    """Return the queries that may be written, best first; "" where the source cannot help."""
    original, tried = request, ""
    if isinstance(request, MendQuery):
        assert isinstance(request.original, WriteQuery)
        original, tried = request.original, request.reply
    found: list[NamedQuery | str] = []
    if isinstance(original, WriteSparql):
        found = list(_sparql(original))
    elif isinstance(original, WriteSql):
        found = list(_sql(original))
    elif isinstance(original, WriteSentence):
        found = list(_sentences(original))
    return [q for q in found if _text(q) != tried] or [""]


def _text(query: NamedQuery | str) -> str:
    return query.text if isinstance(query, NamedQuery) else query


def _about(request: WriteQuery) -> str:
    """Return what is to be looked up: what the statement says; the question, where that is the statement."""
    return request.rationale or request.question


def _mentions(text: str, language: str) -> tuple[str, ...]:
    return find_mentions(text, (), language)


# SPARQL


def _sparql(request: WriteSparql) -> Sequence[NamedQuery]:
    text = _about(request)
    mentions = _mentions(text, request.language)
    parts = tuple(p for m in mentions for p in re.split(r"\s+and\s+", m) if p[:1].isupper())
    found = list(_for_mentions(request, text, mentions))
    if parts != mentions:  # “Romeo and Juliet” is one name, “Tom Hanks and Meg Ryan” are two
        found += _for_mentions(request, text, parts)
    return found


def _for_mentions(
    request: WriteSparql, text: str, mentions: tuple[str, ...]
) -> Sequence[NamedQuery]:
    if not mentions:
        return ()
    analysis = analyse(text, mentions, request.language)
    names = _names_in(request.schema)
    rows = [_row(analysis, number, names) for number in range(len(mentions))]
    rows = [row for row in rows if row]
    if not rows:
        return ()
    is_joined = len(rows) > 1 and analysis.kind in ("find", "common")
    found = [_query(rows, is_joined=is_joined)]
    if len(rows) > 1:
        found.append(_query(rows[:1], is_joined=False))
    if any(len(row) > 2 for row in rows):
        found.append(_query([row[:2] for row in rows], is_joined=False))
    return found


def _row(analysis: Analysis, mention: int, names: Sequence[str]) -> tuple[str, ...]:
    """Return a mention and the relations that lead from it, as the schema calls them; () without any."""
    clues = [analysis.clues[i] for i in analysis.orders[mention]]
    asking = [clue for clue in clues if clue.names_relation] or clues[-1:]
    relations = [_relation(clue, names) for clue in asking]
    return (analysis.mentions[mention], *relations) if relations else ()


def _relation(clue: Clue, names: Sequence[str]) -> str:
    """Return the relation that a clue asks for: the nearest of the schema's, else its own word."""
    ways = [label.stems for label in clue.labels] or [clue.stems]
    best, value = clue.text, _FITS
    for name in names:
        near = max(likeness(way, label_stems(name)) for way in ways)
        if near > value:
            best, value = name, near
    return best


def _names_in(schema: str) -> list[str]:
    """Return what a schema may call relations: its phrases."""
    pieces = re.split(r"[,;\n|()\[\]{}→]|:\s|\s[-–—]\s|\s→\s|[，；、（）：]", schema)
    return list(dict.fromkeys(p.strip(" <>\"'.*") for p in pieces if 1 < len(p.strip()) <= 60))


def _query(rows: Sequence[tuple[str, ...]], *, is_joined: bool) -> NamedQuery:
    """Chain the relations of each mention; joined, all chains end at the same thing."""
    patterns: list[Pattern] = []
    shown: list[str] = []
    for number, (mention, *relations) in enumerate(rows):
        here = Term("name", mention)
        for step, relation in enumerate(relations, 1):
            is_last = step == len(relations)
            name = "x" if is_joined and is_last else f"x{number}{step}"
            there = Term("variable", name)
            patterns.append(Pattern(here, Term("name", relation), there))
            here = there
        shown.append(here.text)
    return NamedQuery("select", tuple(patterns), tuple(dict.fromkeys(shown)))


# SQL


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    columns: tuple[tuple[str, str], ...]  # name as written in SQL, type

    @property
    def texts(self) -> list[str]:
        return [name for name, kind in self.columns if kind == "VARCHAR"]

    def share(self, question: str) -> float:
        """Return how much of the table's words the question holds."""
        known = set(stems(question))
        own = set(stems(self.name))
        columns = [set(stems(name)) for name, _ in self.columns]
        best = max((len(c & known) / len(c) for c in columns if c), default=0.0)
        return best + 0.5 * (len(own & known) / len(own) if own else 0.0)


def _sql(request: WriteSql) -> Sequence[str]:
    text = _about(request)
    tables = sorted(_tables_in(request.card.schema), key=lambda t: -t.share(text))
    tables = [t for t in tables if t.share(text) >= 0.5][:2]
    found: list[str] = []
    for table in tables:
        found += _selects(table, text, request.language)
    return found


def _selects(table: _Table, text: str, language: str) -> list[str]:
    pick, numbers = _pick(text, language), [c for c, kind in table.columns if _is_number(kind)]
    wanted = _wanted(numbers, text)
    if pick is not None and wanted:
        way = "DESC" if pick.is_most else "ASC"
        return [f"SELECT * FROM {table.name} ORDER BY {wanted} {way} NULLS LAST LIMIT 1"]
    terms = _terms(table, text, language)
    if not terms:
        return []
    exact = _where(table, terms, "{}")
    loose = _where(table, terms, "%{}%")
    return [
        f"SELECT * FROM {table.name} WHERE {where} LIMIT {_MAX_ROWS}" for where in (exact, loose)
    ]


def _where(table: _Table, terms: Sequence[str], form: str) -> str:
    """Look for any of the terms in any column of text."""
    parts = [
        f"{column} ILIKE {_quoted(form.format(term))}" for term in terms for column in table.texts
    ]
    return " OR ".join(parts)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _terms(table: _Table, text: str, language: str) -> list[str]:
    """Return what the question may name in a table: its names, else its words that no column is called by."""
    if not table.texts:
        return []
    own = {s for name in (table.name, *(c for c, _ in table.columns)) for s in stems(name)}
    mentions = [m for m in _mentions(text, language) if not set(stems(m)) <= own]
    if mentions:
        return mentions
    vocabulary = lexicon(language_of(text, language)).vocabulary
    return [
        word
        for word in dict.fromkeys(words(text))
        if word not in stop_words()
        and not set(stems(word)) <= own
        and not set(stems(word)) <= set(vocabulary)
        and (len(word) > 2 or has_cjk(word))
    ]


def _wanted(columns: Sequence[str], text: str) -> str:
    """Return the column that the question shares most words with; "" for none."""
    known = set(stems(text))
    scored = [(len(set(stems(name)) & known) / max(1, len(stems(name))), name) for name in columns]
    best = max(scored, default=(0.0, ""), key=lambda item: item[0])
    return best[1] if best[0] > 0 else ""


def _pick(text: str, language: str) -> Pick | None:
    """Return what the question compares by: “the largest”, “the first”."""
    picks = lexicon(language_of(text, language)).picks
    found = [picks[(stem(word),)] for word in words(text) if (stem(word),) in picks]
    return found[0] if found else None


def _is_number(kind: str) -> bool:
    return any(name in kind for name in _NUMERIC)


def _tables_in(schema: str) -> list[_Table]:
    found = []
    for line in schema.split("\n"):
        match = _TABLE.match(line.strip())
        if match:
            columns = [(c["name"], c["kind"]) for c in _COLUMN.finditer(match["columns"])]
            if columns:
                found.append(_Table(match["table"], tuple(columns)))
    return found


# sentences


def _sentences(request: WriteSentence) -> Sequence[str]:
    text = _about(request)
    if has_cjk(text):
        bare = text.strip("？?。. ")
        return [bare] if bare else []
    kept = [w for w in re.findall(r"[\w'’-]+", text) if w.lower() not in stop_words()]
    names = _mentions(text, request.language)
    found = [" ".join(kept), " ".join(names)]
    return [query for query in dict.fromkeys(found) if query]
