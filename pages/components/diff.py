"""What a correction changes, as HTML: the old triple struck out, the new one beside it."""

from kgcore.corrections import Correction, added, removed
from kgcore.model import Triple
from pages.components.language import t
from pages.components.text import cell

__all__ = ["MINUS", "diff", "triple_line"]

MINUS = '<span class="ts-minus">− </span>'


def triple_line(triple: Triple, n: int = 90) -> str:
    """Return a triple as one line of HTML."""
    relation = f'<span class="ts-relation">{cell(triple.relation.name, n)}</span>'
    return f"{cell(triple.subject.name, n)} {relation} {cell(triple.object.name, n)}"


def diff(correction: Correction) -> str:
    """Return a correction as HTML; signs say what colour and line-through say too."""
    gone, new = removed(correction), added(correction)
    if gone is not None and new is not None:
        old, put = cell(gone.object.name, 120), cell(new.object.name, 120)
        head = f'{cell(gone.subject.name, 90)} <span class="ts-relation">{cell(gone.relation.name, 90)}</span>'
        return f'<div class="ts-diff">{head} {MINUS}<del>{old}</del> <ins>+ {put}{_new(correction)}</ins></div>'
    if gone is not None:
        return f'<div class="ts-diff">{MINUS}<del>{triple_line(gone)}</del></div>'
    assert new is not None
    return f'<div class="ts-diff"><ins>+ {triple_line(new)}{_new(correction)}</ins></div>'


def _new(correction: Correction) -> str:
    """Return a note where an entity is new to all graphs."""
    return (
        f' <small title="{t("no graph knew it")}">({t("new")})</small>' if correction.minted else ""
    )
