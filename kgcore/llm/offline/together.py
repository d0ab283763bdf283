"""What is shared, or done together: followed there and back, "films with the same director as M", "acted with M"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.llm.offline.clue import Clue, as_relation
from kgcore.llm.offline.lexicon import Lexicon
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.sentence import is_verb


def mirrored(clues: list[Clue], pieces: Sequence[Piece], lex: Lexicon) -> list[Clue]:
    """Let what is shared be followed there and back: "films with the same director as M", "acted with M"."""
    if sum(p.kind == "mention" for p in pieces) != 1:
        return clues
    shared = _shared(clues, pieces, lex)
    if shared is not None and shared.cue is not None and shared.cue.is_symmetric:
        return clues  # "which countries share a border with M" border M themselves
    is_joint = shared is None
    if shared is None:
        shared = _joint(clues, pieces, lex)
    if shared is None or shared.cue is None or shared.cue.chain:
        return clues
    there, back = as_relation(shared), replace(as_relation(shared), sub=1)
    if is_joint:  # people are joined by what they made, which the relation is said of
        there = replace(there, is_back=True)
    else:
        back = replace(back, is_back=True)
    place = clues.index(shared)
    told = [c for c in clues[:place] if is_joint or not _tells_again(c, shared)]
    return [*told, there, back, *clues[place + 1 :]]


def _tells_again(clue: Clue, shared: Clue) -> bool:
    """Tell whether a verb only tells again what is shared: "*directed* by the same director"."""
    return clue.cue is not None and shared.cue is not None and clue.cue.labels == shared.cue.labels


def _shared(clues: Sequence[Clue], pieces: Sequence[Piece], lex: Lexicon) -> Clue | None:
    """Return the clue that is said to be the same for the mention and for what is asked for."""
    starts = [
        at
        for at, p in enumerate(pieces)
        if p.kind == "same" or (p.kind == "common" and _is_to_share(pieces[at:], lex))
    ]
    if not starts:
        return None
    return next((c for c in clues if c.at > starts[0] and c.cue and not c.sub), None)


def _is_to_share(pieces: Sequence[Piece], lex: Lexicon) -> bool:
    """Tell whether something is shared: "*share* the director of M", but not "M *shares* traded"."""
    is_noun = len(pieces) < 2 or is_verb(pieces[1], lex)
    return "sharing" in pieces[0].also and not is_noun


def _joint(clues: Sequence[Clue], pieces: Sequence[Piece], lex: Lexicon) -> Clue | None:
    """Return the clue of what is done together with the mention: "co-wrote", "acted with M"."""
    for clue in clues:
        cue = pieces[clue.at].cue  # not the link of a chain
        if cue is None or cue.chain or not (cue.kind == "person" and cue.of == "work"):
            continue
        before, after = pieces[: clue.at], pieces[clue.at + 1 :]
        if before and before[-1].kind == "joint":
            return clue
        following = [p for p in after if p.cue is None][:1]
        if following and following[0].kind == "joint" and following[0].text.casefold() != "co":
            return clue
        is_alone = len(after) == 1 or (len(after) > 1 and after[1].kind in ("mention", "ask"))
        if after and after[0].text.casefold() in lex.with_ and is_alone:
            return clue
    return None
