"""Asks MusicBrainz's web service (ws/2). The only module that knows musicbrainzngs.

The library's reader of replies (mbxml) turns their XML into plain dicts; its tables of allowed includes check what
we ask for. Nothing else of it is used: it sends by urllib without a timeout, keeps its settings and its rate limit in
module variables, tries a busy server for a minute and reads an HTML page as an empty reply. What it reads wrongly
is put right here:

* XML is parsed by defusedxml first, so no document type or entity is ever expanded, and what is no ws/2 document is
  an error. Elements of other namespaces are taken out: the library would number them in a module variable.
* A relationship to a web address loses the address's id, and a recording its first release date, which the service
  began to send after the library's last release; both are read beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from musicbrainzngs import mbxml
from musicbrainzngs.musicbrainz import LUCENE_SPECIAL, VALID_BROWSE_INCLUDES, VALID_INCLUDES

from kgcore.errors import BadReplyError, RateLimitedError
from kgcore.kg.musicbrainz.kinds import PAGE_LENGTH, is_mbid, kinds
from kgcore.transport.http import HttpRequest, HttpResponse, check_status
from kgcore.transport.transport import Transport

_MMD, _EXT = "{http://musicbrainz.org/ns/mmd-2.0#}", "{http://musicbrainz.org/ns/ext#-2.0}"
_DEEPEST = 60  # levels of elements; real replies have about twenty
_UNKNOWN = re.compile(rb"not found|invalid mbid|invalid uuid", re.I)
_BULKY = ("recording-rels", "release-rels", "work-rels")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]+")
_READERS = {
    "artist": mbxml.parse_artist,
    "release-group": mbxml.parse_release_group,
    "release": mbxml.parse_release,
    "recording": mbxml.parse_recording,
    "work": mbxml.parse_work,
    "label": mbxml.parse_label,
    "place": mbxml.parse_place,
    "area": mbxml.parse_area,
    "event": mbxml.parse_event,
    "series": mbxml.parse_series,
    "instrument": mbxml.parse_instrument,
    "url": mbxml.parse_url,
    "artist-list": mbxml.parse_artist_list,
    "release-group-list": mbxml.parse_release_group_list,
    "release-list": mbxml.parse_release_list,
    "recording-list": mbxml.parse_recording_list,
    "work-list": mbxml.parse_work_list,
    "label-list": mbxml.parse_label_list,
    "place-list": mbxml.parse_place_list,
    "area-list": mbxml.parse_area_list,
    "event-list": mbxml.parse_event_list,
    "series-list": mbxml.parse_series_list,
    "instrument-list": mbxml.parse_instrument_list,
}
_WITH_ID = {f"{_MMD}{name}" for name in (*_READERS, "target")}


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply as musicbrainzngs reads it, with what it does not read."""

    data: Mapping[str, Any]
    url_ids: Mapping[str, str] = field(default_factory=dict)  # web address → its id
    first_dates: Mapping[str, str] = field(default_factory=dict)  # id of a recording → date
    query: str = ""
    when: str = ""

    def items(self, kind: str) -> Sequence[Mapping[str, Any]]:
        """The listed things of a kind."""
        return self.data.get(f"{kind}-list") or ()

    def count(self, kind: str) -> int:
        """How many things of a kind there are, listed or not."""
        return max(int(self.data.get(f"{kind}-count", 0)), len(self.items(kind)))


class Client:
    """Shapes requests and reads replies; the transport sends, waits and remembers.

    `scope` names the graph and its version, under which replies are kept.
    """

    def __init__(self, address: str, transport: Transport, *, scope: str) -> None:
        base = address.rstrip("/")
        self._base = base if base.endswith("/ws/2") else f"{base}/ws/2"
        self._transport, self._scope = transport, scope

    def lookup(self, kind: str, mbid: str, *, is_lean: bool = False) -> Reply | None:
        """Return one thing with all that a single request can bring; None for an id that is not known.

        A lean lookup leaves out relationships of which a thing may have tens of thousands.
        """
        includes = _checked(kinds()[kind].includes, VALID_INCLUDES[kind])
        if is_lean:
            includes = [name for name in includes if name not in _BULKY]
        return self._ask(f"{kind}/{mbid}", {"inc": " ".join(includes)} if includes else {})

    def browse(self, kind: str, by: str, mbid: str, *, offset: int = 0) -> Reply:
        """Return a page of the things of a kind that are linked to a thing, with their number."""
        query = {by: mbid, "limit": str(PAGE_LENGTH), "offset": str(offset)}
        if "artist-credits" in VALID_BROWSE_INCLUDES.get(kind, ()):
            query["inc"] = "artist-credits"
        return self._ask(kind, query) or Reply({})

    def search(self, kind: str, query: str, *, limit: int) -> Reply:
        """Return things that fit a query in Lucene's language, best first."""
        return self._ask(kind, {"query": query, "limit": str(min(limit, PAGE_LENGTH))}) or Reply({})

    def address(self, address: str) -> Reply | None:
        """Return what is linked to a web address; None for one that nothing is linked to."""
        includes = _checked(kinds()["url"].includes, VALID_INCLUDES["url"])
        return self._ask("url", {"resource": address, "inc": " ".join(includes)})

    def _ask(self, path: str, query: Mapping[str, str]) -> Reply | None:
        url = f"{self._base}/{path}"
        if query:
            url += f"?{urlencode(query)}"
        request = HttpRequest(url, headers=(("Accept", "application/xml"),))
        response = self._transport.fetch(request, scope=self._scope, check=_check)
        if is_unknown(response):
            return None
        data, url_ids, dates = read(response.body)
        return Reply(data, url_ids, dates, url, response.fetched)


