// 五子棋 on the page of games (the contract stands in play.js).
import { Points, sample, shape, write } from "./points.js";

export const aspect = 1;
export const least = 660;

const LETTERS = "ABCDEFGHIJKLMNOPQRST";
const SIDES = ["黑", "白"];
const SMALL = 40; // CSS pixels between points: below that, a stone is shown before it counts
const EMPTY = { size: 15, codes: new Array(225).fill(0), barred: [], lines: [] };

function stone(parent, code, x, y, extra = "") {
  shape(parent, "circle", { cx: x, cy: y, r: 44, class: `g-stone ${code === 1 ? "black" : "white"} ${extra}` });
}

export class View {
  constructor(place, desk) {
    this.desk = desk;
    this.place = place;
    this.ghost = null;
  }

  close() {
    if (this.points) this.points.close();
  }

  draw(scene) {
    this.scene = scene;
    const { size } = scene ? scene.position : EMPTY;
    if (size !== this.size) this.lay(size);
    if (!scene || scene.fresh || !scene.live) this.ghost = null;
    this.paint();
  }

  // A board of so many lines.
  lay(size) {
    this.close();
    this.size = size;
    this.place.replaceChildren();
    this.points = new Points(this.place, {
      width: 100 * size, height: 100 * size, reach: 50,
      title: "棋盘：方向键移动，回车落子，Esc 放下",
      onPoint: (at) => this.point(at),
      onCancel: () => this.drop(),
      onSize: (scale) => this.letters(scale),
    });
    const middle = (size * size - 1) / 2;
    this.points.put(Array.from({ length: size * size }, (_, at) => {
      const [x, y] = this.xy(at);
      return { id: at, name: this.name(at).toLowerCase(), x, y };
    }), size % 2 ? middle : 0);
    const g = this.points.ground, end = 100 * size - 50;
    shape(g, "rect", { x: 0, y: 0, width: 100 * size, height: 100 * size, rx: 12, class: "b-paper" });
    let lines = "";
    for (let i = 0; i < size; i++) lines += `M50 ${50 + 100 * i}H${end}M${50 + 100 * i} 50V${end}`;
    shape(g, "path", { d: lines, class: "b-line" });
    const stars = size < 13 ? [] : [3, size - 4].flatMap((x) => [3, size - 4].map((y) => y * size + x));
    if (size % 2) stars.push(middle);
    for (const at of stars) {
      const [cx, cy] = this.xy(at);
      shape(g, "circle", { cx, cy, r: 11, class: "b-head-wood" });
    }
    this.names = shape(this.points.svg, "g", {}); // above the stones, which reach into the margin
    for (let i = 0; i < size; i++) {
      write(this.names, 50 + 100 * i, 100 * size - 6, LETTERS[i], { class: "b-file g-name" });
      write(this.names, 4, 61 + 100 * (size - 1 - i), i + 1, { class: "b-file g-name left" });
    }
    this.letters(this.points.scale());
  }

  xy(at) {
    return [50 + 100 * (at % this.size), 50 + 100 * (this.size - 1 - Math.floor(at / this.size))];
  }

  name(at) {
    return LETTERS[at % this.size] + (Math.floor(at / this.size) + 1);
  }

  // Names stand in the margin, at least 18 px high; where that has no room they are left out.
  letters(scale) {
    for (const text of this.names.children) {
      text.setAttribute("font-size", Math.max(32, 18.2 / scale));
      text.setAttribute("visibility", scale < SMALL / 100 ? "hidden" : "visible");
    }
  }

  paint() {
    const g = this.points.things, { position, last, state, live, hint, marks } = this.scene || { position: EMPTY };
    g.replaceChildren();
    position.codes.forEach((code, at) => code && stone(g, code, ...this.xy(at)));
    for (const at of position.barred) {
      const [x, y] = this.xy(at);
      shape(g, "path", { d: `M${x - 20} ${y - 20}l40 40m0 -40l-40 40`, class: "g-barred" });
    }
    if (last && last.at !== null) this.corners(g, last.at, position.codes[last.at]);
    for (const at of marks || []) {
      const [cx, cy] = this.xy(at);
      shape(g, "circle", { cx, cy, r: 47, class: "g-mark" });
    }
    for (const line of position.lines) {
      const [[x1, y1], [x2, y2]] = [this.xy(line[0]), this.xy(line[line.length - 1])];
      for (const name of ["g-win under", "g-win"]) shape(g, "line", { x1, y1, x2, y2, class: name });
    }
    if (hint) {
      const [cx, cy] = this.xy(hint.at);
      for (const r of [40, 22]) shape(g, "circle", { cx, cy, r, class: "g-hint" });
    }
    if (this.ghost !== null) stone(g, state.turn + 1, ...this.xy(this.ghost), "ghost");
    this.describe(position, live ? last : null);
  }

  corners(g, at, code) {
    const [x, y] = this.xy(at);
    shape(g, "circle", { cx: x, cy: y, r: 12, class: `g-dot ${code === 1 ? "black" : "white"}` });
    let path = "";
    for (const dx of [-1, 1])
      for (const dy of [-1, 1]) path += `M${x + 47 * dx} ${y + 26 * dy}V${y + 47 * dy}H${x + 26 * dx}`;
    shape(g, "path", { d: path, class: "b-last" });
  }

  describe(position, last) {
    const barred = new Set(position.barred), won = new Set(position.lines.flat());
    position.codes.forEach((code, at) => {
      const words = [code ? `${SIDES[code - 1]}子` : barred.has(at) ? "禁手" : "空", this.name(at)];
      if (last && last.at === at) words.push("上一步");
      if (won.has(at)) words.push("连成五");
      if (this.ghost === at) words.push("再按一次落子");
      this.points.label(at, words.join("，"), this.ghost === at);
    });
  }

  drop() {
    this.ghost = null;
    if (this.scene) this.paint();
  }

  sample(seat) {
    return sample((svg) => stone(svg, seat + 1, 50, 50));
  }

  point(at) {
    if (!this.desk.free()) return;
    const { position, state } = this.scene;
    if (position.codes[at]) return this.desk.say(`${this.name(at)} 已经有棋子了，请点空的地方。`, true);
    const text = this.name(at).toLowerCase();
    if (position.barred.includes(at)) return this.desk.move(text); // the answer says why not
    const small = 100 * this.points.scale() < SMALL;
    if (small && this.ghost !== at) {
      this.ghost = at;
      this.paint();
      return this.desk.say(`${SIDES[state.turn]}子要下在 ${this.name(at)}，再点一次落子。`);
    }
    const question = small ? "" : `${SIDES[state.turn]}子下在 ${this.name(at)}，对吗？`;
    return this.desk.move(text, question, () => {
      this.ghost = at;
      this.paint();
    });
  }
}
