// A graph that Python describes in full on every run and the browser changes in place.
//
// Python sends all nodes and edges with their positions; `diff` turns that into the smallest change
// of vis-network's data sets, so zoom, selection and dragged nodes stay. The camera follows the
// graph until the person moves it; from then on only the fit button moves it again. What must
// survive a page change (camera, dragged nodes, click counter) lives in globalThis by graph key.

const graphs = (globalThis.__kg ??= {}); // live graphs by key: a handle for tests
const views = (globalThis.__kgViews ??= {});

const libraryReady = () =>
  globalThis.vis
    ? Promise.resolve()
    : new Promise((done) => addEventListener("kg-vis", done, { once: true }));

const DOUBLE_MS = 350; // two clicks within this time, at one place, are a double click
const DOUBLE_PX = 12;

const NEAR = 1.5; // vis-network keeps places in whole numbers: so far off a node is where it belongs

const ease = (t) => 1 - (1 - t) ** 3;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function merge(base, over) {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over))
    merged[key] = isObject(value) && isObject(merged[key]) ? merge(merged[key], value) : value;
  return merged;
}

// vis merges updates into what it holds, so a field that disappears needs a fresh item.
function hasLostField(before, after) {
  return Object.keys(before).some(
    (key) =>
      !(key in after) ||
      (isObject(before[key]) && isObject(after[key]) && hasLostField(before[key], after[key])),
  );
}

// What changed between the items held (`seen`: id -> JSON) and the items wanted.
function diff(items, seen) {
  const wanted = new Set(items.map((item) => item.id));
  const change = { added: [], updated: [], replaced: [], removed: [] };
  for (const id of seen.keys()) if (!wanted.has(id)) change.removed.push(id);
  for (const item of items) {
    const json = JSON.stringify(item);
    const before = seen.get(item.id);
    if (before === json) continue;
    if (before === undefined) change.added.push(item);
    else if (hasLostField(JSON.parse(before), item)) change.replaced.push(item);
    else change.updated.push(item);
    seen.set(item.id, json);
  }
  change.removed.forEach((id) => seen.delete(id));
  return change;
}

// Python's item without its place, and without text that `Labels` draws: vis-network measures even what
// it does not draw. Fresh objects each time: it writes into what it is given.
const asEdge = ({ label, font, ...style }) => style;
const asNode = ({ x, y, ...style }) =>
  (hasTextBeside(style) || isCard(style) ? asEdge(style) : style);

class Graph {
  constructor(frame, data) {
    this.key = data.key;
    this.frame = frame;
    this.host = frame.querySelector(".kg-host");
    this.nodes = new vis.DataSet();
    this.edges = new vis.DataSet();
    this.seenNodes = new Map();
    this.seenEdges = new Map();
    this.goals = new Map(); // node id -> {x, y} as Python wants it
    this.glides = new Map(); // node id -> {x, y, start} while a node is on its way
    this.arrived = new Set(); // ids of nodes whose place vis' data do not know yet
    this.view = views[data.key] ??= { mode: "follow", dragged: new Map(), ids: [], clicks: 0 };
    this.listeners = new AbortController();
    this.nHolds = 0; // how many changes under way hold drawing back
    const { look } = this.dressed(data.options);
    this.look = JSON.stringify(look);
    this.net = new vis.Network(this.host, { nodes: this.nodes, edges: this.edges }, look);
    this.host.querySelector(".vis-network").setAttribute("role", "img");
    this.labels = new Labels(this.net, () => this.glides.size > 0 || this.camera.isGliding);
    this.camera = new Camera(this);
    this.listen();
    graphs[data.key] = this;
  }

  listen() {
    const { net, view } = this;
    net.on("click", (params) => this.click(params));
    net.on("doubleClick", ({ nodes }) => {
      if (nodes.length) this.emit({ type: "open", id: nodes[0] });
    });
    net.on("dragStart", ({ nodes }) => nodes.forEach((id) => this.glides.delete(id)));
    net.on("dragEnd", ({ nodes }) => {
      for (const id of nodes) view.dragged.set(id, net.getPosition(id));
      nodes.forEach((id) => this.arrived.add(id));
      this.keepPlaces();
    });
    net.on("beforeDrawing", () => this.labels.cards.measure());
    net.on("afterDrawing", (context) => {
      if (this.data) this.labels.draw(context);
    });
    net.on("hoverNode", ({ node }) => this.hover(node));
    net.on("hoverEdge", ({ edge }) => this.hover(edge));
    net.on("blurNode", () => this.hover(null));
    net.on("blurEdge", () => this.hover(null));
    this.camera.listen(this.listeners.signal);
    const { signal } = this.listeners;
    const renew = () => {
      this.labels.forgetWidths();
      this.redraw();
    };
    document.fonts.addEventListener("loadingdone", renew, { signal });
  }

