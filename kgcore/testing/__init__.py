"""Stand-ins for models and graphs, for tests of this package and of yours."""

from kgcore.testing.graph import MemoryGraph
from kgcore.testing.model import Asked, ScriptedModel

__all__ = ["Asked", "MemoryGraph", "ScriptedModel"]
