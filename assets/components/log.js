// The log of a run: its calls under way, and a button for each entry, the newest first.
//
// Python sends all lines on every run of the page; a line is made anew only where it differs. The
// list is one stop of the Tab key: inside of it the arrow keys, Home and End move, Enter picks.

class Log {
  constructor(root) {
    this.root = root;
    this.list = root.querySelector("ol");
    this.lines = new Map(); // entry -> its element
    this.k = Date.now();
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.send("pick", { seq: Number(button.dataset.seq), k: ++this.k });
    });
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("focusin", ({ target }) => this.stopAt(target.closest("button")));
  }

  update(data, send) {
    const isMoved = this.data && this.data.at !== data.at;
    this.send = send;
    this.data = data;
    for (const [name, color] of Object.entries(data.colors))
      this.root.style.setProperty(`--lg-${name}`, color);
    this.list.setAttribute("aria-label", data.label);
    this.showFlying(data.flying);
    this.note(".lg-later", data.later);
    this.note(".lg-earlier", data.earlier);
    this.showLines(data);
    if (isMoved) this.bringIntoSight(this.lines.get(data.at));
  }

  note(selector, text) {
    const note = this.root.querySelector(selector);
    note.textContent = text;
    note.hidden = !text;
  }

  showFlying(texts) {
    const calls = texts.map((text) => {
      const call = document.createElement("div");
      const words = document.createElement("span");
      words.textContent = text;
      call.append(document.createElement("b"), words);
      return call;
    });
    this.root.querySelector(".lg-flying").replaceChildren(...calls);
  }

  showLines({ lines, at }) {
    const wanted = new Set(lines.map(([seq]) => seq));
    for (const [seq, element] of this.lines)
      if (!wanted.has(seq)) element.remove() || this.lines.delete(seq);
    let last = null;
    for (const [seq, since, kind, text] of lines) {
      const known = this.lines.get(seq);
      const told = `${since}\t${kind}\t${text}`;
      const element = known?.dataset.told === told ? known : this.line(seq, since, kind, text, known);
      element.dataset.told = told;
      element.setAttribute("aria-current", String(seq === at));
      element.classList.toggle("is-later", at !== null && seq > at);
      const place = last ? last.nextElementSibling : this.list.firstElementChild;
      if (place !== element) this.list.insertBefore(element, place);
      last = element;
    }
    if (!this.list.querySelector('button[tabindex="0"]'))
      this.stopAt((this.lines.get(at) ?? this.list.firstElementChild)?.firstElementChild);
  }

  line(seq, since, kind, text, known) {
    const element = known ?? document.createElement("li");
    element.setAttribute("role", "listitem");
    element.className = `is-${kind}`;
    const button = element.firstElementChild ?? document.createElement("button");
    button.type = "button";
    button.dataset.seq = seq;
    button.tabIndex = button.tabIndex === 0 && known ? 0 : -1;
    const time = document.createElement("i");
    time.textContent = since;
    const words = document.createElement("span");
    words.textContent = text;
    button.replaceChildren(time, words);
    element.replaceChildren(button);
    this.lines.set(seq, element);
    return element;
  }

  stopAt(button) {
    if (!button) return;
    for (const other of this.list.querySelectorAll('button[tabindex="0"]')) other.tabIndex = -1;
    button.tabIndex = 0;
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(event.target.closest("button"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[Math.max(0, Math.min(to, buttons.length - 1))]?.focus();
  }

  // Scrolls the panel, never the page.
  bringIntoSight(element) {
    if (!element || element.matches(":focus-within")) return;
    let panel = this.root.getRootNode().host ?? this.root;
    while (panel && !/auto|scroll/.test(getComputedStyle(panel).overflowY)) panel = panel.parentElement;
    if (!panel || panel === document.scrollingElement) return;
    const [inner, outer] = [element.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      panel.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".lg");
  root.kgLog ??= new Log(root);
  root.kgLog.update(data, setTriggerValue);
}
