// Labels as on a map: never smaller than one can read, never on top of each other.
//
// vis-network shrinks text with the graph and lets it overlap. Here the names beside nodes and on
// edges are drawn after each frame: important ones first, each at the first free place near its
// node or along its edge. What finds no place is left out and appears on hover or when zooming in.
// Text inside a shape (box, ellipse, ...) stays with vis-network.

const NODE_TEXT = { base: 14, least: 11 }; // size in the graph; least size on screen
const EDGE_TEXT = { base: 11, least: 9.5 };
const EDGE_TEXT_FADES = 0.62; // below this scale only important edges are named
const LINE = 1.18; // line height
const WRAP = 12; // widest line, in font sizes
const EDGE_WRAP = 8; // of a name that stands along an edge
const LINES = 3;
const SHORT = 24; // characters
const BOX_EDGE = 0.35; // room between a text and its box, in font sizes
const TEXT_INSIDE = new Set(["box", "ellipse", "circle", "database", "text"]);
const ALONG_EDGE = [0.5, 0.4, 0.6, 0.3, 0.7];
const ALONG_NEW_EDGE = [...ALONG_EDGE, 0.55, 0.65, 0.75, 0.8, 0.45, 0.35, 0.25];
const IMPORTANT_WIDTH = 3;

// No part of the run: read from the graphs on a person's wish.
const isBeside = ({ kind }) => kind === "extra" || kind === "extra value";

const hasTextBeside = (node) => !TEXT_INSIDE.has(node.shape);

// A short text inside a shape that is drawn too small to read is repeated beside it.
const isTooSmall = (node, scale) =>
  !isCard(node) && node.label.length <= SHORT && !node.label.includes("\n") &&
  (node.font?.size ?? NODE_TEXT.base) * scale < 7;

class Labels {
  // `net` is drawn by vis-network; `set` tells what it shows, `draw` adds the text to a frame.
  constructor(net, isMoving = () => false) {
    this.net = net;
    this.isMoving = isMoving;
    this.cards = new Cards(net, this);
    this.nodes = new Map();
    this.edges = new Map();
    this.hovered = null;
    this.shapes = new Map(); // text, and how wide a line may be -> its lines and width in font sizes
    this.shown = new Map(); // id -> box of each label in the last frame
    this.sides = new Map(); // id -> at which of its spots a node's label stood last
  }

  set(data, theme) {
    this.nodes = new Map(data.nodes.map((node) => [node.id, node]));
    this.edges = new Map(data.edges.map((edge) => [edge.id, edge]));
    this.large = data.large ?? 1; // how much larger than elsewhere the least text is, for a hall
    this.theme = theme;
    this.degree = new Map();
    for (const { from, to } of data.edges)
      for (const id of [from, to]) this.degree.set(id, (this.degree.get(id) ?? 0) + 1);
  }

  forgetWidths() {
    this.shapes.clear();
    this.cards.forgetWidths();
  }

