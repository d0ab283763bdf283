"""Two questions in one, the second about what the first asks for: "who directed M, and where was *that person* born".

The second is read as a question of its own about a stand-in; what it asks is then asked of what the first one finds.
Where its words mean the mention itself ("when was M released, and who directed *it*"), or that cannot be told, both
would have to be answered apart: that is beyond the matcher.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from kgcore.llm.offline.lexicon import Cue, Lexicon
from kgcore.llm.offline.pieces import Piece, cut
from kgcore.llm.offline.sentence import is_asked_for

STAND_IN = "Qxq"  # the mention of the second question


@dataclass(frozen=True, slots=True)
class TwoParts:
    """A question in two parts; the second holds the stand-in where it refers to the first.

    `is_chained` tells that the stand-in is what the first part asks for.
    """

    first: str
    second: str
    is_chained: bool


def two_parts(question: str, mentions: Sequence[str], lex: Lexicon) -> TwoParts | None:
    """Return the parts of a question whose second one refers to the first; None for any other."""
    words = _words(lex.language)
    for join in re.finditer(words["joins"], question, re.IGNORECASE):
        first, second = question[: join.start()], question[join.end() :]
        is_question = re.match(words["asked"], second, re.IGNORECASE)
        if not is_question or _holds(second, mentions) or not _holds(first, mentions):
            continue
        known, pieces = cut(first, mentions, lex), cut(second, (), lex)
        found = _reference(second, pieces, lex)
        if found is None or not (_asks(known) and _asks(pieces)):
            continue
        kinds, noun, start, end, is_owner = found
        mark = STAND_IN + ("'s" if is_owner else "")
        asked = _asked(known)
        is_chained = asked is not None and _is_meant(asked, kinds, noun)
        return TwoParts(first, f"{second[:start]}{mark}{second[end:]}", is_chained)
    return None


def _asks(pieces: Sequence[Piece]) -> bool:
    return any(p.kind in ("ask", "which") for p in pieces)


def _holds(text: str, mentions: Sequence[str]) -> bool:
    return any(m and m.casefold() in text.casefold() for m in mentions)


def _reference(
    text: str, pieces: Sequence[Piece], lex: Lexicon
) -> tuple[frozenset[str], Cue | None, int, int, bool] | None:
    """Return what the words that refer back may mean (person, thing), their noun, where they stand, if they own."""
    words, end = _words(lex.language), 0
    for at, piece in enumerate(pieces):
        start = text.find(piece.text, end)
        end = max(end, start + len(piece.text))
        said, after = piece.text.casefold(), pieces[at + 1] if at + 1 < len(pieces) else None
        owners = _kinds(said, words["owning"])
        if owners and after is not None and after.kind in ("cue", "word"):
            return owners, None, start, end, True
        kinds = _kinds(said, words) | (owners if said == "her" else frozenset())
        if kinds:
            return kinds, None, start, end, False
        if said in words["pointing"].split() and after is not None:
            stop = text.find(after.text, end) + len(after.text)
            named = _kinds(after.text.casefold(), words["nouns"])
            if not named and after.cue is not None and after.cue.kind:
                named = frozenset(("person" if after.cue.kind == "person" else "thing",))
            if named:
                is_plain = bool(_kinds(after.text.casefold(), words["nouns"]))
                return named, None if is_plain else after.cue, start, stop, False
    return None


def _kinds(said: str, words: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(k for k in ("person", "thing") if said in str(words.get(k, "")).split())


def _asked(pieces: Sequence[Piece]) -> tuple[str, Cue | None] | None:
    """Return whether a question asks for a person or a thing, and the noun that says so; None where it does not tell."""
    for at, piece in enumerate(pieces):
        if piece.cue is not None and piece.cue.kind and is_asked_for(pieces, at):
            return ("person" if piece.cue.kind == "person" else "thing"), piece.cue
    if any(p.kind == "ask" and p.aspect == "person" for p in pieces):
        return "person", None
    roles = [p.cue for p in pieces if p.cue is not None and p.cue.kind]
    is_which = any(p.kind == "which" for p in pieces)
    return ("thing", roles[0]) if is_which and roles and roles[0].kind != "person" else None


def _is_meant(asked: tuple[str, Cue | None], kinds: frozenset[str], noun: Cue | None) -> bool:
    """Tell whether what refers back is of the kind that is asked for; things need the noun itself."""
    kind, said = asked
    if kind not in kinds:
        return False
    return kind == "person" or noun is None or said is None or noun.labels == said.labels


@cache
def _words(language: str) -> Mapping[str, Any]:
    path = resources.files("kgcore.llm.offline") / "cues" / f"{language}.yaml"
    words: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["refers"]
    return words
