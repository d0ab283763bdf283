"""Cut a question into pieces: mentions, question words, cue words, and words nothing is known of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgcore.llm.offline.lexicon import Cue, Lexicon, Phrase, Pick
from kgcore.ranking.stems import CJK, fold, has_cjk, stem

_TOKEN = re.compile(r"['’]s\b|[^\W_]+|[,，、;；]")
_CJK_RUN = re.compile(rf"[{CJK}]+|[^{CJK}]+")
_LONGEST_WORD = 6  # characters
_GROUP_ORDER = (
    "questions", "same", "common", "joint", "besides", "possessive", "of", "by", "or",
    "which", "openers", "auxiliaries", "relative",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the question. `kind` is mention, ask, pick, cue, number, word, stop or a group of words."""

    kind: str
    text: str
    stems: Phrase = ()
    mention: int = -1
    aspect: str = ""
    cue: Cue | None = None
    pick: Pick | None = None
    also: frozenset[str] = (
        frozenset()
    )  # further groups the word belongs to, and what it does as a small word


def cut(question: str, mentions: Sequence[str], lex: Lexicon) -> tuple[Piece, ...]:
    """Return the pieces of a question in order."""
    pieces: list[Piece] = []
    position = 0
    for start, end, number in _spans(question, mentions):
        pieces.extend(_read(question[position:start], lex))
        pieces.append(Piece("mention", question[start:end], mention=number))
        position = end
    pieces.extend(_read(question[position:], lex))
    return tuple(pieces)


def _spans(question: str, mentions: Sequence[str]) -> list[tuple[int, int, int]]:
    """Find where the mentions stand, longer ones first; none overlaps another."""
    folded = question.casefold()
    if len(folded) != len(question):
        folded = question.lower()
    found: list[tuple[int, int, int]] = []
    for number in sorted(range(len(mentions)), key=lambda i: (-len(mentions[i]), i)):
        text = mentions[number].casefold()
        start = folded.find(text) if text else -1
        while start >= 0:
            end = start + len(text)
            is_whole = has_cjk(text) or not (
                _is_letter(folded, start - 1) or _is_letter(folded, end)
            )
            if is_whole and all(end <= s or start >= e for s, e, _ in found):
                found.append((start, end, number))
                break
            start = folded.find(text, start + 1)
    return sorted(found)


def _is_letter(text: str, index: int) -> bool:
    return 0 <= index < len(text) and text[index].isalnum() and not has_cjk(text[index])


def _read(text: str, lex: Lexicon) -> Iterator[Piece]:
    tokens = list(_tokens(text, lex))
    keys = ["'s" if t in ("'s", "’s") else stem(fold(t)) for t in tokens]
    start = 0
    while start < len(tokens):
        for length in range(min(lex.longest, len(tokens) - start), 0, -1):
            piece = _known(tokens[start : start + length], tuple(keys[start : start + length]), lex)
            if piece is not None:
                yield piece
                break
        else:
            length = 1
            kind = "number" if tokens[start].isdigit() else "word"
            also = lex.small.get(tokens[start].casefold(), frozenset())
            yield Piece(kind, tokens[start], (keys[start],), also=also)
        start += length


def _tokens(text: str, lex: Lexicon) -> Iterator[str]:
    for token in _TOKEN.findall(text):
        for run in _CJK_RUN.findall(token):
            yield from _segments(run, lex) if has_cjk(run) else (run,)


def _segments(run: str, lex: Lexicon) -> Iterator[str]:
    """Part a run of characters into known words; unknown characters in between stay together.

    Of the words that may come next the one is taken that makes most known characters with the word after it, of
    equals the longest: 在|哪一年, not 在哪|一年.
    """
    unknown, start = "", 0
    while start < len(run):
        sizes = _sizes(run, start, lex)
        size = max(sizes, key=lambda n: n + max(_sizes(run, start + n, lex), default=0), default=0)
        if not size:
            unknown += run[start]
            start += 1
            continue
        if unknown:
            yield unknown
            unknown = ""
        yield run[start : start + size]
        start += size
    if unknown:
        yield unknown


def _sizes(run: str, start: int, lex: Lexicon) -> list[int]:
    """Return the lengths of the known words that begin here, the longest first."""
    most = min(_LONGEST_WORD, len(run) - start)
    return [n for n in range(most, 0, -1) if run[start : start + n] in lex.vocabulary]


def _known(tokens: list[str], phrase: Phrase, lex: Lexicon) -> Piece | None:
    text = ("" if lex.language == "zh" else " ").join(tokens)
    small = lex.small.get(text.casefold(), frozenset())
    also = small | {g for g in _GROUP_ORDER if lex.has(g, phrase)}
    if phrase in lex.asks:
        return Piece("ask", text, phrase, aspect=lex.asks[phrase], also=also)
    cue = lex.forms.get(tuple(fold(t) for t in tokens)) or lex.cues.get(phrase)
    if cue is not None:
        return Piece("cue", text, phrase, cue=cue, also=also)
    if phrase in lex.picks:
        return Piece("pick", text, phrase, pick=lex.picks[phrase], also=also)
    for group in _GROUP_ORDER:
        if group in also:
            return Piece(group, text, phrase, also=also)
    if len(tokens) == 1 and (tokens[0].casefold() in lex.stop or not tokens[0][0].isalnum()):
        is_mark = not tokens[0][0].isalnum()
        return Piece("mark" if is_mark else "stop", text, phrase, also=also)
    return None
