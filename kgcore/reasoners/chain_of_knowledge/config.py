"""Settings of Chain-of-Knowledge, with the paper's values as defaults where it states them."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.errors import InputError
from kgcore.model import Entity, SourceCard, wired
from kgcore.reasoners.settings import check_bounds

MODES = ("step", "parallel")
MAX_SAMPLES = 50
_BOUNDS = {
    "samples": (1, MAX_SAMPLES),
    "temperature": (0, 2),
    "threshold": (0, 1),
    "max_rationales": (1, 100),
    "evidence": (1, 1000),
    "rows": (1, 1000),
    "candidates": (1, 50),
}


@wired
@dataclass(frozen=True, slots=True)
class ChainOfKnowledgeConfig:
    """What a run may be told.

    samples         lines of thought sampled to see whether the model is sure (paper: 5); one agrees with nobody,
                    so that with 1 the sources are always asked
    temperature     of these samples (paper: 0.7); all other requests are asked at 0
    threshold       share of the samples that must agree for their answer to stand (paper: 0.5)
    mode            step: each rationale is drafted from the corrected ones before it (the paper's method);
                    parallel: all rationales of the sample are corrected at once (the paper's comparison)
    max_rationales  rationales of a chain
    domains         domains to ask, separated by commas; empty: the model chooses among those of the sources
    evidence        passages of one source that are put to the model for one rationale
    rows            the same of rows of a table or a graph, which are short
    candidates      entities that a name in a SPARQL query is linked among
    reuse_drafts    as long as nothing was corrected, the next rationale of the sample stands as the draft, at no
                    request; off: it is always drafted anew
    sources         the knowledge sources at hand, as they stood when the run began
    left_out        which sources could not be opened then, and why, in words

    Economy, as in every method: ask_graph_once.
    """

    samples: int = 5
    temperature: float = 0.7
    threshold: float = 0.5
    mode: str = "step"
    max_rationales: int = 6
    domains: str = ""
    evidence: int = 5
    rows: int = 15
    candidates: int = 5
    reuse_drafts: bool = True
    ask_graph_once: bool = True
    language: str = "en"
    seeds: tuple[Entity, ...] = ()
    sources: tuple[SourceCard, ...] = ()
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)
        if self.mode not in MODES:
            raise InputError(f"mode must be one of {', '.join(MODES)}, not {self.mode!r}")
