"""In which order the clues of a question are followed from a mention.

English puts what belongs to a name beside it: to its right when it is a possessive or part of the name's own
phrase ("M's wife", "the M actors", "the films M directed"), else to its left ("the wife of the director of M").
Then come the parts of the sentence that the phrase with the name is only a part of: the main verb ("where was the
director of M *born*"), what is said of it ("the films of M were *released* in which *years*") and the noun that is
asked for ("*which awards* did the director of M win"). Chinese puts everything that belongs to a name behind it,
and a verb before its object.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgcore.llm.offline.clue import Clue
from kgcore.llm.offline.lexicon import Lexicon
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.sentence import asking, is_verb, opening

_UNHEARD = ("stop", "mark", "word", "auxiliaries", "openers", "besides", "joint")
_TIGHT, _LEFT, _MAIN, _SAID, _ASKED, _KEY = range(6)


def order_of(
    clues: Sequence[Clue], pieces: Sequence[Piece], mention: int, lex: Lexicon
) -> tuple[int, ...]:
    """Return the numbers of the clues from the nearest to the last."""
    place = _place(pieces, mention)
    if place is None:
        return tuple(range(len(clues)))
    sentence = _Chinese if lex.language == "zh" else _English
    part = sentence(pieces, place, lex)

    def rank(number: int) -> tuple[int, int, int, int]:
        clue = clues[number]
        if clue.is_key:
            return (_KEY, 0, 0, number)
        between = pieces[min(place, clue.at) + 1 : max(place, clue.at)]
        distance = sum(p.kind not in _UNHEARD for p in between)
        return (part(clue.at), distance, clue.sub, number)

    return tuple(sorted(range(len(clues)), key=rank))


class _English:
    """Where the parts of an English question lie around a mention."""

    def __init__(self, pieces: Sequence[Piece], place: int, lex: Lexicon) -> None:
        self.pieces, self.place, self.lex = pieces, place, lex
        self.asked = opening(pieces[:place], lex)
        self.later = [at for at in asking(pieces, lex) if at > place]
        self.auxiliary = self._auxiliary()
        self.clause_end = self._clause_end()

    def _clause_end(self) -> int:
        """Return where a clause about or with the mention ends: "where M was born", "M, who was born …"."""
        after = self.place + 1
        ahead = [i for i, p in enumerate(self.pieces[: self.place]) if p.kind != "stop"][-1:]
        is_within = any("relative" in self.pieces[i].also and i != self.asked for i in ahead)
        is_about = any("relative" in p.also for p in self.pieces[after : after + 2])
        if not (is_within or is_about) or any(q < after + 2 for q in self.later):
            return after
        verbs = [at for at in range(after, len(self.pieces)) if is_verb(self.pieces[at], self.lex)]
        return verbs[0] + 1 if verbs else after

    def _auxiliary(self) -> int | None:
        """Return where the word stands that the subject follows ("did", "was"), if before the mention."""
        start = (self.asked if self.asked is not None else -1) + 1
        for at in range(start, self.place):
            piece = self.pieces[at]
            if piece.kind == "mention" or "relative" in piece.also:
                return None
            if "openers" in piece.also:
                return at
        return None

    def __call__(self, at: int) -> int:
        """Return the part of the sentence that a piece belongs to."""
        if at < self.place:
            is_ahead = self.auxiliary is not None and at < self.auxiliary
            return _ASKED if is_ahead and self.asked is not None else _LEFT
        between = self.pieces[self.clause_end : at]
        if any("openers" in p.also for p in between):
            return _SAID
        if at < self.clause_end:
            return _TIGHT
        if is_verb(self.pieces[at], self.lex):
            if self.auxiliary is not None and self._is_part_of_subject():
                return _MAIN
            if self.asked is None and self.later:
                return _SAID
        elif any("articles" in p.also for p in between):
            return _MAIN  # "was M a member of": no part of the name's own phrase
        return _SAID if any(q < at for q in self.later) else _TIGHT

    def _is_part_of_subject(self) -> bool:
        """Tell whether more than the mention is the subject: "was the *director of* M", "was M's *wife*"."""
        assert self.auxiliary is not None
        before = self.pieces[self.auxiliary + 1 : self.place]
        after = self.pieces[self.place + 1 : self.place + 2]
        is_owner = any("possessive" in p.also for p in after)
        return is_owner or any(p.kind in ("cue", "word", "of", "by") for p in before)


class _Chinese:
    """Where the parts of a Chinese question lie around a mention."""

    def __init__(self, pieces: Sequence[Piece], place: int, lex: Lexicon) -> None:
        self.place = place
        self.has_subject = opening(pieces[:place], lex) is not None

    def __call__(self, at: int) -> int:
        """Return the part of the sentence that a piece belongs to."""
        if at > self.place:
            return _LEFT
        return _MAIN if self.has_subject else _TIGHT


def _place(pieces: Sequence[Piece], mention: int) -> int | None:
    """Return where a mention stands; the noun after "which" where it is one of a list set apart ("…, A or B")."""
    place = next((i for i, p in enumerate(pieces) if p.mention == mention), None)
    start = next((i for i, p in enumerate(pieces) if p.kind in ("which", "ask")), None)
    if place is None or start is None or start > place:
        return place
    tail = next((i for i in range(place, 0, -1) if pieces[i].kind == "mark"), None)
    if tail is None or not any(p.kind == "or" for p in pieces[tail:]) or tail < start:
        return place
    if any(p.kind == "mention" for p in pieces[start:tail]):
        first = min(i for i in range(start, tail) if pieces[i].kind == "mention")
        tail = next((i for i in range(first, start, -1) if pieces[i].kind == "mark"), 0)
    return start if tail > start else place
