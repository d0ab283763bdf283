"""The names of the fields of knowledge that are shipped, in words; those a person made stay as they are."""

from collections.abc import Iterable

from pages.components.language import mark, t

__all__ = ["domain_name", "domain_names"]

SHIPPED = {
    "factual": mark("factual"),
    "medical": mark("medical"),
    "physics": mark("physics"),
    "biology": mark("biology"),
}


def domain_name(name: str) -> str:
    """Return what a domain is called on screen."""
    return t(SHIPPED[name]) if name in SHIPPED else name


def domain_names(names: Iterable[str]) -> str:
    """Return several domains in a row."""
    return t(", ").join(domain_name(name) for name in names)
