// Where the person looks. One of three modes, kept in `view.mode`:
//
//   follow  all of the graph while it is readable, else the focus and its neighbours
//   whole   all of the graph, however small; of an earlier moment what there was then
//   user    where the person moved the view; nothing else moves it
//
// Buttons, keys and the wheel live here too. The wheel zooms, except while it is scrolling the page
// and the pointer merely passes over the graph.

const GLIDE_MS = 220;
const READABLE = 0.8; // smallest scale while following one node
const NAMED_BESIDE = 0.4; // smallest scale where names stand beside nodes: these keep their size
const MARGIN = 28; // free pixels round the graph
const BUTTONS = 20; // and those that the buttons take at its right
const COVERED = 0.2; // the part of the width that buttons may take while one node is followed
const BAR = [44, 14]; // free pixels above and below where a tool bar lies at the top
const SCROLL_PAUSE_MS = 300; // a wheel turn that began on the page keeps scrolling the page

const isStill = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

class Camera {
  // `graph` knows where each node is (`place`) and where it belongs (`goal`).
  constructor(graph) {
    this.graph = graph;
    this.net = graph.net;
    this.host = graph.host;
    this.view = graph.view;
    this.saved = { scale: this.view.scale, position: this.view.position };
    this.isPlaced = false;
    this.showsWhole = false;
    const [above, below] = graph.frame.querySelector(".kg-bar") ? BAR : [MARGIN, MARGIN];
    this.height = above + below; // pixels that are kept free
    this.down = (above - below) / 2; // how far below the middle of the frame that of the free room lies
    this.pageScrolledAt = -Infinity;
    this.isGliding = false;
    this.net.on("animationFinished", () => {
      this.isGliding = false;
      graph.redraw(); // labels find their places anew
    });
    this.net.on("zoom", () => this.take());
    this.net.on("dragStart", () => this.take());
    this.net.on("afterDrawing", () => {
      this.view.scale = this.net.getScale();
      this.view.position = this.net.getViewPosition();
    });
  }

  listen(signal) {
    const actions = {
      in: () => this.zoom(1.25),
      out: () => this.zoom(0.8),
      fit: () => this.enter("whole"),
      follow: () => this.enter("follow"),
    };
    for (const [act, run] of Object.entries(actions))
      this.graph.frame
        .querySelector(`button[data-act="${act}"]`)
        .addEventListener("click", run, { signal });
    this.host.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.host.addEventListener("wheel", (event) => this.onWheel(event), { signal, capture: true });
    addEventListener(
      "wheel",
      (event) => {
        if (!event.composedPath().includes(this.host)) this.pageScrolledAt = event.timeStamp;
      },
      { signal, capture: true, passive: true },
    );
    const size = new ResizeObserver(() => {
      if (this.size !== this.framed) this.follow({ glide: false });
    });
    size.observe(this.host);
    signal.addEventListener("abort", () => size.disconnect());
  }

