"""Settings of the baselines, with the papers' values as defaults where they state them."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.model import Entity, SourceCard, wired
from kgcore.reasoners.linking import LinkingConfig
from kgcore.reasoners.settings import check_bounds

MAX_SAMPLES = 50
_BOUNDS = {
    "samples": (1, MAX_SAMPLES),
    "temperature": (0, 2),
    "threshold": (0, 1),
    "mask": (0, 1),
    "max_rationales": (1, 100),
    "max_sentences": (1, 100),
    "max_steps": (1, 100),
    "edge_limit": (1, 5000),
    "max_options": (0, 1000),
    "candidates": (1, 50),
    "evidence": (1, 1000),
    "rows": (1, 1000),
}


def _check(config: object) -> None:
    check_bounds(config, {name: b for name, b in _BOUNDS.items() if hasattr(config, name)})


@wired
@dataclass(frozen=True, slots=True)
class DirectConfig:
    """What a run of IO prompting may be told: the language.

    Every method takes entities to start from; those that look nothing up warn that they do not use them.
    """

    language: str = "en"
    seeds: tuple[Entity, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class ThoughtsConfig:
    """What a run of chain-of-thought may be told.

    max_rationales  statements of the line of thought
    """

    max_rationales: int = 6
    language: str = "en"
    seeds: tuple[Entity, ...] = ()

    def __post_init__(self) -> None:
        _check(self)


@wired
@dataclass(frozen=True, slots=True)
class VotesConfig:
    """What a run of self-consistency may be told.

    samples         lines of thought that vote (paper: 40; here as many as Chain-of-Knowledge samples, since
                    each costs a reply)
    temperature     of these samples (paper: 0.7)
    max_rationales  statements of a line of thought
    """

    samples: int = 5
    temperature: float = 0.7
    max_rationales: int = 6
    language: str = "en"
    seeds: tuple[Entity, ...] = ()

    def __post_init__(self) -> None:
        _check(self)

    @property
    def threshold(self) -> float:
        """The most frequent answer stands, however few give it."""
        return 0.0


@wired
@dataclass(frozen=True, slots=True)
class ReActConfig(LinkingConfig):
    """What a run of ReAct may be told.

    max_steps     thoughts with a step each (paper: 7 for questions)
    edge_limit    edges fetched for an entity along a relation
    max_options   relations listed of what is open, the nearest to the question; 0 lists all
    rank_options  where there are more than a few, those near to the question come first

    Economy, as in every method: skip_single, link_together, spot_mentions, ask_graph_once. The question itself is not
    linked: the model searches for names, also for those that label indexes spotted.
    """

    max_steps: int = 7
    edge_limit: int = 50
    max_options: int = 60
    rank_options: bool = True

    def __post_init__(self) -> None:
        _check(self)

    @property
    def shortlist(self) -> int:
        """All relations on offer are listed."""
        return 0


@wired
@dataclass(frozen=True, slots=True)
class ReActThoughtsConfig(ReActConfig):
    """The same with what it falls back to: lines of thought that vote.

    samples         lines of thought (paper: 21; here fewer, as in self-consistency); 1 is plain chain-of-thought
    temperature     of these samples (paper: 0.7)
    max_rationales  statements of a line of thought
    """

    samples: int = 5
    temperature: float = 0.7
    max_rationales: int = 6

    @property
    def threshold(self) -> float:
        """The most frequent answer stands, however few give it."""
        return 0.0


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """Settings of the methods that retrieve from knowledge sources.

    only_text   only sources of passages are asked, as in the papers; off: tables and graphs too, in queries that the
                model writes
    evidence    passages of one source that are put to the model at once
    rows        the same of rows of a table or a graph
    candidates  entities that a name in a SPARQL query is linked among
    sources     the knowledge sources at hand, as they stood when the run began
    left_out    which sources could not be opened then, and why, in words
    """

    only_text: bool = True
    evidence: int = 5
    rows: int = 15
    candidates: int = 5
    ask_graph_once: bool = True
    language: str = "en"
    seeds: tuple[Entity, ...] = ()
    sources: tuple[SourceCard, ...] = ()
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check(self)


@wired
@dataclass(frozen=True, slots=True)
class FlareConfig(RetrievalConfig):
    """What a run of FLARe may be told.

    samples        how often each next sentence is sampled: a word is as sure as the share of the other samples that
                   hold it (paper: the word's probability, which is seldom told). With 1 only what the model itself
                   marks as unsure counts
    temperature    of these samples; the sentence that is written after a retrieval is asked at 0
    threshold      a sentence with a word less sure than this is looked up (paper: θ = 0.8 for most of its sets)
    mask           words less sure than this are left out of what is searched for (paper: β = 0.4)
    max_sentences  sentences on the way to the answer
    """

    samples: int = 3
    temperature: float = 0.7
    threshold: float = 0.8
    mask: float = 0.4
    max_sentences: int = 6


@wired
@dataclass(frozen=True, slots=True)
class VerifyAndEditConfig(RetrievalConfig):
    """What a run of Verify-and-Edit may be told.

    samples         lines of thought sampled to see whether the model is sure (paper: 5)
    temperature     of these samples (paper: 0.7); all other requests are asked at 0
    threshold       share of the samples that must agree for their answer to stand (paper: half)
    max_rationales  rationales that are verified
    """

    samples: int = 5
    temperature: float = 0.7
    threshold: float = 0.5
    max_rationales: int = 6
