"""Texts for people in their language: the English text is the key, a catalogue holds the others.

    translate("{n} runs", "zh", n=3)        a text with values to fill in
    plural("{n} run", "{n} runs", 1, "en")  the form that fits the number
    told(error, "zh")                       a finished English sentence, found again by its pattern

A language is a folder of YAML files, each a mapping from the English text to its translation. A text nobody has
translated stays English. Texts that are chosen at run time are marked where they are written, `mark("paused")`,
so that the tests find them.
"""

from kgcore.i18n.catalogue import LANGUAGES, mark, plural, told, translate

__all__ = ["LANGUAGES", "mark", "plural", "told", "translate"]
