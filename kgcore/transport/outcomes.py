"""What became of one attempt: a reply or an error, and whether another attempt may fare better."""

from __future__ import annotations

from dataclasses import dataclass

from kgcore.errors import BadReplyError, RateLimitedError, ServiceError
from kgcore.transport.addresses import origin
from kgcore.transport.http import Check, HttpRequest, HttpResponse
from kgcore.transport.retry import parse_retry_after

PASSING = frozenset({500, 502, 503, 504})  # a service in this state may soon be well again
LIMITING = frozenset({405, 429, 503})  # with Retry-After each of them means: too many requests
MANY = 99  # as often as the policy allows


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply or an error; a reply that sends the request on to `onward` is not judged.

    `tries` is how often an error like this is worth another attempt; `retry_after` the seconds the service asked
    for. `is_down` says that the host did not do its work: too many of these in a row and it is left alone.
    """

    host: str
    response: HttpResponse | None = None
    error: ServiceError | None = None
    onward: HttpRequest | None = None
    may_keep: bool = False
    tries: int = 0
    retry_after: float | None = None
    is_limited: bool = False
    is_down: bool = False


def judge(response: HttpResponse, check: Check, accept: str) -> Outcome:
    """Say what a reply is: good, bad for good, or worth another attempt."""
    host = origin(response.url)
    retry_after = parse_retry_after(response.headers.get("retry-after"))
    if response.status == 429 or (response.status in LIMITING and retry_after is not None):
        return limited(host, retry_after)
    try:
        _check_form(response, host, accept)
        may_keep = check(response)
    except RateLimitedError as error:
        return Outcome(host, error=error, tries=MANY, retry_after=retry_after, is_limited=True)
    except ServiceError as error:
        is_passing = response.status in PASSING and isinstance(error, BadReplyError)
        is_once = response.status < 400 and isinstance(error, BadReplyError)
        return Outcome(
            host, error=error, tries=MANY if is_passing else int(is_once), is_down=is_passing
        )
    return Outcome(host, response, may_keep=may_keep)


def limited(host: str, seconds: float | None) -> Outcome:
    """Return what it means to be told to ask less often."""
    asked = "" if seconds is None else f" and asks to wait {seconds:.0f} s"
    error = RateLimitedError(f"{host} says: too many requests{asked}")
    return Outcome(host, error=error, tries=MANY, retry_after=seconds, is_limited=True)


def _check_form(response: HttpResponse, host: str, accept: str) -> None:
    if response.status == 204:
        raise BadReplyError(f"{host} answered without content")
    kind = response.headers.get("content-type", "").lower()
    start = response.body[:64].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    looks_so = start.startswith((b"<!doctype html", b"<html"))
    is_called_so = kind.startswith(("text/html", "application/xhtml"))
    is_page = looks_so or (is_called_so and not start.startswith((b"{", b"[")))
    if is_page and response.status < 400 and "html" not in accept.lower():
        raise BadReplyError(f"{host} answered with a web page instead of data")
