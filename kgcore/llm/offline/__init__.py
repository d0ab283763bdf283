"""The offline matcher: a stand-in for a language model that needs no key, no network and no model."""

from kgcore.llm.offline.model import DISPLAY_NAME, OfflineModel

__all__ = ["DISPLAY_NAME", "OfflineModel"]