def _checked(includes: Sequence[str], allowed: Sequence[str]) -> Sequence[str]:
    wrong = sorted(set(includes) - set(allowed) - {"aliases"})
    if wrong:
        raise ValueError(f"no such includes: {', '.join(wrong)}")
    return includes


def phrase(text: str) -> str:
    """Return a query for names that hold these words in this order; empty when no letter or digit is in it."""
    bare = " ".join(_CONTROL.sub(" ", text).split())
    if not any(char.isalnum() for char in bare):
        return ""
    return f'"{escape(bare)}"'


def about(text: str) -> str:
    """Return a query for names that hold words much like these, typing errors allowed."""
    words = ["".join(c if c.isalnum() else " " for c in word) for word in text.split()]
    parts = [part for word in words for part in word.casefold().split()]
    return " AND ".join(f"{part}~" for part in parts if part not in ("and", "or", "not"))


def escape(text: str) -> str:
    """Take the meaning from every character that means something in Lucene's language."""
    return re.sub(LUCENE_SPECIAL, r"\\\1", text)


def is_unknown(response: HttpResponse) -> bool:
    """True for a reply that says that there is no thing of this id."""
    if response.status == 404:
        return True
    return response.status == 400 and _UNKNOWN.search(response.body[:2000]) is not None


def _check(response: HttpResponse) -> bool:
    """Raise the error that a reply stands for; True for one that may be kept."""
    if response.status == 503:
        raise RateLimitedError("MusicBrainz keeps saying: too many requests")
    if is_unknown(response):
        if response.status == 404 and not response.body.lstrip().startswith(b"<?xml"):
            return _is_plain(response)
        return True
    check_status(response)
    read(response.body)
    return True


def _is_plain(response: HttpResponse) -> bool:
    """Refuse a page that says 404 for the whole service: a wrong address is not an unknown id."""
    start = response.body.lstrip()[:200].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise BadReplyError("the address is not one of a MusicBrainz web service")
    return True


def read(body: bytes) -> tuple[Mapping[str, Any], Mapping[str, str], Mapping[str, str]]:
    """Read a ws/2 document: its dict, the ids of web addresses, the first release dates of recordings.

    BadReplyError for anything else, an HTML page with status 200 above all.
    """
    try:
        root = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise BadReplyError("MusicBrainz answered with something that is not its XML") from error
    if root.tag != f"{_MMD}metadata":
        raise BadReplyError("MusicBrainz answered with something that is not its XML")
    url_ids, dates = _tidy(root)
    try:
        return mbxml.parse_elements([], _READERS, root), url_ids, dates
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise BadReplyError("MusicBrainz answered with XML that cannot be read") from error


def _tidy(root: Element) -> tuple[dict[str, str], dict[str, str]]:
    """Take out what is of other namespaces and ids that are none, and read what the library leaves out."""
    url_ids: dict[str, str] = {}
    dates: dict[str, str] = {}
    level = [root]
    for _ in range(_DEEPEST):
        below: list[Element] = []
        for element in level:
            for name in [n for n in element.attrib if n.startswith("{") and _EXT not in n]:
                del element.attrib[name]
            for child in list(element):
                if not child.tag.startswith((_MMD, _EXT)):
                    element.remove(child)
            if element.tag in _WITH_ID and not is_mbid(element.get("id", "")):
                element.attrib.pop("id", None)
            mbid = element.get("id", "")
            if element.tag == f"{_MMD}target" and mbid:
                url_ids[element.text or ""] = mbid
            if element.tag == f"{_MMD}recording" and mbid:
                dates[mbid] = element.findtext(f"{_MMD}first-release-date") or ""
            below += element
        if not below:
            return url_ids, {i: date for i, date in dates.items() if date}
        level = below
    raise BadReplyError("MusicBrainz answered with XML that is nested too deeply")
