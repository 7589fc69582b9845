// The board of 象棋: an SVG picture, and above it ninety buttons for pointer, keys and readers.
const NS = "http://www.w3.org/2000/svg";
const FORMS = [" 帥仕相傌俥炮兵", " 將士象馬車砲卒"];
const WORDS = [" 帅仕相马车炮兵", " 将士象马车炮卒"];
const FILES = ["九八七六五四三二一", "１２３４５６７８９"];
const CAMPS = [27, 29, 31, 33, 35, 54, 56, 58, 60, 62, 19, 25, 64, 70];
export const SIDES = ["红", "黑"];

export const colorOf = (code) => (code ? code >> 3 : -1);
export const pieceName = (code) => SIDES[colorOf(code)] + WORDS[colorOf(code)][code & 7];
export const squareName = (sq) => "abcdefghi"[sq % 9] + Math.floor(sq / 9);
export const squareLabel = (sq) =>
  `第${Math.floor(sq / 9) + 1}行${"九八七六五四三二一"[sq % 9]}路`;

// A sentence with its points (e6) in the words of the board: arbiters do not count in letters.
export const inWords = (text) => text.replace(/(\()? ?\b([a-i])([0-9])\b ?(\))?/g, (_, open, file, rank, shut) =>
  `${open ? "（" : ""}${squareLabel(9 * Number(rank) + "abcdefghi".indexOf(file))}${shut ? "）" : ""}`);

function shape(parent, tag, attributes) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

function write(parent, x, y, text, attributes) {
  shape(parent, "text", { x, y, ...attributes }).textContent = text;
}

export function drawPiece(parent, code, x, y) {
  const color = colorOf(code);
  const group = shape(parent, "g", { class: color ? "black" : "red" });
  shape(group, "circle", { cx: x, cy: y, r: 44, class: "b-disc" });
  shape(group, "circle", { cx: x, cy: y, r: 37, class: "b-ring" });
  write(group, x, y + 20, FORMS[color][code & 7], { class: "b-name" });
}

export function pieceSample(code) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  drawPiece(svg, code, 50, 50);
  return svg;
}

export class BoardView {
  // onPoint(sq) is called on a click or Enter; onCancel() on Escape.
  constructor(place, { onPoint, onCancel = () => {} }) {
    this.flipped = false;
    this.at = 4;
    this.state = { codes: new Array(90).fill(0) };
    place.classList.add("board");
    this.svg = shape(place, "svg", { viewBox: "0 0 900 1100", "aria-hidden": "true" });
    this.ground = shape(this.svg, "g", {});
    this.things = shape(this.svg, "g", {});
    this.points = document.createElement("div");
    this.points.className = "points";
    this.points.setAttribute("role", "group");
    this.points.setAttribute("aria-label", "棋盘：方向键移动，回车选子、落子，Esc 放下");
    this.buttons = [];
    for (let cell = 0; cell < 90; cell++) {
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.addEventListener("click", () => {
        this.at = this.squareAt(cell);
        this.focusable();
        onPoint(this.at);
      });
      this.points.append(button);
      this.buttons.push(button);
    }
    this.points.addEventListener("keydown", (event) => this.key(event, onCancel));
    place.append(this.points);
    new ResizeObserver(() => this.letters()).observe(place);
    this.drawGround();
    this.focusable();
  }

  squareAt(cell) {
    const row = Math.floor(cell / 9), column = cell % 9;
    return this.flipped ? 9 * row + 8 - column : 9 * (9 - row) + column;
  }

  cellOf(sq) {
    const rank = Math.floor(sq / 9), file = sq % 9;
    return this.flipped ? 9 * rank + 8 - file : 9 * (9 - rank) + file;
  }

  place(sq) {
    const cell = this.cellOf(sq);
    return [50 + 100 * (cell % 9), 100 + 100 * Math.floor(cell / 9)];
  }

