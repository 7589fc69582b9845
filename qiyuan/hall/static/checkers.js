// 跳棋 on the page of games (the contract stands in play.js).
import { arrow, Points, sample, shape } from "./points.js";

const ROWS = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1];
const PITCH = 100, HIGH = (PITCH * Math.sqrt(3)) / 2, EDGE = 50;
const WIDTH = 12 * PITCH + 2 * EDGE, HEIGHT = 16 * HIGH + 2 * EDGE;
const CAMPS = ["橙", "白", "浅蓝", "深蓝", "黄", "黑"]; // A..F, clockwise from the north
const SHAPES = [
  "M0 -17a17 17 0 1 0 .1 0Z", "M-15 -15h30v30h-30Z", "M0 -20L19 14H-19Z", "M0 -19V19M-19 0H19",
  "M0 -22L19 0L0 22L-19 0Z", "M-20 0H20",
]; // ring, square, triangle, cross, diamond, bar: nobody need tell them by colour

export const aspect = WIDTH / HEIGHT;
export const least = Math.ceil(0.44 * WIDTH);

const HOLES = ROWS.flatMap((width, row) => Array.from({ length: width }, (_, place) => ({
  name: "abcdefghijklmnopq"[row] + (place + 1),
  x: (place - (width - 1) / 2) * PITCH,
  y: (row - 8) * HIGH,
})));

// The camp in which a hole of the star lies, or -1 in the hexagon.
function campOf({ x, y }) {
  const z = Math.round(y / HIGH), u = Math.round(x / PITCH - z / 2), w = -u - z;
  return [-z, u, -w, z, -u, w].findIndex((depth) => depth > 4);
}

// The three outermost of the points of a triangle.
function corners(points) {
  const middle = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const far = ([x, y]) => Math.hypot(x - middle[0], y - middle[1]);
  return [...points].sort((a, b) => far(b) - far(a)).slice(0, 3);
}

function piece(parent, camp, x, y) {
  const group = shape(parent, "g", { class: `c-piece c-${camp}`, transform: `translate(${x} ${y})` });
  shape(group, "circle", { r: 41, class: "c-disc" });
  shape(group, "path", { d: SHAPES[camp], class: "c-shape" });
}

export class View {
  constructor(place, desk) {
    this.desk = desk;
    this.chosen = null;
    this.turned = 3; // sixths, clockwise: the first seat sits below
    this.points = new Points(place, {
      width: WIDTH, height: HEIGHT, reach: PITCH / 2,
      title: "棋盘：方向键移动，回车选子、落子，Esc 放下",
      onPoint: (hole) => this.point(hole),
      onCancel: () => this.drop(),
    });
    this.pass = document.createElement("button");
    this.pass.type = "button";
    this.pass.className = "main";
    this.pass.textContent = "停一着（无棋可走）";
    this.pass.addEventListener("click", () => this.desk.free() && this.desk.move("pass"));
    this.pass.hidden = true;
    desk.own.append(this.pass);
    this.lay();
  }

  close() {
    this.points.close();
  }

  // Where a hole lies as the board is turned now.
  xy(hole) {
    const angle = (this.turned * Math.PI) / 3, { x, y } = HOLES[hole];
    return [WIDTH / 2 + x * Math.cos(angle) - y * Math.sin(angle),
      HEIGHT / 2 + x * Math.sin(angle) + y * Math.cos(angle)].map((v) => Math.round(10 * v) / 10);
  }

