"""Which providers take no request without a key, so that a missing one is told before their library is loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

_WANTED: Mapping[
    str, tuple[str, ...]
] = {  # provider → where the library looks for the key by itself
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "xai": ("XAI_API_KEY",),
}


def lacks_key(model: str, api_key: Callable[[], str | None] | None) -> bool:
    """Whether a model's provider is known to want a key and there is none; False wherever that is not sure."""
    wanted = _WANTED.get(model.partition("/")[0]) if "/" in model else None
    if wanted is None or any(os.environ.get(name) for name in wanted):
        return False
    try:
        return api_key is None or not api_key()
    except Exception:  # noqa: BLE001  a keyring may raise anything; the request itself says what is wrong
        return False