  // The second click of a double click is none of its own. `onClick` may take a click for itself.
  click(params) {
    const { nodes, edges, pointer } = params;
    const { x, y } = pointer.DOM;
    const last = this.clicked;
    this.clicked = { x, y, at: performance.now() };
    const isSecond =
      last &&
      this.clicked.at - last.at < DOUBLE_MS &&
      Math.hypot(x - last.x, y - last.y) < DOUBLE_PX;
    if (isSecond || this.onClick?.(params)) return;
    if (nodes.length) this.emit({ type: "node", id: nodes[0] });
    else if (edges.length) this.emit({ type: "edge", id: edges[0] });
    else this.emit({ type: "none", id: null });
  }

  // Tells Python; `k` keeps two equal events apart.
  emit(event) {
    this.send?.("event", { ...event, k: ++this.view.clicks });
  }

  hover(id) {
    this.labels.hovered = id;
    this.host.style.cursor = id === null ? "" : "pointer";
    this.redraw();
  }

  // ---- frames -----------------------------------------------------------------------------

  // Draws in the browser's next frame, once, however often it is asked.
  redraw() {
    this.net.body.emitter.emit("_requestRedraw");
  }

  // vis-network draws after each change of its data; of several changes only the last is drawn.
  inOneFrame(change) {
    const { emitter } = this.net.body;
    emitter.emit("_blockRedraw");
    this.nHolds += 1;
    try {
      change();
    } finally {
      this.nHolds -= 1;
      if (!this.nHolds) {
        emitter.emit("_allowRedraw");
        this.net.redraw();
      }
    }
  }

  // ---- data -------------------------------------------------------------------------------

  update(data, send) {
    this.send = send;
    this.frame.style.height = `var(--kg-height, ${data.height}px)`; // a page may say otherwise
    this.frame.dataset.empty = String(data.nodes.length === 0);
    this.frame.querySelector(".kg-empty").textContent = data.empty;
    const isFirst = !this.data;
    const isFocusNew = this.data?.focus !== data.focus;
    const isRoomNew = JSON.stringify(this.data?.room) !== JSON.stringify(data.room);
    this.data = data;
    this.inOneFrame(() => {
      this.net.body.emitter.emit("setSize");
      this.labels.set(data, this.dress(data.options));
      this.forgetOtherGraph(data.nodes);
      const isChanged = this.applyChange(data, isFirst);
      this.select(data.select);
      this.camera.showMode();
      if (isFirst && this.view.mode === "user") this.camera.restore();
      else if (isChanged || isFocusNew || isRoomNew) this.camera.follow({ glide: !isFirst, keeps: !!data.room });
    });
    this.onUpdate?.(data);
  }

  // None of the nodes is known: this is another graph, and the old camera means nothing here.
  forgetOtherGraph(nodes) {
    const known = new Set(this.view.ids);
    if (known.size && nodes.length && !nodes.some((node) => known.has(node.id)))
      Object.assign(this.view, { mode: "follow", dragged: new Map() });
    if (nodes.length) this.view.ids = nodes.map((node) => node.id);
  }

  // Applies the difference; true when nodes came, went or were moved by Python.
  applyChange(data, isFirst) {
    const nodes = diff(data.nodes.map(asNode), this.seenNodes);
    const edges = diff(data.edges.map(asEdge), this.seenEdges);
    const isMoved = this.setGoals(data.nodes);
    this.edges.remove(edges.removed);
    this.nodes.remove(nodes.removed);
    nodes.removed.forEach((id) => this.glides.delete(id));
    const here = (node) => ({ ...node, ...this.place(node.id) });
    const renewed = nodes.replaced.map(here);
    this.nodes.remove(renewed.map((node) => node.id));
    this.edges.remove(edges.replaced.map((edge) => edge.id));
    this.nodes.update(nodes.updated.map(here));
    const starts = isFirst || isStill() ? new Map() : this.startPlaces(nodes.added, data.edges);
    const fresh = nodes.added.map((node) => ({
      ...node,
      ...(starts.get(node.id) ?? this.goal(node.id)),
    }));
    this.nodes.add([...renewed, ...fresh]);
    this.edges.update(edges.updated);
    this.edges.add([...edges.replaced, ...edges.added]);
    this.glide();
    return nodes.added.length + nodes.removed.length > 0 || isMoved;
  }

