// The drawing as a picture: an SVG made from what is drawn, and a PNG made from that SVG.
//
// The whole graph is in it, whatever the view shows. Labels stand where `Labels` would put them at
// full size. Text enters through the DOM, whose serializer escapes it.

const SVG = "http://www.w3.org/2000/svg";
const PAD = 24;
const STEPS = 24; // pieces of a curve
const PNG_SCALE = 2;
const PNG_MOST = 8000; // pixels along one side
// What XML cannot hold: control characters and halves of surrogate pairs.
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const xmlText = (text) => String(text).replace(NOT_XML, "");

const round = (value) => Math.round(value * 10) / 10;
const points = (list) => list.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");

class Picture {
  constructor(graph) {
    this.graph = graph;
    this.net = graph.net;
    this.labels = graph.labels;
    this.document = document.implementation.createDocument(SVG, "svg");
  }

  svgBlob() {
    return new Blob([this.svg()], { type: "image/svg+xml" });
  }

  async pngBlob() {
    const address = URL.createObjectURL(this.svgBlob());
    try {
      const image = new Image();
      image.src = address;
      await image.decode();
      const scale = Math.min(PNG_SCALE, PNG_MOST / Math.max(this.width, this.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.ceil(this.width * scale);
      canvas.height = Math.ceil(this.height * scale);
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      return await new Promise((done) => canvas.toBlob(done, "image/png"));
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  svg() {
    const { cards } = this.labels;
    cards.fixedScale = 1;
    try {
      return this.write();
    } finally {
      cards.fixedScale = null;
      this.net.redraw();
    }
  }

  write() {
    const root = this.document.documentElement;
    const context = this.graph.host.querySelector("canvas").getContext("2d");
    this.net.redraw(); // shapes measure themselves while they are drawn
    const placed = this.labels.layout(context, { scale: 1, view: EVERYWHERE });
    const lines = this.add(root, "g");
    const nodes = this.add(root, "g");
    const texts = this.add(root, "g");
    for (const item of this.labels.edges.values()) this.edge(lines, item, context);
    for (const item of this.labels.nodes.values()) this.node(nodes, item, context);
    for (const label of placed) this.label(texts, label, context);
    this.frame(root, placed);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}`;
  }

  add(parent, tag, attributes = {}, text = null) {
    const element = this.document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== undefined && value !== null) element.setAttribute(name, xmlText(value));
    if (text !== null) element.textContent = xmlText(text);
    parent.append(element);
    return element;
  }

  // The size of the picture, its ground, and its name for those who do not see it.
  frame(root, placed) {
    const boxes = [...this.labels.nodes.keys()].map((id) => this.labels.nodeBox(id));
    const all = [...boxes, ...placed.map(({ place }) => place.box)].filter(Boolean);
    const least = (side) => Math.min(...all.map((box) => box[side])) - PAD;
    const most = (side) => Math.max(...all.map((box) => box[side])) + PAD;
    const [left, top] = all.length ? [least("left"), least("top")] : [0, 0];
    this.width = all.length ? Math.ceil(most("right") - left) : 2 * PAD;
    this.height = all.length ? Math.ceil(most("bottom") - top) : 2 * PAD;
    root.setAttribute("viewBox", `${round(left)} ${round(top)} ${this.width} ${this.height}`);
    root.setAttribute("width", this.width);
    root.setAttribute("height", this.height);
    root.setAttribute("font-family", this.labels.theme.face.replace(/["<>&]/g, ""));
    const ground = this.add(root, "rect", {
      x: round(left),
      y: round(top),
      width: this.width,
      height: this.height,
      fill: this.labels.theme.background,
    });
    root.prepend(ground);
    root.prepend(this.add(root, "title", {}, this.graph.data.name || word("graph")));
  }

  // ---- nodes ----------------------------------------------------------------------------------

  node(parent, item, context) {
    const drawn = this.net.body.nodes[item.id];
    if (!drawn) return;
    const { color, borderWidth, shapeProperties, opacity } = drawn.options;
    const group = this.add(parent, "g", { opacity: opacity ?? undefined });
    const shape = this.shape(group, item, drawn);
    shape.setAttribute("fill", color.background);
    shape.setAttribute("stroke", color.border);
    shape.setAttribute("stroke-width", borderWidth);
    const dashes = dashed(shapeProperties?.borderDashes);
    if (dashes) shape.setAttribute("stroke-dasharray", dashes);
    if (item.title) this.add(shape, "title", {}, item.title);
    if (!hasTextBeside(item)) this.insideText(group, item, drawn, context);
  }

  shape(group, item, { x, y, shape, options }) {
    const r = options.size;
    const at = (angle, far) => ({ x: x + far * Math.sin(angle), y: y - far * Math.cos(angle) });
    const turn = (n, far) => Array.from({ length: n }, (_, i) => at((2 * Math.PI * i) / n, far(i)));
    if (item.shape === "diamond") return this.add(group, "polygon", { points: points(turn(4, () => r)) });
    if (item.shape === "hexagon") {
      const corners = turn(6, () => r).map((point) => ({ x: x + y - point.y, y: y + point.x - x }));
      return this.add(group, "polygon", { points: points(corners) });
    }
    if (item.shape === "star") {
      const corners = turn(10, (i) => 0.82 * r * (i % 2 ? 0.5 : 1.3));
      const lower = corners.map((point) => ({ x: point.x, y: point.y + 0.082 * r }));
      return this.add(group, "polygon", { points: points(lower) });
    }
    if (hasTextBeside(item)) return this.add(group, "circle", { cx: round(x), cy: round(y), r });
    const { width, height } = shape;
    if (item.shape === "ellipse" || item.shape === "circle")
      return this.add(group, "ellipse", { cx: round(x), cy: round(y), rx: width / 2, ry: height / 2 });
    const box = { x: round(x - width / 2), y: round(y - height / 2), width, height, rx: 6 };
    return this.add(group, "rect", box);
  }

  // Text in a box or an ellipse, in the lines in which it is drawn.
  insideText(group, item, drawn, context) {
    if (isCard(item)) return this.cardText(group, item, drawn, context);
    const { size, color } = drawn.options.font;
    const { lines } = drawn.labelModule;
    const texts = lines.map((line) => line.blocks.map(({ text }) => text).join(""));
    const widths = lines.map((line) => line.width);
    this.text(group, texts, { x: drawn.x, y: drawn.y, size, color, line: 1.08, widths });
  }

  cardText(group, item, { x, y }, context) {
    const { lines, size } = this.labels.cards.text(item, context, 1);
    const { face, text } = this.labels.theme;
    context.font = `${size}px ${face}`;
    const widths = lines.map((line) => context.measureText(line).width);
    const color = item.font?.color ?? text;
    this.text(group, lines, { x, y, size, color, line: CARD_LINE, widths });
  }

  // Other viewers have other fonts: a line takes the width that its place was made for.
  text(parent, lines, { x, y, size, color, line = LINE, halo = null, widths = [] }) {
    const first = y - ((lines.length - 1) / 2) * line * size;
    const around = halo && {
      stroke: halo,
      "stroke-width": round(size * 0.3),
      "stroke-linejoin": "round",
      "paint-order": "stroke",
    };
    const common = { "text-anchor": "middle", "dominant-baseline": "central", "font-size": size };
    const group = this.add(parent, "g", { ...common, fill: color, ...around });
    lines.forEach((text, i) => {
      const place = { x: round(x), y: round(first + i * line * size) };
      const width = widths[i] && { textLength: round(widths[i]), lengthAdjust: "spacingAndGlyphs" };
      this.add(group, "text", { ...place, ...width }, text);
    });
  }

  label(parent, { job, shape, place }, context) {
    const { size, color } = job;
    const { background, face } = this.labels.theme;
    context.font = `${size}px ${face}`;
    const widths = shape.lines.map((line) => context.measureText(line).width);
    this.text(parent, shape.lines, { ...place, size, color, halo: background, widths });
  }

  // ---- lines ----------------------------------------------------------------------------------

  edge(parent, item, context) {
    const edge = this.net.body.edges[item.id];
    if (!edge?.connected) return;
    const { color, width, dashes, arrows } = edge.options;
    const stroke = color.color;
    const group = this.add(parent, "g", { fill: "none", stroke, "stroke-width": width });
    const scale = arrows.to.enabled ? arrows.to.scaleFactor : 0;
    const way = this.way(edge, context);
    const isStraight = edge.from !== edge.to && !edge.edgeType.getViaNode();
    const shown = isStraight ? [way[0], way.at(-1)] : way;
    const line = this.add(group, "polyline", { points: points(shown) });
    const pattern = dashed(dashes);
    if (pattern) line.setAttribute("stroke-dasharray", pattern);
    if (item.title) this.add(line, "title", {}, item.title);
    if (scale) this.arrow(group, way, { stroke, length: 15 * scale + 3 * width });
  }

  // Points along a line, from the border of one node to that of the other.
  way(edge, context) {
    if (edge.from === edge.to) {
      const [x, y, r] = edge.edgeType._getCircleData(context);
      const at = (i) => {
        const angle = (2 * Math.PI * i) / (2 * STEPS);
        return { x: x + r * Math.cos(angle), y: y - r * Math.sin(angle) };
      };
      return Array.from({ length: 2 * STEPS + 1 }, (_, i) => at(i));
    }
    const all = curve(edge.from, edge.to, edge.edgeType.getViaNode());
    const isOutside = (node) => {
      const border = this.border(node);
      return (point) => !border(point.x - node.x, point.y - node.y);
    };
    const first = all.findIndex(isOutside(edge.from));
    const last = all.findLastIndex(isOutside(edge.to));
    return first >= 0 && last > first ? all.slice(first, last + 1) : [all[0], all.at(-1)];
  }

  // Tells whether a point, seen from the centre, lies in a node.
  border({ id, options, shape }) {
    const item = this.labels.nodes.get(id);
    const far = options.borderWidth / 2 + 1;
    if (item && hasTextBeside(item)) {
      const r = options.size + far;
      if (item.shape === "diamond") return (x, y) => Math.abs(x) + Math.abs(y) < r * 1.1;
      return (x, y) => Math.hypot(x, y) < r;
    }
    const [width, height] = [shape.width / 2 + far, shape.height / 2 + far];
    if (item?.shape === "ellipse") return (x, y) => (x / width) ** 2 + (y / height) ** 2 < 1;
    return (x, y) => Math.abs(x) < width && Math.abs(y) < height;
  }

  arrow(group, way, { stroke, length }) {
    const tip = way.at(-1);
    const from = way.findLast((point) => Math.hypot(point.x - tip.x, point.y - tip.y) > 4) ?? way[0];
    const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
    const corner = (turn, far) => ({
      x: tip.x - far * Math.cos(angle + turn),
      y: tip.y - far * Math.sin(angle + turn),
    });
    const shape = [tip, corner(0.32, length), corner(0, 0.8 * length), corner(-0.32, length)];
    this.add(group, "polygon", { points: points(shape), fill: stroke, stroke: "none" });
  }
}

// Points of a straight line, or of a curve bent by one or two points.
function curve(from, to, via) {
  const bends = [via ?? []].flat().filter((point) => point?.x !== undefined);
  const list = [from, ...bends, to];
  const n = bends.length ? STEPS * 4 : STEPS * 8;
  return Array.from({ length: n + 1 }, (_, i) => casteljau(list, i / n));
}

function casteljau(list, t) {
  if (list.length === 1) return list[0];
  const next = list.slice(1).map(({ x, y }, i) => ({
    x: list[i].x + t * (x - list[i].x),
    y: list[i].y + t * (y - list[i].y),
  }));
  return casteljau(next, t);
}

const EVERYWHERE = { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9 };

const dashed = (dashes) =>
  Array.isArray(dashes) && dashes.length ? dashes.join(" ") : dashes === true ? "5 5" : null;
