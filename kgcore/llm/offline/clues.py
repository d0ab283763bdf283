"""The clues of a question: the words that some relation, or the kind of the answer, should explain.

A cue word of the lexicon is a clue of full weight, unless it only says what kind of thing is meant ("films", in
"films directed by M"). Words nothing is known of are clues too: where no relation explains them, nothing is known
of what was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.llm.offline.clue import WEIGHTS, Clue, as_relation
from kgcore.llm.offline.groups import grouped, twinned
from kgcore.llm.offline.lexicon import Lexicon, Phrase, Pick, label_stems
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.roles import is_title
from kgcore.llm.offline.sentence import is_asked_for
from kgcore.llm.offline.together import mirrored
from kgcore.llm.offline.unknown import weigh_unknown
from kgcore.ranking.stems import has_cjk, words
from kgcore.ranking.stems import stem as stem_of


def find_clues(pieces: Sequence[Piece], lex: Lexicon, pick: Pick | None) -> tuple[Clue, ...]:
    """Return the clues of a question in order; `pick` is the word that compares, if one does."""
    clues = _with_key(_clues(pieces, lex), pick)
    if clues and pick is None:
        clues = (*clues, *_year_clues(clues, pieces, lex))
    asked = _asked_clues(pieces, lex)
    either = tuple(c for c in asked if pieces[c.at].aspect == "either")
    return (*clues, *either) if clues else asked


def _clues(pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    found: list[Clue] = []
    for at, piece in enumerate(pieces):
        before = pieces[at - 1] if at else None
        if piece.kind == "cue" and piece.cue is not None:
            if _is_apposition(pieces, at) or _is_mere_title(pieces, at, lex):
                continue
            if found and before is not None and before.kind == "word":
                found[-1] = replace(found[-1], weight=WEIGHTS["modifier"])
            found.extend(_cue_clues(piece, at, pieces, lex))
        elif piece.kind == "word" and not (len(piece.text) == 1 and has_cjk(piece.text)):
            if found and before is not None and before.kind == "word" and found[-1].cue is None:
                last = found[-1]
                gap = "" if lex.language == "zh" else " "
                text = last.text + gap + piece.text
                found[-1] = replace(last, text=text, stems=last.stems + piece.stems)
            else:
                found.append(Clue(piece.text, at, piece.stems, WEIGHTS["word"]))
    if _is_trade_asked(pieces):
        phrase = _phrases(["do for a living"])[0]
        found.append(Clue("do", len(pieces) - 1, phrase, WEIGHTS["cue"], cue=lex.cues[phrase]))
    found = [as_relation(c) if _is_relational(c, pieces) else c for c in found]
    found = weigh_unknown(found, pieces)
    found = mirrored(found, pieces, lex)
    return twinned(grouped(_types_last(tuple(found)), pieces), pieces, lex)


def _is_trade_asked(pieces: Sequence[Piece]) -> bool:
    """Tell whether "what does M do" is asked."""
    words_of = [p.text.casefold() for p in pieces if p.kind != "mark"]
    return (
        len(words_of) > 2
        and words_of[0] == "what"
        and words_of[1] in ("do", "does", "did")
        and words_of[-1] == "do"
    )


def _year_clues(clues: tuple[Clue, ...], pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    """Let a year ask for a date where no word does: "which film did M direct in 1982"."""
    is_dated = any(c.cue and (c.cue.kind == "time" or "time" in dict(c.cue.by)) for c in clues)
    years = [at for at, p in enumerate(pieces) if p.kind == "number" and len(p.text) == 4]
    if is_dated or not years or (pieces and pieces[0].kind == "openers"):
        return ()
    text, weight = pieces[years[0]].text, WEIGHTS["modifier"]
    return (Clue(text, 999, (), weight, labels=lex.dates, is_key=True, wants="time"),)


def _asked_clues(pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    """Let the question word itself be the clue where nothing else is ("how long is M")."""
    return tuple(
        Clue(p.text, at, p.stems, WEIGHTS["cue"], labels=lex.defaults[p.stems])
        for at, p in enumerate(pieces)
        if p.kind in ("ask", "which") and p.stems in lex.defaults
    )[:1]


def _cue_clues(piece: Piece, at: int, pieces: Sequence[Piece], lex: Lexicon) -> list[Clue]:
    cue = piece.cue
    assert cue is not None
    if cue.chain:
        return [
            Clue(
                piece.text,
                at,
                link,
                WEIGHTS["cue"],
                cue=lex.cues[link],
                is_relation=True,
                sub=place,
                is_back=text.startswith("<"),
            )
            for place, (text, link) in enumerate(zip(cue.chain, _phrases(cue.chain), strict=True))
        ]
    is_role = cue.kind == "person" and cue.of == "work"
    is_type = bool(cue.classes or is_role) and is_asked_for(pieces, at)
    if is_type and not cue.classes:  # "which *composers* were born in M"
        called = [label.stems for label in cue.labels[:1]]
        cue = replace(cue, classes=(label_stems(piece.text), *called))
    weight = WEIGHTS["weak" if cue.is_weak else "type" if is_type else "cue"]
    return [Clue(piece.text, at, piece.stems, weight, cue=cue, is_type=is_type, is_asked=is_type)]


def _phrases(texts: Sequence[str]) -> list[Phrase]:
    return [tuple(stem_of(w) for w in words(text)) for text in texts]


def _is_mere_title(pieces: Sequence[Piece], at: int, lex: Lexicon) -> bool:
    """Tell whether a title adds nothing, as no "by" or "for" says what was done: "did the actor M write …"."""
    if not is_title(pieces, at, lex):
        return False
    before = [p for p in pieces[:at] if "definite" not in p.also]
    is_done = bool(before) and (before[-1].kind == "by" or "purpose" in before[-1].also)
    others = [p for i, p in enumerate(pieces) if i != at and p.kind == "cue" and p.cue]
    return not is_done and any(not p.cue.classes for p in others if p.cue)


def _is_apposition(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether the noun only says what the mention beside it is ("the film Titanic", "披头士乐队")."""
    piece = pieces[at]
    if piece.cue is None or not piece.cue.classes or is_asked_for(pieces, at):
        return False
    if at + 1 < len(pieces) and pieces[at + 1].kind == "mention":
        is_plural = piece.text.isascii() and piece.text.endswith("s")
        has_pair = any(p.kind in ("common", "or") for p in pieces)
        return not is_plural or has_pair
    if has_cjk(piece.text) and _is_predicate(pieces, at):
        return True
    is_after = at > 0 and pieces[at - 1].kind == "mention" and has_cjk(piece.text)
    return is_after and piece.cue.kind != "work"