  // The page scrolls on when the pointer merely passes over the graph.
  onWheel(event) {
    const isPassing = event.timeStamp - this.pageScrolledAt < SCROLL_PAUSE_MS;
    if (event.ctrlKey || (this.graph.goals.size && !isPassing)) return;
    this.pageScrolledAt = event.timeStamp;
    event.stopPropagation();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in pan && this.graph.hasCursor && !event.shiftKey) return; // `Cursor` moves
    if (event.key in pan) this.pan(...pan[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.enter("whole");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  take() {
    this.enter("user");
  }

  enter(mode) {
    this.view.mode = mode;
    this.showMode();
    this.follow({ glide: true });
  }

  // A pressed button says what the camera keeps doing.
  showMode() {
    const { frame, data } = this.graph;
    const hasFocus = data.focus !== null;
    const button = (act) => frame.querySelector(`button[data-act="${act}"]`);
    const isFollowing = this.view.mode === "follow";
    button("follow").hidden = !hasFocus;
    button("follow").setAttribute("aria-pressed", String(isFollowing));
    const isFitting = this.view.mode === "whole" || (isFollowing && !hasFocus && !data.room);
    button("fit").setAttribute("aria-pressed", String(isFitting));
  }

  zoom(factor) {
    this.take();
    const scale = Math.min(4, Math.max(0.05, this.net.getScale() * factor));
    this.move({ scale, position: this.net.getViewPosition() }, true);
  }

  pan(right, down) {
    this.take();
    const { x, y } = this.net.getViewPosition();
    const by = 60 / this.net.getScale();
    this.move({
      scale: this.net.getScale(),
      position: { x: x + right * by, y: y + down * by },
    });
  }

  // Brings one node, or the middle of a line, to the centre at a readable size, and stays there.
  centre(id) {
    const ends = this.graph.net.body.edges[id];
    const places = (ends ? [ends.fromId, ends.toId] : [id]).map((end) => this.graph.goal(end));
    if (!places.every(Boolean)) return;
    this.take();
    const middle = (axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
    const scale = Math.max(READABLE, this.net.getScale());
    this.move({ scale, position: { x: middle("x"), y: middle("y") } }, true);
  }

  // Moves the view only as far as a node needs to be in sight.
  show(id) {
    const box = this.box([id], this.net.getScale());
    const scale = this.net.getScale();
    const view = this.net.getViewPosition();
    const shift = (low, high, middle, pixels) => {
      const half = Math.max(0, pixels / 2) / scale;
      return Math.min(0, low - middle + half) || Math.max(0, high - middle - half);
    };
    const right = shift(box.left, box.right, view.x, this.host.clientWidth - 2 * MARGIN);
    const middle = view.y + this.down / scale;
    const down = shift(box.top, box.bottom, middle, this.host.clientHeight - this.height);
    if (!right && !down) return;
    this.take();
    this.move({ scale, position: { x: view.x + right, y: view.y + down } }, true);
  }

  // The view the person had left when the page was shown before.
  restore() {
    this.move(this.saved);
  }

  move({ scale, position }, glide = false) {
    const at = this.net.getViewPosition();
    const now = this.net.getScale();
    if (Math.hypot(at.x - position.x, at.y - position.y) * now < 1 && Math.abs(now - scale) < 1e-3)
      return;
    const animation = glide && !isStill() && { duration: GLIDE_MS, easingFunction: "easeOutCubic" };
    this.isGliding = !!animation;
    this.net.moveTo({ scale, position, animation });
  }

  // Bounding box of some nodes, labels included, once they have arrived.
  box(ids, scale) {
    const context = this.host.querySelector("canvas").getContext("2d");
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const id of ids) {
      const room = this.graph.labels.room(id, context, scale);
      if (!room) continue;
      const at = this.graph.place(id);
      const goal = this.graph.goal(id);
      box.left = Math.min(box.left, room.left + goal.x - at.x);
      box.right = Math.max(box.right, room.right + goal.x - at.x);
      box.top = Math.min(box.top, room.top + goal.y - at.y);
      box.bottom = Math.max(box.bottom, room.bottom + goal.y - at.y);
    }
    return box;
  }

  fitting({ left, top, right, bottom }) {
    const scale = Math.min(
      this.graph.data.most ?? 1,
      Math.max(40, this.host.clientWidth - BUTTONS - 2 * MARGIN) / Math.max(1, right - left),
      Math.max(40, this.host.clientHeight - this.height) / Math.max(1, bottom - top),
    );
    const aside = Math.min(BUTTONS, Math.max(0, this.host.clientWidth - (right - left) * scale)) / 2;
    const middle = { x: (left + right) / 2, y: (top + bottom) / 2 };
    return { scale, position: { x: middle.x + aside / scale, y: middle.y - this.down / scale } };
  }

  // Labels need more room the smaller the graph is drawn, so the scale is found in two turns.
  whole() {
    const { emitter } = this.net.body;
    emitter.emit("setSize");
    emitter.emit("_resizeNodes"); // boxes are measured
    const first = this.fitting(this.all(1));
    return this.fitting(this.all(first.scale));
  }

  // All that is drawn; of an earlier moment the room that the whole takes, so that the camera keeps
  // still while a person goes through the moments – unless that person wants what is drawn to fit.
  all(scale) {
    const { room } = this.graph.data;
    if (!room || this.view.mode === "whole") return this.box([...this.graph.goals.keys()], scale);
    const [left, top, right, bottom] = room;
    return { left, top, right, bottom };
  }

  get size() {
    return `${this.host.clientWidth} ${this.host.clientHeight}`;
  }

  // With `keeps` a view of the whole that is followed stays as it is once there is one.
  follow({ glide, keeps = false }) {
    const { clientWidth, clientHeight } = this.host;
    if (this.view.mode === "user" || !this.graph.goals.size || !clientWidth || !clientHeight)
      return;
    this.framed = this.size;
    const whole = this.whole();
    const { focus, room } = this.graph.data; // with a room the view keeps still: the whole is shown
    const isReadable =
      room || whole.scale >= this.least(focus) || !this.graph.goals.has(focus);
    const isWhole = this.view.mode === "whole" || isReadable;
    if (keeps && this.view.mode === "follow" && isWhole && this.showsWhole) return;
    this.move(isWhole ? whole : this.around(focus), glide && this.isPlaced);
    this.showsWhole = isWhole;
    this.isPlaced = true;
  }

  least(focus) {
    const item = this.graph.labels.nodes.get(focus);
    if (isCard(item)) return leastFor(item, this.graph.labels.large);
    return item && hasTextBeside(item) ? (this.graph.data.least ?? NAMED_BESIDE) : READABLE;
  }

  // A readable view of the focus and its neighbours. It moves only when they are out of sight;
  // then it leaves a third of the width free ahead and shows nothing beyond the graph's ends.
  around(focus) {
    const ids = [focus, ...this.net.getConnectedNodes(focus)];
    const scale = this.scaleAround(focus, ids);
    const near = this.box(ids, scale);
    const fits = this.fitting(near).scale >= scale * 0.98;
    const region = fits ? near : this.box([focus], scale);
    const aside = this.covered / 2 / scale; // how far left of the frame's middle that of the free room lies
    const halfWidth = (this.host.clientWidth / 2 - MARGIN) / scale - aside;
    const halfHeight = (this.host.clientHeight - this.height) / 2 / scale;
    const down = this.down / scale;
    const at = this.net.getViewPosition();
    const view = { x: at.x - aside, y: at.y + down };
    const isInSight =
      region.left >= view.x - halfWidth &&
      region.right <= view.x + halfWidth &&
      region.top >= view.y - halfHeight &&
      region.bottom <= view.y + halfHeight;
    if (this.isPlaced && isInSight && Math.abs(this.net.getScale() - scale) < 0.01)
      return { scale, position: at };
    const whole = this.all(scale);
    const inside = (start, end, half, ideal) =>
      end - start <= 2 * half
        ? (start + end) / 2
        : Math.max(start + half, Math.min(ideal, end - half));
    const ahead = Math.min(region.left + halfWidth, region.right - halfWidth / 3, this.start(focus, scale, halfWidth));
    const middle = (region.top + region.bottom) / 2;
    return {
      scale,
      position: {
        x: inside(whole.left, whole.right, halfWidth, ahead) + aside,
        y: inside(whole.top, whole.bottom, halfHeight, middle) - down,
      },
    };
  }

  // Pixels at the right that buttons cover while the graph is larger than the frame.
  get covered() {
    const bars = [...this.graph.frame.querySelectorAll(".kg-tools, .kg-bar")];
    const widths = bars.map((bar) => bar.offsetWidth);
    return Math.max(BUTTONS, ...widths.filter((width) => width < COVERED * this.host.clientWidth));
  }

  // How far right the view may stand for the whole way to a card to be in sight, where there is room for it.
  start(focus, scale, halfWidth) {
    if (!isCard(this.graph.labels.nodes.get(focus))) return Infinity;
    const { left, right } = this.box(this.wayTo(focus), scale);
    return right - left <= 2 * halfWidth ? left + halfWidth : Infinity;
  }

  // Of cards the scale that shows the way to the focus; once there is one it stays as it is.
  scaleAround(focus, ids) {
    const least = this.least(focus);
    const isOfCards = isCard(this.graph.labels.nodes.get(focus));
    if (isOfCards && this.isPlaced) return Math.min(READABLE, Math.max(least, this.net.getScale()));
    const wanted = isOfCards ? this.wayTo(focus) : ids;
    const fitted = (at) => this.fitting(this.box(wanted, at)).scale; // in two turns, as in `whole`
    return Math.max(least, Math.min(READABLE, fitted(Math.min(READABLE, fitted(READABLE)))));
  }

  // A node and those it comes from, which stand before it.
  wayTo(id) {
    const way = [id];
    const isBefore = ({ from, to }) => to === way[0] && this.graph.goal(from).x < this.graph.goal(to).x;
    for (let line; (line = this.graph.data.edges.find(isBefore)); ) way.unshift(line.from);
    return way;
  }
}
