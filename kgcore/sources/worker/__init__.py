"""Queries that a model wrote run in a process of their own, which can be ended.

Neither DuckDB nor the embedded graph store can be told to give up in all cases: a function may take gigabytes
before the engine looks at its limits, an aggregate may not look up for minutes. A process can be limited in
memory by the operating system, and killed. It is started at the first query of a source, answers one query at a
time (JSON, one line each way), ends with the program that started it, and by itself when nobody asks for a while.

    pool.py        the side that asks
    __main__.py    the process
"""

from kgcore.sources.worker.pool import Workers

__all__ = ["Workers"]
