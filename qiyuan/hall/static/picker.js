// Two clicks make a move: the piece, then the point. Serves a loop entered and a ply put right.
import { colorOf, pieceName, SIDES, squareName } from "./board.js";

export class Picker {
  // onMove("h2e2") is called with a move that may still be refused; say(text, wrong) tells people.
  constructor(view, say, onMove) {
    Object.assign(this, { view, say, onMove, position: null, chosen: null });
  }

  // position: codes, turn, legal, check; last [from, to]
  show(position, last = null) {
    Object.assign(this, { position, last, chosen: null });
    this.draw();
  }

  draw(marks = []) {
    const { codes, check, legal } = this.position;
    this.view.draw({
      codes, check, last: this.last, chosen: this.chosen, marks,
      targets: this.chosen === null ? [] : legal[this.chosen] || [],
    });
  }

  drop() {
    if (!this.position) return;
    this.chosen = null;
    this.draw();
  }

  point(sq) {
    if (!this.position) return undefined;
    const { codes, turn, legal } = this.position, code = codes[sq];
    if (this.chosen === sq) return this.drop();
    if (code && colorOf(code) === turn) {
      this.chosen = sq;
      this.draw();
      const count = (legal[sq] || []).length;
      return this.say(count ? `选了${pieceName(code)}，有 ${count} 个地方可走。`
        : `${pieceName(code)}现在没有可走的地方。`, !count);
    }
    if (this.chosen === null)
      return this.say(code ? `现在轮到${SIDES[turn]}方走。` : `请先点要走的${SIDES[turn]}子。`, true);
    return this.onMove(squareName(this.chosen) + squareName(sq));
  }
}
