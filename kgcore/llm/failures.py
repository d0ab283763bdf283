"""From what a provider and its library said to one of our errors: pure functions.

Two voices tell of a failure: the wire (the HTTP status and headers that came, if any) and the vendor library's
exception. The wire is believed first, because the library renames statuses. A message names the service and what
is wrong in our own words; the provider's own text is quoted only where it helps (a request it does not accept, a
failure of its own), cleaned of markup and of everything that looks like a key, and never for a refused key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus

from kgcore.errors import (
    ContextWindowError,
    FilteredError,
    RateLimitedError,
    RefusedKeyError,
    ServiceError,
    TimedOutError,
)

_MAX_QUOTE = 160
_MAX_READ = 4_000  # characters of a message; it may be megabytes, made to be slow to search
_OVERFLOW = re.compile(
    r"context[_ ](?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens"
    r"|exceeds? the (?:model'?s )?(?:maximum|available) (?:context|tokens?)",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[_ ](?:filter|management policy|policy)|safety system", re.IGNORECASE
)
_NO_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)
_NO_PROVIDER = re.compile(r"LLM Provider NOT provided|Unmapped LLM provider", re.IGNORECASE)
_MARKUP = re.compile(r"<[a-zA-Z!/][^>]*>")
_WRAPPING = re.compile(  # what the vendor library puts around a provider's words
    r"^(?:(?:litellm\.)?\w+(?:Error|Exception|Timeout)\b[\s:.-]*)+(?:Error code: \d+[\s:-]*)?"
    r"|\s*Handle with `[^`]*`\.?",
)
_KEY_LIKE = re.compile(
    r"(?i:bearer)\s+\S+"
    r"|\b(?:sk|pk|rk|gsk|xai|hf|key|api|ghp|glpat)[-_][A-Za-z0-9_\-*.]{6,}"
    r"|\bAIza[A-Za-z0-9_\-]{10,}"
    r"|\b(?=[A-Za-z0-9_\-]*\d)(?=[A-Za-z0-9_\-]*[A-Za-z])[A-Za-z0-9_\-]{24,}"
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of a request that failed.

    `status` and `content_type` are those on the wire (None and "" when nothing came back); `name`, `text` and
    `claimed` are the vendor exception's class, message and status. `n_sent` is 0 when nothing left the machine.
    """

    name: str = ""
    text: str = ""
    claimed: int | None = None
    status: int | None = None
    content_type: str = ""
    retry_after: float | None = None
    n_sent: int = 1
    problem: str = ""  # "late" or "large": our own limit ended the request


@dataclass(frozen=True, slots=True)
class Failure:
    """What a failed request means for us: which error, whether to ask again, and after how long."""

    error: type[ServiceError]
    message: str
    is_retryable: bool = False
    retry_after: float | None = None
    is_bad_request: bool = False  # the provider does not accept the request as it is
    n_sent: int = 1
    kind: str = ""  # overrides the error's own kind
    short: str = ""  # a word or a number for a waiting line

    def exception(self) -> ServiceError:
        """Return the error to raise."""
        error = self.error(self.message)
        if self.kind:
            error.kind = self.kind
        return error


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text without the given secrets and without anything that looks like a key."""
    return _KEY_LIKE.sub("[key]", _without(text, secrets))


def _without(text: str, secrets: Iterable[str]) -> str:
    for secret in sorted((s for s in secrets if len(s) >= 4), key=len, reverse=True):
        text = text.replace(secret, "[key]")
    return text


def quote(text: str, secrets: Iterable[str] = ()) -> str:
    """Return a provider's own words as one short clean line; nothing where they are markup or a traceback."""
    text = _without(text, secrets)[:_MAX_READ]
    if _MARKUP.search(text) or "Traceback (most recent call last)" in text:
        return ""
    line = scrub(" ".join(_WRAPPING.sub("", text.strip()).split()))
    if not any(c.isalnum() for c in line):
        return ""
    if len(line) > _MAX_QUOTE:
        line = line[: _MAX_QUOTE - 1].rstrip() + "…"
    return line


def judge(seen: Seen, *, service: str, model: str, secrets: Iterable[str] = ()) -> Failure:
    """Say what a failed request means."""
    failure = (
        _by_limit(seen, service)
        or _before_sending(seen, service, model, secrets)
        or _by_content(seen, service)
        or _by_status(seen, service, model, secrets)
    )
    return failure


def _by_limit(seen: Seen, service: str) -> Failure | None:
    """A request that our own limits ended."""
    if seen.problem == "late":
        return _timed_out(seen, service)
    if seen.problem == "large":
        message = f"{service} sent an answer that is too large; it was cut off"
        return Failure(ServiceError, message, n_sent=seen.n_sent, kind="too_large")
    return None


