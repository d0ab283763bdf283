"""What a question asks for, found by its words alone.

A question is read as *clues* around its *mentions*. A clue is a word or phrase that some relation should
explain ("directed"), or that the answer's type should ("actor"). For every mention the clues are put in the
order in which relations would be followed from it: what stands next to the mention first, the main verb last.
The question's `kind` says what to do with what is found: name it, count it, compare it, confirm it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kgcore.llm.offline.lexicon import Cue, Label, Lexicon, Phrase, Pick, language_of, lexicon
from kgcore.llm.offline.pieces import Piece, cut
from kgcore.llm.offline.roles import chained_direction, wanted_direction
from kgcore.ranking.stems import has_cjk, words
from kgcore.ranking.stems import stem as stem_of

_WEIGHTS = {"cue": 1.0, "word": 0.8, "type": 0.3, "weak": 0.4, "modifier": 0.4}


@dataclass(frozen=True, slots=True)
class Clue:
    """A phrase to be explained. `at` is the piece it starts at; `sub` orders the links of a chain word."""

    text: str
    at: int
    stems: Phrase
    weight: float
    labels: tuple[Label, ...] = ()
    cue: Cue | None = None
    sub: int = 0
    is_type: bool = False
    is_asked: bool = False  # a type that the answer itself must have ("which actor")
    is_key: bool = False  # what a comparison compares; always followed last
    is_back: bool = False  # followed against the way its cue means it
    group: int = -1  # clues of one group ("compose the music") may be explained by one relation

    @property
    def is_soft(self) -> bool:
        """Whether it is a kind of thing or a small word ("from"), which need no relation of their own."""
        return self.is_type or (self.cue is not None and self.cue.is_weak)


@dataclass(frozen=True, slots=True)
class Analysis:
    """A question, read."""

    question: str
    language: str
    lex: Lexicon
    mentions: tuple[str, ...]
    kind: str  # find, count, claim, same, compare, pick, common
    aspect: str  # person, time, place, count, amount, reason, any
    clues: tuple[Clue, ...]
    orders: tuple[tuple[int, ...], ...]  # for every mention, its clues from the nearest to the last
    directions: tuple[
        tuple[str, ...], ...
    ]  # for every mention and clue: "out", "in" or "" (either)
    chained: tuple[str, ...]  # the same for every clue when it is followed after another one
    pick: Pick | None = None
    numbers: tuple[str, ...] = ()
    is_yes_no: bool = False
    missing: tuple[int, ...] = ()  # mentions that no graph has
    excludes_mention: bool = False  # "the same … as M" asks for others than M

    def say(self, name: str, **values: object) -> str:
        """Return a fixed text in the question's language."""
        return self.lex.says[name].format(**values)


@lru_cache(maxsize=512)
def analyse(
    question: str,
    mentions: tuple[str, ...],
    language: str = "en",
    missing: tuple[int, ...] = (),
) -> Analysis:
    """Read a question whose mentions are known; those `missing` are in no graph."""
    lex = lexicon(language_of(question, language))
    pieces = cut(question, mentions, lex)
    aspect = _aspect(pieces)
    pick = next((p.pick for p in pieces if p.pick), None)
    kind, is_yes_no = _kind(pieces, aspect, pick)
    if kind not in ("compare", "pick"):
        pick = None
    clues = _with_key(_clues(pieces, lex), pick)
    clues = clues or _asked_clues(pieces, lex)
    orders = tuple(_order(clues, pieces, m, aspect) for m in range(len(mentions)))
    clues = _with_labels(clues, pieces, orders, aspect, pick)
    return Analysis(
        question=question,
        language=lex.language,
        lex=lex,
        mentions=mentions,
        kind=kind,
        aspect=aspect,
        clues=clues,
        orders=orders,
        directions=tuple(
            tuple("" if c.is_back else wanted_direction(pieces, c.at, c.cue, m) for c in clues)
            for m in range(len(mentions))
        ),
        chained=tuple("" if c.is_back else chained_direction(pieces, c.at, c.cue) for c in clues),
        pick=pick,
        numbers=tuple(p.text for p in pieces if p.kind == "number"),
        is_yes_no=is_yes_no,
        missing=missing,
        excludes_mention=any(c.is_back for c in clues),
    )


