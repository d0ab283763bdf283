"""Writes the JSON form of MusicBrainz's replies as the XML form, the one the adapter reads.

Both forms say the same: what is an attribute there, what a list is called and where a text goes follows from the
key. Keys of the oldest replies are written with underscores. Left out is what is no core data (tags, ratings,
genres, annotations) and what the XML form does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, register_namespace

MMD, EXT = "http://musicbrainz.org/ns/mmd-2.0#", "http://musicbrainz.org/ns/ext#-2.0"
KINDS = "artist release-group release recording work label place area event series instrument url".split()
_PLURALS = {f"{kind}s": kind for kind in KINDS} | {"series-list": "series"}
_TEXT_LISTS = {  # key → (list, element)
    "iso-3166-1-codes": ("iso-3166-1-code-list", "iso-3166-1-code"),
    "iso-3166-2-codes": ("iso-3166-2-code-list", "iso-3166-2-code"),
    "iso-3166-3-codes": ("iso-3166-3-code-list", "iso-3166-3-code"),
    "iswcs": ("iswc-list", "iswc"),
    "ipis": ("ipi-list", "ipi"),
    "isnis": ("isni-list", "isni"),
    "secondary-types": ("secondary-type-list", "secondary-type"),
}
_ATTRIBUTES = ("id", "type", "type-id")
_TEXTS = (
    "name title sort-name disambiguation gender country status quality packaging date barcode asin language script "
    "length first-release-date primary-type label-code address time cancelled setlist resource position number "
    "format catalog-number begin end latitude longitude description video"
).split()
_CHILDREN = (
    *("area begin-area end-area life-span text-representation coordinates release-group".split()),
    *("release recording label".split()),
)
register_namespace("", MMD)
register_namespace("ext", EXT)


def to_xml(payload: Mapping[str, Any], kind: str) -> Element:
    """Return the document for a lookup (`kind` names what was looked up) or a list (`kind` is empty)."""
    root = Element(f"{{{MMD}}}metadata")
    data = _plain(payload)
    if kind:
        _entity(root, kind, data)
        return root
    for key, value in data.items():
        name = _PLURALS.get(key, key if key in KINDS else "")
        if name and isinstance(value, list):
            attributes = {k: str(data[k]) for k in ("count", "offset") if k in data}
            _entities(root, name, value, attributes)
    return root


def _plain(value: Any) -> Any:
    """Write all keys with hyphens, except those of attributes of relationships, which are data."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {
        key.replace("_", "-"): item
        if key.replace("_", "-").startswith("attribute-")
        else _plain(item)
        for key, item in value.items()
    }


def _add(parent: Element, name: str, attributes: Mapping[str, str] | None = None) -> Element:
    return SubElement(parent, f"{{{MMD}}}{name}", dict(attributes or {}))


def _text(parent: Element, name: str, value: Any) -> None:
    if value is None or value == "" or value is False:
        return
    _add(parent, name).text = "true" if value is True else str(value)


def _entities(
    parent: Element, kind: str, items: list[Any], attributes: Mapping[str, str] | None = None
) -> None:
    element = _add(parent, f"{kind}-list", {"count": str(len(items)), **(attributes or {})})
    for item in items:
        _entity(element, kind, item)


def _entity(parent: Element, kind: str, data: Mapping[str, Any]) -> Element:
    element = _add(parent, kind, {k: str(data[k]) for k in _ATTRIBUTES if data.get(k)})
    if data.get("score") is not None:
        element.set(f"{{{EXT}}}score", str(data["score"]))
    if kind == "release-group" and data.get("primary-type"):
        element.set("type", str(data["primary-type"]))
    for name in _TEXTS:
        if not isinstance(data.get(name), (Mapping, list)):
            _text(element, name, data.get(name))
    for name, (listed, item) in _TEXT_LISTS.items():
        if data.get(name):
            texts = _add(element, listed)
            for value in data[name]:
                _text(texts, item, value)
    for name in _CHILDREN:
        if isinstance(data.get(name), Mapping):
            _entity(element, name, data[name])
    _aliases(element, data)
    _credit(element, data)
    _release_parts(element, data)
    _relations(element, data)
    for key, other in _PLURALS.items():
        if isinstance(data.get(key), list) and data[key]:
            count = data.get(f"{other}-count")
            _entities(element, other, data[key], {"count": str(count)} if count else None)
    return element


