"""Which way a relation runs from a mention, by where the mention stands around the cue word.

"films directed by M" and "films M directed" follow *director* against its direction, "who directed M" and
"M's director" along it. The answer is "" where the words do not tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.llm.offline.lexicon import Cue, Lexicon
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.sentence import is_verb
from kgcore.ranking.stems import has_cjk

_SKIPPED = (
    "stop", "word", "auxiliaries", "openers", "common", "number", "mention", "besides", "joint",
)  # fmt: skip


def wanted_direction(
    pieces: Sequence[Piece], at: int, cue: Cue | None, mention: int, lex: Lexicon
) -> str:
    """Return "out", "in" or "" for a clue at a piece and a mention."""
    place = next((i for i, p in enumerate(pieces) if p.mention == mention), None)
    if cue is None or cue.is_symmetric or place is None or at >= len(pieces):
        return ""
    if at + 1 == place and is_title(pieces, at, lex):
        role = "subject"
    else:
        role = _before(pieces, at, place) if at < place else _after(pieces, place, at, lex)
    if role in ("owner", "passive"):
        return "out"
    if role == "object":
        return "in" if cue.is_subject else "out"
    if role == "subject":
        return "out" if cue.is_subject else "in"
    return ""


def is_title(pieces: Sequence[Piece], at: int, lex: Lexicon) -> bool:
    """Tell whether a noun before a name says what the person named is: "by director M", "the writer M"."""
    cue = pieces[at].cue
    if cue is None or cue.kind != "person" or cue.of != "work" or has_cjk(pieces[at].text):
        return False
    is_next = at + 1 < len(pieces) and pieces[at + 1].kind == "mention"
    return is_next and not is_verb(pieces[at], lex) and not pieces[at].text.endswith("s")


def chained_direction(pieces: Sequence[Piece], at: int, cue: Cue | None, lex: Lexicon) -> str:
    """Return the direction of a clue that follows another one: "the capital of the country where M …"."""
    if cue is None or cue.is_symmetric or at >= len(pieces):
        return ""
    before = pieces[at - 1] if at else None
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    if before is not None and before.kind in ("possessive", "of") and "possessive" in before.also:
        return "out"
    is_asking = at + 2 < len(pieces) and pieces[at + 2].kind in ("ask", "which")
    if after is not None and after.kind == "of" and "possessive" not in after.also:
        return "in" if is_asking and not cue.classes else "out"
    if after is not None and after.kind == "by" and not cue.is_subject:
        return "out" if is_asking else "in"
    if lex.language == "en" and is_verb(pieces[at], lex) and _has_object(pieces, at):
        return "in" if cue.is_subject else "out"
    return ""


def _has_object(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether a verb is followed by a kind of thing that it is done to: "directed films"."""
    following = next((p for p in pieces[at + 1 :] if p.kind not in ("stop", "besides")), None)
    is_direct = all("every" in p.also for p in pieces[at + 1 : at + 2] if p.kind == "stop")
    return (
        is_direct
        and following is not None
        and following.cue is not None
        and bool(following.cue.classes)
    )


def _before(pieces: Sequence[Piece], at: int, place: int) -> str:
    """The cue stands before the mention: "directed by M", "director of M", "directed M"."""
    passed = pieces[at + 1 : place]
    between = [p for p in passed if not _is_skipped(p)]
    if any(p.kind == "by" for p in between):
        return "subject" if len(between) == 1 else ""
    if any(p.kind in ("of", "possessive") for p in between):
        return "owner" if len(between) == 1 else ""
    is_cut = any({"openers", "auxiliaries"} & p.also for p in passed)  # "which award did M receive"
    return "" if between or is_cut else "object"


def _after(pieces: Sequence[Piece], place: int, at: int, lex: Lexicon) -> str:
    """The cue stands after the mention: "M's director", "did M direct", "was M directed by", "M directed"."""
    between = [p for p in pieces[place + 1 : at] if not _is_skipped(p)]
    if any(p.kind in ("possessive", "of") for p in between):
        return "owner" if len(between) == 1 else ""
    if between:
        return ""
    if _is_had(pieces[place + 1 : at]):
        return "owner"
    cue = pieces[at].cue
    if cue is not None and cue.kind in ("number", "time") and has_cjk(pieces[at].text):
        return "owner"  # "M片长": a name stands before what it has
    if at == place + 1 and lex.language == "en" and not is_verb(pieces[at], lex):
        return "owner"  # "the M director"
    follows = pieces[at + 1] if at + 1 < len(pieces) else None
    if follows is not None and follows.kind in ("by", "of") and at + 2 >= len(pieces):
        return "object" if follows.kind == "by" else "subject"
    if follows is not None and "possessive" in follows.also and "of" in follows.also:
        return ""  # in Chinese "the director of M, his …" and "the … that M directed" look the same
    near = pieces[place + 1 : at]
    last = near[-1].also if near else frozenset[str]()
    if "indefinite" in last or ("articles" in last and any("be" in p.also for p in near)):
        return "subject"  # "was M a writer on": M is what the cue names
    return "passive" if _is_passive(pieces, place, at) else "subject"


def _is_had(between: Sequence[Piece]) -> bool:
    """Tell whether the mention has what the cue names: "does M have a …", but not "M has directed"."""
    had = [i for i, p in enumerate(between) if "have" in p.also]
    return bool(had) and (had[-1] + 1 < len(between) or between[had[-1]].text == "有")


def _is_passive(pieces: Sequence[Piece], place: int, at: int) -> bool:
    start = place
    while start > 0 and _is_skipped(pieces[start - 1]) and pieces[start - 1].kind != "mention":
        start -= 1
    near = [*pieces[start:place], *pieces[place + 1 : at]]
    return any("be" in p.also for p in near)


def _is_skipped(piece: Piece) -> bool:
    if piece.kind == "cue":
        return bool(piece.cue and piece.cue.classes)
    return piece.kind in _SKIPPED
