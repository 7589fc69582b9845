// 摆棋: a position set up piece by piece, with everything that is wrong with it told at once.
import { askJson, keep, kept } from "./api.js";
import { inWords, pieceName, pieceSample, SIDES, squareLabel } from "./board.js";
import { twice } from "./twice.js";

const $ = (id) => document.getElementById(id);
const ARMY = [0, 1, 2, 2, 2, 2, 2, 5]; // pieces of a kind in the box of one side
const LETTERS = " KABNRCP";
const USUAL = "";
const KINGS = "4k4/9/9/9/9/9/9/9/9/3K5 w";
const EMPTY = "9/9/9/9/9/9/9/9/9/9 w";

export function fenOf(codes, turn) {
  const rows = [];
  for (let rank = 9; rank >= 0; rank--) {
    const letters = codes.slice(9 * rank, 9 * rank + 9).map((code) => {
      const letter = LETTERS[code & 7];
      return code ? (code >> 3 ? letter.toLowerCase() : letter) : "1";
    }).join("");
    rows.push(letters.replace(/1+/g, (run) => run.length));
  }
  return `${rows.join("/")} ${"wb"[turn]}`;
}

export class Editor {
  // desk: view, flip(), say(text, wrong), walk(fen)
  constructor(desk) {
    this.desk = desk;
    this.codes = new Array(90).fill(0);
    this.turn = 0;
    this.held = null; // the kind of piece that is taken from the box
    this.lifted = null; // the point whose piece is picked up
    this.asked = 0;
    this.found = null; // what the server told last,
    this.fault = ""; // why it could not tell of what is set up now,
    this.start = ""; // and that as text
    this.palette();
    $("set-take").addEventListener("click", () => this.take());
    $("set-turn").addEventListener("click", () => { this.turn = 1 - this.turn; this.changed(); });
    $("set-mirror").addEventListener("click", () => {
      this.codes = this.codes.map((_, sq) => this.codes[sq - (sq % 9) + 8 - (sq % 9)]);
      this.changed();
    });
    const replaced = () => this.codes.some((code) => code && (code & 7) !== 1);
    twice($("set-clear"), () => this.replace(EMPTY), replaced);
    twice($("set-kings"), () => this.replace(KINGS), replaced);
    twice($("set-full"), () => this.replace(USUAL), replaced);
    $("set-flip").addEventListener("click", desk.flip);
    $("set-read").addEventListener("click", () => this.replace($("set-fen").value.trim()));
    $("set-fen").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.replace($("set-fen").value.trim());
    });
    $("set-copy").addEventListener("click", () => this.copy());
    $("set-go").addEventListener("click", () => desk.walk(this.start));
  }

  palette() {
    this.boxes = [];
    for (const seat of [0, 1])
      for (let kind = 1; kind < 8; kind++) {
        const code = kind + 8 * seat, button = document.createElement("button");
        const name = document.createElement("span"), left = document.createElement("span");
        button.type = "button";
        name.className = "unseen";
        name.textContent = pieceName(code);
        button.append(name, pieceSample(code), left);
        button.addEventListener("click", () => this.hold(code));
        $("set-palette").append(button);
        this.boxes.push({ code, button, left });
      }
  }

  open(fen = null) {
    if (fen !== null || !this.found) return this.read(fen ?? kept("set", KINGS));
    if (this.fault) return this.changed();
    return this.draw();
  }

  left(code) {
    return ARMY[code & 7] - this.codes.filter((other) => other === code).length;
  }

  hold(code) {
    this.lifted = null;
    this.held = this.held === code ? null : code;
    this.draw();
    this.desk.say(this.held === null ? "放回盒里了。" : `拿着${pieceName(code)}，请点棋盘上的空点。`);
  }

  point(sq) {
    if (!this.found) return this.open(); // the position that stood here last has not come yet
    const code = this.codes[sq];
    if (this.lifted === sq) return this.cancel();
    if (this.lifted !== null) {
      const moved = this.codes[this.lifted];
      [this.codes[sq], this.codes[this.lifted], this.lifted] = [moved, 0, null];
      this.desk.say(`${pieceName(moved)}移到${squareLabel(sq)}。`);
      return this.changed();
    }
    if (code) {
      [this.lifted, this.held] = [sq, null];
      this.draw();
      return this.desk.say(`拿起${pieceName(code)}：点别的点是移动，按“拿掉这个子”是收回盒里。`);
    }
    if (this.held === null) return this.desk.say("请先在棋子盒里选一种棋子，或者点棋盘上的子。", true);
    this.codes[sq] = this.held;
    this.desk.say(`${pieceName(this.held)}放在${squareLabel(sq)}。`);
    if (this.left(this.held) < 1) this.held = null;
    return this.changed();
  }

  // The piece that is picked up, or the one on a point (Delete on the board).
  take(sq = this.lifted) {
    if (sq === null || !this.codes[sq]) return this.desk.say("请先点要拿掉的子。", true);
    this.desk.say(`${pieceName(this.codes[sq])}收回盒里。`);
    [this.codes[sq], this.lifted] = [0, null];
    return this.changed();
  }

  cancel() {
    [this.lifted, this.held] = [null, null];
    this.draw();
  }

  changed() {
    return this.read(fenOf(this.codes, this.turn), true);
  }

  // Take a position over; what the arbiter placed himself is shown before the answer comes.
  async read(fen, own = false) {
    const number = ++this.asked;
    if (own) {
      this.start = fen;
      keep("set", fen);
      this.draw();
    } else [this.lifted, this.held] = [null, null];
    let found;
    try {
      found = await askJson("/api/positions", { method: "POST", body: { fen } });
    } catch (error) {
      if (number !== this.asked) return undefined;
      this.desk.say(error.message, true);
      if (own) {
        this.fault = error.message;
        this.draw();
      } else if (!this.found && error.status === 422 && fen !== KINGS) return this.read(KINGS); // damaged
      return undefined;
    }
    if (number !== this.asked) return undefined;
    [this.found, this.fault, this.start] = [found, "", found.start];
    [this.codes, this.turn] = [found.codes.slice(), found.turn];
    keep("set", found.start);
    $("set-fen").value = found.start;
    this.draw();
    return found;
  }

  // Another position as a whole; what was said of the old one no longer holds.
  async replace(fen) {
    if (await this.read(fen)) this.desk.say("局面换好了。");
  }

  async copy() {
    const field = $("set-fen");
    try {
      await navigator.clipboard.writeText(field.value);
      this.desk.say("局面文字已经复制。");
    } catch {
      field.focus();
      field.select();
      this.desk.say("这个浏览器不让网页复制；文字已经选中，请按 Ctrl+C。", true);
    }
  }

  draw() {
    const faults = this.found && !this.fault ? this.found.defects : [];
    this.desk.view.draw({
      codes: this.codes, chosen: this.lifted, marks: faults.flatMap((one) => one.points),
    });
    for (const { code, button, left } of this.boxes) {
      const n = this.left(code);
      left.textContent = `余${Math.max(0, n)}`;
      button.disabled = n < 1;
      button.setAttribute("aria-pressed", String(this.held === code));
    }
    $("set-turn").textContent = `轮到${SIDES[this.turn]}方走`;
    $("set-take").disabled = this.lifted === null;
    $("set-go").disabled = !this.found || !this.found.playable || Boolean(this.fault);
    const rows = faults.map(({ text }) => inWords(text))
      .map((text, i) => (faults[i].fatal ? text : `${text}（可以走，但实战走不出来）`));
    if (this.fault) rows.push(`还没有检查：${this.fault}`);
    $("set-defects").replaceChildren(...(rows.length ? rows : ["没有错误，可以走棋。"]).map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
    $("set-defects").classList.toggle("wrong", Boolean(this.fault) || faults.some((one) => one.fatal));
  }
}
