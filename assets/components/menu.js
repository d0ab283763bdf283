// What can be done with a node or a line, as a menu: right click, the menu button, or the keyboard.
//
// Python says by kind of item (`item.kind`, else "node" or "edge") which entries there are:
// data.menus = {kind: [[action, label], ...]}; choosing one emits {type: "menu", action, id}. Items at
// which one does not apply are in data.barred = {action: [id, ...]}. Centre,
// open the page, select and copy are added here, and what concerns the whole drawing at the end.

const IS_WEB = /^https?:\/\//i;

class Menu {
  constructor(graph, tools) {
    this.graph = graph;
    this.tools = tools;
    this.box = graph.frame.querySelector(".kg-menu");
    this.button = graph.frame.querySelector('[data-tool="menu"]');
    const { signal } = graph.listeners;
    graph.host.addEventListener("contextmenu", (event) => this.onRightClick(event), { signal });
    this.box.addEventListener("keydown", (event) => this.onKey(event), { signal });
    addEventListener(
      "pointerdown",
      (event) => {
        const path = event.composedPath();
        if (this.isOpen && !path.includes(this.box) && !path.includes(this.button)) this.close();
      },
      { signal, capture: true },
    );
  }

  get isOpen() {
    return !this.box.hidden;
  }

  toggle() {
    if (this.isOpen) return this.close({ to: this.button });
    this.openAt(this.tools.cursor.target, { from: this.button });
  }

  onRightClick(event) {
    event.preventDefault();
    if (performance.now() - (this.openedAt ?? -1000) < 400) return; // the menu key did it already
    const { left, top } = this.graph.host.getBoundingClientRect();
    const at = { x: event.clientX - left, y: event.clientY - top };
    const id = this.graph.net.getNodeAt(at) ?? this.graph.net.getEdgeAt(at) ?? null;
    this.open(id, at);
  }

  // Beside the item, or at the button that was pressed.
  openAt(id, { from = null } = {}) {
    this.openedAt = performance.now();
    if (from) {
      const frame = this.graph.frame.getBoundingClientRect();
      const { right, bottom } = from.getBoundingClientRect();
      return this.open(id, { x: right - frame.left, y: bottom - frame.top + 4 }, { from });
    }
    const line = this.graph.net.body.edges[id];
    const place = line?.connected ? line.edgeType.getPoint(0.5) : this.graph.goal(id);
    this.open(id, place ? this.graph.net.canvasToDOM(place) : { x: 20, y: 20 });
  }

  open(id, at, { from = null } = {}) {
    const { labels } = this.graph;
    const item = labels.nodes.get(id) ?? labels.edges.get(id);
    this.from = from;
    const groups = [item ? this.itemEntries(item, labels.nodes.has(id)) : []];
    if (!item || from) groups.push(this.viewEntries());
    const shown = groups.filter((group) => group.length);
    const parts = shown.flatMap((group, i) => (i ? [made("hr"), ...group] : group));
    const head = item ? [this.head(item)] : [];
    this.box.replaceChildren(...head, ...parts);
    this.box.setAttribute("aria-label", item ? firstLines(item, 1) : word("menu"));
    this.box.hidden = false;
    this.graph.net.interactionHandler.popup?.hide(); // the tip would lie over what the menu is about
    this.button.setAttribute("aria-expanded", String(Boolean(from)));
    this.put(at);
    this.entries[0]?.focus({ preventScroll: true });
  }

  head(item) {
    const head = made("div", "", { class: "kg-menu-head", role: "presentation" });
    head.append(made("bdi", firstLines(item, 1)));
    return head;
  }

  // Within the frame, whatever is near its border.
  put({ x, y }) {
    const { clientWidth, clientHeight } = this.graph.frame;
    const { offsetWidth, offsetHeight } = this.box;
    const clamp = (value, most) => Math.max(6, Math.min(value, most - 6));
    this.box.style.left = `${clamp(x, clientWidth - offsetWidth)}px`;
    this.box.style.top = `${clamp(y, clientHeight - offsetHeight)}px`;
  }

  itemEntries(item, isNode) {
    const { graph, tools } = this;
    const { id } = item;
    const kind = item.kind ?? (isNode ? "node" : "edge");
    const isOffered = ([action]) => !graph.data.barred?.[action]?.includes(String(id));
    const offered = (graph.data.menus?.[kind] ?? []).filter(isOffered);
    const entries = offered.map(([action, label]) =>
      this.entry(label, () => graph.emit({ type: "menu", action, id }), action),
    );
    entries.push(this.entry(word("centreHere"), () => graph.camera.centre(id), "centre"));
    const address = isNode ? this.addressOf(id) : null;
    if (address) entries.push(this.link(address));
    if (isNode) {
      const name = tools.picking.ids.has(id) ? "unselect" : "select";
      entries.push(this.entry(word(name), () => tools.picking.toggle(id), "select"));
    }
    const isOwnId = isNode && !String(id).includes("\t");
    const text = isOwnId ? String(id) : firstLines(item, 2);
    entries.push(this.entry(word(isOwnId ? "copyId" : "copyText"), () => tools.copy(text), "copy"));
    return entries;
  }

  viewEntries() {
    const { graph, tools } = this;
    const entries = (graph.data.menus?.view ?? []).map(([action, label]) =>
      this.entry(label, () => graph.emit({ type: "menu", action, id: null }), action),
    );
    if (graph.data.undo)
      entries.push(this.entry(`${word("undo")}: ${graph.data.undo}`, () => tools.undo(), "undo"));
    if (!graph.goals.size) return entries;
    if (tools.moved.isAny)
      entries.push(this.entry(word("letGo"), () => tools.moved.letGo(), "let-go"));
    return [
      ...entries,
      this.entry(word("fit"), () => graph.camera.enter("whole"), "fit"),
      this.entry(word("png"), () => tools.save("png"), "png"),
      this.entry(word("svg"), () => tools.save("svg"), "svg"),
    ];
  }

  entry(label, run, action) {
    const button = made("button", label, { type: "button", role: "menuitem", "data-entry": action });
    button.addEventListener("click", () => {
      this.close({ to: this.from ?? this.tools.cursor.drawing });
      run();
    });
    return button;
  }

  link(address) {
    const link = made("a", word("page"), {
      role: "menuitem",
      href: address,
      target: "_blank",
      rel: "noopener noreferrer",
      "data-entry": "page",
    });
    link.addEventListener("click", () => this.close());
    return link;
  }

  // The page of a node: its own, or made from what the pages of many begin with.
  addressOf(id) {
    const { heads = [], own = {} } = this.graph.data.links ?? {};
    const name = String(id);
    const pair = heads.find(([head]) => name.startsWith(head));
    const address = Object.hasOwn(own, name)
      ? own[name]
      : pair && pair[1] + name.slice(pair[0].length);
    return address && IS_WEB.test(address) && URL.canParse(address) ? address : null;
  }

  get entries() {
    return [...this.box.querySelectorAll("[role=menuitem]")];
  }

  onKey(event) {
    const { entries } = this;
    const at = entries.indexOf(this.box.getRootNode().activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) entries.at(to % entries.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab")
      this.close({ to: this.from ?? this.tools.cursor.drawing });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close({ to = null } = {}) {
    this.box.hidden = true;
    this.box.replaceChildren();
    this.button.setAttribute("aria-expanded", "false");
    to?.focus({ preventScroll: true });
  }
}
