"""The words of a language that say what a question asks for; read from cues/LANGUAGE.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any

import yaml

from kgcore.ranking.stems import fold, has_cjk, stem, stop_words, words

LANGUAGES = ("en", "zh")
Phrase = tuple[str, ...]  # the stems of a phrase's words
Translations = Mapping[str, Sequence[str]]  # English label → how another language calls it


@dataclass(frozen=True, slots=True)
class Label:
    """What a relation may be called: its stems, and whether it is read against its direction."""

    stems: Phrase
    is_inverse: bool = False
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Cue:
    """A word that names a relation or a kind of thing; the fields are described in cues/en.yaml."""

    name: str
    labels: tuple[Label, ...] = ()
    by: tuple[tuple[str, tuple[Label, ...]], ...] = ()
    is_subject: bool = False
    is_weak: bool = False
    is_symmetric: bool = False
    classes: tuple[Phrase, ...] = ()
    kind: str = ""
    of: str = ""
    chain: tuple[str, ...] = ()

    def labels_for(self, aspect: str) -> tuple[Label, ...]:
        """Return the labels that fit what is asked for: a time, a place, …"""
        choices = dict(self.by)
        return choices.get(aspect) or choices.get("any") or self.labels


@dataclass(frozen=True, slots=True)
class Pick:
    """A word that compares: take the thing with the least or the most of something.

    With `until` labels the time from one date to another is compared ("lived longer").
    """

    name: str
    is_most: bool
    aspect: str
    labels: tuple[Label, ...] = ()
    until: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All that is known of a language."""

    language: str
    says: Mapping[str, str]
    stop: frozenset[str]
    words: Mapping[str, frozenset[Phrase]]  # openers, relative, of, by, or, same, common, …
    asks: Mapping[Phrase, str]
    defaults: Mapping[Phrase, tuple[Label, ...]]  # what a question word asks for by itself
    years: frozenset[Phrase]  # question words that ask for a year, not for a day
    dates: tuple[Label, ...]  # what dates are called
    picks: Mapping[Phrase, Pick]
    cues: Mapping[Phrase, Cue]
    forms: Mapping[Phrase, Cue]  # the same by the words as written: "filmed" is no film
    verbs: frozenset[str]  # cue words that are verbs, beside those in -ed
    with_: frozenset[str]  # prepositions of company
    small: Mapping[
        str, frozenset[str]
    ]  # small words as written, each with what it does beside others
    longest: int
    vocabulary: frozenset[str] = field(repr=False)  # what to look for where no spaces part words

    def has(self, group: str, phrase: Phrase) -> bool:
        """Tell whether a phrase belongs to a group of words."""
        return phrase in self.words[group]


def language_of(question: str, language: str) -> str:
    """Return the language to read a question in: its script decides, then what the request says."""
    if has_cjk(question):
        return "zh"
    return language if language in LANGUAGES and language != "zh" else "en"


@cache
def lexicon(language: str) -> Lexicon:
    """Return the lexicon of a language; every phrase stands for one cue."""
    path = resources.files("kgcore.llm.offline") / "cues" / f"{language}.yaml"
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    groups = {name: _group(data.get(name, "")) for name in _GROUPS}
    for name in ("taxonomic", "kinds"):
        groups[name] = frozenset(label_stems(text) for text in data.get(name, ()))
    asks = {_phrase(text): kind for kind, texts in data["asks"].items() for text in texts}
    others = data.get("translations", {})
    picks = {
        _phrase(text): _pick(text, row, others) for row in data["picks"] for text in row["words"]
    }
    cues, forms = _cues(data["cues"], others, language)
    stop = frozenset(data["stop"].split()) | stop_words()
    phrases = [*asks, *picks, *cues, *(p for name in _GROUPS for p in groups[name])]
    return Lexicon(
        language,
        data["says"],
        stop,
        groups,
        asks,
        {_phrase(text): _labels(labels, others) for text, labels in data["defaults"].items()},
        frozenset(_phrase(text) for text in data["years"]),
        _labels(data["dates"], others),
        picks,
        cues,
        forms,
        frozenset(data["verbs"].split()),
        frozenset(data["with"].split()),
        _small(data["small"]),
        max(len(p) for p in phrases),
        frozenset(w for p in phrases for w in p) | stop,
    )


