"""Fields of knowledge, as data: some that are shipped, and those a person adds in `domains.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from kgcore.config import parse_yaml
from kgcore.errors import InputError
from kgcore.sources.spec import check_domain

FILE = "domains.yaml"
_LARGEST = 200_000  # bytes


@dataclass(frozen=True, slots=True)
class Domain:
    """A field of knowledge; `texts` say by language what belongs to it."""

    name: str
    texts: Mapping[str, str] = field(default_factory=dict)

    def description(self, language: str = "en") -> str:
        """What belongs to it, in this language or in any."""
        return self.texts.get(language) or self.texts.get("en") or next(iter(self.texts.values()))


def domains(home: Path | None = None) -> tuple[Domain, ...]:
    """Return the domains: shipped ones first, then one's own; InputError when one's own cannot be read."""
    shipped = (resources.files("kgcore.sources") / FILE).read_bytes()
    found = {domain.name: domain for domain in parse_domains(shipped)}
    own = home / FILE if home is not None else None
    try:
        if own is not None and own.is_file():
            found |= {domain.name: domain for domain in parse_domains(own.read_bytes())}
    except OSError as error:
        raise InputError(f"{FILE} cannot be read: {error.strerror}") from error
    return tuple(found.values())


def parse_domains(data: bytes) -> tuple[Domain, ...]:
    """Read the YAML of domains; InputError says what is wrong with it."""
    if len(data) > _LARGEST:
        raise InputError(f"{FILE} is too large")
    said = parse_yaml(data, FILE)
    if not isinstance(said, dict):
        raise InputError(f"{FILE} must be a table of names and texts")
    return tuple(_read(str(name), value) for name, value in said.items())


def _read(name: str, value: object) -> Domain:
    check_domain(name)
    texts: dict[str, str] = {}
    for language, text in (value if isinstance(value, dict) else {"en": value}).items():
        if not isinstance(text, str) or not text.strip():
            raise InputError(f"{FILE}: {name} needs a text, or one for each language")
        texts[str(language)] = text
    if not texts:
        raise InputError(f"{FILE}: {name} needs a text, or one for each language")
    return Domain(name, texts)
