"""Where a reply sends the request on to, and what the request may take along."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from kgcore.errors import BadReplyError, InputError
from kgcore.transport.addresses import check_address, origin
from kgcore.transport.http import HttpRequest, HttpResponse

MAX_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def next_request(
    request: HttpRequest, response: HttpResponse, *, allow_private: bool
) -> HttpRequest | None:
    """Return the request a redirect asks for; None for a reply that is none.

    The method stays what it was, but for 303: a query sent by POST is still to be answered. Raises BadReplyError
    for a redirect that is not followed.
    """
    where = response.headers.get("location")
    if response.status not in _REDIRECTS or not where:
        return None
    host = origin(request.url)
    try:
        url = check_address(urljoin(request.url, where.strip()), allow_private)
    except (InputError, ValueError) as error:
        raise BadReplyError(f"{host} sends requests on to an address that is not asked") from error
    onward = replace(request, url=url)
    if response.status == 303:
        onward = replace(onward, method="GET", body=b"")
    is_exposed = urlsplit(request.url).scheme == "https" and urlsplit(url).scheme == "http"
    if request.secret and is_exposed:
        raise BadReplyError(f"{host} sends requests with a password on to an unencrypted address")
    return onward if origin(url) == host else replace(onward, secret=())
