"""Prepares a query that somebody wrote: only one SELECT or ASK, ids made into IRIs, a limit set. Pure.

A query is cut into tokens, so that nothing inside a text or an IRI is taken for a word of the language. Every
word outside of these is a keyword in SPARQL; the dangerous ones are refused wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgcore.errors import InputError
from kgcore.kg.vocabulary import XSD, Prefixes

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<text>\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<iri><[^<>"{}|^`\\\s]*>)
    |(?P<variable>[?$]\w+)
    |(?P<tag>@[A-Za-z][A-Za-z0-9-]*)
    |(?P<name>(?:[^\W\d_][\w.-]*)?:(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)*)
    |(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
    |(?P<word>\w+)
    |(?P<mark>.)""",
    re.X | re.S,
)
_LONGEST = 20_000
_DEEPEST = 40  # brackets in brackets
_REFUSED = {
    "FROM": "FROM is not run here: a source asks its own graph",
    "SERVICE": "SERVICE is not run here: a source asks its own graph",
    **dict.fromkeys(
        "INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY CONSTRUCT DESCRIBE DEFINE".split(),
        "only one SELECT or ASK is run here",
    ),
}
_LABELS = ("wikibase:label", "<http://wikiba.se/ontology#label>")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query; `depth` counts the brackets around it."""

    kind: str
    text: str
    depth: int = 0

    def is_word(self, *words: str) -> bool:
        """Whether it is one of these keywords, at the top of the query."""
        return self.kind == "word" and not self.depth and self.text.upper() in words


@dataclass(frozen=True, slots=True)
class Prepared:
    """A query as it is run; `is_counted` when its rows are made of many."""

    text: str
    is_ask: bool
    is_counted: bool
    head: str  # declarations
    select: str
    rest: str  # pattern, modifiers and limit for a query of details

    def detail(self, missing: Iterable[str]) -> str:
        """Return a query that tells what the rows rest on: with variables of the pattern that they do not show."""
        if self.is_counted:
            return f"{self.head}SELECT * {self.rest}".strip()
        more = " ".join(f"?{name}" for name in sorted(missing))
        return f"{self.head}{self.select} {more} {self.rest}".strip()


def prepare(query: str, prefixes: Prefixes, *, most: int, most_details: int) -> Prepared:
    """Return a query as it is run; InputError says why one is not.

    It is given a LIMIT that is one row above `most`, so that it shows whether there are more.
    """
    tokens = _nested(_without_labels(_tokens(query)))
    _check(tokens)
    tokens = [_with_iri(token, prefixes) for token in tokens]
    start = next((i for i, t in enumerate(tokens) if t.is_word("SELECT", "ASK")), None)
    opens = next((i for i, t in enumerate(tokens) if t.text == "{" and not t.depth), None)
    if start is None or opens is None or opens < start:
        raise InputError("write a SELECT or ASK with its pattern in { }")
    closes = next(i for i in range(opens + 1, len(tokens)) if _closes(tokens[i]))
    head = _declared(tokens, prefixes) + _joined(tokens[:start])
    pattern = _joined(tokens[opens : closes + 1])
    rest = tokens[closes + 1 :]
    values = next((i for i, t in enumerate(rest) if t.is_word("VALUES")), len(rest))
    modifiers, tail = rest[:values], _joined(rest[values:])
    is_ask = tokens[start].is_word("ASK")
    is_counted = _has_aggregate(tokens[start:opens]) or any(
        t.is_word("GROUP", "HAVING") for t in modifiers
    )
    wanted = [t for t in tokens[start:opens] if not t.is_word("WHERE")]
    select = "SELECT * " if is_ask else _joined(wanted)
    plain = _limited([] if is_counted else modifiers, most_details)
    return Prepared(
        f"{head}{select}{pattern}{_limited(modifiers, most + 1)}{tail}".strip(),
        is_ask,
        is_counted,
        head,
        select,
        f"{pattern}{plain}{tail}",
    )


def _tokens(query: str) -> list[Token]:
    if len(query) > _LONGEST:
        raise InputError("the query is too long")
    if "\0" in query:
        raise InputError("the query holds a character that no query has")
    found = [Token(m.lastgroup or "", m.group()) for m in _TOKEN.finditer(query)]
    if any(t.kind == "mark" and t.text in "\"'" for t in found):
        raise InputError("a text in the query is not closed")
    return [Token("space", " ") if t.kind == "space" else t for t in found]


def _nested(tokens: Sequence[Token]) -> list[Token]:
    """Number the depth of each token; InputError where brackets do not match."""
    nested, depth = list[Token](), 0
    for token in tokens:
        is_mark = token.kind == "mark"
        depth -= is_mark and token.text in ")}]"
        if depth < 0:
            raise InputError("the query closes a bracket that is not open")
        nested.append(Token(token.kind, token.text, depth))
        depth += is_mark and token.text in "({["
        if depth > _DEEPEST:
            raise InputError("the query is nested too deeply")
    if depth:
        raise InputError("the query leaves a bracket open")
    return nested


def _without_labels(tokens: Sequence[Token]) -> list[Token]:
    """Leave out Wikidata's label service, which adds labels that are added here anyway."""
    kept, i = list[Token](), 0
    while i < len(tokens):
        if tokens[i].kind == "word" and tokens[i].text.upper() == "SERVICE":
            after = [j for j in range(i + 1, len(tokens)) if tokens[j].kind != "space"][:2]
            if (
                len(after) == 2
                and tokens[after[0]].text in _LABELS
                and tokens[after[1]].text == "{"
            ):
                ends = (j for j in range(after[1], len(tokens)) if tokens[j].text == "}")
                i = next(ends, len(tokens)) + 1
                continue
        kept.append(tokens[i])
        i += 1
    return kept


