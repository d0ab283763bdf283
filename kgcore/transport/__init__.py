"""Timeouts, retries, rate limits and the response cache: one place for every adapter.

The transport itself is in `kgcore.transport.transport`; it is imported when a remote graph is chosen.
"""

from kgcore.transport.allowance import Allowance, current_allowance, spending
from kgcore.transport.http import HttpRequest, HttpResponse, check_status

__all__ = [
    "Allowance",
    "HttpRequest",
    "HttpResponse",
    "check_status",
    "current_allowance",
    "spending",
]
