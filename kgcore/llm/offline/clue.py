"""A clue: a word or phrase of a question that some relation should explain, or the kind of the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kgcore.llm.offline.lexicon import Cue, Label, Phrase

WEIGHTS = {"cue": 1.0, "word": 0.8, "type": 0.3, "weak": 0.4, "modifier": 0.4, "beside": 0.15}


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
    is_relation: bool = False  # names a relation although it is a kind of thing
    wants: str = ""  # the kind of thing that the relation must name, where the question says it
    whole: str = ""  # all unknown words of the question, which may name a relation together
    twin: int = (
        -1
    )  # a verb joined to this one, followed from the same things: "directed *and starred in*"
    group: int = -1  # clues of one group ("compose the music") may be explained by one relation

    @property
    def names_relation(self) -> bool:
        """Whether it asks for a relation of its own."""
        if self.cue is None:
            return self.weight >= WEIGHTS["word"]
        return self.is_relation or (not self.is_soft and not self.cue.classes)

    @property
    def is_soft(self) -> bool:
        """Whether it is a kind of thing or a small word ("from"), which need no relation of their own."""
        return self.is_type or (self.cue is not None and self.cue.is_weak)


def as_relation(clue: Clue) -> Clue:
    """Return a clue that names a relation, although it may be a kind of thing."""
    return replace(clue, is_type=False, is_relation=True, weight=WEIGHTS["cue"])
