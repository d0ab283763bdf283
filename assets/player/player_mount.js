// Puts the player into its element of the page.

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".pl");
  libraryReady().then(() => {
    if (!root.isConnected) return;
    const held = root.kgPlayer;
    const look = JSON.stringify(data.palettes);
    if (held && held.key === data.key && root.kgLook === look) return;
    held?.destroy();
    root.kgLook = look;
    root.kgPlayer = new Player(root, data.deck, data.palettes, { key: data.key, start: held?.now ?? data.start });
  });
  // Streamlit also calls the clean-up of a run that was merely followed by another one.
  return () =>
    setTimeout(() => {
      if (root.isConnected || !root.kgPlayer) return;
      root.kgPlayer.destroy();
      delete root.kgPlayer;
    }, 0);
}
