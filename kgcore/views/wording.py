"""What a caption is, and the words it is made of: phrases of a language, quoted texts, lists, names in the place of ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from kgcore.i18n import told as told_in
from kgcore.views.names import Names
from kgcore.views.safe_text import short

SAID, NAMED = 140, 3
KINDS = ("start", "graph", "think", "score", "back", "error", "human", "answer", "end")
TEXT, DETAIL = 220, 260


@dataclass(frozen=True, slots=True)
class Caption:
    """A moment of a run: the entries first…last, what kind of thing happened, and what to say of it.

    `is_stop` marks what a presenter will want to speak about: playing stops there. `nodes` are those of the search
    tree it is about, `entities` those of the graph.
    """

    first: int
    last: int
    kind: str
    text: str
    detail: str = ""
    is_stop: bool = False
    nodes: tuple[int, ...] = ()
    entities: tuple[str, ...] = ()


@cache
def phrases_of(language: str) -> Mapping[str, Any]:
    """Return what captions are made of in a language."""
    text = (files("kgcore.views") / "phrases" / f"captions.{language}.yaml").read_text("utf-8")
    data: Mapping[str, Any] = yaml.safe_load(text)
    return data


@dataclass(slots=True)
class Wording:
    """Words in one language, of one run."""

    phrases: Mapping[str, Any]
    language: str = "en"
    names: Names = field(default_factory=Names)

    def _say(self, key: str, n: int | None = None, **values: object) -> str:
        phrase = self.phrases[key]
        if n is not None:
            phrase = phrase[0 if n == 1 else 1]
            values["n"] = n
        return str(phrase).format(**values)

    def _told(self, sentence: str) -> str:
        """Return a finished English sentence, such as a reason, in the language of the captions."""
        return told_in(sentence, self.language)

    def _quote(self, text: str) -> str:
        return str(self.phrases["quote"]).format(short(text, SAID))

    def _join(self, names: Sequence[str]) -> str:
        marks, shown = self.phrases["list"], [short(name, SAID) for name in names[:NAMED]]
        if len(names) > NAMED:
            more: str = marks["more"].format(n=len(names) - NAMED)
            return str(marks["comma"].join(shown)) + more
        head = marks["comma"].join(shown[:-1])
        return str(head + marks["last"] + shown[-1]) if head else "".join(shown)

    def _names(self, identifiers: Sequence[str]) -> str:
        """Return the names of entities; of those that have none how many there are."""
        known = [name for name in map(self.names.name, identifiers) if name]
        if not known and identifiers:
            return self._say("nameless", len(identifiers))
        return self._join(list(dict.fromkeys(known)))

    def _nameless(self, *identifiers: str) -> str:
        """Return, for the small print, the ids of what has no name."""
        return ", ".join(i for i in identifiers if not self.names.name(i))

    def _and(self, *parts: str) -> str:
        """Return parts of a detail as one text."""
        return str(self.phrases["list"]["part"]).join(part for part in parts if part)

    def _caption(self, kind: str, text: str, detail: str = "", **values: Any) -> Caption:
        return Caption(0, 0, kind, short(text, TEXT), short(detail, DETAIL), **values)
