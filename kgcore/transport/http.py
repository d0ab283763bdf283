"""What an adapter says to the transport and gets back: requests, replies, and what a status means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kgcore.errors import BadReplyError, RateLimitedError, RefusedKeyError

Check = Callable[["HttpResponse"], bool]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request that only reads; `secret` holds headers that no log and no cache may see."""

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    secret: tuple[tuple[str, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """A whole reply; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    url: str = ""
    fetched: str = ""  # ISO 8601, UTC
    seconds: float = 0.0
    is_cached: bool = False


def check_status(response: HttpResponse) -> bool:
    """Raise the error a status stands for; True for a reply that may be kept."""
    if response.status in (401, 403):
        raise RefusedKeyError("the service refused the request")
    if response.status == 429:
        raise RateLimitedError("the service keeps saying: too many requests")
    if response.status >= 400 or response.status == 204:
        raise BadReplyError(f"the service answered with status {response.status}")
    return True
