// The timeline of a run: a slider with one tick per journal entry.
//
// Python sends everything on every run of the page; here it is only drawn. A moment n is the state
// after n entries, and the last one is "now": there the live end is followed. While a person drags,
// the handle goes where the pointer is and Python is told at most every SEEK_MS; the handle is
// Python's again when it has answered the last of these.
//
// A long run has several entries a pixel. What a person looks for still has a mark: a click on a mark
// takes its very moment, and Shift with an arrow key goes from mark to mark.

const timelines = (globalThis.__tl ??= {}); // live timelines by key: a handle for tests
const SEEK_MS = 100;
const ANSWER_MS = 4000; // without an answer for so long, the seek is lost
const PAD = 7;
const MARKS = 13; // height of the row of marks
const FOOT = 4;
const WIDEST = 13;
const THINNEST = 3; // pixels of a tick with its gap; more entries than that share ticks
const APART = 10; // pixels between marks
const NEAR = 7; // pixels from a mark that still mean it
const FIRST = "ahxbe"; // of marks that would overlap the first is drawn
const SHOWN = "ahxbgmnqef"; // of entries that share a tick the first gives its look

const SHAPES = {
  star(c, x, y, r) {
    for (let i = 0; i < 10; i++) {
      const far = i % 2 ? r * 0.45 : r;
      const turn = (Math.PI / 5) * i - Math.PI / 2;
      c.lineTo(x + far * Math.cos(turn), y + far * Math.sin(turn));
    }
  },
  diamond(c, x, y, r) {
    c.moveTo(x, y - r);
    c.lineTo(x + r * 0.8, y);
    c.lineTo(x, y + r);
    c.lineTo(x - r * 0.8, y);
  },
  triangle(c, x, y, r) {
    c.moveTo(x - r, y);
    c.lineTo(x + r * 0.7, y - r * 0.85);
    c.lineTo(x + r * 0.7, y + r * 0.85);
  },
  square(c, x, y, r) {
    c.rect(x - r * 0.7, y - r * 0.7, r * 1.4, r * 1.4);
  },
};