def _aspect(pieces: Sequence[Piece]) -> str:
    """Return what the first question word asks for; "any" for which and what, and for yes or no."""
    for piece in pieces:
        if piece.kind == "ask":
            return piece.aspect
        if piece.kind in ("which", "openers"):
            break
    later = next((p.aspect for p in pieces if p.kind == "ask" and "relative" not in p.also), "")
    return later if not any(p.kind == "which" for p in pieces) and later else "any"


def _kind(pieces: Sequence[Piece], aspect: str, pick: Pick | None) -> tuple[str, bool]:
    meaningful = [p for p in pieces if p.kind not in ("stop", "mark")]
    first = meaningful[0].kind if meaningful else ""
    is_yes_no = first == "openers" or any(p.kind == "questions" for p in pieces)
    n_mentions = sum(p.kind == "mention" for p in pieces)
    has_or = any(p.kind == "or" for p in pieces)
    if is_yes_no and n_mentions > 1 and any(p.kind == "same" for p in pieces):
        return "same", True
    if pick and n_mentions > 1:
        return "compare", is_yes_no and not has_or
    if is_yes_no:
        if n_mentions > 1 and any(p.kind == "common" for p in pieces) and not has_or:
            return "same", True
        return "claim", True
    if aspect == "count":
        return "count", False
    if pick and n_mentions == 1:
        return "pick", False
    if n_mentions > 1:
        return "common", False
    return "find", False


