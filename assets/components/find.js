// Finds a node of the drawing by its name: suggestions while typing. The arrows go from hit to hit, Enter
// picks one and closes the list; pressed again it picks the next one.
//
// What is drawn is searched here. Where more is known than is drawn (`data.finding.hidden`), Python is
// asked for the rest; a hit that is not drawn is opened there first, and shown when it has come.

const SUGGESTIONS = 7;
const ASK_MS = 250; // after the last letter

// Without case and accents, so that "lea" finds "Léa".
const plainText = (text) =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

class Find {
  constructor(graph, tools) {
    this.graph = graph;
    this.tools = tools;
    const { frame, listeners } = graph;
    this.box = frame.querySelector(".kg-find");
    this.input = this.box.querySelector("input");
    this.list = this.box.querySelector("ul");
    this.count = this.box.querySelector("output");
    this.button = frame.querySelector('[data-tool="find"]');
    this.hits = [];
    this.at = -1;
    this.wanted = null; // a node that was asked for and is not drawn yet
    this.isPicked = false; // whether that one is to be picked when it comes
    const { signal } = listeners;
    const leave = (path) => {
      if (this.isOpen && !path.includes(this.box) && !path.includes(this.button)) this.showList([]);
    };
    addEventListener("pointerdown", (event) => leave(event.composedPath()), { signal, capture: true });
    this.box.addEventListener(
      "focusout",
      ({ relatedTarget: to }) => to && !this.box.contains(to) && leave([to]),
      { signal },
    );
    this.input.addEventListener("focus", () => this.at < 0 && this.collect(), { signal });
    this.input.addEventListener("input", () => this.search(), { signal });
    this.input.addEventListener("keydown", (event) => this.onKey(event), { signal });
  }

  get isOpen() {
    return !this.box.hidden;
  }

  open() {
    this.box.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.input.focus();
    this.input.select();
  }

  close() {
    clearTimeout(this.timer);
    this.box.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.showList([]);
    this.tools.cursor.drawing.focus({ preventScroll: true });
    this.graph.net.redraw();
  }

  search() {
    clearTimeout(this.timer);
    this.wanted = null;
    this.at = -1;
    this.collect();
    const isMore = this.graph.data.finding?.hidden > 0;
    if (isMore && this.text && !this.isAnswered) this.timer = setTimeout(() => this.ask(), ASK_MS);
  }

  ask() {
    this.graph.emit({ type: "find", id: null, text: this.input.value });
  }

  get text() {
    return plainText(this.input.value);
  }

  // Whether it is known what of all that is not drawn has this name.
  get isAnswered() {
    const { finding } = this.graph.data;
    return !finding?.hidden || plainText(finding.text ?? "") === this.text;
  }

  // What is drawn and has the name, and then what is not drawn.
  collect() {
    const wanted = this.text;
    const found = [];
    for (const { id, label = "" } of wanted ? this.graph.labels.nodes.values() : []) {
      const at = plainText(label).indexOf(wanted);
      if (at >= 0) found.push({ id, label, at });
    }
    found.sort((a, b) => a.at - b.at || a.label.localeCompare(b.label));
    const more = wanted && this.isAnswered ? (this.graph.data.finding?.hits ?? []) : [];
    const beyond = more.filter(([id]) => !this.graph.goals.has(id));
    this.hits = [...found, ...beyond.map(([id, label]) => ({ id, label, isHidden: true }))];
    const room = beyond.length ? SUGGESTIONS - Math.min(beyond.length, 3) : SUGGESTIONS;
    const drawn = this.hits.slice(0, Math.min(found.length, room));
    this.showList([...drawn, ...this.hits.slice(found.length)].slice(0, SUGGESTIONS));
    this.showCount(wanted);
  }

  // Python has drawn anew: it may have answered, and what was asked for may have come.
  update() {
    if (!this.isOpen) return;
    const { wanted } = this;
    if (wanted !== null && this.graph.goals.has(wanted)) {
      this.wanted = null;
      this.collect();
      this.goTo(this.hits.findIndex((hit) => hit.id === wanted));
      if (this.isPicked) this.pick();
    } else if (this.text && this.at < 0 && this.hasFocus) this.collect();
  }

  get hasFocus() {
    return this.box.getRootNode().activeElement === this.input;
  }

  showCount(wanted) {
    const n = this.hits.length;
    const text = this.at < 0 ? String(n) : `${this.at + 1}/${n}`;
    const isKnown = this.isAnswered;
    const { nowhere } = this.graph.data;
    const nothing = isKnown ? (nowhere ? "0" : word("nothing")) : "…";
    this.count.textContent = !wanted ? "" : n ? text : nothing;
    if (wanted && !n && isKnown && nowhere) this.note(nowhere);
  }

  // A line in the place of hits.
  note(nothing) {
    this.list.replaceChildren(made("li", nothing, { class: "is-note", role: "presentation" }));
    this.list.hidden = false;
    this.tools.say(nothing);
  }

  showList(hits) {
    const options = hits.map(({ id, label, isHidden }, i) => {
      const option = made("li", "", { role: "option", id: `kg-hit-${i}`, "aria-selected": "false" });
      option.append(made("bdi", label.replace(/\s+/g, " ")));
      if (isHidden) option.append(made("small", this.graph.data.finding?.mark ?? ""));
      option.dataset.hit = id;
      option.addEventListener("pointerdown", (event) => {
        event.preventDefault(); // the field keeps the focus
        this.take(this.hits.findIndex((hit) => hit.id === id));
      });
      return option;
    });
    this.list.replaceChildren(...options);
    this.list.hidden = !options.length;
    this.input.setAttribute("aria-expanded", String(options.length > 0));
    this.input.removeAttribute("aria-activedescendant");
  }

  goTo(at) {
    const n = this.hits.length;
    if (!n) return;
    this.at = (at + n) % n;
    const { id, isHidden } = this.hits[this.at];
    this.mark(id);
    if (isHidden && !this.graph.goals.has(id)) {
      this.wanted = id;
      this.graph.emit({ type: "reveal", id });
      return this.showCount(true);
    }
    if (!this.graph.goals.has(id)) return this.search();
    this.tools.cursor.goTo(id, { isShown: true });
    this.graph.camera.centre(id);
    this.showCount(true);
  }

  // Goes to a hit and picks it, now or when it has come.
  take(at) {
    if (!this.hits.length) return;
    this.goTo(at);
    this.isPicked = true;
    if (this.wanted === null) this.pick();
    else this.showList([]);
  }

  pick() {
    this.isPicked = false;
    this.showList([]);
    this.tools.cursor.pick();
  }

  // To the next or the previous hit, which are listed again where the list was closed.
  step(by) {
    const { at } = this;
    if (this.list.hidden) this.collect();
    this.isPicked = false;
    this.goTo(at + by);
  }

  mark(id) {
    this.input.removeAttribute("aria-activedescendant");
    for (const option of this.list.children) {
      const isAt = option.dataset.hit === String(id);
      option.setAttribute("aria-selected", String(isAt));
      if (isAt) this.input.setAttribute("aria-activedescendant", option.id);
    }
  }

  // Picks the hit that is marked; the next one where that was done already.
  enter(by) {
    const isMarked = this.at >= 0 && !this.list.hidden;
    this.take(isMarked ? this.at : this.at + by);
  }

  onKey(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter") this.enter(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") this.step(1);
    else if (event.key === "ArrowUp") this.step(-1);
    else return event.stopPropagation(); // letters are no shortcuts of the page
    event.preventDefault();
    event.stopPropagation();
  }
}
