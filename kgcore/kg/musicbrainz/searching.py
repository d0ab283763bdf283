"""Decides what to search for: at one request a second every search must be worth its second.

Searches come in rounds, and a later round is only made for a name that nothing found so far bears. The first round
searches the kinds of things that the words around a name speak of; where none do, the kinds most names are of. Of a
question only what looks like a name is searched: what stands in quotes or begins with capitals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from kgcore.kg.mentions import Span, has_cjk, is_stop, loosen, spans
from kgcore.kg.musicbrainz.kinds import kinds

USUAL = ("artist", "release-group", "recording", "work")
_RARER = ("label", "area", "place")
MOST_SPANS, MOST_SEARCHES = 3, 8
_MOST_KINDS = 3
_BEFORE, _AFTER = 3, 1  # words around a name in which its kind is looked for
_MAKER = "artist"  # what "by" says
_JOINING = frozenset("and in on at to for with &".split())  # in a name or between two
_INSIDE = _JOINING | frozenset(
    "of the a an de da do dos di du la le les der die das den el los las y e van von zu af av al bin ibn".split()
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A name to search for, with the kinds to search in each round.

    `parts` are the names it may be made of; they are searched when nothing bears the whole.
    """

    text: str
    rounds: tuple[tuple[str, ...], ...]
    parts: tuple[Wanted, ...] = ()


def name_wanted(text: str, context: str) -> Wanted:
    """Plan the search for one name; its context says what kind of thing it may be."""
    if not context.strip():
        return Wanted(text, (USUAL, _RARER))
    near = _near(context, text)
    is_in_question = f" {loosen(text)} " in f" {loosen(context)} "
    named = () if is_in_question else _named(context)[:_MOST_KINDS]
    first = (near,) if near else named or USUAL[:2]
    return Wanted(text, (first, tuple(kind for kind in USUAL if kind not in first)))


def names_wanted(question: str) -> list[Wanted]:
    """Plan the searches for the names in a question, in the order they stand in it."""
    found: list[Wanted] = []
    for span in _likely(question):
        text = span.names[0][1]
        parts = [] if span.is_quoted else _parts(text)
        found.append(
            Wanted(text, _rounds(question, text), tuple(Wanted(p, (USUAL[:2],)) for p in parts))
        )
    return found


def _rounds(question: str, text: str) -> tuple[tuple[str, ...], ...]:
    near = _near(question, text)
    first = ((near,),) if near else ()
    usual = (tuple(kind for kind in part if kind != near) for part in (USUAL[:2], USUAL[2:]))
    return (*first, *usual)


def _parts(text: str) -> list[str]:
    """The names that joining words may have joined; none where there is no such word."""
    parts: list[list[str]] = [[]]
    for word in text.split():
        if word in _JOINING:
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(part) for part in parts if part] if len(parts) > 1 else []


def _likely(question: str) -> list[Span]:
    """The spans that look most like names: quoted ones first, then long ones; none inside another."""
    ranked = sorted(
        (span for span in spans(question) if _looks_like_a_name(span)),
        key=lambda span: (not span.is_quoted, span.start - span.end, span.start),
    )
    chosen: list[Span] = []
    for span in ranked:
        if all(span.end <= other.start or span.start >= other.end for other in chosen):
            chosen.append(span)
    return sorted(chosen[:MOST_SPANS], key=lambda span: span.start)


def _looks_like_a_name(span: Span) -> bool:
    name = span.names[0][1]
    if span.is_quoted:
        return True
    words = name.split()
    if has_cjk(name):
        return False  # without spaces every piece looks like a name; there names stand in quotes
    if span.is_first and len(words) == 1:
        return False
    if any(_is_small(word) or (span.is_first and is_stop(word)) for word in (words[0], words[-1])):
        return False
    return all(_may_be_in_a_name(word) for word in words)


def _is_small(word: str) -> bool:
    return word.islower() and (is_stop(word) or word in _INSIDE)


def _may_be_in_a_name(word: str) -> bool:
    letters = [char for char in word if char.isalpha()]
    return not letters or letters[0].isupper() or word in _INSIDE


def _near(question: str, name: str) -> str:
    """The kind that the words right before or after a name speak of; the nearest before it first."""
    keys = [loosen(word) for word in question.split()]
    key = loosen(name).split()
    for i in range(len(keys)):
        flat = " ".join(keys[i:]).split()
        if key and flat[: len(key)] == key:
            before, after = keys[max(0, i - _BEFORE) : i], flat[len(key) : len(key) + _AFTER]
            if before and before[-1] == "by":
                return _MAKER
            return next(iter(_named(" ".join(before))[::-1] or _named(" ".join(after))), "")
    return ""


def _named(text: str) -> tuple[str, ...]:
    """The kinds that a text speaks of, in its order; "release group" speaks of no group."""
    said = f" {loosen(text)} "
    at: dict[str, int] = {}
    for word, its_kinds in _words():
        key = word if has_cjk(word) else f" {word} "
        place = said.find(key)
        if place < 0:
            continue
        said = said[: place + 1] + "·" * (len(key) - 2) + said[place + len(key) - 1 :]
        at |= {kind: place for kind in its_kinds if kind not in at}
    return tuple(sorted(at, key=lambda kind: (at[kind], kind)))


@cache
def _words() -> Sequence[tuple[str, tuple[str, ...]]]:
    """Words and the kinds they speak of, the longest words first."""
    kinds_of: dict[str, list[str]] = {}
    for name, kind in kinds().items():
        for word in kind.words:
            kinds_of.setdefault(loosen(word), []).append(name)
    return sorted(
        ((word, tuple(names)) for word, names in kinds_of.items()),
        key=lambda item: (-len(item[0]), item[0]),
    )