def _check(tokens: Sequence[Token]) -> None:
    solid = [token for token in tokens if token.kind != "space"]
    for token, after in zip(solid, [*solid[1:], Token("mark", "")], strict=False):
        word = token.text.upper()
        if token.kind == "word" and word in _REFUSED:
            raise InputError(_REFUSED[word])
        if after.text == "(" and _is_foreign_function(token):
            raise InputError(f"the function {token.text} is not run here")
    first = [t for t in solid if t.kind == "word" and t.text.upper() not in ("PREFIX", "BASE")][:1]
    if not first or first[0].text.upper() not in ("SELECT", "ASK"):
        raise InputError("only one SELECT or ASK is run here")
    if any(t.text == ";" and not t.depth for t in solid):
        raise InputError("only one SELECT or ASK is run here, not several")


def _is_foreign_function(token: Token) -> bool:
    if token.kind == "name":
        return not token.text.startswith("xsd:")
    return token.kind == "iri" and not token.text.startswith(f"<{XSD}")


def _with_iri(token: Token, prefixes: Prefixes) -> Token:
    """Make the id in angle brackets into an IRI; what is none is left for the engine to refuse."""
    if token.kind != "iri" or token.text == "<>":
        return token
    return Token("iri", f"<{prefixes.expand(token.text[1:-1])}>", token.depth)


def _declared(tokens: Sequence[Token], prefixes: Prefixes) -> str:
    """Declare the graph's prefixes that a query uses and does not declare."""
    own, used = set[str](), dict[str, None]()
    solid = [token for token in tokens if token.kind != "space"]
    for before, token in zip([Token("mark", ""), *solid], solid, strict=False):
        if token.kind == "name":
            prefix = token.text.partition(":")[0]
            if before.is_word("PREFIX"):
                own.add(prefix)
            else:
                used[prefix] = None
    table: Mapping[str, str] = prefixes.table
    return "".join(f"PREFIX {p}: <{table[p]}> " for p in used if p in table and p not in own)


def _has_aggregate(select: Sequence[Token]) -> bool:
    words = {token.text.upper() for token in select if token.kind == "word"}
    return bool(words & {"COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT"})


def _limited(modifiers: Sequence[Token], most: int) -> str:
    """Write modifiers with a LIMIT of at most so many rows."""
    kept, limit = list[Token](), most
    solid = [token for token in modifiers if token.kind != "space"]
    i = 0
    while i < len(solid):
        if solid[i].is_word("LIMIT"):
            if i + 1 == len(solid) or not solid[i + 1].text.isdecimal():
                raise InputError("LIMIT needs a number")
            limit = min(limit, int(solid[i + 1].text))
            i += 2
            continue
        kept.append(solid[i])
        i += 1
    written = " ".join(token.text for token in kept)
    return f" {written} LIMIT {limit} " if written else f" LIMIT {limit} "


def _closes(token: Token) -> bool:
    return token.text == "}" and token.kind == "mark" and not token.depth


def _joined(tokens: Sequence[Token]) -> str:
    return "".join(token.text for token in tokens)
