// 走子: moves entered by clicking on the board, from the usual start or from a position set up.
import { askJson, keep, kept, Trouble } from "./api.js";
import { pieceSample, SIDES, squareName } from "./board.js";
import { Picker } from "./picker.js";
import { twice } from "./twice.js";

const $ = (id) => document.getElementById(id);
const KING = [1, 9];

export class Walk {
  // desk: view, flip(), say(text, wrong), rule(fen, text of the moves), edit(fen)
  constructor(desk) {
    this.desk = desk;
    const { fen, moves } = kept("walk", {});
    this.line = typeof fen === "string" && Array.isArray(moves) ? { fen, moves } : { fen: "", moves: [] };
    this.shown = this.busy = null; // what the server told of the line; its answer that is awaited
    this.picker = new Picker(desk.view, desk.say, (move) => this.add([move]));
    const some = () => this.line.moves.length > 0;
    $("walk-back").addEventListener("click", async () => {
      while (this.busy) await this.busy; // pressed twice, two moves go
      this.go(this.line.fen, this.line.moves.slice(0, -1));
    });
    for (const id of ["walk-round", "walk-back", "walk-edit", "walk-go"]) $(id).disabled = true; // yet
    $("walk-round").addEventListener("click", () => this.add(this.line.moves.slice(-this.shown.round)));
    twice($("walk-clear"), () => this.open(undefined, []), some);
    twice($("walk-usual"), () => this.open("", []), some);
    $("walk-flip").addEventListener("click", desk.flip);
    $("walk-edit").addEventListener("click", () => desk.edit(this.shown.start));
    $("walk-go").addEventListener("click", () => desk.rule(
      this.line.fen, this.shown.moves.map((move) => move.zh).join(" ")));
  }

  // Show the line; another one where it is given. One that cannot stand leaves the old line as it
  // was, and what is wrong with it stays said.
  async open(fen, moves) {
    while (this.busy) await this.busy; // what is handed over must not be taken for a second click
    let wrong = await this.go(fen ?? this.line.fen, moves ?? this.line.moves);
    const { message } = wrong || {};
    if (!wrong) return;
    if (this.shown) this.draw();
    else if (fen !== undefined) wrong = await this.go(this.line.fen, this.line.moves);
    if (!this.shown && wrong?.status === 422) await this.go("", []); // what was kept is no line
    this.desk.say(message, true);
  }

  add(moves) {
    return this.go(this.line.fen, [...this.line.moves, ...moves]);
  }

  point(sq) {
    return this.picker.point(sq);
  }

  cancel() {
    this.picker.drop();
  }

  // Show a line; a promise of what is wrong with it, or of null.
  go(fen, moves) {
    if (this.busy) return Promise.resolve(null); // two quick clicks: the first counts
    this.busy = this.ask(fen, moves).finally(() => { this.busy = null; });
    return this.busy;
  }

  async ask(fen, moves) {
    try {
      const shown = await askJson("/api/positions", { method: "POST", body: { fen, moves } });
      if (!shown.playable)
        throw Object.assign(new Trouble(shown.defects.map((one) => one.text).join("；")), { status: 422 });
      this.shown = shown;
      this.line = { fen, moves: shown.moves.map((move) => squareName(move.from) + squareName(move.to)) };
      keep("walk", this.line);
      this.draw();
      return null;
    } catch (error) {
      this.desk.say(error.message, true);
      if (this.shown) this.picker.draw(error.marks);
      return error;
    }
  }

  draw() {
    const { moves, turn, times, round, check, legal } = this.shown, last = moves.at(-1);
    this.picker.show(this.shown, last ? [last.from, last.to] : null);
    const words = document.createElement("span");
    words.textContent = `轮到${SIDES[turn]}方走${check === null ? "" : "，被将军"}`;
    $("walk-turn").replaceChildren(pieceSample(KING[turn]), words);
    $("walk-times").textContent = times > 1
      ? `同一局面第 ${times} 次出现，刚走完一圈 ${round} 着。` : `走了 ${moves.length} 着。`;
    $("walk-round").disabled = !round;
    $("walk-back").disabled = $("walk-go").disabled = !moves.length;
    $("walk-edit").disabled = false;
    this.desk.say(last ? `${SIDES[last.side]}方：${last.zh}。` : "请点要走的子，再点目标。");
    if (!Object.keys(legal).length) this.desk.say(`${SIDES[turn]}方没有可走的着法，对局结束。`);
    const first = moves.length ? moves[0].side : 0, cells = first ? [null, ...moves] : moves;
    const rows = [];
    for (let i = 0; i < cells.length; i += 2) {
      const row = document.createElement("li");
      row.append(...[`${i / 2 + 1}.`, cells[i]?.zh ?? "", cells[i + 1]?.zh ?? ""].map((text) => {
        const cell = document.createElement("span");
        cell.textContent = text;
        return cell;
      }));
      rows.push(row);
    }
    $("walk-moves").replaceChildren(...rows);
    $("walk-moves").scrollTop = $("walk-moves").scrollHeight;
  }
}
