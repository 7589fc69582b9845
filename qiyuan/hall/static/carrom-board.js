// The board of 康乐棋: a canvas with the discs, the aim of the next stroke, and films of strokes.
const FRAME = 0.05; // wood round the square, m
const INK = { wood: "#6b4220", felt: "#f3dcae", line: "#7a5c2e", hole: "#20180f", dark: "#161616",
  pale: "#ffffff", sides: ["#b3261e", "#123a7a"], mother: "#fdf6e3", aim: "#0a6b2c", path: "#5b5b5b" };
const sideOf = (id) => (id === "M" ? -1 : id[0] === "F" ? Number(id[1]) : "AB".indexOf(id[0]));

function ring(pen, x, y, r, full = false) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 2 * Math.PI);
  if (full) pen.fill();
  else pen.stroke();
}

function plus(pen, arm, thick) {
  pen.fillRect(-arm, -thick / 2, 2 * arm, thick);
  pen.fillRect(-thick / 2, -arm, thick, 2 * arm);
}

// Red pieces carry a cross, blue ones a bar, fortresses a square, the mother a ring and a dot.
function disc(pen, { id, at: [x, y, angle = 0] }, r, hair) {
  const side = sideOf(id);
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  pen.fillStyle = side < 0 ? INK.mother : INK.sides[side];
  pen.strokeStyle = INK.dark;
  pen.lineWidth = hair;
  ring(pen, 0, 0, r - hair / 2, true);
  ring(pen, 0, 0, r - hair / 2);
  pen.fillStyle = pen.strokeStyle = side < 0 ? INK.dark : INK.pale;
  if (side < 0) {
    ring(pen, 0, 0, 0.22 * r, true);
    ring(pen, 0, 0, 0.72 * r);
  } else if (id[0] === "F") {
    pen.fillRect(-0.52 * r, -0.52 * r, 1.04 * r, 1.04 * r);
    pen.fillStyle = INK.sides[side];
    if (side) pen.fillRect(-0.3 * r, -0.12 * r, 0.6 * r, 0.24 * r);
    else plus(pen, 0.34 * r, 0.2 * r);
  } else if (side) pen.fillRect(-0.62 * r, -0.17 * r, 1.24 * r, 0.34 * r);
  else plus(pen, 0.62 * r, 0.3 * r);
  pen.restore();
}

export function pieceSample(seat) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 96;
  canvas.setAttribute("aria-hidden", "true");
  const pen = canvas.getContext("2d");
  pen.setTransform(46, 0, 0, -46, 48, 48);
  disc(pen, { id: seat ? "B1" : "A1", at: [0, 0] }, 1, 0.06);
  return canvas;
}

