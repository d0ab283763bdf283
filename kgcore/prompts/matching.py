"""Which of the things on offer does a piece of a reply mean?

A thing can be named by its handle (`E3`), its id, or one of its labels. Exact beats fuzzy, handles beat ids, ids
beat labels. Nothing is found by a part of its name: `E12` is never `E1`, and *Toy Story 2* is never *Toy Story*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from kgcore.errors import UnreadableReplyError
from kgcore.prompts.replies import bare
from kgcore.prompts.wording import fold, wording
from kgcore.ranking.closest import closest

MAX_PARTS = 200
MAX_RUN = 8  # commas and "and"s that a label may hold
_EDGE = " \t\n\"'`*_.,;:!?。，；：！？、()[]{}<>“”‘’「」『』《》（）【】|→-–—•·"
_IS_ID = re.compile(r"[a-z][\w.+-]*:[^\s]+")
_PIECES = re.compile(r"\s*(?:\n|;|；|、|\|)\s*")
_BULLET = re.compile(r"^\s*(?:[-*•·+]|\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class Offered:
    """One thing on offer."""

    handle: str
    ids: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a list names of an offer; it is complete when nothing in it is unknown."""

    positions: tuple[int, ...]
    is_complete: bool


class Offer:
    """What a reply may choose from. Positions are those of `things`."""

    def __init__(self, things: Iterable[Offered], *, letter: str = "") -> None:
        self.things = tuple(things)
        self._letter = letter
        self._handles = {fold(t.handle): i for i, t in enumerate(self.things)}
        self._ids = _index((fold(name), i) for i, t in enumerate(self.things) for name in t.ids)
        self._labels = _index(
            (key(name), i) for i, t in enumerate(self.things) for name in t.labels
        )
        self._is_handle = re.compile(
            rf"(?<![A-Za-z0-9_:/#.-]){letter}(\d{{1,7}})(?![A-Za-z0-9_])", re.IGNORECASE
        )

    def find_all(self, value: str) -> tuple[int, ...]:
        """Return what a list names, in the order of the offer, each once; () for "none".

        UnreadableReplyError for a handle or an id that was not offered, and when nothing in it is known.
        """
        if key(value) in wording().none and key(value) not in self._labels:
            return ()
        found, unknown = self._in_list(value, is_number=True)
        if not found:
            raise UnreadableReplyError(f"{quote(unknown[0] if unknown else value)} was not offered")
        return tuple(sorted(found))

    def find_known(self, value: str, *, is_fuzzy: bool = True) -> Found:
        """Return what a list or a text names; what is not known is passed over, handles and ids are not."""
        found, unknown = self._in_list(value, is_fuzzy=is_fuzzy)
        return Found(tuple(sorted(found)), not unknown)

    def lookup(self, label: str) -> int | None:
        """Return what has this label, if just one has."""
        positions = self._labels.get(key(label), ())
        return positions[0] if len(positions) == 1 else None

    def handle(self, handle: str) -> int | None:
        """Return what has this handle."""
        return self._handles.get(fold(handle))

    def find_one(self, value: str) -> int:
        """Return the one thing that a value names; UnreadableReplyError for none and for several."""
        exact = self.exact(value)
        if exact is not None:
            return exact
        found = self.find_all(value)
        if len(found) != 1:
            what = "nothing" if not found else "more than one"
            raise UnreadableReplyError(f"{quote(value)} names {what}; one was asked for")
        return found[0]

    def exact(self, value: str) -> int | None:
        """Return what a value names exactly, be it by a handle among other words; None when nothing.

        UnreadableReplyError when it names several, or a handle beside the label of something else.
        """
        position = self._whole(value)
        if position is not None:
            return position
        handles = self.handles_in(value)
        return handles[0] if len(handles) == 1 else None

    def _whole(self, value: str) -> int | None:
        """Return what a value is the name of: `E3`, an id, a label, or `E3 Christopher Nolan`."""
        text = key(value)
        if text in self._handles:
            return self._handles[text]
        positions = self._ids.get(fold(bare(value))) or self._labels.get(text, ())
        if len(positions) > 1:
            raise UnreadableReplyError(f"{quote(value)} names more than one; use the handle")
        if positions:
            return positions[0]
        return self._handle_and_label(value)

    def _handle_and_label(self, value: str) -> int | None:
        handles = self.handles_in(value)
        if len(handles) != 1:
            return None
        others = self._labels.get(key(self._is_handle.sub(" ", value)), ())
        if others and handles[0] not in others:
            handle = self.things[handles[0]].handle
            raise UnreadableReplyError(f"{quote(value)}: {handle} is something else")
        return handles[0] if others else None

    def is_list(self, value: str) -> bool:
        """Tell whether a text is a list of handles and nothing else."""
        words = re.findall(r"[^\W_]+", self._is_handle.sub(" ", value))
        return all(fold(word) in wording().separators for word in words)

    def handles_in(self, value: str) -> tuple[int, ...]:
        """Return what the handles in a text stand for; UnreadableReplyError for one that was not offered."""
        found: dict[int, None] = {}
        if not self._letter:
            return ()
        for number in self._is_handle.findall(_narrow(value)):
            handle = f"{self._letter}{int(number)}"
            if fold(handle) not in self._handles:
                raise UnreadableReplyError(f"{handle} was not offered")
            found[self._handles[fold(handle)]] = None
        return tuple(found)

    def _in_list(
        self, value: str, *, is_fuzzy: bool = True, is_number: bool = False
    ) -> tuple[set[int], list[str]]:
        """Return what a list names, and what in it is unknown."""
        found: set[int] = set()
        unknown: list[str] = []
        for line in _PIECES.split(value)[:MAX_PARTS]:
            parts = _split(_BULLET.sub("", line).strip())[:MAX_PARTS]
            start = 0
            while start < len(parts):
                end, position = self._longest(parts, start)
                if position is not None:
                    found.add(position)
                else:
                    part = parts[start][1]
                    positions = self._in_part(part, is_fuzzy=is_fuzzy, is_number=is_number)
                    found.update(positions)
                    if not positions and self._is_unknown(part):
                        unknown.append(part)
                start = end
        return found, unknown

    def _longest(self, parts: list[tuple[str, str]], start: int) -> tuple[int, int | None]:
        """Return the longest run of several parts that is one name, since a label may hold a comma."""
        for end in range(min(len(parts), start + MAX_RUN), start + 1, -1):
            text = "".join(separator + name for separator, name in parts[start:end])
            position = self._whole(text.removeprefix(parts[start][0]))
            if position is not None:
                return end, position
        return start + 1, None

    def _in_part(self, part: str, *, is_fuzzy: bool, is_number: bool) -> tuple[int, ...]:
        position = self.exact(part)
        if position is not None:
            return (position,)
        handles = self.handles_in(part)
        if handles:
            return handles
        text = key(part)
        if is_number and re.fullmatch(r"[0-9]{1,7}", text):
            position = self._handles.get(fold(f"{self._letter}{int(text)}"))
        if position is None and is_fuzzy and not _IS_ID.fullmatch(bare(part)):
            position = self._closest(text)
        return () if position is None else (position,)

    def _is_unknown(self, part: str) -> bool:
        """Tell whether a part names something that is not on offer; UnreadableReplyError for an id."""
        text = bare(part.strip(_EDGE))
        if _IS_ID.fullmatch(text):
            raise UnreadableReplyError(f"{quote(text)} was not offered")
        return bool(text) and key(part) not in wording().none

    def _closest(self, text: str) -> int | None:
        names = sorted(self._labels)
        best = closest(text, names)
        positions = self._labels[names[best]] if best is not None else ()
        return positions[0] if len(positions) == 1 else None


