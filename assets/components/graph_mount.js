// Puts one graph into its element of the page, with the kit that the page holds once.
const kit = () =>
  globalThis.__kgKit
    ? Promise.resolve(globalThis.__kgKit)
    : new Promise((done) =>
        addEventListener("kg-vis", () => done(globalThis.__kgKit), { once: true }),
      );

export default function ({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".kg-frame");
  kit().then((shared) => {
    if (frame.isConnected) shared.show(frame, data, setTriggerValue);
  });
  // Streamlit also calls the clean-up of a run that was merely followed by another one:
  // wait a moment and let go only when the element has really left the page.
  return () =>
    setTimeout(() => {
      if (!frame.isConnected) globalThis.__kgKit?.drop(frame);
    }, 0);
}
