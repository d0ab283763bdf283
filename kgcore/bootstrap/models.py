"""Language models by name: the offline matcher, or any that litellm speaks to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from kgcore.bootstrap.names import key_name, user_agent
from kgcore.config import Secrets, Settings, is_offline
from kgcore.errors import InputError
from kgcore.llm import LanguageModel
from kgcore.prompts.sets import BUILT_IN, FilePromptSet

_SET_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,63}")


@dataclass(frozen=True, slots=True)
class Models:
    """Makes models with the settings in force, the person's prompt sets and the session's keys."""

    home: Path
    settings: Callable[[], Settings]
    secrets: Secrets

    def prompts(self, name: str = "") -> FilePromptSet:
        """Return a prompt set: the built-in one, with the user's own templates in place of some.

        A name that ends in `+3` shows three worked examples with every request.
        """
        name, plus, number = (name or self.settings().prompts or BUILT_IN).partition("+")
        shots = _shots(number) if plus else 0
        if name == BUILT_IN:
            return FilePromptSet(shots=shots)
        if not _SET_NAME.fullmatch(name):
            raise InputError(f"a prompt set has a plain name, not {name!r}")
        return FilePromptSet(name, self.home / "prompts" / name, shots=shots)

    def prompt_set(self, values: dict[str, Any], given: str = "") -> str:
        """Take `prompts` and `shots` out of settings and return the name of the set they mean.

        `given` is the set where the settings name none.
        """
        name = str(values.pop("prompts", "")) or given
        shots = str(values.pop("shots", "")).strip()
        if not shots:
            return name
        plain = (name or self.settings().prompts or BUILT_IN).partition("+")[0]
        return f"{plain}+{_shots(shots)}"

    def model(self, name: str = "", *, api_base: str = "", prompts: str = "") -> LanguageModel:
        """Return a model by its litellm name, or the offline matcher."""
        settings = self.settings()
        name = name or settings.model
        if is_offline(name):
            from kgcore.llm.offline import OfflineModel

            return OfflineModel(self.prompts(prompts))
        from kgcore.llm.litellm_model import LiteLLMModel

        base = self.address(name, api_base)
        model = LiteLLMModel(
            name,
            prompts=self.prompts(prompts),
            api_base=base or None,
            api_key=lambda: self.secrets.key(key_name(name, base)),
            timeout_s=settings.timeout_seconds,
            context_tokens=settings.context_tokens or None,
            user_agent=user_agent(settings.contact),
        )
        model.warm()
        return model

    def address(self, name: str, api_base: str) -> str:
        """Return where a model is asked: at `api_base`, else where the settings say of their own model."""
        settings = self.settings()
        if is_offline(name):
            return ""
        base = api_base or (settings.api_base if name == settings.model else "")
        _check_address(base)
        return base

    def of_roles(
        self, names: Mapping[str, str], api_base: str, prompts: str
    ) -> dict[str, LanguageModel]:
        """Return the model of each role; `api_base` is where the reasoning model is, and no other one."""
        bases = {role: api_base if name == names["reason"] else "" for role, name in names.items()}
        return {
            role: self.model(name, api_base=bases[role], prompts=prompts)
            for role, name in names.items()
        }

    def names(self, model: str) -> dict[str, str]:
        """Return the name of each role's model: the one given alone, else those of the settings."""
        if model:
            return {"reason": model}
        s = self.settings()
        names = {"reason": s.model, "evaluate": s.evaluate_model, "query": s.query_model}
        return {role: name for role, name in names.items() if name}


def _shots(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"shots must be a number, not {text!r}") from None


def _check_address(base: str) -> None:
    """Refuse an address that is none, or that carries a key: addresses are kept in runs, keys are not."""
    try:
        parts = urlsplit(base)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is no number
        is_address = False
    if base and not is_address:
        raise InputError("the address of a model server starts with http:// or https://")
    if parts.username or parts.password:
        raise InputError("an address must not hold a name or a key; set the key in the environment")
    if parts.query or parts.fragment:
        raise InputError("an address ends with its path; a key belongs in the environment")