def _clues(pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    found: list[Clue] = []
    for at, piece in enumerate(pieces):
        before = pieces[at - 1] if at else None
        if piece.kind == "cue" and piece.cue is not None:
            if _is_apposition(pieces, at):
                continue
            if found and before is not None and before.kind == "word":
                found[-1] = replace(found[-1], weight=_WEIGHTS["modifier"])
            found.extend(_cue_clues(piece, at, pieces, lex))
        elif piece.kind == "word" and not (len(piece.text) == 1 and has_cjk(piece.text)):
            if found and before is not None and before.kind == "word" and found[-1].cue is None:
                last = found[-1]
                gap = "" if lex.language == "zh" else " "
                text = last.text + gap + piece.text
                found[-1] = replace(last, text=text, stems=last.stems + piece.stems)
            else:
                found.append(Clue(piece.text, at, piece.stems, _WEIGHTS["word"]))
    found = _mirrored(found, pieces)
    return _grouped(_types_last(tuple(found), pieces), pieces)


def _grouped(clues: tuple[Clue, ...], pieces: Sequence[Piece]) -> tuple[Clue, ...]:
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
    between = pieces[first.at + 1 : second.at]
    if all(p.kind in ("stop", "auxiliaries", "openers", "which") for p in between):
        return True
    has_same_labels = bool(first.cue.labels) and first.cue.labels == second.cue.labels
    return has_same_labels and _is_asked_for(pieces, first.at)


def _asked_clues(pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    """Let the question word itself be the clue where nothing else is ("how long is M")."""
    return tuple(
        Clue(p.text, at, p.stems, _WEIGHTS["cue"], labels=lex.defaults[p.stems])
        for at, p in enumerate(pieces)
        if p.kind == "ask" and p.stems in lex.defaults
    )[:1]


def _mirrored(clues: list[Clue], pieces: Sequence[Piece]) -> list[Clue]:
    """Let what is shared be followed there and back: "films with the same director as M"."""
    if sum(p.kind == "mention" for p in pieces) != 1 or not _shares(pieces):
        return clues
    start = next(i for i, p in enumerate(pieces) if p.kind in ("same", "common"))
    shared = next((c for c in clues if c.at > start and c.cue and not c.sub), None)
    if shared is None or shared.cue is None or shared.cue.chain:
        return clues
    back = replace(shared, sub=1, is_type=False, is_back=True, weight=_WEIGHTS["cue"])
    there = replace(shared, is_type=False, weight=_WEIGHTS["cue"])
    place = clues.index(shared)
    return [*clues[:place], there, back, *clues[place + 1 :]]


def _shares(pieces: Sequence[Piece]) -> bool:
    return any(p.kind == "same" or (p.kind == "common" and p.text[:4] == "shar") for p in pieces)


def _cue_clues(piece: Piece, at: int, pieces: Sequence[Piece], lex: Lexicon) -> list[Clue]:
    cue = piece.cue
    assert cue is not None
    if cue.chain:
        return [
            Clue(
                piece.text,
                at,
                link,
                _WEIGHTS["cue"],
                cue=lex.cues[link],
                sub=place,
                is_back=text.startswith("<"),
            )
            for place, (text, link) in enumerate(zip(cue.chain, _phrases(cue.chain), strict=True))
        ]
    is_type = bool(cue.classes or cue.kind == "person") and _is_asked_for(pieces, at)
    weight = _WEIGHTS["weak" if cue.is_weak else "type" if is_type else "cue"]
    return [Clue(piece.text, at, piece.stems, weight, cue=cue, is_type=is_type, is_asked=is_type)]


def _phrases(texts: Sequence[str]) -> list[Phrase]:
    return [tuple(stem_of(w) for w in words(text)) for text in texts]


def _is_asked_for(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether the noun stands right after "which", "what" or "how many"."""
    for piece in reversed(pieces[:at]):
        if piece.kind == "which" or (piece.kind == "ask" and piece.aspect == "count"):
            return True
        if piece.kind not in ("word", "pick", "stop", "number"):
            return False
        if piece.kind == "stop" and piece.text.casefold() in ("the", "的"):
            return False
    return False


def _is_apposition(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether the noun only says what the mention beside it is ("the film Titanic", "披头士乐队")."""
    piece = pieces[at]
    if piece.cue is None or not piece.cue.classes or _is_asked_for(pieces, at):
        return False
    if at + 1 < len(pieces) and pieces[at + 1].kind == "mention":
        is_plural = piece.text.isascii() and piece.text.endswith("s")
        has_pair = any(p.kind in ("common", "or") for p in pieces)
        return not is_plural or has_pair
    is_after = at > 0 and pieces[at - 1].kind == "mention" and has_cjk(piece.text)
    return is_after and piece.cue.kind != "work"


def _types_last(clues: tuple[Clue, ...], pieces: Sequence[Piece]) -> tuple[Clue, ...]:
    """A kind of thing weighs little where another clue names the relation, and all where none does."""
    has_relation = any(
        (c.cue is not None and not c.is_soft and _is_relation(c, pieces))
        or (c.cue is None and c.weight >= _WEIGHTS["word"])
        for c in clues
    )
    if not has_relation:
        return clues
    return tuple(c if c.cue is None or _is_relation(c, pieces) else _as_type(c) for c in clues)


def _as_type(clue: Clue) -> Clue:
    return replace(clue, is_type=True, weight=_WEIGHTS["type"])


def _is_relation(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether a cue names a relation: a kind of thing does before "of" ("the genres of M")."""
    if clue.cue is None or not clue.cue.classes:
        return not clue.is_type
    after = pieces[clue.at + 1] if clue.at + 1 < len(pieces) else None
    is_of = after is not None and after.kind == "of" and "possessive" not in after.also
    before = pieces[clue.at - 1] if clue.at else None
    is_owned = before is not None and before.text in ("'s", "’s")
    return clue.cue.kind != "work" and (is_of or is_owned)


def _with_key(clues: tuple[Clue, ...], pick: Pick | None) -> tuple[Clue, ...]:
    """Add what is compared where the question leaves it to the comparing word ("older")."""
    if pick is None or not pick.labels:
        return clues
    for clue in clues:
        if clue.cue is None or clue.is_type:
            continue
        aspects = {aspect for aspect, _ in clue.cue.by}
        if pick.aspect in aspects or clue.cue.kind == pick.aspect:
            return clues
        if not clue.cue.kind and not aspects and not clue.cue.classes and pick.aspect == "amount":
            return clues
    return (*clues, Clue(pick.name, 999, (), _WEIGHTS["cue"], labels=pick.labels, is_key=True))


def _order(
    clues: tuple[Clue, ...], pieces: Sequence[Piece], mention: int, aspect: str
) -> tuple[int, ...]:
    place = _place(pieces, mention)
    if place is None:
        return tuple(range(len(clues)))

    def rank(number: int) -> tuple[int, int, int]:
        clue = clues[number]
        if clue.is_key:
            return (3, 0, 0)
        between = pieces[min(place, clue.at) + 1 : max(place, clue.at)]
        distance = sum(
            p.kind not in ("stop", "mark", "word", "auxiliaries", "openers") for p in between
        )
        is_possessive = clue.at > place and any(p.kind == "possessive" for p in between)
        if is_possessive:
            return (0, distance, clue.sub)
        is_main = clue.at > place and _is_main_verb(pieces, place, clue.at)
        return (2 if is_main else 1, distance, clue.sub)

    return tuple(sorted(range(len(clues)), key=lambda i: (rank(i), i)))


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


def _is_main_verb(pieces: Sequence[Piece], place: int, at: int) -> bool:
    """Tell whether the clue is the verb of "where was the … of M born": it comes after all that M is part of."""
    opener = next((i for i, p in enumerate(pieces[:place]) if "openers" in p.also), None)
    if opener is None or any("relative" in p.also for p in pieces[opener:place]):
        return False
    return not any("relative" in p.also for p in pieces[place:at])


def _with_labels(
    clues: tuple[Clue, ...],
    pieces: Sequence[Piece],
    orders: Sequence[tuple[int, ...]],
    aspect: str,
    pick: Pick | None,
) -> tuple[Clue, ...]:
    """Give every cue the labels that fit what is asked of it: the last one answers the question word."""
    last = {order[-1] for order in _without_types(orders, clues)} if clues else set()
    result: list[Clue] = []
    for number, clue in enumerate(clues):
        if clue.cue is None:
            result.append(clue)
            continue
        asked = "any"
        if pick is not None and not any(c.is_key for c in clues):
            asked = pick.aspect
        elif number in last or not orders:
            asked = aspect
        local = _local_aspect(pieces, clue.at)
        labels = clue.cue.labels_for(local or asked)
        if clue.is_back:
            labels = tuple(replace(label, is_inverse=not label.is_inverse) for label in labels)
        result.append(replace(clue, labels=labels))
    return tuple(result)


def _without_types(
    orders: Sequence[tuple[int, ...]], clues: tuple[Clue, ...]
) -> list[tuple[int, ...]]:
    trimmed = [tuple(i for i in order if not clues[i].is_soft) for order in orders]
    return [short or order for short, order in zip(trimmed, orders, strict=True) if order]


def _local_aspect(pieces: Sequence[Piece], at: int) -> str:
    """Return what a relative "where" close before the clue, or a number behind it, says of it."""
    after = [p.kind for p in pieces[at + 1 : at + 3] if p.kind != "stop"]
    if after[:1] == ["number"]:
        return "time"
    for piece in reversed(pieces[max(0, at - 4) : at]):
        if piece.kind == "ask" and piece.aspect in ("place", "time"):
            return piece.aspect
        if piece.kind == "cue":
            break
    return ""
