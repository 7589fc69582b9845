// 军棋 on the page of games (the contract stands in play.js).
//
// The ranks that this page holds are those of the seat that sits before it, from the moment when
// its player has asked for them until the move is made; at all other times it has none to show.
import { askJson, base64, kept } from "./api.js";
import { JunqiBoard, pieceSample, SIZES } from "./junqi-board.js";

export const aspect = SIZES.luzhan60.width / SIZES.luzhan60.height;
export const least = 340;

const LETTERS = "abcdefghijkl";
const maps = new Map();
const mapOf = (board) => {
  if (!maps.has(board)) maps.set(board, askJson(`/api/kinds/junqi/boards/${board}`).catch((error) => {
    maps.delete(board);
    throw error;
  }));
  return maps.get(board);
};
const boardOf = (rules) => (["standard", "event_s3b"].includes(rules) ? "siguo129" : "luzhan60");

export class View {
  constructor(place, desk) {
    this.desk = desk;
    this.left = place.parentElement;
    this.chosen = this.seen = this.army = this.scene = null;
    this.turned = 0;
    this.board = new JunqiBoard(place, { onPoint: (point) => this.point(point), onCancel: () => this.drop() });
  }

  async draw(scene) {
    this.scene = scene;
    if (scene && (scene.fresh || this.id !== scene.state.id)) {
      this.cover();
      this.fresh = true;
    }
    this.id = scene && scene.state.id;
    let map;
    try {
      map = await mapOf(scene ? scene.position.board : boardOf(kept("option-junqi-rules", "luzhan")));
    } catch (error) {
      return this.desk.say(error.message, true);
    }
    if (this.scene !== scene) return undefined; // another picture is wanted by now
    if (this.board.map !== map) {
      const { width, height } = SIZES[map.board];
      this.left.style.setProperty("--aspect", Math.min(0.93, width / height));
      this.board.setMap(map);
    }
    if (!scene) return this.board.draw({ pieces: [] });
    if (this.fresh) this.tools();
    this.fresh = false;
    return this.paint();
  }

  cover() {
    this.chosen = this.seen = this.army = null;
  }

  // What is drawn: the position that everybody sees, or the one that the player has asked for.
  position() {
    const { position, live } = this.scene;
    return live && this.seen ? this.seen : position;
  }

  paint() {
    const { state, last, marks, live } = this.scene, position = this.position();
    const open = position.mode === "open" && position.phase === "play";
    const zone = position.zones[open || state.result ? 0 : state.turn];
    this.board.zones = position.zones;
    this.board.turnTo((zone + this.turned) % 4);
    const { legal } = position;
    this.board.draw({
      pieces: live && this.army ? [...position.pieces, ...this.drawnUp()] : position.pieces,
      last: last && last.to !== undefined ? [last.from, last.to] : null,
      chosen: this.chosen,
      targets: this.chosen === null ? [] : legal[this.chosen] || [],
      marks,
    });
  }

  drop() {
    this.chosen = null;
    if (this.scene) this.paint();
  }

  flip() {
    this.turned = (this.turned + (this.board.map.homes.length === 2 ? 2 : 1)) % 4;
    if (this.scene) this.paint();
  }

  sample(seat) {
    return pieceSample(this.scene ? this.scene.position.zones[seat] : 0);
  }

  // ---------------------------------------------------------------- handing the screen over

