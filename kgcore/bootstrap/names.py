"""The names under which keys are kept, and the one by which services know this program."""

from __future__ import annotations


def key_name(model: str, api_base: str = "") -> str:
    """Return the name under which a model's key is kept: OPENAI_API_KEY for `openai/…` and bare names."""
    provider = model.partition("/")[0] if "/" in model else "openai"
    return f"{provider.replace('-', '_').upper()}_API_KEY"


def user_agent(contact: str) -> str:
    """Return the User-Agent for public services, with the contact a person gave, as far as a header takes it."""
    fit = "".join(c for c in contact if " " <= c <= "~").strip()
    return "TraversalStudio/0.1" + (f" ({fit})" if fit else "")
