// Cards: the boxes of a search tree, whose text is never smaller than one can read.
//
// vis-network shrinks the text in a box with the graph. A node with a `card` (the width and height it
// may take in the graph) measures itself by what it says here: the whole label where that fits at a
// readable size; else, step by step, its number and value with the start of what it is about, the
// value alone, nothing. The colour says the value at any size, and hovering tells all.

const CARD_LEAST = 10.2; // pixels of the text on the screen
const CARD_PAD = 6; // free room in the card, each side
const CARD_LINE = 1.12;
const USEFUL = { width: 62, height: 29 }; // pixels that hold two short lines
const VALUE = /^(?:[★✗=] ?)*(?:\d\.\d\d\b|[★✗=])/u;
const MARK_OR_VALUE = /\d\.\d\d|[★✗]/u;

const isCard = (item) => Array.isArray(item?.card);

// The smallest scale at which a card still says what it is about.
const leastFor = ({ card: [width, height] }, large = 1) =>
  Math.min(READABLE, large * Math.max(USEFUL.width / width, USEFUL.height / height));

class Cards {
  constructor(net, labels) {
    this.net = net;
    this.labels = labels;
    this.known = new Map(); // what a card says by label, room and scale
    this.fixedScale = null; // that of a picture, whatever the camera's
  }

  get scale() {
    return this.fixedScale ?? this.net.getScale();
  }

  forgetWidths() {
    this.known.clear();
  }

  // A shape of vis-network asks `resize` for its size whenever it needs it.
  measure() {
    for (const item of this.labels.nodes.values()) {
      const shape = isCard(item) && this.net.body.nodes[item.id]?.shape;
      if (!shape || shape.isCard) continue;
      const own = shape.resize;
      shape.isCard = true;
      shape.resize = (context, ...rest) => {
        own.call(shape, context, ...rest);
        const wanted = this.labels.nodes.get(item.id);
        if (isCard(wanted)) Object.assign(shape, this.size(wanted, context, this.scale));
      };
    }
  }

  draw(context) {
    const { scale } = this;
    const view = this.labels.viewport();
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const item of this.labels.nodes.values()) {
      const box = isCard(item) && this.labels.nodeBox(item.id);
      if (!box || !overlap(box, view)) continue;
      const { lines, size } = this.text(item, context, scale);
      const { x, y } = this.net.body.nodes[item.id];
      context.font = `${size}px ${this.labels.theme.face}`;
      context.fillStyle = item.font?.color ?? this.labels.theme.text;
      const top = y - ((lines.length - 1) / 2) * CARD_LINE * size;
      lines.forEach((line, i) => context.fillText(line, x, top + i * CARD_LINE * size));
    }
  }

  size(item, context, scale) {
    const { width, height } = this.text(item, context, scale);
    return { width, height, radius: width / 2 };
  }

  box(item, context, scale) {
    const { x, y } = this.net.body.nodes[item.id];
    const { width, height } = this.text(item, context, scale);
    return around(x, y, width, height);
  }

  // What a card says at a scale, in lines, with the sizes of text and card in the graph.
  text(item, context, scale) {
    const base = item.font?.size ?? NODE_TEXT.base;
    const steps = Math.max(0.02, Math.floor(scale * 100) / 100); // few sizes, so that most are known
    const size = Math.max(base, (this.labels.large * CARD_LEAST) / steps);
    const key = `${item.shape}|${item.card}|${size}|${item.id}|${item.label}`;
    if (!this.known.has(key)) {
      if (this.known.size > 5000) this.known.clear();
      this.known.set(key, this.write(item, context, size));
    }
    return this.known.get(key);
  }

  write(item, context, size) {
    const [most, high] = item.card;
    const isRound = item.shape === "ellipse";
    context.font = `100px ${this.labels.theme.face}`;
    const width = (text) => context.measureText(text).width / 100;
    const room = ((isRound ? 0.84 : 1) * (most - 2 * CARD_PAD)) / size;
    const n = Math.floor(((isRound ? 0.9 : 1) * high - CARD_PAD) / (CARD_LINE * size));
    const lines = said(item, n, { room, width });
    const textWidth = Math.max(0, ...lines.map(width)) * size + 2 * CARD_PAD;
    const textHeight = lines.length * CARD_LINE * size + CARD_PAD;
    const grown = isRound ? { width: 1.19 * textWidth, height: 1.25 * textHeight } : null;
    return {
      lines,
      size,
      width: Math.min(most, Math.max(grown?.width ?? textWidth, lines.length ? 0 : most / 2)),
      height: Math.min(high, Math.max(grown?.height ?? textHeight, lines.length ? 0 : high / 3)),
    };
  }
}

// The lines of a card with room for n of them: all, else the most telling.
function said(item, n, { room, width }) {
  const parts = item.label.split("\n");
  const whole = parts.flatMap((part) => wrap(part, width, { most: room, limit: 9 }));
  if (whole.length <= n && whole.every((line) => width(line) <= room)) return whole;
  if (n < 1) return [];
  const [head, ...rest] = parts;
  const tail = VALUE.test(rest.at(-1) ?? "") ? rest.pop() : "";
  const value = tail.match(MARK_OR_VALUE)?.[0] ?? "";
  const number = /^#\d+/.test(head) ? head.match(/^#\d+/)[0] : "";
  const fits = (...texts) => texts.find((text) => text && width(text) <= room);
  if (n === 1) return [fits(`${number} ${tail}`.trim(), tail, value, number)].filter(Boolean);
  const about = rest.join(" ") || (number ? head.slice(number.length).trim() : "");
  const first = fits(`${head} ${tail}`.trim(), `${number} ${tail}`.trim(), tail, value, number);
  const isHeadTold = first?.startsWith(head);
  if (n > 2 && rest.length && !isHeadTold) {
    return [cut(head, room, width), ...filled(about, n - 2, { room, width }), first];
  }
  const shown = isHeadTold && !rest.length ? [] : filled(about, n - 1, { room, width });
  return [first, ...shown].filter(Boolean);
}

// The start of a text in at most n lines.
function filled(text, n, { room, width }) {
  const lines = wrap(text, width, { most: room, limit: Infinity });
  if (lines.length <= n) return lines;
  return [...lines.slice(0, n - 1), cut(lines.slice(n - 1).join(" "), room, width)];
}

function cut(text, room, width) {
  if (width(text) <= room) return text;
  const letters = [...text];
  while (letters.length && width(`${letters.join("").trimEnd()}…`) > room) letters.pop();
  return letters.length > 1 ? `${letters.join("").trimEnd()}…` : "";
}
