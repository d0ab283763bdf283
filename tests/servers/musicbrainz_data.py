"""A small MusicBrainz in memory, made of ws/2 documents: everything any of them says of a thing is put together.

A thing may be looked up in one document and be the end of a relationship, a track or a credit in ten others. Here
each thing gets what all of them say of it, relationships also stand at their other end, and what a browse request or
the lists of a lookup would bring follows from credits, labels, tracks and areas. Lookups answer only what their
`inc` asks for, as the service does.
"""

from __future__ import annotations

import copy
import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, fromstring

from tests.servers.musicbrainz_json import EXT, KINDS, MMD, to_xml

Key = tuple[str, str]  # kind, id
_MMD = f"{{{MMD}}}"
_LISTED = {  # lists inside a lookup
    "artist": ("release-group", "release", "recording", "work"),
    "release-group": ("release",),
    "recording": ("release",),
    "label": ("release",),
}
_INCLUDED = {  # part of a thing → includes that bring it
    "artist-credit": ("artists", "artist-credits"),
    "alias-list": ("aliases",),
    "label-info-list": ("labels",),
    "medium-list": ("recordings", "media"),
    "release-group": ("release-groups",),
    "isrc-list": ("isrcs",),
    "annotation": ("annotation",),
    "tag-list": ("tags",),
}
_AREAS = ("area", "begin-area", "end-area")
_DROPPED = ("relation-list", *(f"{kind}-list" for kind in KINDS))
LIST_LENGTH = 25


