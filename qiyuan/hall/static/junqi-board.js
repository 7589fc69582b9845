// The boards of 军棋: rails, roads, camps and headquarters as a picture, a button on every point.
const NS = "http://www.w3.org/2000/svg";
const SIDES = "南东北西";
const SHORT = [..."司军师旅团营连排兵雷炸旗"];
const PITCH = 100;
// In gaps between points; with two sides there is room for long names beside each other.
export const SIZES = {
  luzhan60: { stretch: 1.72, width: 8.5, height: 12.7, piece: [144, 74] },
  siguo129: { stretch: 1, width: 17.3, height: 17.3, piece: [92, 78] },
};

function shape(parent, tag, attributes) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

// Side by colour, by its name, and by a bar on the edge where it is at home.
function drawPiece(parent, [x, y], [wide, high], zone, home) {
  const group = shape(parent, "g", { class: `j-piece j-${"senw"[zone]}` });
  box(group, x, y, wide, high, 9, "j-body");
  const [dx, dy] = [[0, 1], [1, 0], [0, -1], [-1, 0]][home];
  const bar = dx ? [x + dx * (wide / 2 - 5), y, 7, high - 8] : [x, y + dy * (high / 2 - 5), wide - 8, 7];
  box(group, ...bar, 3, "j-bar");
  return group;
}

function box(parent, x, y, wide, high, rx, name) {
  return shape(parent, "rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx, class: name });
}

export function pieceSample(zone) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const group = drawPiece(svg, [50, 50], [96, 84], zone, zone);
  shape(group, "text", { x: 50, y: 70, "font-size": 58, class: "j-name" }).textContent = SIDES[zone];
  return svg;
}

// A board that has not been given its map yet is empty.
export class JunqiBoard {
  // onPoint(point) on a click or Enter; onCancel() on Escape.
  constructor(place, { onPoint, onCancel = () => {} }) {
    this.place = place;
    this.onPoint = onPoint;
    this.state = { pieces: [] };
    this.zone = 0; // at the bottom
    place.classList.add("junqi");
    this.inner = document.createElement("div");
    this.inner.className = "junqi-inner";
    place.append(this.inner);
    this.svg = shape(this.inner, "svg", { "aria-hidden": "true" });
    this.ground = shape(this.svg, "g", {});
    this.things = shape(this.svg, "g", {});
    this.points = document.createElement("div");
    this.points.className = "points";
    this.points.setAttribute("role", "group");
    this.points.setAttribute("aria-label", "棋盘：方向键移动，回车选子、落子，Esc 放下");
    this.points.addEventListener("keydown", (event) => this.key(event, onCancel));
    this.inner.append(this.points);
    this.resized = new ResizeObserver(() => this.draw(this.state));
    this.resized.observe(this.inner);
  }

