"""Which values of the subgraph does a text name? Dates in another writing and numbers with separators count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache

from kgcore.model import Literal
from kgcore.prompts.replies import bare
from kgcore.prompts.wording import fold, wording

_ISO = re.compile(
    r"(?<![\d.])(?P<y>[+-]?\d{4,6})-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?(?:t[\d:.]+(?:z|[+-]\d\d:\d\d)?)?(?![\d-])"
)
_SLASHED = re.compile(r"(?<!\d)(?P<y>\d{4})[/.](?P<m>\d{1,2})[/.](?P<d>\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})(?!\d)")
_CHINESE = re.compile(
    r"(?P<y>\d{1,4})\s*年(?:\s*(?P<m>\d{1,2})\s*月(?:\s*(?P<d>\d{1,2})\s*[日号])?)?"
)
_YEAR = re.compile(r"(?:(?:in|year|the year)\s+)?(?P<y>-?\d{3,4})(?:-01-01)?")
_BEFORE_CHRIST = re.compile(r"(?P<y>\d{1,4})\s*b\.?c\.?(?:e\.?)?|公元前\s*(?P<z>\d{1,4})\s*年?")
_NUMBER = re.compile(
    r"(?P<sign>[+\-−]?)[$€£¥]?\s?(?P<number>\d{1,3}(?:[,  '’]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>e[+-]?\d{1,4})?\s*(?P<rest>[^\d]*)"
)
_MAX_NUMBER = 60


@dataclass(frozen=True, slots=True)
class _Date:
    """A date as precise as it is written; a year alone has no month."""

    year: int
    month: int | None = None
    day: int | None = None

    @property
    def is_year(self) -> bool:
        """Whether it may stand for a year: graphs write years as the first of January."""
        return self.month is None or (self.month == 1 and self.day in (None, 1))


def find_literals(texts: Iterable[str], literals: Iterable[Literal]) -> tuple[Literal, ...]:
    """Return the literals that one of the texts equals, in the order of `literals`, each once."""
    known = tuple(dict.fromkeys(literals))
    found: set[int] = set()
    for text in texts:
        found.update(_equal_to(text, known))
    return tuple(literal for i, literal in enumerate(known) if i in found)


def dates_in(text: str) -> Iterator[str]:
    """Yield the parts of a sentence that are whole dates, year, month and day."""
    folded = fold(text)
    for pattern in (*_written(), _ISO, _SLASHED, _DAY_FIRST, _CHINESE):
        for match in pattern.finditer(folded):
            if match.groupdict().get("d"):
                yield match[0]


def _equal_to(text: str, literals: tuple[Literal, ...]) -> list[int]:
    """Return the best kind of equality that any literal has: same text, same date or number, same year."""
    name = _bare(text)
    if not name:
        return []
    same = [i for i, lit in enumerate(literals) if name in (_bare(lit.value), _bare(lit.name))]
    if same:
        return same
    date = parse_date(text)
    if date is not None:
        dates = {i: d for i, lit in enumerate(literals) if (d := _date_of(lit)) is not None}
        same = [i for i, d in dates.items() if d == date or (d.is_year and _Date(d.year) == date)]
        if same:
            return same
        near = [i for i, d in dates.items() if date.month is None and d.year == date.year]
        if len({dates[i] for i in near}) == 1:
            return near
    return [i for i, lit in enumerate(literals) if _is_number_equal(text, lit)]


def _bare(text: str) -> str:
    return fold(bare(text)).strip(" .,;。，；")


def _date_of(literal: Literal) -> _Date | None:
    is_date = "date" in literal.datatype.casefold() or "year" in literal.datatype.casefold()
    return parse_date(literal.value) if is_date or _ISO.fullmatch(fold(literal.value)) else None


def parse_date(text: str) -> _Date | None:
    """Return the date that a text is as a whole; None when it is none."""
    folded = fold(text).strip(" .,;")
    for pattern in (_ISO, _SLASHED, _DAY_FIRST, _CHINESE, *_written(), _YEAR):
        match = pattern.fullmatch(folded)
        if match:
            return _checked(match)
    match = _BEFORE_CHRIST.fullmatch(folded)
    return _Date(1 - int(match["y"] or match["z"])) if match else None


def _checked(match: re.Match[str]) -> _Date | None:
    parts = match.groupdict()
    month_text, day_text = parts.get("m"), parts.get("d")
    month = None if not month_text else _month(month_text)
    day = int(day_text) if day_text else None
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return _Date(int(parts["y"]), month, day)


def _month(text: str) -> int:
    if text.isdecimal():
        return int(text)
    months = wording().months
    return next((n for name, n in months.items() if name == text or name[:3] == text[:3]), 0)


@cache
def _written() -> tuple[re.Pattern[str], ...]:
    """Return patterns of dates with the month in words: 16 July 2010, July 16th, 2010, July 2010."""
    names = [m for m in wording().months if m.isascii()]
    month = rf"(?P<m>{'|'.join([*names, *(rf'{n[:3]}t?' for n in names)])})\.?"
    day = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
    year = r"(?P<y>\d{3,4})(?!\d)"
    return (
        re.compile(rf"(?<!\d){day}\s+(?:of\s+)?{month},?\s+{year}"),
        re.compile(rf"\b{month}\s+{day},?\s+{year}"),
        re.compile(rf"\b{month},?\s+{year}"),
    )


def _is_number_equal(text: str, literal: Literal) -> bool:
    stated, known = _number(text), _number(literal.value)
    if stated is None or known is None or known[1]:
        return False
    words, units = stated[1].split(), fold(literal.unit).split()
    if words and units and not any(_is_like(word, unit) for word in words for unit in units):
        return False
    return stated[0] == known[0] and len(words) <= 3


def _is_like(word: str, unit: str) -> bool:
    """Tell whether a word may stand for a unit: minutes for minute, min for minute, km for kilometre not."""
    n = min(3, len(word))
    return word[:n] == unit[:n]


def _number(text: str) -> tuple[Decimal, str] | None:
    """Return the number a text is and the words after it; None when it is none."""
    folded = fold(text).strip(" .")
    match = _NUMBER.fullmatch(folded) if len(folded) <= _MAX_NUMBER else None
    if match is None:
        return None
    digits = re.sub(r"[,  '’]", "", match["number"])
    try:
        number = Decimal(
            ("-" if match["sign"] in "-−" and match["sign"] else "")
            + digits
            + (match["power"] or "")
        )
    except InvalidOperation:
        return None
    words = match["rest"].strip(" .").split(" ")
    multiple = wording().multiples.get(words[0])
    return (
        (number * multiple, " ".join(words[1:])) if multiple else (number, " ".join(words).strip())
    )
