"""Names of graphs: which ones may be given, and the folder or file that each stands for."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from kgcore.errors import InputError

_LONGEST = 100  # characters of a name
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SLUG_LENGTH = 48
STEM = re.compile(r"[a-z0-9-]{1,64}")  # what a slug looks like


def check_name(name: str) -> None:
    """Raise InputError for a name that no new graph may have: an empty, a long or an unprintable one."""
    slug(name)
    if len(name) > _LONGEST or has_controls(name):
        raise InputError(f"a graph needs a name of at most {_LONGEST} plain characters")


def slug(name: str) -> str:
    """Return a folder name for a graph name: plain, short, and different for different names."""
    if not name.strip() or _SURROGATE.search(name):
        raise InputError("a graph needs a name that can be written down")
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH]
    if plain == name and not _RESERVED.match(plain):
        return plain
    digest = hashlib.blake2b(name.encode(), digest_size=5).hexdigest()
    return f"{plain or 'graph'}-{digest}"


def has_controls(text: str) -> bool:
    """True for a text that holds characters nobody sees."""
    return any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text)
