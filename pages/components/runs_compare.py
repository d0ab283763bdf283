"""Two runs side by side: where they part, answer, proof and cost, and both trees and graphs at the same places."""

import streamlit as st

from kgcore.bootstrap.correcting import compare_runs
from kgcore.config import is_offline
from kgcore.errors import KGCoreError
from kgcore.runs import RunView
from kgcore.runs.comparison import Comparison
from kgcore.runs.first_difference import Difference, Moment, first_difference, set_up_differences
from kgcore.views.aligned import ONLY_OTHER, aligned_graphs, aligned_trees
from kgcore.views.moments import room_of
from pages.components import runs_text
from pages.components.again import sides
from pages.components.changes_made import BY_HAND
from pages.components.composer import model_name
from pages.components.frame import show_problem
from pages.components.graph import graph, short
from pages.components.language import address, mark, t, told_here
from pages.components.language import current as language
from pages.components.runs_filter import method_name
from pages.components.set_up import name_of, value_of
from pages.components.studio import studio
from pages.components.text import cell, rows
from pages.components.theme import Palette, legend
from pages.components.trace import when_of

__all__ = ["show"]

HEIGHT, BOX = 228, 206  # pixels: with both, all four drawings are in sight on a usual screen
TITLES = (mark("First"), mark("Second"))
OPEN = {"First": mark("Open the first"), "Second": mark("Open the second")}


def show(first: str, second: str, palette: Palette) -> None:
    """Draw both runs; one line where one of them cannot be read."""
    try:
        one, other = studio().view(first), studio().view(second)
        compared = compare_runs(studio(), first, second)
    except KGCoreError as error:
        show_problem(str(error))
        return
    if one.started is None or other.started is None:
        return
    found = first_difference(one, other)
    _show_head(first, second, one, other)
    named = (_named(TITLES[0], one), _named(TITLES[1], other))
    left, right = st.columns([0.5, 0.5], gap="small")
    with left.container(border=True, height=BOX, key="ts-compare-answers"):
        titles = tuple(map(t, TITLES))
        offline = [_is_offline(view) for view in (one, other)]
        st.html(
            f'<p class="ts-panel-title">{_verdict(compared)}</p>'
            f'<div class="ts-sides">{sides(compared, (cell(named[0]), cell(named[1])), is_offline=offline)}</div>'
        )
        differing = set_up_differences(one.started, other.started)
        names = (t("Set up with"), *titles)
        table = [_row(names, difference) for difference in differing]
        st.html(rows(names, table, empty=t("Both were set up alike.")))
    with right.container(border=True, height=BOX, key="ts-compare-parting"):
        st.html(_parting(found))
    _show_drawings(one, other, palette, found)
    runs_text.show((one, other), found)


def _verdict(compared: Comparison) -> str:
    """Return whether the answers are the same; which run has none yet, where one has not ended."""
    if compared.is_settled:
        return t("The answers differ") if compared.is_changed else t("The answers are the same")
    if compared.new.has_ended:
        return t("The first run has not ended")
    return t("The second run has not ended") if compared.old.has_ended else t("Neither has ended")


def _show_head(first: str, second: str, one: RunView, other: RunView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="ts-tight-compare"):
        if st.button(t("All runs"), key="compare-back", icon=":material/arrow_back:"):
            del st.query_params["compare"]
            st.rerun()
        questions = dict.fromkeys(v.started.question for v in (one, other) if v.started)
        st.html("".join(f'<span class="ts-question">{cell(q, 300)}</span>' for q in questions))
        for title, name in zip(TITLES, (first, second), strict=True):
            if st.button(t(OPEN[title]), key=f"compare-{title}"):
                st.switch_page("pages/ask.py", query_params=address(run=name))
        if st.button(t("Swap"), key="compare-swap", icon=":material/swap_horiz:"):
            st.query_params["compare"] = f"{second},{first}"
            st.rerun()


