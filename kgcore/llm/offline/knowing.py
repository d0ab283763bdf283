"""Work on rationales without a language model: nothing is known from memory, all is read off what was found.

The matcher remembers nothing, so its samples hold no rationale and no answer. Its first rationale is the question
itself; corrected, it says what the sources say of it. Answers are read off graph facts as everywhere, off a row's
cell, or are the sentence of a passage that holds most of the question's words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from kgcore.llm.offline.conclude import answer_of, conclude
from kgcore.llm.offline.question import analyse
from kgcore.llm.offline.trails import analysis_of
from kgcore.model import Direction, Entity, EntityId, Relation, Subgraph
from kgcore.prompts import (
    AnswerFromPaths,
    AnswerFromRationales,
    ChooseDomains,
    ChosenDomains,
    Corrected,
    CorrectRationale,
    GiveAnswer,
    NextRationale,
    NextSentence,
    SampleRationales,
    Sentence,
    Taken,
    Thoughts,
)
from kgcore.ranking.stems import fold, overlap, stems, words
from kgcore.steps import Knowledge, RelationOption, Seed

_ENOUGH = 0.4  # share of the question's words that a text must hold to say something about it
_SURE = 0.65  # the same of a sentence that may be an answer
_NEAR = 0.85  # of the best one's share, from which others are taken too
_MOST = 4
_HOPS = 3
_TIME = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?$")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:e[-+]?\d+)?$", re.IGNORECASE)
_KINDS = {"person": False, "place": False, "count": True}  # whether a number answers it
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"(])|(?<=[。！？])")


def sample_rationales(request: SampleRationales) -> Thoughts:
    """State nothing: there is no memory to state something from."""
    text = analyse(request.question, (), request.language).say("no_memory")
    return Thoughts((), GiveAnswer(text, is_unknown=True))


def choose_domains(request: ChooseDomains) -> ChosenDomains:
    """Choose the domains whose sources' descriptions share words with the question; all, where none does."""
    shares = {
        domain: max(
            overlap_of(request.question, f"{c.id} {c.description} {domain}")
            for c in request.sources
            if domain in c.domains
        )
        for domain in request.domains
    }
    chosen = tuple(domain for domain in request.domains if shares[domain] > 0)
    return ChosenDomains(chosen or request.domains)


def next_rationale(request: NextRationale) -> str:
    """State the question itself as what is to be found; after that nothing follows."""
    return "" if request.checked else " ".join(request.question.split())


def next_sentence(request: NextSentence) -> Sentence:
    """Write the question itself, of which nothing is sure, and then what the sources say of it."""
    if request.sentences:
        return Sentence("")
    question = " ".join(request.question.split())
    if not request.knowledge:
        return Sentence(question, (question,))
    found = _said_of(question, request.knowledge)
    return Sentence(found.text, (), found.used)


def correct_rationale(request: CorrectRationale) -> Corrected:
    """Say what the best pieces say of the statement; leave it as it is where none is about it."""
    return _said_of(request.rationale, request.knowledge)


def _said_of(statement: str, knowledge: Sequence[Knowledge]) -> Corrected:
    scored = [(_relevance(statement, piece), n) for n, piece in enumerate(knowledge)]
    best = max((score for score, _ in scored), default=0.0)
    if best < _ENOUGH:
        return Corrected(statement)
    near = [n for score, n in scored if score >= max(_ENOUGH, _NEAR * best)]
    rows = [n for n in near if knowledge[n].triples]
    # A graph's rows are all there is of an answer; of passages the best will do.
    used = rows or near[:_MOST]
    texts = [_best_sentence(statement, knowledge[n]) for n in used[:_MOST]]
    text = "; ".join(dict.fromkeys(t.rstrip(".;") for t in texts))
    return Corrected(text, tuple(used))


def answer_from_rationales(request: AnswerFromRationales) -> GiveAnswer:
    """Answer from graph facts where they explain the question, else from the best row or sentence."""
    if request.subgraph.triples:
        given = _from_graph(request)
        if not given.is_unknown:
            return given
    pieces = [k for r in request.rationales for k in r.knowledge if not k.triples]
    question = request.question
    scored = [(_relevance(question, piece), -n, piece) for n, piece in enumerate(pieces)]
    best = max(scored, default=None, key=lambda item: item[:2])
    if best is None or best[0] < _ENOUGH:
        return _unknown(question, request.language)
    analysis = analyse(question, (), request.language)
    if analysis.is_yes_no:  # only a row that holds every word of the question says yes for sure
        is_whole = bool(_cells(best[2])) and best[0] >= 1
        return GiveAnswer(analysis.say("yes")) if is_whole else _unknown(question, request.language)
    # Rows that speak of the question equally well all answer it: none is better than the others.
    equals = [piece for score, _, piece in scored if score == best[0]]
    cells = dict.fromkeys(filter(None, (_cell(question, p, analysis.aspect) for p in equals)))
    if cells:
        return GiveAnswer(", ".join(cells))
    sentence = _best_sentence(question, best[2])
    if overlap_of(question, sentence) < _SURE or (_cells(best[2]) and analysis.aspect in _KINDS):
        return _unknown(question, request.language)
    return GiveAnswer(sentence)


