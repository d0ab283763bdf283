"""Kinds of things: person, work, place, … as far as types and the relations around a thing tell them.

Many graphs give few types or none. But what a film is *directed by* is a person, and what a person directed is a
work; the cue words know that of the relations they stand for (`kind` and `of` in cues/en.yaml).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from kgcore.llm.offline.alike import likeness
from kgcore.llm.offline.lexicon import (
    LANGUAGES,
    Cue,
    Phrase,
    label_stems,
    lexicon,
    translations,
)
from kgcore.model import Entity
from kgcore.ranking.stems import has_cjk
from kgcore.steps import RelationOption

_ALIKE = 0.6
_AFTER_HEAD = re.compile(
    r"[;:(]|\b(?:of|in|by|from|for|at|on|to|with|that|which|who|used|located|based|born)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[,/]|\b(?:and|or)\b", re.IGNORECASE)
_SAME = (frozenset(("person", "organisation")), frozenset(("place", "organisation")))


def can_be(kind: str, other: str) -> bool:
    """Tell whether what is of one kind may be of the other; an unknown kind may be anything."""
    return not kind or not other or kind == other or frozenset((kind, other)) in _SAME


def kind_of_types(types: tuple[str, ...]) -> str:
    """Return the kind that the types of a thing say; "" where they say none or several."""
    kinds = {kind for name in types if (kind := _kind_of_class(label_stems(name)))}
    return kinds.pop() if len(kinds) == 1 else ""


def end_kind(option: RelationOption) -> str:
    """Return the kind of thing an option leads to; "" where nothing says it."""
    known = kind_of_types(option.target_types)
    if known:
        return known
    said = _said_of().get(label_stems(option.relation.name), ("", ""))
    return said[0] if option.direction == "out" else said[1]


def object_kind(option: RelationOption) -> str:
    """Return the kind of thing that the relation of an option names, whichever way it is followed."""
    return end_kind(option) if option.direction == "out" else source_kind(option)


def source_kind(option: RelationOption) -> str:
    """Return the kind of thing an option starts from; "" where its label does not say it."""
    said = _said_of().get(label_stems(option.relation.name), ("", ""))
    return said[1] if option.direction == "out" else said[0]


def is_a(entity: Entity, cue: Cue | None) -> bool:
    """Tell whether an entity's types or description name the kind of thing a cue word stands for."""
    if cue is None:
        return False
    if any(is_called(name, cue.classes) for name in entity.types):
        return True
    told = entity.description
    return bool(told) and any(_is_headed(told, wanted) for wanted in cue.classes)


def is_called(name: str, classes: Sequence[Phrase]) -> bool:
    """Tell whether a name is that of one of these kinds of things: "film actor" of actors."""
    stems = label_stems(name)
    return any(likeness(wanted, stems) >= _ALIKE for wanted in classes)


def says_kind(option: RelationOption) -> bool:
    """Tell whether the values of a relation say what kind of thing, or of what trade, something is."""
    return option.direction == "out" and label_stems(option.relation.name) in _saying_kinds()


@cache
def _saying_kinds() -> frozenset[Phrase]:
    return frozenset(p for name in LANGUAGES for p in lexicon(name).words["kinds"])


def _is_headed(description: str, wanted: Phrase) -> bool:
    """Tell whether a description says of what kind its thing is: "2010 *film* by …", "poet and *novelist*"."""
    if has_cjk(description):
        return label_stems(description)[-len(wanted) :] == wanted
    heads = _JOINED.split(_AFTER_HEAD.split(description, maxsplit=1)[0])
    return any(label_stems(head)[-len(wanted) :] == wanted for head in heads)


@lru_cache(maxsize=8192)
def _kind_of_class(name: Phrase) -> str:
    """Return the kind of a class by its whole name, else by its last word: an "animated film" is a work."""
    kinds = _classes()
    return kinds.get(name) or kinds.get(name[-1:], "")


@cache
def _classes() -> dict[Phrase, str]:
    found: dict[Phrase, set[str]] = {}
    for language in LANGUAGES:
        for cue in lexicon(language).cues.values():
            for name in cue.classes if cue.kind else ():
                found.setdefault(name, set()).add(cue.kind)
    return {name: kinds.pop() for name, kinds in sorted(found.items()) if len(kinds) == 1}


@cache
def _said_of() -> dict[Phrase, tuple[str, str]]:
    """Return for labels of relations the kinds of their objects and of their subjects."""
    objects: dict[Phrase, set[str]] = {}
    subjects: dict[Phrase, set[str]] = {}
    for cue in lexicon("en").cues.values():
        rows = [(cue.kind, cue.labels), *cue.by]
        for kind, labels in rows:
            kind = kind if kind not in ("any", "reason", "amount") else ""
            for label in labels:
                of = cue.of if kind != "place" or not cue.by else ""
                one, other = (of, kind) if label.is_inverse else (kind, of)
                objects.setdefault(label.stems, set()).add(one)
                subjects.setdefault(label.stems, set()).add(other)
    said = {name: (_only(objects[name]), _only(subjects[name])) for name in sorted(objects)}
    for english, names in translations().items():
        for name in names:
            said.setdefault(label_stems(name), said.get(label_stems(english), ("", "")))
    return said


def _only(kinds: set[str]) -> str:
    known = kinds - {""}
    return known.pop() if len(known) == 1 else ""
