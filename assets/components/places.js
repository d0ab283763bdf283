// Boxes in the plane, and which room is taken. Boxes have left, right, top and bottom.

const overlap = (a, b) =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

const within = (a, b) =>
  a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;

const around = (x, y, width, height) => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  bottom: y + height / 2,
});

const widened = ({ left, right, top, bottom }, by) => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});

// Boxes by cell, so that of a thousand only those nearby are looked at.
class Taken {
  constructor(cell) {
    this.cell = cell;
    this.cells = new Map();
  }

  // The first answer of `look` that is true, of the cells that a box touches.
  some({ left, right, top, bottom }, look) {
    const at = (value) => Math.floor(value / this.cell);
    const [last, lowest] = [at(right), at(bottom)];
    for (let x = at(left); x <= last; x++)
      for (let y = at(top); y <= lowest; y++) if (look(x * 1e6 + y)) return true;
    return false;
  }

  add(box) {
    this.some(box, (key) => {
      const held = this.cells.get(key);
      if (held) held.push(box);
      else this.cells.set(key, [box]);
    });
  }

  // Whether a box meets one for which the test holds.
  meets(box, test) {
    const isMet = (other) => overlap(box, other) && test(other);
    return this.some(box, (key) => this.cells.get(key)?.some(isMet));
  }
}