  key(event, onCancel) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 };
    const step = steps[event.key];
    if (event.key === "Escape") onCancel();
    if (step === undefined) return;
    event.preventDefault();
    const cell = this.cellOf(this.at);
    const column = (cell % 9) + (Math.abs(step) === 1 ? step : 0);
    if (column < 0 || column > 8 || cell + step < 0 || cell + step > 89) return;
    this.at = this.squareAt(cell + step);
    this.focusable();
    this.buttons[cell + step].focus();
  }

  focusable() {
    this.buttons.forEach((button, cell) => {
      button.tabIndex = cell === this.cellOf(this.at) ? 0 : -1;
    });
  }

  flip(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.drawGround();
    this.focusable();
    this.draw(this.state);
  }

  letters() {
    // file numbers stay at least 18 px high on a small screen
    const scale = this.svg.getBoundingClientRect().width / 900 || 1;
    const size = Math.min(48, Math.max(32, 18.5 / scale));
    for (const text of this.ground.querySelectorAll(".b-file"))
      text.setAttribute("font-size", size);
  }

  drawGround() {
    const g = this.ground;
    g.replaceChildren();
    shape(g, "rect", { x: 0, y: 0, width: 900, height: 1100, rx: 12, class: "b-paper" });
    let lines = "";
    for (let row = 0; row < 10; row++) lines += `M50 ${100 + 100 * row}H850`;
    for (let column = 1; column < 8; column++) {
      const x = 50 + 100 * column;
      lines += `M${x} 100V500M${x} 600V1000`;
    }
    for (const y of [100, 800]) lines += `M350 ${y}L550 ${y + 200}M550 ${y}L350 ${y + 200}`;
    for (const sq of CAMPS) {
      const [x, y] = this.place(sq);
      for (const dx of [-1, 1]) {
        if (x + dx * 100 < 50 || x + dx * 100 > 850) continue;
        for (const dy of [-1, 1])
          lines += `M${x + 9 * dx} ${y + 26 * dy}V${y + 9 * dy}H${x + 26 * dx}`;
      }
    }
    shape(g, "path", { d: lines, class: "b-line" });
    shape(g, "path", { d: "M50 100H850V1000H50Z", class: "b-frame" });
    const river = this.flipped ? ["汉", "界", "楚", "河"] : ["楚", "河", "汉", "界"];
    river.forEach((word, i) => write(g, [200, 300, 600, 700][i], 570, word, { class: "b-word" }));
    const [low, high] = this.flipped ? [1, 0] : [0, 1];
    for (let column = 0; column < 9; column++) {
      const file = this.flipped ? 8 - column : column;
      const x = 50 + 100 * column;
      write(g, x, 42, FILES[high][file], { class: "b-file" });
      write(g, x, 1092, FILES[low][file], { class: "b-file" });
    }
    this.letters();
  }

  // state: codes, last [from, to], check, chosen, targets [], arrows [[a, b]], marks []
  draw(state) {
    this.state = state;
    const g = this.things, codes = state.codes;
    g.replaceChildren();
    codes.forEach((code, sq) => {
      if (code) drawPiece(g, code, ...this.place(sq));
    });
    if (state.last) {
      const [fx, fy] = this.place(state.last[0]), [x, y] = this.place(state.last[1]);
      shape(g, "circle", { cx: fx, cy: fy, r: 30, class: "b-from" });
      let corners = "";
      for (const dx of [-1, 1])
        for (const dy of [-1, 1])
          corners += `M${x + 48 * dx} ${y + 26 * dy}V${y + 48 * dy}H${x + 26 * dx}`;
      shape(g, "path", { d: corners, class: "b-last" });
    }
    if (state.check !== null && state.check !== undefined) {
      const [x, y] = this.place(state.check);
      shape(g, "circle", { cx: x, cy: y, r: 47, class: "b-check", "stroke-dasharray": "18 6" });
      shape(g, "circle", { cx: x, cy: y, r: 55, class: "b-check", "stroke-dasharray": "6 11" });
    }
    for (const sq of state.marks || []) {
      const [x, y] = this.place(sq);
      shape(g, "rect", { x: x - 47, y: y - 47, width: 94, height: 94, class: "b-mark" });
    }
    if (state.chosen !== null && state.chosen !== undefined) {
      const [x, y] = this.place(state.chosen);
      shape(g, "circle", { cx: x, cy: y, r: 48, class: "b-chosen" });
    }
    for (const sq of state.targets || []) {
      const [x, y] = this.place(sq);
      if (codes[sq]) shape(g, "circle", { cx: x, cy: y, r: 48, class: "b-prey" });
      else shape(g, "circle", { cx: x, cy: y, r: 17, class: "b-target" });
    }
    for (const [from, to] of state.arrows || []) this.arrow(g, from, to);
    this.describe(state);
  }

  arrow(g, from, to) {
    const [x0, y0] = this.place(from), [x1, y1] = this.place(to);
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const ux = (x1 - x0) / length, uy = (y1 - y0) / length;
    const sx = x0 + 44 * ux, sy = y0 + 44 * uy;
    const tx = x1 - 20 * ux, ty = y1 - 20 * uy, bx = tx - 38 * ux, by = ty - 38 * uy;
    shape(g, "path", { d: `M${sx} ${sy}L${bx} ${by}`, class: "b-arrow" });
    const head = `M${tx} ${ty}L${bx - 22 * uy} ${by + 22 * ux}L${bx + 22 * uy} ${by - 22 * ux}Z`;
    shape(g, "path", { d: head, class: "b-head" });
  }

  describe(state) {
    const targets = new Set(state.targets || []);
    this.buttons.forEach((button, cell) => {
      const sq = this.squareAt(cell), code = state.codes[sq];
      const words = [code ? pieceName(code) : "空", squareLabel(sq)];
      if (targets.has(sq)) words.push(code ? "可以吃" : "可以走");
      if (state.check === sq) words.push("被将军");
      if (state.last && state.last[1] === sq) words.push("上一步");
      button.setAttribute("aria-label", words.join("，"));
      button.setAttribute("aria-pressed", String(state.chosen === sq));
      button.dataset.square = squareName(sq);
    });
  }
}

// Codes after some moves; the server has checked them, this only carries pieces.
export function codesAfter(codes, moves) {
  const found = codes.slice();
  for (const move of moves) {
    found[move.to] = found[move.from];
    found[move.from] = 0;
  }
  return found;
}
