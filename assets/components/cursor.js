// The keyboard's way through a graph: a cursor on one node or line, moved by the arrow keys.
//
//   arrows         the nearest node that way (with Shift: move the view)
//   Page Down, Up  the next or previous line of the node
//   Home           the node the view is about
//   Enter, Space   pick it; add it to or take it from the selection
//   M, Menu key    its menu;  /  find a name;  Escape  let go;  Ctrl+Z  undo
//
// What the cursor is on is told in a live region and ringed while the graph has the focus.

const TURN = 1.1; // radians an arrow key may miss a node by

class Cursor {
  constructor(graph, tools) {
    this.graph = graph;
    this.tools = tools;
    this.id = null;
    this.edge = null; // a line of the node
    this.hasFocus = false;
    graph.hasCursor = true;
    const { host, listeners, net } = graph;
    const { signal } = listeners;
    host.addEventListener("keydown", (event) => this.onKey(event), { signal });
    host.addEventListener("focusin", () => this.focus(true), { signal });
    host.addEventListener("focusout", () => this.focus(false), { signal });
    net.on("afterDrawing", (context) => this.draw(context));
  }

  focus(hasFocus) {
    this.hasFocus = hasFocus && this.drawing.matches(":focus-visible");
    this.graph.net.redraw();
  }

  get drawing() {
    return this.graph.host.querySelector(".vis-network");
  }

  // What a menu or a picture is about: the line or node under the cursor, else what is selected.
  get target() {
    if (this.edge !== null || this.id !== null) return this.edge ?? this.id;
    const { nodes, edges } = this.graph.net.getSelection();
    return nodes[0] ?? edges[0] ?? null;
  }

  onKey(event) {
    const { graph, tools } = this;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z";
    if (!isUndo && (event.ctrlKey || event.metaKey || event.altKey)) return;
    const actions = {
      ArrowLeft: () => this.step(-1, 0),
      ArrowRight: () => this.step(1, 0),
      ArrowUp: () => this.step(0, -1),
      ArrowDown: () => this.step(0, 1),
      PageDown: () => this.turn(1),
      PageUp: () => this.turn(-1),
      Home: () => this.goTo(this.start()),
      Enter: () => this.pick(),
      " ": () => this.id !== null && tools.picking.toggle(this.id),
      m: () => tools.menu.openAt(this.target),
      ContextMenu: () => tools.menu.openAt(this.target),
      F10: () => event.shiftKey && tools.menu.openAt(this.target),
      "/": () => tools.find.open(),
      z: () => isUndo && tools.undo(),
      Escape: () => this.leave(),
    };
    const key = event.key === "M" ? "m" : event.key;
    const isPan = event.shiftKey && key.startsWith("Arrow");
    if (!(key in actions) || isPan || (key === "z" && !isUndo)) return;
    if (graph.goals.size) actions[key]();
    this.hasFocus = true;
    event.preventDefault();
    event.stopPropagation();
  }

  // Where the keyboard begins: what is selected or in focus, else the node next to the centre.
  start() {
    const { graph } = this;
    const wanted = [graph.net.getSelection().nodes[0], graph.data.focus, graph.data.current];
    const known = wanted.find((id) => graph.goals.has(id));
    if (known !== undefined) return known;
    const view = graph.net.getViewPosition();
    const far = (id) => Math.hypot(graph.goal(id).x - view.x, graph.goal(id).y - view.y);
    return [...graph.goals.keys()].reduce((a, b) => (far(b) < far(a) ? b : a));
  }

  step(right, down) {
    const { graph } = this;
    if (!graph.goals.has(this.id)) return this.goTo(this.start());
    const here = graph.goal(this.id);
    let best = null;
    let least = Infinity;
    for (const id of graph.goals.keys()) {
      const { x, y } = graph.goal(id);
      const far = Math.hypot(x - here.x, y - here.y);
      const ahead = (x - here.x) * right + (y - here.y) * down;
      const off = Math.acos(Math.min(1, ahead / far));
      if (id === this.id || !far || off > TURN) continue;
      const cost = far * (1 + off);
      if (cost < least) [best, least] = [id, cost];
    }
    if (best !== null) this.goTo(best);
  }

  // Along the lines of the node, in the order they came.
  turn(by) {
    const { graph } = this;
    if (!graph.goals.has(this.id)) return this.goTo(this.start());
    const lines = graph.data.edges.filter(({ from, to }) => from === this.id || to === this.id);
    if (!lines.length) return;
    const at = lines.findIndex(({ id }) => id === this.edge);
    const next = at < 0 ? (by > 0 ? 0 : lines.length - 1) : (at + by + lines.length) % lines.length;
    this.edge = lines[next].id;
    this.graph.labels.hovered = this.edge;
    this.tools.say(firstLines(lines[next], 3));
    graph.net.redraw();
  }

  goTo(id, { isShown = false } = {}) {
    const { graph } = this;
    this.id = id;
    this.edge = null;
    graph.labels.hovered = id;
    if (!isShown) graph.camera.show(id);
    const n = graph.labels.degree.get(id) ?? 0;
    this.tools.say(`${firstLines(graph.labels.nodes.get(id) ?? {}, 4)} – ${word("lines", { n })}`);
    graph.net.redraw();
  }

  pick() {
    const { graph } = this;
    const id = this.edge ?? this.id;
    if (id === null) return this.goTo(this.start());
    const type = this.edge === null ? "node" : "edge";
    graph.net.setSelection(
      type === "node" ? { nodes: [id] } : { edges: [id], nodes: [] },
      { highlightEdges: false },
    );
    this.tools.picking.keep(type === "node" ? [id] : []);
    graph.emit({ type, id });
  }

  leave() {
    this.id = this.edge = null;
    this.graph.labels.hovered = null;
    this.graph.net.unselectAll();
    this.tools.picking.keep([]);
    this.tools.say("");
    this.graph.emit({ type: "none", id: null });
  }

  // A node that is gone takes the cursor with it.
  update() {
    if (this.id !== null && !this.graph.goals.has(this.id)) this.id = this.edge = null;
    if (this.edge !== null && !this.graph.labels.edges.has(this.edge)) this.edge = null;
  }

  draw(context) {
    const { graph } = this;
    if (this.id === null || !(this.hasFocus || this.tools.find.isOpen)) return;
    const scale = graph.net.getScale();
    context.save();
    context.lineWidth = 2.5 / scale;
    context.setLineDash([5 / scale, 3 / scale]);
    context.strokeStyle = graph.labels.theme.cursor;
    context.beginPath();
    const line = this.edge === null ? null : graph.net.body.edges[this.edge];
    if (line?.connected) {
      const { x, y } = line.edgeType.getPoint(0.5);
      context.arc(x, y, 9 / scale, 0, 2 * Math.PI);
    } else {
      const box = graph.labels.nodeBox(this.id);
      if (box) {
        const { left, right, top, bottom } = widened(box, 5 / scale);
        context.roundRect(left, top, right - left, bottom - top, 6 / scale);
      }
    }
    context.stroke();
    context.restore();
  }
}

// Label and title of an item as one line.
function firstLines(item, n) {
  const lines = [item.label ?? "", ...(item.title ?? "").split("\n")].map((line) =>
    line.replace(/\s+/g, " ").trim(),
  );
  return [...new Set(lines.filter(Boolean))].slice(0, n).join(" – ");
}
