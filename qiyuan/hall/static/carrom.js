// 康乐棋 on the page of games (the contract stands in play.js): aiming, striking, films of strokes.
//
// The hall computes a stroke; this page only aims it and shows the film that it is sent.
import { askJson } from "./api.js";
import { CarromBoard, firstContact, pieceSample } from "./carrom-board.js";

export const aspect = 0.87; // lower than it could be: aiming wants room beside the board
export const least = 340;

const TURN = Math.PI / 360; // half a degree
const STEP = 0.002; // m
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
let empty; // the start, for a page on which no game is open

export class View {
  constructor(place, desk) {
    this.desk = desk;
    this.power = 0.3;
    this.offset = 0;
    this.placing = this.slow = false;
    this.scene = this.film = this.aim = null;
    this.count = 0;
    this.board = new CarromBoard(place, {
      onPoint: (x, y) => this.point(x, y),
      onKey: (event) => this.key(event),
    });
    this.panel();
  }

  close() {
    this.film = null;
    clearTimeout(this.asking);
  }

  async draw(scene) {
    this.scene = scene;
    if (!scene) {
      this.film = null;
      clearTimeout(this.asking);
      try {
        empty ??= await askJson("/api/kinds/carrom/boards/club");
      } catch (error) {
        return this.desk.say(error.message, true);
      }
      return this.scene || this.board.draw({ table: empty, discs: empty.pieces });
    }
    const { state, live } = scene, count = state.moves.length;
    const struck = live && this.id === state.id && count === this.count + 1;
    if (this.id !== state.id || this.count !== count) { // an offer of a draw leaves the aim alone
      this.film = null;
      this.settle(state.position, state.turn);
    }
    [this.id, this.count] = [state.id, count];
    if (!live) this.film = null;
    this.tell();
    this.paint();
    return struck ? this.play(count) : undefined;
  }

  // The mother in the middle of its circle, aimed at the first piece that has to be played.
  settle(table, seat) {
    const [x, y] = table.circles[seat];
    this.aim = { x, y, seat };
    this.placing = false;
    this.wanted = -1;
    this.next(table);
  }

  drop() {
    if (this.film) this.finish();
  }

  sample(seat) {
    return pieceSample(seat);
  }

  // ---------------------------------------------------------------- drawing

  table() {
    return this.scene.position;
  }

  paint() {
    const { live, state } = this.scene, table = this.table();
    if (this.film) return this.picture();
    const aim = live && !state.result ? this.cue() : null;
    return this.board.draw({ table, discs: table.pieces, aim });
  }

  cue() {
    const { x, y, tx, ty } = this.aim, long = Math.hypot(tx - x, ty - y) || 1;
    const way = [(tx - x) / long, (ty - y) / long];
    return { x, y, way, power: this.power, offset: this.offset * this.table().offset };
  }

  // The stroke in the words of the rules: as its striker sees the board.
  stroke() {
    const { x, y, way, offset } = this.cue(), side = this.aim.seat ? -1 : 1;
    const two = (a, b, digits) => `${(side * a).toFixed(digits)},${(side * b).toFixed(digits)}`;
    const speed = (this.power * this.table().fastest).toFixed(3);
    return `${two(x, y, 5)} ${two(...way, 7)} v=${speed}${offset ? ` b=${offset.toFixed(6)}` : ""}`;
  }

  // ---------------------------------------------------------------- aiming

  free() {
    if (this.film) {
      this.desk.say("正在演示这一击，可以按“跳到结果”。");
      return false;
    }
    return this.desk.free();
  }

