"""The catalogues of translations and the look-ups in them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

LANGUAGES = {"en": "English", "zh": "简体中文"}
_SOURCE = "en"
SENTENCES = frozenset({"error", "note", "problem", "reason", "told", "why"})  # values told in turn
NUMBERS = frozenset({"k", "line", "m", "n", "node", "number", "seconds"})  # values that are numbers
_LEAST = 4  # letters a pattern must have beside its values, or it would fit anything
_HOLE = re.compile(r"\{([a-z_]+)(?:![rsa])?(?::[^{}]*)?\}")


def mark(message: str) -> str:
    """Return the text as it is: it is translated where it is shown."""
    return message


def translate(message: str, language: str, /, **values: Any) -> str:
    """Return the text in a language with its `{names}` filled in; English where no translation is known."""
    found = catalogue(language).get(message, message)
    return found.format(**values) if values else found


def plural(one: str, many: str, n: int, language: str, /, **values: Any) -> str:
    """Return `one` or `many` in a language, whichever fits n, with `{n}` and other values filled in."""
    return translate(one if n == 1 else many, language, n=n, **values)


def told(sentence: str, language: str, /) -> str:
    """Return a finished English sentence, such as an error's, in a language: the first pattern that fits counts.

    A pattern is a catalogue's text with `{names}` where the values stand. Values are taken over as they are, but for
    those whose name says that they are sentences themselves, such as `{error}`; `{n}` and its like stand for numbers only.
    """
    if language == _SOURCE or language not in LANGUAGES:
        return sentence
    return _told(sentence, language)


@lru_cache(maxsize=4_096)
def _told(sentence: str, language: str) -> str:
    known = catalogue(language)
    if sentence in known:
        return known[sentence]
    for pattern, translation in _patterns(language):
        if match := pattern.fullmatch(sentence):
            values = {
                name: _told(value, language) if name in SENTENCES else value
                for name, value in match.groupdict().items()
            }
            return translation.format(**values)
    where, colon, rest = sentence.partition(": ")  # a file or a service, and what is wrong with it
    known_rest = _told(rest, language) if colon else rest
    return f"{_told(where, language)}：{known_rest}" if known_rest != rest else sentence


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return all translations into a language; none for English and for unknown languages."""
    if language == _SOURCE or language not in LANGUAGES:
        return {}
    texts: dict[str, str] = {}
    for file in sorted((files(__name__.rpartition(".")[0]) / language).iterdir(), key=str):
        if file.name.endswith(".yaml"):
            texts.update(yaml.safe_load(file.read_text("utf-8")) or {})
    return texts


def holes(message: str) -> list[str]:
    """Return the names of the values a text takes, in order."""
    return _HOLE.findall(message)


@cache
def _patterns(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what finished sentences are compared with: those with the longest fixed text first.

    Before all others come openings of a whole sentence, such as "Failed: {reason}": another pattern would take the
    opening for a part of its first value.
    """
    with_holes = [m for m in catalogue(language) if _HOLE.search(m) and _n_letters(m) >= _LEAST]
    with_holes.sort(key=lambda m: (not _is_opening(m), -len(_HOLE.sub("", m)), m))
    return tuple((_pattern(m), _HOLE.sub(r"{\1}", catalogue(language)[m])) for m in with_holes)


def _is_opening(message: str) -> bool:
    """Whether a text is fixed words with a colon, and then a sentence of its own."""
    opening, _, rest = message.partition(": ")
    hole = _HOLE.fullmatch(rest)
    return hole is not None and hole.group(1) in SENTENCES and not _HOLE.search(opening)


def _n_letters(message: str) -> int:
    return sum(char.isalpha() for char in _HOLE.sub("", message))


def _pattern(message: str) -> re.Pattern[str]:
    parts, end, seen = [], 0, set()
    for hole in _HOLE.finditer(message):
        name = hole.group(1)
        parts.append(re.escape(message[end : hole.start()]))
        what = r"[\d.,]+" if name in NUMBERS else ".+?"
        parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>{what})")
        seen.add(name)
        end = hole.end()
    parts.append(re.escape(message[end:]))
    return re.compile("".join(parts), re.DOTALL)