def no_key(service: str) -> Failure:
    """Return the failure of a request to a provider for which there is no key."""
    message = f"no key is set for {service}: set one on the Settings page or in the environment"
    return Failure(RefusedKeyError, message, n_sent=0)


def _before_sending(seen: Seen, service: str, model: str, secrets: Iterable[str]) -> Failure | None:
    """A request that the vendor library would not even send."""
    if seen.n_sent or seen.status is not None:
        return None
    if _NO_PROVIDER.search(seen.text):
        message = f"no provider is known for the model {model!r}; write it as provider/model"
        return Failure(ServiceError, message, n_sent=0, kind="model")
    if seen.name == "AuthenticationError" or "api_key" in seen.text:
        return no_key(service)
    if seen.claimed is not None and seen.claimed < 500:
        message = _with_quote(f"the request to {service} cannot be made", seen, secrets)
        return Failure(ServiceError, message, n_sent=0, is_bad_request=True)
    return None


def _by_content(seen: Seen, service: str) -> Failure | None:
    """A prompt that is too long or that a filter stopped; both come under several statuses."""
    status = seen.status if seen.status is not None else seen.claimed
    if status not in (400, 413, 422):
        return None
    if seen.name == "ContextWindowExceededError" or _OVERFLOW.search(seen.text):
        message = f"the prompt does not fit the context window of the model at {service}"
        return Failure(ContextWindowError, message, n_sent=seen.n_sent)
    if seen.name == "ContentPolicyViolationError" or _FILTERED.search(seen.text):
        message = f"the content filter of {service} stopped the prompt"
        return Failure(FilteredError, message, n_sent=seen.n_sent)
    return None


def _by_status(seen: Seen, service: str, model: str, secrets: Iterable[str]) -> Failure:
    status = seen.status
    is_late = seen.name in ("Timeout", "APITimeoutError")
    if is_late and (status is None or 200 <= status < 300):
        return _timed_out(seen, service)
    if status is None:
        if seen.name == "APIConnectionError" or seen.claimed is None or seen.n_sent == 0:
            return _unreachable(seen, service)
        if seen.claimed == 500:  # how the library words every failure it cannot name
            return _unreachable(seen, service)
        status = seen.claimed
    if status == 429:
        return _rate_limited(seen, service)
    if status in (401, 403):
        what = "refused the key" if status == 401 else "does not allow this key to use the model"
        return Failure(RefusedKeyError, f"{service} {what} ({status})", n_sent=seen.n_sent)
    if status == 404:
        message = f"{service} does not know the model {model!r}, or the address is wrong (404)"
        return Failure(ServiceError, message, n_sent=seen.n_sent, kind="model")
    if 200 <= status < 300:
        return _unreadable(seen, service)
    if 300 <= status < 400:
        message = f"{service} redirects elsewhere ({status}); give the final address"
        return Failure(ServiceError, message, n_sent=seen.n_sent)
    is_ours = 400 <= status < 500 and status not in (408, 409, 425)
    message = _with_quote(f"{service} answered {_phrase(status)}", seen, secrets)
    return Failure(
        TimedOutError if status == 408 else ServiceError,
        message,
        is_retryable=not is_ours,
        retry_after=seen.retry_after,
        is_bad_request=is_ours,
        n_sent=seen.n_sent,
        short=str(status),
    )


def _timed_out(seen: Seen, service: str) -> Failure:
    message = f"{service} did not answer in time"
    return Failure(TimedOutError, message, True, n_sent=seen.n_sent, short="timeout")


def _unreachable(seen: Seen, service: str) -> Failure:
    message = f"{service} cannot be reached, or the connection broke"
    return Failure(ServiceError, message, True, n_sent=seen.n_sent, short="no connection")


def _rate_limited(seen: Seen, service: str) -> Failure:
    if _NO_QUOTA.search(seen.text):
        message = f"the account at {service} has no quota left (429)"
        return Failure(RateLimitedError, message, n_sent=seen.n_sent)
    message = f"{service} says: too many requests (429)"
    return Failure(
        RateLimitedError, message, True, seen.retry_after, n_sent=seen.n_sent, short="429"
    )


def _unreadable(seen: Seen, service: str) -> Failure:
    """A success on the wire that is no chat completion: a web page, or a reply that was cut."""
    if "html" in seen.content_type.lower():
        message = f"{service} sent a web page instead of a reply; is the address right?"
        return Failure(ServiceError, message, n_sent=seen.n_sent)
    message = f"{service} sent a reply that cannot be read, or the connection broke"
    return Failure(ServiceError, message, True, n_sent=seen.n_sent, short="unreadable")


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _with_quote(message: str, seen: Seen, secrets: Iterable[str]) -> str:
    words = quote(seen.text, secrets)
    return f"{message}: {words}" if words else message
