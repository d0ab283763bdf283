"""Language models behind one port; adapters are imported where they are chosen."""

from kgcore.llm.base import Allowance, LanguageModel, ModelReply

__all__ = ["Allowance", "LanguageModel", "ModelReply"]
