"""Reads a SPARQL query with names, as a model writes it.

Only the small part of SPARQL that can be linked and rebuilt: one SELECT or ASK over triple patterns, FILTER with one
comparison, COUNT, ORDER BY, LIMIT. What is not known is refused, so that nothing a model wrote is ever run as it
stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgcore.errors import UnreadableReplyError
from kgcore.prompts.named_query import Comparison, NamedQuery, Pattern, Term

MAX_PATTERNS = 12
MAX_LENGTH = 4000
_TOKEN = re.compile(
    r"""\s*(?:(?P<name><[^<>"{}|^`\n]{1,200}>)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.){0,400}"|'(?:[^'\\\n]|\\.){0,400}')"""
    r"""(?:@[A-Za-z-]{2,12}|\^\^(?:<[^<>\s]*>|\w*:\w+))?"""
    r"""|(?P<variable>[?$]\w{1,60})|(?P<number>[+-]?\d{1,20}(?:\.\d{1,20})?)"""
    r"""|(?P<operator>!=|<=|>=|[=<>])|(?P<mark>[{}().;,*])|(?P<word>[A-Za-z_][\w:]*))"""
)
_FORMS = ("select", "ask")


def parse_named_query(text: str) -> NamedQuery:
    """Return the query that a text holds; UnreadableReplyError says what in it is not understood."""
    if len(text) > MAX_LENGTH:
        raise UnreadableReplyError("the query is too long")
    return _Reader(_tokens(text)).query()


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    position, text = 0, text.rstrip().rstrip(";").rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            rest = text[position:].strip()
            raise UnreadableReplyError(f"the query cannot be read from “{rest[:30]}” on")
        position = match.end()
        kind = match.lastgroup or ""
        yield kind, match[kind]


class _Reader:
    """Reads the tokens of one query."""

    def __init__(self, tokens: Iterator[tuple[str, str]]) -> None:
        self._tokens = list(tokens)
        self._at = 0
        self._patterns: list[Pattern] = []
        self._filters: list[Comparison] = []

    def query(self) -> NamedQuery:
        form = self._word()
        if form not in _FORMS:
            raise UnreadableReplyError("the query must be one SELECT or ASK without prefixes")
        variables, counted = self._shown() if form == "select" else ((), "")
        if self._is("word", "where"):
            self._at += 1
        self._group()
        order, is_descending, limit = self._modifiers()
        if self._at < len(self._tokens):
            raise UnreadableReplyError(f"“{self._tokens[self._at][1]}” is not allowed here")
        used = {t.text for p in self._patterns for t in p.terms if t.kind == "variable"}
        asked = {*variables, *([counted] if counted else []), *([order] if order else [])}
        asked |= {f.variable for f in self._filters}
        for name in sorted(asked - used):
            raise UnreadableReplyError(f"?{name} stands in no pattern")
        if form == "select" and not used:
            raise UnreadableReplyError("a SELECT must hold a variable")
        return NamedQuery(
            "ask" if form == "ask" else "select",
            tuple(self._patterns), variables, tuple(self._filters), counted, order, is_descending, limit,
        )  # fmt: skip

    # tokens

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "the end")

    def _is(self, kind: str, text: str) -> bool:
        found, value = self._peek()
        return found == kind and value.lower() == text

    def _take(self, kind: str, text: str = "") -> str:
        found, value = self._peek()
        if found != kind or (text and value.lower() != text):
            raise UnreadableReplyError(f"“{value}” stands where “{text or kind}” is expected")
        self._at += 1
        return value

    def _word(self) -> str:
        return self._take("word").lower() if self._peek()[0] == "word" else ""

    # parts

    def _shown(self) -> tuple[tuple[str, ...], str]:
        if self._is("word", "distinct") or self._is("word", "reduced"):
            self._at += 1
        variables: list[str] = []
        counted = ""
        while True:
            if self._peek()[0] == "variable":
                variables.append(self._take("variable")[1:])
            elif self._is("mark", "*"):
                self._at += 1
            elif self._is("mark", "(") or self._is("word", "count"):
                counted = self._count()
            else:
                return tuple(dict.fromkeys(variables)), counted

    def _count(self) -> str:
        is_aliased = self._is("mark", "(")
        if is_aliased:
            self._take("mark", "(")
        self._take("word", "count")
        self._take("mark", "(")
        if self._is("word", "distinct"):
            self._at += 1
        counted = self._take("variable")[1:]
        self._take("mark", ")")
        if is_aliased:
            if self._is("word", "as"):
                self._at += 1
                self._take("variable")
            self._take("mark", ")")
        return counted

    def _group(self) -> None:
        self._take("mark", "{")
        while not self._is("mark", "}"):
            if self._is("word", "filter"):
                self._at += 1
                self._filters.append(self._filter())
            else:
                self._triples()
            if self._is("mark", "."):
                self._at += 1
            if len(self._patterns) > MAX_PATTERNS:
                raise UnreadableReplyError(f"a query may hold {MAX_PATTERNS} patterns")
        self._take("mark", "}")
        if not self._patterns:
            raise UnreadableReplyError("the query holds no pattern")

    def _triples(self) -> None:
        subject = self._term()
        if subject.kind == "value":
            raise UnreadableReplyError("a pattern cannot begin with a value")
        while True:
            relation = self._term()
            if relation.kind == "value":
                raise UnreadableReplyError("a relation must be a name in angle brackets")
            self._patterns.append(Pattern(subject, relation, self._term()))
            while self._is("mark", ","):
                self._at += 1
                self._patterns.append(Pattern(subject, relation, self._term()))
            if not self._is("mark", ";"):
                return
            self._at += 1
            if self._is("mark", "}") or self._is("mark", "."):
                return

    def _term(self) -> Term:
        kind, value = self._peek()
        self._at += 1
        if kind == "name" and value[1:-1].strip():
            return Term("name", " ".join(value[1:-1].split()))
        if kind == "variable":
            return Term("variable", value[1:])
        if kind == "string":
            return Term("value", re.sub(r"\\(.)", r"\1", value[1:-1]))
        if kind == "number":
            return Term("value", value)
        raise UnreadableReplyError(
            f"“{value}” is not allowed in a pattern: names stand in angle brackets"
        )

    def _filter(self) -> Comparison:
        self._take("mark", "(")
        variable = self._take("variable")[1:]
        operator = self._take("operator")
        value = self._term()
        if value.kind == "name":
            raise UnreadableReplyError("a FILTER compares with a value or a variable, not a name")
        self._take("mark", ")")
        return Comparison(variable, operator, value)

    def _modifiers(self) -> tuple[str, bool, int]:
        order, is_descending, limit = "", False, 0
        while self._peek()[0] == "word":
            word = self._word()
            if word == "order":
                self._take("word", "by")
                order, is_descending = self._order()
            elif word == "limit":
                limit = max(1, int(float(self._take("number"))))
            else:
                raise UnreadableReplyError(f"“{word}” is not allowed here")
        return order, is_descending, limit

    def _order(self) -> tuple[str, bool]:
        is_descending = self._is("word", "desc")
        if is_descending or self._is("word", "asc"):
            self._at += 1
            self._take("mark", "(")
            variable = self._take("variable")[1:]
            self._take("mark", ")")
            return variable, is_descending
        return self._take("variable")[1:], False
