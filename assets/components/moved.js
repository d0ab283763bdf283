// Where a person put nodes by hand, kept in this browser for each drawing of a run, so that a reload finds
// them there again.

const MOVED = "kg-moved"; // the name in localStorage
const MOVED_DRAWINGS = 40; // those moved in last
const MOVED_NODES = 300; // of each

const isPlace = ({ x, y } = {}) => Number.isFinite(x) && Number.isFinite(y);

class Moved {
  constructor(graph) {
    this.graph = graph;
    const { view, key, net } = graph;
    if (!view.dragged.size) view.dragged = new Map(this.read()[key] ?? []);
    net.on("dragEnd", ({ nodes }) => nodes.length && this.keep());
  }

  get isAny() {
    return this.graph.view.dragged.size > 0;
  }

  // Lets all of them go back to where Python put them.
  letGo() {
    this.graph.view.dragged.clear();
    this.keep();
    this.graph.glide();
    this.graph.camera.follow({ glide: true });
  }

  // What is kept; nothing where the browser keeps nothing or something else was written there.
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(MOVED) ?? "{}");
      const places = Object.entries(kept).map(([key, nodes]) => [
        key,
        Object.entries(nodes).filter(([, place]) => isPlace(place)),
      ]);
      return Object.fromEntries(places);
    } catch {
      return {};
    }
  }

  keep() {
    const { key, view } = this.graph;
    const { [key]: before, ...others } = this.read();
    const moved = [...view.dragged].slice(-MOVED_NODES);
    const all = [...Object.entries(others), ...(moved.length ? [[key, moved]] : [])];
    const kept = all.slice(-MOVED_DRAWINGS).map(([name, nodes]) => [name, Object.fromEntries(nodes)]);
    try {
      localStorage.setItem(MOVED, JSON.stringify(Object.fromEntries(kept)));
    } catch {
      // a browser that keeps nothing: they stay until the page is left
    }
  }
}
