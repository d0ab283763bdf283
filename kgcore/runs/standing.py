"""How a run stands and how it ends, and who gave a result: the few words that journals, stores and views share."""

from __future__ import annotations

from typing import Literal as OneOf
from typing import get_args

Via = OneOf["live", "run", "memory", "parent", "human"]
EndStatus = OneOf["answered", "no_answer", "stopped", "budget", "failed"]
RunStatus = EndStatus | OneOf["running", "paused", "waiting", "stopping", "interrupted"]

VIAS: tuple[Via, ...] = get_args(Via)
ANEW: tuple[Via, ...] = ("live", "human")  # what was not taken over: only this cost anything
TAKEN_OVER: tuple[Via, ...] = ("memory", "run", "parent")
ENDS: tuple[EndStatus, ...] = get_args(EndStatus)
