// The words of the component, which Python sends once a page in the language of the session.

const word = (name, values = {}) =>
  (globalThis.__kgWords?.[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

// Names every element that asks for a word, for the eye (`title`) and for screen readers.
function nameElements(root) {
  for (const element of root.querySelectorAll("[data-word]")) {
    const name = word(element.dataset.word);
    element.setAttribute("aria-label", name);
    if (element.localName === "button") element.title = name;
    if (element.localName === "input") element.placeholder = name;
  }
}

// An element with a text; nothing else ever puts text into the page.
function made(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