@cache
def translations() -> Translations:
    """Return how Chinese graphs call relations and kinds of things."""
    path = resources.files("kgcore.llm.offline") / "cues" / "zh.yaml"
    data: Translations = yaml.safe_load(path.read_text(encoding="utf-8"))["translations"]
    return data


_GROUPS = (
    "openers",
    "questions",
    "auxiliaries",
    "relative",
    "of",
    "by",
    "or",
    "possessive",
    "which",
    "same",
    "common",
    "joint",
    "besides",
)


def _cues(
    rows: Sequence[Mapping[str, Any]], others: Translations, language: str
) -> tuple[dict[Phrase, Cue], dict[Phrase, Cue]]:
    """Return the cues by the stems of their phrases and by the phrases as written; the first row wins."""
    known = _said_of_english() if language != "en" else {}
    by_stem: dict[Phrase, Cue] = {}
    by_form: dict[Phrase, Cue] = {}
    for row in rows:
        for text in row["words"]:
            cue = _cue(text, row, others)
            kind, of = known.get(cue.labels[0].stems, ("", "")) if cue.labels else ("", "")
            cue = replace(cue, kind=cue.kind or kind, of=cue.of or of)
            by_stem.setdefault(_phrase(text), cue)
            by_form.setdefault(words(text), cue)
    return by_stem, by_form


def _said_of_english() -> dict[Phrase, tuple[str, str]]:
    """Return for labels the kinds of things that English cue words tell: what they name, what they are said of."""
    known: dict[Phrase, tuple[str, str]] = {}
    for cue in lexicon("en").cues.values():
        if cue.labels and not cue.labels[0].is_inverse:
            known.setdefault(cue.labels[0].stems, (cue.kind, cue.of))
    return known


def _small(rows: Mapping[str, str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, texts in rows.items():
        for text in texts.split():
            found.setdefault(text, set()).add(name)
    return {text: frozenset(names) for text, names in found.items()}


def _group(value: str | list[str]) -> frozenset[Phrase]:
    texts = value.split() if isinstance(value, str) else value
    return frozenset(_phrase(text) for text in texts)


def _phrase(text: str) -> Phrase:
    if text == "'s":
        return ("'s",)
    return tuple(stem(w) for w in words(text))


def _cue(text: str, row: Mapping[str, Any], others: Translations) -> Cue:
    return Cue(
        text,
        _labels(row.get("labels", ()), others),
        tuple((aspect, _labels(texts, others)) for aspect, texts in row.get("by", {}).items()),
        row.get("role") == "subject",
        bool(row.get("weak")),
        bool(row.get("symmetric")),
        tuple(
            label_stems(c) for name in row.get("classes", ()) for c in (name, *others.get(name, ()))
        ),
        row.get("kind", ""),
        row.get("of", ""),
        tuple(row.get("chain", ())),
    )


def _pick(text: str, row: Mapping[str, Any], others: Translations) -> Pick:
    labels, until = (_labels(row.get(name, ()), others) for name in ("labels", "until"))
    return Pick(text, row["pick"] == "most", row["aspect"], labels, until)


def _labels(texts: Sequence[str], others: Translations) -> tuple[Label, ...]:
    """Return labels, the first weighing most; each stands for its translations too."""
    found: list[Label] = []
    for place, text in enumerate(texts):
        is_inverse, name = text.startswith("<"), text.removeprefix("<")
        for way in (name, *others.get(name, ())):
            found.append(Label(label_stems(way), is_inverse, 0.98**place))
    return tuple(found)


_LOCATED = re.compile(r"^(所在|所属|所获)(?=.{2})")  # "that it lies in": adds nothing to a label
_LINKING = frozenset("of by in at for to the a an is as or and with s".split())


@cache
def label_stems(text: str) -> Phrase:
    """Return the stems of a relation label without linking words; of all words when none is left."""
    found = [w for w in words(text) if w not in _LINKING] or list(words(text))
    return tuple(dict.fromkeys(u for w in found for u in _units(w)))


def _units(word: str) -> Phrase:
    word = _LOCATED.sub("", word) or word
    if has_cjk(word) and len(word) > 2:
        return tuple(word[i : i + 2] for i in range(len(word) - 1))
    return (stem(fold(word)),)
