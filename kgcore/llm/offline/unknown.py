"""Words nothing is known of: how much each may weigh, and which is the kind of thing that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgcore.llm.offline.clue import WEIGHTS, Clue
from kgcore.llm.offline.lexicon import Cue, label_stems
from kgcore.llm.offline.pieces import Piece
from kgcore.llm.offline.sentence import is_asked_for
from kgcore.ranking.stems import has_cjk


def weigh_unknown(found: list[Clue], pieces: Sequence[Piece]) -> list[Clue]:
    """Weigh unknown words by their place: little where another word names the relation, least beside a name.

    Together they may name a relation that none names alone ("percentage … covered with water").
    """
    whole = " ".join(c.text for c in found if c.cue is None)
    has_relation = any(c.cue is not None and c.names_relation for c in found)
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


def _is_head(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether unknown words are a noun that something is asked of: "the *shoe size* of M", "M's *shoe size*"."""
    end = clue.at + len(clue.stems)
    if end < len(pieces) and pieces[end].kind in ("of", "possessive"):
        return True
    before = pieces[clue.at - 1] if clue.at else None
    is_owned = before is not None and before.kind in ("of", "possessive", "which")
    return is_owned or is_asked_for(pieces, clue.at)


def _is_beside_name(clue: Clue, pieces: Sequence[Piece]) -> bool:
    """Tell whether unknown words only say more of a name: "the *poem* Howl", "Lisa *Manoban*"."""
    end = clue.at + len(clue.stems)
    if has_cjk(clue.text):
        return False
    if end < len(pieces) and pieces[end].kind == "mention":
        return True
    is_after = clue.at > 0 and pieces[clue.at - 1].kind == "mention"
    return is_after and clue.text[:1].isupper()


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
