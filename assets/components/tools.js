// What a person does with a graph beside looking at it: its keyboard, menus, search and pictures.

class Tools {
  constructor(graph) {
    this.graph = graph;
    const { frame, listeners } = graph;
    this.live = frame.querySelector(".kg-live");
    this.moved = new Moved(graph);
    this.picking = new Picking(graph, this);
    this.cursor = new Cursor(graph, this);
    this.menu = new Menu(graph, this);
    this.find = new Find(graph, this);
    const actions = {
      find: () => (this.find.isOpen ? this.find.close() : this.find.open()),
      area: () => (this.picking.area.hidden ? this.picking.start() : this.picking.drop()),
      undo: () => this.undo(),
      menu: () => this.menu.toggle(),
      centre: () => graph.camera.centre(this.centre),
    };
    const { signal } = listeners;
    for (const [name, run] of Object.entries(actions))
      this.button(name).addEventListener("click", run, { signal });
    addEventListener("kg-words", () => this.update(graph.data), { signal });
    graph.tools = this;
    graph.onUpdate = (data) => this.update(data);
  }

  button(name) {
    return this.graph.frame.querySelector(`[data-tool="${name}"]`);
  }

  press(name, isPressed) {
    this.button(name).setAttribute("aria-pressed", String(isPressed));
  }

  // What "centre" means: what is selected, else what the run is at.
  get centre() {
    const { graph } = this;
    const wanted = [graph.net.getSelection().nodes[0], graph.data.current, graph.data.focus];
    return wanted.find((id) => graph.goals.has(id));
  }

  update(data) {
    if (!data) return;
    nameElements(this.graph.frame);
    this.cursor.update();
    this.picking.update(data.select);
    this.find.update();
    const undo = this.button("undo");
    undo.hidden = !data.undo;
    if (data.undo) undo.title = `${word("undo")}: ${data.undo}`;
    this.button("centre").hidden = this.centre === undefined;
    const cut = this.graph.frame.querySelector(".kg-cut");
    cut.hidden = !data.cut;
    cut.textContent = data.cut ? word("cut", { n: data.nodes.length, all: data.cut }) : "";
    this.describe(data);
  }

  describe({ nodes, edges }) {
    const { drawing } = this.cursor;
    drawing.setAttribute("role", "application");
    drawing.setAttribute("aria-roledescription", word("graph"));
    drawing.setAttribute("aria-label", word("about", { n: nodes.length, m: edges.length }));
  }

  say(text) {
    this.live.textContent = text;
  }

  undo() {
    if (this.graph.data.undo) this.graph.emit({ type: "undo", id: null });
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      this.copyByHand(text); // pages that are not served over HTTPS have no clipboard
    }
    this.say(word("copied"));
  }

  copyByHand(text) {
    const field = made("textarea", text, { style: "position:fixed;opacity:0" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }

  async save(kind) {
    const picture = new Picture(this.graph);
    const blob = kind === "svg" ? picture.svgBlob() : await picture.pngBlob();
    const link = made("a", "", {
      href: URL.createObjectURL(blob),
      download: `${this.graph.data.name || "graph"}.${kind}`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.say(word("saved"));
  }
}
