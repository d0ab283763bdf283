"""Knowledge graphs behind one port; adapters are imported where they are chosen."""

from kgcore.kg.base import KnowledgeGraph, ListsRelations

__all__ = ["KnowledgeGraph", "ListsRelations"]
