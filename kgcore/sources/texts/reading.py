"""Reads files into sections: plain text, Markdown by its headings, JSONL by its records, PDF by its pages."""

from __future__ import annotations

import codecs
import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from kgcore.errors import InputError
from kgcore.model.text import cut
from kgcore.sources.texts.cutting import Section

OnSkip = Callable[[str], None]  # told what is left out of a file, in one line
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*\Z")
_FENCE = re.compile(r"\s*(```|~~~)")
_TITLES, _TEXTS = ("title", "name", "heading"), ("text", "content", "contents", "body", "abstract")
_LONGEST_LINE = 4_000_000  # characters
_LONGEST_TITLE = 200
_MOST_PAGES = 5_000
# What a broken file may end in, besides pypdf's own errors.
_PDF_FAULTS = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RuntimeError,
    AssertionError,
)


def read(file: Path, on_skip: OnSkip = lambda line: None) -> Iterator[Section]:
    """Yield the sections of a file; InputError when it cannot be read."""
    suffix = file.suffix.lower()
    if suffix == ".pdf":
        yield from _read_pdf(file, on_skip)
    elif suffix in (".jsonl", ".ndjson"):
        yield from _read_records(file, on_skip)
    elif suffix in (".md", ".markdown"):
        yield from _read_markdown(file)
    else:
        yield from _read_text(file)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; UTF-8, or UTF-16 where the file says so."""
    number = 0
    try:
        with file.open("rb") as stream:
            start = stream.read(4)
        is_wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        with file.open(encoding="utf-16" if is_wide else "utf-8-sig") as stream:
            while line := stream.readline(_LONGEST_LINE):
                number += 1
                yield number, line.replace("\0", " ")
    except UnicodeError as error:
        raise InputError(f"{file.name}, line {number + 1}: it is not UTF-8") from error
    except OSError as error:
        raise InputError(f"{file.name} cannot be read: {error.strerror}") from error


def _read_text(file: Path) -> Iterator[Section]:
    """One section a paragraph-run of some hundred lines, so that a huge file is never held whole."""
    yield from _sections(file, file.stem, ((n, line, None) for n, line in _lines(file)))


def _read_markdown(file: Path) -> Iterator[Section]:
    """One section for each heading, with the headings above it in its title."""
    yield from _sections(file, file.stem, _with_headings(file))


def _with_headings(file: Path) -> Iterator[tuple[int, str, str | None]]:
    """Lines; the third is the new title where a line is a heading."""
    above: list[str] = []
    is_code = False
    for number, line in _lines(file):
        is_code ^= bool(_FENCE.match(line))
        heading = None if is_code else _HEADING.match(line.rstrip())
        if heading is None:
            yield number, line, None
            continue
        level = len(heading[1])
        above = [*above[: level - 1], heading[2]]
        yield number, "", " – ".join(filter(None, above)) or file.stem


def _sections(
    file: Path, title: str, lines: Iterator[tuple[int, str, str | None]]
) -> Iterator[Section]:
    """Gather lines into paragraphs, and these into sections at each new title."""
    start, paragraphs, current, size = 1, list[str](), list[str](), 0
    for number, line, new_title in lines:
        is_break = not line.strip()
        if is_break and current:
            paragraphs.append("".join(current))
            current = []
        if new_title is not None or (is_break and size > _LONGEST_LINE // 100):
            if paragraphs:
                yield Section(_short(title), f"line {start} of {file.name}", tuple(paragraphs))
            title = title if new_title is None else new_title
            start, paragraphs, size = number, [], 0
        if not is_break:
            if not paragraphs and not current:
                start = number
            current.append(line)
            size += len(line)
    paragraphs += ["".join(current)] if current else []
    if paragraphs:
        yield Section(_short(title), f"line {start} of {file.name}", tuple(paragraphs))


def _read_records(file: Path, on_skip: OnSkip) -> Iterator[Section]:
    """One section for each line that holds an object with a text."""
    n_bad, first_bad = 0, 0
    for number, line in _lines(file):
        if not line.strip():
            continue
        title, text = _record(line)
        if text:
            paragraphs = tuple(re.split(r"\n\s*\n", text))
            yield Section(_short(title or file.stem), f"line {number} of {file.name}", paragraphs)
        else:
            n_bad, first_bad = n_bad + 1, first_bad or number
    if n_bad:
        on_skip(
            f"{file.name}: {n_bad:,} lines hold no text and were left out, first line {first_bad}"
        )


def _record(line: str) -> tuple[str, str]:
    """Title and text of a record; empty where it has none."""
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(data, dict):
        return "", ""
    found = [
        next((data[k] for k in keys if isinstance(data.get(k), str)), "")
        for keys in (_TITLES, _TEXTS)
    ]
    title, text = (t.encode("utf-8", "replace").decode().replace("\0", " ") for t in found)
    return title.strip(), text.strip()


def _read_pdf(file: Path, on_skip: OnSkip) -> Iterator[Section]:
    """One section a page that has a text layer."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it reports each flaw it works around
    broken = (PyPdfError, *_PDF_FAULTS)
    n_bad = n_pages = 0
    try:
        reader = PdfReader(file)
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{file.name} is locked with a password")
        title = str((reader.metadata and reader.metadata.title) or "").strip() or file.stem
        n_pages = len(reader.pages)
    except broken as error:
        raise InputError(f"{file.name} cannot be read as PDF") from error
    n_texts = 0
    for number in range(min(n_pages, _MOST_PAGES)):
        try:
            text = reader.pages[number].extract_text()
        except broken:
            n_bad += 1
            continue
        clean = text.encode("utf-8", "replace").decode().replace("\0", " ")
        if clean.strip():
            n_texts += 1
            paragraphs = tuple(re.split(r"\n\s*\n", clean))
            yield Section(_short(title), f"page {number + 1} of {file.name}", paragraphs)
    if n_bad:
        on_skip(f"{file.name}: {n_bad:,} pages cannot be read")
    if not n_texts:
        raise InputError(f"{file.name} has no text layer")


def _short(title: str) -> str:
    return cut(" ".join(title.split()), _LONGEST_TITLE)