  // map: what the hall answers to the question "map"
  setMap(map) {
    this.map = map;
    this.size = SIZES[map.board];
    this.place.classList.toggle("four-sides", map.board === "siguo129");
    this.at = map.homes[0][2];
    this.byPoint = new Map(map.points.map((one) => [one.point, one]));
    const { width, height } = this.size;
    this.svg.setAttribute("viewBox", `0 0 ${width * PITCH} ${height * PITCH}`);
    this.inner.style.aspectRatio = `${width} / ${height}`;
    this.buttons = new Map();
    this.points.replaceChildren(
      ...map.points.map(({ point, name }) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.square = name;
        button.addEventListener("click", () => {
          this.at = point;
          this.focusable();
          this.onPoint(point);
        });
        this.buttons.set(point, button);
        return button;
      }),
    );
    this.spots = null;
    this.state = { pieces: [] };
    this.turnTo(this.zone);
    this.place.scrollLeft = (this.inner.offsetWidth - this.place.clientWidth) / 2;
  }

  // The zone whose owner sits before the screen comes to the bottom.
  turnTo(zone) {
    if (zone === this.zone && this.spots) return;
    this.zone = zone;
    if (!this.map) return;
    this.spots = new Map();
    for (const { point, at } of this.map.points) {
      let [x, y] = [at[0] - this.map.width / 2, at[1] - this.map.height / 2];
      for (let turns = 0; turns < zone; turns++) [x, y] = [-y, x];
      const { width, height, stretch } = this.size;
      this.spots.set(point, [PITCH * (width / 2 + stretch * x), PITCH * (height / 2 + y)]);
    }
    const { width, height, stretch, piece } = this.size;
    const wide = Math.min(stretch, piece[0] / PITCH + 0.14); // and nothing sticks out of the board
    for (const [point, button] of this.buttons) {
      const [x, y] = this.spots.get(point);
      button.style.left = `${(100 * (x / PITCH - wide / 2)) / width}%`;
      button.style.top = `${(100 * (y / PITCH - 0.5)) / height}%`;
      button.style.width = `${(100 * wide) / width}%`;
      button.style.height = `${100 / height}%`;
    }
    this.focusable();
    this.drawGround();
    this.draw(this.state);
  }

  focus() {
    this.buttons.get(this.at).focus();
  }

  name(point) {
    return this.byPoint.get(point).name;
  }

  focusable() {
    for (const [point, button] of this.buttons) button.tabIndex = point === this.at ? 0 : -1;
  }

  // The nearest point in the direction of the arrow.
  key(event, onCancel) {
    if (event.key === "Escape") onCancel();
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [x0, y0] = this.spots.get(this.at);
    let best = null, least = Infinity;
    for (const [point, [x, y]] of this.spots) {
      const along = (x - x0) * step[0] + (y - y0) * step[1];
      const aside = Math.abs((x - x0) * step[1]) + Math.abs((y - y0) * step[0]);
      const cost = along + 3 * aside;
      if (along > 1 && aside < 2.5 * along && cost < least) [best, least] = [point, cost];
    }
    if (best === null) return;
    this.at = best;
    this.focusable();
    this.buttons.get(best).focus();
  }

  drawGround() {
    const g = this.ground, { width, height } = this.size;
    g.replaceChildren();
    shape(g, "rect", { width: width * PITCH, height: height * PITCH, rx: 12, class: "j-paper" });
    const line = (pairs) => pairs.map(([a, b]) => `M${this.spots.get(a)}L${this.spots.get(b)}`).join("");
    shape(g, "path", { d: line(this.map.roads), class: "j-road" });
    shape(g, "path", { d: line(this.map.rails), class: "j-rail" });
    shape(g, "path", { d: line(this.map.rails), class: "j-ties" });
    for (const { point, kind } of this.map.points) {
      const [x, y] = this.spots.get(point), [wide, high] = this.size.piece;
      if (kind === "camp") {
        const rx = Math.min(wide / 2, 62);
        shape(g, "ellipse", { cx: x, cy: y, rx, ry: 44, class: "j-camp" });
        shape(g, "ellipse", { cx: x, cy: y, rx: rx - 10, ry: 34, class: "j-camp" });
      } else if (kind === "hq") box(g, x, y, wide + 8, high + 14, 40, "j-hq");
      else box(g, x, y, 0.62 * wide, 0.55 * high, 6, "j-station");
    }
  }

  // state: pieces [[point, seat, kind or -1]], last [from, to], chosen, targets [], marks []
  draw(state) {
    this.state = state;
    if (!this.map) return;
    const g = this.things;
    g.replaceChildren();
    const scale = this.inner.getBoundingClientRect().width / (this.size.width * PITCH) || 1;
    const held = new Set();
    for (const [point, seat, kind] of state.pieces) {
      held.add(point);
      this.piece(g, point, this.zones[seat], kind, 18.5 / scale);
    }
    const [wide, high] = this.size.piece.map((long) => long + 12);
    if (state.last) {
      const [[fx, fy], [x, y]] = state.last.map((point) => this.spots.get(point));
      box(g, fx, fy, wide - 6, high - 8, 14, "b-from");
      const [w, h] = [wide / 2, high / 2];
      let corners = "";
      for (const dx of [-1, 1])
        for (const dy of [-1, 1])
          corners += `M${x + w * dx} ${y + 22 * dy}V${y + h * dy}H${x + (w - 24) * dx}`;
      shape(g, "path", { d: corners, class: "b-last" });
    }
    for (const point of state.marks || []) box(g, ...this.spots.get(point), wide, high, 4, "b-mark");
    if (state.chosen !== null && state.chosen !== undefined)
      box(g, ...this.spots.get(state.chosen), wide, high, 12, "b-chosen");
    for (const point of state.targets || []) {
      const [x, y] = this.spots.get(point);
      if (held.has(point)) box(g, x, y, wide, high, 12, "b-prey");
      else shape(g, "circle", { cx: x, cy: y, r: 17, class: "b-target" });
    }
    this.describe(state);
  }

  piece(g, point, zone, kind, least) {
    const [x, y] = this.spots.get(point), room = this.size.piece[0] - 10;
    const group = drawPiece(g, [x, y], this.size.piece, zone, (zone - this.zone + 4) % 4);
    const words = kind < 0 ? [SIDES[zone]]
      : [SIDES[zone] + this.map.kinds[kind], SIDES[zone] + SHORT[kind], SHORT[kind]];
    const text = words.find((one) => one.length * least <= room) || words[words.length - 1];
    const size = Math.max(least, Math.min(text.length > 1 ? 42 : 52, room / text.length));
    const label = shape(group, "text", { x, y: y + 0.36 * size, "font-size": size, class: "j-name" });
    if (text.length > 1) { // the side a little apart from the rank
      const side = shape(label, "tspan", { class: "j-side" });
      side.textContent = text[0];
      shape(label, "tspan", {}).textContent = text.slice(1);
    } else label.textContent = text;
  }

  pieceName(seat, kind) {
    return `${SIDES[this.zones[seat]]}方${kind < 0 ? "暗子" : this.map.kinds[kind]}`;
  }

  pointName(point) {
    const { zh, kind } = this.byPoint.get(point);
    return zh + { camp: "行营", hq: "大本营", station: "" }[kind];
  }

  describe(state) {
    const on = new Map(state.pieces.map(([point, seat, kind]) => [point, [seat, kind]]));
    const targets = new Set(state.targets || []);
    for (const [point, button] of this.buttons) {
      const piece = on.get(point);
      const words = [piece ? this.pieceName(...piece) : "空", this.pointName(point)];
      if (targets.has(point)) words.push(piece ? "可以攻击" : "可以走");
      if (state.last && state.last[1] === point) words.push("上一步");
      button.setAttribute("aria-label", words.join("，"));
      button.setAttribute("aria-pressed", String(state.chosen === point));
    }
  }
}
