"""Which names does a question hold, and which candidate does a name stand for?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgcore.llm.offline.kinds import is_a
from kgcore.llm.offline.lexicon import Cue, Lexicon, language_of, lexicon
from kgcore.llm.offline.pieces import cut
from kgcore.llm.offline.sentence import is_asked_for
from kgcore.ranking import overlap
from kgcore.ranking.stems import CJK, fold, has_cjk, stem, stop_words, words
from kgcore.steps import Candidate

_QUOTED = re.compile(r"《([^《》]+)》|“([^“”]+)”|「([^「」]+)」|\"([^\"]+)\"")
_WORD = rf"[A-Z0-9](?:[^\W{CJK}]|[.'’&-])*"
_LINKS = r"(?:(?:of|the|and|in|on|de|la|van|von|der|den|del|di|da|for|to|a)\s+)*"
_NAME = re.compile(rf"{_WORD}(?:\s+{_LINKS}{_WORD})*")
_YEAR_BEHIND = re.compile(r"\s*[(（]\d{4}[)）]")
_FLOOR = 0.5
_SHORTEST = 4  # letters of a word that may stand for a longer name
_SHORTEST_CJK = 2  # characters of the same
_SAME = (
    0.1  # what a label adds that is the mention itself, and again when it is so letter by letter
)
_KIND = 0.2  # what agreement with the kind of thing that stands beside the mention adds
_KIND_ASKED = -0.1  # the same of the kind of thing that is asked for
_KIND_FAR = 0.05  # the same of a kind of thing elsewhere in the question
_YEAR = (
    0.2  # what a year of the question adds that the description holds: "the 1969 film True Grit"
)
_CONTEXT = 0.3  # what agreement of the description with the question can add

Span = tuple[int, int]


def find_mentions(question: str, spotted: Sequence[Candidate], language: str) -> tuple[str, ...]:
    """Return the names in the question, in their order there."""
    lex = lexicon(language_of(question, language))
    spans: list[Span] = []
    quoted = _quoted(question)
    offered = [*quoted, *_spotted(question, spotted, lex), *_capitalised(question, lex)]
    offered = [*_labels_around(question, spotted, quoted), *offered]
    for span in offered:
        if all(span[1] <= s or span[0] >= e for s, e in spans):
            spans.append(span)
    spans = spans or _unknown_words(question, lex)
    return tuple(dict.fromkeys(_with_year(question, span) for span in sorted(spans)))


def _unknown_words(question: str, lex: Lexicon) -> list[Span]:
    """Return the words nothing is known of, where nothing is written as a name: "诺兰在哪里出生", "where was nolan born".

    What has an article, or is asked for, is a thing of some kind: "what is the boiling point".
    """
    if any(c.isupper() for c in question[1:]):
        return []
    found: list[Span] = []
    before, end = "", 0
    for piece in cut(question, (), lex):
        start = question.find(piece.text, end)
        end = start + len(piece.text)
        if piece.kind != "word":
            is_kind = piece.kind in ("ask", "which") or {"articles", "definite"} & piece.also
            before = "kind" if is_kind else ""
        elif before == "name":
            found[-1] = (found[-1][0], end)
        elif not before:
            found.append((start, end))
            before = "name"
    return [(s, e) for s, e in found if e - s >= _shortest(question[s:e])]


def _shortest(text: str) -> int:
    return _SHORTEST_CJK if has_cjk(text) else _SHORTEST


def _with_year(question: str, span: Span) -> str:
    """Return the name with the year in brackets behind it, which tells two of one name apart."""
    year = _YEAR_BEHIND.match(question, span[1])
    return question[span[0] : year.end() if year else span[1]]


def _quoted(question: str) -> list[Span]:
    found = []
    for match in _QUOTED.finditer(question):
        group = next(g for g in range(1, 5) if match[g] is not None)
        found.append(match.span(group))
    return found


def _labels_around(
    question: str, spotted: Sequence[Candidate], quoted: Sequence[Span]
) -> list[Span]:
    """Return the labels that hold a quoted part and stand in the question whole: 'Zoë "Zed" O'Brien, Jr.'."""
    found: set[Span] = set()
    for candidate in spotted:
        start = question.find(candidate.mention) if candidate.mention else -1
        span = (start, start + len(candidate.mention))
        is_label = words(candidate.mention) == words(candidate.entity.label)
        if start >= 0 and is_label and any(span[0] < s and e < span[1] for s, e in quoted):
            found.add(span)
    return sorted(found, key=lambda s: (s[0] - s[1], s[0]))


def _spotted(question: str, spotted: Sequence[Candidate], lex: Lexicon) -> list[Span]:
    """Return the spans a label index found that are names, longest first."""
    spans: set[Span] = set()
    folded = question.lower()
    for candidate in spotted:
        text = candidate.mention
        start = folded.find(text.lower()) if text else -1
        if start >= 0:
            spans.add(_without_small_words(question, (start, start + len(text)), lex))
    names = [s for s in spans if _is_name(question, s, lex)]
    if len(names) > 1:
        names = [s for s in names if not _is_owned_word(question, s, lex)]
    has_capitals = any(question[s].isupper() and s > 0 for s, _ in names)
    if has_capitals:
        names = [s for s in names if not _is_plain_word(question[s[0] : s[1]])]
    return sorted(names, key=lambda s: (s[0] - s[1], s[0]))


def _without_small_words(question: str, span: Span, lex: Lexicon) -> Span:
    """Cut Chinese words of the question off a name in letters: "*和* Argo", "X-Men *哪部*"."""
    tokens = [(m.start(), m.end()) for m in re.finditer(r"\S+", question[slice(*span)])]
    kept = [(s, e) for s, e in tokens if not _is_small(question[span[0] + s : span[0] + e], lex)]
    return (span[0] + kept[0][0], span[0] + kept[-1][1]) if kept else span


