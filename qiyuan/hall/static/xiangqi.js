// 象棋 on the page of games (the contract stands in play.js).
import { BoardView, colorOf, pieceName, pieceSample, SIDES, squareName } from "./board.js";

export const aspect = 900 / 1100;
export const least = 540;

const KING = [1, 9];
const START = start();

function start() {
  const codes = new Array(90).fill(0);
  [5, 4, 3, 2, 1, 2, 3, 4, 5].forEach((piece, file) => {
    codes[file] = piece;
    codes[81 + file] = piece + 8;
  });
  for (const file of [1, 7]) [codes[18 + file], codes[63 + file]] = [6, 14];
  for (const file of [0, 2, 4, 6, 8]) [codes[27 + file], codes[54 + file]] = [7, 15];
  return codes;
}

export class View {
  constructor(place, desk) {
    this.desk = desk;
    this.chosen = null;
    this.board = new BoardView(place, { onPoint: (sq) => this.point(sq), onCancel: () => this.drop() });
  }

  draw(scene) {
    this.scene = scene;
    if (!scene) return this.board.draw({ codes: START });
    const { state, live, fresh } = scene;
    if (this.id !== state.id) {
      this.id = state.id;
      this.board.flip(state.mode === "computer" && state.human === 1);
    }
    if (fresh || !live) this.chosen = null;
    return this.paint();
  }

  paint() {
    const { position, last, hint, marks } = this.scene;
    this.board.draw({
      codes: position.codes,
      last: last ? [last.from, last.to] : null,
      check: position.check,
      chosen: this.chosen,
      targets: this.chosen === null ? [] : position.legal[this.chosen] || [],
      arrows: hint ? [[hint.from, hint.to]] : [],
      marks,
    });
  }

  drop() {
    this.chosen = null;
    if (this.scene) this.paint();
  }

  flip() {
    this.board.flip(!this.board.flipped);
  }

  sample(seat) {
    return pieceSample(KING[seat]);
  }

  point(sq) {
    if (!this.desk.free()) return;
    const { state, position } = this.scene;
    const code = position.codes[sq], side = SIDES[state.turn];
    if (this.chosen === sq) return this.drop();
    if (code && colorOf(code) === state.turn) {
      this.chosen = sq;
      this.paint();
      const count = (position.legal[sq] || []).length;
      return this.desk.say(count ? `选了${pieceName(code)}，有 ${count} 个地方可走。`
        : `${pieceName(code)}现在没有可走的地方。`, !count);
    }
    if (this.chosen === null)
      return this.desk.say(code ? `现在轮到${side}方走。` : `请先点要走的${side}子。`, true);
    return this.move(this.chosen, sq);
  }

  move(from, to) {
    const { codes, legal } = this.scene.position;
    const prey = codes[to];
    const question = `${pieceName(codes[from])}${prey ? `吃${pieceName(prey)}` : "走到箭头所指的地方"}，对吗？`;
    const text = squareName(from) + squareName(to);
    if (!(legal[from] || []).includes(to)) return this.desk.move(text); // the answer says why not
    return this.desk.move(text, question, () => this.board.draw({ ...this.board.state, arrows: [[from, to]] }));
  }
}
