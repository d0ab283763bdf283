// Starts the player of an exported file, in the theme of the person's system.

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
new Player(document.querySelector(".pl"), read("deck"), read("palettes"), { theme: isDark ? "dark" : "light" });
