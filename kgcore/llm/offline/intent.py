"""What a question asks for, as a whole: its aspect by the question word, its kind by what is to be done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from kgcore.llm.offline.lexicon import Lexicon, Pick
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.sentence import asking, is_asked_for

OPEN_KINDS = ("find", "common", "count", "pick")


def aspect_of(pieces: Sequence[Piece], lex: Lexicon) -> str:
    """Return what the first question word asks for; "any" for which and what, and for yes or no."""
    asked = [pieces[at] for at in asking(pieces, lex)]
    if any(p.aspect == "either" for p in pieces):
        return "either"
    if not asked or (asked[0].kind == "which" and len(asked) == 1):
        return _kind_asked(pieces)
    if pieces[0].kind == "openers" and not _is_polite(pieces):
        return "any"
    aspect = next((p.aspect for p in asked if p.kind == "ask"), "any")
    return "any" if aspect == "person" and _is_of_other_kind(pieces) else aspect


def _kind_asked(pieces: Sequence[Piece]) -> str:
    """Return place where "in which country" asks for one as "where" does; else any."""
    for at, piece in enumerate(pieces):
        if piece.cue is not None and is_asked_for(pieces, at):
            is_within = any("inside" in p.also for p in pieces[:at])
            return "place" if piece.cue.kind == "place" and is_within else "any"
    return "any"


def _is_of_other_kind(pieces: Sequence[Piece]) -> bool:
    """Tell whether "who" asks for what is no person: "who is the *label* of M"."""
    start = next((i for i, p in enumerate(pieces) if p.kind == "ask"), 0)
    after = [p for p in pieces[start + 1 :] if p.kind != "stop"]
    if len(after) < 2 or "openers" not in after[0].also or after[1].cue is None:
        return False
    return after[1].cue.kind not in ("", "person")


def _is_polite(pieces: Sequence[Piece]) -> bool:
    """Tell whether the question only begins like one for yes or no: "can you tell me who …"."""
    return len(pieces) > 1 and "speakers" in pieces[1].also


def kind_of(pieces: Sequence[Piece], aspect: str) -> tuple[str, bool, Pick | None]:
    """Return a question's kind, whether it asks for yes or no, and the word that compares, if it is to."""
    pick = next((p.pick for p in pieces if p.pick), None)
    kind, is_yes_no = _kind(pieces, aspect, pick)
    return kind, is_yes_no, pick if kind in ("compare", "pick") else None


def _kind(pieces: Sequence[Piece], aspect: str, pick: Pick | None) -> tuple[str, bool]:
    meaningful = [p for p in pieces if p.kind not in ("stop", "mark")]
    first = meaningful[0].kind if meaningful else ""
    is_yes_no = first == "openers" and not _is_polite(pieces) and aspect != "either"
    if any(p.kind == "questions" for p in pieces) and aspect != "either":
        is_yes_no = not any(p.kind in ("ask", "which") for p in pieces)
    n_mentions = sum(p.kind == "mention" for p in pieces)
    has_or = any(p.kind == "or" for p in pieces)
    if is_yes_no and n_mentions > 1 and any(p.kind == "same" for p in pieces):
        return "same", True
    is_adverb = pick is not None and pick.aspect == aspect == "time"  # "when did M first …"
    if pick and n_mentions > 1 and (has_or or (_are_opposed(pieces) and not is_adverb)):
        return "compare", is_yes_no and not has_or
    if is_yes_no:
        if n_mentions == 2 and any(p.kind == "common" for p in pieces) and not has_or:
            return "same", True
        return "claim", True
    if aspect == "count":
        return "count", False
    if pick and n_mentions == 1 and aspect != "time":
        return "pick", False
    if n_mentions > 1:
        return "common", False
    return "find", False


def both_of(pieces: Sequence[Piece]) -> str:
    """Return whether "both" tells of what something is done to, or of who does it."""
    at = next((i for i, p in enumerate(pieces) if p.kind == "common"), None)
    places = [i for i, p in enumerate(pieces) if p.kind == "mention"]
    if at is None or len(places) < 3:
        return ""
    return "objects" if places[0] < at < places[1] else "subjects"


def _are_opposed(pieces: Sequence[Piece]) -> bool:
    """Tell whether mentions stand side by side, or on both sides of the word that compares."""
    places = [i for i, p in enumerate(pieces) if p.kind == "mention"]
    between = [pieces[a + 1 : b] for a, b in pairwise(places)]
    return any(
        all(p.kind in ("stop", "mark", "common") for p in gap)
        or any(p.pick or "joining" in p.also for p in gap)
        for gap in between
    )
