"""Everything wired together for one data folder. The only package that names concrete adapters.

The command line and the app do all they do through a `Studio`; adapters are imported when they are chosen.
"""

from kgcore.bootstrap.graphs import ASSETS, DEMO_GRAPHS
from kgcore.bootstrap.names import key_name, user_agent
from kgcore.bootstrap.studio import Studio, Task, build, language_of

__all__ = [
    "ASSETS",
    "DEMO_GRAPHS",
    "Studio",
    "Task",
    "build",
    "key_name",
    "language_of",
    "user_agent",
]
