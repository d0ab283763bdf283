"""The adaptive query generator: for one rationale and one source, write a query, run it, mend it once."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.model import SourceCard
from kgcore.model.text import one_line
from kgcore.prompts import MendQuery, NamedQuery, TypedRequest, write_query
from kgcore.reasoners.rationales.chain import C, Chain, Draft
from kgcore.reasoners.rationales.naming import Named, with_ids
from kgcore.steps import (
    Ask,
    BadQuery,
    Knowledge,
    KnowledgeFound,
    Lookup,
    NameLinked,
    Passages,
    QueryOutcome,
    QueryWritten,
    Reasoning,
    Replies,
)

FOUND_NOTHING = "it was run and found nothing"


@dataclass(frozen=True, slots=True)
class _Tried:
    """A query that was tried: what it found, or the problem with which it may be tried once more."""

    written: str
    knowledge: tuple[Knowledge, ...] = ()
    problem: str = ""


def look_up(chain: Chain[C], draft: Draft, card: SourceCard) -> Reasoning:
    """Return what one source knows about a draft, as a tuple of Knowledge."""
    language = chain.config.language
    request = write_query(chain.question, draft.text, card, language=language)
    tried = yield from _try(request, chain, draft, card)
    if tried.problem:
        mended = MendQuery(chain.question, request, tried.written, tried.problem, language=language)
        tried = yield from _try(mended, chain, draft, card, problem=tried.problem)
    return tried.knowledge


def look_up_directly(chain: Chain[C], draft: Draft, card: SourceCard, query: str) -> Reasoning:
    """Return what a source of passages knows that is searched with these words, as a tuple of Knowledge."""
    yield _written(draft, card, "run", written=query, query=query)
    tried = yield from _run(query, query, chain, draft, card)
    return tried.knowledge


def _try(
    request: TypedRequest, chain: Chain[C], draft: Draft, card: SourceCard, *, problem: str = ""
) -> Reasoning:
    """Have a query written and run it; `problem` is that of the query before, which this one mends."""
    replies: Replies = yield Ask(request, role="query", about=(draft.node,))
    is_repaired = bool(problem)
    if not replies.values:
        item = replies.items[0] if replies.items else None
        text, why = (item.text, item.problem) if item else ("", "the model wrote nothing")
        written = one_line(text, 300)
        yield _written(draft, card, "unread", written=written, problem=why, is_repaired=is_repaired)
        return _Tried("")
    value = replies.value
    if not value:
        yield _written(draft, card, "none", is_repaired=is_repaired, problem=problem)
        return _Tried("")
    written = value.text if isinstance(value, NamedQuery) else str(value)
    named = Named(written)
    if isinstance(value, NamedQuery):
        named = yield from with_ids(value, chain, draft, card.kg)
    yield _written(
        draft,
        card,
        "unlinked" if named.problem else "run",
        written=written,
        query=named.query,
        problem=named.problem or problem,
        is_repaired=is_repaired,
        links=named.links,
    )
    if named.problem:
        return _Tried(written, problem=named.problem)
    return (yield from _run(written, named.query, chain, draft, card, is_last=is_repaired))


def _run(
    written: str,
    query: str,
    chain: Chain[C],
    draft: Draft,
    card: SourceCard,
    *,
    is_last: bool = True,
) -> Reasoning:
    """Put a query to its source; a bad one, and one that finds nothing, may be tried once more."""
    result: Passages | BadQuery = yield Lookup(card.id, query, (draft.node,))
    if isinstance(result, BadQuery):
        yield KnowledgeFound(
            draft.node,
            draft.number,
            card.id,
            query,
            problem=result.message,
            is_mended=not is_last,
        )
        return _Tried(written, problem=result.message)
    is_text = card.language == "sentence"
    shown = result.items[: chain.config.evidence if is_text else chain.config.rows]
    n_more = result.n_more + len(result.items) - len(shown)
    asked = result.query or query
    yield KnowledgeFound(draft.node, draft.number, card.id, asked, shown, n_more)
    if not shown and not result.is_partial:
        return _Tried(written, problem=FOUND_NOTHING)
    return _Tried(written, tuple(Knowledge(card.id, asked, item) for item in shown))


def _written(
    draft: Draft,
    card: SourceCard,
    outcome: QueryOutcome,
    *,
    written: str = "",
    query: str = "",
    problem: str = "",
    is_repaired: bool = False,
    links: tuple[NameLinked, ...] = (),
) -> QueryWritten:
    return QueryWritten(
        draft.node,
        draft.number,
        card.id,
        card.language,
        written,
        query,
        problem,
        is_repaired,
        links,
        outcome,
    )