  point(x, y) {
    if (!this.scene || !this.free()) return;
    const table = this.table(), [cx, cy] = table.circles[this.aim.seat];
    if (Math.hypot(x - cx, y - cy) <= table.circle + table.mother) return this.lay(x, y);
    const hit = table.pieces.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) <= 1.3 * table.radius);
    this.at(...(hit ? hit.at : [x, y]));
    this.desk.say(`瞄准${hit ? hit.zh : "所点的地方"}。${this.meets()}`);
  }

  at(tx, ty) {
    Object.assign(this.aim, { tx, ty });
    this.changed();
  }

  // What the mother meets first, for those who do not see the line.
  meets() {
    const table = this.table(), { id } = firstContact(table, this.cue(), table.pieces);
    const piece = table.pieces.find((one) => one.id === id);
    return piece ? `先碰到${piece.zh}。` : "先碰到盘边。";
  }

  lay(x, y) {
    const table = this.table(), [cx, cy] = table.circles[this.aim.seat];
    const far = Math.hypot(x - cx, y - cy), most = table.circle + table.mother - 1e-4;
    const part = far > most ? most / far : 1;
    Object.assign(this.aim, { x: cx + part * (x - cx), y: cy + part * (y - cy) });
    this.changed();
    this.desk.say(part < 1 ? "母子要压着右边角的圆圈（S0-KL-13）。" : `母子放好了。${this.meets()}`);
  }

  turn(angle) {
    const { x, y, tx, ty } = this.aim, [c, s] = [Math.cos(angle), Math.sin(angle)];
    this.at(x + c * (tx - x) - s * (ty - y), y + s * (tx - x) + c * (ty - y));
    this.desk.say(this.meets());
  }

  next(table = this.table()) {
    const { targets, pieces } = table;
    if (!targets.length) return this.at(0, 0);
    this.wanted = (this.wanted + 1) % targets.length;
    const piece = pieces.find((one) => one.id === targets[this.wanted]);
    Object.assign(this.aim, { tx: piece.at[0], ty: piece.at[1] });
    return piece;
  }

  aimNext() {
    if (!this.free()) return;
    const piece = this.next();
    this.changed();
    if (piece) this.desk.say(`瞄准${piece.zh}。${this.meets()}`);
  }

  setPower(power) {
    this.power = Math.min(1, Math.max(0.01, power));
    this.changed();
  }

  move(dx, dy) {
    if (this.free()) this.lay(this.aim.x + dx * STEP, this.aim.y + dy * STEP);
  }

  place(on) {
    this.placing = on;
    this.tell();
  }

  changed() {
    this.tell();
    this.paint();
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.check(), 200);
  }

  async check() {
    const { state } = this.scene, stroke = this.stroke();
    if (this.film || state.result) return;
    const answer = await this.desk.ask({ of: "aim", stroke });
    if (answer.type === "answer" && stroke === this.stroke()) this.parts.why.textContent = answer.why || "";
  }

  async strike() {
    if (this.parts.strike.disabled || !this.free()) return;
    clearTimeout(this.asking);
    this.parts.strike.disabled = true; // one click, one stroke
    await this.desk.move(this.stroke(), "就这样击出，对吗？");
    this.parts.strike.disabled = false;
  }

  key(event) {
    if (!this.scene) return;
    const fine = event.shiftKey ? 0.2 : 2, moves = this.placing;
    const act = {
      ArrowLeft: () => (moves ? this.move(-1, 0) : this.free() && this.turn(fine * TURN)),
      ArrowRight: () => (moves ? this.move(1, 0) : this.free() && this.turn(-fine * TURN)),
      ArrowUp: () => (moves ? this.move(0, 1) : this.setPower(this.power + 0.02)),
      ArrowDown: () => (moves ? this.move(0, -1) : this.setPower(this.power - 0.02)),
      Enter: () => (this.film ? this.finish() : this.strike()),
      Escape: () => this.drop(),
      " ": () => this.film && this.pause(),
      n: () => this.aimNext(),
      m: () => this.place(!this.placing),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // ---------------------------------------------------------------- films

  async play(number) {
    this.desk.say("击出……");
    const answer = await this.desk.ask({ of: "film", stroke: number });
    if (answer.type === "error") return this.desk.say(answer.text, true);
    if (answer.type !== "answer" || !this.scene || this.shownStroke() !== number) return undefined;
    this.film = { ...answer, t: 0, paused: false };
    this.tell();
    this.parts.pause.focus();
    if (!still()) return this.run(this.film, performance.now());
    this.desk.say(this.told());
    return this.picture();
  }

  run(film, before) {
    requestAnimationFrame((now) => {
      if (this.film !== film) return;
      if (!film.paused) film.t += (Math.min(100, now - before) / 1000) * (this.slow ? 0.5 : 1);
      if (film.t * film.fps >= film.frames - 1) {
        this.finish();
        return;
      }
      this.picture();
      this.run(film, now);
    });
  }

  // One picture of the film; where nothing should move, its beginning, its paths and its end.
  picture() {
    const { film } = this, table = this.table(), tracks = Object.entries(film.tracks);
    if (still()) {
      const moved = tracks.filter(([, track]) => track.length > 1);
      this.board.draw({
        table,
        paths: moved.map(([id, track]) => [id, track.filter(Boolean)]),
        faint: moved.map(([id, track]) => ({ id, at: track[0] })),
        discs: tracks.map(([id, track]) => ({ id, at: track[track.length - 1] })).filter(({ at }) => at),
        gone: moved.filter(([, track]) => !track[track.length - 1]).map(([, track]) => track.filter(Boolean).pop()),
      });
      return;
    }
    const frame = Math.min(film.t * film.fps, film.frames - 1), k = Math.floor(frame), part = frame - k;
    const discs = [];
    for (const [id, track] of tracks) {
      const a = track[Math.min(k, track.length - 1)], b = track[Math.min(k + 1, track.length - 1)] || a;
      if (a) discs.push({ id, at: a.map((value, j) => value + part * (b[j] - value)) });
    }
    this.board.draw({ table, discs });
  }

  pause() {
    this.film.paused = !this.film.paused;
    this.tell();
  }

  finish() {
    const words = this.told();
    this.film = null;
    this.tell();
    this.paint();
    if (document.activeElement === document.body) this.board.canvas.focus();
    this.desk.say(words);
  }

  told() {
    const { film } = this, { state } = this.scene;
    return film.say + (film.number === state.moves.length && state.result ? state.result.text : "");
  }

  // ---------------------------------------------------------------- the panel

  panel() {
    const parts = {}, own = this.desk.own;
    const add = (parent, name, tag, words = "", act = null) => {
      const made = document.createElement(tag);
      made.id = `carrom-${name}`;
      made.textContent = words;
      if (tag === "button") made.type = "button";
      if (act) made.addEventListener("click", act);
      parent.append(made);
      parts[name] = made;
      return made;
    };
    const group = (name, label) => {
      const made = add(own, name, "div");
      made.setAttribute("role", "group");
      made.setAttribute("aria-label", label);
      return made;
    };
    const slider = (parent, name, words, low, act) => {
      const line = add(parent, `${name}-line`, "p");
      const label = add(line, `${name}-label`, "label", words);
      const range = add(line, name, "input");
      label.htmlFor = range.id;
      Object.assign(range, { type: "range", min: low, max: 100, step: 1 });
      range.addEventListener("input", () => act(Number(range.value) / 100));
      return line;
    };
    add(own, "stand", "p");
    const aiming = group("aiming", "瞄准与击打");
    const pad = add(aiming, "pad", "div");
    pad.className = "four";
    add(pad, "next", "button", "瞄下一枚", () => this.aimNext());
    add(pad, "placing", "button", "移动母子", () => this.place(!this.placing));
    add(pad, "left", "button", "", () => (this.placing ? this.move(-1, 0) : this.free() && this.turn(TURN)));
    add(pad, "right", "button", "", () => (this.placing ? this.move(1, 0) : this.free() && this.turn(-TURN)));
    add(pad, "up", "button", "", () => (this.placing ? this.move(0, 1) : this.setPower(this.power + 0.05)));
    add(pad, "down", "button", "", () => (this.placing ? this.move(0, -1) : this.setPower(this.power - 0.05)));
    add(aiming, "why", "p").setAttribute("role", "status");
    add(aiming, "strike", "button", "击出", () => this.strike()).className = "main";
    slider(aiming, "power", "", 1, (value) => this.setPower(value));
    slider(aiming, "offset", "", -100, (value) => {
      this.offset = Math.abs(value) < 0.08 ? 0 : value;
      this.changed();
    });
    const filming = group("filming", "演示这一击");
    filming.className = "four";
    add(filming, "pause", "button", "", () => this.pause());
    add(filming, "slow", "button", "", () => {
      this.slow = !this.slow;
      this.tell();
    });
    add(filming, "skip", "button", "", () => this.finish());
    const again = add(own, "more", "div");
    again.className = "four";
    add(again, "replay", "button", "重放这一击", () => this.replay());
    add(again, "read", "button", "读出棋子", () => this.read());
    this.parts = parts;
  }

  tell() {
    const { parts, film } = this, { state, position: table, live } = this.scene;
    const both = ([red, blue]) => `红\u00a0${red}，蓝\u00a0${blue}。`;
    const owed = table.debts.some(Boolean) ? `欠罚子：${both(table.debts)}` : "";
    const turn = state.result || !live ? "" : `${table.phase}，还有 ${table.strikes_left} 次击打。`;
    parts.stand.textContent = `${turn}没打进的子：${both(table.left)}${owed}`;
    parts.aiming.hidden = Boolean(film || state.result || !live);
    parts.filming.hidden = !film;
    parts.more.hidden = Boolean(film);
    parts.replay.disabled = !this.shownStroke();
    const names = this.placing ? ["← 左移", "→ 右移", "↑ 上移", "↓ 下移"] : ["↺ 左转", "↻ 右转", "用力些", "轻一些"];
    ["left", "right", "up", "down"].forEach((name, k) => { parts[name].textContent = names[k]; });
    parts.placing.setAttribute("aria-pressed", String(this.placing));
    const percent = Math.round(100 * this.power), aside = Math.round(100 * this.offset);
    parts["power-label"].textContent = `力量：${percent}%`;
    parts["offset-label"].textContent = aside ? `击点：偏${aside < 0 ? "左" : "右"} ${Math.abs(aside)}%` : "击点：正中";
    parts.power.value = percent;
    parts.offset.value = aside;
    const quiet = still();
    parts.pause.textContent = film && film.paused ? "继续" : "暂停";
    parts.slow.textContent = `半速：${this.slow ? "开" : "关"}`;
    parts.slow.setAttribute("aria-pressed", String(this.slow));
    parts.pause.hidden = parts.slow.hidden = quiet;
    parts.skip.textContent = quiet ? "看好了，接着打" : "跳到结果";
  }

  shownStroke() {
    const { state, last } = this.scene;
    return last ? state.moves.indexOf(last) + 1 : 0;
  }

  replay() {
    const number = this.shownStroke();
    if (number) this.play(number);
  }

  // Where the pieces to be played lie, seen from the mother.
  read() {
    const table = this.table(), { x, y, seat } = this.aim, side = seat ? -1 : 1;
    const words = table.targets.map((id) => {
      const { zh, at } = table.pieces.find((one) => one.id === id);
      const dx = side * (at[0] - x), dy = side * (at[1] - y);
      const aside = Math.round((Math.atan2(dx, dy) * 180) / Math.PI);
      const where = aside ? `正前方偏${aside < 0 ? "左" : "右"} ${Math.abs(aside)} 度` : "正前方";
      return `${zh}在${where}，${Math.round(100 * Math.hypot(dx, dy))} 厘米`;
    });
    this.desk.say(`从母子看，要打的子：${words.join("；")}。`);
  }
}
