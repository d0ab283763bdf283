"""The search tree of a run as a pyvis network, growing to the right.

Each box says `#id action / argument / value`, its colour the value once more. The node being expanded glows,
nodes on the answer's path are green with a star at the end, merged and pruned ones are dashed, what was rejected hangs as
a dashed box with a cross below the node that tried it, and a dotted curve shows where the search turned back.
Of a beam search every column is a depth: the paths kept, and the best of those that were pruned.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgcore.i18n import mark, plural, told, translate
from kgcore.runs import NodeView, RunView
from kgcore.runs.acts import act_words
from kgcore.views.palettes import Palette
from kgcore.views.payload import HARD_STOP
from kgcore.views.style import LINE_WIDTH, PATH_WIDTH, SELECTED_WIDTH, font, paint
from kgcore.views.tree_folds import TreeFolds
from kgcore.views.tree_layout import COLUMN, tidy_tree

if TYPE_CHECKING:
    from pyvis.network import Network

MAX_NODES = 500  # beyond these nodes are folded
ACTIONS = {
    "start": mark("start"),
    "think": mark("think"),
    "expand": mark("expand"),
    "select_entities": mark("pick"),
    "select_relation": mark("follow"),
    "search": mark("look up"),
    "answer": mark("answer"),
    "beam": mark("via"),
    "draft": mark("rationale"),
    "correct": mark("corrected"),
}
BY_HAND = "✎"  # the mark of what a person did
_ARGUMENT = 34
BEAM_COLUMN, BEAM_ROW, PRUNED_ROW = 268.0, 58.0, 38.0
CARD, BEAM_CARD, PRUNED_CARD = [136, 76], [240, 50], [240, 32]  # the most room of a box
_DIMMED = ("merged", "no_answer", "pruned")
_OPTIONS = (
    '{"edges": {"arrows": {"to": {"enabled": false}}, "smooth": '
    '{"enabled": true, "type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.4}}}'
)


def tree_network(
    view: RunView,
    palette: Palette,
    *,
    selected: int | None = None,
    folds: TreeFolds | None = None,
    language: str = "en",
) -> Network:
    """Return the drawing of the search tree; ids are node numbers as text, `x…` for rejections, `+…` for folds."""
    return _Drawing(view, palette, selected, folds or TreeFolds(), language).network()


def node_label(
    node: NodeView, *, is_answer: bool = False, origin: str = "", language: str = "en"
) -> str:
    """Return the text in a node's box; `origin` is where a path of a beam begins."""
    value = "" if node.value is None else f"{node.value:.2f}"
    if node.action == "beam":
        return _path_label(node, value, origin)
    action = translate(ACTIONS.get(node.action, node.action), language)
    head = f"#{node.id} {action}{hand_mark(node)}"
    silent = f"✗ {translate('cannot tell', language)}"
    marks = {"merged": f"= #{node.merged_into}", "no_answer": silent}
    tail = " ".join(t for t in ("★" if is_answer else "", value, marks.get(node.status, "")) if t)
    return "\n".join(line for line in (head, _cut(node.argument), tail) if line)


def hand_mark(node: NodeView) -> str:
    """Return the mark of a node that a person had a hand in; "" for the others."""
    return f" {BY_HAND}" if node.acts else ""


def _path_label(node: NodeView, value: str, origin: str) -> str:
    """Return the last step of a path: its relation and where that leads; in one line where it was pruned."""
    relation, _, end = node.argument.rpartition(" → ")
    number = f"#{node.id}{hand_mark(node)}"
    start = f"{number} {_cut(origin)}: " if origin else f"{number} "
    line = "" if node.is_pruned else "\n"
    return f"{start}{_cut(relation)} → {line}{_cut(end)} {value}".rstrip()


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _ARGUMENT else line[: _ARGUMENT - 1].rstrip() + "…"


