"""The requests that write a query for a knowledge source, each in the source's own language (role `query`).

`MendQuery` is the second try of any of them, when the first query could not be run or found nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kgcore.errors import InputError, UnreadableReplyError
from kgcore.model import SourceCard
from kgcore.model.text import one_line
from kgcore.prompts.base import PromptSet, TypedRequest
from kgcore.prompts.lines import fit_lines
from kgcore.prompts.matching import key
from kgcore.prompts.named_query import NamedQuery
from kgcore.prompts.phrasing import question_line
from kgcore.prompts.repair import Repair
from kgcore.prompts.replies import Fields, bare
from kgcore.prompts.sparql_reader import parse_named_query
from kgcore.prompts.wording import say, wording

SQL_LIMIT, SENTENCE_LIMIT = 4000, 300  # characters
_ID = re.compile(r"^<[^<>]*> (?=\S)")  # what a schema writes before a relation's name
_BY_ID = "to be written as <id>:"  # ends the line above the relations, for those who write by id
_FENCED = re.compile(r"^(?:sql|sparql)\s+", re.IGNORECASE)  # the language of a code fence in a line


@dataclass(frozen=True, slots=True)
class WriteQuery(TypedRequest):
    """Base: a query that finds in one source what a rationale claims."""

    rationale: str
    card: SourceCard

    @property
    def source(self) -> str:
        """The source that is to be asked; the journal names it."""
        return self.card.id

    def fields(self, budget: int | None) -> tuple[Mapping[str, str], tuple[str, ...]]:
        """Fields: question, rationale, source, schema."""
        lines = self.schema.strip().split("\n")
        schema, left_out = fit_lines(lines, budget, self.language, what="lines of the schema")
        source = one_line(self.card.id, 60)
        if self.card.description:
            source += f" – {one_line(self.card.description, 300)}"
        return {
            "question": question_line(self.question),
            "rationale": one_line(self.rationale, 800),
            "source": source,
            "schema": schema.strip() or say(self.language, "no_spotted"),
        }, left_out

    @property
    def schema(self) -> str:
        """What the source says it holds, as the prompt shows it."""
        return self.card.schema

    def _query_in(self, text: str) -> str:
        """Return the query of a reply; "" for none; UnreadableReplyError when there is nothing."""
        fields = Fields.of(text, "thought", "query", key="query")
        value = fields.values.get("query", "") if fields.has("query") else ""
        if not value and not fields.values:
            value = fields.text
        value = _FENCED.sub("", value.strip().strip("`").strip())
        if key(value) in wording().none:
            return ""
        if not value:
            raise UnreadableReplyError("no query was written")
        return value


@dataclass(frozen=True, slots=True)
class WriteSparql(WriteQuery):
    """A SPARQL query with names. Reads to NamedQuery; "" when the source cannot help."""

    template: ClassVar[str] = "write_sparql"

    @property
    def schema(self) -> str:
        """The relations by their names: ids are put in their place later."""
        lines = [_ID.sub("", line) for line in self.card.schema.split("\n")]
        return "\n".join(line for line in lines if not line.endswith(_BY_ID))

    def read(self, text: str) -> NamedQuery | str:
        """Return the query in parts."""
        value = self._query_in(text)
        start = re.search(r"\b(?:select|ask)\b", value, re.IGNORECASE)
        if value and start is None:
            raise UnreadableReplyError("the query must be a SELECT or an ASK")
        if start is None:
            return ""
        if value[: start.start()].strip():
            raise UnreadableReplyError("the query must begin with SELECT or ASK, without prefixes")
        end = value.rfind("\n\n")
        return parse_named_query(value[:end] if end > 0 and "}" in value[:end] else value)


@dataclass(frozen=True, slots=True)
class WriteSql(WriteQuery):
    """A SELECT over the source's tables. Reads to its text; "" when the source cannot help."""

    template: ClassVar[str] = "write_sql"

    def read(self, text: str) -> str:
        """Return the query's text, without the semicolon at its end."""
        value = self._query_in(text)
        if not value:
            return ""
        start = re.search(r"\b(?:select|with|values|from)\b", value, re.IGNORECASE)
        if start is None or len(value) > SQL_LIMIT:
            raise UnreadableReplyError("the query must be one SELECT")
        return re.split(r";?\s*\n\s*\n", value)[0].strip().rstrip(";").strip()


@dataclass(frozen=True, slots=True)
class WriteSentence(WriteQuery):
    """Words to search for. Reads to one line; "" when the source cannot help."""

    template: ClassVar[str] = "write_sentence"

    def read(self, text: str) -> str:
        """Return what to search for."""
        line = self._query_in(text).strip().split("\n")[0]
        return bare(" ".join(line.split()))[:SENTENCE_LIMIT]


@dataclass(frozen=True, slots=True)
class MendQuery(Repair):
    """Write the query again: it could not be run, or found nothing. Reads as the original request reads."""

    template: ClassVar[str] = "mend_query"

    @property
    def source(self) -> str:
        """The source that is to be asked."""
        return str(getattr(self.original, "source", ""))

    def form(self, prompts: PromptSet) -> str:
        """Return the form of the reply that the original request asks for."""
        return self.original.form(prompts)

    def read(self, text: str) -> Any:
        """Return what the original request reads."""
        return self.original.read(text)


def write_query(question: str, rationale: str, card: SourceCard, *, language: str) -> WriteQuery:
    """Return the request that writes a query in the source's language."""
    kinds: dict[str, type[WriteQuery]] = {
        "sparql": WriteSparql,
        "sql": WriteSql,
        "sentence": WriteSentence,
    }
    kind = kinds.get(card.language)
    if kind is None:
        raise InputError(f"{card.id}: nobody can write queries in {card.language}")
    return kind(question, rationale, card, language=language)
