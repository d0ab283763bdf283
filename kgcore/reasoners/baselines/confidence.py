"""How sure a model is of a sentence whose probabilities nobody can see.

FLARe reads the probability of each word off the model. Most providers do not tell it, so here the sentence is sampled
several times, and a word is as sure as the share of the samples that holds it, in whatever form or place. What the
model itself marks as unsure is not sure at all. A sentence is as sure as its least sure word; words that carry no
meaning of their own do not count.
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
    """The sentence that would come next: how sure it is, its doubtful words, and what to search for."""

    text: str
    confidence: float
    doubts: tuple[str, ...] = ()
    query: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    units: tuple[
        str, ...
    ]  # what it is compared by; nothing for a word without a meaning of its own


def ahead_of(samples: Sequence[Sentence], threshold: float) -> Ahead | None:
    """Return the sentence on which the samples agree best; None where most of them say that nothing follows."""
    written = [sample for sample in samples if sample.text]
    if 2 * len(written) <= len(samples):
        return None
    texts = [sample.text for sample in written]
    rated = [_rated(sample, texts, threshold) for sample in written]
    means = [mean for mean, _ in rated]
    return rated[means.index(max(means))][1]


def _rated(sample: Sentence, texts: Sequence[str], threshold: float) -> tuple[float, Ahead]:
    """Return how near a sample is to all, and what it is as the next sentence."""
    text, tokens = sample.text, _tokens(sample.text)
    known = [frozenset(stems(other)) for other in texts]
    marked = frozenset(
        unit for phrase in sample.unsure for t in _tokens(phrase) for unit in t.units
    )
    near = [max(_share(u, known) for u in t.units) for t in tokens if t.units]
    sure = [
        0.0 if set(t.units) & marked else max(_share(u, known) for u in t.units) if t.units else 1.0
        for t in tokens
    ]
    ahead = Ahead(
        text,
        min(sure, default=1.0),
        _doubts(text, tokens, [value < threshold for value in sure]),
        _query(text, tokens, [value < threshold for value in sure]),
    )
    return (sum(near) / len(near) if near else 0.0), ahead


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


def _share(unit: str, known: Sequence[frozenset[str]]) -> float:
    return sum(unit in units for units in known) / len(known)


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


def _query(text: str, tokens: Sequence[_Token], is_doubtful: Sequence[bool]) -> str:
    """Return the sentence without its doubtful words; the whole where nothing of meaning would be left."""
    if not any(t.units for t, doubt in zip(tokens, is_doubtful, strict=True) if not doubt):
        return text
    kept, at = "", 0
    for token, doubt in zip(tokens, is_doubtful, strict=True):
        if doubt:
            kept, at = kept + text[at : token.start], token.end
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join((kept + text[at:]).split()))
