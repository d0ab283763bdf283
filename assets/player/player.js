// Plays a deck: one slide for each moment of a run, both drawings and a caption in large type.
//
// A deck (see kgcore/views/deck.py) holds for each slide only what differs from the one before; `states`
// rebuilds the full state of every slide once, sharing what stays. Drawing is left to `Graph`, which diffs
// again for vis-network. All text enters the page as text. Playing stops at slides marked `stop`.

const MARKS = { start: "◆", graph: "◉", think: "→", score: "≈", back: "↩", error: "✗", human: "✎", answer: "★", end: "★" };
const ROLE = {
  start: "@text", graph: "@selected", think: "@muted", score: "@heat4", back: "@backtrack",
  error: "@rejected", human: "@corrected", answer: "@answer", end: "@answer",
};
const SHOWN_MARKS = new Set(["back", "error", "human", "answer", "end"]);
const SPEEDS = [0.5, 1, 1.5, 2, 4];
const MOST = 1.6; // a small graph is drawn so much larger: people sit far away
const LARGE = 1.2; // as is the smallest text of the drawings
const LEAST = 0.25; // the whole graph is seen down to this scale: its lists and menus are not at hand here
const STRETCH = 2.4; // at most so much wider or higher than planned, to fill its pane
const ROUND = [160, 90]; // what stands round the places of nodes, in the graph
const FREE = [76, 56]; // pixels of a pane that stay free

const textOf = (deck, number) => (number < 0 ? undefined : deck.texts[number]);

// A style with its colour roles replaced by colours.
function painted(value, colors) {
  if (typeof value === "string") return value.startsWith("@") ? (colors[value] ?? value) : value;
  if (Array.isArray(value)) return value.map((part) => painted(part, colors));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, painted(part, colors)]));
}

// Nodes and edges of every slide, as items of the deck by id.
function states(deck, pane) {
  const nodes = new Map();
  const edges = new Map();
  return deck.slides.map((slide) => {
    const change = slide[pane];
    for (const id of change.gone ?? []) nodes.delete(id) || edges.delete(id);
    for (const item of change.nodes ?? []) nodes.set(item[0], item);
    for (const item of change.edges ?? []) edges.set(item[0], item);
    return { nodes: [...nodes.values()], edges: [...edges.values()], focus: change.focus };
  });
}

// Factors by which a drawing's places are spread, so that names find room all over a pane of this size.
function spread(states, { clientWidth, clientHeight }) {
  const places = states.flatMap(({ nodes }) => nodes.map(([, ...rest]) => rest));
  if (!places.length || clientWidth <= FREE[0] || clientHeight <= FREE[1]) return [1, 1];
  const [width, height] = [0, 1].map((axis) => {
    const values = places.map((place) => place[axis]);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b)) + ROUND[axis];
  });
  const wanted = ((clientHeight - FREE[1]) / (clientWidth - FREE[0])) * (width / height);
  const factor = (value) => Math.round(20 * Math.min(STRETCH, Math.max(1, value))) / 20;
  return [factor(1 / wanted), factor(wanted)];
}

class Player {
  constructor(root, deck, palettes, options = {}) {
    Object.assign(this, { root, deck, palettes, now: 0, speed: 1, timer: null, isPlaying: false });
    this.key = options.key ?? "play";
    this.theme = options.theme ?? Object.keys(palettes)[0];
    this.words = WORDS[deck.language] ?? WORDS.en;
    this.states = { kg: states(deck, "kg"), tree: states(deck, "tree") };
    this.graphs = {};
    this.listeners = new AbortController();
    this.find("[data-do=theme]").hidden = Object.keys(palettes).length < 2;
    this.build();
    this.listen(options.keysFrom ?? document);
    const start = Number(options.start ?? 0);
    this.now = Math.min(Math.max(0, start | 0), deck.slides.length - 1);
    this.dress();
    (globalThis.__players ??= {})[this.key] = this; // a handle for tests
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  make(tag, text, className) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  }

  // ---- parts that stay --------------------------------------------------------------------

  build() {
    const { deck, words } = this;
    this.root.lang = deck.language;
    this.find(".pl-question").textContent = deck.question;
    this.find(".pl-facts").textContent = deck.facts.join(" · ");
    this.find(".pl-line").setAttribute("aria-label", words.at);
    this.find(".pl-line").setAttribute("aria-valuemax", deck.slides.length);
    this.find(".pl-keys").textContent = words.keys;
    for (const button of this.root.querySelectorAll("[data-do]")) {
      const name = words[button.dataset.do];
      const label = button.querySelector("span");
      if (label) label.textContent = name;
      button.title = name;
      button.setAttribute("aria-label", name);
    }
    for (const button of this.root.querySelectorAll("[data-act]")) {
      button.title = words[button.dataset.act];
      button.setAttribute("aria-label", button.title);
    }
    for (const group of this.root.querySelectorAll(".kg-tools")) group.setAttribute("aria-label", words.view);
    this.find(".pl-speed span").textContent = words.speed;
    const select = this.find(".pl-speed select");
    select.replaceChildren(
      ...SPEEDS.map((speed) => {
        const option = this.make("option", `${speed}×`);
        option.value = speed;
        option.selected = speed === 1;
        return option;
      }),
    );
    this.buildScript();
    this.buildTicks();
  }

