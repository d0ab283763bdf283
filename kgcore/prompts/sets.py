"""Sets of templates: the built-in ones, and a user's own, which override them one by one.

A template is a text file `LANGUAGE/REQUEST.txt`. `{{field}}` stands for a field of the request, and what follows
a line `---` says in which form to reply (a repair turn repeats it). `system.txt` is sent with every request.
Worked examples, `LANGUAGE/examples/REQUEST.yaml`, each with `ask` and `reply`, follow it when a set has `shots`.
"""

from __future__ import annotations

import hashlib
import re
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from kgcore.errors import InputError
from kgcore.prompts.base import system_of
from kgcore.prompts.wording import prompt_words, say

BUILT_IN = "default"
MAX_SHOTS = 6
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class FilePromptSet:
    """Templates from the package; those in `folder` (`KGCORE_HOME/prompts/NAME`) take their place.

    `shots` worked examples (0…6) are shown with every request that has examples: the same number for every method.
    """

    def __init__(self, name: str = BUILT_IN, folder: Path | None = None, *, shots: int = 0) -> None:
        if not 0 <= shots <= MAX_SHOTS:
            raise InputError(f"shots must be between 0 and {MAX_SHOTS}")
        if folder is not None and not folder.is_dir():
            raise InputError(f"there is no prompt set {name}: {folder} is not a folder")
        self._name = name
        self._folder = folder
        self._shots = shots
        self._texts: dict[tuple[str, str], str] = {}

    @property
    def name(self) -> str:
        """Name of the set, with the number of worked examples where there are some: `default+3`."""
        return f"{self._name}+{self._shots}" if self._shots else self._name

    def template(self, name: str, language: str) -> str:
        """Return the template in force: the user's, else the built-in; English where the language has none."""
        key = (name, language)
        if key not in self._texts:
            self._texts[key] = self._find(name, language)
        return self._texts[key]

    def examples(self, name: str, language: str) -> str:
        """Return the worked examples shown with a request; "" where there are none."""
        key = (f"{name}.examples", language)
        if key not in self._texts:
            shown = self._examples(name, language)[: self._shots]
            self._texts[key] = "\n\n".join(shown)
        return self._texts[key]

    def version(self, name: str, language: str) -> str:
        """Return a short hash of the template in force and of the words and system text sent with it."""
        parts = (
            self.template(system_of(name), language),
            self.template(name, language),
            prompt_words(language),
            *([self.examples(name, language)] if self._shots else []),
        )
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()

    def _examples(self, name: str, language: str) -> list[str]:
        """Return all worked examples of a request in words; those of English where the language has none."""
        if not self._shots:
            return []
        for code in _fallbacks(language):
            text = self._read(f"examples/{name}", code, "yaml")
            if text is not None:
                where = f"prompts/{self._name}/{code}/examples/{name}.yaml"
                return [
                    say(language, "example", n=n, ask=ask.strip(), reply=reply.strip())
                    for n, (ask, reply) in enumerate(_pairs(text, where), 1)
                ]
        return []

    def _find(self, name: str, language: str) -> str:
        if not _NAME.fullmatch(name):
            raise InputError(f"no template can be called {name!r}")
        for code in _fallbacks(language):
            text = self._read(name, code)
            if text is not None:
                return text
        raise InputError(f"the prompt set {self._name} has no template {name}")

    def _read(self, name: str, code: str, ending: str = "txt") -> str | None:
        own = self._folder / code / f"{name}.{ending}" if self._folder is not None else None
        if own is not None and own.is_file():
            try:
                return own.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{own}: cannot be read: {error}") from error
        built_in = resources.files("kgcore.prompts") / "templates" / code / f"{name}.{ending}"
        return built_in.read_text(encoding="utf-8") if built_in.is_file() else None


def _pairs(text: str, where: str) -> list[tuple[str, str]]:
    """Return the examples of a file as (ask, reply)."""
    try:
        data: Any = yaml.safe_load(text)
        return [(str(item["ask"]), str(item["reply"])) for item in data or ()]
    except (yaml.YAMLError, TypeError, KeyError) as error:
        raise InputError(f"{where}: each example has the fields ask and reply") from error


def _fallbacks(language: str) -> tuple[str, ...]:
    """Return the language codes to look under: `zh-CN` itself, `zh`, and English."""
    code = language if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", language) else "en"
    return tuple(dict.fromkeys((code, code.split("-")[0].lower(), "en")))
