// What every graph of a page shares, sent once: vis-network and all before this line, the parts of a
// frame (`HTML`, `CSS`) and the words. A graph's own component only says where it is and what it shows.

globalThis.__kgKit = {
  show(frame, sent, send) {
    const data = unpacked(sent);
    if (!frame.kgGraph) {
      frame.replaceChildren(document.createRange().createContextualFragment(HTML)); // our own file
      frame.append(made("style", CSS));
      frame.kgGraph = new Graph(frame, data);
      new Tools(frame.kgGraph);
    }
    frame.kgGraph.update(data, send);
  },

  drop(frame) {
    frame.kgGraph?.destroy();
    delete frame.kgGraph;
  },
};
dispatchEvent(new Event("kg-vis"));

// Hands over the words, and takes the empty element out of the page's flow.
export default ({ data, parentElement }) => {
  globalThis.__kgWords = data?.words && JSON.parse(data.words);
  dispatchEvent(new Event("kg-words"));
  const box = parentElement.host?.closest('[data-testid="stElementContainer"]');
  if (box) box.style.position = "absolute";
};