  buildTicks() {
    const last = Math.max(1, this.deck.slides.length - 1);
    this.ticks = this.deck.slides.map((slide, i) => {
      const tick = this.make("span", undefined, "pl-tick");
      tick.style.left = `${1 + (98 * i) / last}%`;
      if (SHOWN_MARKS.has(slide.kind)) {
        tick.classList.add("is-tall");
        tick.append(this.make("b", MARKS[slide.kind]));
      }
      return tick;
    });
    this.find(".pl-line").replaceChildren(...this.ticks);
  }

  buildScript() {
    this.lines = this.deck.slides.map((slide, i) => {
      const button = this.make("button", `${i + 1}. ${slide.text}`);
      button.type = "button";
      if (slide.detail) button.append(this.make("small", slide.detail));
      button.addEventListener("click", () => this.go(i), { signal: this.listeners.signal });
      return button;
    });
    const items = this.lines.map((button) => {
      const item = this.make("li");
      item.append(button);
      return item;
    });
    this.find(".pl-script").replaceChildren(...items);
  }

  legend() {
    const { words, deck } = this;
    const colors = this.colors;
    const line = (pane, title, items) => {
      const parts = items.map(([mark, role, name]) => {
        const part = this.make("span");
        const sign = this.make("i", mark);
        sign.style.color = colors[role] ?? role;
        part.append(sign, this.make("bdi", name));
        return part;
      });
      this.find(`[data-pane=${pane}] figcaption`).replaceChildren(this.make("strong", title), ...parts);
    };
    const graphs = deck.graphs.map(([name, role]) => ["●", role, name]);
    line("kg", words.kg, [
      ...graphs,
      ["◆", "@text", words.question],
      ["★", "@answer", words.answer],
      ...(deck.isCorrected ? [["✓", "@corrected", words.corrected]] : []),
      ...(deck.hasWrong ? [["✗", "@rejected", words.wrong]] : []),
    ]);
    const turned = deck.slides.some((slide) => slide.kind === "back");
    line("tree", deck.isBeam ? words.beam : words.tree, [
      ["▮", "@heat4", `${words.value} 0…1`],
      ...(turned ? [["↩", "@backtrack", words.turned]] : []),
      ["★", "@answer", words.answer],
    ]);
  }

  // ---- colours ----------------------------------------------------------------------------

  get colors() {
    return this.palettes[this.theme];
  }

  dress() {
    const { style } = this.root;
    for (const [token, color] of Object.entries(this.colors)) style.setProperty(`--pl-${token.slice(1)}`, color);
    const names = { text: "text", background: "background", "secondary-background": "surface", primary: "selected" };
    for (const [name, role] of Object.entries(names)) style.setProperty(`--st-${name}-color`, this.colors[`@${role}`]);
    style.setProperty("--st-border-color", this.colors["@line"]);
    this.styles = this.deck.styles.map((one) => painted(one, this.colors));
    this.legend();
    this.ticks.forEach((tick, i) =>
      tick.style.setProperty("--pl-kind", this.colors[ROLE[this.deck.slides[i].kind]]),
    );
    this.show();
  }

  // ---- one slide --------------------------------------------------------------------------

  data(pane) {
    const { deck, styles } = this;
    const state = this.states[pane][this.now];
    const frame = this.find(`[data-pane=${pane}] .kg-frame`);
    const [wide, high] = pane === "kg" ? spread(this.states.kg, frame) : [1, 1];
    const told = ([id, , , style, label, title]) => ({
      ...styles[style],
      id: deck.texts[id],
      ...(label < 0 ? {} : { label: textOf(deck, label) }),
      ...(title < 0 ? {} : { title: textOf(deck, title) }),
    });
    return {
      key: `${this.key}-${pane}`,
      height: frame.clientHeight,
      nodes: state.nodes.map((item) => ({ ...told(item), x: wide * item[1], y: high * item[2] })),
      edges: state.edges.map((item) => ({ ...told(item), from: deck.texts[item[1]], to: deck.texts[item[2]] })),
      options: painted(deck.options[pane], this.colors),
      select: [],
      most: MOST,
      large: LARGE,
      least: LEAST,
      focus: state.focus < 0 ? null : deck.texts[state.focus],
      empty: pane === "kg" ? this.words.emptyKg : this.words.emptyTree,
    };
  }

  draw() {
    for (const pane of ["kg", "tree"]) {
      const frame = this.find(`[data-pane=${pane}] .kg-frame`);
      const data = this.data(pane);
      this.graphs[pane] ??= new Graph(frame, data);
      this.graphs[pane].update(data, () => {});
      frame.style.height = ""; // the layout of the page says how high it is
      // Arrow keys turn slides here, wherever the focus is.
      const label = `${this.words[pane]}: ${data.nodes.length} / ${data.edges.length}`;
      frame.querySelector(".vis-network").setAttribute("aria-label", label);
    }
  }