export class CarromBoard {
  // onPoint(x, y) in metres on a click; onKey(event) on a key.
  constructor(place, { onPoint, onKey }) {
    place.classList.add("carrom");
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "康乐棋盘：左右键转方向，上下键改力量，回车击出，N 键瞄下一枚");
    place.append(this.canvas);
    this.canvas.addEventListener("click", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const unit = box.width / (2 * this.edge);
      onPoint((event.clientX - box.left) / unit - this.edge, this.edge - (event.clientY - box.top) / unit);
    });
    this.canvas.addEventListener("keydown", onKey);
    this.edge = 0.5 + FRAME;
    this.scene = null;
    new ResizeObserver(() => this.draw(this.scene)).observe(this.canvas);
  }

  // scene: table (a position of the hall), discs [{id, at: [x, y, angle]}], aim, paths [[id, points]],
  // gone [[x, y]], last [x, y] of the mother
  draw(scene) {
    this.scene = scene;
    if (!scene) return;
    const { table } = scene;
    this.edge = table.side / 2 + FRAME;
    const wide = this.canvas.clientWidth, ratio = window.devicePixelRatio || 1;
    if (!wide) return;
    const pixels = Math.round(wide * ratio);
    if (this.canvas.width !== pixels) this.canvas.width = this.canvas.height = pixels;
    const pen = this.canvas.getContext("2d"), unit = pixels / (2 * this.edge);
    pen.setTransform(unit, 0, 0, -unit, this.edge * unit, this.edge * unit); // metres, y up
    this.hair = 1.5 * ratio / unit;
    this.ground(pen, table);
    for (const [id, points] of scene.paths || []) this.path(pen, id, points);
    for (const disc of scene.faint || []) this.disc(pen, table, disc, 0.35);
    for (const disc of scene.discs) this.disc(pen, table, disc, 1);
    for (const [x, y] of scene.gone || []) this.cross(pen, x, y, table.radius);
    if (scene.aim) this.aim(pen, table, scene);
  }

  ground(pen, table) {
    const half = table.side / 2, at = half - table.inset, base = half - table.base;
    pen.fillStyle = INK.wood;
    pen.fillRect(-this.edge, -this.edge, 2 * this.edge, 2 * this.edge);
    pen.fillStyle = INK.felt;
    pen.fillRect(-half, -half, table.side, table.side);
    pen.strokeStyle = INK.line;
    pen.lineWidth = this.hair;
    const line = (x0, y0, x1, y1) => {
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
    };
    for (const side of [-1, 1]) {
      line(-at, side * base, at, side * base);
      line(side * at, -at, side * at, at);
    }
    pen.setLineDash([0.008, 0.012]);
    line(-half, 0, half, 0);
    pen.setLineDash([]);
    ring(pen, 0, 0, 2 * table.circle);
    for (const sx of [-1, 1]) for (const sy of [-1, 1]) ring(pen, sx * at, sy * at, table.circle);
    pen.lineWidth = 2.5 * this.hair;
    table.circles.forEach(([x, y], seat) => {
      pen.strokeStyle = INK.sides[seat];
      ring(pen, x, y, table.circle);
    });
    pen.fillStyle = INK.hole;
    for (const [x, y] of table.hole ? table.holes : []) ring(pen, x, y, table.hole, true);
  }

  disc(pen, table, one, alpha) {
    pen.globalAlpha = alpha;
    disc(pen, one, one.id === "M" ? table.mother : table.radius, this.hair);
    pen.globalAlpha = 1;
  }

  path(pen, id, points) {
    pen.strokeStyle = id === "M" ? INK.path : INK.sides[sideOf(id)];
    pen.lineWidth = 1.6 * this.hair;
    pen.beginPath();
    points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
  }

  cross(pen, x, y, r) {
    pen.strokeStyle = INK.pale;
    pen.lineWidth = 3 * this.hair;
    for (const side of [-1, 1]) {
      pen.beginPath();
      pen.moveTo(x - 0.6 * r, y - side * 0.6 * r);
      pen.lineTo(x + 0.6 * r, y + side * 0.6 * r);
      pen.stroke();
    }
  }

  // The mother where it will lie, the line it takes, and where it meets something first.
  aim(pen, table, { aim, discs }) {
    const [ux, uy] = aim.way, hit = firstContact(table, aim, discs);
    pen.strokeStyle = pen.fillStyle = INK.aim;
    pen.lineWidth = 2 * this.hair;
    pen.setLineDash([0.02, 0.012]);
    pen.beginPath();
    pen.moveTo(aim.x, aim.y);
    pen.lineTo(hit.x, hit.y);
    pen.stroke();
    pen.setLineDash([]);
    ring(pen, hit.x, hit.y, table.mother);
    if (hit.id) {
      const at = (far) => [hit.px + far * hit.nx, hit.py + far * hit.ny];
      this.arrow(pen, ...at(table.radius + 0.008), ...at(table.radius + 0.09));
    }
    this.disc(pen, table, { id: "M", at: [aim.x, aim.y] }, 1);
    pen.strokeStyle = INK.aim;
    pen.lineWidth = 3 * this.hair;
    ring(pen, aim.x, aim.y, table.mother + 2 * this.hair);
    // the cue behind it: the longer the harder, beside the middle as it strikes
    const back = table.mother + 0.012, long = 0.05 + 0.2 * aim.power;
    const [ox, oy] = [uy * aim.offset, -ux * aim.offset];
    const tip = [aim.x - back * ux + ox, aim.y - back * uy + oy];
    pen.strokeStyle = INK.dark;
    pen.lineWidth = 0.011;
    pen.lineCap = "round";
    pen.beginPath();
    pen.moveTo(...tip);
    pen.lineTo(tip[0] - long * ux, tip[1] - long * uy);
    pen.stroke();
    pen.strokeStyle = "#c98a3c";
    pen.lineWidth = 0.007;
    pen.stroke();
    pen.lineCap = "butt";
  }

  arrow(pen, x0, y0, x1, y1) {
    const long = Math.hypot(x1 - x0, y1 - y0), ux = (x1 - x0) / long, uy = (y1 - y0) / long;
    pen.lineWidth = 2.5 * this.hair;
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x1 + 0.018 * ux, y1 + 0.018 * uy);
    pen.lineTo(x1 - 0.012 * uy, y1 + 0.012 * ux);
    pen.lineTo(x1 + 0.012 * uy, y1 - 0.012 * ux);
    pen.fill();
  }
}

// Where the mother meets the first piece or the rail, were there no friction; a help for the eye.
export function firstContact(table, aim, discs) {
  const [ux, uy] = aim.way, half = table.side / 2 - table.mother;
  let far = Infinity, found = {};
  for (const [at, u] of [[aim.x, ux], [aim.y, uy]])
    if (u) far = Math.min(far, ((u > 0 ? half : -half) - at) / u);
  for (const { id, at: [px, py] } of discs) {
    const rx = px - aim.x, ry = py - aim.y, along = rx * ux + ry * uy, reach = table.mother + table.radius;
    const square = reach * reach - (rx * rx + ry * ry - along * along);
    if (along <= 0 || square < 0) continue;
    const s = along - Math.sqrt(square);
    if (s > -1e-6 && s < far) {
      far = s;
      const nx = (rx - s * ux) / reach, ny = (ry - s * uy) / reach;
      found = { id, px, py, nx, ny };
    }
  }
  return { x: aim.x + far * ux, y: aim.y + far * uy, ...found };
}
