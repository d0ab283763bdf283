"""Sets of templates: the built-in ones, and a user's own, which override them one by one.

A template is a text file `LANGUAGE/REQUEST.txt`. `{{field}}` stands for a field of the request, and what follows
a line `---` says in which form to reply (a repair turn repeats it). `system.txt` is sent with every request.
"""

from __future__ import annotations

import hashlib
import re
from importlib import resources
from pathlib import Path

from kgcore.errors import InputError
from kgcore.prompts.base import SYSTEM
from kgcore.prompts.wording import prompt_words

BUILT_IN = "default"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class FilePromptSet:
    """Templates from the package; those in `folder` (`KGCORE_HOME/prompts/NAME`) take their place."""

    def __init__(self, name: str = BUILT_IN, folder: Path | None = None) -> None:
        if folder is not None and not folder.is_dir():
            raise InputError(f"there is no prompt set {name}: {folder} is not a folder")
        self._name = name
        self._folder = folder
        self._texts: dict[tuple[str, str], str] = {}

    @property
    def name(self) -> str:
        """Name of the set."""
        return self._name

    def template(self, name: str, language: str) -> str:
        """Return the template in force: the user's, else the built-in; English where the language has none."""
        key = (name, language)
        if key not in self._texts:
            self._texts[key] = self._find(name, language)
        return self._texts[key]

    def version(self, name: str, language: str) -> str:
        """Return a short hash of the template in force and of the words and system text sent with it."""
        parts = (
            self.template(SYSTEM, language),
            self.template(name, language),
            prompt_words(language),
        )
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()

    def _find(self, name: str, language: str) -> str:
        if not _NAME.fullmatch(name):
            raise InputError(f"no template can be called {name!r}")
        for code in _fallbacks(language):
            text = self._read(name, code)
            if text is not None:
                return text
        raise InputError(f"the prompt set {self._name} has no template {name}")

    def _read(self, name: str, code: str) -> str | None:
        own = self._folder / code / f"{name}.txt" if self._folder is not None else None
        if own is not None and own.is_file():
            try:
                return own.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"{own}: cannot be read: {error}") from error
        built_in = resources.files("kgcore.prompts") / "templates" / code / f"{name}.txt"
        return built_in.read_text(encoding="utf-8") if built_in.is_file() else None


def _fallbacks(language: str) -> tuple[str, ...]:
    """Return the language codes to look under: `zh-CN` itself, `zh`, and English."""
    code = language if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", language) else "en"
    return tuple(dict.fromkeys((code, code.split("-")[0].lower(), "en")))
