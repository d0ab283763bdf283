// Puts one graph into its element of the page.

export default function ({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".kg-frame");
  libraryReady().then(() => {
    if (!frame.isConnected) return;
    frame.kgGraph ??= new Graph(frame, data);
    frame.kgGraph.update(data, setTriggerValue);
  });
  // Streamlit also calls the clean-up of a run that was merely followed by another one:
  // wait a moment and let go only when the element has really left the page.
  return () =>
    setTimeout(() => {
      if (frame.isConnected || !frame.kgGraph) return;
      frame.kgGraph.destroy();
      delete frame.kgGraph;
    }, 0);
}