def _aliases(element: Element, data: Mapping[str, Any]) -> None:
    aliases = data.get("aliases")
    if not aliases:
        return
    listed = _add(element, "alias-list", {"count": str(len(aliases))})
    for alias in aliases:
        attributes = {k: str(alias[k]) for k in ("locale", "sort-name", "type") if alias.get(k)}
        if alias.get("primary"):
            attributes["primary"] = "primary"
        _add(listed, "alias", attributes).text = alias.get("name")


def _credit(element: Element, data: Mapping[str, Any]) -> None:
    if not data.get("artist-credit"):
        return
    credit = _add(element, "artist-credit")
    for part in data["artist-credit"]:
        joined = {"joinphrase": part["joinphrase"]} if part.get("joinphrase") else {}
        name = _add(credit, "name-credit", joined)
        if part.get("name") and part["name"] != part["artist"].get("name"):
            _text(name, "name", part["name"])
        _entity(name, "artist", part["artist"])


def _release_parts(element: Element, data: Mapping[str, Any]) -> None:
    if data.get("isrcs"):
        listed = _add(element, "isrc-list", {"count": str(len(data["isrcs"]))})
        for isrc in data["isrcs"]:
            _add(listed, "isrc", {"id": isrc if isinstance(isrc, str) else isrc["id"]})
    if data.get("label-info"):
        listed = _add(element, "label-info-list", {"count": str(len(data["label-info"]))})
        for info in data["label-info"]:
            _entity(listed, "label-info", info)
    if data.get("release-events"):
        events = [event for event in data["release-events"] if event]
        listed = _add(element, "release-event-list", {"count": str(len(events))})
        for event in events:
            _entity(listed, "release-event", event)
    if data.get("media"):
        listed = _add(element, "medium-list", {"count": str(len(data["media"]))})
        for medium in data["media"]:
            disc = _entity(listed, "medium", {k: v for k, v in medium.items() if k != "type"})
            tracks = medium.get("tracks") or medium.get("track")
            if tracks:
                numbered = _add(disc, "track-list", {"count": str(medium.get("track-count", ""))})
                for track in tracks:
                    _entity(numbered, "track", track)


def _relations(element: Element, data: Mapping[str, Any]) -> None:
    lists: dict[str, Element] = {}
    keys = [key for key in data if key == "relations" or key.endswith("-relations")]
    for relation in (relation for key in keys for relation in data[key]):
        kind = next((k for k in KINDS if isinstance(relation.get(k), Mapping)), "")
        if not kind:
            continue
        if kind not in lists:
            target = kind.replace("-", "_")
            lists[kind] = _add(element, "relation-list", {"target-type": target})
        lists[kind].append(_relation(kind, relation))


def _relation(kind: str, data: Mapping[str, Any]) -> Element:
    attributes = {k: str(data[k]) for k in ("type", "type-id") if data.get(k)}
    element = Element(f"{{{MMD}}}relation", attributes)
    end = data[kind]
    target = _add(element, "target", {"id": end["id"]} if kind == "url" else {})
    target.text = end.get("resource") if kind == "url" else end["id"]
    _text(element, "ordering-key", data.get("ordering-key"))
    if data.get("direction") == "backward":
        _text(element, "direction", "backward")
    for name in ("begin", "end", "ended"):
        _text(element, name, data.get(name))
    if data.get("attributes"):
        listed = _add(element, "attribute-list")
        for name in data["attributes"]:
            value = (data.get("attribute-values") or {}).get(name)
            _add(listed, "attribute", {"value": value} if value else {}).text = name
    if kind != "url":
        _entity(element, kind, end)
    _text(element, "target-credit", data.get("target-credit"))
    return element
