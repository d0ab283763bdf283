"""What an adapter says to the transport and gets back: requests, replies, and what a status means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kgcore.errors import BadReplyError, RateLimitedError, RefusedKeyError
from kgcore.transport.addresses import origin

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
    host = origin(response.url) if response.url else "the service"
    if response.status == 401:
        raise RefusedKeyError(
            f"{host} asks for a user and a password, or does not take the ones given"
        )
    if response.status == 403:
        raise RefusedKeyError(f"{host} does not allow this request (status 403)")
    if response.status == 429:
        raise RateLimitedError(f"{host} says: too many requests")
    if response.status >= 300:
        raise BadReplyError(f"{host} answered with status {response.status}")
    return True
