"""How many requests the baselines make at least and at most."""

from __future__ import annotations

from kgcore.reasoners.baselines.config import (
    FlareConfig,
    ReActConfig,
    ReActThoughtsConfig,
    RetrievalConfig,
    VerifyAndEditConfig,
    VotesConfig,
)
from kgcore.reasoners.workload import Asks, some

_QUERIES = ("write_sparql", "write_sql", "write_sentence", "mend_query")
_NAMES = 2  # whose meaning is unclear, of one query; queries with more are rare

DIRECT = (Asks(("answer_directly",), 1, 1),)
THOUGHTS = (Asks(("sample_rationales",), 1, 1),)


def asks_votes(config: VotesConfig) -> tuple[Asks, ...]:
    """Return what self-consistency asks: all samples in one step."""
    return (Asks(("sample_rationales",), 1, 1, config.samples),)


def asks_react(config: ReActConfig, n_graphs: int) -> tuple[Asks, ...]:
    """Return what a walk asks: each step at most once, and after a search what the name stands for.

    The last step may search too, although nothing can come of it.
    """
    most = config.max_steps * (1 if config.link_together else max(1, n_graphs))
    choices = Asks(("choose_entity", "choose_each_entity"), 0, most)
    return (Asks(("take_step",), 1, config.max_steps), choices)


def asks_react_or_thoughts(config: ReActThoughtsConfig, n_graphs: int) -> tuple[Asks, ...]:
    """Return what a walk asks, and the samples it may fall back to."""
    fallback = Asks(("sample_rationales",), 0, 1, config.samples)
    return (*asks_react(config, n_graphs), fallback)


def asks_flare(config: FlareConfig, n_sources: int) -> tuple[Asks, ...]:
    """Return what FLARe asks: each sentence ahead, and where it is doubtful queries and the sentence again."""
    sentences = config.max_sentences
    return some(
        (
            Asks(("next_sentence",), 1, sentences, config.samples),
            Asks(("next_sentence",), 0, sentences),
            *_asks_queries(config, sentences * n_sources),
            Asks(("answer_from_rationales",), 1, 1),
        )
    )


def asks_verify_and_edit(config: VerifyAndEditConfig, n_sources: int) -> tuple[Asks, ...]:
    """Return what Verify-and-Edit asks: only the samples where they agree; else for each rationale its question."""
    rationales = config.max_rationales
    return some(
        (
            Asks(("sample_rationales",), 1, 1, config.samples),
            Asks(("verifying_question",), 0, rationales, role="query"),
            *_asks_queries(config, rationales * n_sources),
            Asks(("edit_rationale",), 0, rationales),
            Asks(("answer_from_rationales",), 0, 1),
        )
    )


def _asks_queries(config: RetrievalConfig, n_lookups: int) -> tuple[Asks, ...]:
    """Return the queries that tables and graphs may need; passages are searched without any."""
    n = 0 if config.only_text else n_lookups
    return (
        Asks(_QUERIES, 0, 2 * n, role="query"),
        Asks(("choose_entity",), 0, 2 * n * _NAMES, role="query"),
    )