  lay() {
    this.points.put(HOLES.map(({ name }, id) => {
      const [x, y] = this.xy(id);
      return { id, name, x, y };
    }), 60);
    const g = this.points.ground;
    g.replaceChildren();
    shape(g, "rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 12, class: "b-paper" });
    for (let camp = 0; camp < 6; camp++) {
      const holes = [...HOLES.keys()].filter((hole) => campOf(HOLES[hole]) === camp).map((hole) => this.xy(hole));
      const d = `M${corners(holes).map((p) => p.join(" ")).join("L")}Z`;
      for (const more of ["rim", "", `tint c-${camp}`]) shape(g, "path", { d, class: `c-camp ${more}` });
    }
    for (const hole of HOLES.keys()) {
      const [cx, cy] = this.xy(hole);
      shape(g, "circle", { cx, cy, r: 30, class: "c-hole" });
    }
  }

  draw(scene) {
    this.scene = scene;
    if (scene && this.id !== scene.state.id) {
      this.id = scene.state.id;
      this.turn(3 - (scene.state.mode === "computer" ? scene.position.camps[scene.state.human] : 0));
    }
    if (!scene || scene.fresh || !scene.live) this.chosen = null;
    this.pass.hidden = !(scene && scene.live && scene.position.pass && !scene.state.result);
    this.paint();
  }

  turn(sixths) {
    this.turned = (sixths + 6) % 6;
    this.lay();
  }

  // The next seat comes to sit below.
  flip() {
    const camps = this.scene ? this.scene.position.camps : [0, 3];
    const below = (9 - this.turned) % 6;
    const next = camps[(camps.indexOf(below) + 1) % camps.length];
    this.turn(3 - next);
    this.paint();
  }

  paint() {
    const g = this.points.things;
    g.replaceChildren();
    const { position, last, hint, marks = [] } = this.scene || { position: start() };
    position.owners.forEach((camp, hole) => camp >= 0 && piece(g, camp, ...this.xy(hole)));
    if (last && last.path.length) {
      const [fx, fy] = this.xy(last.path[0]), [x, y] = this.xy(last.path[last.path.length - 1]);
      shape(g, "circle", { cx: fx, cy: fy, r: 26, class: "b-from" });
      shape(g, "circle", { cx: x, cy: y, r: 47, class: "c-last" });
      this.way(g, last.path, "c-way");
    }
    for (const hole of marks) {
      const [x, y] = this.xy(hole);
      shape(g, "rect", { x: x - 44, y: y - 44, width: 88, height: 88, class: "b-mark" });
    }
    if (this.chosen !== null) {
      const [cx, cy] = this.xy(this.chosen);
      shape(g, "circle", { cx, cy, r: 46, class: "b-chosen" });
      for (const hole of position.legal[this.chosen] || []) {
        const [tx, ty] = this.xy(hole);
        shape(g, "circle", { cx: tx, cy: ty, r: 19, class: "b-target" });
      }
    }
    if (hint && hint.path.length) arrow(g, hint.path.map((hole) => this.xy(hole)), { start: 30, end: 10 });
    this.describe(position, last);
  }

  way(g, path, name) {
    const points = path.map((hole) => this.xy(hole).join(","));
    for (const more of [" under", ""]) shape(g, "polyline", { points: points.join(" "), class: name + more });
    for (const hole of path.slice(1, -1)) {
      const [cx, cy] = this.xy(hole);
      shape(g, "circle", { cx, cy, r: 11, class: "b-head" });
    }
  }

  describe(position, last) {
    const targets = new Set(this.chosen === null ? [] : position.legal[this.chosen] || []);
    position.owners.forEach((camp, hole) => {
      const home = campOf(HOLES[hole]);
      const words = [camp >= 0 ? `${CAMPS[camp]}子` : "空", HOLES[hole].name.toUpperCase()];
      if (home >= 0) words.push(`${CAMPS[home]}方的角`);
      if (targets.has(hole)) words.push("可以到");
      if (last && last.path[last.path.length - 1] === hole) words.push("上一步");
      this.points.label(hole, words.join("，"), this.chosen === hole);
    });
  }

  drop() {
    this.chosen = null;
    if (this.scene) this.paint();
  }

  sample(seat) {
    return sample((svg) => piece(svg, this.scene.position.camps[seat], 50, 50));
  }

  point(hole) {
    if (!this.desk.free()) return;
    const { state, position } = this.scene;
    const camp = position.owners[hole], own = position.camps[state.turn];
    if (this.chosen === hole) return this.drop();
    const targets = this.chosen === null ? [] : position.legal[this.chosen] || [];
    if (camp === own && !targets.includes(hole)) {
      this.chosen = hole;
      this.paint();
      const count = (position.legal[hole] || []).length;
      const name = `${CAMPS[camp]}子 ${HOLES[hole].name.toUpperCase()}`;
      return this.desk.say(count ? `选了${name}，有 ${count} 个地方可到。` : `${name} 现在没有可到的地方。`, !count);
    }
    if (this.chosen === null)
      return this.desk.say(camp >= 0 ? `现在轮到${CAMPS[own]}方走。` : `请先点要走的${CAMPS[own]}子。`, true);
    return this.move(this.chosen, hole, targets.includes(hole));
  }

  move(from, to, legal) {
    const text = `${HOLES[from].name}:${HOLES[to].name}`;
    if (!legal) return this.desk.move(text); // the answer says why not
    return this.desk.move(text, `从 ${HOLES[from].name.toUpperCase()} 到 ${HOLES[to].name.toUpperCase()}，对吗？`,
      () => arrow(this.points.things, [this.xy(from), this.xy(to)], { start: 44, end: 10 }));
  }
}

// Two armies at the start, for the board before a game.
function start() {
  const owners = HOLES.map((hole) => {
    const camp = campOf(hole);
    return camp === 0 || camp === 3 ? camp : -1;
  });
  return { owners, legal: {}, camps: [0, 3] };
}
