// Several nodes at once: clicks with Ctrl or Shift, or a frame drawn with the pointer.
//
// Python hears {type: "several", ids: [...]} once there are two or more; one is an ordinary pick.

class Picking {
  constructor(graph, tools) {
    this.graph = graph;
    this.tools = tools;
    this.ids = new Set();
    this.area = graph.frame.querySelector(".kg-area");
    this.sign = graph.frame.querySelector(".kg-many");
    graph.onClick = (params) => this.onClick(params);
    const { signal } = graph.listeners;
    const button = this.sign.querySelector("button");
    button.addEventListener("click", () => this.clear(), { signal });
    graph.host.addEventListener("pointerdown", (event) => this.onPress(event), {
      signal,
      capture: true,
    });
    for (const [name, take] of Object.entries({
      pointerdown: this.begin,
      pointermove: this.draw,
      pointerup: this.end,
      pointercancel: this.drop,
    }))
      this.area.addEventListener(name, take.bind(this), { signal });
    this.area.addEventListener("keydown", (event) => event.key === "Escape" && this.drop(), { signal });
  }

  // Takes clicks with Ctrl or Shift; any other click ends the selection of several.
  onClick({ nodes, event }) {
    const { ctrlKey, metaKey, shiftKey } = event.srcEvent ?? {};
    if (!ctrlKey && !metaKey && !shiftKey) {
      this.keep(nodes.slice(0, 1));
      return false;
    }
    if (nodes.length) this.toggle(nodes[0]);
    else this.mark();
    return true;
  }

  toggle(id) {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.tell();
  }

  tell() {
    this.mark();
    const ids = [...this.ids];
    if (ids.length > 1) this.graph.emit({ type: "several", id: null, ids });
    else if (ids.length) this.graph.emit({ type: "node", id: ids[0] });
    else this.graph.emit({ type: "none", id: null });
  }

  clear() {
    this.ids.clear();
    this.tell();
  }

  // Sets what is selected without telling Python.
  keep(ids) {
    this.ids = new Set(ids);
    this.show();
  }

  mark() {
    this.graph.net.setSelection({ nodes: [...this.ids], edges: [] }, { highlightEdges: false });
    this.show();
  }

  show() {
    const n = this.ids.size;
    const text = n > 1 ? word("selected", { n }) : "";
    this.sign.hidden = n < 2;
    this.sign.querySelector("span").textContent = text;
    this.sign.querySelector("button").textContent = word("clear");
    if (text) this.tools.say(text);
  }

  // Python says what is selected; nodes that are gone are no longer.
  update(select) {
    const nodes = select.filter((id) => this.graph.goals.has(id));
    if (JSON.stringify(select) !== this.told) this.ids = new Set(nodes);
    this.told = JSON.stringify(select);
    for (const id of this.ids) if (!this.graph.goals.has(id)) this.ids.delete(id);
    if (this.ids.size !== this.shown) this.show();
    this.shown = this.ids.size;
  }

  // ---- a frame drawn with the pointer -------------------------------------------------------

  // With Shift a frame begins wherever there is no node.
  onPress(event) {
    if (!event.shiftKey || event.button) return;
    const { left, top } = this.graph.host.getBoundingClientRect();
    const at = { x: event.clientX - left, y: event.clientY - top };
    if (this.graph.net.getNodeAt(at) !== undefined) return;
    event.stopPropagation();
    event.preventDefault();
    this.start();
    this.begin(event);
  }

  start() {
    this.area.hidden = false;
    this.tools.press("area", true);
  }

  begin(event) {
    const { left, top } = this.area.getBoundingClientRect();
    this.from = { x: event.clientX - left, y: event.clientY - top };
    this.area.setPointerCapture(event.pointerId);
    this.draw(event);
    event.preventDefault();
  }

  corners(event) {
    const { left, top } = this.area.getBoundingClientRect();
    const to = { x: event.clientX - left, y: event.clientY - top };
    const order = (a, b) => [Math.min(a, b), Math.max(a, b)];
    return [order(this.from.x, to.x), order(this.from.y, to.y)];
  }

  draw(event) {
    if (!this.from) return;
    const [[left, right], [top, bottom]] = this.corners(event);
    const { style } = this.area.firstElementChild;
    style.inset = `${top}px auto auto ${left}px`;
    style.width = `${right - left}px`;
    style.height = `${bottom - top}px`;
  }

  end(event) {
    if (!this.from) return;
    const [[left, right], [top, bottom]] = this.corners(event);
    const isInside = (id) => {
      const { x, y } = this.graph.net.canvasToDOM(this.graph.place(id));
      return x >= left && x <= right && y >= top && y <= bottom;
    };
    const found = [...this.graph.goals.keys()].filter(isInside);
    this.drop();
    if (right - left < 4 && bottom - top < 4) return;
    this.ids = new Set(event.shiftKey ? [...this.ids, ...found] : found);
    this.tell();
  }

  drop() {
    this.from = null;
    this.area.hidden = true;
    this.area.firstElementChild.removeAttribute("style");
    this.tools.press("area", false);
  }
}