class Timeline {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector("canvas");
    this.tip = root.querySelector(".tl-tip");
    this.local = undefined; // the moment the person has moved to and Python has not answered yet
    this.marks = []; // of those that are drawn: where, and the moment
    this.sentAt = -Infinity;
    this.k = Date.now();
    this.listeners = new AbortController();
    const on = (name, act) =>
      root.addEventListener(name, (event) => act.call(this, event), {
        signal: this.listeners.signal,
      });
    on("pointerdown", this.onDown);
    on("pointermove", this.onMove);
    on("pointerup", this.onUp);
    on("pointercancel", this.onUp);
    on("pointerleave", this.hideTip);
    on("keydown", this.onKey);
    this.size = new ResizeObserver(() => this.draw());
    this.size.observe(root);
  }

  update(data, send) {
    this.send = send;
    this.data = data;
    timelines[data.key] = this;
    const isAnswered = data.echo === this.k || performance.now() - this.sentAt > ANSWER_MS;
    if (!this.isDragging && !this.timer && isAnswered) this.local = undefined;
    this.root.setAttribute("aria-label", data.texts.label);
    this.draw();
  }

  get n() {
    return this.data.kinds.length;
  }

  // The moment shown; null is now.
  get at() {
    return this.local === undefined ? this.data.at : this.local;
  }

  get moment() {
    return this.at ?? this.n;
  }

  // ---- moving -----------------------------------------------------------------------------

  seek(moment) {
    const n = Math.max(1, Math.min(this.n, moment));
    const at = n >= this.n ? null : n;
    if (at === this.at) return;
    this.local = at;
    this.draw();
    const wait = this.sentAt + SEEK_MS - performance.now();
    if (wait <= 0) this.tell();
    else this.timer ??= setTimeout(() => this.tell(), wait);
  }

  tell() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.root.isConnected || this.local === undefined) return;
    this.sentAt = performance.now();
    this.send("seek", { at: this.local, k: ++this.k });
  }

  onDown(event) {
    if (event.button !== 0 || !this.data) return;
    this.root.setPointerCapture(event.pointerId);
    this.seek(this.momentAt(event));
    this.isDragging = true;
  }

  onMove(event) {
    if (!this.data) return;
    if (this.isDragging) this.seek(this.momentAt(event));
    this.showTip(this.momentAt(event));
  }

  onUp() {
    this.isDragging = false;
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.data) return;
    const steps = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
    };
    if (event.shiftKey && event.key.startsWith("Arrow"))
      this.seek(this.markBeside(Math.sign(steps[event.key])));
    else if (event.key in steps) this.seek(this.moment + steps[event.key]);
    else if (event.key === "Home") this.seek(1);
    else if (event.key === "End") this.seek(this.n);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  momentAt(event) {
    const box = this.root.getBoundingClientRect();
    const x = event.clientX - box.left - PAD;
    const mark = this.isDragging || event.clientY - box.top > MARKS + 2 ? null : this.markNear(x);
    if (mark) return mark.moment;
    return Math.max(1, Math.min(this.n, Math.ceil(x / this.slot)));
  }

  markNear(x) {
    const away = (mark) => Math.abs(mark.x - PAD - x);
    const [mark] = this.marks.toSorted((a, b) => away(a) - away(b));
    return mark && away(mark) <= NEAR ? mark : null;
  }

  // The moment of the next mark before (-1) or after (1) the one that is shown; where there is none
  // the first or the last moment.
  markBeside(way) {
    let n = this.moment + way;
    while (n > 1 && n < this.n && !FIRST.includes(this.data.kinds[n - 1])) n += way;
    return n;
  }

  // Width of one entry.
  get slot() {
    return Math.min(WIDEST, (this.root.clientWidth - 2 * PAD) / Math.max(1, this.n));
  }

  // ---- drawing ----------------------------------------------------------------------------

  draw() {
    if (!this.data || !this.root.clientWidth) return;
    this.speak();
    const { clientWidth: width, clientHeight: height } = this.root;
    const ratio = globalThis.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = width * ratio;
    if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = height * ratio;
    const c = this.canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    this.drawTicks(c, height - FOOT);
    this.drawMarks(c);
    this.drawHandle(c, height);
  }

  drawTicks(c, foot) {
    const { kinds, looks, colors } = this.data;
    const room = foot - MARKS - 1;
    c.fillStyle = colors.dimmed;
    c.fillRect(PAD, foot, this.n * this.slot, 1);
    const each = Math.max(1, Math.ceil(THINNEST / this.slot)); // entries that share a tick
    const wide = each * this.slot;
    for (let first = 0; first < this.n; first += each) {
      const kind = strongest(kinds.slice(first, first + each), SHOWN);
      const { color, height } = looks[kind];
      c.globalAlpha = first < this.moment ? 1 : 0.3;
      c.fillStyle = color;
      const gap = wide > 4 ? Math.min(3, wide * 0.3) : 1;
      c.fillRect(PAD + first * this.slot, foot - height * room, wide - gap, height * room);
    }
    c.globalAlpha = 1;
  }

  drawMarks(c) {
    const { kinds, looks } = this.data;
    this.marks = [];
    for (const kind of FIRST) {
      const { color, shape } = looks[kind];
      for (let i = kinds.indexOf(kind); i >= 0; i = kinds.indexOf(kind, i + 1)) {
        const x = PAD + (i + 0.5) * this.slot - 0.5;
        if (this.marks.some((other) => Math.abs(other.x - x) < APART)) continue;
        this.marks.push({ x, moment: i + 1 });
        c.globalAlpha = i < this.moment ? 1 : 0.45;
        this.drawMark(c, shape, color, x);
      }
    }
    c.globalAlpha = 1;
  }

  drawMark(c, shape, color, x) {
    const y = MARKS / 2;
    c.beginPath();
    if (shape === "cross") {
      c.strokeStyle = color;
      c.lineWidth = 2;
      for (const side of [-1, 1]) {
        c.moveTo(x - 3.5 * side, y - 3.5);
        c.lineTo(x + 3.5 * side, y + 3.5);
      }
      c.stroke();
      return;
    }
    c.fillStyle = color;
    SHAPES[shape](c, x, y, 5.5);
    c.closePath();
    c.fill();
  }

  drawHandle(c, height) {
    const { colors } = this.data;
    const x = Math.round(PAD + this.moment * this.slot) + 0.5;
    c.strokeStyle = c.fillStyle = colors.selected;
    c.lineWidth = this.at === null ? 1.5 : 2.5;
    c.beginPath();
    c.moveTo(x, 3);
    c.lineTo(x, height - 1);
    c.stroke();
    c.beginPath();
    c.arc(x, height - 4.5, 4, 0, 2 * Math.PI);
    if (this.at === null) {
      c.fillStyle = colors.background;
      c.fill();
      c.stroke();
    } else c.fill();
  }

  // ---- words ------------------------------------------------------------------------------

  words(moment) {
    const { kinds, looks, texts } = this.data;
    const where = texts.moment.replace("{i}", moment).replace("{n}", this.n);
    return `${where} – ${looks[kinds[moment - 1]]?.name ?? ""}`;
  }

  speak() {
    const { root, data, n } = this;
    root.setAttribute("aria-valuemin", 1);
    root.setAttribute("aria-valuemax", Math.max(1, n));
    root.setAttribute("aria-valuenow", this.moment);
    const isKnown = this.local === undefined && data.said;
    const words = this.at === null ? data.texts.now.replace("{n}", n) : this.words(this.moment);
    root.setAttribute("aria-valuetext", isKnown ? `${words}: ${data.said}` : words);
  }

  showTip(moment) {
    if (!this.n) return;
    const x = PAD + moment * this.slot;
    this.tip.textContent = this.words(moment);
    this.tip.hidden = false;
    const most = this.root.clientWidth - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(most, x - this.tip.offsetWidth / 2))}px`;
  }

  hideTip() {
    this.tip.hidden = true;
  }

  destroy() {
    clearTimeout(this.timer);
    this.listeners.abort();
    this.size.disconnect();
    if (timelines[this.data?.key] === this) delete timelines[this.data.key];
  }
}

function strongest(kinds, order) {
  if (kinds.length === 1) return kinds;
  for (const kind of order) if (kinds.includes(kind)) return kind;
  return kinds[0];
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".tl");
  root.kgTimeline ??= new Timeline(root);
  root.kgTimeline.update(data, setTriggerValue);
  // The clean-up of a run that was merely followed by another one leaves everything as it is.
  return () =>
    setTimeout(() => {
      if (root.isConnected || !root.kgTimeline) return;
      root.kgTimeline.destroy();
      delete root.kgTimeline;
    }, 0);
}