@dataclass(slots=True)
class _Drawing:
    """One drawing in the making."""

    view: RunView
    palette: Palette
    selected: int | None
    folds: TreeFolds
    language: str = "en"
    path: set[int] = field(default_factory=set)
    shown: dict[str, str | None] = field(default_factory=dict)
    folded: Counter[str] = field(default_factory=Counter)
    rejected: Counter[int] = field(default_factory=Counter)

    def network(self) -> Network:
        view = self.view
        self.path = set(view.answer_path)
        self.rejected = Counter(r.node for r in view.rejected if r.node in view.nodes)
        self._choose()
        places = self._places()
        self._fold(places)
        from pyvis.network import Network  # slow to import

        net = Network(directed=True)
        for name in self.shown:
            x, y = places[name]
            net.add_node(name, x=x, y=y, **self._style(name))
        for name, parent in self.shown.items():
            if parent is not None:
                net.add_edge(parent, name, id=f"{parent}>{name}", **self._edge(parent, name))
        self._add_backtracks(net)
        net.set_options(_OPTIONS)
        return net

    @property
    def _is_beam(self) -> bool:
        return any(node.action == "beam" for node in self.view.nodes.values())

    def _places(self) -> dict[str, tuple[float, float]]:
        """Return where the boxes stand; those of a beam are wide and low."""
        nodes = {str(n.id): n for n in self.view.nodes.values()}
        if not self._is_beam:
            return tidy_tree(self.shown)
        low = {name: PRUNED_ROW if n.is_pruned else BEAM_ROW for name, n in nodes.items()}
        return tidy_tree(self.shown, column=BEAM_COLUMN, heights=low)

    def _choose(self) -> None:
        """Show every node up to the limit, those on the answer's path and those asked for; count the rest."""
        asked: set[int] = set()  # below a "+n" node that was opened
        for node in self.view.nodes.values():
            name, parent = str(node.id), None if node.parent is None else str(node.parent)
            if node.parent in asked | self.folds.opened:
                asked.add(node.id)
            room = HARD_STOP if node.id in asked else MAX_NODES
            has_room = len(self.shown) < room or node.id in self.path
            if has_room and (parent is None or parent in self.shown):
                self.shown[name] = parent
                if self.rejected[node.id] and len(self.shown) < room:
                    self.shown[f"x{node.id}"] = name
            elif parent is not None:
                anchor = self._shown_ancestor(node)
                self.folded[anchor] += 1
                self.shown[f"+{anchor}"] = anchor

    def _fold(self, places: dict[str, tuple[float, float]]) -> None:
        """Put branches that a person folded behind a "+n" node beside their root; all else stays where it is."""
        hidden: dict[str, str] = {}  # node, root of its branch
        for name, parent in list(self.shown.items()):
            if parent is None:
                continue
            root = hidden.get(parent, parent if parent in map(str, self.folds.folded) else "")
            if root:
                hidden[name] = root
        n = Counter({f"+{root}": 0 for root in hidden.values()})
        for name, root in hidden.items():
            del self.shown[name]
            n[f"+{root}"] += self.folded[name[1:]] if name[0] == "+" else name[0] != "x"
        for name, count in n.items():
            x, y = places[name[1:]]
            places[name] = (x + (BEAM_COLUMN if self._is_beam else COLUMN), y)
            self.shown[name], self.folded[name[1:]] = name[1:], count

    def _shown_ancestor(self, node: NodeView) -> str:
        parent = node.parent
        while parent is not None and str(parent) not in self.shown:
            parent = self.view.nodes[parent].parent
        return str(parent)

    # nodes

    def _say(self, message: str, **values: object) -> str:
        return translate(message, self.language, **values)

    def _style(self, name: str) -> dict[str, Any]:
        if name.startswith("x"):
            return self._rejection(int(name[1:]))
        if name.startswith("+"):
            title = self._say("more nodes, not drawn\nClick to draw them")
            plain = self._plain(f"+{self.folded[name[1:]]}", title, self.palette.muted)
            return plain | {"kind": "fold"}
        return self._node(self.view.nodes[int(name)])

    def _plain(self, label: str, title: str, color: str) -> dict[str, Any]:
        """Return the look of a dashed box that holds no value."""
        return {
            "label": label,
            "title": title,
            "shape": "box",
            "margin": 6,
            "borderWidth": 1.2,
            "color": paint(self.palette.background, self.palette.dimmed, self.palette),
            "font": font(color, 12),
            "shapeProperties": {"borderDashes": [4, 3]},
            "widthConstraint": {"maximum": 112},
            "card": [110, PRUNED_CARD[1]] if self._is_beam else CARD,
        }

    def _rejection(self, node: int) -> dict[str, Any]:
        n = self.rejected[node]
        reasons = list(dict.fromkeys(r.reason for r in self.view.rejected if r.node == node))
        label = plural("✗ rejected", "✗ {n} rejected", n, self.language)
        reasons = [told(reason, self.language) for reason in reasons]
        plain = self._plain(label, "\n".join(reasons), self.palette.rejected)
        return plain | {"kind": "rejection"}

    def _node(self, node: NodeView) -> dict[str, Any]:
        palette, is_on = self.palette, node.id in self.path
        fill, text = palette.surface, palette.text
        if node.value is not None:
            fill, text = palette.heat_of(node.value)
        border, width, dashes = palette.line, 1.2, False
        shadow: dict[str, Any] = {"enabled": False}
        if node.status in _DIMMED:
            fill, text, border = palette.background, palette.dimmed_text, palette.dimmed
            dashes = True
        if is_on:
            border, width = palette.answer, 3.0
        if self._is_current(node):
            border, width = palette.selected, 3.0
            shadow = {"enabled": True, "color": palette.selected, "size": 18, "x": 0, "y": 0}
        if node.id == self.selected:
            border, width = palette.selected, SELECTED_WIDTH
        return {
            "label": node_label(
                node,
                is_answer=is_on and node.action == "answer",
                origin=self._origin(node),
                language=self.language,
            ),
            "title": self._title(node),
            "shape": "ellipse" if node.action == "think" else "box",
            "margin": 4 if node.is_pruned else 7,
            "borderWidth": width,
            "color": paint(fill, border, palette),
            "font": font(text, 11 if node.is_pruned else 13),
            "shapeProperties": {"borderDashes": [4, 3] if dashes else False},
            "shadow": shadow,
            "widthConstraint": {"maximum": 210 if node.action == "beam" else 112},
            "card": self._card(node),
        }

    def _card(self, node: NodeView) -> list[int]:
        """Return width and height of the room that a box may take, whatever the scale."""
        if node.action == "beam":
            return PRUNED_CARD if node.is_pruned else BEAM_CARD
        return [CARD[0], BEAM_CARD[1]] if self._is_beam else CARD

    def _origin(self, node: NodeView) -> str:
        """Return where a first step of a beam starts, in case it could be elsewhere."""
        starts = [seed for seed in self.view.seeds if seed.entity is not None]
        if node.action != "beam" or node.depth != 1 or len(starts) < 2 or not node.selected:
            return ""
        return self.view.words.name(node.selected[0])

    def _is_current(self, node: NodeView) -> bool:
        return self.view.ended is None and node.id == self.view.current

    def _title(self, node: NodeView) -> str:
        say, colon = self._say, self._say(": ")
        action = say(ACTIONS.get(node.action, node.action))
        lines = [f"#{node.id} {action}{colon}{node.argument}".removesuffix(colon)]
        if node.samples > 1:
            lines.append(say("chosen by {n} of {m} samples", n=node.votes, m=node.samples))
        if node.value is not None:
            reason = told(node.reason, self.language)
            value = say("value {value:.2f}", value=node.value)
            lines.append(f"{value}{colon}{reason}" if reason else value)
        if n := len(node.added):
            lines.append(plural("{n} new triple", "{n} new triples", n, self.language))
        if node.order is not None:
            lines.append(say("expanded as number {n}", n=node.order))
        if node.merged_into is not None:
            lines.append(say("the same as #{node}", node=node.merged_into))
        if node.is_pruned:
            lines.append(say("not kept in the beam"))
        lines += [f"{BY_HAND} {act_words(act, self.language)}" for act in node.acts]
        return "\n".join(lines)

    # edges

    def _edge(self, parent: str, name: str) -> dict[str, Any]:
        palette = self.palette
        is_side = name.startswith(("x", "+"))
        is_on = not is_side and int(name) in self.path and int(parent) in self.path
        is_dashed = is_side or self.view.nodes[int(name)].status in _DIMMED
        color = palette.answer if is_on else palette.dimmed if is_dashed else palette.line
        return {
            "color": {"color": color, "highlight": color, "hover": color},
            "width": PATH_WIDTH if is_on else LINE_WIDTH,
            "dashes": [4, 3] if is_dashed else False,
        }

    def _add_backtracks(self, net: Network) -> None:
        color = self.palette.backtrack
        for i, move in enumerate(self.view.backtracks):
            if not {str(move.left), str(move.to)} <= set(self.shown):
                continue
            net.add_edge(
                str(move.left),
                str(move.to),
                id=f"back{i}",
                title=self._say(
                    "back to #{node}: {reason}",
                    node=move.to,
                    reason=told(move.reason, self.language),
                ),
                color={"color": color, "highlight": color, "hover": color},
                width=1.6,
                dashes=[2, 5],
                arrows={"to": {"enabled": True, "scaleFactor": 0.5}},
                smooth={"enabled": True, "type": "curvedCW", "roundness": 0.35},
            )
