"""Cuts text into passages: paragraphs stay whole where they fit, sentences where those do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kgcore.model.text import token_weight

LIMIT = 220.0  # tokens of a passage, as estimated
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])")
_WORD = re.compile(r"\S+\s*")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """Paragraphs under one title; `place` says where in the file it begins, as in "line 12"."""

    title: str
    place: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text that can be read on its own, and where it stands."""

    title: str
    position: str
    text: str


def cut(section: Section) -> Iterator[Passage]:
    """Yield the passages of a section; where there are several, their positions are numbered."""
    texts = list(_packed(p for paragraph in section.paragraphs for p in _pieces(paragraph)))
    for number, text in enumerate(texts, 1):
        part = f", part {number}" if len(texts) > 1 else ""
        yield Passage(section.title, section.place + part, text)


def _packed(pieces: Iterable[str]) -> Iterator[str]:
    """Join pieces as long as they fit into one passage."""
    held, weight = list[str](), 0.0
    for piece in pieces:
        size = token_weight(piece)
        if held and weight + size > LIMIT:
            yield "\n".join(held)
            held, weight = [], 0.0
        held.append(piece)
        weight += size
    if held:
        yield "\n".join(held)


def _pieces(paragraph: str) -> Iterator[str]:
    """Split a paragraph that is too long at the ends of sentences, and a sentence between words."""
    text = _SPACE.sub(" ", paragraph).strip()
    if token_weight(text) <= LIMIT:
        if text:
            yield text
        return
    held, weight = "", 0.0
    for part in _parts(text):
        size = token_weight(part)
        if held and weight + size > LIMIT:
            yield held.strip()
            held, weight = "", 0.0
        held += part
        weight += size
    if held.strip():
        yield held.strip()


def _parts(text: str) -> Iterator[str]:
    """Sentences; of one that is too long its words, and of a word that is too long its pieces."""
    for sentence in _SENTENCE.split(text):
        if token_weight(sentence) <= LIMIT:
            yield sentence + " "
            continue
        for word in _WORD.findall(sentence):
            step = int(LIMIT)
            yield from (word[i : i + step] for i in range(0, len(word), step))
