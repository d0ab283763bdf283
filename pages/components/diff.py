"""What a correction changes, as HTML: the old triple struck out, the new one beside it."""

from kgcore.corrections import Correction, added, removed
from kgcore.model import Triple
from pages.components.language import t
from pages.components.text import cell
from pages.components.theme import Palette

__all__ = ["MINUS", "diff", "diff_css", "triple_line"]

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


def diff_css(palette: Palette) -> str:
    """Return the style sheet of corrections, suspects and comparisons."""
    return f"""<style>
.ts-diff {{ font-size: 14px; line-height: 1.5; overflow-wrap: anywhere; }}
.ts-diff del {{ color: {palette.rejected}; text-decoration-thickness: 1px; }}
.ts-minus {{ color: {palette.rejected}; }}
.ts-diff ins {{ color: {palette.answer}; text-decoration: none; font-weight: 500; }}
.ts-relation {{ color: {palette.muted}; padding: 0 3px; }}
.ts-diff.is-rejected {{ color: {palette.rejected}; text-decoration: line-through; text-decoration-thickness: 1px; }}
.ts-number {{ display: inline-block; min-width: 26px; color: {palette.muted}; font-variant-numeric: tabular-nums; }}
.st-key-ts-gate {{ border-color: {palette.corrected}; box-shadow: inset 3px 0 {palette.corrected}; }}
.ts-sides {{ display: grid; grid-template-columns: 1fr 1fr; gap: 0 18px; font-size: 13.5px; }}
.ts-sides > div {{ border-left: 3px solid {palette.line}; padding-left: 12px; min-width: 0; }}
.ts-sides > div.is-now {{ border-left-color: {palette.answer}; }}
.ts-sides h3 {{ font-size: 13px; font-weight: 500; color: {palette.muted}; margin: 0; padding: 0; }}
.ts-sides .ts-answer {{ font-size: 19px; margin-bottom: 2px; }}
.ts-suspect {{ display: flex; gap: 10px; align-items: baseline; font-size: 14px; overflow-wrap: anywhere; }}
.ts-suspect > b {{ font-variant-numeric: tabular-nums; color: {palette.muted}; flex: none; }}
.ts-suspect.is-first > b {{ color: {palette.rejected}; }}
.ts-suspect p {{ margin: 0; }}
.ts-suspect.is-left {{ opacity: .55; }}
[class*="st-key-ts-tight"] button {{ min-height: 28px; padding: 0 10px; }}
[class*="st-key-ts-tight"] button p {{ font-size: 13.5px; }}
.ts-also {{ padding-top: 4px; }}
</style>"""
