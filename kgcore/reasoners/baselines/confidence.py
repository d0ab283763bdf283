"""How sure a model is of a sentence whose probabilities nobody can see.

FLARe reads the probability of each word off the model. Most providers do not tell it, so here the sentence is sampled
several times, and a word is as sure as the share of the other samples that hold it, in whatever form or place: from 0,
where no other does, to 1, where all do. A sample says nothing for its own words, so two that contradict each other
make them doubtful; a word of the only sample is sure. What the model itself marks as unsure is not sure at all. A
sentence is as sure as its least sure word; words that carry no meaning of their own do not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kgcore.prompts import Sentence
from kgcore.ranking.stems import CJK, fold, has_cjk, stem, stems, stop_words

_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")


@dataclass(frozen=True, slots=True)
class Ahead:
    """The sentence that would come next: how sure it is (0…1), its doubtful words, and what to search for."""

    text: str
    confidence: float
    doubts: tuple[str, ...] = ()
    query: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    units: tuple[str, ...]  # what it is compared by; none for a word without a meaning of its own


def ahead_of(samples: Sequence[Sentence], threshold: float, mask: float) -> Ahead | None:
    """Return the sentence on which the samples agree best; None where half of them or more say that nothing follows.

    Words less sure than `threshold` are doubtful; those less sure than `mask` are left out of what is searched for.
    """
    written = [sample for sample in samples if sample.text]
    if 2 * len(written) <= len(samples):
        return None
    known = [frozenset(stems(sample.text)) for sample in written]
    others = [(*known[:n], *known[n + 1 :]) for n in range(len(known))]
    best = max(range(len(written)), key=lambda n: _nearness(written[n].text, others[n]))
    return _rated(written[best], others[best], threshold, mask)


def _nearness(text: str, others: Sequence[frozenset[str]]) -> float:
    """Return how near a sample is to the others, 0…1, whatever it marks as unsure."""
    near = [_shared(token, others) for token in _tokens(text) if token.units]
    return sum(near) / len(near) if near else 0.0


def _rated(
    sample: Sentence, others: Sequence[frozenset[str]], threshold: float, mask: float
) -> Ahead:
    """Return what a sample is as the next sentence."""
    text, tokens = sample.text, _tokens(sample.text)
    marked = frozenset(
        unit for phrase in sample.unsure for t in _tokens(phrase) for unit in t.units
    )
    sure = [_sureness(token, others, marked) for token in tokens]
    return Ahead(
        text,
        min(sure, default=1.0),
        _doubts(text, tokens, [value < threshold for value in sure]),
        _query(text, tokens, [value < mask for value in sure]),
    )


def _sureness(token: _Token, others: Sequence[frozenset[str]], marked: frozenset[str]) -> float:
    """Return how sure a word is, 0…1."""
    if marked.intersection(token.units):
        return 0.0
    return _shared(token, others) if token.units else 1.0


def _shared(token: _Token, others: Sequence[frozenset[str]]) -> float:
    """Return the share of the other samples that hold a word; 1 where there are none."""
    if not others:
        return 1.0
    return max(sum(unit in units for units in others) / len(others) for unit in token.units)


def _tokens(text: str) -> list[_Token]:
    """Split a text into words; of Chinese into characters, compared by the pairs they stand in."""
    found = list(_TOKEN.finditer(text))
    tokens: list[_Token] = []
    for match, before, after in zip(found, [None, *found], [*found[1:], None], strict=False):
        word = fold(match[0])
        units: tuple[str, ...] = () if word in stop_words() else (stem(word),)
        if has_cjk(word):
            left = (
                before if before and before.end() == match.start() and has_cjk(before[0]) else None
            )
            right = after if after and after.start() == match.end() and has_cjk(after[0]) else None
            pairs = [left[0] + word] if left else []
            pairs += [word + right[0]] if right else []
            units = tuple(pairs) or (word,)
        tokens.append(_Token(match.start(), match.end(), units))
    return tokens


def _doubts(text: str, tokens: Sequence[_Token], is_doubtful: Sequence[bool]) -> tuple[str, ...]:
    """Return the doubtful words; those with no sure word of meaning between them as one."""
    spans: list[tuple[int, int]] = []
    is_open = False
    for token, doubt in zip(tokens, is_doubtful, strict=True):
        if doubt:
            start = spans.pop()[0] if is_open else token.start
            spans.append((start, token.end))
        is_open = doubt or (is_open and not token.units)
    return tuple(dict.fromkeys(text[start:end] for start, end in spans))


def _query(text: str, tokens: Sequence[_Token], is_masked: Sequence[bool]) -> str:
    """Return the sentence without its masked words; the whole where nothing of meaning would be left."""
    if not any(t.units for t, masked in zip(tokens, is_masked, strict=True) if not masked):
        return text
    kept, at = "", 0
    for token, masked in zip(tokens, is_masked, strict=True):
        if masked:
            kept, at = kept + text[at : token.start], token.end
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join((kept + text[at:]).split()))