def _is_predicate(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether a Chinese kind ends a sentence that says what the mention is: "M是哪支乐队的作品"."""
    is_last = all(p.kind == "mark" for p in pieces[at + 1 :])
    place = next((i for i, p in enumerate(pieces) if p.kind == "mention"), None)
    if not is_last or place is None or at < 1 or "possessive" not in pieces[at - 1].also:
        return False
    return place + 1 < at and pieces[place + 1].kind == "auxiliaries"


def _types_last(clues: tuple[Clue, ...]) -> tuple[Clue, ...]:
    """A kind of thing weighs little where another clue names the relation, and all where none does."""
    if not any(c.names_relation for c in clues):
        return clues
    return tuple(_as_type(c) if c.cue and c.cue.classes and not c.is_relation else c for c in clues)


def _as_type(clue: Clue) -> Clue:
    return replace(clue, is_type=True, weight=WEIGHTS["type"])


def _is_relational(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether a kind of thing stands for a relation, as something owns it: "the genres of M", "the M actors"."""
    if clue.cue is None or not clue.cue.classes or clue.cue.kind == "work":
        return False
    before = pieces[clue.at - 1] if clue.at else None
    after = pieces[clue.at + 1 :]
    if before is not None and "owning" in before.also:
        return True
    if after and after[0].kind == "of" and "possessive" not in after[0].also:
        return True
    if clue.cue.kind == "place" or has_cjk(clue.text):
        return False
    if before is not None and before.kind == "mention":
        return not any("openers" in p.also for p in after[:1])
    if not after or "within" not in after[0].also:
        return False
    owner = next((p for p in after[1:] if p.kind != "stop"), None)
    return owner is not None and owner.kind in ("mention", "cue")


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
        is_amount = clue.cue.kind in ("", "number") and not aspects and not clue.cue.classes
        if is_amount and pick.aspect == "amount":
            return clues
    keys = [labels for labels in (pick.labels, pick.until) if labels]
    return (
        *clues,
        *(
            Clue(
                pick.name,
                999 + i,
                (),
                WEIGHTS["cue"],
                labels=labels,
                is_key=True,
                wants="time" if pick.aspect == "time" else "",
            )
            for i, labels in enumerate(keys)
        ),
    )
