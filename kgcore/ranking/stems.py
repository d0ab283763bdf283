"""Compare texts by the stems of their words; needs nothing but the standard library and word lists.

English words lose their ending by a few rules; irregular families (born, birth) are listed in words/en.yaml.
Text without spaces (Chinese, Japanese) is compared by pairs of neighbouring characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

import yaml

from kgcore.steps import Ranking

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # for a class of characters
_PIECES = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_IS_CJK = re.compile(rf"[{CJK}]")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_VOWEL = re.compile(r"[aeiouy]")


class StemRanker:
    """Orders options by the share of their words that the question holds."""

    name = "stems"

    def rank(self, question: str, options: Sequence[str]) -> Ranking:
        """Return the options with the most shared stems first; ties keep their order."""
        scores = [overlap(question, option) for option in options]
        order = sorted(range(len(options)), key=lambda i: (-scores[i], i))
        return Ranking(tuple(order), tuple(scores[i] for i in order))


def overlap(question: str, text: str) -> float:
    """Return the share of the text's meaningful words that the question holds, in 0…1."""
    wanted = stems(text)
    if not wanted:
        return 0.0
    known = frozenset(stems(question))
    return sum(stem in known for stem in wanted) / len(wanted)


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """Return the distinct stems of the meaningful words of a text, in order; all words when none is."""
    found = [w for w in words(text) if w not in stop_words()] or list(words(text))
    return tuple(dict.fromkeys(s for w in found for s in _units(w)))


def words(text: str) -> tuple[str, ...]:
    """Split a text or an identifier (`placeOfBirth`, `written_by`) into folded words."""
    return tuple(fold(w) for w in _PIECES.findall(_HUMP.sub(" ", text)))


def fold(text: str) -> str:
    """Return a text without case, width and accents."""
    if text.isascii():
        return text.lower()
    spread = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in spread if not unicodedata.combining(c))
    return unicodedata.normalize("NFKC", bare)


def has_cjk(text: str) -> bool:
    """Tell whether a text holds Chinese or Japanese characters."""
    return bool(_IS_CJK.search(text))


def _units(word: str) -> tuple[str, ...]:
    if not has_cjk(word):
        return (stem(word),)
    if len(word) == 1:
        return (word,)
    return tuple(word[i : i + 2] for i in range(len(word) - 1))


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of a folded word: `directed`, `director` and `directing` give `direct`."""
    family = _families().get(word)
    if family is not None:
        return family
    if len(word) <= 3 or not word.isascii():
        return word
    base = _singular(word)
    return _families().get(base) or _without_ending(base)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + "y"
    for ending in ("ation", "ition", "ing", "ion", "ed", "or", "er"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and _VOWEL.search(base):
            if base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            return base.removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


@cache
def _data() -> tuple[frozenset[str], dict[str, str]]:
    stop: set[str] = set()
    families: dict[str, str] = {}
    folder = resources.files("kgcore.ranking") / "words"
    for name in ("en.yaml", "zh.yaml"):
        data = yaml.safe_load((folder / name).read_text(encoding="utf-8"))
        stop.update(data["stop"].split())
        for family, forms in data["same"].items():
            families.update(dict.fromkeys([family, *forms.split()], family))
    return frozenset(stop), families


def stop_words() -> frozenset[str]:
    """Return the words that carry no meaning of their own, in all languages."""
    return _data()[0]


def _families() -> dict[str, str]:
    return _data()[1]
