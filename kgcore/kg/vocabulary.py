"""Prefixes and well-known properties, as data, and the ids made from them.

An id is a CURIE when the IRI starts with a namespace that has a prefix (`wd:Q25188`), and the IRI in angle
brackets when none has (`<urn:x:1>`). Both ways are lossless: the prefix ends at the first colon, the rest is
copied. The longest namespace wins, so the same IRI always gets the same id in one table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kgcore.errors import InputError
from kgcore.model import EntityId, Literal

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "http://schema.org/"
FOAF = "http://xmlns.com/foaf/0.1/"
DCTERMS = "http://purl.org/dc/terms/"
XSD = "http://www.w3.org/2001/XMLSchema#"
WD = "http://www.wikidata.org/entity/"
WDT = "http://www.wikidata.org/prop/direct/"
WIKIBASE = "http://wikiba.se/ontology#"
DBO = "http://dbpedia.org/ontology/"
FB = "http://rdf.freebase.com/ns/"
KG = "urn:kg:vocabulary:"

DEFAULT_PREFIXES: Mapping[str, str] = {
    "wd": WD,
    "wdt": WDT,
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "wds": "http://www.wikidata.org/entity/statement/",
    "wdno": "http://www.wikidata.org/prop/novalue/",
    "wikibase": WIKIBASE,
    "mb": "https://musicbrainz.org/",
    "mbp": "urn:kg:musicbrainz:p:",
    "demo": "urn:kg:demo:",
    "kg": KG,
    "local": "urn:kg:local:",  # entities that only corrections know
    "dbr": "http://dbpedia.org/resource/",
    "dbo": DBO,
    "dbp": "http://dbpedia.org/property/",
    "fb": FB,
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "skos": SKOS,
    "schema": SCHEMA,
    "foaf": FOAF,
    "dct": DCTERMS,
    "xsd": XSD,
    "geo": "http://www.opengis.net/ont/geosparql#",
}

# In order of trust: the first that a thing has in a language is its label, the others are further names.
LABEL_PROPERTIES = (
    RDFS + "label",
    SKOS + "prefLabel",
    SCHEMA + "name",
    FOAF + "name",
    FB + "type.object.name",
    DCTERMS + "title",
)
ALIAS_PROPERTIES = (SKOS + "altLabel", SCHEMA + "alternateName", FB + "common.topic.alias")
INVERSE_LABEL_PROPERTIES = (KG + "inverseLabel",)
DESCRIPTION_PROPERTIES = (
    SCHEMA + "description",
    DCTERMS + "description",
    RDFS + "comment",
    SKOS + "definition",
    DBO + "abstract",
)
TYPE_PROPERTIES = (RDF + "type", WDT + "P31")
SAME_AS_PROPERTIES = (OWL + "sameAs", SKOS + "exactMatch")
INVERSE_PROPERTIES = (OWL + "inverseOf", WDT + "P1696")
DECLARATION_PROPERTIES = tuple(  # from a property as a thing to the predicates that stand for it
    WIKIBASE + name for name in ("directClaim", "claim", "statementProperty", "qualifier")
)
PROPERTY_CLASSES = (
    WIKIBASE + "Property",
    RDF + "Property",
    *(OWL + name for name in ("ObjectProperty", "DatatypeProperty", "AnnotationProperty")),
)
# Says something about the data, not about the world: never offered as a relation.
METADATA_PROPERTIES = frozenset(
    (
        *(OWL + n for n in ("imports", "versionInfo", "equivalentClass", "equivalentProperty")),
        *(RDFS + n for n in ("domain", "range", "subPropertyOf", "isDefinedBy", "seeAlso")),
        *(SKOS + n for n in ("inScheme", "notation", "hiddenLabel")),
        *(DBO + n for n in ("wikiPageID", "wikiPageRevisionID", "wikiPageWikiLink")),
        *(DBO + n for n in ("wikiPageExternalLink", "wikiPageRedirects", "wikiPageLength")),
        SCHEMA + "version",
        SCHEMA + "dateModified",
    )
)
METADATA_NAMESPACES = (WIKIBASE,)

NO_VALUE_NAMESPACE = DEFAULT_PREFIXES["wdno"]
UNKNOWN_VALUE = Literal("unknown value", "kg:unknown")  # there is one, and nobody knows which
NO_VALUE = Literal("no value", "kg:none")  # there is none

SITELINK = (  # as it starts; a pattern that SPARQL understands too
    "^https?://[^/]+[.](wikipedia|wikivoyage|wikiquote|wikisource|wikinews|wikibooks|wikiversity"
    "|wiktionary|wikimedia)[.]org/wiki/"
)
_SITELINK = re.compile(SITELINK)
_SKOLEM = "/.well-known/genid/"
_PREFIX = re.compile(r"[A-Za-z][\w.-]*\Z")
_ILLEGAL = re.compile(r"[\x00-\x20<>\"{}|^`\\\x7f\ud800-\udfff]")
_TURTLE_PREFIX = re.compile(r"^\s*@?prefix\s+([\w.-]*):\s*<([^<>\"{}|^`\\\s]+)>", re.I | re.M)
_XML_PREFIX = re.compile(r"\sxmlns:([\w.-]+)\s*=\s*[\"']([^<>\"'{}|^`\\\s]+)[\"']")
_NAMES = {
    XSD + "date": "date",
    XSD + "dateTime": "date",
    XSD + "gYear": "date",
    XSD + "gYearMonth": "date",
    XSD + "time": "time",
    XSD + "boolean": "yes or no",
    XSD + "anyURI": "address",
    "http://www.opengis.net/ont/geosparql#wktLiteral": "place on a map",
}
_NUMBERS = frozenset(
    XSD + name
    for name in (
        "integer decimal double float int long short byte nonNegativeInteger positiveInteger "
        "negativeInteger nonPositiveInteger unsignedInt unsignedLong unsignedShort unsignedByte"
    ).split()
)


def is_sitelink(iri: str) -> bool:
    """True for the address of a Wikipedia article or a page of its sister projects."""
    return _SITELINK.match(iri) is not None


def is_skolem(iri: str) -> bool:
    """True for an IRI that stands in for a blank node."""
    return _SKOLEM in iri


def is_metadata(predicate: str) -> bool:
    """True for a predicate that is never offered as a relation."""
    return predicate in METADATA_PROPERTIES or predicate.startswith(METADATA_NAMESPACES)


def literal_kind(datatype: str) -> str:
    """Name the kind of a literal for people, such as date, number or text."""
    if datatype in _NUMBERS or datatype.startswith(KG + "unit:"):
        return "number"
    return _NAMES.get(datatype, "text")


def local_name(iri: str) -> str:
    """Make a readable label from the end of an IRI: `…/birthPlace` reads "birth place"."""
    tail = re.split(r"[#/:]", iri.rstrip("#/:"))[-1] or iri
    tail = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", tail.rsplit(".", 1)[-1])
    return re.sub(r"[_\s-]+", " ", tail).strip().lower() or iri


def declared_prefixes(text: str) -> dict[str, str]:
    """Read the prefixes that a Turtle, TriG or RDF/XML text declares."""
    return dict(_TURTLE_PREFIX.findall(text)) | dict(_XML_PREFIX.findall(text))


class Prefixes:
    """A table of prefixes; turns IRIs into ids and back.

    The defaults always hold, so that ids of different graphs agree; other tables only add to them.
    """

    def __init__(self, *tables: Mapping[str, str]) -> None:
        self.table = dict(DEFAULT_PREFIXES)
        for table in tables:
            for prefix, namespace in table.items():
                is_free = prefix not in self.table and namespace not in self.table.values()
                if is_free and _PREFIX.match(prefix) and not _ILLEGAL.search(namespace):
                    self.table[prefix] = namespace
        by_length = sorted(self.table.items(), key=lambda item: (-len(item[1]), item[0]))
        self._prefix_of = {namespace: prefix for prefix, namespace in reversed(by_length)}
        pattern = "|".join(re.escape(namespace) for _, namespace in by_length)
        self._namespace = re.compile(pattern)

    def shorten(self, iri: str) -> EntityId:
        """Return the id of an IRI."""
        match = self._namespace.match(iri)
        if match is None:
            return EntityId(f"<{iri}>")
        namespace = match.group()
        return EntityId(f"{self._prefix_of[namespace]}:{iri[len(namespace) :]}")

    def expand(self, identifier: str) -> str:
        """Return the IRI of an id; InputError when it is neither CURIE nor IRI.

        An id with an unknown prefix is taken for a whole IRI: perhaps another graph knows it.
        """
        iri = identifier
        if identifier.startswith("<") and identifier.endswith(">"):
            iri = identifier[1:-1]
        else:
            prefix, colon, local = identifier.partition(":")
            if colon and prefix in self.table:
                iri = self.table[prefix] + local
        check_iri(iri, identifier)
        return iri


def check_iri(iri: str, identifier: str) -> None:
    """Raise InputError when this cannot be an IRI; the text names the id as it was given."""
    scheme, colon, _ = iri.partition(":")
    if not colon or not _PREFIX.match(scheme) or _ILLEGAL.search(iri):
        shown = identifier if len(identifier) <= 80 else identifier[:77] + "…"
        raise InputError(f"{shown!r} is no id: give a CURIE such as wd:Q42, or <IRI>")


def pick_language(available: Iterable[str], wanted: Iterable[str]) -> tuple[str, ...]:
    """Order language tags by preference: each wanted one and its variants, no tag, then the others."""
    rest = sorted(set(available))
    order: list[str] = []
    for language in (*wanted, ""):
        fits = [t for t in rest if t.lower() == language.lower()]
        if language:
            fits += [t for t in rest if t.lower().startswith(language.lower() + "-")]
        order += [t for t in fits if t not in order]
    return (*order, *(t for t in rest if t not in order))