class MusicBrainzData:
    """Things, the relationships between them, and what is linked to what."""

    def __init__(self) -> None:
        self.parts: dict[Key, dict[str, Element]] = defaultdict(dict)
        self.attributes: dict[Key, dict[str, str]] = defaultdict(dict)
        self.relations: dict[Key, dict[str, dict[tuple[str, ...], Element]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        self.linked: dict[Key, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
        self.merged: dict[Key, str] = {}

    # --- gathering

    def add(self, document: bytes | Element) -> None:
        """Take in all that a document says."""
        root = document if isinstance(document, Element) else fromstring(document)
        for child in root:
            self._visit(child, None)

    def add_link(self, kind: str, mbid: str, address: str) -> None:
        """Relate a thing to a web address by the relationship for Wikidata."""
        identifier = str(uuid.uuid5(uuid.NAMESPACE_URL, address))
        document = (
            f'<metadata xmlns="{MMD}"><{kind} id="{mbid}"><relation-list target-type="url">'
            f'<relation type="wikidata"><target id="{identifier}">{address}</target></relation>'
            f"</relation-list></{kind}></metadata>"
        )
        self.add(document.encode())

    def _visit(self, element: Element, parent: Key | None) -> None:
        kind = element.tag.removeprefix(_MMD)
        key = (kind, element.get("id", "")) if kind in KINDS and element.get("id") else None
        if key is not None:
            self._note(key, element)
            if parent is not None:
                self.linked[parent][kind].setdefault(key[1])
        for child in element:
            name = child.tag.removeprefix(_MMD)
            if name == "relation-list":
                for relation in child if key else ():
                    self._relate(key, child.get("target-type", ""), relation)  # type: ignore[arg-type]
                continue
            if name in _AREAS and key and child.get("id"):
                self._note(("area", child.attrib["id"]), child)
                self.linked["area", child.attrib["id"]][kind].setdefault(key[1])
            self._visit(child, key or parent)

    def _note(self, key: Key, element: Element) -> None:
        for name, value in element.attrib.items():
            if not name.startswith("{"):
                self.attributes[key].setdefault(name, value)
        for child in element:
            name = child.tag.removeprefix(_MMD)
            if name in _DROPPED:
                continue
            known = self.parts[key].get(name)
            if known is None or len(list(child.iter())) > len(list(known.iter())):
                self.parts[key][name] = child

    def _relate(self, key: Key, target_type: str, relation: Element) -> None:
        kind = target_type.replace("_", "-")
        target = relation.find(f"{_MMD}target")
        end = relation.find(f"{_MMD}{kind}")
        if end is not None:
            self._visit(end, None)
            other = (kind, end.get("id", ""))
        elif target is not None:
            other = (kind, target.get("id") or target.text or "")
        else:
            return
        if kind == "url" and target is not None and "resource" not in self.parts[other]:
            self.attributes[other]["id"] = other[1]
            resource = Element(f"{_MMD}resource")
            resource.text = target.text
            self.parts[other]["resource"] = resource
        self._keep(key, other, relation, is_mirrored=False)
        self._keep(other, key, relation, is_mirrored=True)

    def _keep(self, key: Key, other: Key, relation: Element, *, is_mirrored: bool) -> None:
        is_backward = (relation.findtext(f"{_MMD}direction") == "backward") != is_mirrored
        told = ("begin", "end", "ended", "attribute-list", "ordering-key")
        kept = [copy.deepcopy(c) for c in relation if c.tag.removeprefix(_MMD) in told]
        made = Element(relation.tag, relation.attrib)
        target = SubElement(made, f"{_MMD}target", {"id": other[1]} if other[0] == "url" else {})
        target.text = other[1]
        if is_backward:
            SubElement(made, f"{_MMD}direction").text = "backward"
        made.extend(kept)
        credit = relation.find(f"{_MMD}target-credit")
        if credit is not None and not is_mirrored:
            made.append(credit)
        said = tuple(text.strip() for child in kept for text in child.itertext())
        place = (relation.get("type", ""), other[1], str(is_backward), *said)
        self.relations[key][other[0]].setdefault(place, made)

    # --- answering

    def lookup(self, kind: str, mbid: str, includes: Sequence[str]) -> Element | None:
        """Return a thing as a lookup shows it."""
        mbid = self.merged.get((kind, mbid), mbid)
        if (kind, mbid) not in self.attributes:
            return None
        element = self._thing((kind, mbid), includes)
        for other in _LISTED.get(kind, ()):
            ids = list(self._linked((kind, mbid), other))
            if f"{other}s" in includes and ids:
                listed = SubElement(element, f"{_MMD}{other}-list", {"count": str(len(ids))})
                listed.extend(self._thing((other, i), ()) for i in ids[:LIST_LENGTH])
        for other, relations in self.relations[kind, mbid].items():
            if f"{other}-rels" in includes:
                target_type = other.replace("-", "_")
                listed = SubElement(element, f"{_MMD}relation-list", {"target-type": target_type})
                listed.extend(self._relation(other, relation) for relation in relations.values())
        return element

    def browse(self, kind: str, by: str, mbid: str, includes: Sequence[str]) -> list[Element]:
        """Return the things of a kind that are linked to one thing."""
        return [self._thing((kind, i), includes) for i in self._linked((by, mbid), kind)]

    def address(self, resource: str) -> str | None:
        """Return the id of a web address."""
        wanted = resource.removeprefix("http://").removeprefix("https://")
        for (kind, mbid), parts in self.parts.items():
            if kind == "url" and "resource" in parts:
                known = parts["resource"].text or ""
                if known.removeprefix("http://").removeprefix("https://") == wanted:
                    return mbid
        return None

    def names(self, kind: str) -> Iterable[tuple[str, list[str]]]:
        """Return the things of a kind with all their names."""
        for (its_kind, mbid), parts in self.parts.items():
            if its_kind == kind:
                texts = [parts[n].text or "" for n in ("name", "title", "sort-name") if n in parts]
                aliases = parts.get("alias-list")
                texts += [alias.text or "" for alias in aliases] if aliases is not None else []
                yield mbid, [text for text in texts if text]

    def found(self, kind: str, mbid: str, score: int) -> Element:
        """Return a thing as a search shows it."""
        element = self._thing((kind, mbid), ("aliases", "artist-credits"))
        element.set(f"{{{EXT}}}score", str(score))
        return element

    def _linked(self, key: Key, kind: str) -> Iterable[str]:
        """What is linked to a thing from either side: by being inside it or by holding it."""
        inside = {i: None for i in self.linked[key][kind] if (kind, i) != key}
        holding = {
            i: None
            for (other, i), links in self.linked.items()
            if other == kind and key[1] in links.get(key[0], ())
        }
        return sorted({**inside, **holding})

    def _thing(self, key: Key, includes: Sequence[str]) -> Element:
        element = Element(f"{_MMD}{key[0]}", {**self.attributes[key], "id": key[1]})
        for name, part in self.parts[key].items():
            if name not in _INCLUDED or set(_INCLUDED[name]) & set(includes):
                element.append(part)
        return element

    def _relation(self, kind: str, relation: Element) -> Element:
        made = copy.copy(relation)
        target = made.find(f"{_MMD}target")
        assert target is not None
        key = (kind, target.text or "")
        if kind == "url":
            key = (kind, target.attrib["id"])
            target.text = self.parts[key]["resource"].text
        else:
            made.append(self._thing(key, ()))
        return made


def shared_musicbrainz(folder: Path) -> MusicBrainzData:
    """Read all documents of the shared data, XML as it is and JSON as XML, with the links to Wikidata."""
    data = MusicBrainzData()
    for row in (folder / "index.tsv").read_text("utf-8").splitlines()[1:]:
        file, kind, *_ = row.split("\t")
        content = (folder / file).read_bytes()
        if file.endswith(".xml"):
            data.add(content)
        else:
            data.add(to_xml(json.loads(content), kind if kind in KINDS else ""))
    for line in (folder / "wikidata_links.nt").read_text("utf-8").splitlines():
        subject, predicate, end, *_ = line.split()
        if predicate.endswith("#sameAs>"):
            kind, mbid = subject.strip("<>").split("/")[-2:]
            data.add_link(
                kind, mbid, "https://www.wikidata.org/wiki/" + end.strip("<>").split("/")[-1]
            )
    return data