  tools() {
    const { state, position } = this.scene, who = state.seats[state.turn];
    const own = this.desk.own;
    if (state.result) return own.replaceChildren(button("亮出终局前的棋子", () => this.uncover()));
    if (position.phase === "play" && position.mode === "open") return own.replaceChildren();
    if (this.army) return own.replaceChildren(...this.armyTools());
    if (this.seen) {
      const why = paragraph("暗棋不能悔棋：看过胜负再悔棋，等于看了对方的子。全明的棋可以悔。");
      const cover = button("遮住棋盘", () => {
        this.cover();
        this.tools();
        this.paint();
      });
      return own.replaceChildren(cover, why);
    }
    const box = document.createElement("div");
    box.className = "ask";
    box.id = "cover";
    box.tabIndex = -1;
    box.setAttribute("role", "group");
    const what = position.phase === "army" ? "布阵" : "走棋";
    const words = paragraph(`请把屏幕交给${who}${what}，其他人请不要看。`);
    words.id = "cover-text";
    box.setAttribute("aria-labelledby", words.id);
    const start = button(`我是${who.replace(/（.*/u, "")}，开始`, () => this.uncover(), "main");
    start.id = "uncover";
    box.append(words, start);
    const moved = this.board.inner.contains(document.activeElement) || own.contains(document.activeElement);
    own.replaceChildren(box);
    if (moved) box.focus(); // not the button: a stray Enter must not show the ranks
    return undefined;
  }

  async uncover() {
    const { state } = this.scene;
    const current = ({ type, version }) => // what a seat may see is for its own turn alone
      type === "answer" && version === state.version && version === this.scene?.state.version;
    const answer = await this.desk.ask({ of: "seat" });
    if (!current(answer)) return this.failed(answer);
    let offered = null;
    if (answer.position.phase === "army" && !state.result) {
      offered = await this.desk.ask({ of: "armies" });
      if (!current(offered)) return this.failed(offered);
    }
    this.seen = answer.position;
    if (offered) {
      this.offered = offered.armies;
      this.army = [...this.offered[0].army];
      this.desk.say(`${state.seats[state.turn]}布阵：选一个阵形，也可以点两枚子对换，好了就按“就这样布阵”。`);
    } else if (!state.result) this.desk.say(`${state.seats[state.turn]}请走棋。`);
    this.tools();
    this.paint();
    if (!this.army) this.board.focus();
    return undefined;
  }

  failed(answer) {
    if (answer.type === "error") this.desk.say(answer.text, true);
    else if (answer.type === "answer") this.desk.say("棋局刚有变化，请再按一次。", true);
  }

  // ---------------------------------------------------------------- armies

  armyTools() {
    const choices = document.createElement("div");
    choices.className = "four";
    const file = document.createElement("input");
    Object.assign(file, { type: "file", className: "unseen", tabIndex: -1 });
    file.setAttribute("aria-label", "布阵文件");
    file.id = "army-file";
    file.addEventListener("change", () => this.openArmy(file));
    choices.append(
      ...this.offered.map(({ name }) => button(name, () => this.take(name))),
      button("左右对调", () => this.mirror()),
      button("打开布阵文件", () => file.click()),
    );
    const done = button("就这样布阵", () => this.desk.move(`army ${this.army.join("")}`), "main");
    done.id = "army-done";
    return [file, choices, done];
  }

  homes() {
    return this.board.map.homes[this.scene.state.turn];
  }

  drawnUp() {
    const { turn } = this.scene.state;
    return this.army.map((letter, k) => [this.homes()[k], turn, LETTERS.indexOf(letter)]);
  }

  async take(name) {
    const { army } = this;
    let found = this.offered.find((one) => one.name === name);
    if (found === this.offered[this.offered.length - 1]) { // by chance: another one every time
      const answer = await this.desk.ask({ of: "armies" });
      if (this.army !== army) return undefined; // it is covered by now, or another one stands there
      if (answer.type !== "answer") return this.failed(answer);
      found = answer.armies[answer.armies.length - 1];
    }
    return this.lay([...found.army], `${name}：军旗在${this.flagAt(found.army)}。`);
  }

  flagAt(army) {
    return this.board.pointName(this.homes()[[...army].indexOf("l")]);
  }

  lay(army, words) {
    this.army = army;
    this.chosen = null;
    this.desk.say(words);
    this.paint();
  }