  show() {
    const { deck, now } = this;
    const slide = deck.slides[now];
    const { style } = this.find(".pl-caption");
    style.setProperty("--pl-kind", this.colors[ROLE[slide.kind]]);
    this.find(".pl-mark").textContent = MARKS[slide.kind];
    this.find(".pl-text").textContent = slide.text;
    this.find(".pl-detail").textContent = slide.detail;
    this.find(".pl-count").textContent = this.words.count(slide, now + 1, deck.slides.length, deck.isOffline);
    const line = this.find(".pl-line");
    line.setAttribute("aria-valuenow", now + 1);
    line.setAttribute("aria-valuetext", slide.text);
    this.ticks.forEach((tick, i) => {
      tick.classList.toggle("is-now", i === now);
      tick.classList.toggle("is-later", i > now);
    });
    this.lines.forEach((button, i) => button.setAttribute("aria-current", String(i === now)));
    const script = this.find(".pl-script");
    if (!script.hidden) {
      const { offsetTop, offsetHeight } = this.lines[now];
      script.scrollTop = offsetTop - script.offsetTop - (script.clientHeight - offsetHeight) / 2;
    }
    this.draw();
  }

  // ---- moving -----------------------------------------------------------------------------

  go(to) {
    this.pause();
    this.turn(to);
  }

  turn(to) {
    const wanted = Math.max(0, Math.min(this.deck.slides.length - 1, to));
    if (wanted === this.now) return;
    this.now = wanted;
    this.show();
  }

  play() {
    if (this.now === this.deck.slides.length - 1) this.turn(0);
    this.isPlaying = true;
    this.showPlaying();
    this.wait();
  }

  pause() {
    clearTimeout(this.timer);
    this.isPlaying = false;
    this.showPlaying();
  }

  wait() {
    clearTimeout(this.timer);
    const time = readingTime(this.deck.slides[this.now]) / this.speed;
    this.timer = setTimeout(() => this.tick(), time);
  }

  tick() {
    this.turn(this.now + 1);
    if (this.deck.slides[this.now].stop || this.now === this.deck.slides.length - 1) this.pause();
    else this.wait();
  }

  showPlaying() {
    const button = this.find(".pl-play");
    const name = this.isPlaying ? this.words.pause : this.words.play;
    button.setAttribute("aria-pressed", String(this.isPlaying));
    button.setAttribute("aria-label", name);
    button.title = name;
    button.querySelector("span").textContent = name;
  }

  // ---- what the person does ---------------------------------------------------------------

  listen(keysFrom) {
    const { signal } = this.listeners;
    const actions = {
      first: () => this.go(0),
      back: () => this.go(this.now - 1),
      play: () => (this.isPlaying ? this.pause() : this.play()),
      next: () => this.go(this.now + 1),
      last: () => this.go(this.deck.slides.length - 1),
      script: () => this.toggleScript(),
      theme: () => this.toggleTheme(),
      full: () => this.toggleFull(),
    };
    for (const button of this.root.querySelectorAll("[data-do]"))
      button.addEventListener("click", actions[button.dataset.do], { signal });
    this.find(".pl-speed select").addEventListener(
      "change",
      (event) => {
        this.speed = Number(event.target.value);
        if (this.isPlaying) this.wait();
      },
      { signal },
    );
    // Captured: a clicker works wherever the focus is, except in a field.
    keysFrom.addEventListener("keydown", (event) => this.onKey(event, actions), { signal, capture: true });
    const line = this.find(".pl-line");
    const seek = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const { left, width } = line.getBoundingClientRect();
      const part = ((event.clientX - left) / width - 0.01) / 0.98;
      this.go(Math.round(part * (this.deck.slides.length - 1)));
    };
    line.addEventListener("pointerdown", seek, { signal });
    line.addEventListener("pointermove", seek, { signal });
    const size = new ResizeObserver(() => this.draw());
    size.observe(this.find(".pl-panes"));
    signal.addEventListener("abort", () => size.disconnect());
    this.showPlaying();
  }

  onKey(event, actions) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat && event.key === " ") return;
    const target = event.composedPath()[0];
    const isField = target?.matches?.("input, textarea, select, [contenteditable=true]");
    const isButton = target?.matches?.("button, a");
    if (isField || (isButton && [" ", "Enter"].includes(event.key))) return;
    const keys = {
      ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back",
      Home: "first", End: "last", " ": "play", f: "full", F: "full", t: "script", T: "script",
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    actions[action]();
  }

  toggleScript() {
    const script = this.find(".pl-script");
    script.hidden = !script.hidden;
    this.find("[data-do=script]").setAttribute("aria-pressed", String(!script.hidden));
    this.show();
  }

  toggleTheme() {
    const names = Object.keys(this.palettes);
    this.theme = names[(names.indexOf(this.theme) + 1) % names.length];
    this.dress();
  }

  toggleFull() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.();
  }

  destroy() {
    this.pause();
    this.listeners.abort();
    Object.values(this.graphs).forEach((graph) => graph.destroy());
    if (globalThis.__players?.[this.key] === this) delete globalThis.__players[this.key];
  }
}
