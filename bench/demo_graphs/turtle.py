"""Writing a graph as Turtle that people can read: sorted, a fact a line, objects named."""

from __future__ import annotations

import re

import pyoxigraph as ox

from demo_graphs.facts import (
    ALIAS,
    DESCRIPTION,
    INSTANCE_OF,
    LABEL,
    PREFIXES,
    RDF,
    WD,
    XSD,
    Source,
    Value,
)


def turtle_name(iri: str) -> str:
    """Write an IRI with its prefix; a slash inside a local name is escaped, as Turtle asks."""
    for prefix, base in PREFIXES.items():
        if iri.startswith(base):
            local = iri[len(base) :].replace("/", "\\/")
            if re.fullmatch(r"[\w:\\/-]+", local):
                return f"{prefix}:{local}"
    return f"<{iri}>"


def turtle_value(value: Value) -> str:
    if isinstance(value, ox.NamedNode):
        return turtle_name(value.value)
    if value.datatype.value.startswith(XSD) and value.datatype.value != XSD + "string":
        return f'"{value.value}"^^{turtle_name(value.datatype.value)}'
    return str(value)


def predicate_order(predicate: str) -> tuple[int, int, str]:
    """Names first, then types, then claims by property number."""
    first = [LABEL, DESCRIPTION, ALIAS, RDF + "type", INSTANCE_OF]
    number = re.search(r"\d+$", predicate)
    rank = first.index(predicate) if predicate in first else len(first)
    return rank, int(number[0]) if number else 0, predicate


def subject_order(subject: str) -> tuple[str, int, str]:
    match = re.fullmatch(re.escape(WD) + r"([A-Z])(\d+)", subject)
    return ("wd" + match[1], int(match[2]), "") if match else (subject, 0, "")


def render_subject(source: Source, names: Source, subject: str) -> str:
    """Write one subject as a block of a fact a line, objects named in a comment."""
    lines = []
    facts = sorted(
        source.facts[subject],
        key=lambda fact: (predicate_order(fact[0]), str(fact[1])),
    )
    for position, (predicate, value) in enumerate(facts):
        end = "." if position == len(facts) - 1 else ";"
        name = "a" if predicate == RDF + "type" else turtle_name(predicate)
        comment = names.label(value.value) if isinstance(value, ox.NamedNode) else None
        note = f"  # {comment}" if comment else ""
        lines.append(f"    {name} {turtle_value(value)} {end}{note}")
    return f"{turtle_name(subject)}\n" + "\n".join(lines) + "\n"


def render(title: str, chosen: Source, hand: Source, names: Source) -> str:
    """Write a whole graph: the prefixes it uses, facts from the sources, facts by hand."""
    parts = []
    for heading, source in (
        ("Taken from the source graphs", chosen),
        ("Added by hand: relation names, labels and facts; sources in the hand-*.ttl files", hand),
    ):
        parts.append(f"# --- {heading}\n")
        for subject in sorted(source.facts, key=subject_order):
            if source.facts[subject]:
                parts.append(render_subject(source, names, subject))
    body = "\n".join(parts)
    used = {prefix for prefix in PREFIXES if re.search(rf"(?<![\w:]){prefix}:", body)}
    head = [f"@prefix {p}: <{iri}> ." for p, iri in PREFIXES.items() if p in used]
    return (
        f"# {title}\n# Built by bench/build_demo.py; see NOTICE.md.\n"
        + "\n".join(head)
        + f"\n\n{body}"
    )
