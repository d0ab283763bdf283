// Measures every text and sign that is seen on a page against what lies behind it, as WCAG 2.2 does (1.4.3, 1.4.11).
// Returns [kind, ratio, colour, background, text] of what has too little contrast.
() => {
  const TEXT = 4.5, SIGN = 3;
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const over = (top, below, alpha) => below.map((c, i) => top[i] * alpha + c * (1 - alpha));
  const parent = (at) => at.assignedSlot ?? at.parentElement ?? at.getRootNode().host ?? null;
  const chain = (at) => {
    const found = [];
    for (let a = at; a; a = parent(a)) found.unshift(a);
    return found;
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  // Backgrounds and opacities from the root down; what is drawn last is what the eye meets.
  const measure = (at, color) => {
    let behind = [255, 255, 255], opacity = 1;
    const box = at.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const isLoose = getComputedStyle(at).position === "absolute"; // it may lie beside what holds it
    for (const a of chain(at)) {
      const style = getComputedStyle(a), frame = a.getBoundingClientRect();
      opacity *= Number(style.opacity);
      if (isLoose && (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom)) continue;
      const [r, g, b, alpha] = rgba(style.backgroundColor);
      behind = over([r, g, b], behind, alpha * opacity);
    }
    const [r, g, b, alpha] = rgba(color);
    return [ratio(over([r, g, b], behind, alpha * opacity), behind), behind.map(Math.round).join(",")];
  };
  const isSeen = (at) => {
    if (!at.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = at.getBoundingClientRect();
    return box.width > 2 && box.height > 2 && !at.closest(".ts-hidden, [data-testid=stSkipToContent]");
  };
  const isOff = (at) => chain(at).some((a) => a.matches(":disabled, [aria-disabled=true], [disabled]"));
  const found = [];
  const check = (kind, at, color, text) => {
    const [value, behind] = measure(at, color);
    if (value < (kind === "text" ? TEXT : SIGN) - 0.01)
      found.push([kind, Number(value.toFixed(2)), color, behind, text.slice(0, 60)]);
  };
  let n = 0;
  const look = (at) => {
    if (at.shadowRoot) [...at.shadowRoot.children].forEach(look);
    if (["STYLE", "SCRIPT", "CANVAS", "NOSCRIPT"].includes(at.tagName)) return;
    for (const node of at.childNodes) if (node.nodeType === 1) look(node);
    if (!isSeen(at) || isOff(at)) return;
    const style = getComputedStyle(at);
    const text = [...at.childNodes].filter((c) => c.nodeType === 3).map((c) => c.textContent.trim()).join("");
    if (text && parseFloat(style.fontSize) > 0) {
      n += 1;
      const isIcon = at.matches("[data-testid=stIconMaterial]");
      check(isIcon || !/[\p{L}\p{N}]/u.test(text) ? "sign" : "text", at, style.color, text);
    }
    if (at.matches(".ts-dot")) (n += 1), check("sign", at.parentElement, style.backgroundColor, "dot");
    if (at.matches("svg path, svg circle, svg rect, svg polygon")) {
      const drawn = [style.fill, style.stroke].filter((c) => c && c !== "none" && rgba(c)[3] > 0);
      if (drawn.length) (n += 1), check("sign", at, drawn.at(-1), "svg of " + (at.closest("[data-testid]")?.dataset.testid ?? ""));
    }
    if (at.matches("input, textarea") && !at.value && at.placeholder)
      (n += 1), check("text", at, getComputedStyle(at, "::placeholder").color, at.placeholder);
    else if (at.matches("input, textarea") && at.value) (n += 1), check("text", at, style.color, at.value);
  };
  look(document.body);
  return { n, found };
}