  draw(context) {
    this.cards.draw(context);
    const view = this.viewport();
    const corners = this.corners();
    const placed = this.layout(context, { scale: this.net.getScale(), view, corners });
    // While nodes or the camera are on their way places are those of a moment: none is kept.
    if (!this.isMoving())
      for (const { job, place } of placed) if (job.isNode) this.sides.set(job.id, place.side);
    this.shown = new Map(placed.map(({ job, place }) => [job.id, place.box]));
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const { job, shape, place } of placed) this.paint(context, job, shape, place);
  }

  // Which labels are shown and where, of a part of the plane at a scale.
  layout(context, { scale, view, corners = [] }) {
    const taken = this.nodeShapes(view, 2 / scale);
    corners.forEach((box) => taken.add(box));
    this.addLines(taken, 7 / scale);
    const placed = [];
    for (const job of this.jobs(scale).sort((a, b) => b.rank - a.rank)) {
      const shape = this.shape(context, job.text, job.isNode ? WRAP : EDGE_WRAP);
      const place = this.findPlace(job, shape, view, taken);
      if (!place) continue;
      taken.add({ ...place.box, owner: job.id });
      placed.push({ job, shape, place });
    }
    return placed;
  }

  viewport() {
    const { clientWidth, clientHeight } = this.net.canvas.frame;
    const { x: left, y: top } = this.net.DOMtoCanvas({ x: 0, y: 0 });
    const { x: right, y: bottom } = this.net.DOMtoCanvas({ x: clientWidth, y: clientHeight });
    return { left, top, right, bottom };
  }

  // Where buttons lie on the drawing.
  corners() {
    const { frame } = this.net.canvas;
    const size = `${frame.clientWidth} ${frame.clientHeight}`;
    if (this.cornersOf !== size) {
      const from = frame.getBoundingClientRect();
      const bars = [...(frame.closest(".kg-frame")?.querySelectorAll(".kg-tools") ?? [])];
      this.cornersOf = size;
      this.bars = bars.map((bar) => bar.getBoundingClientRect()).map((box) => ({
        left: box.left - from.left,
        right: box.right - from.left,
        top: box.top - from.top,
        bottom: box.bottom - from.top,
      }));
    }
    return this.bars.map((box) => {
      const { x: left, y: top } = this.net.DOMtoCanvas({ x: box.left, y: box.top });
      const { x: right, y: bottom } = this.net.DOMtoCanvas({ x: box.right, y: box.bottom });
      return { left, right, top, bottom };
    });
  }

  // The important lines, in small pieces: a name stands on none of them where there is room beside.
  addLines(taken, step) {
    for (const { id, width } of this.edges.values()) {
      const edge = this.net.body.edges[id];
      if (!(width >= IMPORTANT_WIDTH) || !edge?.connected || edge.from === edge.to) continue;
      const { from, to } = edge;
      const n = Math.min(60, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / step));
      for (let i = 1; i < n; i++) {
        const { x, y } = edge.edgeType.getPoint(i / n);
        taken.add({ ...around(x, y, step / 2, step / 2), owner: id, isLine: true });
      }
    }
  }

  // What a label must not cover: the nodes in view.
  nodeShapes(view, gap) {
    const taken = new Taken(90 / Math.max(0.2, this.net.getScale()));
    for (const id of this.nodes.keys()) {
      const box = this.nodeBox(id);
      if (box && overlap(box, view)) taken.add({ ...widened(box, gap), owner: id, isNode: true });
    }
    return taken;
  }

  // The node itself, without a label beside it.
  nodeBox(id) {
    const item = this.nodes.get(id);
    const node = this.net.body.nodes[id];
    if (!item || !node) return null;
    if (!hasTextBeside(item)) return this.net.getBoundingBox(id);
    const half = this.radius(item);
    return { left: node.x - half, right: node.x + half, top: node.y - half, bottom: node.y + half };
  }

  radius(node) {
    return (node.size ?? 14) + (node.borderWidth ?? 1);
  }

  jobs(scale) {
    const jobs = [];
    const selection = this.net.getSelection();
    const marked = new Set([...selection.nodes, ...selection.edges, this.hovered]);
    const size = (item, { base, least }) =>
      Math.max(item.font?.size ?? base, (this.large * least) / scale);
    for (const node of this.nodes.values()) {
      if (!node.label || !this.net.body.nodes[node.id]) continue; // not there yet in this frame
      const isBoxed = !hasTextBeside(node);
      if (isBoxed && !isTooSmall(node, scale)) continue;
      const isForced = marked.has(node.id);
      const rank =
        (isBeside(node) && !isBoxed ? -200 : 0) + // what stood there keeps its name
        (node.id === this.hovered ? 4000 : 0) +
        (isForced ? 2000 : 0) +
        20 * (node.font?.size ?? NODE_TEXT.base) +
        Math.min(19, this.degree.get(node.id) ?? 0);
      const isImportant = isForced || node.font?.size > NODE_TEXT.base;
      const color = node.font?.color ?? this.theme.text;
      jobs.push({
        item: node,
        isNode: true,
        isBoxed,
        size: size(node, NODE_TEXT),
        rank,
        isForced,
        isImportant,
        color,
      });
    }
    for (const edge of this.edges.values()) {
      const isForced = marked.has(edge.id);
      const isImportant = isForced || edge.width >= IMPORTANT_WIDTH;
      if (!edge.label || (scale < EDGE_TEXT_FADES && !isImportant && !edge.isNew)) continue;
      const rank =
        (isForced ? 1500 : 0) + (isImportant ? 250 : 0) + (edge.isNew ? 245 : 0) + (edge.width ?? 1);
      const color = edge.font?.color ?? this.theme.muted;
      jobs.push({
        item: edge,
        isNode: false,
        size: size(edge, EDGE_TEXT),
        rank,
        isForced,
        isImportant,
        color,
      });
    }
    return jobs.map((job) => ({ ...job, id: job.item.id, text: job.item.label }));
  }

  // ---- places -------------------------------------------------------------------------------

  findPlace(job, shape, view, taken) {
    const edging = job.isBoxed ? BOX_EDGE * job.size : 0;
    const width = shape.width * job.size + 2 * edging;
    const height = shape.lines.length * LINE * job.size + edging;
    const spots = job.isNode ? this.nodeSpots(job, width, height) : this.edgeSpots(job.item);
    const isOther = (other) => other.owner !== job.id && !other.isLine;
    const visible = [];
    let free = null;
    let onLine = null;
    for (const { x, y, side } of spots) {
      const place = { x, y, side, box: around(x, y, width, height) };
      if (!overlap(place.box, view)) continue;
      visible.push(place);
      if (taken.meets(place.box, isOther)) continue;
      if (!within(place.box, view)) free ??= place;
      else if (job.isNode && taken.meets(place.box, (other) => other.isLine)) onLine ??= place;
      else return place;
    }
    if (onLine) return onLine;
    if (job.isImportant) {
      const beside = visible.find(
        ({ box }) => !taken.meets(box, (other) => !(other.isNode && job.isNode) && !other.isLine),
      );
      return free ?? beside ?? (job.isForced ? visible[0] : null);
    }
    return this.isCutOff(job, view) ? free : null;
  }

  // A node at the border of the view may have its label cut off as well.
  isCutOff(job, view) {
    return !job.isNode || !within(this.nodeBox(job.id), view);
  }

  nodeSpots(job, width, height) {
    const { x, y } = this.net.body.nodes[job.id];
    if (job.isBoxed) return [{ x, y, side: 0 }];
    const { left, right, top, bottom } = this.nodeBox(job.id);
    const gap = 0.25 * job.size;
    const [below, above] = [bottom + gap + height / 2, top - gap - height / 2];
    const [after, before] = [right + gap + width / 2, left - gap - width / 2];
    const spots = [
      { x, y: below },
      { x, y: above },
      { x: after, y },
      { x: before, y },
      { x: x + width / 2, y: below },
      { x: x - width / 2, y: below },
      { x: x + width / 2, y: above },
      { x: x - width / 2, y: above },
      { x: after, y: y + 0.9 * height },
      { x: before, y: y + 0.9 * height },
      { x: after, y: y - 0.9 * height },
      { x: before, y: y - 0.9 * height },
    ].map((spot, side) => ({ ...spot, side }));
    const last = spots[this.sides.get(job.id)]; // first where it stood before
    return last ? [last, ...spots.filter((spot) => spot !== last)] : spots;
  }

  edgeSpots(item) {
    const edge = this.net.body.edges[item.id];
    if (!edge?.connected) return [];
    if (edge.from === edge.to) return [this.loopSpot(edge)];
    const shares = item.isNew || item.width >= IMPORTANT_WIDTH ? ALONG_NEW_EDGE : ALONG_EDGE;
    return shares.map((share) => edge.edgeType.getPoint(share));
  }

  loopSpot({ from, options }) {
    const { size, angle } = options.selfReference;
    const away = from.shape.radius + 1.7 * size;
    return { x: from.x + away * Math.cos(angle), y: from.y - away * Math.sin(angle) };
  }

  // How much room node and label need when the label is at its first place, at a given scale.
  room(id, context, scale) {
    const item = this.nodes.get(id);
    const box = this.nodeBox(id);
    if (box && isCard(item)) return this.cards.box(item, context, scale);
    if (!box || !item.label || !hasTextBeside(item)) return box;
    const least = (this.large * NODE_TEXT.least) / scale;
    const size = Math.max(item.font?.size ?? NODE_TEXT.base, least);
    const shape = this.shape(context, item.label);
    const half = (shape.width * size) / 2;
    const { x } = this.net.body.nodes[id];
    return {
      left: Math.min(box.left, x - half),
      right: Math.max(box.right, x + half),
      top: box.top,
      bottom: box.bottom + (0.25 + LINE * shape.lines.length) * size,
    };
  }

  // ---- text ---------------------------------------------------------------------------------

  shape(context, text, most = WRAP) {
    const key = `${most} ${text}`;
    const known = this.shapes.get(key);
    if (known) return known;
    context.font = `100px ${this.theme.face}`;
    const width = (line) => context.measureText(line).width / 100;
    const whole = text.includes("\n") ? Infinity : width(text);
    const lines = whole > most ? wrap(text, width, { most }) : [text];
    const shape = { lines, width: whole > most ? Math.max(...lines.map(width)) : whole };
    this.shapes.set(key, shape);
    return shape;
  }

  paint(context, { item, isBoxed, size, color }, { lines }, { x, y, box }) {
    if (isBoxed) this.paintBox(context, item, box, size);
    context.font = `${size}px ${this.theme.face}`;
    context.strokeStyle = this.theme.background;
    context.lineWidth = size * 0.3;
    context.fillStyle = color;
    const top = y - ((lines.length - 1) / 2) * LINE * size;
    lines.forEach((line, i) => context.strokeText(line, x, top + i * LINE * size));
    lines.forEach((line, i) => context.fillText(line, x, top + i * LINE * size));
  }

  // A text that is too small in its own box stands in a larger one, which hides that.
  paintBox(context, { color, borderWidth = 1 }, { left, right, top, bottom }, size) {
    context.beginPath();
    context.roundRect(left, top, right - left, bottom - top, BOX_EDGE * size);
    context.fillStyle = color?.background ?? this.theme.background;
    context.fill();
    context.strokeStyle = color?.border ?? this.theme.muted;
    context.lineWidth = (borderWidth * size) / NODE_TEXT.base;
    context.stroke();
  }
}

// Lines no wider than `most`, broken between words, or anywhere in a word that is too long.
function wrap(text, width, { most = WRAP, limit = LINES } = {}) {
  const lines = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of pieces(paragraph, width, most)) {
      const longer = line + word;
      if (line && width(longer.trimEnd()) > most) {
        lines.push(line.trimEnd());
        line = word.trimStart();
      } else line = longer;
    }
    lines.push(line.trimEnd());
  }
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit - 1), `${lines[limit - 1]}…`];
}

function pieces(paragraph, width, most) {
  const words = paragraph.split(/(?<=\s)/u);
  return words.flatMap((word) => (width(word.trimEnd()) > most ? [...word] : [word]));
}