  mirror() {
    const homes = this.homes();
    const across = (point) => point - (point % 5) + 4 - (point % 5);
    const army = homes.map((point) => this.army[homes.indexOf(across(point))]);
    this.lay(army, `左右对调了，军旗在${this.flagAt(army)}。`);
  }

  async swap(one, other) {
    const homes = this.homes(), [a, b] = [homes.indexOf(one), homes.indexOf(other)];
    const before = this.army, army = [...before];
    this.chosen = null; // the next click is another choice
    [army[a], army[b]] = [army[b], army[a]];
    const answer = await this.desk.ask({ of: "army", army: army.join("") });
    if (this.army !== before) return undefined;
    if (answer.type !== "answer") return this.failed(answer);
    if (answer.breaches.length) {
      this.drop();
      return this.desk.say(`不能这样换：${answer.breaches[0]}。`, true);
    }
    const name = (k) => this.board.map.kinds[LETTERS.indexOf(army[k])];
    return this.lay(army, `${name(b)}和${name(a)}对换了。`);
  }

  async openArmy(file) {
    const [chosen] = file.files;
    if (!chosen) return;
    const data = chosen.size > 4096 ? null : base64(new Uint8Array(await chosen.arrayBuffer()));
    file.value = "";
    if (data === null) return this.desk.say("文件超过 4 KB，不像布阵文件。", true);
    const { army } = this, answer = await this.desk.ask({ of: "file", data });
    if (this.army !== army) return undefined;
    if (answer.type !== "answer") return this.failed(answer);
    return this.lay([...answer.army], `文件里的阵摆好了，军旗在${this.flagAt(answer.army)}。`);
  }

  // ---------------------------------------------------------------- points

  point(point) {
    if (!this.scene || !this.desk.free()) return undefined;
    const { state } = this.scene, position = this.position();
    if (this.army) return this.armyPoint(point);
    if (position.looking !== state.turn)
      return this.desk.say(`棋盘遮着。请先按“我是${state.seats[state.turn].replace(/（.*/u, "")}，开始”。`, true);
    const at = new Map(position.pieces.map(([where, seat, kind]) => [where, [seat, kind]]));
    const piece = at.get(point);
    if (this.chosen === point) return this.drop();
    if (piece && piece[0] === state.turn) {
      this.chosen = point;
      this.paint();
      const count = (position.legal[point] || []).length, name = this.board.pieceName(...piece);
      return this.desk.say(count ? `选了${name}，有 ${count} 个地方可走。` : `${name}现在没有可走的地方。`, !count);
    }
    if (this.chosen === null)
      return this.desk.say(piece ? `现在轮到${state.seats[state.turn]}走。` : "请先点要走的子。", true);
    return this.move(this.chosen, point, at);
  }

  move(from, to, at) {
    const text = `${this.board.name(from)}-${this.board.name(to)}`;
    if (!(this.position().legal[from] || []).includes(to)) return this.desk.move(text); // says why not
    const what = at.has(to) ? `攻击${this.board.pieceName(...at.get(to))}` : `走到${this.board.pointName(to)}`;
    return this.desk.move(text, `${this.board.pieceName(...at.get(from))}${what}，对吗？`, () => {
      this.board.draw({ ...this.board.state, targets: [to] });
    });
  }

  armyPoint(point) {
    const homes = this.homes();
    if (this.chosen === point) return this.drop();
    if (!homes.includes(point)) return this.desk.say("只能换自己的子；行营开局要空着（S3B-JQ-6）。", true);
    if (this.chosen !== null) return this.swap(this.chosen, point);
    this.chosen = point;
    this.paint();
    const name = this.board.map.kinds[LETTERS.indexOf(this.army[homes.indexOf(point)])];
    return this.desk.say(`选了${name}，再点一枚子就和它对换。`);
  }
}

function button(words, act, name = "") {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", textContent: words, className: name });
  made.addEventListener("click", act);
  return made;
}

function paragraph(words) {
  const made = document.createElement("p");
  made.textContent = words;
  return made;
}
