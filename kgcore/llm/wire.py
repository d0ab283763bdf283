"""What is known of a request on the wire; filled in by the HTTP client (kgcore.llm.client)."""

from __future__ import annotations

import contextvars
import math
import threading
from dataclasses import dataclass, field

MAX_BYTES = 4_000_000  # of one reply; several times what many long samples need


@dataclass(slots=True)
class Wire:
    """What is known of one request on the wire."""

    timeout_s: float
    max_bytes: int = MAX_BYTES
    ends: float = math.inf  # on time.monotonic(); known once the request is sent
    started: threading.Event = field(default_factory=threading.Event)  # sent, or given up
    n_sent: int = 0
    status: int | None = None
    content_type: str = ""
    retry_after: float | None = None
    problem: str = ""  # "late" or "large": the reply was ended here


current: contextvars.ContextVar[Wire | None] = contextvars.ContextVar("current", default=None)
