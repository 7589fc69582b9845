// A board of points anywhere: an SVG picture, and above it a button a point for pointer, keys and
// screen readers. Arrow keys go along rows, and between rows as straight as the board allows.
const NS = "http://www.w3.org/2000/svg";

export function shape(parent, tag, attributes) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

export function write(parent, x, y, text, attributes) {
  shape(parent, "text", { x, y, ...attributes }).textContent = text;
}

// A picture of its own of 100 by 100, drawn by paint(svg).
export function sample(paint) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  paint(svg);
  return svg;
}

export class Points {
  // width, height: of the picture; reach: half the side of a button, in its units.
  // onPoint(id) is called on a click or Enter, onCancel() on Escape, onSize(scale) with the CSS
  // pixels of a unit whenever it changes.
  constructor(place, { width, height, reach, title, onPoint, onCancel, onSize = () => {} }) {
    Object.assign(this, { width, height, reach, onPoint });
    this.board = document.createElement("div");
    this.board.className = "board";
    this.board.style.aspectRatio = `${width} / ${height}`;
    this.svg = shape(this.board, "svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
    this.ground = shape(this.svg, "g", {});
    this.things = shape(this.svg, "g", {});
    this.group = document.createElement("div");
    this.group.className = "points free";
    this.group.setAttribute("role", "group");
    this.group.setAttribute("aria-label", title);
    this.group.addEventListener("keydown", (event) => {
      if (event.key === "Escape") onCancel();
      this.key(event);
    });
    this.board.append(this.group);
    place.append(this.board);
    this.buttons = new Map();
    this.spots = new Map();
    this.watch = new ResizeObserver(() => onSize(this.scale()));
    this.watch.observe(this.board);
  }

  close() {
    this.watch.disconnect();
  }

  scale() {
    return this.board.getBoundingClientRect().width / this.width || 1;
  }

  // spots: [{ id, name, x, y }]; first: where the keys begin. Called again, it moves the buttons.
  put(spots, first) {
    const old = this.spots;
    this.spots = new Map(spots.map((one) => [one.id, one]));
    for (const id of old.keys())
      if (!this.spots.has(id)) {
        this.buttons.get(id).remove();
        this.buttons.delete(id);
      }
    for (const { id, name, x, y } of spots) {
      const button = this.buttons.get(id) || this.button(id);
      button.dataset.square = name;
      button.style.left = `${(100 * (x - this.reach)) / this.width}%`;
      button.style.top = `${(100 * (y - this.reach)) / this.height}%`;
      button.style.width = `${(200 * this.reach) / this.width}%`;
      button.style.height = `${(200 * this.reach) / this.height}%`;
    }
    if (!this.spots.has(this.at)) this.at = first;
    this.wish = this.spots.get(this.at).x;
    this.focusable();
  }

  button(id) {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => {
      this.at = id;
      this.wish = this.spots.get(id).x;
      this.focusable();
      this.onPoint(id);
    });
    this.group.append(button);
    this.buttons.set(id, button);
    return button;
  }

  label(id, text, pressed = false) {
    const button = this.buttons.get(id);
    if (button.ariaLabel !== text) button.ariaLabel = text;
    const now = String(pressed);
    if (button.ariaPressed !== now) button.ariaPressed = now;
  }

  focusable() {
    for (const [id, button] of this.buttons) {
      const index = id === this.at ? 0 : -1;
      if (button.tabIndex !== index) button.tabIndex = index;
    }
  }

  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const next = way[0] ? this.beside(way[0]) : this.beyond(way[1]);
    if (!next) return;
    this.at = next.id;
    if (way[0]) this.wish = next.x;
    this.focusable();
    this.buttons.get(next.id).focus();
  }

  // The next point of the row.
  beside(sign) {
    const from = this.spots.get(this.at);
    const row = [...this.spots.values()].filter((one) =>
      Math.abs(one.y - from.y) < this.reach / 2 && sign * (one.x - from.x) > this.reach / 2);
    return row.sort((a, b) => sign * (a.x - b.x))[0];
  }

  // The point of the next row that lies nearest to the column that the walk keeps.
  beyond(sign) {
    const from = this.spots.get(this.at);
    const far = [...this.spots.values()].filter((one) => sign * (one.y - from.y) > this.reach / 2);
    const row = Math.min(...far.map((one) => sign * one.y));
    return far.filter((one) => sign * one.y < row + this.reach / 2)
      .sort((a, b) => Math.abs(a.x - this.wish) - Math.abs(b.x - this.wish) || a.x - b.x)[0];
  }
}

export function arrow(parent, path, { start = 0, end = 0 } = {}) {
  const [x0, y0] = path[path.length - 2], [x1, y1] = path[path.length - 1];
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  const tx = x1 - end * ux, ty = y1 - end * uy, bx = tx - 34 * ux, by = ty - 34 * uy;
  const line = path.slice(0, -1).map(([x, y]) => [x, y]);
  if (line.length === 1) line[0] = [x0 + start * ux, y0 + start * uy];
  shape(parent, "path", { d: `M${[...line, [bx, by]].map((p) => p.join(" ")).join("L")}`, class: "b-arrow" });
  const head = `M${tx} ${ty}L${bx - 20 * uy} ${by + 20 * ux}L${bx + 20 * uy} ${by - 20 * ux}Z`;
  shape(parent, "path", { d: head, class: "b-head" });
}
