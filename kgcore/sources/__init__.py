"""Knowledge sources behind one port."""

from kgcore.sources.base import KnowledgeSource

__all__ = ["KnowledgeSource"]
