"""What a reasoner tells a watcher about rationales: statements that knowledge supports or corrects.

In the search tree a rationale is two nodes of a chain: `draft`, then `correct` below it, with the triples that were
found for it. The facts name the draft's node, and the rationale by its number, counted from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kgcore.model import EntityId, Triple, wired
from kgcore.model.source_card import QueryLanguage
from kgcore.steps.results import Evidence

# run; none: the model says that the source cannot help; unread: what it wrote could not be read; unlinked: it names what
# the source does not know
QueryOutcome = Literal["run", "none", "unread", "unlinked"]


@wired
@dataclass(frozen=True, slots=True)
class Knowledge:
    """One piece of knowledge: who was asked what, and what came back."""

    source: str
    query: str
    evidence: Evidence

    @property
    def text(self) -> str:
        """What was found, as a short sentence."""
        return self.evidence.text

    @property
    def triples(self) -> tuple[Triple, ...]:
        """The edges behind it, where it comes from a graph."""
        return self.evidence.triples


@wired
@dataclass(frozen=True, slots=True)
class ProvenRationale:
    """A rationale as drafted and as corrected, with the knowledge that supports or changed it."""

    number: int
    before: str
    after: str
    knowledge: tuple[Knowledge, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether knowledge changed it."""
        return self.before != self.after


@wired
@dataclass(frozen=True, slots=True)
class Sample:
    """One sampled line of thought: its rationales, its answer, and the vote that the answer counts as.

    The vote is the answer made comparable; empty where the sample cannot tell or could not be read.
    """

    rationales: tuple[str, ...] = ()
    answer: str = ""
    vote: str = ""


@wired
@dataclass(frozen=True, slots=True)
class RationalesSampled:
    """The model was asked several times; `counts` are the votes, most frequent first.

    `agreement` is the share of the samples that cast the most frequent vote; one sample alone agrees with nobody.
    From `threshold` on the answer stands and no source is asked.
    """

    samples: tuple[Sample, ...]
    counts: tuple[tuple[str, int], ...]
    agreement: float
    threshold: float

    @property
    def is_agreed(self) -> bool:
        """Whether the answer stands without any source."""
        return bool(self.counts) and self.agreement >= self.threshold


@wired
@dataclass(frozen=True, slots=True)
class DomainsChosen:
    """These of the offered domains were chosen, and with them these sources. `reason` is the model's.

    `is_asked` is False where there was nothing to choose.
    """

    domains: tuple[str, ...]
    offered: tuple[str, ...]
    sources: tuple[str, ...]
    reason: str = ""
    is_asked: bool = True


@wired
@dataclass(frozen=True, slots=True)
class RationaleDrafted:
    """The next rationale stands as a draft.

    `origin` is sample (it was among the sampled rationales), next (drafted from the corrected ones) or ahead (the next
    sentence as the model would write it, before anything was looked up).
    """

    node: int
    number: int
    text: str
    origin: str = "sample"


@wired
@dataclass(frozen=True, slots=True)
class NameLinked:
    """A name that a query was written with and the entity or relation it was linked to; "" for none."""

    name: str
    id: EntityId | str = ""
    label: str = ""


@wired
@dataclass(frozen=True, slots=True)
class QueryWritten:
    """A query was written for a source, for one rationale.

    `written` is what the model wrote, `query` what is run of it (in SPARQL with ids instead of names), "" where nothing
    is. `problem` says why it is not run, or why the query before it had to be repaired (`is_repaired`). `outcome` says
    what became of it; it is empty in journals written before it was told, so ask for the `status`.
    """

    node: int
    number: int
    source: str
    language: QueryLanguage
    written: str = ""
    query: str = ""
    problem: str = ""
    is_repaired: bool = False
    links: tuple[NameLinked, ...] = ()
    outcome: QueryOutcome | Literal[""] = ""

    @property
    def status(self) -> QueryOutcome:
        """Its outcome; of one that an old journal tells, as far as the rest of it lets one know."""
        if self.outcome:
            return self.outcome
        if self.written and self.query:
            return "unread" if self.problem and not self.is_repaired else "run"
        if self.written:
            return "unlinked"
        return "unread" if self.problem and not self.is_repaired else "none"


@wired
@dataclass(frozen=True, slots=True)
class KnowledgeFound:
    """A source answered a query: with evidence, with nothing, or with a `problem`.

    `evidence` is as much as is put to the model, best first; `n_more` counts what was found beyond it. A query that
    `is_mended` then is written once more, with its problem.
    """

    node: int
    number: int
    source: str
    query: str
    evidence: tuple[Evidence, ...] = ()
    n_more: int = 0
    problem: str = ""
    is_mended: bool = False


@wired
@dataclass(frozen=True, slots=True)
class SourcesDisagree:
    """Pieces of knowledge for one rationale contradict each other; `text` says in what."""

    node: int
    number: int
    text: str
    knowledge: tuple[Knowledge, ...] = ()


@wired
@dataclass(frozen=True, slots=True)
class RationaleCorrected:
    """A rationale was compared with what was found: `after` equals `before` where it stands as it was.

    `node` is the draft's node. `knowledge` supports or changed it. `reason` is the model's.
    """

    node: int
    number: int
    before: str
    after: str
    knowledge: tuple[Knowledge, ...] = ()
    reason: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether knowledge changed it."""
        return self.before != self.after


RationaleFact = (
    RationalesSampled
    | DomainsChosen
    | RationaleDrafted
    | QueryWritten
    | KnowledgeFound
    | SourcesDisagree
    | RationaleCorrected
)
