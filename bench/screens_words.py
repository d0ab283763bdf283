"""The language that is photographed: what is pressed on the pages is called as it is there."""

from __future__ import annotations

from kgcore.i18n import LANGUAGES, translate

__all__ = ["LANGUAGES", "address_in", "cast_question", "name_in", "say", "speak"]

QUESTION = "Which actor starred in both Inception and Interstellar?"
QUESTION_ZH = "哪位演员同时出演了《盗梦空间》和《星际穿越》？"
_language = ["en"]


def speak(language: str) -> None:
    """Choose the language of all pictures from now on."""
    _language[0] = language


def say(text: str, **other: str) -> str:
    """Return a text of the pages; `other` gives a text of the graphs by language, where it is not the English one."""
    return other.get(_language[0]) or translate(text, _language[0])


def cast_question() -> str:
    """Return the question that most pictures show."""
    return say(QUESTION, zh=QUESTION_ZH)


def address_in(address: str) -> str:
    """Return an address that opens in the language."""
    return f"{address}{'&' if '?' in address else '?'}lang={_language[0]}"


def name_in(name: str) -> str:
    """Return the name of a picture: that of the English one, and the language where it is another."""
    return name if _language[0] == "en" else f"{name}-{_language[0]}"
