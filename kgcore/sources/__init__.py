"""Knowledge sources behind one port."""

from kgcore.sources.base import HealthySource, KnowledgeSource

__all__ = ["HealthySource", "KnowledgeSource"]
