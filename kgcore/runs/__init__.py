"""Runs: the driver and its journal, the store, breakpoints, forks, memory, and the fold that shows them."""

from kgcore.runs.base import RunRecord, RunStore
from kgcore.runs.breakpoints import Breakpoint
from kgcore.runs.budget import Budget
from kgcore.runs.control import Control
from kgcore.runs.driver import Run
from kgcore.runs.entries import Edit, Ended, Entry, Started, StepDone, StepFailed
from kgcore.runs.gate import Decided, Gate
from kgcore.runs.journal import Journal
from kgcore.runs.lineage import Launch, ask, fork, rerun, resume
from kgcore.runs.memory import Memory
from kgcore.runs.perform import Ports
from kgcore.runs.standing import ENDS, EndStatus, RunStatus, Via
from kgcore.runs.store import SqlRunStore
from kgcore.runs.strict_replay import replay
from kgcore.runs.view import LogLine, NodeView, RunView

__all__ = [
    "ENDS",
    "Breakpoint",
    "Budget",
    "Control",
    "Decided",
    "Edit",
    "EndStatus",
    "Ended",
    "Entry",
    "Gate",
    "Journal",
    "Launch",
    "LogLine",
    "Memory",
    "NodeView",
    "Ports",
    "Run",
    "RunRecord",
    "RunStatus",
    "RunStore",
    "RunView",
    "SqlRunStore",
    "Started",
    "StepDone",
    "StepFailed",
    "Via",
    "ask",
    "fork",
    "replay",
    "rerun",
    "resume",
]
