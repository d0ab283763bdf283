"""The language that is photographed: what is pressed on the pages is called as it is there."""

from __future__ import annotations

from kgcore.i18n import LANGUAGES, translate

__all__ = ["LANGUAGES", "address_in", "name_in", "say", "speak"]

_language = ["en"]


def speak(language: str) -> None:
    """Choose the language of all pictures from now on."""
    _language[0] = language


def say(text: str, **other: str) -> str:
    """Return a text of the pages; `other` gives a text of the graphs by language, where it is not the English one."""
    return other.get(_language[0]) or translate(text, _language[0])


def address_in(address: str) -> str:
    """Return an address that opens in the language."""
    return f"{address}{'&' if '?' in address else '?'}lang={_language[0]}"


def name_in(name: str) -> str:
    """Return the name of a picture: that of the English one, and the language where it is another."""
    return name if _language[0] == "en" else f"{name}-{_language[0]}"
