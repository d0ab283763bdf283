"""What the pieces of a question are in its sentence: which word asks, what is a verb."""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.llm.offline.lexicon import Lexicon
from kgcore.llm.offline.pieces import Piece

_SMALL = ("stop", "mark", "openers", "auxiliaries", "word", "besides")


def asking(pieces: Sequence[Piece], lex: Lexicon) -> tuple[int, ...]:
    """Return where the words stand that ask; "the man *who* …" and "films *which* …" only relate."""
    return tuple(at for at in range(len(pieces)) if _asks(pieces, at, lex))


def opening(pieces: Sequence[Piece], lex: Lexicon) -> int | None:
    """Return where the question word stands that the sentence begins with; only small words come before it."""
    for at, piece in enumerate(pieces):
        if piece.kind in ("ask", "which"):
            return at
        if piece.kind not in _SMALL:
            return None
    return None


def is_verb(piece: Piece, lex: Lexicon) -> bool:
    """Tell whether a piece is written as a verb."""
    words = piece.text.casefold().split(" ")
    is_written = words[0] in lex.verbs or any(
        w.endswith(("ed", "ing")) for w in (words[0], words[-1])
    )
    return piece.kind == "cue" and is_written


def _asks(pieces: Sequence[Piece], at: int, lex: Lexicon) -> bool:
    piece = pieces[at]
    if piece.kind not in ("ask", "which"):
        return False
    if "relative" not in piece.also:
        return True
    before = [p for p in pieces[:at] if p.kind != "mark"]
    if not before or all(p.kind in _SMALL for p in before):
        return True
    after = [p for p in pieces[at + 1 :] if p.kind != "mark"]
    last = before[-1]
    if last.kind == "stop" and piece.kind == "which":
        return last.text.casefold() in lex.stop and bool(after)
    return not after or last.kind in ("by", "of", "openers", "auxiliaries") or is_verb(last, lex)


def is_asked_for(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether the noun stands right after "which", "what" or "how many"."""
    for piece in reversed(pieces[:at]):
        if "which" in piece.also or (piece.kind == "ask" and piece.aspect == "count"):
            return True
        if piece.kind not in ("word", "pick", "stop", "number", "besides"):
            return False
        if piece.kind == "stop" and "definite" in piece.also:
            return False
    return False
