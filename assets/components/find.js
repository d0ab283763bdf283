// Finds a node of the drawing by its name: suggestions while typing, Enter goes from hit to hit.

const SUGGESTIONS = 7;

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
    const { signal } = listeners;
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
    this.box.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.showList([]);
    this.tools.cursor.drawing.focus({ preventScroll: true });
    this.graph.net.redraw();
  }

  search() {
    const wanted = plainText(this.input.value);
    const found = [];
    for (const { id, label = "" } of wanted ? this.graph.labels.nodes.values() : []) {
      const at = plainText(label).indexOf(wanted);
      if (at >= 0) found.push({ id, label, at });
    }
    found.sort((a, b) => a.at - b.at || a.label.localeCompare(b.label));
    this.hits = found;
    this.at = -1;
    this.showList(found.slice(0, SUGGESTIONS));
    this.showCount(wanted);
  }

  showCount(wanted) {
    const n = this.hits.length;
    const text = this.at < 0 ? String(n) : `${this.at + 1}/${n}`;
    this.count.textContent = !wanted ? "" : n ? text : word("nothing");
  }

  showList(hits) {
    const options = hits.map(({ id, label }, i) => {
      const option = made("li", "", { role: "option", id: `kg-hit-${i}`, "aria-selected": "false" });
      option.append(made("bdi", label.replace(/\s+/g, " ")));
      option.addEventListener("pointerdown", (event) => {
        event.preventDefault(); // the field keeps the focus
        this.goTo(this.hits.findIndex((hit) => hit.id === id));
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
    const { id } = this.hits[this.at];
    if (!this.graph.goals.has(id)) return this.search();
    this.tools.cursor.goTo(id, { isShown: true });
    this.graph.camera.centre(id);
    this.showCount(true);
    for (const [i, option] of [...this.list.children].entries())
      option.setAttribute("aria-selected", String(i === this.at));
    if (this.at < this.list.children.length)
      this.input.setAttribute("aria-activedescendant", `kg-hit-${this.at}`);
  }

  onKey(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter") this.goTo(this.at + (event.shiftKey ? -1 : 1));
    else if (event.key === "ArrowDown") this.goTo(this.at + 1);
    else if (event.key === "ArrowUp") this.goTo(this.at - 1);
    else return event.stopPropagation(); // letters are no shortcuts of the page
    event.preventDefault();
    event.stopPropagation();
  }
}