def _named(title: str, view: RunView) -> str:
    """Return which of the two a run is, and what tells it apart: name, start, method, model, a hand in it."""
    started = view.started
    if started is None:
        return t(title)
    record = studio().store.record(started.run_id)
    model = t("offline matcher") if is_offline(record.model) else model_name(record.model)
    name = short(record.name, 40)
    parts = (t(title), name, when_of(record.created)[:16], _method(record.method), short(model, 40))
    return " · ".join(part for part in parts if part) + (f" {BY_HAND}" if view.acts else "")


def _short(title: str, view: RunView) -> str:
    """Return which of the two a run is, with its name or its method."""
    if view.started is None:
        return t(title)
    name = studio().store.record(view.started.run_id).name or _method(view.started.method)
    return f"{t(title)} · {short(name, 40)}" + (f" {BY_HAND}" if view.acts else "")


def _method(name: str) -> str:
    """Return a method's name without what explains it."""
    return method_name(name).partition(" (")[0].partition("（")[0]


def _is_offline(view: RunView) -> bool:
    models = dict(view.started.models) if view.started else {}
    return is_offline(models.get("reason", ""))


def _row(names: tuple[str, ...], difference: tuple[str, str, str]) -> dict[str, str]:
    name, *values = difference
    told = (cell(name_of(name), 60), *(cell(value_of(name, v), 160) for v in values))
    return dict(zip(names, told, strict=True))


def _parting(found: Difference | None) -> str:
    if found is None:
        return f'<p class="ts-panel-title">{t("Both runs did the same, step by step")}</p>'
    sides_ = "".join(
        f"<div><h3>{t(title)}</h3>{_moment(moment)}</div>"
        for title, moment in zip(TITLES, (found.first, found.second), strict=True)
    )
    return (
        f'<p class="ts-panel-title">≠ {t("The first difference")}</p>'
        f'<div class="ts-parting"><p>{cell(told_here(found.sentence), 200)}</p>'
        f'<div class="ts-sides">{sides_}</div></div>'
    )


def _moment(moment: Moment) -> str:
    number = (
        ""
        if moment.seq is None
        else f'<small class="ts-muted">{t("entry {number}", number=moment.seq + 1)}</small> '
    )
    detail = f'<p class="ts-muted">{cell(moment.detail, 400)}</p>' if moment.detail else ""
    then = f"<p>→ {cell(told_here(moment.then), 300)}</p>" if moment.then else ""
    return f"<p>{number}{cell(told_here(moment.text), 300)}</p>{detail}{then}"


def _show_drawings(
    one: RunView, other: RunView, palette: Palette, found: Difference | None
) -> None:
    ids = [view.started.run_id for view in (one, other) if view.started]
    pairs = (
        ("tree", t("Search tree"), aligned_trees(one, other, palette, found, language=language())),
        ("kg", t("Knowledge graph"), aligned_graphs(one, other, palette, language=language())),
    )
    for kind, title, nets in pairs:
        room = room_of([(n["x"], n["y"]) for net in nets for n in net.nodes])  # one scale for both
        with st.container(key="ts-drawings" if kind == "tree" else "ts-drawings-2"):
            columns = st.columns(2, gap="small", vertical_alignment="bottom")
        for place, net, name, view, run_id in zip(
            columns, nets, TITLES, (one, other), ids, strict=True
        ):
            with place:
                items = [(ONLY_OTHER, palette.dimmed_text, t("only in the other run"))]
                if kind == "tree" and found is not None:
                    items.insert(0, ("≠", palette.selected, t("first difference")))
                if kind == "tree":
                    items.append(("┄", palette.backtrack, t("turned back")))
                    items.append(("✗", palette.rejected, t("rejected")))
                st.html(legend(f"{title}{t(': ')}{_short(name, view)}", items))
                graph(
                    net,
                    key=f"compare-{kind}-{name}-{ids[0][:12]}-{ids[1][:12]}-{run_id[:4]}",
                    height=HEIGHT,
                    room=room,
                    empty=t("Nothing to draw."),
                    name=f"{run_id[:8]} {kind}",
                )
