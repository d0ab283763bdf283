"""Why no whole reply came, in plain words: which host, and what kind of failure."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
from collections.abc import Iterator, Sequence

from urllib3 import exceptions as vendor

from kgcore.errors import (
    BadReplyError,
    InputError,
    ServiceError,
    TimedOutError,
    UnreachableError,
)
from kgcore.transport.outcomes import MANY, Outcome

_NO_WAY = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EADDRNOTAVAIL)
_CUT = (vendor.IncompleteRead, vendor.InvalidChunkLength, http.client.IncompleteRead)
# What an exchange may raise; anything else is a fault of ours.
FAILURES = (
    vendor.HTTPError,
    http.client.HTTPException,
    OSError,
    ValueError,
    ServiceError,
    InputError,
)
_VERIFY = {  # numbers of OpenSSL
    10: "its certificate has expired",
    18: "its certificate is signed by itself, so nobody vouches for it",
    19: "its certificate is signed by itself, so nobody vouches for it",
    62: "its certificate is for another name",
    64: "its certificate is for another name",
}


def failed(error: Exception, host: str, seconds: float) -> Outcome:
    """Return the outcome of an exchange that raised; `seconds` is how long the host was given."""
    if isinstance(error, ServiceError):
        return Outcome(host, error=error, tries=int(isinstance(error, BadReplyError)))
    if isinstance(error, InputError):  # the guard found that the name leads where nobody may ask
        return Outcome(host, error=_because(UnreachableError(str(error)), error))
    causes = list(_causes(error))
    if any(isinstance(cause, vendor.ProxyError | vendor.ProxySchemeUnknown) for cause in causes):
        return _by_proxy(causes, error, host)
    for cause in causes:
        known = _connecting(cause, host) or _reading(cause, host, seconds)
        if known is not None:
            assert known.error is not None
            _because(known.error, error)
            return known
    return Outcome(
        host,
        error=_because(UnreachableError(f"{host} cannot be reached"), error),
        tries=MANY,
        is_down=True,
    )


def _by_proxy(causes: Sequence[BaseException], error: Exception, host: str) -> Outcome:
    words, tries = "does not answer", MANY
    if any(str(cause).startswith("Tunnel connection failed") for cause in causes):
        words, tries = "does not let requests to it through", 0
    if isinstance(error, vendor.ProxySchemeUnknown):
        words, tries = "is of a kind that cannot be used here", 0
    text = f"{host} cannot be reached: the proxy named in the environment {words}"
    return Outcome(host, error=_because(UnreachableError(text), error), tries=tries)


def _connecting(cause: BaseException, host: str) -> Outcome | None:
    tries, words = MANY, ""
    if isinstance(cause, ssl.SSLError):
        tries, words = 0, _tls_words(cause)
    elif isinstance(cause, socket.gaierror):
        is_unknown = cause.errno != socket.EAI_AGAIN
        words = "no machine has this name" if is_unknown else "its name cannot be looked up now"
        tries = 0 if is_unknown else MANY
    elif isinstance(cause, ConnectionRefusedError):
        words = "it refuses connections at this port"
    elif isinstance(cause, OSError) and cause.errno in _NO_WAY:
        words = "the network has no way to it"
    elif isinstance(cause, ConnectionError):
        words = "the connection broke off"
    if not words:
        return None
    error = UnreachableError(f"{host} cannot be reached: {words}")
    return Outcome(host, error=error, tries=tries, is_down=True)


def _reading(cause: BaseException, host: str, seconds: float) -> Outcome | None:
    if isinstance(cause, _CUT):
        return Outcome(host, error=BadReplyError(f"the answer of {host} ended early"), tries=1)
    if isinstance(cause, TimeoutError | vendor.ReadTimeoutError | vendor.ConnectTimeoutError):
        return timed_out(host, seconds)
    if isinstance(cause, http.client.HTTPException):
        error = BadReplyError(f"what {host} sent is not the answer of a web server")
        return Outcome(host, error=error, tries=1)
    return None


def timed_out(host: str, seconds: float) -> Outcome:
    """Return the outcome of an exchange that took too long."""
    error = TimedOutError(f"{host} did not answer within {seconds:.3g} s")
    return Outcome(host, error=error, tries=MANY, is_down=True)


def _because(error: ServiceError, cause: Exception) -> ServiceError:
    error.__cause__ = cause
    return error


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Go through what an error wraps and came from, the innermost first."""
    queue: list[BaseException] = [error]
    found: list[BaseException] = []
    while queue:
        one = queue.pop(0)
        if any(one is other for other in found):
            continue
        found.append(one)
        wrapped = (*one.args, getattr(one, "reason", None), one.__cause__, one.__context__)
        queue += [other for other in wrapped if isinstance(other, BaseException)]
    yield from reversed(found)


def _tls_words(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return _VERIFY.get(error.verify_code, "its certificate is not trusted here")
    if error.reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return "it does not speak https at this port (is it http?)"
    if isinstance(error, ssl.SSLEOFError):
        return "it hung up on a secure connection (is it http?)"
    return "no secure connection could be agreed on"
