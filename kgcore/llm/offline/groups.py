"""Clues that belong together: words that name one relation, and verbs that "and" joins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.lexicon import Lexicon
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.sentence import is_asked_for, is_verb
from kgcore.ranking.stems import has_cjk


def grouped(clues: tuple[Clue, ...], pieces: Sequence[Piece]) -> tuple[Clue, ...]:
    """Group cue words that name one relation together.

    They are neighbours that nothing but small words part ("compose the music of"), or the noun that is asked
    for and a verb of the same meaning ("which award did M receive").
    """
    result: list[Clue] = []
    for clue in clues:
        group = len(result)
        for other in result:
            if _is_one(other, clue, pieces):
                group = other.group
                break
        result.append(replace(clue, group=group))
    return tuple(result)


def _is_one(first: Clue, second: Clue, pieces: Sequence[Piece]) -> bool:
    if first.cue is None or second.cue is None or first.at >= second.at:
        return False
    if _are_joined(first, second, pieces):
        return False
    between = pieces[first.at + 1 : second.at]
    if all(p.kind in ("stop", "auxiliaries", "openers", "which") for p in between):
        return True
    has_same_labels = bool(first.cue.labels) and first.cue.labels == second.cue.labels
    if has_cjk(first.text) and first.cue.kind == second.cue.kind == "person":
        if all(p.kind in ("stop", "auxiliaries", "ask") for p in between):
            return True  # "M的配乐是谁写的"
    is_clause = bool(between) and "relative" in between[0].also and pieces[second.at].kind == "cue"
    if has_same_labels and is_clause and second.at == len(pieces) - 1:
        return True  # "the award that … received"
    is_relative = all(p.kind == "stop" or "relative" in p.also for p in between)
    return has_same_labels and (is_relative or is_asked_for(pieces, first.at))


def twinned(clues: tuple[Clue, ...], pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    """Pair neighbouring verbs that "and" joins: both hold of the same things ("who *wrote and directed* M")."""
    result = list(clues)
    for number, (first, second) in enumerate(pairwise(clues)):
        are_verbs = is_verb(pieces[first.at], lex) and is_verb(pieces[second.at], lex)
        if are_verbs and first.at < second.at and _are_joined(first, second, pieces):
            result[number] = replace(result[number], twin=number + 1)
            result[number + 1] = replace(second, twin=number)
    return tuple(result)


def _are_joined(first: Clue, second: Clue, pieces: Sequence[Piece]) -> bool:
    between = [p for p in pieces[first.at + 1 : second.at] if p.kind != "mark"]
    return bool(between) and all("adding" in p.also for p in between)
