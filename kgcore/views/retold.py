"""The deck of a run that was made again with corrections: how it went before, what was corrected, how it went then.

Both are decks of their own (see deck.py) put one after the other; between them stands the correction, shown in the
drawing of the run before, where the wrong edge is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kgcore.corrections import Correction
from kgcore.corrections.correction import removed
from kgcore.i18n import plural, translate
from kgcore.runs import Entry, RunView
from kgcore.runs.comparison import Comparison, compare
from kgcore.views.deck import TOKENS, Item, deck_of
from kgcore.views.growth import node_id
from kgcore.views.names import Names
from kgcore.views.safe_text import short
from kgcore.views.wording import DETAIL, phrases_of

_TEXTS = {"nodes": (0, 4, 5), "edges": (0, 1, 2, 4, 5)}  # where items name texts by number
_STYLE = 3


def retold(before: Iterable[Entry], entries: Iterable[Entry], language: str = "en") -> Item:
    """Return one deck of both runs; of the later one alone where nothing was corrected in between."""
    before, entries = list(before), list(entries)
    compared = compare(RunView.of(before), RunView.of(entries))
    later = deck_of(entries, language)
    if not before or not compared.new_corrections:
        return later
    earlier = deck_of(before, language)
    names = Names.of([*before, *entries])
    told = [names.read(c.text) for c in compared.new_corrections]
    earlier["slides"].append(_correction(earlier, compared, told, language))
    joined = _join(earlier, later)
    joined["hasWrong"] = bool(earlier["slides"][-1]["kg"]["edges"])
    _close(joined["slides"][-1], compared, language)
    return joined


def _correction(deck: Item, compared: Comparison, told: Sequence[str], language: str) -> Item:
    """Return the slide that tells what a person corrected; the wrong edges are marked in the drawing of the run."""
    last, texts = deck["slides"][-1], deck["texts"]
    subject = compared.new_corrections[0].subject.id
    focus = texts.index(subject) if subject in texts else last["kg"]["focus"]
    reasons = dict.fromkeys(c.reason for c in compared.new_corrections if c.reason)
    return {
        **last,
        "kind": "human",
        "text": plural(
            "A person corrects a fact, and the question is asked again",
            "A person corrects {n} facts, and the question is asked again",
            len(told),
            language,
        ),
        "detail": short(_and(language, *told, *reasons), DETAIL),
        "stop": True,
        "kg": {"focus": focus, "edges": _wrong_edges(deck, compared.new_corrections)},
        "tree": {"focus": last["tree"]["focus"]},
    }


def _wrong_edges(deck: Item, corrections: Iterable[Correction]) -> list[list[Any]]:
    """Return the edges that corrections take away, as they are shown at the end, in the colour of what is rejected."""
    texts, styles = deck["texts"], deck["styles"]
    shown = {item[0]: item for slide in deck["slides"] for item in slide["kg"].get("edges", ())}
    wrong = []
    for triple in filter(None, map(removed, corrections)):
        end = node_id(triple.object, triple.subject.id, triple.relation.id)
        for number, start, target, style, label, title in shown.values():
            if (texts[start], texts[target]) == (triple.subject.id, end):
                styles.append(_rejected(styles[style]))
                texts.append(f"{texts[label]} ✗" if label >= 0 else "✗")
                wrong.append([number, start, target, len(styles) - 1, len(texts) - 1, title])
    return wrong


def _rejected(style: Mapping[str, Any]) -> Item:
    color, font = TOKENS.rejected, {**style["font"], "color": TOKENS.rejected}
    return {**style, "color": {**style["color"], "color": color}, "font": font, "dashes": [7, 4]}


def _close(slide: Item, compared: Comparison, language: str) -> None:
    """Say at the end what the answer was before, where it is another one now."""
    if compared.is_changed:
        answer = compared.old.text or translate("no answer", language)
        before = translate("before the correction: {answer}", language, answer=answer)
        slide["detail"] = short(_and(language, slide["detail"], before), DETAIL)


def _and(language: str, *parts: str) -> str:
    part: str = phrases_of(language)["list"]["part"]
    return part.join(text for text in parts if text)


def _join(first: Item, second: Item) -> Item:
    """Return two decks as one: numbers of the second's texts and styles go on where the first's end."""
    n_texts, n_styles = len(first["texts"]), len(first["styles"])
    slides = [_moved(slide, n_texts, n_styles) for slide in second["slides"]]
    for pane in ("kg", "tree"):
        slides[0][pane] = {**slides[0][pane], "gone": sorted(_shown(first["slides"], pane))}
    return {
        **second,
        "isBeam": first["isBeam"] or second["isBeam"],
        "isCorrected": first["isCorrected"] or second["isCorrected"],
        "texts": [*first["texts"], *second["texts"]],
        "styles": [*first["styles"], *second["styles"]],
        "slides": [*first["slides"], *slides],
    }


def _moved(slide: Mapping[str, Any], n_texts: int, n_styles: int) -> Item:
    return {**slide, **{pane: _change(slide[pane], n_texts, n_styles) for pane in ("kg", "tree")}}


def _change(change: Mapping[str, Any], n_texts: int, n_styles: int) -> Item:
    moved: Item = {"focus": _number(change["focus"], n_texts)}
    if "gone" in change:
        moved["gone"] = [_number(number, n_texts) for number in change["gone"]]
    for kind in _TEXTS.keys() & change.keys():
        moved[kind] = [_item(item, kind, n_texts, n_styles) for item in change[kind]]
    return moved


def _item(item: Sequence[Any], kind: str, n_texts: int, n_styles: int) -> list[Any]:
    moved = [_number(v, n_texts) if i in _TEXTS[kind] else v for i, v in enumerate(item)]
    moved[_STYLE] = _number(item[_STYLE], n_styles)
    return moved


def _number(number: int, by: int) -> int:
    return number + by if number >= 0 else number


def _shown(slides: Iterable[Mapping[str, Any]], pane: str) -> set[int]:
    """Return what a drawing shows after all slides."""
    shown: set[int] = set()
    for slide in slides:
        shown -= set(slide[pane].get("gone", ()))
        for kind in _TEXTS:
            shown |= {item[0] for item in slide[pane].get(kind, ())}
    return shown