def _is_small(text: str, lex: Lexicon) -> bool:
    return has_cjk(text) and all(p.kind not in ("word", "cue") for p in cut(text, (), lex))


def _is_owned_word(question: str, span: Span, lex: Lexicon) -> bool:
    """Tell whether a span is a word of the language beside what owns it: "Kobe Bryant's *Death*", "*opposites* of"."""
    text, before, after = question[span[0] : span[1]], question[: span[0]], question[span[1] :]
    if has_cjk(text) or len(text.split()) > 1:
        return False
    is_possessed = bool(re.search(r"['’]s\s*$", before)) and _is_known(fold(text), lex)
    return is_possessed or (text == text.lower() and bool(re.match(r"\s+of\b", after)))


def _is_plain_word(text: str) -> bool:
    """Tell whether a text is small letters only: next to names in capitals it is hardly a name."""
    return not has_cjk(text) and text == text.lower() and not any(c.isdigit() for c in text)


def _is_name(question: str, span: Span, lex: Lexicon) -> bool:
    """Tell whether a span may be a name: not when it is made of the language's own question words."""
    text = question[span[0] : span[1]]
    if has_cjk(text):
        return len(text) > 1 and text not in lex.vocabulary
    if text.isdigit():
        return False
    parts = words(text)
    is_title = text[:1].isupper() and span[0] > 0
    if all(w in stop_words() or w in lex.stop for w in parts):
        return is_title and len(parts) > 1
    is_written_as_title = sum(part[:1].isupper() for part in text.split()) > 1
    if is_title or is_written_as_title:
        return True
    return not all(_is_known(w, lex) for w in parts)


def _is_known(word: str, lex: Lexicon) -> bool:
    return stem(fold(word)) in lex.vocabulary or word in lex.stop or word in stop_words()


def _capitalised(question: str, lex: Lexicon) -> list[Span]:
    """Return runs of capitalised words, without the first word of the question where it is a common one."""
    found: list[Span] = []
    for match in _NAME.finditer(question):
        start, end = match.span()
        text = question[start:end].rstrip(".'’&-")
        end = start + len(text)
        while text and _is_common(text.split()[0], lex, is_first=start == 0):
            first = text.split()[0]
            rest = text[len(first) :].lstrip()
            start, text = end - len(rest), rest
        for suffix in ("'s", "’s"):
            if text.endswith(suffix):
                text, end = text[: -len(suffix)], end - len(suffix)
        if text and text[0].isupper() and not text.isdigit():
            found.append((start, end))
    return sorted(found, key=lambda s: (s[0] - s[1], s[0]))


def _is_common(word: str, lex: Lexicon, *, is_first: bool) -> bool:
    if not is_first:
        return False
    return all(_is_known(part, lex) for part in words(word))


def choose_entity(
    question: str, mention: str, candidates: Sequence[Candidate], language: str
) -> int | None:
    """Return the position of the candidate that fits best; None when none is near enough.

    Where no label is much the same, one that the name begins or ends will do: Nolan is Christopher Nolan.
    """
    scores = [_candidate_score(question, mention, c, language) for c in candidates]
    best = _best(scores, range(len(candidates)))
    if best is None or candidates[best].score < _FLOOR:
        return _best(scores, _longer_names(mention, candidates))
    return best


def _best(scores: Sequence[float], likely: Sequence[int]) -> int | None:
    return max(likely, key=lambda i: (scores[i], -i), default=None)


def _longer_names(mention: str, candidates: Sequence[Candidate]) -> list[int]:
    """Return the positions of the longer names that a name of one word begins or ends."""
    said = words(mention)
    if len(said) != 1 or len(said[0]) < _shortest(said[0]):
        return []
    called = [words(c.entity.label) for c in candidates]
    return [i for i, name in enumerate(called) if said[0] in (*name[:1], *name[-1:])]


def _candidate_score(question: str, mention: str, candidate: Candidate, language: str) -> float:
    entity = candidate.entity
    told = " ".join([entity.description, *entity.types])
    is_same = (fold(entity.label) == fold(mention)) + (entity.label == mention)
    kinds = _kinds(question, mention, language)
    kind = max((weight for cue, weight in kinds if is_a(entity, cue)), default=0.0)
    is_told = bool(told.strip()) and kind >= 0
    agreement = overlap(told, question.replace(mention, " ")) if is_told else 0.0
    years = _years(mention) or _years(question)
    is_of_year = bool(years & _years(entity.description))
    return candidate.score + _SAME * is_same + _CONTEXT * agreement + _YEAR * is_of_year + kind


def _years(text: str) -> set[str]:
    return set(re.findall(r"\b\d{4}\b", text))


def _kinds(question: str, mention: str, language: str) -> list[tuple[Cue, float]]:
    """Return the kinds of things the question names, with what each says of the mention.

    A noun beside the mention says what it is; one that is asked for ("which albums") hardly means it, unless the
    mention is one to choose from ("which country …, M or N").
    """
    pieces = cut(question, (mention,), lexicon(language_of(question, language)))
    has_choice = any(piece.kind == "or" for piece in pieces)
    found: list[tuple[Cue, float]] = []
    for at, piece in enumerate(pieces):
        if piece.cue is None or not piece.cue.classes:
            continue
        if is_asked_for(pieces, at):
            found.append((piece.cue, _KIND if has_choice else _KIND_ASKED))
            continue
        beside = pieces[max(0, at - 1) : at + 2]
        is_beside = any(p.kind == "mention" for p in beside)
        found.append((piece.cue, _KIND if is_beside else _KIND_FAR))
    return found