  setGoals(nodes) {
    let isMoved = false;
    const goals = new Map();
    for (const { id, x, y } of nodes) {
      const before = this.goals.get(id);
      if (before && (before.x !== x || before.y !== y)) isMoved = true;
      goals.set(id, { x, y });
    }
    this.goals = goals;
    return isMoved;
  }

  goal(id) {
    return this.view.dragged.get(id) ?? this.goals.get(id);
  }

  place(id) {
    const node = this.net.body.nodes[id];
    return node ? { x: node.x, y: node.y } : this.goal(id);
  }

  // A new node starts at a neighbour that is already drawn.
  startPlaces(added, edges) {
    const starts = new Map();
    const isNew = new Set(added.map((node) => node.id));
    for (const edge of edges)
      for (const [id, other] of [
        [edge.to, edge.from],
        [edge.from, edge.to],
      ])
        if (isNew.has(id) && !starts.has(id) && this.net.body.nodes[other])
          starts.set(id, this.place(other));
    return starts;
  }

  // Moves every node that is not where it belongs, in a short glide.
  glide() {
    const start = performance.now();
    for (const id of this.goals.keys()) {
      const { x, y } = this.place(id);
      const goal = this.goal(id);
      if (Math.hypot(goal.x - x, goal.y - y) > NEAR && !this.glides.has(id))
        this.glides.set(id, { x, y, start });
    }
    if (this.glides.size && !this.ticking) this.tick();
  }

  tick() {
    this.ticking = false;
    if (!this.host.isConnected) return;
    const now = performance.now();
    for (const [id, from] of this.glides) {
      const goal = this.goal(id);
      const t = isStill() ? 1 : Math.min(1, (now - from.start) / GLIDE_MS);
      const by = ease(t);
      const node = this.net.body.nodes[id]; // vis' own moveNode draws everything anew for each node
      node.x = from.x + (goal.x - from.x) * by;
      node.y = from.y + (goal.y - from.y) * by;
      if (t === 1) this.glides.delete(id);
      if (t === 1) this.arrived.add(id);
    }
    if (!this.glides.size) return this.inOneFrame(() => this.keepPlaces());
    this.net.body.emitter.emit("_redraw");
    this.ticking = true;
    requestAnimationFrame(() => this.tick());
  }

  // vis takes places from its data when options change; only nodes that moved are written there.
  keepPlaces() {
    const there = [...this.arrived].filter((id) => this.net.body.nodes[id]);
    this.arrived.clear();
    this.nodes.update(there.map((id) => ({ id, ...this.place(id) })));
  }

  // Applied only when Python changes its mind, so a click stays marked until then.
  select(ids) {
    const nodes = ids.filter((id) => this.seenNodes.has(id));
    const edges = ids.filter((id) => this.seenEdges.has(id));
    const wanted = JSON.stringify([nodes, edges]);
    if (wanted !== this.selected)
      this.net.setSelection({ nodes, edges }, { highlightEdges: false });
    this.selected = wanted;
  }

  // Gives vis-network the options where they changed; returns the page's theme.
  dress(options) {
    const { look, theme } = this.dressed(options);
    const wanted = JSON.stringify(look);
    if (wanted !== this.look) this.net.setOptions(look);
    this.look = wanted;
    return theme;
  }

  // Options whose text follows the page's theme unless Python set its colour, and that theme.
  dressed(options) {
    const style = getComputedStyle(this.frame);
    const css = (name) => style.getPropertyValue(name).trim();
    const theme = {
      text: css("--st-text-color"),
      muted: getComputedStyle(this.frame.querySelector(".kg-empty")).color,
      background: css("--st-background-color"),
      cursor: css("--st-primary-color"),
      face: css("--st-font") || "sans-serif",
    };
    const look = merge({ nodes: { font: { color: theme.text, face: theme.face } } }, options);
    return { look, theme };
  }

  destroy() {
    this.listeners.abort();
    this.net.destroy();
    if (graphs[this.key] === this) delete graphs[this.key];
  }
}
