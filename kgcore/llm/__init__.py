"""Language models behind one port; adapters are imported where they are chosen."""

from kgcore.llm.base import LanguageModel, ModelReply

__all__ = ["LanguageModel", "ModelReply"]
