"""The clues of a question: the words that some relation, or the kind of the answer, should explain.

A cue word of the lexicon is a clue of full weight, unless it only says what kind of thing is meant ("films", in
"films directed by M"). Words nothing is known of are clues too: where no relation explains them, nothing is known
of what was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from kgcore.llm.offline.clue import WEIGHTS, Clue, as_relation
from kgcore.llm.offline.lexicon import Cue, Lexicon, Phrase, Pick, label_stems
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.roles import is_title
from kgcore.llm.offline.sentence import is_verb
from kgcore.llm.offline.together import mirrored
from kgcore.ranking.stems import has_cjk, words
from kgcore.ranking.stems import stem as stem_of

_WITHIN = ("in", "on", "from", "for")


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
    found = _unknown_weighed(found, pieces)
    found = mirrored(found, pieces, lex)
    return _twinned(_grouped(_types_last(tuple(found)), pieces), pieces, lex)


def _is_trade_asked(pieces: Sequence[Piece]) -> bool:
    """Tell whether "what does M do" is asked."""
    words_of = [p.text.casefold() for p in pieces if p.kind != "mark"]
    return (
        len(words_of) > 2
        and words_of[0] == "what"
        and words_of[1] in ("do", "does", "did")
        and words_of[-1] == "do"
    )


def _is_head(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether unknown words are a noun that something is asked of: "the *shoe size* of M", "M's *shoe size*"."""
    end = clue.at + len(clue.stems)
    if end < len(pieces) and pieces[end].kind in ("of", "possessive"):
        return True
    before = pieces[clue.at - 1] if clue.at else None
    is_owned = before is not None and before.kind in ("of", "possessive", "which")
    return is_owned or is_asked_for(pieces, clue.at)


def _unknown_weighed(found: list[Clue], pieces: Sequence[Piece]) -> list[Clue]:
    """Weigh unknown words by their place: little where another word names the relation, least beside a name.

    Together they may name a relation that none names alone ("percentage … covered with water").
    """
    whole = " ".join(c.text for c in found if c.cue is None)
    has_relation = any(c.cue is not None and _names_relation(c) for c in found)
    result: list[Clue] = []
    for clue in found:
        if clue.cue is None:
            weight = clue.weight
            if _is_beside_name(clue, pieces):
                weight = WEIGHTS["beside"]
            elif has_relation and _is_kind_asked(clue, pieces):
                result.append(_as_asked_kind(clue))
                continue
            elif has_relation and not _is_head(clue, pieces):
                weight = min(weight, WEIGHTS["modifier"])
            clue = replace(clue, weight=weight, whole=whole if whole != clue.text else "")
        result.append(clue)
    return result


def _is_kind_asked(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether unknown words are the noun that a verb follows: "which *novelists* died", not "what *killed* M"."""
    after = pieces[clue.at + len(clue.stems) :]
    is_noun = bool(after) and (
        after[0].kind == "cue" or bool({"openers", "auxiliaries"} & after[0].also)
    )
    return is_noun and is_asked_for(pieces, clue.at)


def _as_asked_kind(clue: Clue) -> Clue:
    """Return unknown words as the kind of thing that is asked for: "which *novelists* died in M"."""
    cue = Cue(clue.text, classes=(label_stems(clue.text),))
    return replace(clue, cue=cue, weight=WEIGHTS["type"], is_type=True, is_asked=True)


def _is_beside_name(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether unknown words only say more of a name: "the *poem* Howl", "Lisa *Manoban*"."""
    end = clue.at + len(clue.stems)
    if has_cjk(clue.text):
        return False
    if end < len(pieces) and pieces[end].kind == "mention":
        return True
    is_after = clue.at > 0 and pieces[clue.at - 1].kind == "mention"
    return is_after and clue.text[:1].isupper()


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


def _twinned(clues: tuple[Clue, ...], pieces: Sequence[Piece], lex: Lexicon) -> tuple[Clue, ...]:
    """Pair neighbouring verbs that "and" joins: both hold of the same things ("who *wrote and directed* M")."""
    result = list(clues)
    for number, (first, second) in enumerate(pairwise(clues)):
        are_verbs = is_verb(pieces[first.at], lex) and is_verb(pieces[second.at], lex)
        if are_verbs and first.at < second.at and _are_joined(first, second, pieces):
            result[number] = replace(result[number], twin=number + 1)
            result[number + 1] = replace(second, twin=number)
    return tuple(result)


def _are_joined(first: Clue, second: Clue, pieces: Sequence[Piece]) -> bool:
    between = [p.text.casefold() for p in pieces[first.at + 1 : second.at] if p.kind != "mark"]
    return between in (["and"], ["and", "also"], ["and", "then"])


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


def is_asked_for(pieces: Sequence[Piece], at: int) -> bool:
    """Tell whether the noun stands right after "which", "what" or "how many"."""
    for piece in reversed(pieces[:at]):
        if "which" in piece.also or (piece.kind == "ask" and piece.aspect == "count"):
            return True
        if piece.kind not in ("word", "pick", "stop", "number", "besides"):
            return False
        if piece.kind == "stop" and piece.text.casefold() in ("the", "的"):
            return False
    return False


def _is_mere_title(pieces: Sequence[Piece], at: int, lex: Lexicon) -> bool:
    """Tell whether a title adds nothing, as no "by" or "for" says what was done: "did the actor M write …"."""
    if not is_title(pieces, at, lex):
        return False
    before = [p for p in pieces[:at] if p.text.casefold() != "the"]
    is_done = bool(before) and (before[-1].kind == "by" or before[-1].text.casefold() == "for")
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
    if not any(_names_relation(c) for c in clues):
        return clues
    return tuple(_as_type(c) if c.cue and c.cue.classes and not c.is_relation else c for c in clues)


def _names_relation(clue: Clue) -> bool:
    if clue.cue is None:
        return clue.weight >= WEIGHTS["word"]
    return clue.is_relation or (not clue.is_soft and not clue.cue.classes)


def _as_type(clue: Clue) -> Clue:
    return replace(clue, is_type=True, weight=WEIGHTS["type"])


def _is_relational(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether a kind of thing stands for a relation, as something owns it: "the genres of M", "the M actors"."""
    if clue.cue is None or not clue.cue.classes or clue.cue.kind == "work":
        return False
    before = pieces[clue.at - 1] if clue.at else None
    after = pieces[clue.at + 1 :]
    if before is not None and (before.text in ("'s", "’s") or before.text.casefold() == "whose"):
        return True
    if after and after[0].kind == "of" and "possessive" not in after[0].also:
        return True
    if clue.cue.kind == "place" or has_cjk(clue.text):
        return False
    if before is not None and before.kind == "mention":
        return not any("openers" in p.also for p in after[:1])
    if not after or after[0].text.casefold() not in _WITHIN:
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
