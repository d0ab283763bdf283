"""Counting answers: made comparable first, so that “1941.”, “the year 1941” and “1,941” are one vote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kgcore.prompts.answers import is_yes_or_no
from kgcore.prompts.literals import dates_in
from kgcore.prompts.thoughts import Thoughts
from kgcore.prompts.wording import fold, wording
from kgcore.steps import RationalesSampled, Reply, Sample

_ARTICLE = re.compile(
    r"^(?:(?:it is|it was|in|on|at|the year|the|a|an)\s+)+|^(?:是|在|为)", re.IGNORECASE
)
_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]")
_MARKS = re.compile(r"[^\w\s%°.+/-]+|\.(?!\d)")
_YEAR = re.compile(r"(\d{4})\s*年")


def vote_of(answer: str) -> str:
    """Return an answer as it is counted: without case, articles, punctuation and remarks in brackets."""
    text = fold(answer)
    if is_yes_or_no(text):
        first = re.match(r"[^\W\d_]+", text)
        return "yes" if first and first[0] in wording().yes else "no"
    dates = list(dates_in(text))
    if len(dates) == 1 and len(text) <= 40:
        return dates[0]
    text = _BRACKETS.sub("", text) or text
    text = _THOUSANDS.sub("", _YEAR.sub(r"\1", text))
    text = " ".join(_MARKS.sub(" ", text).split())
    return _ARTICLE.sub("", text) or text


def count_votes(replies: Sequence[Reply], threshold: float) -> RationalesSampled:
    """Count what the samples answer. One that cannot tell, or cannot be read, has no vote and still counts as asked.

    Of answers with equal votes the one given first is the most frequent. One sample agrees with nobody.
    """
    samples: list[Sample] = []
    for reply in replies:
        thoughts = reply.value if not reply.problem else None
        if isinstance(thoughts, Thoughts):
            given = thoughts.answer
            vote = "" if given.is_unknown else vote_of(given.text)
            samples.append(Sample(thoughts.rationales, given.text, vote))
        else:
            samples.append(Sample())
    counts = Counter(sample.vote for sample in samples if sample.vote).most_common()
    most = counts[0][1] if counts and len(samples) > 1 else 0
    agreement = most / len(samples) if samples else 0.0
    return RationalesSampled(tuple(samples), tuple(counts), agreement, threshold)


def favourite(sampled: RationalesSampled) -> Sample:
    """Return the first sample with the most frequent vote; without votes, the first that states something."""
    if sampled.counts:
        best = sampled.counts[0][0]
        return next(sample for sample in sampled.samples if sample.vote == best)
    return next((s for s in sampled.samples if s.rationales), Sample())