# texts


def overlap_of(question: str, text: str) -> float:
    """Return the share of the question's meaningful words that a text holds."""
    return overlap(text, question)


def _relevance(question: str, piece: Knowledge) -> float:
    share = overlap_of(question, f"{piece.evidence.origin} {piece.text}")
    return _ENOUGH + share if piece.triples else share  # a row holds what the query asks for


def _best_sentence(question: str, piece: Knowledge) -> str:
    """Return the sentence of a passage that holds most of the question's words; a row or a fact as a whole."""
    if piece.triples or _cells(piece):
        return piece.text
    sentences = [s.strip() for s in _SENTENCE.split(piece.text) if s.strip()] or [piece.text]
    best = max(sentences, key=lambda s: overlap_of(question, s))
    title = str(_data(piece).get("title") or "")
    return best if not title or fold(title) in fold(best) else f"{title}: {best}"


def _cells(piece: Knowledge) -> dict[str, object]:
    """Return the cells of a row; nothing for a passage, which says its own text."""
    data = _data(piece)
    text, title = data.get("text"), data.get("title")
    return {} if text is not None and piece.text in (text, f"{title}: {text}") else data


def _data(piece: Knowledge) -> dict[str, object]:
    """Return what was found as data, where it is a table of names and values."""
    try:
        data = json.loads(piece.evidence.raw)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _cell(question: str, piece: Knowledge, aspect: str) -> str:
    """Return the cell that is asked for: of the columns the question names, the value it does not name itself.

    Where a time is asked for, a cell that is a year or a date will do; "who" is not answered by a number, and
    "how many" by nothing else.
    """
    known, said = set(stems(question)), set(words(question))
    best, value = 0.0, ""
    open_cells: list[str] = []
    for column, cell in _cells(piece).items():
        if cell is None or said.issuperset(words(str(cell))):
            continue
        open_cells.append(str(cell))
        if not _fits(cell, aspect):
            continue
        own = set(stems(column))
        share = len(own & known) / len(own) if own else 0.0
        if share > best:
            best, value = share, str(cell)
    if aspect == "time" and not value:
        open_cells = [cell for cell in open_cells if _TIME.match(cell)]
    if value or len(open_cells) != 1:
        return value
    return open_cells[0] if _fits(open_cells[0], aspect) else ""


def _fits(cell: object, aspect: str) -> bool:
    """Whether a cell is of the kind that a question asks for."""
    return aspect not in _KINDS or _KINDS[aspect] is (_NUMBER.match(str(cell)) is not None)


def _unknown(question: str, language: str) -> GiveAnswer:
    return GiveAnswer(analyse(question, (), language).say("unknown"), is_unknown=True)


# graphs


def _from_graph(request: AnswerFromRationales) -> GiveAnswer:
    """Read the facts as if they had been followed from the question's names, relation by relation."""
    graph = request.subgraph
    seeds = tuple(_seeds(request.question, graph))
    if not seeds:
        return _unknown(request.question, request.language)
    starts = tuple(s.entity.id for s in seeds if s.entity is not None)
    steps = tuple(_followed(graph, starts))
    situation = AnswerFromPaths(request.question, graph, seeds, steps, language=request.language)
    analysis = analysis_of(situation)
    return answer_of(conclude(situation, analysis), analysis)


def _seeds(question: str, graph: Subgraph) -> Iterable[Seed]:
    """Yield the things of the graph that the question names, the longest names first."""
    rest = question.casefold()
    for entity in sorted(graph.entities, key=lambda e: (-len(e.label), e.id)):
        start = rest.find(entity.label.casefold()) if entity.label else -1
        if start >= 0:
            end = start + len(entity.label)
            yield Seed(question[start:end], entity)
            rest = rest[:start] + "\0" * len(entity.label) + rest[end:]


def _followed(graph: Subgraph, starts: Sequence[EntityId]) -> Iterable[Taken]:
    """Yield each relation that leads on from the things reached so far, with what it was followed from."""
    here, met = tuple(starts), set(starts)
    for _ in range(_HOPS):
        ways: dict[tuple[Relation, Direction], dict[EntityId, None]] = {}
        ends: dict[EntityId, None] = {}
        for triple in graph.triples:
            if triple.subject.id in here:
                ways.setdefault((triple.relation, "out"), {})[triple.subject.id] = None
                if isinstance(triple.object, Entity):
                    ends[triple.object.id] = None
            if isinstance(triple.object, Entity) and triple.object.id in here:
                ways.setdefault((triple.relation, "in"), {})[triple.object.id] = None
                ends[triple.subject.id] = None
        for (relation, way), sources in ways.items():
            option = RelationOption(relation, way, len(sources), tuple(sources))
            yield Taken("select_relation", relation.name, tuple(sources), option, len(sources))
        here = tuple(e for e in ends if e not in met)
        met.update(here)
        if not here:
            return