def key(text: str) -> str:
    """Return a label for comparing: without case, width, hidden marks, and what is put around names."""
    folded = fold(bare(text))
    return folded.strip(_EDGE) or folded


def _narrow(text: str) -> str:
    """Return the text with full-width letters and digits made ordinary."""
    return fold(text) if not text.isascii() else text


def _index(pairs: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for name, position in pairs:
        if name and position not in index.get(name, ()):
            index[name] = (*index.get(name, ()), position)
    return index


def _split(piece: str) -> list[tuple[str, str]]:
    """Split at commas and words like "and"; each part comes with what separates it from the one before."""
    words = "|".join(re.escape(w) for w in wording().separators if w.isascii())
    others = [w for w in wording().separators if not w.isascii()]
    wide = "|".join(sorted(others, key=lambda w: (-len(w), w)))
    pattern = rf"(\s*[,，]\s*(?:(?:{words})\s+)?|\s+(?:{words}|&)\s+|\s*(?:{wide})\s*)"
    pieces = re.split(pattern, piece, flags=re.IGNORECASE)
    return list(zip(["", *pieces[1::2]], pieces[::2], strict=True))


def quote(text: str) -> str:
    """Return a text for a message: on one line, cut."""
    short = " ".join(text.split())
    return f"“{short[:60]}…”" if len(short) > 60 else f"“{short}”"
