"""The words of each language: those prompts are made of and those replies are read by (phrases/*.yaml).

Prompts are worded in the request's language. Replies are read with the words of all languages together, since a
model may answer in another language than it was asked in.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Wording:
    """What replies are read by, of all languages; all texts folded."""

    keywords: Mapping[str, tuple[str, ...]]  # field → ways to write it, longest first
    actions: Mapping[str, str]  # way to write it → action
    none: frozenset[str]
    yes: frozenset[str]
    no: frozenset[str]
    unknown: tuple[str, ...]
    unknown_whole: frozenset[str]
    unchanged: frozenset[str]
    enough: frozenset[str]
    separators: tuple[str, ...]
    months: Mapping[str, int]
    multiples: Mapping[str, int]


def fold(text: str) -> str:
    """Return the text for comparing: width, case and spaces evened out, apostrophes alike, no hidden marks."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return " ".join(text.casefold().split())


@cache
def wording() -> Wording:
    """Return the words replies are read by."""
    data = [_load(language) for language in LANGUAGES]
    keywords: dict[str, list[str]] = {}
    actions: dict[str, str] = {}
    for words in data:
        for name, ways in words["keywords"].items():
            keywords.setdefault(name, []).extend(fold(way) for way in ways)
        for action, ways in words["actions"].items():
            actions.update((fold(way), action) for way in ways)
    return Wording(
        {
            name: tuple(sorted(set(ways), key=lambda w: (-len(w), w)))
            for name, ways in keywords.items()
        },
        actions,
        _all(data, "none"),
        _all(data, "yes"),
        _all(data, "no"),
        tuple(sorted(_all(data, "unknown"))),
        _all(data, "unknown_whole"),
        _all(data, "unchanged"),
        _all(data, "enough"),
        tuple(sorted(_all(data, "separators"))),
        {fold(m): i for words in data for i, m in enumerate(words["months"], 1)},
        {fold(m): size for words in data for m, size in words["multiples"].items()},
    )


def say(language: str, name: str, **values: object) -> str:
    """Return one of the words prompts are made of, in a language, with its values put in."""
    text = _load(_known(language))["prompt"][name]
    return str(text).format(**values)


def prompt_words(language: str) -> str:
    """Return all words prompts are made of in a language, for their version."""
    return json.dumps(_load(_known(language))["prompt"], ensure_ascii=False)


def _known(language: str) -> str:
    code = language.split("-")[0].lower()
    return code if code in LANGUAGES else "en"


def _all(data: list[Any], name: str) -> frozenset[str]:
    return frozenset(fold(text) for words in data for text in words[name])


@cache
def _load(language: str) -> Any:
    file = resources.files("kgcore.prompts") / "phrases" / f"{language}.yaml"
    return yaml.safe_load(file.read_text(encoding="utf-8"))
